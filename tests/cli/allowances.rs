//! Which decisions allow that the oracle asks less, and which do not.

use serde_json::{Value, json};

use super::guard::{Guard, SOURCE};

const RECORD: &str = ".redpin/decisions/0-x.json";

/// A guard whose change narrows a generator.
fn narrowed() -> Guard {
    let guard = Guard::new();
    guard.0.replace(SOURCE, "2u32..=24", "2u32..=4");
    guard
}

/// What is found, and what is allowed.
fn told(guard: &Guard) -> Value {
    serde_json::from_str(&guard.0.redpin(&["check", "pins", "--base", "HEAD", "--json"]).out).unwrap()
}

/// The property of which the guard tells.
fn property_at(guard: &Guard) -> String {
    told(guard)["findings"][0]["text"].as_str().unwrap().split(": ").next().unwrap().to_owned()
}

/// A record that allows it.
fn record(guard: &Guard) -> Value {
    json!({
        "schema": 1, "failure": "0", "verdict": "wrong-property", "who": "Ada <ada@example.org>",
        "when": "2020-11-30T00:00:00Z", "why": "four parts are the most that the law allows", "framework": "proptest",
        "package": null, "property": property_at(guard), "file": SOURCE, "requirement": null, "counterexample": "",
        "message": "", "run": "", "pin": null,
    })
}

fn write(guard: &Guard, record: &Value) {
    guard.0.create(RECORD, &record.to_string());
}

fn commit(guard: &Guard) {
    guard.0.git(&["add", "-A"]);
    guard.0.git(&["commit", "-qm", "All"]);
}

/// `change` as one change of `record`, after which it allows nothing, for the reason `why`.
#[track_caller]
fn check_refused(change: &[(&str, Value)], why: &str) {
    let guard = narrowed();
    let mut record = record(&guard);
    for (key, value) in change {
        record[*key] = value.clone();
    }
    write(&guard, &record);
    guard.check(&["generator-narrowed"]);
    let text = told(&guard)["findings"][0]["text"].as_str().unwrap().to_owned();
    assert!(text.ends_with(&format!("; {RECORD} does not allow it: {why}")), "{text}");
}

#[test]
fn a_decision_with_a_reason_allows_it() {
    let guard = narrowed();
    write(&guard, &record(&guard));
    guard.check(&[]);
    let allowed = &told(&guard)["allowed"][0];
    assert_eq!(allowed["who"], "Ada <ada@example.org>");
    assert_eq!(allowed["record"], RECORD);
    let answer = guard.0.redpin(&["check", "pins", "--base", "HEAD"]);
    assert!(answer.out.contains(": allowed by Ada <ada@example.org>: "), "{}", answer.out);
    assert!(
        answer.out.contains("    .redpin/decisions/0-x.json: four parts are the most that the law allows\n"),
        "{}",
        answer.out
    );
}

#[test]
fn another_decision_allows_nothing_and_says_why() {
    check_refused(&[("why", json!(""))], "it gives no reason");
    check_refused(&[("verdict", json!("real-bug"))], "its verdict is real-bug, not wrong-property");
    check_refused(&[("verdict", json!("ambiguous-spec"))], "its verdict is ambiguous-spec, not wrong-property");
    check_refused(&[("framework", json!("hypothesis"))], "it is on a test of \"hypothesis\"");
    check_refused(&[("when", json!("whenever"))], "\"whenever\" is no moment up to now");
    check_refused(&[("when", json!("9000-01-01T00:00:00Z"))], "\"9000-01-01T00:00:00Z\" is no moment up to now");
    check_refused(
        &[("who", json!("Bob <bob@example.org>"))],
        "\"Bob <bob@example.org>\" is nobody who has committed it, and not git's user",
    );
}

#[test]
fn whoever_commits_a_decision_may_be_another_than_who_runs_the_check() {
    let guard = narrowed();
    let mut other = record(&guard);
    other["who"] = json!("Bob <bob@example.org>");
    write(&guard, &other);
    guard.0.git(&["add", "-A"]);
    guard.0.git(&["-c", "user.name=Bob", "-c", "user.email=bob@example.org", "commit", "-qm", "Allow"]);
    let answer = guard.0.redpin(&["check", "pins", "--base", "HEAD~1"]);
    assert_eq!(answer.code, 0, "{}", answer.out);
}

