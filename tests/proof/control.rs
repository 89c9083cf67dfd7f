//! A property that is broken on purpose, and pins that cannot be told of as one would wish.

use serde_json::json;

use super::bench::Bench;

const BROKEN: &str = "(cents * u64::from(days) / 2_000).min(CAP)";
const SOUND: &str = "cents * u64::from(days) + CAP";
const PROPERTY: &str = "fee_grows_every_day";

/// A patch of one line of `src/fees.rs`.
fn patch(bench: &Bench, old: &str, new: &str) -> String {
    bench.edit("src/fees.rs", old, new);
    let patch = bench.git(&["diff", "--", "src/fees.rs"]);
    bench.edit("src/fees.rs", new, old);
    patch
}

/// What the program that mutates would say of a patch in the file `path`.
fn mutant(bench: &Bench, path: &str) -> serde_json::Value {
    let patch = bench.read_beside(path);
    let hunks = &patch[patch.find("@@").unwrap()..];
    let diff = format!("--- src/fees.rs\n+++ replace late_fee with something\n{hunks}");
    let function = json!({ "function_name": "late_fee" });
    json!({ "file": "src/fees.rs", "function": function, "replacement": "something", "diff": diff })
}

#[test]
fn a_violation_turns_a_property_red_and_is_on_record() {
    let bench = Bench::new("control");
    bench.edit("src/fees.rs", BROKEN, SOUND);
    bench.commit("Let fees grow");
    assert_eq!(bench.redpin(&["import", "--json", bench.log()]).0, 0);
    let violation = bench.write_beside("violation.patch", &patch(&bench, SOUND, BROKEN));
    let harmless = bench.write_beside("harmless.patch", &patch(&bench, SOUND, &format!("{SOUND} + 0")));
    let before = bench.repository();

    let (code, answer) = bench.redpin(&["control", PROPERTY, "--json", "--patch", &harmless]);
    assert_eq!((code, &answer["outcome"]), (1, &json!("green")));
    let (code, answer) = bench.redpin(&["control", PROPERTY, "--json", "--patch", &violation]);
    assert_eq!((code, &answer["outcome"]), (0, &json!("red")));
    assert_eq!(
        (&answer["tests"][0]["before"]["state"], &answer["tests"][0]["after"]["state"]),
        (&json!("green"), &json!("red"))
    );
    let file = answer["record"].as_str().unwrap();
    let record: serde_json::Value = serde_json::from_str(&bench.git(&["show", &format!(":{file}")])).unwrap();
    assert_eq!(
        (&record["schema"], &record["outcome"], &record["who"]),
        (&json!(1), &json!("red"), &json!("Ada <ada@example.org>"))
    );
    assert!(record["patch"].as_str().unwrap().contains(&format!("+    {BROKEN}")), "{record}");
    let (code, again) = bench.redpin(&["control", PROPERTY, "--json", "--patch", &violation]);
    assert_eq!((code, &again["record"]), (0, &answer["record"]));
    for _ in 0..2 {
        assert_eq!(bench.tried(&["undo"]).0, 0);
    }
    assert_eq!(bench.repository(), before);
    let mutants = serde_json::json!([mutant(&bench, &harmless), mutant(&bench, &violation)]);
    let mutate = ["control", PROPERTY, "--json", "--mutate"];
    let (code, answer) = bench.mutated(&mutate, &mutants.to_string());
    assert_eq!((code, &answer["outcome"], &answer["tried"]), (0, &json!("red"), &json!(2)));
    assert_eq!(answer["mutation"], json!("src/fees.rs: replace late_fee with something"));
    assert_eq!(bench.tried(&["undo"]).0, 0);
    let (code, answer) = bench.mutated(&mutate, &json!([mutants[0]]).to_string());
    assert_eq!((code, &answer["outcome"], &answer["record"]), (1, &json!("green"), &json!(null)));
    assert_eq!(bench.repository(), before);

    let refused = bench.tried(&["control", PROPERTY, "--patch", bench.log()]);
    assert_eq!(refused.0, 3, "{}", refused.1);
    // How the property comes out without a patch that cannot be put in is not told.
    assert_eq!(refused.1, "");
}
