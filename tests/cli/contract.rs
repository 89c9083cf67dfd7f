//! `redpin check contract` and `redpin contract` on the sample repository, with a program that plays pytest: a test comes out as
//! its name says. What real runners do is for the tests of proofs.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::desk::{Answer, Desk};

/// Plays Python: hands over how the tests came out that pytest was to run, by their names.
const PYTEST: &str = r#"#!/bin/sh
tell() { printf '{"redpin": "seeded-test", "node": "%s", %s}\n' "$1" "$2" >> "$REDPIN_CAPTURE"; }
echo "$*" >> commands
for word; do
  case $word in
    *::*test_holds*) tell "$word" '"outcome": "passed", "said": ""' ;;
    *::*test_fixed*) tell "$word" '"unseeded": "it is derandomised"'; tell "$word" '"outcome": "passed", "said": ""' ;;
    *::*test_fails*) tell "$word" '"outcome": "failed", "said": "assert 3 < 3"' ;;
    *::*test_skips*) tell "$word" '"outcome": "skipped", "said": "slow"' ;;
    *::*test_waits*) sleep 30 ;;
    *::*test_gone*) echo "ERROR: not found: $word" ;;
  esac
done
"#;

const TESTS: &str = "python/test_fees.py";
const FILE: &str = "patch-contract.json";

struct Contract(Desk);

impl Contract {
    fn new() -> Contract {
        let desk = Desk::new();
        desk.create("py", PYTEST);
        std::fs::set_permissions(desk.top().join("py"), std::fs::Permissions::from_mode(0o755)).unwrap();
        desk.create(".redpin/config.toml", "[verify]\ntimeout = 2\n[verify.programs]\npython = \"./py\"\n");
        desk.create(TESTS, "def test_holds(): pass\n");
        desk.create("golden.json", "abc");
        desk.exclude("commands");
        desk.git(&["add", "-A"]);
        desk.git(&["commit", "-q", "-m", "Play pytest"]);
        Contract(desk)
    }

    fn write(&self, contract: &Value) {
        self.0.create(FILE, &format!("{contract:#}\n"));
    }

    fn check(&self, more: &[&str]) -> Answer {
        self.0.redpin(&[&["check", "contract"], more].concat())
    }

    /// Sees that the contract is broken in these ways and no other, and that standard output is that object alone.
    #[track_caller]
    fn is_broken(&self, contract: &Value, failures: &[&str]) {
        self.write(contract);
        let answer = self.check(&[]);
        let lines: Vec<String> = failures.iter().map(|line| Value::from(*line).to_string()).collect();
        let expected = format!("{{\"ok\": {}, \"failures\": [{}]}}\n", failures.is_empty(), lines.join(", "));
        assert_eq!(
            (answer.out.as_str(), answer.code),
            (expected.as_str(), i32::from(!failures.is_empty())),
            "{}",
            answer.err
        );
    }
}

fn property(name: &str, seed: i64) -> Value {
    json!({ "test": format!("{TESTS}::{name}"), "seed": seed })
}

fn aside(name: &str, expires: &str) -> Value {
    json!({ "test": format!("{TESTS}::{name}"), "expires": expires })
}

fn contract(fixtures: Value, properties: &[Value], flaky: &[Value]) -> Value {
    json!({ "today": "2026-12-01", "fixtures": fixtures, "properties": properties, "flaky": flaky })
}

#[test]
fn a_contract_is_kept_or_broken_line_by_line() {
    let kept = Contract::new();
    let golden = json!({ "golden.json": "ba7816bf8f01cfea" });
    kept.is_broken(&contract(golden.clone(), &[property("test_holds", 7)], &[]), &[]);
    let all = contract(
        json!({ "golden.json": "0123456789abcdef", "gone.json": "ba7816bf8f01cfea", "../up": "x", "python": "y" }),
        &[property("test_fails", -3), property("test_holds", 7), property("test_fails_too", 7)],
        &[aside("test_holds", "2026-11-30"), aside("test_fails_too", "2026-12-01"), aside("old", "2020-02-29")],
    );
    kept.is_broken(
        &all,
        &[
            "fixture drift: ../up x -> outside",
            "fixture drift: golden.json 0123456789abcdef -> ba7816bf8f01cfea",
            "fixture drift: gone.json ba7816bf8f01cfea -> missing",
            "fixture drift: python y -> unreadable",
            "stale quarantine: python/test_fees.py::test_holds expired 2026-11-30",
            "stale quarantine: python/test_fees.py::old expired 2020-02-29",
            "property failed: python/test_fees.py::test_fails seed=-3",
        ],
    );
    let commands = std::fs::read_to_string(kept.0.top().join("commands")).unwrap();
    let front = "-m pytest -q -p no:randomly -p no:cacheprovider -p redpin_seeded --tb=short --color=no";
    let second =
        format!("{front} --hypothesis-seed=7 python/test_fees.py::test_holds python/test_fees.py::test_fails_too");
    assert!(commands.lines().any(|line| line == second), "{commands}");
}

