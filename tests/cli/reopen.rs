//! `redpin reopen`: what was decided waits for a verdict again, and its record stays.

use serde_json::Value;

use super::desk::Desk;

const FEE: &str = "bill_9_fee_grows_every_day";
const RECORDS: &str = ".redpin/decisions";

/// A sample whose fee was called a wrong property, in a commit.
fn decided() -> Desk {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    let staged = desk.redpin(&["decide", FEE, "wrong-property", "--note", "grows by week"]);
    assert_eq!(staged.code, 0, "{}", staged.err);
    desk.git(&["commit", "-q", "-m", "Judge the fee"]);
    // Committed since, which the next look finds out.
    desk.redpin(&["import", desk.run()]);
    desk
}

/// State and verdict of the fee's failure; `None` where the inbox has none.
fn fee(desk: &Desk) -> Option<(String, Value)> {
    let listed: Value = serde_json::from_str(&desk.redpin(&["list", "--json"]).out).unwrap();
    let rows = listed["failures"].as_array().unwrap();
    let row = rows.iter().find(|row| row["test"].as_str().unwrap().ends_with(FEE))?;
    Some((row["state"].as_str().unwrap().to_owned(), row["verdict"].clone()))
}

fn records(desk: &Desk) -> String {
    desk.git(&["ls-files", RECORDS]) + &desk.git(&["status", "--short", RECORDS])
}

#[test]
fn what_is_on_record_is_open_again_also_when_a_run_shows_it_again() {
    let desk = decided();
    let before = records(&desk);
    assert_eq!(fee(&desk), Some(("known".to_owned(), "wrong-property".into())));
    let told: Value = serde_json::from_str(&desk.redpin(&["reopen", FEE, "--json"]).out).unwrap();
    assert_eq!((&told["schema"], &told["state"]), (&1.into(), &"open".into()));
    assert!(told["test"].as_str().unwrap().ends_with(FEE));
    let open = Some(("open".to_owned(), Value::Null));
    assert_eq!((fee(&desk), records(&desk)), (open.clone(), before.clone()));
    desk.redpin(&["import", desk.run()]);
    assert_eq!(fee(&desk), open);
    assert_eq!(desk.redpin(&["undo"]).out, format!("undone: reopen {FEE}\n"));
    assert_eq!(fee(&desk), Some(("known".to_owned(), "wrong-property".into())));
    assert_eq!(records(&desk), before);
}

#[test]
fn another_verdict_keeps_what_was_decided_before() {
    let desk = decided();
    desk.redpin(&["reopen", FEE]);
    let staged = desk.redpin(&["decide", FEE, "ambiguous-spec", "--note", "is it by day?"]);
    assert_eq!(staged.code, 0, "{}", staged.err);
    let name = desk.git(&["ls-files", RECORDS]);
    let record: Value = serde_json::from_str(&desk.git(&["show", &format!(":{}", name.trim())])).unwrap();
    assert_eq!((&record["verdict"], &record["why"]), (&"ambiguous-spec".into(), &"is it by day?".into()));
    assert_eq!(
        (&record["before"][0]["verdict"], &record["before"][0]["why"]),
        (&"wrong-property".into(), &"grows by week".into())
    );
    assert_eq!(fee(&desk), Some(("staged".to_owned(), "ambiguous-spec".into())));
}

#[test]
fn what_has_left_the_inbox_comes_back_as_its_record_has_it() {
    let desk = decided();
    let green =
        desk.log("test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n");
    desk.redpin(&["import", &green]);
    assert_eq!(fee(&desk), None);
    assert_eq!(desk.redpin(&["reopen", FEE]).code, 0);
    assert_eq!(fee(&desk), Some(("open".to_owned(), Value::Null)));
    let shown: Value = serde_json::from_str(&desk.redpin(&["show", FEE, "--json"]).out).unwrap();
    assert_eq!(shown["failure"]["requirement"], "BILL-9");
    assert_eq!(shown["failure"]["note"], "grows by week");
    assert!(!shown["failure"]["counterexample"]["text"].as_str().unwrap().is_empty());
    assert!(!shown["failure"]["message"].as_str().unwrap().is_empty());
    let arguments = shown["failure"]["counterexample"]["arguments"].as_array().unwrap().iter();
    let names: Vec<&str> = arguments.map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["cents", "days"]);
    assert!(shown["failure"]["occurrences"][0]["run"].as_str().unwrap().starts_with(RECORDS));
    assert_eq!(desk.redpin(&["undo"]).code, 0);
    assert_eq!(fee(&desk), None);
}

#[test]
fn what_is_staged_or_open_or_nobodys_is_not_reopened() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    let open = desk.redpin(&["reopen", FEE]);
    assert_eq!(open.code, 1);
    assert!(open.err.contains("is open: there is no verdict to reopen"), "{}", open.err);
    desk.redpin(&["decide", FEE, "wrong-property"]);
    let before = desk.state();
    let staged = desk.redpin(&["reopen", FEE]);
    assert_eq!((staged.code, desk.state()), (1, before));
    assert!(staged.err.contains("take that staging back first"), "{}", staged.err);
    assert_eq!(desk.redpin(&["reopen", "nobody"]).code, 2);
}

#[test]
fn a_verdict_that_is_not_staged_is_taken_away() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    desk.redpin(&["decide", FEE, "real-bug", "--no-stage"]);
    assert_eq!(desk.redpin(&["reopen", FEE]).code, 0);
    assert_eq!(fee(&desk), Some(("open".to_owned(), Value::Null)));
}
