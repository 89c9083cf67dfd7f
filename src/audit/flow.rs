//! Whether a body comes by an assertion whichever way it takes. Source in normal form has its blocks in braces, whichever
//! language it is of; what is not plain to see counts as asserting, so that nothing is said of it.

use super::words::{Word, at_level, partner};

/// How a piece of code goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Course {
    /// It asserts, or gives its input up, whichever way it takes.
    Asserts,
    /// One way ends the property and asserts nothing.
    Ends,
    /// One way goes on behind it and has asserted nothing.
    Falls,
}

/// Some code, and what of it asserts.
pub(super) struct Flow<'w, 't> {
    pub(super) words: &'w [Word<'t>],
    /// By word, whether an assertion begins there.
    pub(super) marks: &'w [bool],
    /// Whether conditions stand in brackets, with statements behind them that may have no braces.
    pub(super) has_bracketed_conditions: bool,
}

/// What no input comes back from.
const GIVES_UP: [&str; 3] = ["raise", "throw", "panic"];

impl Flow<'_, '_> {
    /// Whether some way through the code asserts nothing.
    pub(super) fn may_assert_nothing(&self) -> bool {
        self.sequence(0, self.words.len()) != Course::Asserts
    }

    fn asserts(&self, start: usize, end: usize) -> bool {
        self.marks[start.min(end)..end].contains(&true)
    }

    fn is(&self, at: usize, text: &str) -> bool {
        self.words.get(at).is_some_and(|word| word.is(text))
    }

    fn sequence(&self, start: usize, end: usize) -> Course {
        let mut at = start;
        while at < end {
            let (course, next) = self.statement(at, end);
            if course != Course::Falls {
                return course;
            }
            at = next.max(at + 1);
        }
        Course::Falls
    }

    /// How the statement at `at` goes on, and where the next begins.
    fn statement(&self, at: usize, end: usize) -> (Course, usize) {
        if self.marks[at] {
            return (Course::Asserts, self.ending(at, end));
        }
        match self.words[at].text {
            ";" | "}" => (Course::Falls, at + 1),
            "{" => self.block(at),
            "if" => self.choice(at, end),
            "match" if !self.has_bracketed_conditions => self.cases(at, end),
            "try" if self.is(at + 1, "{") => self.attempt(at, end),
            "for" | "while" | "loop" | "do" | "switch" => self.repeated(at, end),
            "with" | "unsafe" | "async" if !self.is(at + 1, "def") && !self.is(at + 1, "fn") => self.headed(at, end),
            "fn" | "def" | "function" | "class" | "struct" | "impl" | "@" => self.inner(at, end),
            "return" => self.returned(at, end),
            "continue" | "break" => (Course::Asserts, self.ending(at, end)),
            word if GIVES_UP.contains(&word) => (Course::Asserts, self.ending(at, end)),
            _ => self.plain(at, end),
        }
    }

    /// The block that opens at `open`.
    fn block(&self, open: usize) -> (Course, usize) {
        let close = partner(self.words, open);
        (self.sequence(open + 1, close), close + 1)
    }

    /// The statement or block at `at`, behind a condition.
    fn branch(&self, at: usize, end: usize) -> (Course, usize) {
        if self.is(at, "{") {
            return self.block(at);
        }
        let (course, next) = self.statement(at, end);
        (course, next + usize::from(self.is(next, ";")))
    }

    /// Where the block begins that belongs to the word at `at`.
    fn body(&self, at: usize, end: usize) -> Option<usize> {
        if self.has_bracketed_conditions && self.is(at + 1, "(") {
            return Some(partner(self.words, at + 1) + 1).filter(|body| *body < end);
        }
        at_level(self.words, at + 1, end, |word| word.opens_block())
    }

    fn choice(&self, at: usize, end: usize) -> (Course, usize) {
        let Some(body) = self.body(at, end) else { return self.plain(at, end) };
        let (first, mut next) = self.branch(body, end);
        let mut courses = vec![first];
        loop {
            let is_elif = self.is(next, "elif");
            if is_elif || (self.is(next, "else") && self.is(next + 1, "if")) {
                let condition = if is_elif { next } else { next + 1 };
                let Some(body) = self.body(condition, end) else { break };
                let (course, after) = self.branch(body, end);
                courses.push(course);
                next = after;
            } else if self.is(next, "else") {
                let (course, after) = self.branch(next + 1, end);
                courses.push(course);
                return (all(&courses), after);
            } else {
                break;
            }
        }
        courses.push(Course::Falls);
        (all(&courses), next)
    }

