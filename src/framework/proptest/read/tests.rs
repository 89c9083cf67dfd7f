//! Reads samples of every carrier, whole input and whole output, and the same samples in what CI services make of them.
//! Beside each sample stands what is read from it: `name.read.json`.

use std::path::PathBuf;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::failure::{Caveat, Failure, Reading, Replay};
use crate::framework::Reports;
use crate::framework::proptest::Proptest;
use crate::run_output::RunOutput;

fn sample(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/proptest");
    std::fs::read(folder.join(name)).unwrap()
}

fn read(name: &str, bytes: &[u8]) -> Reading {
    Proptest.read(&RunOutput::new(name, bytes))
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
fn a_property_whose_inputs_cannot_be_made_while_they_are_shrunk_is_a_notice() {
    let panic = |place: &str, message: &str| {
        format!("thread 'set::holds' (9) panicked at {place}:\n{message}\nnote: run with `RUST_BACKTRACE=1`\n\n")
    };
    let check = |log: &str, lines: &[u64]| {
        let text = "the test `set::holds` panicked again and again, the last time at src/map.rs:2, and told no input: if it is a \
                    property, what makes its inputs panicked as well while they were shrunk, and nothing can be pinned";
        let notices: Vec<Value> = lines.iter().map(|line| json!([line, text])).collect();
        assert_eq!(shown(&read("log", log.as_bytes())), json!({ "failures": [], "notices": notices }), "{log}");
    };
    let panics = [panic("src/set.rs:9:9", "left"), panic("src/map.rs:2:4", "empty")].concat();
    let after = "---- set::other stdout ----\n\nfailures:\n    set::holds\n    set::other\n";
    check(&format!("---- set::holds stdout ----\n\n{panics}{after}"), &[3]);
    check(
        &format!("---- set::holds stdout ----\n\n{}{after}", panics.replace("left", "one\n(two\n\n\n\n\n\n\n\n")),
        &[3],
    );
    let stdout = json!(panics).to_string();
    check(&format!("{{\"type\":\"test\",\"event\":\"failed\",\"name\":\"set::holds\",\"stdout\":{stdout}}}\n"), &[1]);
    let long = panic("src/set.rs:9:9", &"left\n".repeat(40)).repeat(40);
    check(&format!("---- set::holds stdout ----\n\n{long}{panics}{after}"), &[3]);
    let other = "thread 'set::other' (3) panicked at src/set.rs:7:7:\nno\n\n";
    check(&format!("---- set::holds stdout ----\n\n{long}{panics}---- set::other stdout ----\n\n{other}"), &[3]);
    // A test may expect that much.
    check(&format!("{panics}test set::holds ... ok\n"), &[]);
    check(&format!("---- set::holds stdout ----\n\n{}{after}", panic("src/set.rs:9:9", "left")), &[]);
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

const SERVICES: [(&str, Wrap); 11] = [
    ("GitHub", |at, line| format!("2026-11-29T03:12:07.{at:07}Z {line}\n")),
    ("gh", |at, line| format!("night\tRun it\t2026-11-29T03:12:07.{at:07}Z {line}\n")),
    ("GitLab", |at, line| format!("2026-11-29T03:12:07.{at:06}Z 01O {line}\n")),
    ("GitLab sections", |at, line| match at {
        0 => format!("\x1b[0Ksection_start:1560896352:run\r\x1b[0K{line}\n"),
        _ => format!("{line}\n"),
    }),
    ("Buildkite", |at, line| format!("\x1b_bk;t=17000000{at:05}\x07{line}\n")),
    ("compose", |_, line| format!("\x1b[36mapp-1    | \x1b[0m{line}\n")),
    ("compose with time stamps", |at, line| format!("app-1  | 2026-11-29T03:12:07.{at:09}Z {line}\n")),
    ("two services", |_, line| format!("app-1  | {line}\nstore-1  | listens [on] \"5432\n")),
    ("colour", |_, line| format!("\x1b[32m{line}\x1b[0m\n")),
    ("CRLF", |_, line| format!("{line}\r\n")),
    ("CR", |_, line| format!("{line}\r")),
];

/// Services that nobody told us of.
const UNKNOWN: [(&str, Wrap); 9] = [
    ("journald", |at, line| format!("Nov 30 03:{:02}:{:02} host cargo[{at}]: {line}\n", at / 60 % 60, at % 60)),
    ("Jenkins", |at, line| format!("03:{:02}:{:02}  {line}\n", at / 60 % 60, at % 60)),
    ("kubectl", |_, line| format!("[pod/night-7d9f8-x2x4z/tests] {line}\n")),
    ("stern", |_, line| format!("\x1b[36mnight-7d9f8\x1b[0m \x1b[96mtests\x1b[0m {line}\n")),
    ("two pods", |_, line| format!("night-0 tests {line}\nnight-1 tests listens [on] \"5432\n")),
    ("TeamCity", |at, line| format!("[03:12:{:02}]W:\t\t [Step 1/2] {line}\n", at % 60)),
    ("Drone", |at, line| format!("[test:{at}] {line}\n")),
    ("a container's own log", |at, line| format!("2026-11-29T03:12:07.{at:07}Z stdout F {line}\n")),
    (
        "no blanks at the end",
        |_, line| if line.is_empty() { "night#\n".to_owned() } else { format!("night# {line}\n") },
    ),
];

fn check_wrapped(name: &str, services: &[(&str, Wrap)]) {
    let bytes = sample(name);
    let text = std::str::from_utf8(&bytes).unwrap();
    let plain = shown(&read(name, &bytes));
    for (service, wrap) in services {
        let wrapped: String = text.lines().enumerate().map(|(at, line)| wrap(at, line)).collect();
        let mut reading = read(name, wrapped.as_bytes());
        let step = wrap(0, "").matches('\n').count() as u64;
        let unwrapped = |line: u64| (line - 1) / step.max(1) + 1;
        reading.failures.iter_mut().for_each(|failure| failure.origin.line = unwrapped(failure.origin.line));
        reading.notices.iter_mut().for_each(|notice| notice.line = notice.line.map(unwrapped));
        assert_eq!(shown(&reading), plain, "{name} as {service} shows it");
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
        check_wrapped(name, &SERVICES);
    }
}

#[test]
fn what_a_service_puts_before_lines_need_not_be_known() {
    for name in
        ["workspace.txt", "panics.txt", "one-thread.txt", "show-output.txt", "nextest.txt", "nextest-retries.txt"]
    {
        check_wrapped(name, &UNKNOWN);
    }
}

#[test]
fn a_line_that_imitates_what_stands_before_it_stays_whole() {
    let value = "[\n    03:12:08  03:12:09  1,\n03:12:09  03:12:10  2,\n    > Test failed: no.\n]";
    let log = report("a::b", "no", &format!("x = {value}"));
    let log: String = log.lines().enumerate().map(|(at, line)| format!("03:12:{:02}  {line}\n", at % 60)).collect();
    check_failures(&log, &[("a::b", None, "no", &format!("x = {value}"), false)]);
}

#[test]
fn a_search_that_marks_letters_inside_words_changes_nothing() {
    let marks = ["nn", "nick", "ssed", "il", "or", "st", "un"];
    for name in ["workspace.txt", "panics.txt", "show-output.txt", "quiet.txt", "nextest.txt", "returned.txt"] {
        let text = String::from_utf8(sample(name)).unwrap();
        let marked = marks
            .iter()
            .fold(text, |text, letters| text.replace(letters, &format!("\x1b[01;31m\x1b[K{letters}\x1b[m\x1b[K")));
        assert_eq!(shown(&read(name, marked.as_bytes())), shown(&read(name, &sample(name))), "{name}");
    }
}

#[test]
fn a_coloured_result_of_a_test_meant_to_panic_is_a_result() {
    let uncaptured = report("a::b", "no", "x = 1").replace("---- a::b stdout ----", "");
    let log = format!("{uncaptured}test a::b - should panic ... ok\n");
    check_failures(&log, &[]);
    check_failures(&log.replace("ok", "\x1b[32mok\x1b[0m"), &[]);
    check_failures(&log.replace("ok", "\x1b[31mFAILED\x1b[0m"), &[("a::b", None, "no", "x = 1", false)]);
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

/// Test, package, message, input and whether it breaks off, of each failure.
#[track_caller]
fn check_failures(log: &str, expected: &[(&str, Option<&str>, &str, &str, bool)]) {
    let reading = read("log", log.as_bytes());
    let row = |failure: &Failure| {
        let package = failure.package.as_ref().map(|package| package.0.clone());
        let breaks_off = failure.caveats.contains(&Caveat::Truncated);
        (failure.test.0.clone(), package, failure.message.clone(), failure.counterexample.text.clone(), breaks_off)
    };
    let found: Vec<_> = reading.failures.iter().map(row).collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|&(test, package, message, input, cut)| {
            (test.to_owned(), package.map(str::to_owned), message.to_owned(), input.to_owned(), cut)
        })
        .collect();
    assert_eq!(found, expected, "{log}");
}

#[test]
fn reports_that_somebody_quotes_are_one_notice() {
    let quoted: String =
        report("a::b", "no", "x = 1").repeat(2).lines().map(|line| format!("night# {line}\n")).collect();
    let log = format!("{quoted}test result: ok. 1 passed; 0 failed\n");
    let text = "found the report of a property behind text of an unknown kind: it is not read, nor are others like it; take \
                from each line what the log puts before it";
    assert_eq!(shown(&read("log", log.as_bytes())), json!({ "failures": [], "notices": [[3, text]] }));
}

/// What nextest shows of an attempt whose property panics at each step.
fn attempt(status: &str, reason: &str) -> String {
    let panic = |text: &str| format!("    thread 'a::b' (7) panicked at src/a.rs:4:5:\n    {text}\n");
    let step = panic(reason) + "\n";
    let report = panic(&format!("Test failed: {reason}.\n    minimal failing input: x = 1"));
    let counters = "    successes: 0\n    local rejects: 0\n    global rejects: 0\n";
    format!("{status}] (─────) geo a::b\n  stderr ───\n\n{}{report}{counters}\n\n", step.repeat(3))
}

#[test]
fn an_attempt_of_nextests_ends_where_the_next_one_begins() {
    let log = ["  TRY 1 FAIL [   0.014s", "  TRY 2 FAIL [   0.006s", "TRY 3 SIGABRT [   0.006s"];
    let log: String = log.into_iter().zip(["no", "nay", "nope"]).map(|(status, why)| attempt(status, why)).collect();
    let geo = Some("geo");
    check_failures(
        &log,
        &[
            ("a::b", geo, "no", "x = 1", false),
            ("a::b", geo, "nay", "x = 1", false),
            ("a::b", geo, "nope", "x = 1", false),
        ],
    );
}

#[test]
fn one_property_with_two_causes_is_two_failures() {
    let log = [report("a::b", "assertion failed: x", "x = 1"), report("a::b", "assertion failed: y", "x = 2")].concat();
    let whole =
        [("a::b", None, "assertion failed: x", "x = 1", false), ("a::b", None, "assertion failed: y", "x = 2", false)];
    check_failures(&log, &whole);
    check_failures(&log.repeat(2), &whole);
}

#[test]
fn a_whole_report_stands_for_one_that_breaks_off() {
    let whole = report("a::b", "no", "x = [12]");
    let cut = &whole[..whole.find("2]").unwrap()];
    check_failures(cut, &[("a::b", None, "no", "x = [1", true)]);
    check_failures(&format!("{cut}\n{whole}"), &[("a::b", None, "no", "x = [12]", false)]);
}

#[test]
fn an_input_without_counters_ends_at_the_empty_line() {
    let report = "thread 'a::b' (7) panicked at src/a.rs:4:5:\nTest failed: no.\nminimal failing input: BArgs = BArgs {\n    \
                  x: 1,\n}\n\nwhat some program wrote\nTests failed: 1\n";
    let input = "BArgs = BArgs {\n    x: 1,\n}";
    check_failures(report, &[("a::b", None, "no", input, true)]);
    let log =
        format!("{report}     Summary [   0.095s] 1 test run: 0 passed, 1 failed\n{}", self::report("c", "n", "y = 1"));
    check_failures(&log, &[("a::b", None, "no", input, false), ("c", None, "n", "y = 1", false)]);
}

#[test]
fn a_report_cut_off_anywhere_keeps_what_it_had() {
    let whole = report("a::b", "assertion failed: x at src/a.rs:4", "x = [\n    1,\n], y = 2");
    let (message, input) = ("assertion failed: x at src/a.rs:4", "x = [\n    1,\n], y = 2");
    let (start, end) = (whole.find("Test failed").unwrap() + 13, whole.find("\n\nnote:").unwrap());
    for at in start..end {
        let reading = read("log", &whole.as_bytes()[..at]);
        let [failure] = &reading.failures[..] else { panic!("{at}: {:?}", reading.failures) };
        let text = &failure.counterexample.text;
        assert!(message.starts_with(&failure.message), "{at}: {}", failure.message);
        assert!(input.starts_with(text.as_str()), "{at}: {text}");
        assert!(failure.caveats.contains(&Caveat::Truncated) || text == input, "{at}: {text}");
    }
}

#[test]
fn a_junit_file_cut_off_says_so() {
    let text = "thread 'a::b' (7) panicked at src/a.rs:4:5:\nTest failed: no.\nminimal failing input: x = 1&quot;\n\tsuccesses: 3\n\tlocal \
                rejects: 0\n\tglobal rejects: 0\n";
    let whole = format!("<testsuites><testcase classname='a' name='b'><failure/><system-out>{text}");
    let expected = |broken| [("a::b", None, "no", "x = 1\"", broken)];
    check_failures(&whole, &expected(false));
    check_failures(&whole[..whole.find("local").unwrap()], &expected(true));
    let cut = &whole[..whole.find("uot;").unwrap()];
    check_failures(cut, &[("a::b", None, "no", "x = 1", true)]);
    let told: Vec<_> =
        read("x.xml", cut.as_bytes()).notices.into_iter().map(|notice| (notice.line, notice.text)).collect();
    let early = "the file ends before its elements do: it seems to be cut off, and failures may be missing";
    let broken = "the report of a::b breaks off: what it shows of the input is not all of it";
    assert_eq!(told, [(Some(1), broken.to_owned()), (Some(3), early.to_owned())]);
}

#[test]
fn what_a_test_prints_before_it_fails_may_be_long() {
    let printed = "a line of what the property prints for every case\n".repeat(4_000);
    let report = report("a::b", "no", "x = 1").replace("---- a::b stdout ----\n", "");
    let cut = "proptest: Aborting shrinking after taking too long: 6 ms (set the PROPTEST_MAX_SHRINK_TIME ...)\n";
    let log = format!("        FAIL [   0.013s] geo::api a::b\n\n{printed}{cut}{report}");
    let failure = read("log", log.as_bytes()).failures.remove(0);
    assert_eq!(failure.package.map(|package| package.0).as_deref(), Some("geo"));
    assert_eq!(failure.caveats, [Caveat::NotMinimal]);
}

#[test]
fn that_a_seed_was_not_saved_is_said_of_one_property_only() {
    let report = |test: &str, file: &str| {
        format!(
            "thread '{test}' (7) panicked at src/{file}.rs:4:5:\nTest failed: no.\nminimal failing input: x = 1\n\tsuccesses: \
             0\n\tlocal rejects: 0\n\tglobal rejects: 0\n\n"
        )
    };
    let remark = |text: &str| format!("proptest: {text}\n");
    let check = |remark: &str, file: &str, expected: Replay| {
        let log = ["running 2 tests\n", remark, &report("a::b", file)].concat();
        assert_eq!(read("log", log.as_bytes()).failures[0].replay, expected, "{log}");
    };
    let no_source = remark("FileFailurePersistence::SourceParallel set, but no source file known");
    check(&no_source, "a", Replay::Replayed);
    let unwritable = remark("failed to append to /w/proptest-regressions/a.txt: Is a directory (os error 21)");
    check(&unwritable, "a", Replay::None);
    check(&unwritable, "b", Replay::Replayed);
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

/// Lines of a test that expects its panic; `code` after the message makes that worth a closer look.
fn expected_panic(code: &str) -> String {
    format!("thread 'w-1' (9) panicked at src/q.rs:1:2:\nclosed{code}\ntest a::w ... ok\n")
}

#[test]
fn a_panic_that_is_passed_over_leaves_the_same_as_one_that_is_read() {
    for name in ["panics.txt", "forms.txt", "nocapture.txt", "one-thread.txt", "fork.txt", "old-compiler.txt"] {
        let bytes = sample(name);
        let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        for at in (0..=lines.len()).step_by(lines.len().div_ceil(40)) {
            let (before, after) = lines.split_at(at);
            let with =
                |panic: &str| shown(&read(name, &[&before.concat(), panic.as_bytes(), &after.concat()].concat()));
            let read = with(&expected_panic("\x1b[0m"));
            assert_eq!(with(&expected_panic("")), read, "{name}, line {at}");
        }
    }
}
