//! Reads samples of every carrier, whole input and whole output, and the same samples in what CI services make of them.
//! Beside each sample stands what is read from it: `name.read.json`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::cause::{FailureId, failure_id};
use crate::failure::Reading;
use crate::framework::Reports;
use crate::framework::hypothesis::Hypothesis;
use crate::run_output::RunOutput;

fn sample(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/hypothesis");
    std::fs::read(folder.join(name)).unwrap()
}

fn read(bytes: &[u8]) -> Reading {
    Hypothesis.read(&RunOutput::new("log", bytes))
}

fn shown(reading: &Reading) -> String {
    let notices: Vec<Value> = reading.notices.iter().map(|notice| json!([notice.line, notice.text])).collect();
    serde_json::to_string_pretty(&json!({ "failures": reading.failures, "notices": notices })).unwrap()
}

#[track_caller]
fn check(name: &str) {
    let expected = String::from_utf8(sample(&format!("{name}.read.json"))).unwrap();
    assert_eq!(shown(&read(&sample(name))), expected.trim_end(), "{name}");
}

#[test]
fn pytests_text_is_read_in_every_style() {
    check("plain.txt");
    check("short.txt");
    check("native.txt");
    check("line.txt");
    check("colour.txt");
    check("ci.txt");
    check("xdist.txt");
}

#[test]
fn older_wordings_are_read() {
    check("old-6.60.txt");
    check("old-6.158.txt");
}

#[test]
fn unittest_and_plain_programs_are_read() {
    check("unittest.txt");
    check("script.txt");
    check("script-group.txt");
}

#[test]
fn files_that_keep_reports_are_read() {
    check("junit.xml");
    check("report.jsonl");
    check("report.json");
    check("observed.jsonl");
}

#[test]
fn steps_of_a_state_machine_that_the_library_observed_are_its_input() {
    let steps = "state = M()\nstate.put(n=5)\nstate.teardown()";
    let line = json!({
        "property": "tests/test_m.py::TestM::runTest", "how_generated": "minimal failing test case", "status": "failed",
        "representation": steps, "metadata": { "traceback": "tests/test_m.py:7: in put\n    assert n < 5\nE   assert 5 < 5" },
    });
    let reading = read(line.to_string().as_bytes());
    let expected = ("tests/test_m.py::TestM::runTest".to_owned(), "assert 5 < 5".to_owned(), steps.to_owned());
    assert_eq!(told(&reading), [expected]);
}

#[test]
fn what_a_run_handed_over_is_read() {
    check("handed.txt");
    check("handed-6.50.txt");
}

/// The names of the failures that lines of a sample tell of: those that were handed over, or the others.
fn names(name: &str, handed: bool) -> BTreeSet<FailureId> {
    let text = String::from_utf8(sample(name)).unwrap();
    let lines = text.split_inclusive('\n').filter(|line| line.starts_with("{\"redpin\"") == handed);
    let reading = read(lines.collect::<String>().as_bytes());
    reading.failures.iter().map(|failure| failure_id(failure, None)).collect()
}

#[test]
fn what_is_handed_over_and_what_is_printed_have_the_same_names() {
    for name in ["handed.txt", "handed-6.50.txt"] {
        let whole = read(&sample(name)).failures;
        assert_eq!(names(name, true), names(name, false), "{name}");
        assert_eq!(names(name, true), whole.iter().map(|failure| failure_id(failure, None)).collect(), "{name}");
        assert_eq!(names(name, true).len(), whole.len(), "{name}");
    }
}

#[test]
fn a_line_that_is_cut_off_is_told_and_the_text_counts() {
    let text = sample("plain.txt");
    let whole = [&text[..], b"{\"redpin\": \"hypothesis\", \"node\": \"Failing test case: f("].concat();
    let reading = read(&whole);
    assert_eq!(told(&reading), told(&read(&text)));
    assert_eq!(reading.notices.len(), 1);
}

/// Test, message and input of each failure.
fn told(reading: &Reading) -> Vec<(String, String, String)> {
    let one = |failure: &crate::failure::Failure| {
        (failure.test.0.clone(), failure.message.clone(), failure.counterexample.text.clone())
    };
    reading.failures.iter().map(one).collect()
}

