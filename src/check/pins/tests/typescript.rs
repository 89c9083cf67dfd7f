//! Changes of a package with properties of fast-check.

use super::Sample;

const TESTS: &str = "test/billing.test.ts";
const ARBS: &str = "test/arbs.ts";
const SETUP: &str = "test/setup.ts";
const CONFIG: &str = "vitest.config.ts";

const BILLING: &str = r"import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { split } from '../src/billing';
import { cents } from './arbs';

const MOST = 24;
const parts = fc.integer({ min: 1, max: MOST });

describe('billing', () => {
  it('BILL-4 spread', () => {
    fc.assert(
      fc.property(cents, parts, fc.array(fc.nat(1000), { maxLength: 20 }), (total, n, names) => {
        const out = split(total, n);
        expect(Math.max(...out) - Math.min(...out)).toBeLessThanOrEqual(1);
        expect(out.length).toBe(n);
      }),
      { numRuns: 1000, examples: [[1, 2, []]] },
    );
  });

  it('BILL-1 sum', () => {
    fc.assert(fc.property(cents, fc.string(), (total, word) => split(total, 3).length === 3));
  });
});
";

fn sample() -> Sample {
    Sample::new(&[
        (TESTS, BILLING),
        (
            ARBS,
            "import fc from 'fast-check';\nexport const cents = fc.nat({ max: 1_000_000 }).map((n) => n);\nexport const unspoken = 1;\n",
        ),
        (SETUP, "import fc from 'fast-check';\nfc.configureGlobal({ numRuns: 1000 });\n"),
        (CONFIG, "export default { test: { include: ['test/**/*.test.ts'], setupFiles: ['test/setup.ts'] } };\n"),
        ("package.json", "{ \"scripts\": { \"test\": \"vitest run\" } }\n"),
        ("src/billing.ts", "export const split = (total: number, n: number) => Array(n).fill(total / n);\n"),
    ])
}

#[track_caller]
fn check(edits: &[(&str, &str)], kinds: &[&str]) {
    sample().is_told(&sample().with(TESTS, edits), kinds);
}

#[test]
fn harmless_edits_are_silent() {
    for edit in [
        ("const out = split(total, n);", "const out = split( total, n )  // all of them"),
        ("max: MOST", "max: 48"),
        ("MOST = 24", "MOST = 48"),
        ("fc.nat(1000), { maxLength: 20 }", "fc.nat(2000), { maxLength: 30 }"),
        ("numRuns: 1000", "numRuns: 2000, verbose: 2"),
        ("BILL-1 sum'", "BILL-1 the sum'"),
        ("const MOST", "function other() { return 1; }\nconst MOST"),
        ("expect, it }", "expect, it, vi }"),
        ("import fc", "import path from 'node:path';\nimport fc"),
        ("expect(out.length).toBe(n);", "expect(out.length).toBe(n);\n expect(out).not.toContain(NaN);"),
        ("        expect(Math", "        const size = out.length;\n        expect(size).toBe(n);\n        expect(Math"),
        ("  it('BILL-1", "  it('more', () => { fc.assert(fc.property(fc.nat(), (n) => n >= 0)); });\n  it('BILL-1"),
        ("examples: [[1, 2, []]]", "examples: [[1, 2, []], [3, 4, []]]"),
    ] {
        check(&[edit], &[]);
    }
    let base = sample();
    base.is_silent(
        &base
            .moved(TESTS, "test/unit/billing.test.ts")
            .with("test/unit/billing.test.ts", &[("'../src", "'../../src"), ("'./arbs", "'../arbs")]),
    );
    base.is_silent(&base.moved("src/billing.ts", "src/money.ts").with(TESTS, &[("../src/billing", "../src/money")]));
    base.is_silent(&base.with(ARBS, &[("unspoken = 1", "more = 1")]));
    base.is_silent(
        &base.and("package.json", "{ \"scripts\": { \"test\": \"vitest run --coverage\", \"lint\": \"x\" } }\n"),
    );
}

