//! `list` and `show`: they read, and change nothing.

use super::desk::Desk;

#[test]
fn listing_a_run_prints_its_failures_by_cause_and_touches_nothing() {
    let desk = Desk::new();
    let before = desk.state();
    let answer = desk.redpin(&["list", desk.run()]);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    assert_eq!(answer.out, include_str!("list.txt"));
    assert_eq!(desk.state(), before);
    assert!(!desk.top().join(".git/redpin").exists());
}

#[test]
fn a_failure_is_shown_with_its_requirement_and_its_source() {
    let desk = Desk::new();
    let answer = desk.redpin(&["show", "spread_at_most_one_cent", desk.run()]);
    let last_change = desk.git(&["log", "-1", "--format=%h %as %an: %s"]);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    assert_eq!(answer.out.replace(last_change.trim_end(), "COMMIT"), include_str!("show.txt"));
    assert!(!desk.top().join(".git/redpin").exists());
}

#[test]
fn a_run_is_listed_outside_a_repository_as_well() {
    let desk = Desk::new();
    let answer = desk.redpin_outside(&["list", "--json", desk.run()]);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    let told: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(told["failures"].as_array().unwrap().len(), 9);
    assert_eq!(told["aborted"].as_array().unwrap().len(), 1);
    let answer = desk.redpin_outside(&["list"]);
    assert_eq!((answer.code, answer.out.as_str()), (3, ""));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test makes its files")]
fn a_file_that_is_no_run_is_told_from_a_green_one() {
    let desk = Desk::new();
    let answer = desk.redpin_outside(&["list", "--json", desk.top().join("Cargo.toml").to_str().unwrap()]);
    let told: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!((answer.code, told["notices"].as_array().unwrap().len()), (0, 1));
    assert_eq!(
        told["notices"][0]["text"],
        "expected the output of a test run or a regression file, found no sign of either: is it the right file?"
    );
    let green = desk.top().join("green.log");
    std::fs::write(&green, "\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed\n").unwrap();
    let answer = desk.redpin_outside(&["list", green.to_str().unwrap()]);
    assert_eq!((answer.code, answer.out.as_str(), answer.err.as_str()), (0, "0 failures, 0 causes\n", ""));
}

#[test]
fn the_json_of_a_failure_has_these_keys_and_values() {
    let desk = Desk::new();
    let answer = desk.redpin(&["list", "--json", desk.run()]);
    let told: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    let spread = told["failures"].as_array().unwrap().iter().find(|row| row["requirement"] == "BILL-4").unwrap();
    let expected: serde_json::Value = serde_json::from_str(include_str!("row.json")).unwrap();
    let mut row = spread.clone();
    row["occurrences"][0]["imported"] = "TIME".into();
    assert_eq!(row, expected);
}

#[test]
fn regression_lines_new_in_the_work_tree_are_listed_without_any_run() {
    let desk = Desk::new();
    let answer = desk.redpin(&["list"]);
    assert_eq!(answer.code, 0);
    assert_eq!(answer.out.lines().last(), Some("8 failures, 8 causes"));
}

#[test]
fn new_lines_of_regression_files_that_sources_name_are_listed_as_well() {
    let desk = Desk::new();
    let config = |set: &str| format!("#![proptest_config(ProptestConfig::with_failure_persistence({set}))]");
    let property =
        |set: &str, name: &str| format!("proptest! {{ {} #[test] fn {name}(x in 0u8..9) {{}} }}\n", config(set));
    let beside = property("FileFailurePersistence::WithSource(\"seeds\")", "one");
    desk.create("src/late.rs", &(beside + &property("FileFailurePersistence::Direct(\"kept/all\")", "two")));
    desk.create("src/late.seeds", &format!("cc {} # shrinks to x = 3\n", "a1".repeat(32)));
    desk.create("kept/all", &format!("cc {} # shrinks to x = 4\n", "a2".repeat(32)));
    desk.create("kept/other", &format!("cc {} # shrinks to x = 5\n", "a3".repeat(32)));
    let told: serde_json::Value = serde_json::from_str(&desk.redpin(&["list", "--json"]).out).unwrap();
    let failures = told["failures"].as_array().unwrap().iter();
    let rows: Vec<_> = failures
        .filter(|row| row["file"] == "src/late.rs")
        .map(|row| (row["test"].as_str().unwrap(), row["counterexample"]["text"].as_str().unwrap()))
        .collect();
    assert_eq!(rows, [("late::two", "x = 4"), ("late::one", "x = 3")]);
}

#[test]
fn the_same_run_read_twice_adds_nothing() {
    let desk = Desk::new();
    let import = || desk.redpin(&["import", desk.run()]).out;
    let inbox = || std::fs::read_to_string(desk.top().join(".git/redpin/inbox.jsonl")).unwrap();
    assert_eq!(import(), "LOG  10 failures\n10 new, 0 known from before\n");
    let once = inbox();
    assert_eq!(import(), "LOG  10 failures\n0 new, 10 known from before\n");
    assert_eq!(inbox(), once);
}

#[test]
fn an_input_that_is_pinned_already_is_hinted_at() {
    let desk = Desk::new();
    let hints = || {
        let answer = desk.redpin(&["show", "fee_grows_every_day", desk.run(), "--json"]);
        let told: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
        let hints = told["hints"].as_array().unwrap().iter().map(|hint| hint["text"].as_str().unwrap().to_owned());
        hints.collect::<Vec<_>>()
    };
    assert_eq!(hints(), Vec::<String>::new());
    desk.redpin(&["pin", "--all", "--run", desk.run()]);
    assert_eq!(hints(), ["this very input is pinned already"]);
}

#[test]
fn a_seed_that_fits_no_property_any_more_is_hinted_at() {
    let desk = Desk::new();
    desk.replace("src/fees.rs", "(cents in ", "(sum in ");
    let answer = desk.redpin(&["show", "fee_grows_every_day", desk.run(), "--json"]);
    let told: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    let text = "this seed fits no property of src/fees.rs: its values are named `cents, days`; the property has changed or \
                is gone";
    assert_eq!(told["hints"], serde_json::json!([{ "text": text, "ground": "proptest-regressions/fees.txt:7" }]));
}

#[test]
fn a_regression_file_of_which_a_part_is_staged_is_listed_once() {
    let desk = Desk::new();
    let file = "tests/text.proptest-regressions";
    let listed = || {
        let answer = desk.redpin(&["import"]);
        answer.out.lines().filter(|line| line.starts_with(file)).map(str::to_owned).collect::<Vec<_>>()
    };
    let before = listed();
    assert!(before[0].ends_with("  3 failures"), "{before:?}");
    assert_eq!(desk.redpin(&["pin", "any_text_is_read_or_refused"]).code, 0);
    assert_eq!(desk.git(&["status", "--short", file]), format!("AM {file}\n"));
    assert_eq!(listed(), before);
}