#[test]
fn a_decision_of_the_base_allows_nothing_anew() {
    let guard = narrowed();
    let old = record(&guard);
    guard.0.replace(SOURCE, "2u32..=4", "2u32..=24");
    write(&guard, &old);
    commit(&guard);
    guard.0.replace(SOURCE, "2u32..=24", "2u32..=4");
    guard.check(&["generator-narrowed"]);
    // The same in another file is no new one.
    guard.0.git(&["mv", RECORD, ".redpin/decisions/1-y.json"]);
    guard.check(&["generator-narrowed"]);
    guard.0.git(&["mv", ".redpin/decisions/1-y.json", RECORD]);
    let mut new = old.clone();
    new["when"] = json!("2020-12-01T00:00:00Z");
    write(&guard, &new);
    guard.check(&["decision-changed", "generator-narrowed"]);
    new["before"] = json!([old]);
    write(&guard, &new);
    guard.check(&[]);
}

#[test]
fn a_record_that_is_rewritten_or_gone_is_told() {
    let guard = Guard::new();
    let mut old = record(&narrowed());
    old["when"] = json!("2020-12-01T00:00:00Z");
    write(&guard, &old);
    commit(&guard);
    guard.check(&[]);
    guard.0.git(&["mv", RECORD, ".redpin/decisions/1-y.json"]);
    guard.check(&[]);
    guard.0.git(&["mv", ".redpin/decisions/1-y.json", RECORD]);
    for (key, value) in [("why", json!("fine")), ("verdict", json!("real-bug")), ("property", json!("x"))] {
        let mut new = old.clone();
        new[key] = value;
        write(&guard, &new);
        guard.check(&["decision-changed"]);
    }
    let mut earlier = old.clone();
    earlier["when"] = json!("2020-11-30T00:00:00Z");
    earlier["before"] = json!([old]);
    write(&guard, &earlier);
    guard.check(&["decision-changed"]);
    write(&guard, &json!({ "schema": 1 }));
    guard.check(&["decision-removed"]);
    guard.0.git(&["rm", "-qf", RECORD]);
    guard.check(&["decision-removed"]);
}

#[test]
fn a_person_allows_it_with_a_reason() {
    let guard = Guard::new();
    guard.0.replace(SOURCE, "2u32..=24", "2u32..=4");
    let allow = |name: &str, note: &str| guard.0.redpin(&["allow", name, "--base", "HEAD", "--note", note]);
    let refused = allow("bill_4_earlier_is_never_smaller", " ");
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    let refused = allow("bill_9_fee_is_capped", "no such finding");
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    assert!(refused.err.contains("found \"bill_9_fee_is_capped\""), "{}", refused.err);
    guard.check(&["generator-narrowed"]);
    let answer = allow("bill_4_earlier_is_never_smaller", "four parts are the most that the law allows");
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(answer.out.contains("bill_4_earlier_is_never_smaller: staged: .redpin/decisions/"), "{}", answer.out);
    guard.check(&[]);
    assert_eq!(told(&guard)["allowed"][0]["who"], "Ada <ada@example.org>");
    assert_eq!(guard.0.redpin(&["undo"]).code, 0);
    guard.check(&["generator-narrowed"]);
}

#[test]
fn a_requirement_that_says_something_else_is_allowed_by_its_id() {
    let guard = Guard::new();
    guard.0.replace(
        "spec.md",
        "The instalments sum to the total exactly.",
        "The instalments sum to the total or a little less.",
    );
    guard.check(&["requirement-changed"]);
    let answer = guard.0.redpin(&["allow", "BILL-4", "--base", "HEAD", "--note", "the shop said so", "--json"]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    let told: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(told["records"][0]["name"], "BILL-4");
    guard.check(&[]);
}

#[test]
fn what_is_about_no_test_is_allowed_by_its_file() {
    let guard = Guard::new();
    guard.0.create("golden/a.txt", "one\ntwo\n");
    guard.0.create(".redpin/config.toml", "[oracle]\nfiles = [\"golden/**\"]\n");
    commit(&guard);
    guard.0.create("golden/a.txt", "one\n");
    guard.check(&["file-changed"]);
    let answer = guard.0.redpin(&["allow", "golden/a.txt", "--base", "HEAD", "--note", "two is no more"]);
    assert!(answer.out.starts_with("golden/a.txt: staged: .redpin/decisions/"), "{}", answer.out);
    guard.check(&[]);
}
