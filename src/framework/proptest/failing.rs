//! The line of a property at which it failed. A run tells the line of the source that it ran; where that has changed
//! since, the line is the one whose assertion says what the run printed, or none: a wrong mark is worse than no mark.

use super::found::Found;
use crate::failure::{Failure, Location};
use crate::language::rust::property::Form;
use crate::language::rust::tokens::{Kind, Token, apart, lex};

/// What the standard library's and proptest's assertions are called.
const ASSERTIONS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "prop_assert",
    "prop_assert_eq",
    "prop_assert_ne",
];

/// Signs that must stand on the line where arithmetic or an index panicked, by the beginning of what it says.
const SIGNS: &[(&str, char)] = &[
    ("attempt to add", '+'),
    ("attempt to subtract", '-'),
    ("attempt to multiply", '*'),
    ("attempt to divide", '/'),
    ("attempt to calculate the remainder", '%'),
    ("attempt to negate", '-'),
    ("index out of bounds", '['),
    ("range ", '['),
    ("slice index", '['),
    ("byte index", '['),
];

/// The line, from 1, at which `failure` says that the property failed, in the source as it is now.
pub(super) fn line(found: &Found, failure: &Failure) -> Option<u32> {
    let site = failure.site.as_ref().filter(|site| found.is_in_its_file(site))?;
    let first = found.line_of(found.function.body.start);
    let wanted = site.line.checked_add_signed(drift(found, failure))?.checked_sub(first)?;
    let line = apart(|| {
        let body = Body::of(found)?;
        let calls = body.calls();
        let fitting: Vec<u32> = calls.iter().filter(|call| call.says(&failure.message)).map(|call| call.line).collect();
        let plausible = fitting.contains(&wanted) || body.may_panic_at(wanted, site.column, failure, &calls);
        match fitting[..] {
            _ if plausible => Some(wanted),
            [one] => Some(one),
            _ => None,
        }
    });
    first.checked_add(line?)
}

/// How many lines the property has moved since the run: the run names the place of the macro around it as well.
fn drift(found: &Found, failure: &Failure) -> i32 {
    let known = |place: &&Location| found.function.form == Form::Block && found.is_in_its_file(place);
    let Some(then) = failure.location.as_ref().filter(known) else { return 0 };
    let item = found.function.item;
    let word = found.text.get(item.range()).and_then(|text| text.find("proptest!"));
    let now = word.map(|at| found.line_of(item.start + at));
    now.and_then(|now| i32::try_from(i64::from(now) - i64::from(then.line)).ok()).unwrap_or(0)
}

/// The body of a property as tokens.
struct Body<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// Where its lines after the first begin.
    starts: Vec<usize>,
    /// Characters before it on its first line.
    indent: usize,
}

impl<'a> Body<'a> {
    fn of(found: &'a Found) -> Option<Body<'a>> {
        let span = found.function.body;
        let text = found.text.get(span.range())?;
        let before = found.text.get(..span.start)?.rsplit('\n').next()?;
        let starts = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1).collect();
        Some(Body { text, tokens: lex(text).ok()?, starts, indent: before.chars().count() })
    }

