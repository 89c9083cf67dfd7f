//! Reads samples of every reporter, whole input and whole output, and the same samples in what CI services make of them.
//! Beside each sample stands what is read from it: `name.read.json`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::cause::failure_id;
use crate::failure::{Failure, Reading};
use crate::framework::Reports;
use crate::framework::fast_check::FastCheck;
use crate::run_output::RunOutput;

fn sample(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/fast-check");
    std::fs::read(folder.join(name)).unwrap()
}

fn read(name: &str, bytes: &[u8]) -> Reading {
    FastCheck.read(&RunOutput::new(name, bytes))
}

fn shown(reading: &Reading) -> Value {
    let notices: Vec<Value> = reading.notices.iter().map(|notice| json!([notice.line, notice.text])).collect();
    json!({ "failures": reading.failures, "notices": notices })
}

#[track_caller]
fn check(name: &str) {
    let expected: Value = serde_json::from_slice(&sample(&format!("{name}.read.json"))).unwrap();
    let found = shown(&read(name, &sample(name)));
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap();
    assert_eq!(pretty(&found), pretty(&expected), "{name}");
}

#[test]
fn what_vitest_prints_is_read() {
    check("vitest.txt");
    check("vitest-colour.txt");
}

#[test]
fn what_vitest_writes_for_programs_is_read() {
    check("vitest-tap.txt");
    check("vitest-tap-flat.txt");
    check("vitest.xml");
    check("vitest.json");
    check("github.txt");
}

#[test]
fn jests_reporters_are_read() {
    check("jest.txt");
    check("jest-colour.txt");
    check("jest.json");
    check("jest.xml");
}

#[test]
fn nodes_reporters_are_read() {
    check("node-spec.txt");
    check("node-tap.txt");
    check("node-dot.txt");
    check("node.xml");
}

#[test]
fn a_script_and_old_wordings_are_read() {
    check("script.txt");
    check("old-versions.txt");
}

#[test]
fn what_a_run_handed_over_is_read() {
    check("handed-vitest.txt");
    check("handed-jest.txt");
    check("handed-node.txt");
}

/// Test, message and input of the failures that lines of a sample tell of: those that were handed over, or the others.
fn told(name: &str, handed: bool) -> BTreeMap<String, (String, String)> {
    let text = String::from_utf8(sample(name)).unwrap();
    let lines = text.split_inclusive('\n').filter(|line| line.starts_with("{\"redpin\"") == handed);
    let reading = read(name, lines.collect::<String>().as_bytes());
    let one = |failure: &Failure| (failure_id(failure, None).0, failure.counterexample.text.clone());
    reading.failures.iter().map(|failure| (failure.test.0.clone(), one(failure))).collect()
}

#[test]
fn what_is_handed_over_and_what_is_printed_have_the_same_names() {
    for name in ["handed-vitest.txt", "handed-jest.txt"] {
        let (handed, printed) = (told(name, true), told(name, false));
        let both: Vec<&String> = printed.keys().filter(|test| handed.contains_key(*test)).collect();
        assert!(both.len() > 2, "{both:?}");
        for test in both {
            assert_eq!(handed[test], printed[test], "{name} {test}");
        }
    }
}

#[test]
fn what_is_thrown_and_expected_is_no_failure() {
    let whole = read("handed-vitest.txt", &sample("handed-vitest.txt")).failures;
    let tests: Vec<&str> = whole.iter().map(|failure| failure.test.0.as_str()).collect();
    assert!(tests.contains(&"money > reported by itself"), "{tests:?}");
    assert!(
        !tests.iter().any(|test| test.ends_with("is expected to fail") || test.ends_with("passes the second time"))
    );
}

#[test]
fn a_line_that_is_cut_off_is_told_and_the_text_counts() {
    let text = sample("vitest.txt");
    let whole = [&text[..], b"{\"redpin\":\"fast-check\",\"id\":\"Property failed after 1 tests"].concat();
    let (found, expected) = (read("log", &whole), read("log", &text));
    assert_eq!(found.failures, expected.failures);
    assert_eq!(found.notices.len(), expected.notices.len() + 1);
}

