//! One morning from a red log to proven pins, and what becomes of a pin when the code under it changes.

use serde_json::Value;

use super::bench::Bench;

/// Of each pin of an answer, the values at `keys`.
fn told(answer: &Value, keys: [&str; 2]) -> Vec<[String; 2]> {
    let word = |pin: &Value, key: &str| pin[key].as_str().unwrap_or("null").to_owned();
    answer["pins"].as_array().unwrap().iter().map(|pin| keys.map(|key| word(pin, key))).collect()
}

fn pairs(pairs: &[[&str; 2]]) -> Vec<[String; 2]> {
    pairs.iter().map(|pair| pair.map(str::to_owned)).collect()
}

#[test]
fn a_pin_is_red_before_it_is_staged_and_green_after_the_fix() {
    let bench = Bench::new("story");
    let all = ["fee_grows_every_day", "spread_at_most_one_cent", "earlier_is_never_smaller"];
    let pin = [&["pin", "--json"], &all[..]].concat();
    assert_eq!(bench.redpin(&["import", "--json", bench.log()]).0, 0);
    let (code, answer) = bench.redpin(&pin);
    assert_eq!((code, told(&answer, ["outcome", "proof"])), (0, pairs(&[["staged", "red"]; 3])), "{answer:#}");
    let record = answer["pins"][1]["files"].as_array().unwrap().iter().filter_map(|file| file.as_str());
    let record = record.filter(|file| file.ends_with(".json")).map(|file| bench.read(file)).collect::<String>();
    let record: Value = serde_json::from_str(&record).unwrap();
    let proof = &record["pin"]["proof"];
    assert_eq!(
        (&proof["at"], &proof["shared"][0]),
        (&"src/instalments.rs:8".into(), &"instalments::tests::bill_4_earlier_is_never_smaller".into())
    );
    let (_, shown) = bench.redpin(&["show", all[2], "--json"]);
    let is_told = |hint: &Value| {
        let text = "its pin failed in the same line as `bill_4_spread_at_most_one_cent`: one cause";
        hint["text"] == text && hint["ground"] == "src/instalments.rs:8"
    };
    assert!(shown["hints"].as_array().unwrap().iter().any(is_told), "{shown:#}");

    let (code, answer) = bench.redpin(&["verify", "--json"]);
    assert_eq!(
        (code, told(&answer, ["state", "at"])),
        (0, pairs(&[["red", "src/fees.rs:36"], ["red", "src/instalments.rs:8"], ["red", "src/instalments.rs:8"]]))
    );

    bench.edit("src/fees.rs", "(cents * u64::from(days) / 2_000).min(CAP)", "cents * u64::from(days) + CAP");
    let (code, answer) = bench.redpin(&["verify", "--json"]);
    assert_eq!((code, told(&answer, ["state", "message"])[0].clone()), (1, ["green", ""].map(str::to_owned)));
    assert_eq!(bench.redpin(&["verify", "--json", "--expect", "green", all[0]]).0, 0);
    assert_eq!(bench.redpin(&["verify", "--json", "--expect", "green"]).0, 1);

    // What fails in the same way on the input on record is what was decided; on another it is another bug.
    let log = std::fs::read_to_string(bench.log()).unwrap();
    let other = bench.write_beside("later.log", &log.replace("cents = 41451, days = 193", "cents = 9, days = 1"));
    let states = |run: &str| {
        let (_, answer) = bench.redpin(&["list", "--json", run]);
        let rows =
            answer["failures"].as_array().unwrap().iter().filter(|row| row["test"].as_str().unwrap().ends_with(all[0]));
        rows.map(|row| (row["id"].as_str().unwrap().contains("_2"), row["state"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(states(bench.log()), [(false, "staged".into())]);
    assert_eq!(states(&other), [(true, "open".into())]);

    bench.edit("src/fees.rs", "const CAP: u64 = 4_000;", "const CAP: u64 = \"4_000\";");
    let (_, answer) = bench.redpin(&["verify", "--json"]);
    assert_eq!(told(&answer, ["state", "message"])[1], ["does-not-build", "mismatched types"].map(str::to_owned));
    assert_eq!(answer["pins"][1]["own_fault"], false);
}