    /// `match value { pattern => code, … }`, or with `case pattern { code }`.
    fn cases(&self, at: usize, end: usize) -> (Course, usize) {
        let Some(open) = self.body(at, end) else { return self.plain(at, end) };
        let close = partner(self.words, open);
        let mut courses = Vec::new();
        if self.is(open + 1, "case") {
            let mut is_complete = false;
            let mut case = open + 1;
            while let Some(body) = at_level(self.words, case, close, |word| word.opens_block()) {
                is_complete |= (case..body).any(|at| self.is(at, "case") && self.is(at + 1, "_"));
                courses.push(self.block(body).0);
                case = partner(self.words, body) + 1;
            }
            courses.extend((!is_complete).then_some(Course::Falls));
            return (all(&courses), close + 1);
        }
        let mut arm = open + 1;
        while let Some(arrow) = at_level(self.words, arm, close, |word| word.is("=>")) {
            let is_block = self.words[arrow + 1].opens_block();
            let after = if is_block { partner(self.words, arrow + 1) + 1 } else { arrow + 1 };
            let stop = at_level(self.words, after, close, |word| word.is(",")).filter(|_| !is_block);
            let stop = stop.unwrap_or(if is_block { after } else { close });
            courses.push(self.sequence(arrow + 1, stop));
            arm = stop + usize::from(self.is(stop, ","));
        }
        (all(&courses), close + 1)
    }

    fn attempt(&self, at: usize, end: usize) -> (Course, usize) {
        let (first, mut next) = self.block(at + 1);
        let mut courses = vec![first];
        while ["except", "catch", "else", "finally"].iter().any(|word| self.is(next, word)) {
            let word = self.words[next].text;
            let Some(body) = at_level(self.words, next + 1, end, |word| word.opens_block()) else { break };
            let (course, after) = self.block(body);
            match word {
                "finally" if course == Course::Asserts => return (Course::Asserts, after),
                "finally" => {}
                // What stands here is gone on with.
                "else" => courses[0] = if courses[0] == Course::Falls { course } else { courses[0] },
                _ => courses.push(course),
            }
            next = after;
        }
        (all(&courses), next)
    }

    /// Code that may be run many times: what it asserts, it asserts of each.
    fn repeated(&self, at: usize, end: usize) -> (Course, usize) {
        let Some(body) = self.body(at, end) else { return self.plain(at, end) };
        let next = if self.is(body, "{") { partner(self.words, body) + 1 } else { self.ending(body, end) };
        (if self.asserts(at, next.min(end)) { Course::Asserts } else { Course::Falls }, next)
    }

    fn headed(&self, at: usize, end: usize) -> (Course, usize) {
        let Some(body) = at_level(self.words, at + 1, end, |word| word.opens_block()) else {
            return self.plain(at, end);
        };
        if self.asserts(at, body) {
            return (Course::Asserts, partner(self.words, body) + 1);
        }
        self.block(body)
    }

    /// Something that is declared: what it asserts, it does where it is called.
    fn inner(&self, at: usize, end: usize) -> (Course, usize) {
        let Some(open) = at_level(self.words, at + 1, end, |word| word.opens_block()) else {
            return self.plain(at, end);
        };
        let close = partner(self.words, open);
        match self.asserts(open, close) {
            true => (self.sequence(open + 1, close), close + 1),
            false => (Course::Falls, close + 1),
        }
    }

    fn returned(&self, at: usize, end: usize) -> (Course, usize) {
        let stop = self.ending(at, end);
        let value: Vec<&str> = self.words[at + 1..stop].iter().map(|word| word.text).collect();
        let says_nothing = matches!(
            value.as_slice(),
            [] | ["true" | "True" | "None" | "undefined"] | ["(", ")"] | ["Ok", "(", "(", ")", ")"]
        );
        (if says_nothing { Course::Ends } else { Course::Asserts }, stop)
    }

