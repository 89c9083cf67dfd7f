//! The pin of a failure with the test runners themselves: a run that hands over, the pin of its failure, red before the fix and
//! green after it.

use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::Value;

use super::tools::{modules, python, runs};
use crate::cli::desk::Desk;

/// Runs `command`, which shows one failure, pins it, and sees that the pin is red, and green once `file` has `right` in the
/// place of `wrong`.
#[track_caller]
fn check(desk: &Desk, command: &[&str], (file, wrong, right): (&str, &str, &str)) {
    desk.git(&["add", "-A"]);
    desk.git(&["commit", "-q", "-m", "A property"]);
    let kept = desk.top().join("kept.log");
    let ran = desk.redpin(&[&["run", "--keep", kept.to_str().unwrap(), "--"], command].concat());
    assert_eq!((ran.code, ran.out.lines().last()), (1, Some("1 failure, 1 cause")), "{}", ran.err);
    assert!(std::fs::read_to_string(&kept).unwrap().contains("{\"redpin\""), "nothing was handed over: {}", ran.err);
    let pinned = desk.redpin(&["pin", "--all", "--json"]);
    let pins: Value = serde_json::from_str(&pinned.out).unwrap();
    assert_eq!(
        (&pins["pins"][0]["outcome"], &pins["pins"][0]["rung"]),
        (&"staged".into(), &"literal".into()),
        "{pins}"
    );
    let red = desk.redpin(&["verify"]);
    assert_eq!((red.code, red.out.lines().last()), (0, Some("1 of 1 pin red")), "{}\n{}", red.out, red.err);
    desk.replace(file, wrong, right);
    let green = desk.redpin(&["verify", "--expect", "green"]);
    assert_eq!((green.code, green.out.lines().last()), (0, Some("1 of 1 pin green")), "{}\n{}", green.out, green.err);
}

#[test]
fn a_pin_of_hypothesis_is_red_before_the_fix_and_green_after_it() {
    let Some(python) = python() else { return };
    let desk = Desk::new();
    desk.exclude("kept.log\n.hypothesis\n__pycache__");
    desk.create("till/split.py", "def split(total, n):\n    return [total // n] * n\n");
    let test = "from hypothesis import given, strategies as st\n\nfrom split import split\n\n\n\
        @given(total=st.integers(0, 99), n=st.integers(1, 9))\ndef test_parts_add_up(total, n):\n    assert sum(split(total, n)) == total\n";
    desk.create("till/test_split.py", test);
    let command = [python.to_str().unwrap(), "-m", "pytest", "-q", "-p", "no:cacheprovider", "till"];
    let fix = ("[total // n] * n", "[total // n] * (n - 1) + [total - total // n * (n - 1)]");
    check(&desk, &command, ("till/split.py", fix.0, fix.1));
}

/// A package whose tests `runner` runs; its packages are those in `modules`.
fn package(modules: &Path, runner: &str) -> Desk {
    let desk = Desk::new();
    desk.exclude("kept.log\nnode_modules");
    let depends = if runner == "vitest" { r#"{"vitest":"*","fast-check":"*"}"# } else { r#"{"fast-check":"*"}"# };
    desk.create("shop/package.json", &format!(r#"{{"private":true,"type":"module","devDependencies":{depends}}}"#));
    let split = "export function split(total, n) {\n  return Array(n).fill(Math.floor(total / n));\n}\n";
    desk.create("shop/split.mjs", split);
    let from = if runner == "vitest" { "vitest" } else { "node:test" };
    let test = format!(
        "import fc from 'fast-check';\nimport {{ test }} from '{from}';\nimport {{ split }} from './split.mjs';\n\n\
         test('parts add up', () => {{\n  const adds = (total, n) => split(total, n).reduce((a, b) => a + b, 0) === total;\n  \
         fc.assert(fc.property(fc.nat(99), fc.integer({{ min: 1, max: 9 }}), adds));\n}});\n"
    );
    desk.create("shop/split.test.mjs", &test);
    symlink(modules, desk.top().join("shop/node_modules")).unwrap();
    desk
}

/// What mends the package.
const FIX: (&str, &str, &str) = (
    "shop/split.mjs",
    "Array(n).fill(Math.floor(total / n))",
    "[...Array(n - 1).fill(Math.floor(total / n)), total - Math.floor(total / n) * (n - 1)]",
);

#[test]
fn a_pin_of_fast_check_is_red_before_the_fix_and_green_after_it() {
    if !runs(&["node", "--version"], "Node") {
        return;
    }
    let Some(own) = modules(&["fast-check"]) else { return };
    check(&package(&own, "node"), &["node", "--test", "shop/split.test.mjs"], FIX);
    let Some(modules) = modules(&["fast-check", "vitest"]) else { return };
    check(&package(&modules, "vitest"), &["sh", "-c", "cd shop && npx --no-install vitest run"], FIX);
}

#[test]
fn pins_of_tests_with_one_title_are_told_apart() {
    if !runs(&["node", "--version"], "Node") {
        return;
    }
    let Some(modules) = modules(&["fast-check"]) else { return };
    let desk = package(&modules, "node");
    let twin =
        |most: u32| format!("test('same', () => {{ fc.assert(fc.property(fc.nat(9), (n) => n < {most})); }});\n");
    let imports = "import fc from 'fast-check';\nimport { test } from 'node:test';\n\n";
    desk.create("shop/twin.test.mjs", &[imports, &twin(3), &twin(4)].concat());
    desk.git(&["add", "-A"]);
    let told = desk.redpin(&["run", "--", "node", "--test", "shop/twin.test.mjs"]);
    assert!(told.out.contains("  same #1  ") && told.out.contains("  same #2  "), "{}\n{}", told.out, told.err);
    assert_eq!(desk.redpin(&["pin", "--all"]).code, 0);
    assert_eq!(desk.redpin(&["verify"]).out.lines().last(), Some("2 of 2 pins red"));
    desk.replace("shop/twin.test.mjs", "n < 4", "n < 40");
    let mended = desk.redpin(&["verify"]);
    assert!(
        mended.out.contains("  same #1  shop/twin.test.mjs\n    Property failed by returning false"),
        "{}",
        mended.out
    );
    assert_eq!(mended.out.lines().last(), Some("1 of 2 pins red"), "{}", mended.out);
}
