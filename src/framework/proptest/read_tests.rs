//! Reads samples of every carrier, whole input and whole output, and the same samples in what CI services make of them.
//! Beside each sample stands what is read from it: `name.read.json`.

use std::path::PathBuf;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Proptest;
use crate::failure::{Failure, Reading};
use crate::framework::Framework;
use crate::run_output::RunOutput;

fn sample(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/proptest");
    std::fs::read(folder.join(name)).unwrap()
}

fn read(name: &str, bytes: &[u8]) -> Reading {
    Proptest.read(&RunOutput { name, bytes })
}

fn shown(reading: &Reading) -> Value {
    let notices: Vec<Value> = reading.notices.iter().map(|notice| json!([notice.line, notice.text])).collect();
    json!({ "failures": reading.failures, "notices": notices })
}

fn check(name: &str) {
    let expected: Value = serde_json::from_slice(&sample(&format!("{name}.read.json"))).unwrap();
    let found = shown(&read(name, &sample(name)));
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap();
    assert_eq!(pretty(&found), pretty(&expected), "{name}");
}

#[test]
fn cargos_text_is_read_in_every_shape() {
    check("workspace.txt");
    check("forms.txt");
    check("panics.txt");
    check("nocapture.txt");
    check("one-thread.txt");
    check("show-output.txt");
    check("backtrace.txt");
    check("verbose.txt");
    check("quiet.txt");
}

#[test]
fn a_forked_childs_reason_and_its_parents_value_make_one_failure() {
    check("fork.txt");
    check("fork-aborted.txt");
    check("fork-nextest.txt");
}

#[test]
fn old_versions_and_old_compilers_are_read() {
    check("version-0.9.txt");
    check("old-compiler.txt");
}

#[test]
fn nextests_text_is_read() {
    check("nextest.txt");
    check("nextest-retries.txt");
    check("nextest-colour.txt");
    check("nextest-no-capture.txt");
}

#[test]
fn files_for_programs_are_read() {
    check("nextest-junit.xml");
    check("libtest-junit.xml");
    check("libtest.json");
    check("nextest.jsonl");
}

#[test]
fn the_error_that_a_test_returned_is_a_failure_without_a_panic() {
    check("returned.txt");
    check("returned.jsonl");
    check("returned.xml");
}

#[test]
fn a_failure_of_an_unnamed_test_is_a_notice() {
    let line = "Error: Fail(Reason(\"n\"), 3)\n";
    let text = "found the failure of a property without a word of which test it is: run the tests with their output \
                captured";
    assert_eq!(shown(&read("log", line.as_bytes())), json!({ "failures": [], "notices": [[1, text]] }));
}

#[test]
fn a_log_that_is_cut_off_says_so() {
    check("cut.txt");
}

#[test]
fn a_pin_that_fails_again_is_told_from_a_plain_test() {
    check("pins.txt");
}

/// What a service makes of each line, by its number.
type Wrap = fn(usize, &str) -> String;

const SERVICES: [(&str, Wrap); 9] = [
    ("GitHub", |at, line| format!("2026-11-29T03:12:07.{at:07}Z {line}\n")),
    ("gh", |at, line| format!("night\tRun it\t2026-11-29T03:12:07.{at:07}Z {line}\n")),
    ("GitLab", |at, line| format!("2026-11-29T03:12:07.{at:06}Z 01O {line}\n")),
    ("GitLab sections", |at, line| match at {
        0 => format!("\x1b[0Ksection_start:1560896352:run\r\x1b[0K{line}\n"),
        _ => format!("{line}\n"),
    }),
    ("Buildkite", |at, line| format!("\x1b_bk;t=17000000{at:05}\x07{line}\n")),
    ("compose", |_, line| format!("\x1b[36mapp-1    | \x1b[0m{line}\n")),
    ("colour", |_, line| format!("\x1b[32m{line}\x1b[0m\n")),
    ("CRLF", |_, line| format!("{line}\r\n")),
    ("CR", |_, line| format!("{line}\r")),
];

fn check_wrapped(name: &str) {
    let bytes = sample(name);
    let text = std::str::from_utf8(&bytes).unwrap();
    let plain = shown(&read(name, &bytes));
    for (service, wrap) in SERVICES {
        let wrapped: String = text.lines().enumerate().map(|(at, line)| wrap(at, line)).collect();
        assert_eq!(shown(&read(name, wrapped.as_bytes())), plain, "{name} as {service} shows it");
    }
    let with_bom = format!("\u{feff}{text}");
    assert_eq!(shown(&read(name, with_bom.as_bytes())), plain, "{name} with a BOM");
}

#[test]
fn what_a_ci_service_puts_around_lines_changes_nothing() {
    let samples = ["workspace.txt", "panics.txt", "one-thread.txt", "show-output.txt", "fork.txt", "nextest.txt"];
    for name in samples.into_iter().chain([
        "nextest-retries.txt",
        "nextest-no-capture.txt",
        "nextest.jsonl",
        "nextest-junit.xml",
        "libtest-junit.xml",
    ]) {
        check_wrapped(name);
    }
}