    /// A statement up to its semicolon.
    fn plain(&self, at: usize, end: usize) -> (Course, usize) {
        let stop = self.ending(at, end);
        if self.asserts(at, stop) || self.gives_up(at, stop) {
            return (Course::Asserts, stop);
        }
        // `let Some(x) = y else { … };`
        let otherwise = at_level(self.words, at, stop, |word| word.is("else")).filter(|_| self.is(at, "let"));
        let ends = otherwise.is_some_and(|at| self.is(at + 1, "{") && self.block(at + 1).0 == Course::Ends);
        (if ends { Course::Ends } else { Course::Falls }, stop)
    }

    /// Whether an input is given up there whatever it is.
    fn gives_up(&self, start: usize, end: usize) -> bool {
        let is_false = |at: usize| self.is(at, "false") || self.is(at, "False");
        (start..end).any(|at| match self.words[at].text {
            "reject" => self.is(at + 1, "("),
            "assume" | "prop_assume" | "pre" => (at + 1..end.min(at + 4)).any(is_false),
            "panic" | "unreachable" => self.is(at + 1, "!"),
            _ => false,
        })
    }

    fn ending(&self, at: usize, end: usize) -> usize {
        at_level(self.words, at, end, |word| word.is(";")).unwrap_or(end)
    }
}

/// Where one of several ways is taken.
fn all(courses: &[Course]) -> Course {
    let any = |wanted: Course| courses.contains(&wanted);
    match () {
        () if any(Course::Ends) => Course::Ends,
        () if any(Course::Falls) || courses.is_empty() => Course::Falls,
        () => Course::Asserts,
    }
}

#[cfg(test)]
mod tests {
    use super::Flow;
    use crate::audit::words::words;

    #[track_caller]
    fn check(text: &str, has_bracketed_conditions: bool, expected: bool) {
        let words = words(text, "\"");
        let marks: Vec<bool> = words.iter().map(|word| word.text.starts_with("assert")).collect();
        let flow = Flow { words: &words, marks: &marks, has_bracketed_conditions };
        assert_eq!(flow.may_assert_nothing(), expected, "{text}");
    }

    #[test]
    fn an_assertion_that_every_way_comes_by_is_seen() {
        for text in [
            "let a = f(x); assert!(a > 1);",
            "if a { assert!(b) } else if c { assert!(d) } else { assert!(e) }",
            "match f(x) { Ok(v) => assert!(v > 1), Err(_) => { assert!(x) } _ => panic!(\"no\"), }",
            "match x { case 1 { assert y }; case _ { raise ValueError() } }",
            "for x in xs { assert!(x) }",
            "xs.iter().for_each(|x| assert!(x));",
            "if x in {1, 2} { raise ValueError() } else { assert y }",
            "try { x = f() } except ValueError { reject() }; assert x",
            "with assertRaises(ValueError) { f(x) }",
            "let Some(v) = f(x) else { return Err(bad); }; assert!(v);",
            "if x { prop_assume!(false) }; assert!(x)",
            "@given(x=y) def inner(x) { assert x }; inner()",
            "return assertThat(x)",
        ] {
            check(text, false, false);
        }
        check("if (a) assert(b); else assert(c);", true, false);
        check("if (a) { throw new Error(\"x\"); } assert(c);", true, false);
    }

    #[test]
    fn a_way_that_comes_by_none_is_found() {
        for text in [
            "if a { assert!(b) }",
            "if let Ok(v) = f(x) { assert!(v) }",
            "if x.is_empty() { return Ok(()); } assert!(x);",
            "match f(x) { Ok(v) => assert!(v), Err(_) => {} }",
            "match f(x) { Ok(v) => assert!(v), Err(_) => (), }",
            "match x { case 1 { assert y } }",
            "try { x = f(); assert x } except ValueError { pass }",
            "if not x { return }; assert x",
            "let Some(v) = f(x) else { return Ok(()); }; assert!(v);",
            "if a { assert b } elif c { assert d }",
            "",
        ] {
            check(text, false, true);
        }
        check("if (a) return; assert(b);", true, true);
        check("if (a) { return true; } return assert(b);", true, true);
        check("if (a) assert(b);", true, true);
    }
}