#[test]
fn a_log_reads_the_same_in_what_services_make_of_it() {
    for name in ["plain.txt", "short.txt", "native.txt", "colour.txt", "line.txt", "unittest.txt", "script-group.txt"] {
        let text = String::from_utf8(sample(name)).unwrap();
        let own = told(&read(text.as_bytes()));
        let stamped = |front: &str| text.lines().map(|line| format!("{front}{line}\n")).collect::<String>();
        for front in ["2026-11-29T03:12:07.1113081Z ", "night\tRun it\t2026-11-29T03:12:07.1Z ", "app-1  | "] {
            assert_eq!(told(&read(stamped(front).as_bytes())), own, "{name} {front}");
        }
        assert_eq!(told(&read(text.replace('\n', "\r\n").as_bytes())), own, "{name}");
    }
}

#[test]
fn a_run_that_shows_no_tracebacks_is_not_taken_for_a_green_one() {
    let log = "==== Hypothesis ====\n`git apply .hypothesis/patches/a.patch` to add failing test cases to your code.\n";
    let reading = read(log.as_bytes());
    assert_eq!((reading.failures.len(), reading.notices.len()), (0, 1));
    assert_eq!(reading.notices[0].line, Some(2));
    let summed = format!("{log}==== short test summary info ====\nFAILED a.py::test_a - hypothesis.errors.Flaky...\n");
    assert_eq!(read(summed.as_bytes()), reading);
    let shown = [sample("plain.txt"), log.as_bytes().to_vec()].concat();
    assert_eq!(read(&shown).notices, []);
}

#[test]
fn what_a_test_prints_of_another_is_no_failure() {
    let log = "print(\"Failing test case: f(x=1)\")\n>   note('Failing test case: f(')\nsee hypothesis.errors.Flaky\n";
    assert_eq!(read(log.as_bytes()), Reading::default());
}

#[test]
fn very_many_words_without_a_report_are_passed_over() {
    let line = "Falsifying example: f(x=1) and hypothesis.errors.Flaky and more and more and more\n";
    let log = line.repeat(20_000) + &String::from_utf8(sample("short.txt")).unwrap();
    assert_eq!(told(&read(log.as_bytes())), told(&read(&sample("short.txt"))));
}

proptest! {
    #[test]
    fn a_log_cut_anywhere_is_read_without_failing(cut in 0_usize..24_000, name in 0_usize..5) {
        let names = ["plain.txt", "line.txt", "junit.xml", "observed.jsonl", "old-6.158.txt"];
        let bytes = sample(names[name]);
        let whole = told(&read(&bytes));
        let part = read(&bytes[..cut.min(bytes.len())]);
        prop_assert!(part.failures.len() <= whole.len() + 1);
    }

    #[test]
    fn any_text_around_the_words_is_read_without_failing(text in "(Failing test case: |hypothesis\\.errors\\.|E   |    \\| |f\\(|\n|x=1|\\)|'|Traceback \\(most recent call last\\):|___ a ___|[a-z:#,\"é]){0,60}") {
        read(text.as_bytes());
    }
}

/// A report, and the log that goes on after it in `rest`, each line behind a service's time stamp.
fn followed_by(rest: &str) -> Reading {
    let report = "____________ test_total ____________\n\n>       assert out <= 1\nE       assert 2 <= 1\n\
                  E       Falsifying example: test_total(\nE           n=2,\nE       )\n\ntests/test_a.py:9: AssertionError\n";
    let stamped = |line: &str| format!("2026-11-30T03:00:07.5670000Z {line}\n");
    read(format!("{report}{rest}").lines().map(stamped).collect::<String>().as_bytes())
}

#[test]
fn a_report_is_over_where_a_long_log_goes_on_at_the_margin() {
    let mut reading = followed_by(&"test billing::one ... ok\n".repeat(100_000));
    reading.failures.extend(followed_by("").failures);
    assert_eq!(reading.failures.len(), 2);
    assert_eq!(reading.failures[0], reading.failures[1]);
    assert_eq!(reading.failures[0].counterexample.text, "n=2");
}
