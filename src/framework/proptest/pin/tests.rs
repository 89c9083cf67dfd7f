//! Pins of the properties of a small file, whole.

use super::{pin, pin_name};
use crate::failure::{
    Argument, Caveat, Counterexample, Ending, Failure, ForeignPath, FrameworkName, Location, Origin, Replay, TestName,
};
use crate::requirement::RequirementId;
use crate::source_tree::testing::Files;

const RATE: &str = "\
use proptest::prelude::*;

proptest! {
    #[test]
    fn rate_1_grows(x in 0u8..9, y: u16) {
        prop_assert!(x + 1 < 3, \"{y}\");
    }

    #[test]
    #[ignore]
    fn opaque(key in keys()) {}
}

#[test]
fn afterwards() {
    proptest!(|(x in 0u8..9)| prop_assert!(x < 3));
    finish();
}

elsewhere::made!(by_macro);

macro_rules! own { ($name:ident) => { proptest! { #[test] fn $name(x in 0u8..9) { q(x) } } } }
own!(by_own_macro);

fn run_below(n: u8) { proptest!(|(x in 0..n)| prop_assert!(x < n / 2)); }
#[test]
fn by_function() { run_below(9); }

fn is_odd(n: u8) -> TestCaseResult { q(n) }
#[test]
fn by_name() { TestRunner::default().run(&(0u8..9), is_odd).unwrap(); }

#[rstest]
#[case(1)]
fn in_cases(#[case] n: u8) { proptest!(|(x in 0..n)| q(x)); }
";

fn seed() -> Replay {
    Replay::NewSeed { handle: format!("cc {}", "0a".repeat(32)), file: None }
}

fn failure(test: &str, arguments: &[(&str, &str)], replay: Replay) -> Failure {
    let place = |line| Location { file: ForeignPath("src/rate.rs".to_owned()), line, column: None };
    let argument = |(name, text): &(&str, &str)| Argument { name: (*name).to_owned(), text: (*text).to_owned() };
    Failure {
        framework: FrameworkName("proptest".to_owned()),
        test: TestName(format!("rate::{test}")),
        package: None,
        binary: None,
        location: Some(place(3)),
        site: Some(place(6)),
        panicked: false,
        ending: Ending::Falsified,
        error: None,
        message: "no growth at src/rate.rs:6".to_owned(),
        counterexample: Counterexample { text: String::new(), arguments: arguments.iter().map(argument).collect() },
        replay,
        own_message: None,
        generated: Vec::new(),
        caveats: Vec::new(),
        origin: Origin { run: "log".to_owned(), line: 1 },
    }
}

/// Rung, test, reason and warnings, then each part with its file.
fn told(failure: &Failure) -> String {
    let files = [("Cargo.toml", "[package]\nname = \"rates\"\n"), ("src/lib.rs", "mod rate;\n"), ("src/rate.rs", RATE)];
    let requirement = RequirementId("RATE-1".to_owned());
    let requirement = failure.test.function().starts_with("rate_1_").then_some(&requirement);
    match pin(failure, requirement, &Files::new(files), "2026-11-30") {
        Err(refusal) => format!("refused: {}", refusal.0),
        Ok(pin) => {
            let test = pin.test.map_or("no test".to_owned(), |test| test.0);
            let mut lines = vec![format!("{} {test}", pin.rung.word())];
            lines.extend(pin.reason.map(|reason| format!("reason: {reason}")));
            lines.extend(pin.warnings.iter().map(|warning| format!("warning: {warning}")));
            lines.extend(pin.parts.iter().map(|part| format!("{}:\n{}", part.file, part.text)));
            lines.join("\n")
        }
    }
}

#[track_caller]
fn check(failure: &Failure, expected: &str) {
    assert_eq!(told(failure), expected);
}

#[test]
fn a_pin_is_a_test_and_a_line() {
    check(
        &failure("rate_1_grows", &[("x", "2"), ("y", "7")], seed()),
        "literal rate::rate_1_grows_pin_bf9b6b2
src/rate.rs:
/// Pinned 2026-11-30: `rate_1_grows` [RATE-1] failed with \"no growth\". Never delete.
#[test]
fn rate_1_grows_pin_bf9b6b2() {
    let (x, y) = (2u8, 7u16);
    assert!(x + 1 < 3, \"{y}\");
}
proptest-regressions/rate.txt:
cc 0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a # shrinks to x = 2, y = 7",
    );
}

/// Each part's file and the length of its text, as the settings say that long values are written.
fn lengths(length: usize, settings: &str) -> Vec<(String, usize)> {
    let long: Vec<String> = (0..length).map(|number| format!("{}", number * number % 251)).collect();
    let failure = failure("long", &[("bytes", &format!("[{}]", long.join(", ")))], seed());
    let rate = "use proptest::prelude::*;\n\nproptest! {\n    #[test]\n    fn long(bytes: Vec<u8>) { q(&bytes); }\n}\n";
    let tree = Files::new([
        (".redpin/config.toml", settings),
        ("Cargo.toml", "[package]\nname = \"rates\"\n"),
        ("src/lib.rs", "mod rate;\n"),
        ("src/rate.rs", rate),
    ]);
    let pin = pin(&failure, None, &tree, "2026-11-30").unwrap();
    let test = &pin.parts[0].text;
    let names: Vec<String> = pin.parts[1..].iter().map(|part| part.file.as_str().replace("src/", "")).collect();
    let includes = names.iter().filter(|name| test.contains(&format!("let bytes = include!(\"{name}\");"))).count();
    assert_eq!(includes, pin.parts.len() - 2, "{test}");
    pin.parts.iter().map(|part| (part.file.as_str().to_owned(), part.text.len())).collect()
}

#[test]
fn a_long_value_stands_in_a_file_where_the_user_wants_that_or_no_test_can_hold_it() {
    let files = "[pins]\nlong-values = \"file\"\n";
    let is_in_file = |length, settings| {
        let lengths = lengths(length, settings);
        if let [(_, test), (file, whole), _] = &lengths[..] {
            assert!(file.starts_with("src/pins/long_pin_") && *test < 300 && *whole > length * 3, "{lengths:?}");
        }
        lengths.len() == 3
    };
    assert!(!is_in_file(100, files));
    assert!(is_in_file(2_000, files));
    assert!(!is_in_file(2_000, ""));
    assert!(!is_in_file(2_000, "[pins]\nlong-values = \"whole\"\n"));
    assert!(is_in_file(20_000, ""));
}

#[test]
fn without_a_seed_it_is_the_test_alone() {
    let mut failure = failure("rate_1_grows", &[("x", "255"), ("y", "7")], Replay::Replayed);
    failure.message = "attempt to add with overflow".to_owned();
    failure.caveats = vec![Caveat::NotMinimal];
    check(
        &failure,
        "literal rate::rate_1_grows_pin_db1a152
warning: shrinking was cut off: a smaller input may break the property as well
warning: no seed is pinned: it failed by replay of a kept seed or in the first case, and the run names no seed
src/rate.rs:
/// Pinned 2026-11-30: `rate_1_grows` [RATE-1] failed with \"attempt to add with overflow\". Never
/// delete.
#[test]
#[allow(arithmetic_overflow, unconditional_panic)]
fn rate_1_grows_pin_db1a152() {
    let (x, y) = (255u8, 7u16);
    assert!(x + 1 < 3, \"{y}\");
}",
    );
}

#[test]
fn what_follows_in_a_plain_test_is_told_to_be_left_out() {
    check(
        &failure("afterwards", &[("x", "3")], Replay::None),
        "literal rate::afterwards_pin_4bbc704
warning: what `afterwards` does after running its property is not in the pin
warning: no seed is pinned: the run names no seed for it
src/rate.rs:
/// Pinned 2026-11-30: `afterwards` failed with \"no growth\". Never delete.
#[test]
fn afterwards_pin_4bbc704() {
    let x = 3u8;
    assert!(x < 3)
}",
    );
}

#[test]
fn what_cannot_be_written_as_a_test_is_the_line_alone_with_the_reason() {
    let line = "proptest-regressions/rate.txt:
cc 0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a # shrinks to";
    check(
        &failure("opaque", &[("key", "<hidden>")], seed()),
        &format!(
            "seed-only no test
reason: `key` has no literal: the source does not tell the type of `<hidden>`
warning: `opaque` is ignored in ordinary runs; its pin is not
{line} key = <hidden>"
        ),
    );
    check(
            &failure("by_macro", &[("x", "3")], seed()),
            &format!(
                "seed-only no test
reason: src/rate.rs has no property `by_macro` of a known form (the macro `made!` makes it, which this file does not define); pin it by hand
{line} x = 3"
            ),
        );
}

#[test]
fn what_the_file_makes_or_runs_elsewhere_is_written_out() {
    let pinned = |test: &str, name: &str, body: &str| {
        let failure = failure(test, &[(name, "3")], seed());
        let own = pin_name(&failure.test, &failure.counterexample);
        let shrunk = if name.is_empty() { "3".to_owned() } else { format!("{name} = 3") };
        check(
            &failure,
            &format!(
                "literal rate::{own}
src/rate.rs:
/// Pinned 2026-11-30: `{test}` failed with \"no growth\". Never delete.
#[test]
fn {own}() {{
{body}
}}
proptest-regressions/rate.txt:
cc {} # shrinks to {shrunk}",
                "0a".repeat(32)
            ),
        );
    };
    pinned("by_own_macro", "x", "    let x = 3u8;\n    q(x)");
    pinned("by_function", "x", "    let n: u8 = 9;\n    let x = 3u8;\n    assert!(x < n / 2)");
    pinned("by_name", "", "    let input = 3u8;\n    is_odd(input).unwrap();");
}

#[test]
fn a_case_of_a_function_with_parameters_is_that_function() {
    check(
        &failure("in_cases::case_1", &[("x", "3")], Replay::None),
        "refused: `in_cases` takes parameters (`#[case] n: u8`), and the run does not print what they were; nor is there a seed: the run names no seed for it. Write the test by hand",
    );
}

#[test]
fn without_test_and_line_the_pin_is_refused() {
    check(
        &failure("opaque", &[("key", "<hidden>")], Replay::Replayed),
        "refused: `key` has no literal: the source does not tell the type of `<hidden>`; nor is there a seed: it failed by replay of a kept seed or in the first case, and the run names no seed. Write the test by hand",
    );
    check(
        &failure("by_macro", &[("x", "3")], Replay::None),
        "refused: src/rate.rs has no property `by_macro` of a known form (the macro `made!` makes it, which this file does not define); pin it by hand",
    );
    let aborted = Failure { ending: Ending::Aborted, ..failure("rate_1_grows", &[], Replay::None) };
    check(
        &aborted,
        "refused: the run was given up without an input that breaks the property; run it again with other limits",
    );
}
