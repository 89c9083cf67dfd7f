//! Which test binary said what, in the output of a command that ran several: cargo names each before it runs, and after it
//! failed; nextest names it with each test.

use std::collections::HashMap;
use std::ops::Range;

use crate::carrier::cargo_log::{self, Header};
use crate::carrier::result::{self, Outcome};
use crate::failure::{PackageName, TestName};

/// A test binary, as far as the output names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Binary {
    /// Its package.
    pub package: Option<PackageName>,
    /// Its target, as [`crate::failure::Failure::binary`] names it.
    pub target: Option<String>,
    /// The root file of that, from the package's folder.
    pub source: Option<String>,
    /// The name of its crate.
    pub crate_name: Option<String>,
}

/// What a binary said: by cargo all of it, by nextest of one test.
#[derive(Debug, PartialEq, Eq)]
pub struct Part<'t> {
    /// The binary. Of what stands before the first, nothing is known.
    pub binary: Binary,
    /// The text, with the line that names the binary.
    pub text: &'t str,
    /// The numbers of its lines, from 1.
    pub lines: Range<u64>,
}

/// The output of a command that ran test binaries.
pub struct Output<'t> {
    parts: Vec<Part<'t>>,
    /// Of each test, the parts that say how it came out.
    told: HashMap<TestName, Vec<(usize, Outcome)>>,
}

impl<'t> Output<'t> {
    /// Takes `text` apart.
    pub fn new(text: &'t str) -> Output<'t> {
        let parts = parts(text);
        let mut told: HashMap<TestName, Vec<(usize, Outcome)>> = HashMap::new();
        for (at, part) in parts.iter().enumerate() {
            for (test, outcome) in result::results(part.text) {
                told.entry(test).or_default().push((at, outcome));
            }
        }
        Output { parts, told }
    }

    /// Whether it says of no test how that came out.
    pub fn is_silent(&self) -> bool {
        self.told.is_empty()
    }

    /// Whether it names binaries as they begin, and none that is `own`.
    pub fn waits_for(&self, own: impl Fn(&Binary) -> bool) -> bool {
        let mut begun =
            self.parts.iter().map(|part| &part.binary).filter(|binary| binary.crate_name.is_some()).peekable();
        begun.peek().is_some() && !begun.any(own)
    }

    /// What is said of `test` by the binaries that are `own`, and how that came out.
    pub fn of(&self, test: &TestName, own: impl Fn(&Binary) -> bool) -> Vec<(&Part<'t>, Outcome)> {
        let told = self.told.get(test).into_iter().flatten();
        told.map(|(at, outcome)| (&self.parts[*at], *outcome)).filter(|(part, _)| own(&part.binary)).collect()
    }
}

/// The parts of `text`, in order: one ends where the next begins.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = vec![Part { binary: Binary::default(), text: "", lines: 1..1 }];
    let (mut start, mut at, mut is_open) = (0, 0, false);
    let mut lines = text.split_inclusive('\n').zip(1..).peekable();
    while let Some((line, number)) = lines.next() {
        let plain = line.trim_end();
        let follows = || text[at + line.len()..].lines().find(|line| !line.trim().is_empty());
        // What a test prints may look like such a line.
        let header = cargo_log::header(plain).filter(|_| !is_open || follows().is_some_and(is_start));
        let begun = match header {
            Some(header) => Some(by_cargo(header)),
            None => begins(plain),
        };
        is_open = match plain {
            plain if is_start(plain) => true,
            plain => is_open && !(plain.starts_with("test result: ") || plain.starts_with("error: test failed")),
        };
        if let Some(binary) = begun {
            end(&mut parts, &text[start..at], number);
            parts.push(Part { binary, text: "", lines: number..number });
            start = at;
        } else if let Some((package, target)) = cargo_log::rerun(plain).filter(|_| plain.starts_with("error: "))
            && let Some(last) = parts.last_mut()
        {
            last.binary.package = package.or(last.binary.package.take());
            last.binary.target = target.or(last.binary.target.take());
        }
        at += line.len();
        if lines.peek().is_none() {
            end(&mut parts, &text[start..], number + 1);
        }
    }
    parts
}

fn end<'t>(parts: &mut [Part<'t>], text: &'t str, number: u64) {
    if let Some(last) = parts.last_mut() {
        (last.text, last.lines.end) = (text, number);
    }
}

fn by_cargo(header: Header) -> Binary {
    let Header { source, crate_name, .. } = header;
    Binary { source, crate_name: Some(crate_name), ..Binary::default() }
}

/// The binary that nextest names in `line`, which says how a test came out; that of nothing where it ends what it says of
/// tests.
fn begins(line: &str) -> Option<Binary> {
    match result::nextest(line) {
        Some((subject, _)) => Some(Binary { package: subject.package, target: subject.binary, ..Binary::default() }),
        None => line.starts_with('─').then(Binary::default),
    }
}

/// `running 3 tests`.
pub fn is_start(line: &str) -> bool {
    let number = line.strip_prefix("running ").and_then(|rest| rest.split_once(" test"));
    number.is_some_and(|(number, rest)| number.parse::<usize>().is_ok() && matches!(rest, "" | "s"))
}

#[cfg(test)]
mod tests {
    use super::{Binary, parts};
    use crate::failure::PackageName;

    const LOG: &str = "   Compiling x v0.1.0\n     Running unittests src/lib.rs (target/debug/deps/x_y-ada76bbf8f3c9cec)\n\n\
        running 1 test\ntest a ... ok\n\ntest result: ok. 1 passed\n\n     Running tests/t.rs \
        (target/debug/deps/t-ada76bbf8f3c9cec)\n\nrunning 0 tests\n\ntest result: ok. 0 passed\n\nerror: test failed, to \
        rerun pass `-p x-y --test t`\n";

    fn told(text: &str) -> Vec<(String, u64, u64)> {
        let name = |binary: &Binary| {
            let package = binary.package.as_ref().map(|package| package.0.as_str());
            let words = [package, binary.target.as_deref(), binary.source.as_deref(), binary.crate_name.as_deref()];
            words.map(|word| word.unwrap_or("-")).join(" ")
        };
        let parts = parts(text);
        assert_eq!(parts.iter().map(|part| part.text).collect::<String>(), text);
        parts.iter().map(|part| (name(&part.binary), part.lines.start, part.lines.end)).collect()
    }

    #[test]
    fn each_line_is_of_one_part() {
        let own = |name: &str, start: u64, end: u64| (name.to_owned(), start, end);
        assert_eq!(
            told(LOG),
            [own("- - - -", 1, 2), own("- - src/lib.rs x_y", 2, 9), own("x-y test/t tests/t.rs t", 9, 16)]
        );
        let by_nextest =
            "start\n        PASS [   0.014s] (1/2) x-y::t a\n        FAIL [   0.152s] (2/2) x-y a\n    said\n────\nend";
        assert_eq!(
            told(by_nextest),
            [own("- - - -", 1, 2), own("x-y test/t - -", 2, 3), own("x-y lib - -", 3, 5), own("- - - -", 5, 7)]
        );
        assert_eq!(told(""), [own("- - - -", 1, 1)]);
    }

    #[test]
    fn a_package_stands_by_what_cargo_says_last() {
        let binary = parts(LOG).pop().map(|part| part.binary).unwrap_or_default();
        assert_eq!(binary.package, Some(PackageName("x-y".to_owned())));
    }
}
