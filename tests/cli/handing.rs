//! What is handed to a coding agent, and what comes back of it.

use super::desk::Desk;

const ANSWER: &str = r#"Here it is:
{"schema": 1, "verdict": "real-bug", "why": "the cap is met 193 days early \u001b[2J", "source": "agent 7"}"#;

#[test]
fn a_failure_is_handed_over_with_all_that_is_known_of_it() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    let answer = desk.redpin(&["prompt", "triage", "fee_grows_every_day"]);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    for part in [
        "# Whose fault is this failing property?\n",
        "- property: `fees::tests::bill_9_fee_grows_every_day`\n",
        "```text\ncents = 41451\ndays = 193\n```\n",
        "`BILL-9` in `spec.md:",
        "fn bill_9_fee_grows_every_day(cents in",
        "Answer with one JSON object",
    ] {
        assert!(answer.out.contains(part), "{part:?}: {}", answer.out);
    }
    assert_eq!(desk.redpin(&["prompt", "triage"]).code, 2);
    assert_eq!(desk.redpin(&["prompt", "triage", "nobody"]).code, 2);
}

#[test]
fn the_other_tasks_are_about_a_requirement_a_property_or_everything() {
    let desk = Desk::new();
    let told = |arguments: &[&str]| {
        let answer = desk.redpin(&[&["prompt"], arguments].concat());
        assert_eq!(answer.code, 0, "{}", answer.err);
        answer.out
    };
    let all = told(&["extract"]);
    assert!(all.contains("`BILL-4` in `spec.md:") && all.contains("`CSV-1` in `spec.md:"), "{all}");
    let one = told(&["write", "bill-4"]);
    assert!(one.contains("`BILL-4` in") && !one.contains("`CSV-1` in"), "{one}");
    assert!(one.contains("fn bill_4_sum_is_exact(") && !one.contains("fn bill_9_fee_is_capped("), "{one}");
    let property = told(&["audit", "bill_9_fee_is_capped"]);
    assert!(property.contains("fn bill_9_fee_is_capped(") && property.contains("`BILL-9` in"), "{property}");
    assert!(!property.contains("fn bill_9_fee_grows_every_day("), "{property}");
    let nothing = desk.redpin(&["prompt", "audit", "nobody"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (2, ""));
}

#[test]
fn a_suggestion_is_shown_and_changes_nothing() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    let list = || desk.redpin(&["list", "--json"]).out;
    let (before, state) = (list(), desk.state());
    let file = desk.log(ANSWER);
    let answer = desk.redpin(&["suggest", "fee_grows_every_day", "--from", &file]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(answer.out.ends_with(": agent 7 suggests real-bug; nothing is decided by that\n"), "{}", answer.out);
    assert_eq!((list(), desk.state()), (before, state));
    let shown = desk.redpin(&["show", "fee_grows_every_day"]).out;
    assert!(shown.contains("real-bug (by agent 7, "), "{shown}");
    assert!(shown.contains("the cap is met 193 days early \\u{1b}[2J"), "{shown}");
    let json: serde_json::Value =
        serde_json::from_str(&desk.redpin(&["show", "fee_grows_every_day", "--json"]).out).unwrap();
    assert_eq!(json["suggestions"][0]["verdict"], "real-bug");
}

#[test]
fn what_is_no_suggestion_is_refused() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    let file = desk.log("I think it is a bug.");
    let answer = desk.redpin(&["suggest", "fee_grows_every_day", "--from", &file]);
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    assert!(answer.err.starts_with("redpin: this is no suggestion: expected {\"schema\": 1"), "{}", answer.err);
    assert_eq!(desk.redpin(&["suggest", "fee_grows_every_day", "--from", "missing.json"]).code, 2);
}
