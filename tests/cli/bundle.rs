//! `redpin evidence`: the bundle for a pull request, of a sample in which much is missing.

use redpin::proof::{Evidence, PinState};
use redpin::store::{evidence, sweeps};
use redpin::sweep::Sweep;
use serde_json::{Value, json};

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
    for text in ["was not run at the base and here", "no mutation score", "no violation on purpose", "is open since "] {
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

/// A sweep that began before all that was read, and showed three failures.
fn sweep(commit: &str) -> Sweep {
    let when = "2026-11-30T03:17:00Z".to_owned();
    Sweep {
        name: "nightly".to_owned(),
        when: when.clone(),
        command: "cargo test".to_owned(),
        commit: commit.to_owned(),
        cases: 10_000,
        of: 1,
        shards: [(1, when)].into(),
        properties: None,
        failures: 3,
        new: 3,
        known: 0,
        milliseconds: 9_000,
        exit: 101,
    }
}

/// A pin of the fee that came out so.
fn came_out(pin: &Value, state: PinState, commit: &str, elsewhere: bool) -> Evidence {
    Evidence {
        schema: 1,
        failure: pin["failure"].as_str().unwrap().to_owned(),
        test: pin["pin"]["test"].as_str().unwrap().to_owned(),
        state,
        when: "2026-11-30T09:00:00Z".to_owned(),
        commit: commit.to_owned(),
        command: "cargo test".to_owned(),
        toolchain: String::new(),
        milliseconds: 1,
        exit: 0,
        output: String::new(),
        own_fault: false,
        elsewhere,
        message: String::new(),
        at: String::new(),
        below: false,
    }
}

/// From the sweep over verdicts, pins and the fix to a bundle in which nothing is missing; what tests would show is played.
#[test]
fn a_whole_round_makes_a_whole_bundle() {
    let desk = Desk::new();
    let base = desk.git(&["rev-parse", "HEAD"]).trim().to_owned();
    desk.exclude("mutants.out");
    desk.create("mutants.out/outcomes.json", r#"{"missed":1,"caught":3,"timeout":0}"#);
    desk.redpin(&["import", desk.run()]);
    let store = desk.top().join(".git/redpin");
    sweeps::keep(&store, &[sweep(&base)]).unwrap();
    let told = bundle(&desk);
    let failed = told["failures"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap());
    let open = failed.clone().count();
    assert!(open > 1 && misses(&told, &format!("is red, and {open} of its failures wait for a verdict")), "{told}");
    for id in failed {
        let fee = told["failures"].as_array().unwrap().iter().find(|row| row["id"] == id).unwrap();
        let is_fee = fee["property"].as_str().unwrap().ends_with("bill_9_fee_grows_every_day");
        let verdict = if is_fee { "real-bug" } else { "wrong-property" };
        assert_eq!(desk.redpin(&["decide", id, verdict, "--note", "seen"]).code, 0);
    }
    let properties =
        told["requirements"].as_array().unwrap().iter().flat_map(|one| one["properties"].as_array().unwrap());
    for (number, property) in properties.enumerate() {
        let control = json!({"schema": 1, "property": property, "framework": "", "package": null, "file": null, "who": "",
            "when": "2026-11-30T09:00:00Z", "commit": "", "digest": "", "patch": "", "outcome": "red", "test": "", "message": "",
            "at": ""});
        desk.create(&format!(".redpin/controls/{number}.json"), &control.to_string());
    }
    desk.git(&["add", "-A"]);
    desk.git(&["commit", "-q", "-m", "Pin the fee and mend it"]);
    let here = desk.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let name = desk.git(&["ls-files", ".redpin/decisions/*fee_grows*"]);
    let record: Value = serde_json::from_str(&desk.git(&["show", &format!("HEAD:{}", name.trim())])).unwrap();
    let proof = [came_out(&record, PinState::Red, &base, true), came_out(&record, PinState::Green, &here, false)];
    evidence::keep(&store, &proof).unwrap();
    let answer = desk.redpin(&["evidence", "--base", &base, "--format", "json"]);
    let told: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!((&told["missing"], &told["complete"]), (&json!([]), &true.into()));
    assert_eq!((&told["pins"][0]["base"], &told["pins"][0]["here"]), (&"red".into(), &"green".into()));
    assert_eq!((&told["sweeps"][0]["failures"], &told["sweeps"][0]["open"]), (&3.into(), &0.into()));
    let page = desk.redpin(&["evidence", "--base", &base]).out;
    for line in ["Nothing is missing.", "| 1 of 1 | 3 failed, all with a verdict |", "| 10000 x each |"] {
        assert!(page.contains(line), "{line}: {page}");
    }
}
