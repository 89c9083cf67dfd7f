//! A contract against its base, run by cargo: a property that the change breaks blocks it; one that was broken before, one that
//! comes out now so and now so, and one that is set aside do not.

use serde_json::{Value, json};

use super::bench::Bench;

const TESTS: &str = r#"//! Four properties of the contract.

use proptest::prelude::*;

/// Whether the tests are run for the first, third, … time.
fn is_odd_turn() -> bool {
    use std::sync::OnceLock;
    static TURNS: OnceLock<usize> = OnceLock::new();
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/turns-of-the-contract");
    let count = || {
        let turns = std::fs::read(file).map_or(0, |told| told.len());
        std::fs::write(file, ".".repeat(turns + 1)).unwrap();
        turns
    };
    TURNS.get_or_init(count) % 2 == 0
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn promise_holds(days in 0u32..1000) {
        prop_assert!(ledger::fees::late_fee(2_000, days) <= u64::from(days));
    }

    #[test]
    fn promise_was_broken(days in 0u32..1000) {
        prop_assert!(days < 3);
    }

    #[test]
    fn promise_is_flaky(days in 0u32..1000) {
        prop_assert!(days < 1000 && is_odd_turn());
    }

    #[test]
    fn promise_is_aside(days in 0u32..1000) {
        prop_assert!(days < 4);
    }
}
"#;

/// What a check of the contract says: its exit code, its answer, and what it tells of the base.
fn checked(bench: &Bench) -> (i32, Value, Vec<String>) {
    let output = bench.command(&["check", "contract", "--base", "HEAD"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let is_told =
        |line: &&str| ["already at ", "flaky at ", "set aside ", "evidence: "].iter().any(|it| line.starts_with(it));
    let told = said.lines().filter(is_told).map(str::to_owned).collect();
    (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap(), told)
}

#[test]
fn what_a_change_broke_is_told_apart_from_what_was_broken() {
    let bench = Bench::new("contract");
    bench.write("tests/promises.rs", TESTS);
    let tests = ["promise_holds", "promise_was_broken", "promise_is_flaky", "promise_is_aside"];
    let contract = json!({
        "today": "2026-12-01",
        "fixtures": {},
        "properties": tests.map(|test| json!({ "test": test, "seed": 7 })),
        "flaky": [{ "test": "promise_is_aside", "expires": "2026-12-20" }],
    });
    bench.write("patch-contract.json", &contract.to_string());
    bench.git(&["add", "tests/promises.rs", "patch-contract.json"]);
    let base = bench.commit("Promise")[..7].to_owned();
    let expected = |evidence: u32| {
        let aside = "set aside until 2026-12-20 (19 days left), and no evidence: promise_is_aside: it fails: assertion failed: \
                     days < 4";
        let of_base =
            |what: &str, test: &str| (format!("{what} at {base} "), format!("counted: property failed: {test} seed=7"));
        let told = [of_base("already", tests[1]), of_base("flaky", tests[2])];
        let evidence = format!("evidence: {evidence} of 4 properties");
        move |lines: &[String]| {
            let is_there = |(start, end): &(String, String)| {
                lines.iter().any(|line| line.starts_with(start.as_str()) && line.ends_with(end.as_str()))
            };
            assert!(told.iter().all(is_there), "{lines:#?}");
            assert!(lines.iter().any(|line| line.starts_with(aside)) && lines.contains(&evidence), "{lines:#?}");
        }
    };

    let (code, answer, told) = checked(&bench);
    assert_eq!((code, answer), (0, json!({ "ok": true, "failures": [] })), "{told:#?}");
    expected(1)(&told);

    bench.edit("src/fees.rs", "/ 2_000)", "/ 2_000 + 1)");
    let (code, answer, told) = checked(&bench);
    let failures = ["property failed: promise_holds seed=7"];
    assert_eq!((code, answer), (1, json!({ "ok": false, "failures": failures })), "{told:#?}");
    expected(0)(&told);
}
