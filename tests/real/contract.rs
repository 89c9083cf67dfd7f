//! A contract against its base, each time with the runner itself: a property that the change breaks blocks it; one that was
//! broken before, one that comes out now so and now so, and one that is set aside do not.

use serde_json::{Value, json};

use super::tools::{Place, modules, python};

/// The four properties, each in a file that all of Node's runners take. `HEAD` is for what it needs of them.
const IN_NODE: &str = "HEAD
const all = (holds) => fc.assert(fc.property(fc.integer({ min: 0, max: 1000 }), (n) => { if (!holds(n)) throw new Error(`no: ${n}`); }));
const turns = existsSync(process.env.TURNS) ? readFileSync(process.env.TURNS, 'utf8').length : 0;
writeFileSync(process.env.TURNS, '.'.repeat(turns + 1));
it('BILL-1 holds', () => all((n) => total(n) === n));
it('BILL-2 was broken', () => all((n) => n < 3));
it('BILL-3 is flaky', () => all(() => turns % 2 === 0));
it('BILL-4 is aside', () => all((n) => n < 4));
";

const IN_PYTHON: &str = "import os
from hypothesis import given, strategies as st
from ledger import total

turns = os.path.getsize(os.environ['TURNS']) if os.path.exists(os.environ['TURNS']) else 0
with open(os.environ['TURNS'], 'a') as file:
    file.write('.')

@given(st.integers(0, 1000))
def test_holds(n):
    assert total(n) == n

@given(st.integers(0, 1000))
def test_was_broken(n):
    assert n < 3

@given(st.integers(0, 1000))
def test_is_flaky(n):
    assert turns % 2 == 0

@given(st.integers(0, 1000))
def test_is_aside(n):
    assert n < 4
";

/// A contract of four properties, the last of them set aside.
fn contract(tests: [&str; 4]) -> String {
    let properties: Vec<Value> = tests.iter().map(|test| json!({ "test": test, "seed": 7 })).collect();
    let aside = json!({ "test": tests[3], "expires": "2026-12-20" });
    json!({ "today": "2026-12-01", "fixtures": {}, "properties": properties, "flaky": [aside] }).to_string()
}

/// Whether it is said of a test that the base has it so.
fn sets_apart(said: &str, what: &str, test: &str) -> bool {
    let end = format!(", and not counted: property failed: {test} seed=7");
    said.lines().any(|line| line.starts_with(what) && line.ends_with(&end))
}

/// Sees the contract broken by its first property alone once `file` has come to hold `worse`, and says what was told.
#[track_caller]
fn check(place: &Place, tests: [&str; 4], (file, worse): (&str, &str)) -> String {
    place.write(file, worse);
    let answer = place.redpin(&["check", "contract", "--base", "HEAD"]);
    let (out, said) = (String::from_utf8(answer.stdout).unwrap(), String::from_utf8(answer.stderr).unwrap());
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(told, json!({ "ok": false, "failures": [format!("property failed: {} seed=7", tests[0])] }), "{said}");
    assert_eq!(answer.status.code(), Some(1));
    assert!(sets_apart(&said, "already at ", tests[1]), "{said}");
    assert!(sets_apart(&said, "flaky at ", tests[2]), "{said}");
    let aside = format!("set aside until 2026-12-20 (19 days left), and no evidence: {}", tests[3]);
    assert!(said.lines().any(|line| line.starts_with(&aside)), "{said}");
    assert!(said.lines().any(|line| line == "evidence: 0 of 4 properties"), "{said}");
    said
}

/// The same with a runner of Node; `head` imports what the file needs, by which `ledger.js` tells its function.
#[track_caller]
fn check_node(packages: &[&str], (manifest, head): (&str, &str), given: &str) {
    let Some(modules) = modules(packages) else { return };
    let tests = ["holds", "was broken", "is flaky", "is aside"];
    let numbered = tests.iter().zip(1..).map(|(test, number)| format!("a.test.js > BILL-{number} {test}"));
    let ids: Vec<String> = numbered.collect();
    let tests = [0, 1, 2, 3].map(|at| ids[at].as_str());
    let (source, contract) = (IN_NODE.replace("HEAD", head), contract(tests));
    let files = [
        ("package.json", manifest),
        ("ledger.js", &format!("{given} (n) => n;\n")),
        ("a.test.js", &source),
        ("patch-contract.json", &contract),
    ];
    let place = Place::new(&files, Some(&modules));
    let said = check(&place, tests, ("ledger.js", &format!("{given} (n) => n + 1;\n")));
    assert!(said.contains("{ seed: 7, "), "{said}");
}

const MODULE: &str = "import fc from 'fast-check';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { total } from './ledger.js';
";

#[test]
fn vitest_tells_what_a_change_broke() {
    let manifest = r#"{"type": "module", "devDependencies": {"fast-check": "4", "vitest": "4"}}"#;
    let head = format!("{MODULE}import {{ it }} from 'vitest';");
    check_node(&["fast-check", "vitest"], (manifest, &head), "export const total =");
}

#[test]
fn nodes_own_runner_tells_what_a_change_broke() {
    let manifest = r#"{"type": "module", "scripts": {"test": "node --test"}, "devDependencies": {"fast-check": "4"}}"#;
    let head = format!("{MODULE}import {{ it }} from 'node:test';");
    check_node(&["fast-check"], (manifest, &head), "export const total =");
}

#[test]
fn jest_tells_what_a_change_broke() {
    let manifest = r#"{"scripts": {"test": "jest"}, "devDependencies": {"fast-check": "4", "jest": "30"}}"#;
    let head = "const fc = require('fast-check');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { total } = require('./ledger.js');";
    check_node(&["fast-check", "jest"], (manifest, head), "exports.total =");
}

#[test]
fn pytest_tells_what_a_change_broke() {
    let Some(python) = python() else { return };
    let tests = ["holds", "was_broken", "is_flaky", "is_aside"].map(|name| format!("test_bill.py::test_{name}"));
    let tests = tests.each_ref().map(String::as_str);
    let settings = format!("[verify]\nprograms = {{ python = {} }}\n", json!(python));
    let contract = contract(tests);
    let files = [
        (".redpin/config.toml", settings.as_str()),
        ("ledger.py", "def total(n):\n    return n\n"),
        ("test_bill.py", IN_PYTHON),
        ("patch-contract.json", &contract),
    ];
    let place = Place::new(&files, None);
    let said = check(&place, tests, ("ledger.py", "def total(n):\n    return n + 10\n"));
    assert!(said.contains("--hypothesis-seed=7"), "{said}");
}