#[test]
fn what_cannot_be_seen_to_hold_is_a_failure_that_says_why() {
    let kept = Contract::new();
    let names = ["test_gone", "test_skips", "test_waits"];
    let properties: Vec<Value> = names.iter().map(|name| property(name, 1)).collect();
    let elsewhere =
        [json!({ "test": "python/none.py::test_x", "seed": 1 }), json!({ "test": "nobody::knows", "seed": 1 })];
    let contract = contract(json!({}), &[&properties[..], &elsewhere].concat(), &[]);
    kept.is_broken(
        &contract,
        &[
            "property failed: python/test_fees.py::test_gone seed=1",
            "property failed: python/test_fees.py::test_skips seed=1",
            "property failed: python/test_fees.py::test_waits seed=1",
            "property failed: python/none.py::test_x seed=1",
            "property failed: nobody::knows seed=1",
        ],
    );
    let answer = kept.check(&["--json"]);
    let told: Value = serde_json::from_str(&answer.out).unwrap();
    let reasons: Vec<&str> =
        told["reasons"].as_array().unwrap().iter().map(|one| one["reason"].as_str().unwrap()).collect();
    let expected = [
        "no test of that name was run",
        "it is skipped: slow",
        "it did not come to an end within 2 seconds",
        "there is no file python/none.py",
        "no test of that name is in this repository",
    ];
    assert_eq!(reasons, expected);
    assert!(answer.err.contains("property failed: nobody::knows seed=1: no test of that name is in this repository\n"));
    kept.0.replace(".redpin/config.toml", "./py", "./gone");
    let answer = kept.check(&[]);
    assert!(answer.err.contains("test_gone seed=1: cannot start `"), "{}", answer.err);
}

#[test]
fn a_contract_that_cannot_be_read_is_broken() {
    let kept = Contract::new();
    let told = |answer: Answer| (answer.code, answer.out);
    let missing = "{\"ok\": false, \"failures\": [\"contract cannot be read: patch-contract.json: No such file or directory \
                   (os error 2)\"]}\n";
    assert_eq!(told(kept.check(&[])), (1, missing.to_owned()));
    kept.0.create(FILE, "{\"today\": \"2026-12-01\", \"fixtures\": {}}");
    let invalid = "{\"ok\": false, \"failures\": [\"contract is not valid: patch-contract.json: missing field `properties` at \
                   line 1 column 39\"]}\n";
    assert_eq!(told(kept.check(&[])), (1, invalid.to_owned()));
    let named = kept.check(&["--file", "python/other.json"]);
    assert!(
        named.out.starts_with("{\"ok\": false, \"failures\": [\"contract cannot be read: other.json: "),
        "{}",
        named.out
    );
    let outside = kept.0.redpin_outside(&["check", "contract"]);
    assert_eq!(outside.code, 1);
    assert!(
        outside.out.starts_with("{\"ok\": false, \"failures\": [\"contract cannot be checked: "),
        "{}",
        outside.out
    );
    kept.write(&contract(json!({}), &[], &[]));
    let base = kept.check(&["--base", "no-such-branch"]);
    assert_eq!(base.code, 1);
    assert!(base.out.starts_with("{\"ok\": false, \"failures\": [\"contract cannot be checked: "), "{}", base.out);
}

