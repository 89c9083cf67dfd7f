//! `redpin evidence`: the bundle for a pull request, of a sample in which much is missing.

use serde_json::Value;

use super::desk::Desk;

fn bundle(desk: &Desk) -> Value {
    let answer = desk.redpin(&["evidence", "--base", "HEAD", "--format", "json"]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    serde_json::from_str(&answer.out).unwrap()
}

fn misses(bundle: &Value, text: &str) -> bool {
    bundle["missing"].as_array().unwrap().iter().any(|one| one.as_str().unwrap().contains(text))
}

#[test]
fn what_is_known_and_what_is_missing_is_told() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    desk.redpin(&["pin", "fee_grows_every_day"]);
    let told = bundle(&desk);
    assert_eq!((&told["complete"], &told["schema"]), (&false.into(), &1.into()));
    let requirements = told["requirements"].as_array().unwrap();
    let bill = requirements.iter().find(|one| one["id"] == "BILL-9").unwrap();
    assert!(bill["properties"].as_array().unwrap().len() >= 2, "{bill}");
    assert_eq!(told["pins"][0]["property"], "fees::tests::bill_9_fee_grows_every_day");
    for text in
        ["was not run at the base and here", "no mutation score", "no violation on purpose", "is open since 0 hours"]
    {
        assert!(misses(&told, text), "{text}: {}", told["missing"]);
    }
    assert!(!misses(&told, "bill_9_fee_grows_every_day is open"), "{}", told["missing"]);
    assert!(!misses(&told, "the change takes from the oracle"), "{}", told["missing"]);
}

#[test]
fn what_mutation_testing_left_and_what_the_change_takes_is_in_it() {
    let desk = Desk::new();
    desk.exclude("mutants.out");
    desk.create("mutants.out/outcomes.json", r#"{"missed":1,"caught":3,"timeout":0,"unviable":2,"total_mutants":6}"#);
    desk.replace("src/instalments.rs", "2u32..=24", "2u32..=4");
    let told = bundle(&desk);
    assert_eq!((&told["mutation"][0]["noticed"], &told["mutation"][0]["tried"]), (&3.into(), &4.into()));
    assert!(!misses(&told, "no mutation score"));
    assert!(misses(&told, "the change takes from the oracle, and nobody has allowed it: "), "{}", told["missing"]);
    let page = desk.redpin(&["evidence", "--base", "HEAD"]).out;
    for line in [
        "# Evidence for ",
        "| cargo-mutants | 3 of 4 | 75 % | mutants.out/outcomes.json |",
        "**by nobody**",
        "## Missing\n\n- ",
    ] {
        assert!(page.contains(line), "{line}: {page}");
    }
}
