//! Pins put into other commits: the base of a change, and each step on the way to the commit that broke a property.

use serde_json::{Value, json};

use super::bench::Bench;

const BROKEN: &str = "(cents * u64::from(days) / 2_000).min(CAP)";
const SOUND: &str = "cents * u64::from(days) + CAP";
const PIN: &str = "fee_grows_every_day";

/// Of each step of a bisection, the commit's title and how the pin came out.
fn steps(answer: &Value) -> Vec<(&str, &str)> {
    let word = |step: &'_ Value, key: &str| step[key].as_str().unwrap().to_owned().leak() as &str;
    answer["steps"].as_array().unwrap().iter().map(|step| (word(step, "title"), word(step, "state"))).collect()
}

#[test]
fn a_pin_tells_of_other_commits_how_it_comes_out_there() {
    let bench = Bench::new("base");
    bench.edit("src/fees.rs", BROKEN, SOUND);
    let good = bench.commit("Let fees grow");
    bench.edit("src/fees.rs", "const CAP: u64 = 4_000;", "const CAP: u64 = 4_000; // cents");
    bench.commit("Say what the cap is in");
    bench.edit("src/fees.rs", SOUND, BROKEN);
    let broke = bench.commit("Cap fees");
    bench.edit("src/fees.rs", "const CAP: u64", "const CAP: u64 = no;\nconst MOST: u64");
    bench.commit("Leave half a change");
    bench.edit("src/fees.rs", "const CAP: u64 = no;\nconst MOST: u64", "const CAP: u64");
    bench.commit("Mend the build");
    assert_eq!(bench.redpin(&["import", "--json", bench.log()]).0, 0);
    assert_eq!(bench.redpin(&["pin", "--no-verify", "--json", PIN]).0, 0);
    let before = bench.repository();

    let (code, answer) = bench.redpin(&["bisect", PIN, "--good", &good, "--json"]);
    assert_eq!((code, &answer["outcome"], &answer["commits"][0]["commit"]), (0, &json!("found"), &json!(broke)));
    let steps = steps(&answer);
    assert_eq!(steps[..2], [("Let fees grow", "green"), ("Mend the build", "red")]);
    assert!(steps.contains(&("Cap fees", "red")), "{steps:?}");
    assert!(steps.contains(&("Say what the cap is in", "green")), "{steps:?}");
    let (code, answer) = bench.redpin(&["bisect", PIN, "--good", &broke, "--json"]);
    assert_eq!((code, &answer["outcome"]), (1, &json!("not-green")));

    bench.edit("src/fees.rs", BROKEN, SOUND);
    let (code, answer) = bench.redpin(&["verify", "--base", "HEAD", "--json"]);
    let pin = &answer["pins"][0];
    assert_eq!((code, &pin["state"], &pin["base"]["state"]), (0, &json!("green"), &json!("red")));
    assert_eq!(pin["base"]["at"], json!("src/fees.rs:36"));
    let (code, answer) = bench.redpin(&["verify", "--base", &good, "--json"]);
    assert_eq!((code, &answer["pins"][0]["base"]["state"]), (1, &json!("green")));
    bench.edit("src/fees.rs", SOUND, BROKEN);
    assert_eq!(bench.repository(), before);
}