#[test]
fn what_ci_services_put_before_each_line_changes_nothing() {
    for name in
        ["vitest.txt", "vitest-tap.txt", "jest.txt", "jest-colour.txt", "node-spec.txt", "node-tap.txt", "script.txt"]
    {
        let plain = String::from_utf8(sample(name)).unwrap();
        let expected = shown(&read(name, plain.as_bytes()));
        for front in ["2026-11-29T03:12:07.1113081Z ", "night\tRun it\t2026-11-29T03:12:07.1Z ", "app-1  | "] {
            let log: String = plain.split_inclusive('\n').map(|line| format!("{front}{line}")).collect();
            assert_eq!(shown(&read(name, log.as_bytes())), expected, "{name} {front}");
            let returns = log.replace('\n', "\r\n");
            assert_eq!(shown(&read(name, returns.as_bytes())), expected, "{name} {front} with returns");
        }
    }
}

#[test]
fn a_run_that_is_cut_off_anywhere_is_read_without_failing() {
    for name in ["vitest.txt", "vitest.xml", "vitest.json", "node-tap.txt", "jest.txt"] {
        let whole = sample(name);
        for length in (0..whole.len()).step_by(97) {
            let reading = read(name, &whole[..length]);
            assert!(reading.failures.len() <= read(name, &whole).failures.len() + 1, "{name} {length}");
        }
    }
}

#[test]
fn whose_a_report_is_stands_among_lines_that_tell_nothing() {
    let noise = "test billing::one ... ok\n  12: core::ops\n   Compiling a v1.0.0\n\n".repeat(9);
    let report = "Error: Property failed after 1 tests\n{ seed: 7, path: \"0:1\", endOnFailure: true }\n\
                  Counterexample: [1]\nShrunk 1 time(s)\n    at f (a.test.js:3:4)\n";
    let log = format!("{noise}FAIL a.test.js\n{noise}  ● suite › title\n\n{report}{noise}");
    let stamped = |line: &str| format!("2026-11-30T03:00:07.5670000Z {line}\n");
    for log in [log.clone(), log.lines().map(stamped).collect(), log.replace('\n', "\r\n")] {
        let reading = FastCheck.read(&RunOutput::new("log", log.as_bytes()));
        let [failure] = reading.failures.as_slice() else { panic!("{:?}\n{log}", reading) };
        assert_eq!(failure.test.0, "suite > title");
        assert_eq!(failure.location.as_ref().map(|at| at.file.0.as_str()), Some("a.test.js"));
    }
}

#[test]
fn a_file_at_the_top_has_one_name_however_jest_writes_it() {
    let report = "  ● q › t\n\n    Property failed after 1 tests\n    { seed: 1, path: \"0\", endOnFailure: true }\n    Counterexample: [1]\n\
                  \x20   Shrunk 0 time(s)\n\n      at assert (q.test.js:3:8)\n\n    Cause:\n    expect(received).toBe(expected)\n\n      at q.test.js:4:9\n";
    for heading in ["FAIL ./q.test.js (5.7 s)", "FAIL q.test.js"] {
        let text = format!("{heading}\n{report}");
        let found = FastCheck.read(&RunOutput::new("log", text.as_bytes())).failures;
        let files: Vec<&str> = found.iter().filter_map(|one| Some(one.location.as_ref()?.file.0.as_str())).collect();
        assert_eq!(files, ["q.test.js"], "{heading}");
    }
}

#[test]
fn a_run_that_failed_apart_from_its_test_is_a_notice() {
    let line = |apart: bool| {
        format!(
            "{{\"redpin\":\"fast-check\",\"form\":1,\"id\":\"1.0.1\",\"file\":\"/r/a.test.ts\",\"root\":\"/r\",\"titles\":[\"t\"],\
             \"place\":null,\"failed\":true,\"apart\":{apart},\"seed\":4,\"path\":\"0\",\"runs\":1,\"shrinks\":0,\
             \"interrupted\":false,\"counterexample\":\"[2]\",\"arguments\":[\"2\"],\"error\":null,\"stack\":\"\"}}\n"
        )
    };
    let read = |apart| {
        let reading = FastCheck.read(&RunOutput::new("log", line(apart).as_bytes()));
        (reading.failures.len(), reading.notices.iter().map(|notice| notice.text.clone()).collect::<Vec<_>>())
    };
    assert_eq!(read(false), (1, Vec::new()));
    let (failures, notices) = read(true);
    assert_eq!((failures, notices.len()), (0, 1));
    assert!(notices[0].starts_with("`t` asked for a run by `fc.check`"), "{notices:?}");
}