#[test]
fn what_is_set_aside_blocks_nothing_and_is_no_evidence() {
    let kept = Contract::new();
    let properties = [property("test_fails", 1), property("test_fixed", 1), property("test_holds", 1)];
    let flaky = [aside("test_fails", "2026-12-04"), aside("test_holds", "2026-12-01"), aside("nobody", "2027-01-01")];
    kept.is_broken(&contract(json!({}), &properties, &flaky), &[]);
    let answer = kept.check(&["--json"]);
    let expected = "set aside until 2026-12-04 (3 days left), and no evidence: python/test_fees.py::test_fails: it fails: assert 3 < 3\n\
                    set aside until 2026-12-01 (its last day), and no evidence: python/test_fees.py::test_holds: it holds\n\
                    note: the seed 1 has no effect on python/test_fees.py::test_fixed: it is derandomised\n\
                    note: python/test_fees.py::nobody is set aside, and is no property of the contract\n\
                    evidence: 1 of 3 properties\n";
    assert!(answer.err.ends_with(expected), "{}", answer.err);
    let told: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!((&told["ok"], &told["failures"], &told["schema"]), (&json!(true), &json!([]), &json!(1)));
    let first = json!({
        "test": "python/test_fees.py::test_fails", "seed": 1, "outcome": "failed", "reason": "assert 3 < 3", "evidence": false,
        "quarantine": { "expires": "2026-12-04", "days_left": 3 }
    });
    assert_eq!(told["properties"][0], first);
    assert_eq!(told["properties"][1]["evidence"], json!(true));
}

/// The contract of the work tree; that of the index must be the same.
fn text(desk: &Desk) -> String {
    let text = std::fs::read_to_string(desk.top().join(FILE)).unwrap();
    assert_eq!(desk.git(&["show", &format!(":{FILE}")]), text);
    text
}

#[test]
fn a_contract_is_started_and_changed_in_operations_that_can_be_taken_back() {
    let kept = Contract::new();
    let desk = &kept.0;
    let before = desk.state();
    let done = |arguments: &[&str]| {
        let answer = desk.redpin(&[&["contract"], arguments].concat());
        assert_eq!(
            (answer.code, answer.out.as_str()),
            (0, "staged: patch-contract.json\n"),
            "{arguments:?} {}",
            answer.err
        );
    };
    done(&["init", "--today", "2026-12-01"]);
    let spec = &text(desk)[..];
    assert!(spec.starts_with("{\n  \"today\": \"2026-12-01\",\n  \"fixtures\": {\n    \"spec.md\": \""), "{spec}");
    assert!(spec.ends_with("\"\n  },\n  \"properties\": [],\n  \"flaky\": []\n}\n"), "{spec}");
    assert_eq!(kept.check(&[]).code, 0);
    let again = desk.redpin(&["contract", "init"]);
    assert_eq!(
        (again.code, again.err.as_str()),
        (1, "redpin: patch-contract.json is there already, and is not written over\n")
    );
    done(&["add-fixture", "golden.json", "./python/../py"]);
    let added = text(desk);
    assert!(added.contains("\",\n    \"golden.json\": \"ba7816bf8f01cfea\",\n    \"py\": \""), "{added}");
    done(&["quarantine", "t", "--expires", "2026-12-03", "--reason", " waits "]);
    let aside = "\"flaky\": [\n    {\n      \"test\": \"t\",\n      \"expires\": \"2026-12-03\",\n      \"reason\": \"waits\"\n    }\n  ]";
    assert_eq!(text(desk), added.replace("\"flaky\": []", aside));
    done(&["today", "2026-12-02"]);
    let back = desk.redpin(&["contract", "today", "2026-12-01"]);
    assert_eq!(back.code, 1);
    assert!(back.err.contains("today is 2026-12-02 in the contract, and goes forwards only"), "{}", back.err);
    for _ in 0..4 {
        assert_eq!(desk.redpin(&["undo"]).code, 0);
    }
    assert_eq!(desk.state(), before);
}

