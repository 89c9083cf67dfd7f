//! What has a runner pass a test over: `.skip` and its like on the test or on a suite around it, options that say so, a call in
//! its body, or `.only` on another test.

use super::super::calls::Titled;
use super::Source;
use super::surroundings::TESTS;
use crate::language::typescript::code::{Code, Kind};
use crate::oracle::Clause;
use crate::span::Span;

/// Methods of `it` and `describe` that pass over.
const METHODS: [&str; 6] = ["skip", "todo", "skipIf", "runIf", "fails", "failing"];

/// Functions that do.
const FUNCTIONS: [&str; 6] = ["xit", "xtest", "xspecify", "xdescribe", "xcontext", "xsuite"];

/// Functions that have everything else passed over.
const FOCUSED: [&str; 3] = ["fit", "fdescribe", "fcontext"];

impl Source<'_> {
    /// What has `test` passed over, in normal form.
    pub(super) fn skipped(&self, test: &Titled) -> Option<String> {
        let around = self.around(test.call);
        let all = || std::iter::once(test).chain(around.iter().copied());
        all().find_map(|one| self.passes_over(one)).or_else(|| self.skips_itself(test)).or_else(|| {
            if all().any(|one| self.focused.contains(&one.call)) {
                return None;
            }
            let call = &self.code.calls[*self.focused.first()?];
            let title = call.arguments.first().map_or("", |title| self.code.at(*title));
            Some(format!("{}({title})", focus(&self.code, call.callee)?))
        })
    }

    /// The functions that are called in the place of those by which runners know tests and suites.
    pub(super) fn called_otherwise(&self, test: &Titled) -> Vec<Clause> {
        let around = self.around(test.call);
        let mut found = Vec::new();
        for one in std::iter::once(test).chain(around) {
            let callee = first_callee(&self.code, self.code.calls[one.call].callee);
            let is_known = dotted(self.code.at(callee)).first().is_some_and(|root| TESTS.contains(root));
            if !is_known {
                found.push(Clause { text: self.code.normal(callee), line: self.code.line(callee.start) });
            }
        }
        found
    }

    /// The words in front of one test or suite, or among its options, that pass it over.
    fn passes_over(&self, one: &Titled) -> Option<String> {
        let call = &self.code.calls[one.call];
        let callee = first_callee(&self.code, call.callee);
        let name = self.code.at(callee);
        if FUNCTIONS.contains(&name) {
            return Some(name.to_owned());
        }
        let words = dotted(name);
        if let Some(at) = words.iter().position(|word| METHODS.contains(word)) {
            let front = words[..=at].join(".");
            let conditions = self.code.calls.iter().find(|inner| {
                let inner_callee = self.code.at(inner.callee);
                inner.span.start == callee.start && inner.span.end <= call.callee.end && inner_callee == front
            });
            let condition = conditions.filter(|_| words[at].ends_with("If"));
            return Some(condition.map_or(front, |inner| self.code.normal(inner.span)));
        }
        if self.code.kind(callee) == Kind::Other
            && name.starts_with('(')
            && METHODS.iter().any(|word| name.contains(&format!(".{word}")))
        {
            return Some(self.code.normal(callee));
        }
        let options = call.arguments.iter().skip(1).filter_map(|argument| self.code.members(*argument)).flatten();
        let says = |name: &str| ["skip", "todo", "fails"].contains(&name);
        let mut skips = options.filter(|member| says(&member.name) && self.code.at(member.value) != "false");
        skips.next().map(|member| format!("{{ {} }}", self.code.normal(member.span)))
    }

    /// A call in the test's own body by which it passes itself over.
    fn skips_itself(&self, test: &Titled) -> Option<String> {
        let span = self.code.calls[test.call].span;
        let inside = self.code.calls.iter().filter(|call| span.start < call.span.start && call.span.end <= span.end);
        let is_skip = |callee: &str| match callee.split_once('.') {
            Some((root, "skip" | "todo")) => ["this", "t", "ctx", "context", "test"].contains(&root),
            _ => false,
        };
        let mut found = inside.filter(|call| is_skip(self.code.at(call.callee)) && call.arguments.len() < 2);
        found.next().map(|call| {
            let statement = self.code.whole_of(call.span);
            self.code.normal(self.code.guard(statement).unwrap_or(call.span))
        })
    }
}

/// Whether the test or suite of that call has all others passed over.
pub(super) fn is_focused(code: &Code, call: usize) -> bool {
    focus(code, code.calls[call].callee).is_some()
}

/// What begins the callee of a test: without the calls that give it arbitraries, tables and conditions.
pub(super) fn first_callee(code: &Code, callee: Span) -> Span {
    let mut callee = callee;
    // Of `it.skipIf(a).each(b)` the innermost call begins it, with all that it is called with.
    while let Some(inner) = code.call_at(callee) {
        callee = code.calls[inner].callee;
    }
    match code.method(callee) {
        Some((object, _)) if code.kind(object) == Kind::Call => first_callee(code, object),
        _ => callee,
    }
}

/// The names in a callee, calls left out.
fn dotted(name: &str) -> Vec<&str> {
    let is_name = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    let words: Vec<&str> = name.split('.').map(str::trim).collect();
    if words.iter().all(is_name) { words } else { Vec::new() }
}

/// The callee that has everything else passed over.
fn focus(code: &Code, callee: Span) -> Option<String> {
    let name = code.at(first_callee(code, callee));
    let words = dotted(name);
    (FOCUSED.contains(&name) || words.contains(&"only")).then(|| words.join("."))
}