    fn word(&self, token: &Token) -> &'a str {
        self.text.get(token.span.range()).unwrap_or_default()
    }

    /// Lines of the body before the token.
    fn line(&self, token: &Token) -> u32 {
        u32::try_from(self.starts.partition_point(|start| *start <= token.span.start)).unwrap_or(u32::MAX)
    }

    /// The token's column in its file, from 1.
    fn column(&self, token: &Token) -> usize {
        let at = token.span.start;
        let line = self.starts.partition_point(|start| *start <= at);
        let (start, indent) = line.checked_sub(1).map_or((0, self.indent), |line| (self.starts[line], 0));
        self.text.get(start..at).map_or(0, |before| indent + before.chars().count() + 1)
    }

    fn calls(&self) -> Vec<Call<'a>> {
        let call = |at: usize| {
            let [word, sign, open, ..] = self.tokens.get(at..)? else { return None };
            let is_call = word.kind == Kind::Word && sign.kind == Kind::Sign('!') && matches!(open.kind, Kind::Open(_));
            let call = || Call { line: self.line(word), name: self.word(word), arguments: self.arguments(at + 2) };
            is_call.then(call)
        };
        (0..self.tokens.len()).filter_map(call).collect()
    }

    /// What stands between the commas of the group that opens at `open`.
    fn arguments(&self, open: usize) -> Vec<&'a str> {
        let end = self.tokens[open].partner;
        let (mut arguments, mut start) = (Vec::new(), self.tokens[open].span.end);
        let mut at = open + 1;
        while at <= end {
            let token = self.tokens[at];
            if at == end || token.kind == Kind::Sign(',') {
                arguments.extend(self.text.get(start..token.span.start).map(str::trim).filter(|text| !text.is_empty()));
                start = token.span.end;
            }
            at = if matches!(token.kind, Kind::Open(_)) { token.partner + 1 } else { at + 1 };
        }
        arguments
    }

    /// Whether something on the line may well have panicked so: a macro that is none of the known assertions, or the very
    /// token in the column that the run names.
    fn may_panic_at(&self, line: u32, column: Option<u32>, failure: &Failure, calls: &[Call<'_>]) -> bool {
        if calls.iter().any(|call| call.line == line && !ASSERTIONS.contains(&call.name)) {
            return true;
        }
        let on_line = || self.tokens.iter().filter(|token| self.line(token) == line);
        let column = column.and_then(|column| usize::try_from(column).ok());
        let Some(there) = on_line().find(|token| Some(self.column(token)) == column) else { return false };
        match SIGNS.iter().find(|(head, _)| failure.message.starts_with(head)) {
            Some((_, '[')) => on_line().any(|token| token.kind == Kind::Open('[')),
            Some((_, sign)) => on_line().any(|token| token.kind == Kind::Sign(*sign)),
            None => ["unwrap", "expect", "unwrap_err", "expect_err"].contains(&self.word(there)),
        }
    }
}

/// A macro called in the body.
struct Call<'a> {
    /// Lines of the body before it.
    line: u32,
    name: &'a str,
    arguments: Vec<&'a str>,
}

impl Call<'_> {
    /// Whether this is an assertion that says `message` where it fails.
    fn says(&self, message: &str) -> bool {
        let (compared, sign) = match self.name {
            name if !ASSERTIONS.contains(&name) => return false,
            name if name.ends_with("_eq") => (2, "=="),
            name if name.ends_with("_ne") => (2, "!="),
            _ => (1, ""),
        };
        let said = unspaced(message);
        let heads = [format!("assertionfailed:`(left{sign}right)`"), format!("assertion`left{sign}right`failed")];
        let is_comparison = heads.iter().any(|head| said.starts_with(head));
        match self.arguments.get(compared) {
            Some(format) => (compared == 1 || is_comparison) && holds_in_order(&said, &pieces(format)),
            None if compared == 2 => is_comparison,
            None => self.arguments.first().is_some_and(|rule| {
                let head = format!("assertionfailed:{}", unspaced(rule));
                said.starts_with(&head)
            }),
        }
    }
}

/// The text without blanks, which format strings may have where they print none.
pub(super) fn unspaced(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The fixed pieces of a format string, without blanks. Escapes end a piece: what they become is not worked out.
pub(super) fn pieces(format: &str) -> Vec<String> {
    let inner = inner(format);
    let (mut pieces, mut piece, mut depth) = (Vec::new(), String::new(), 0u32);
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '\\' => drop(chars.next()),
            _ if depth > 0 => {}
            _ => {
                piece.extend(Some(c).filter(|c| !c.is_whitespace()));
                continue;
            }
        }
        pieces.push(std::mem::take(&mut piece));
    }
    pieces.push(piece);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// What stands between the quotes of a string literal.
pub(super) fn inner(literal: &str) -> &str {
    let quoted = literal.trim_start_matches(['r', '#']).trim_end_matches('#');
    let inner = quoted.strip_prefix('"').unwrap_or(quoted);
    inner.strip_suffix('"').unwrap_or(inner)
}

/// Whether the text holds the pieces one after the other.
pub(super) fn holds_in_order(text: &str, pieces: &[String]) -> bool {
    let mut rest = text;
    pieces.iter().all(|piece| {
        let Some(at) = rest.find(piece.as_str()) else { return false };
        rest = &rest[at + piece.len()..];
        true
    })
}

