//! Pins that are not what they were planned to be: one that does not reproduce is held, one that does not compile gives way.

use super::bench::Bench;

const SHADOW: &str = "    use super::{balance, Entry, Kind};

    macro_rules! vec { ($($no:tt)*) => { compile_error!(\"no vec here\") } }
";

#[test]
fn what_is_not_proven_is_held_until_the_user_says_otherwise() {
    let bench = Bench::new("held");
    assert_eq!(bench.redpin(&["import", "--json", bench.log()]).0, 0);
    bench.edit("src/refund.rs", "+ 4_999", "+ 5_000");
    bench.edit("src/statement.rs", "    use super::{balance, Entry, Kind};\n", SHADOW);
    let both = ["half_a_cent_goes_up", "sum_of_all_entries"];

    let (code, answer) = bench.redpin(&["pin", "--verify", "--json", both[0], both[1]]);
    let (refund, statement) = (&answer["pins"][0], &answer["pins"][1]);
    assert_eq!((code, &refund["outcome"], &refund["proof"]), (0, &"refused".into(), &serde_json::Value::Null));
    assert_eq!(refund["reason"], "it does not reproduce: green in 6 of 6 runs on this code");
    assert_eq!((&statement["rung"], &statement["proof"]), (&"seed-only".into(), &"red".into()));
    let reason = statement["reason"].as_str().unwrap();
    assert!(reason.starts_with("a test with the value was tried: it does not compile: no vec here"), "{reason}");

    let (code, answer) = bench.redpin(&["pin", "--verify", "--stage-unproven", "--json", both[0]]);
    let refund = &answer["pins"][0];
    assert_eq!((code, &refund["outcome"], &refund["proof"]), (0, &"staged".into(), &"green".into()));
    let record = refund["files"].as_array().unwrap().iter().filter_map(|file| file.as_str());
    let record = record.filter(|file| file.ends_with(".json")).map(|file| bench.read(file)).collect::<String>();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["pin"]["proof"]["state"], "green");
    let (_, again) = bench.redpin(&["pin", "--verify", "--json", both[0]]);
    assert_eq!(again["pins"][0]["outcome"], "already-pinned");
}
