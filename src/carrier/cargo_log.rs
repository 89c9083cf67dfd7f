//! The lines by which cargo, libtest and nextest say which test's output follows: what names a binary, what opens a
//! test's captured text, and what ends it.

use crate::carrier::Subject;
use crate::failure::{PackageName, TestName};

/// What a line says about the text around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `---- name stdout ----`: this test's captured output follows.
    Section(TestName),
    /// `test name ... ` with output instead of a result: the output is this test's, as with one thread and no capture.
    Open {
        /// The test.
        test: TestName,
        /// Whether the test is meant to panic.
        should_panic: bool,
    },
    /// A status line of nextest: the output after it is this test's.
    Status(Subject),
    /// A line between tests or binaries: what stands before it is not of the test after it.
    Between,
    /// A result line among others' output, which says nothing of what follows.
    Result,
}

/// What `line` marks, where it does. `line` has no prefix; captured text that a carrier indents is not marked.
pub fn mark(line: &str) -> Option<Mark> {
    match line.as_bytes().first()? {
        b'-' => section(line).map(Mark::Section).or_else(|| old_status(line).map(Mark::Status)),
        b't' => test_line(line),
        // Both begin with a word in capitals, or with one such letter, and with no space where the word is long or where
        // the spaces were taken for those before captured text.
        b' ' if !line.trim_start_matches(' ').starts_with(|first: char| first.is_ascii_uppercase()) => None,
        b' ' | b'A'..=b'Z' => status(line).map(Mark::Status).or_else(|| between(line).then_some(Mark::Between)),
        b'e' | b'f' | b's' | 0xe2 => between(line).then_some(Mark::Between),
        _ => None,
    }
}

/// `---- name stdout ----`.
fn section(line: &str) -> Option<TestName> {
    let name = line.strip_prefix("---- ")?.strip_suffix(" ----")?;
    let name = name.strip_suffix(" stdout").or_else(|| name.strip_suffix(" stderr"))?;
    (!name.contains(' ')).then(|| TestName(name.to_owned()))
}

/// `--- STDERR:              binary test ---`, as nextest headed captured text before it indented it.
fn old_status(line: &str) -> Option<Subject> {
    let words = line.strip_prefix("--- ")?.strip_suffix(" ---")?;
    let (_, words) = words.split_once("STDERR:").or_else(|| words.split_once("STDOUT:"))?;
    let (binary, test) = words.trim().split_once(' ')?;
    (!test.contains(' ')).then(|| named(binary, test))
}

/// `test name ... result`, `test result: ...`.
fn test_line(line: &str) -> Option<Mark> {
    let rest = line.strip_prefix("test ")?;
    if rest.starts_with("result: ") {
        return Some(Mark::Between);
    }
    let (name, rest) = rest.split_once(" ... ")?;
    let (name, should_panic) = match name.strip_suffix(" - should panic") {
        Some(name) => (name, true),
        None => (name, false),
    };
    if name.contains(' ') {
        return None;
    }
    let result = ["ok", "FAILED", "ignored", "bench:"].iter().any(|word| rest.starts_with(word));
    Some(if result { Mark::Result } else { Mark::Open { test: TestName(name.to_owned()), should_panic } })
}

fn between(line: &str) -> bool {
    let starts = ["error: test failed", "     Running ", "   Doc-tests ", "     Summary [", " Summary [", "─"];
    starts.iter().any(|start| line.starts_with(start))
        || [FAILURES, SUCCESSES].contains(&line.trim_end())
        || line.trim_start_matches(' ').starts_with(CANCELLING)
}

/// What nextest says after the first failure, before the tests that still run end.
const CANCELLING: &str = "Cancelling due to ";

/// The heading over failing tests' sections, and over the names of failing tests.
pub const FAILURES: &str = "failures:";

/// The heading over passing tests' sections, with `--show-output`.
pub const SUCCESSES: &str = "successes:";

/// `        FAIL [   0.013s] ( 2/176) binonly::bin/tool tests::name`, with `TRY 2 ` before or `START` instead.
fn status(line: &str) -> Option<Subject> {
    let (words, rest) = line.split_once('[')?;
    let capital = |byte: u8| byte.is_ascii_uppercase() || byte == b'-' || byte == b'+';
    let fits = |word: &str| word.bytes().all(|byte| capital(byte) || byte.is_ascii_digit() || byte == b'/');
    if !words.ends_with(' ') || words.len() > LONGEST_STATUS || !words.split(' ').all(fits) {
        return None;
    }
    let (time, rest) = rest.split_once("] ")?;
    if !is_time(time) {
        return None;
    }
    let rest = rest.strip_prefix('(').and_then(|rest| rest.split_once(") ")).map_or(rest, |(_, rest)| rest);
    let (binary, test) = rest.trim_end().split_once(' ')?;
    let test = test.trim();
    (!test.contains(' ') && !test.is_empty()).then(|| named(binary, test))
}

/// No status and its spaces are longer.
const LONGEST_STATUS: usize = 32;