#[test]
fn a_renewal_has_a_reason_and_a_commit_of_its_own() {
    let kept = Contract::new();
    let desk = &kept.0;
    kept.write(&contract(json!({}), &[], &[aside("test_fails", "2026-12-03")]));
    desk.git(&["add", "-A"]);
    desk.git(&["commit", "-q", "-m", "Add a contract"]);
    let name = format!("{TESTS}::test_fails");
    let renew = |expires: &str, reason: &str| {
        desk.redpin(&["contract", "renew", &name, "--expires", expires, "--reason", reason])
    };
    assert_eq!(renew("2026-12-09", "  ").code, 2);
    assert_eq!(renew("2026-02-30", "waits").code, 2);
    desk.replace("golden.json", "abc", "abd");
    let refused = renew("2026-12-09", "waits");
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("golden.json has changes that are not committed"), "{}", refused.err);
    desk.git(&["checkout", "-q", "golden.json"]);
    assert_eq!(renew("2026-12-03", "waits").code, 1);
    assert_eq!(renew("2026-12-09", "waits for \"them\"").code, 0);
    let diff = desk.git(&["diff", "--cached", "-U0"]);
    let changed: Vec<&str> = diff.lines().filter(|line| line.starts_with(['+', '-'])).collect();
    let expected = [
        "--- a/patch-contract.json",
        "+++ b/patch-contract.json",
        "-      \"expires\": \"2026-12-03\",",
        "-      \"test\": \"python/test_fees.py::test_fails\"",
        "+      \"expires\": \"2026-12-09\",",
        "+      \"test\": \"python/test_fees.py::test_fails\",",
        "+      \"reason\": \"waits for \\\"them\\\"\"",
    ];
    assert_eq!(changed, expected);
    assert_eq!(desk.git(&["diff"]), "");
    assert_eq!(renew("2026-12-10", "again").code, 1);
}

#[test]
fn only_what_the_change_broke_counts_against_a_base() {
    let kept = Contract::new();
    let desk = &kept.0;
    // On the base one test fails, one holds and one does so every other time.
    let play = |fails: &str| {
        let flips = "n=$(cat \"$HOME/flips\" 2>/dev/null || echo 0); \
                     echo $((1 - n)) > \"$HOME/flips\"; \
                     if [ $n = 1 ]; then tell \"$word\" '\"outcome\": \"failed\", \"said\": \"at times\"'; \
                     else tell \"$word\" '\"outcome\": \"passed\", \"said\": \"\"'; fi";
        PYTEST.replace(
            "    *::*test_gone*)",
            &format!(
                "    *::*test_flips*) {flips} ;;\n    *::*test_new*) tell \"$word\" \"\\\"outcome\\\": \\\"{fails}\\\", \\\"said\\\": \\\"new\\\"\" ;;\n    *::*test_gone*)"
            ),
        )
    };
    let write = |file: &str, text: &str| {
        desk.create(file, text);
        std::fs::set_permissions(desk.top().join(file), std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    // Programs named by a path are those of the checkout, so that what they play is told by a file of each version.
    write("py", &play("$(cat new)"));
    desk.create("new", "passed");
    let properties =
        [property("test_fails", 1), property("test_flips", 2), property("test_new", 3), property("test_holds", 4)];
    let drifted = json!({ "golden.json": "0123456789abcdef", "new": "284d1e8c49182482" });
    kept.write(&contract(drifted, &properties, &[aside("test_holds", "2026-11-30")]));
    desk.git(&["add", "-A"]);
    desk.git(&["commit", "-q", "-m", "Add a contract"]);
    write("new", "failed");
    let answer = kept.check(&["--base", "HEAD", "--json"]);
    let told: Value = serde_json::from_str(&answer.out).unwrap();
    let failures: Vec<&str> = told["failures"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert_eq!(failures.len(), 3, "{}", answer.err);
    assert!(failures[0].starts_with("fixture drift: new 284d1e8c49182482 -> "), "{failures:?}");
    assert_eq!(
        failures[1..],
        [
            "stale quarantine: python/test_fees.py::test_holds expired 2026-11-30",
            "property failed: python/test_fees.py::test_new seed=3",
        ]
    );
    let already = json!([
        "fixture drift: golden.json 0123456789abcdef -> ba7816bf8f01cfea",
        "property failed: python/test_fees.py::test_fails seed=1"
    ]);
    assert_eq!(told["base"]["already"], already, "{}", answer.err);
    assert_eq!(told["base"]["flaky"], json!(["property failed: python/test_fees.py::test_flips seed=2"]));
    assert_eq!(told["base"]["title"], json!("Add a contract"));
    let evidence: Vec<&Value> = told["properties"].as_array().unwrap().iter().map(|one| &one["evidence"]).collect();
    assert_eq!(evidence, [&json!(false), &json!(false), &json!(false), &json!(true)], "{}", answer.err);
}