#[test]
fn generators_that_give_less_or_something_else_are_told() {
    check(&[("MOST = 24", "MOST = 4")], &["generator-narrowed"]);
    check(&[("fc.nat(1000)", "fc.nat(1)")], &["generator-narrowed"]);
    check(&[("fc.nat(1000)", "fc.constant(1)")], &["generator-changed"]);
    check(&[("fc.string()", "fc.hexaString()")], &["generator-changed"]);
    check(&[("fc.string()", "fc.string().filter((s) => s === '')")], &["assumption-added"]);
    check(
        &[("(total, word) => split", "(total, word) => fc.pre(total === 1) || split")],
        &["assertion-removed", "assumption-added"],
    );
    let base = sample();
    base.is_told(&base.with(ARBS, &[("max: 1_000_000", "max: 1")]), &["support-changed"]);
}

#[test]
fn what_stands_around_a_property_is_told() {
    for (old, new) in [("it('BILL-1", "maybe('BILL-1"), ("it('BILL-1", "it[\"skip\"]('BILL-1")] {
        check(&[(old, new)], &["surroundings-changed"]);
    }
    check(&[("expect(Math", "if (n) return;\n expect(Math")], &["assumption-added"]);
    check(&[("it('BILL-1", "it.skip('BILL-1")], &["property-skipped"]);
    check(&[("it('BILL-1", "it.todo('BILL-1")], &["property-skipped"]);
    check(&[("describe('billing", "describe.skip('billing")], &["property-skipped"]);
    for (old, new) in [
        ("  it('BILL-1", "  const later = () => it('BILL-1"),
        ("expect(out.length).toBe(n);", "if (n > 1) expect(out.length).toBe(n);"),
        ("expect(out.length).toBe(n);", "n < 2 && expect(out.length).toBe(n);"),
    ] {
        let kinds = sample().kinds(&sample().with(TESTS, &[(old, new)]));
        assert!(kinds.contains(&"body-changed"), "{new}: {kinds:?}");
    }
}

#[test]
fn names_that_mean_something_else_are_told() {
    for (old, new) in [
        ("'../src/billing'", "'../src/fake'"),
        ("fc from 'fast-check'", "fc from './fast-check-fake'"),
        (
            "import { describe, expect, it } from 'vitest';",
            "import { describe, it } from 'vitest';\nimport { expect } from './fake';",
        ),
        ("const MOST", "const Math = { max: () => 0, min: () => 0 };\nconst MOST"),
    ] {
        check(&[(old, new)], &["support-changed"]);
    }
}

#[test]
fn names_that_are_given_on_from_elsewhere_are_told() {
    let given = |text: &str| sample().and(ARBS, text);
    let base = given("export { cents, other } from './money';\n");
    base.is_told(&given("export { cents, other } from './fake';\n"), &["support-changed"]);
    base.is_told(&given("export { other as cents } from './money';\n"), &["support-changed"]);
    base.is_silent(&given("export { cents } from './money';\nexport { other } from './fake';\n"));
    base.is_silent(&given("export { cents, other } from './money';\nexport * from './more';\n"));
    given("export * from './money';\n").is_told(&given("export * from './fake';\n"), &["support-changed"]);
}

#[test]
fn what_decides_which_tests_are_run_is_told() {
    let base = sample();
    base.is_told(&base.with(CONFIG, &[("include:", "exclude: ['test/billing.test.ts'], include:")]), &["run-changed"]);
    base.is_told(&base.and("package.json", "{ \"scripts\": { \"test\": \"vitest run -t x\" } }\n"), &["run-changed"]);
    base.is_told(&base.with(SETUP, &[("numRuns: 1000", "numRuns: 1")]), &["support-changed"]);
    base.is_told(&base.without(SETUP), &["support-changed"]);
    base.is_told(&base.and("ci.yml", "env:\n  FC_NUM_RUNS: 4\n"), &["run-changed"]);
    base.is_told(&base.moved(TESTS, "test/billing.ts"), &["property-skipped"]);
    let out =
        base.moved(TESTS, "attic/billing.test.ts").with("attic/billing.test.ts", &[("'./arbs'", "'../test/arbs'")]);
    base.is_told(&out, &["property-skipped"]);
    let deeper = base.moved(TESTS, "test/unit/billing.test.ts");
    let deeper = deeper.with("test/unit/billing.test.ts", &[("'./arbs'", "'../arbs'"), ("'../src", "'../../src")]);
    base.is_silent(&deeper);
}