/// `   0.013s`, `>  60.000s` or nothing but spaces, where a test has only begun.
fn is_time(text: &str) -> bool {
    let seconds = text.trim_start_matches('>').trim_start_matches(' ');
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    seconds.is_empty()
        || seconds.strip_suffix('s').and_then(|n| n.split_once('.')).is_some_and(|(a, b)| digits(a) && digits(b))
}

/// What nextest's name of a binary and a test's name say: `pt-core`, `pt-core::api`, `pt-core::bin/tool`.
pub fn named(binary: &str, test: &str) -> Subject {
    let (package, target) = binary.split_once("::").unwrap_or((binary, "lib"));
    let target = match target {
        "lib" => target.to_owned(),
        kind if kind.contains('/') => kind.to_owned(),
        name => format!("test/{name}"),
    };
    Subject {
        test: Some(TestName(test.to_owned())),
        package: Some(PackageName(package.to_owned())),
        crate_name: None,
        binary: Some(target),
    }
}

/// What [`running`] lines hold; a space follows, but in colour not at once.
pub const RUNNING: &str = "Running";

/// A line of cargo before a test binary runs, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The root file of its target, from its package's folder; cargo's older forms do not say it.
    pub source: Option<String>,
    /// The name of the crate that it is.
    pub crate_name: String,
    /// Its target, as far as the line tells it.
    binary: Option<String>,
    /// Whether the package has the crate's name, but for a `_` that may have been `-`.
    is_packages: bool,
}

/// `Running unittests src/lib.rs (target/debug/deps/pt_core-ada76bbf8f3c9cec)`, and cargo's older forms of it.
pub fn header(line: &str) -> Option<Header> {
    let rest = line.trim_start().strip_prefix(RUNNING)?.strip_prefix(' ')?.trim_end();
    let (target, program) = match rest.rsplit_once(" (") {
        Some((target, program)) => (target, program.strip_suffix(')')?),
        None => ("", rest),
    };
    let (folder, file) = program.rsplit_once(['/', '\\'])?;
    if !(folder.ends_with("deps") || folder.ends_with("examples")) || target.starts_with('`') {
        return None;
    }
    let (name, hash) = file.rsplit_once('-')?;
    let hex = hash.trim_end_matches(".exe");
    if hex.len() != 16 || !hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let source = target.strip_prefix("unittests ").unwrap_or(target).replace('\\', "/");
    let is_unit = target.starts_with("unittests ") && !source.starts_with("examples/");
    let of_bin = source.contains("/bin/");
    let kind = match source.split('/').next()? {
        "" => None,
        "examples" => Some("example/"),
        "benches" => Some("bench/"),
        _ if is_unit && (of_bin || source.ends_with("main.rs")) => Some("bin/"),
        _ if is_unit => Some("lib"),
        _ => Some("test/"),
    };
    let binary = kind.map(|kind| if kind == "lib" { kind.to_owned() } else { format!("{kind}{name}") });
    let source = Some(source).filter(|source| !source.is_empty());
    // A library has its package's name; a test or a further program has its own.
    Some(Header { source, crate_name: name.to_owned(), binary, is_packages: is_unit && !of_bin })
}

/// The same as far as it says whose output follows.
pub fn running(line: &str) -> Option<Subject> {
    let Header { crate_name, binary, is_packages, .. } = header(line)?;
    let package = (is_packages && !crate_name.contains('_')).then(|| PackageName(crate_name.clone()));
    Some(Subject { test: None, package, crate_name: Some(crate_name), binary })
}

/// What [`rerun`] lines hold.
pub const RERUN: &str = "to rerun pass ";

/// ``error: test failed, to rerun pass `-p pt-core --lib` ``: the package, where one is named, and the target.
pub fn rerun(line: &str) -> Option<(Option<PackageName>, Option<String>)> {
    let (_, rest) = line.split_once(RERUN)?;
    let switches = rest.trim_end().trim_matches(['`', '\'', '"']);
    let words: Vec<&str> = switches.split_whitespace().collect();
    let after = |switch: &str| words.iter().position(|word| *word == switch).and_then(|at| words.get(at + 1));
    let kinds = [("--bin", "bin"), ("--test", "test"), ("--example", "example"), ("--bench", "bench")];
    let named = kinds.iter().find_map(|(switch, kind)| Some(format!("{kind}/{}", after(switch)?)));
    let target = named.or_else(|| words.contains(&"--lib").then(|| "lib".to_owned()));
    Some((after("-p").map(|spec| PackageName(package_of(spec).to_owned())), target))
}

/// The name in a package specification: `name`, `name@1.0.0`, `path+file:///x/name#1.0.0`, `path+file:///x/dir#name@1.0.0`.
fn package_of(spec: &str) -> &str {
    let (place, name) = spec.rsplit_once('#').unwrap_or(("", spec));
    let name = name.split('@').next().unwrap_or(name);
    let is_version = name.starts_with(|first: char| first.is_ascii_digit());
    if is_version { place.rsplit('/').next().unwrap_or(place) } else { name }
}

#[cfg(test)]
mod tests {
    use super::{Mark, mark, named, rerun, running};
    use crate::carrier::Subject;
    use crate::failure::{PackageName, TestName};

    fn check(line: &str, expected: Option<Mark>) {
        assert_eq!(mark(line), expected, "{line}");
    }