#[test]
fn the_same_report_printed_twice_is_one_failure() {
    let once = sample("nextest.txt");
    let twice = [&once[..], &once].concat();
    assert_eq!(shown(&read("nextest.txt", &twice)), shown(&read("nextest.txt", &once)));
    let json = sample("nextest.jsonl");
    let both = [&json[..], &sample("nextest.txt")].concat();
    let tests: Vec<String> = read("both", &both).failures.into_iter().map(|failure| failure.test.0).collect();
    let expected = ["tests::bin_only_prop", "scalars::unit", "inner::tests::add_is_monotone", "api_prop"];
    assert_eq!(tests, expected);
}

#[test]
fn a_log_of_lines_that_only_mention_a_panic_is_read_fast_and_empty() {
    let line = "panicked at failures: thread 'x' Running ".repeat(50_000);
    let found = shown(&read("long", line.as_bytes()));
    assert_eq!(found, json!({ "failures": [], "notices": [] }));
}

/// A report as the runner prints it.
fn report(test: &str, reason: &str, input: &str) -> String {
    format!(
        "---- {test} stdout ----\n\nthread '{test}' (7) panicked at src/lib.rs:4:5:\nTest failed: {reason}.\nminimal failing \
         input: {input}\n\tsuccesses: 3\n\tlocal rejects: 0\n\tglobal rejects: 0\n\nnote: run with `RUST_BACKTRACE=1` \
         environment variable to display a backtrace\n\n"
    )
}

fn check_reads_back(failure: &Failure, reason: &str, arguments: &[(String, String)]) {
    assert_eq!(failure.message, reason);
    let found: Vec<(String, String)> =
        failure.counterexample.arguments.iter().map(|one| (one.name.clone(), one.text.clone())).collect();
    assert_eq!(found, arguments);
}

#[derive(Clone, Debug)]
#[expect(dead_code, reason = "only its Debug text is of interest")]
enum Tree {
    Leaf,
    Text(String),
    Letter(char),
    Number(f64),
    List(Vec<Tree>),
    Pair { left: Box<Tree>, right: (Option<Box<Tree>>, u8) },
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        Just(Tree::Leaf),
        any::<String>().prop_map(Tree::Text),
        "(, [a-z] = |minimal failing input: |\n\tsuccesses: 3\n|thread 'x' panicked at |[\"'\\\\(){}])*"
            .prop_map(Tree::Text),
        any::<char>().prop_map(Tree::Letter),
        any::<f64>().prop_map(Tree::Number),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Tree::List),
            (inner.clone(), proptest::option::of(inner), any::<u8>()).prop_map(|(left, right, number)| Tree::Pair {
                left: Box::new(left),
                right: (right.map(Box::new), number)
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in any::<Vec<u8>>()) {
        read("any", &bytes);
    }

    #[test]
    fn any_pieces_of_reports_are_read_without_a_panic(pieces in proptest::collection::vec(piece(), 0..24)) {
        read("pieces", pieces.concat().as_bytes());
    }

    #[test]
    fn a_report_around_any_values_reads_back(
        values in proptest::collection::vec(("(mut )?[a-z][a-z_]{0,3}|\\([a-z], _\\)|r#type|_", tree()), 1..5),
        reason in "[a-z\"'(,= ]{0,9}(\nminimal failing input: a = 1|\n\tsuccesses: 3|\n\n| at src/lib\\.rs:3){0,3}x",
    ) {
        let arguments: Vec<(String, String)> = values.into_iter().map(|(name, value)| (name, format!("{value:#?}"))).collect();
        let input = arguments.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ");
        let before = report("tests::before", "no", "x = 1");
        let log = [before.clone(), report("tests::one", &reason, &input), before.replace("before", "after")].concat();
        let reading = read("log", log.as_bytes());
        prop_assert_eq!(reading.failures.len(), 3, "{}", log);
        check_reads_back(&reading.failures[1], &reason, &arguments);
    }
}

/// What logs are made of, in any order.
fn piece() -> impl Strategy<Value = String> {
    const PARTS: &[&str] = &[
        "thread 'a::b' (7) panicked at src/lib.rs:4:5:\n",
        "thread 'main' panicked at '",
        "', src/lib.rs:4:5\n",
        "Test failed: ",
        "Test failed normally in child process.\n",
        "Test aborted: Too many global rejects\n",
        "minimal failing input: ",
        "; minimal failing input: ",
        "a = (",
        ", b = \"",
        "\n",
        "\r",
        "\t",
        "    ",
        "\tsuccesses: 0\n\tlocal rejects: 0\n\tglobal rejects: 0\n",
        "\t\t9 times at x\n",
        "---- a::b stdout ----\n",
        "called `Result::unwrap()` on an `Err` value: Fail(Reason(\"n\"), (5",
        "))",
        "failures:\n",
        "successes:\n",
        "proptest: Saving this and future failures in a/b.txt\n",
        "cc 00\n",
        "test a::b - should panic ... ",
        "ok\n",
        "        FAIL [   0.01s] (1/2) a::b c::d\n",
        "     Running unittests src/lib.rs (target/debug/deps/a-0123456789abcdef)\n",
        "error: test failed, to rerun pass `-p a --lib`\n",
        "{\"type\":\"test\",\"event\":\"failed\",\"name\":\"a\",\"stdout\":\"",
        "\\n\"}\n",
        "<testcase name='a'>",
        "<failure>",
        "</failure>",
        "</testcase>",
        "\x1b[",
        "2026-11-29T03:12:07Z ",
        "é",
        "\u{feff}",
    ];
    prop_oneof![proptest::sample::select(PARTS).prop_map(str::to_owned), "\\PC{0,5}"]
}