#[cfg(test)]
mod tests {
    use crate::failure::{
        Counterexample, Ending, Failure, ForeignPath, FrameworkName, Location, Origin, Replay, TestName,
    };
    use crate::framework::proptest::found::find;
    use crate::source_tree::testing::Files;

    const SOURCE: &str = "\
proptest! {
    #[test]
    fn f(x in 0u8..9) {
        let y = g(x).unwrap();
        prop_assert!(x < 3, \"{} is \\\"large\\\"\", x);
        prop_assert_eq!(x + y, 2);
        prop_assert_eq!(y, 2, \"of {x:?}, not {}\", y);
        prop_assert!(y > x);
        own!(y);
    }
}
";

    /// The line marked for a failure that a run of [`SOURCE`] names at `line` and `column`, in a `source` of today.
    #[track_caller]
    fn check(source: &str, (line, column): (u32, Option<u32>), message: &str, expected: Option<&str>) {
        let place = |line, column| Location { file: ForeignPath("src/lib.rs".to_owned()), line, column };
        let failure = Failure {
            framework: FrameworkName("proptest".to_owned()),
            test: TestName("f".to_owned()),
            package: None,
            binary: None,
            location: Some(place(1, Some(1))),
            site: Some(place(line, column)),
            panicked: column.is_some(),
            ending: Ending::Falsified,
            error: None,
            message: message.to_owned(),
            counterexample: Counterexample::default(),
            replay: Replay::None,
            own_message: None,
            generated: Vec::new(),
            caveats: Vec::new(),
            origin: Origin { run: "log".to_owned(), line: 1 },
        };
        let tree = Files::new([("Cargo.toml", "[package]\nname = \"a\"\n"), ("src/lib.rs", source)]);
        let marked = super::line(&find(&failure, &tree).unwrap(), &failure)
            .map(|line| source.lines().nth(line as usize - 1).unwrap().trim());
        assert_eq!(marked, expected, "{message}");
    }

    const LARGE: &str = "5 is \"large\" at src/lib.rs:5";
    const UNEQUAL: &str = "assertion failed: `(left == right)` \n  left: `7`, \n right: `2` at src/lib.rs:6";
    const NOT: &str = "assertion failed: `(left == right)` \n  left: `7`, \n right: `2`: of 5, not 7 at src/lib.rs:7";
    const SMALL: &str = "assertion failed: y > x at src/lib.rs:8";
    const NONE: &str = "called `Option::unwrap()` on a `None` value";

    #[test]
    fn the_line_that_the_run_names_is_marked_where_it_says_what_was_printed() {
        check(SOURCE, (5, None), LARGE, Some("prop_assert!(x < 3, \"{} is \\\"large\\\"\", x);"));
        check(SOURCE, (6, None), UNEQUAL, Some("prop_assert_eq!(x + y, 2);"));
        check(SOURCE, (7, None), NOT, Some("prop_assert_eq!(y, 2, \"of {x:?}, not {}\", y);"));
        check(SOURCE, (8, None), SMALL, Some("prop_assert!(y > x);"));
        check(SOURCE, (9, None), "whatever", Some("own!(y);"));
        check(SOURCE, (4, Some(22)), NONE, Some("let y = g(x).unwrap();"));
        check(SOURCE, (4, Some(20)), NONE, None);
    }

    #[test]
    fn a_property_that_has_moved_is_marked_at_its_new_place() {
        let moved = format!("// one\n// two\n{SOURCE}");
        check(&moved, (6, None), UNEQUAL, Some("prop_assert_eq!(x + y, 2);"));
        check(&moved, (4, Some(22)), NONE, Some("let y = g(x).unwrap();"));
    }

    #[test]
    fn an_assertion_that_has_moved_in_its_property_is_known_by_what_it_says_or_not_marked() {
        let moved = SOURCE.replace("        let y", "        let z = 1;\n        let y");
        check(&moved, (8, None), SMALL, Some("prop_assert!(y > x);"));
        check(&moved, (5, None), LARGE, Some("prop_assert!(x < 3, \"{} is \\\"large\\\"\", x);"));
        check(&moved, (4, Some(22)), NONE, None);
        let changed = SOURCE.replace("y > x", "y > x + 1");
        check(&changed, (8, None), SMALL, None);
    }
}