    #[test]
    fn libtest_opens_sections() {
        let test = || TestName("a::b".to_owned());
        check("---- a::b stdout ----", Some(Mark::Section(test())));
        check("test a::b ... proptest: x", Some(Mark::Open { test: test(), should_panic: false }));
        check("test a::b - should panic ... ", Some(Mark::Open { test: test(), should_panic: true }));
        check("test a::b ... FAILED", Some(Mark::Result));
        check("test result: FAILED. 0 passed", Some(Mark::Between));
        check("test the water ... it is cold", None);
        check("    test a::b ... FAILED", None);
        check("---- a line of the user's ----", None);
    }

    #[test]
    fn nextest_names_a_test_by_its_status() {
        check(
            "        FAIL [   0.013s] (  2/176) tool::bin/tool a::b",
            Some(Mark::Status(named("tool::bin/tool", "a::b"))),
        );
        check("  TRY 2 FAIL [   0.013s] (─────) pt-core a::b", Some(Mark::Status(named("pt-core", "a::b"))));
        check("       START [         ] ( 1/11) pt-core a::b", Some(Mark::Status(named("pt-core", "a::b"))));
        check("        FAIL [   0.013s] pt-core::api a", Some(Mark::Status(named("pt-core::api", "a"))));
        check("--- STDERR:              pt-core a::b ---", Some(Mark::Status(named("pt-core", "a::b"))));
        check("--- TRY 1 STDOUT:        pt-core::api a ---", Some(Mark::Status(named("pt-core::api", "a"))));
        check("     Summary [   0.095s] 11 tests run: 0 passed", Some(Mark::Between));
        check("  Cancelling due to test failure: 3 tests still running", Some(Mark::Between));
        check("    at Foo[0] bar", None);
    }

    #[test]
    fn a_status_is_known_with_few_spaces_before_it_or_none() {
        let status = || Some(Mark::Status(named("pt-core", "a::b")));
        check("TRY 2 FAIL [   0.013s] (─────) pt-core a::b", status());
        check("TRY 1 SIGABRT [   0.013s] pt-core a::b", status());
        check(" TERMINATING [> 60.000s] (─────) pt-core a::b", status());
        check(" Summary [   0.095s] 11 tests run: 0 passed", Some(Mark::Between));
        check("Cancelling due to test failure", Some(Mark::Between));
        check("Order [1] is not", None);
        check("A [B] c d", None);
        check("BAD [12] of two", None);
    }

    fn subject(package: Option<&str>, crate_name: &str, binary: Option<&str>) -> Option<Subject> {
        Some(Subject {
            test: None,
            package: package.map(|name| PackageName(name.to_owned())),
            crate_name: Some(crate_name.to_owned()),
            binary: binary.map(str::to_owned),
        })
    }

    #[test]
    fn cargo_names_a_binary_before_it_runs() {
        let check = |line: &str, expected| assert_eq!(running(line), expected, "{line}");
        let deps = |name| format!("(target/debug/deps/{name}-ada76bbf8f3c9cec)");
        check(&format!("     Running unittests src/lib.rs {}", deps("pt_core")), subject(None, "pt_core", Some("lib")));
        check(&format!("     Running unittests src/lib.rs {}", deps("geo")), subject(Some("geo"), "geo", Some("lib")));
        check(&format!("     Running tests/it/main.rs {}", deps("it")), subject(None, "it", Some("test/it")));
        let tool = format!("     Running unittests src\\bin\\tool.rs {}", deps("tool"));
        check(&tool, subject(None, "tool", Some("bin/tool")));
        check(&format!("     Running benches/speed.rs {}", deps("speed")), subject(None, "speed", Some("bench/speed")));
        let example = "     Running unittests examples/ex.rs (target/debug/examples/ex_a-ada76bbf8f3c9cec)";
        check(example, subject(None, "ex_a", Some("example/ex_a")));
        check("     Running target/debug/deps/old-ada76bbf8f3c9cec", subject(None, "old", None));
        check("     Running `rustc --crate-name x target/debug/deps/x-ada76bbf8f3c9cec`", None);
        check("     Running the bulls", None);
    }

    #[test]
    fn cargo_names_a_package_after_it_failed() {
        let check = |line: &str, package: Option<&str>, target: Option<&str>| {
            let expected = (package.map(|name| PackageName(name.to_owned())), target.map(str::to_owned));
            assert_eq!(rerun(line), Some(expected), "{line}");
        };
        check("error: test failed, to rerun pass `-p pt-core --lib`", Some("pt-core"), Some("lib"));
        check("error: test failed, to rerun pass '--test api'", None, Some("test/api"));
        check("error: test failed, to rerun pass `-p a@0.1.0 --bin tool`", Some("a"), Some("bin/tool"));
        check("error: test failed, to rerun pass `-p path+file:///x/a#0.1.0 --lib`", Some("a"), Some("lib"));
        check("error: test failed, to rerun pass `-p path+file:///x/dir#a@0.1.0 --lib`", Some("a"), Some("lib"));
        assert_eq!(rerun("error: could not compile"), None);
    }
}
