//! `redpin run` of tests that hand over what they know: a recorded run played again, and the real test runners where this
//! machine has them.

use std::path::PathBuf;

use super::desk::Desk;
use crate::real::tools::runs;

/// A recorded run of pytest: what it printed, and then what it handed over.
const RECORDED: &str = "tests/data/hypothesis/handed.txt";

fn recorded() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(RECORDED)
}

/// Ids and inputs of the failures that a command tells as JSON.
fn told(desk: &Desk, arguments: &[&str]) -> Vec<(String, String)> {
    let told: serde_json::Value = serde_json::from_str(&desk.redpin(arguments).out).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let one = |failure: &serde_json::Value| (text(&failure["id"]), text(&failure["counterexample"]["text"]));
    told["failures"].as_array().unwrap().iter().map(one).collect()
}

#[test]
fn what_tests_hand_over_is_part_of_the_run_and_of_its_copy() {
    let desk = Desk::new();
    let recorded = recorded();
    let (kept, path) = (desk.top().join("kept.log"), recorded.to_str().unwrap());
    let (kept, mark) = (kept.to_str().unwrap(), "{\"redpin\"");
    let pytest = format!("grep -v '^{mark}' {path}; grep '^{mark}' {path} >> \"$REDPIN_CAPTURE\"; exit 3 # pytest");
    let answer = desk.redpin(&["run", "--keep", kept, "--", "sh", "-c", &pytest]);
    assert_eq!((answer.code, answer.out.lines().last()), (1, Some("8 failures, 8 causes")), "{}", answer.err);
    assert_eq!(std::fs::read(kept).unwrap(), std::fs::read(&recorded).unwrap());
    assert_eq!(told(&desk, &["list", "--json", kept]), told(&desk, &["list", "--json", path]));
    assert_eq!(desk.redpin(&["import", kept]).out.lines().last(), Some("0 new, 8 known from before"));
}

#[test]
fn a_run_that_cannot_be_kept_is_read_all_the_same() {
    let desk = Desk::new();
    let path = desk.top().join("no/folder/kept.log");
    let answer = desk.redpin(&["run", "--keep", path.to_str().unwrap(), "--", "cat", desk.run()]);
    assert_eq!(answer.code, 0);
    assert!(answer.err.contains("the run could not be kept here: "), "{}", answer.err);
    assert!(answer.out.lines().last().is_some_and(|line| line.ends_with("causes")), "{}", answer.out);
}

#[test]
fn pytest_hands_over_and_comes_out_as_it_would() {
    if !runs(&["python3", "-c", "import pytest, hypothesis"], "a Python with pytest and Hypothesis") {
        return;
    }
    let desk = Desk::new();
    let given = "from hypothesis import given, strategies as st\n\n@given(x=st.integers(0, 99))\n";
    desk.create("tests/test_small.py", &format!("{given}def test_small(x):\n    assert x < 50\n"));
    let kept = desk.top().join("kept.log");
    let pytest = ["python3", "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider", "tests/test_small.py"];
    let answer = desk.redpin(&[&["run", "--keep", kept.to_str().unwrap(), "--"], &pytest[..]].concat());
    assert_eq!((answer.code, answer.out.lines().last()), (1, Some("1 failure, 1 cause")), "{}", answer.err);
    assert!(std::fs::read_to_string(kept).unwrap().contains("\n{\"redpin\": \"hypothesis\", "));
}

#[test]
fn node_runs_as_it_would() {
    if !runs(&["node", "--version"], "Node") {
        return;
    }
    let desk = Desk::new();
    let script = "import('fs').then((fs) => { console.log(typeof fs.readFileSync); process.exit(0); })";
    let answer = desk.redpin(&["run", "--", "node", "-e", script]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(answer.err.starts_with("function\n"), "{}", answer.err);
}
