//! Files taken apart: what each of their forms states.

use proptest::prelude::*;

use crate::framework::Stating;
use crate::framework::fast_check::FastCheck;
use crate::oracle::{Clause, Input, Named, Oracle, Reach, Rule};
use crate::repo_path::RepoPath;
use crate::source_tree::testing::Files;

const HEAD: &str = "import { test, it, fc } from '@fast-check/vitest';\n";

fn read(files: &[(&str, &str)]) -> Result<Oracle, String> {
    let (file, _) = files[0];
    FastCheck.oracle(&RepoPath::new(file).unwrap(), &Files::new(files.iter().copied()))
}

fn oracle(source: &str) -> Oracle {
    read(&[("tests/a.test.ts", &format!("{HEAD}{source}"))]).unwrap()
}

#[track_caller]
fn rule(source: &str) -> Rule {
    let [rule] = oracle(source).rules.try_into().unwrap();
    rule
}

fn texts(clauses: &[Clause]) -> Vec<&str> {
    clauses.iter().map(|clause| clause.text.as_str()).collect()
}

fn names(named: &[Named]) -> Vec<&str> {
    named.iter().map(|one| one.name.as_str()).collect()
}

/// The least and the greatest.
type Ends = (Option<i128>, Option<i128>);

fn inputs(rule: &Rule) -> Vec<(&str, &str, Option<Ends>)> {
    let reach = |reach: &Reach| (reach.low, reach.high);
    let ends = |one: &Input| one.shape.reaches.first().map(reach);
    rule.inputs.iter().map(|one| (one.name.as_str(), one.generator.as_str(), ends(one))).collect()
}

#[test]
fn a_property_with_a_list_of_arbitraries() {
    let source = "describe('billing', () => {\n  // [BILL-4] the spread is small\n  test.prop([fc.nat({ max: 9 }), cents], { numRuns: 1_000, seed: 7, examples: [\n    // Pinned\n    [1, 2],\n    [3, 4]] })(\n\
                  \x20   'BILL-4 spread', (total, parts) => {\n      fc.pre(parts > 0);\n      const out = split(total, parts);\n      expect(out)\n\
                  \x20       .toHaveLength(parts);\n      if (out[0] < 0) throw new Error('less');\n      return sum(out) === total;\n    });\n});\n";
    let rule = rule(source);
    assert_eq!((rule.test.0.as_str(), rule.line), ("billing > BILL-4 spread", 4));
    assert!(format!("{HEAD}{source}")[rule.span.range()].starts_with("// [BILL-4]"));
    assert_eq!(rule.citations, ["[BILL-4] BILL-4 spread", "billing", "// [BILL-4] the spread is small"]);
    assert_eq!(inputs(&rule), [("total", "fc.nat({ max: 9 })", Some((Some(0), Some(9)))), ("parts", "cents", None)]);
    assert_eq!((rule.cases, rule.skipped.as_deref()), (Some(1_000), None));
    assert_eq!(
        texts(&rule.asserts),
        ["expect(out).toHaveLength(parts)", "if (out[0] < 0) throw new Error('less')", "sum(out) === total"]
    );
    assert_eq!(rule.asserts[0].line, 11);
    assert_eq!(texts(&rule.assumes), ["fc.pre(parts > 0)"]);
    assert_eq!(
        rule.examples,
        [Clause { text: "[1, 2]".to_owned(), line: 6 }, Clause { text: "[3, 4]".to_owned(), line: 7 }]
    );
    let body = "{ seed: 7 }; fc.pre(parts > 0); const out = split(total, parts); expect(out).toHaveLength(parts); \
                if (out[0] < 0) throw new Error('less'); return sum(out) === total";
    assert_eq!(rule.body, body);
}

#[test]
fn a_property_with_a_record() {
    let rule = rule(
        "test.prop({ a: fc.nat(), b: fc.string().filter((s) => s !== '') })('t', async ({ a, b }) => f(a, b) < 2);\n",
    );
    let int = 2_147_483_647;
    assert_eq!(
        inputs(&rule),
        [
            ("a", "fc.nat()", Some((Some(0), Some(int)))),
            ("b", "fc.string().filter((s) => s !== '')", Some((Some(0), None)))
        ]
    );
    assert_eq!((texts(&rule.asserts), texts(&rule.assumes)), (vec!["f(a, b) < 2"], vec!["filter((s) => s !== '')"]));
    assert_eq!(rule.body, "f(a, b) < 2");
}

#[test]
fn a_test_that_hands_over_a_property() {
    let rule = rule(
        "it('t', async () => {\n  const limit = 3;\n  await fc.assert(\n    fc.asyncProperty(fc.array(fc.nat()), async (xs) => {\n      if (xs.length === 0) return;\n\
         \x20     const out = await f(xs);\n      xs.forEach((x) => assert.ok(x < limit));\n      assert.strictEqual(out, 1);\n    }),\n    { numRuns: 50 },\n  );\n});\n",
    );
    assert_eq!(inputs(&rule), [("xs", "fc.array(fc.nat())", Some((Some(0), None)))]);
    assert_eq!(texts(&rule.asserts), ["assert.ok(x < limit)", "assert.strictEqual(out, 1)"]);
    assert_eq!(texts(&rule.assumes), ["if (xs.length === 0) return"]);
    assert_eq!(rule.cases, Some(50));
    assert_eq!(
        rule.body,
        "const limit = 3; await fc.assert(fc.asyncProperty()); if (xs.length === 0) return; const out = await f(xs); \
         xs.forEach((x) => assert.ok(x < limit)); assert.strictEqual(out, 1)"
    );
}

#[test]
fn several_properties_of_a_test_are_one() {
    let rule = rule(
        "const same = fc.property(fc.nat(5), holds);\nfunction holds(a) { expect(f(a)).toBe(a); }\nconst opts = { numRuns: 10, examples: [[1]] };\n\
         it('t', () => {\n  fc.assert(fc.property(fc.nat(1), (x) => x < 2), { numRuns: 20 });\n  fc.assert(same, { ...opts });\n});\n",
    );
    let found: Vec<_> = inputs(&rule).into_iter().map(|(name, generator, _)| (name, generator)).collect();
    assert_eq!(found, [("x", "fc.nat(1)"), ("a", "fc.nat(5)")]);
    assert_eq!((rule.cases, texts(&rule.examples)), (Some(30), vec!["[1]"]));
    assert_eq!(texts(&rule.asserts), ["expect(f(a)).toBe(a)", "x < 2"]);
}

#[test]
fn a_property_that_a_function_runs() {
    let helper = "import fc from 'fast-check';\nexport function check(arb, rule, options = {}) {\n  fc.assert(fc.property(arb, rule), { numRuns: 40, ...options });\n}\n\
                  export const small = fc.nat(9);\n";
    let test = format!(
        "{HEAD}import {{ check, small }} from './props.js';\nit('t', () => check(small, (x) => {{ expect(x).toBe(1); }}, {{ examples: [[1]] }}));\n"
    );
    let found = read(&[("tests/a.test.ts", &test), ("tests/props.ts", helper)]).unwrap();
    let [rule] = found.rules.try_into().unwrap();
    assert_eq!(inputs(&rule), [("x", "small", Some((Some(0), Some(9))))]);
    assert_eq!((texts(&rule.asserts), rule.test.0.as_str()), (vec!["expect(x).toBe(1)"], "t"));
    let helper = read(&[("tests/props.ts", helper)]).unwrap();
    assert_eq!((helper.rules.len(), names(&helper.support)), (0, vec!["check", "small"]));
}

#[test]
fn scripts_are_known_by_their_file() {
    let script = "const fc = require('fast-check');\nfc.configureGlobal({ numRuns: 30 });\nfunction run() {\n  fc.assert(fc.property(fc.nat(), (a) => a < 1));\n}\nrun();\n";
    let [rule] = read(&[("tests/a.js", script)]).unwrap().rules.try_into().unwrap();
    assert_eq!((rule.test.0.as_str(), rule.line, rule.cases), ("tests/a.js", 4, Some(30)));
    assert_eq!(texts(&rule.asserts), ["a < 1"]);
}

#[test]
fn what_is_passed_over_is_told() {
    let call = "('t', () => { fc.assert(fc.property(fc.nat(), (a) => a < 1)); });";
    let skipped =
        |source: &str| oracle(source).rules.into_iter().find(|rule| rule.test.0.ends_with('t')).unwrap().skipped;
    assert_eq!(skipped(&format!("it{call}")), None);
    for (front, expected) in [
        ("it.skip", "it.skip"),
        ("it.concurrent.skip", "it.concurrent.skip"),
        ("xit", "xit"),
        ("it.skipIf(process.env.CI)", "it.skipIf(process.env.CI)"),
        ("it.skip.each([1])", "it.skip"),
        ("(CI ? it.skip : it)", "(CI ? it.skip : it)"),
    ] {
        assert_eq!(skipped(&format!("{front}{call}")).as_deref(), Some(expected));
    }
    assert_eq!(skipped("test.skip.prop([fc.nat()])('t', (a) => a < 1);").as_deref(), Some("test.skip"));
    assert_eq!(skipped(&format!("describe.skip('s', () => {{ it{call} }});")).as_deref(), Some("describe.skip"));
    assert_eq!(skipped(&format!("it.only('one', () => {{}});\nit{call}")).as_deref(), Some("it.only('one')"));
    assert_eq!(
        skipped("test('t', { skip: true }, () => { fc.assert(fc.property(fc.nat(), (a) => a < 1)); });").as_deref(),
        Some("{ skip: true }")
    );
    assert_eq!(
        skipped("it('t', (ctx) => { if (CI) ctx.skip(); fc.assert(fc.property(fc.nat(), (a) => a < 1)); });")
            .as_deref(),
        Some("if (CI) ctx.skip();")
    );
}

#[test]
fn pins_and_what_stands_beside_are_told() {
    let found = oracle(
        "const cents = fc.nat(9), LIMIT = 3;\nfunction f() { return 1 }\nvi.mock('./x', () => ({}));\ntype T = 1;\ndescribe('s', () => {\n  const own = fc.nat();\n\
         \x20 beforeEach(() => reset());\n  test.prop([own])('t', (a) => a < LIMIT);\n  it('t (pin 0a1b2c3)', () => {\n    // Pinned\n    expect(f(1)).toBe(1)\n  });\n\
         \x20 it('adds', () => { expect(1).toBe(1); });\n});\n",
    );
    assert_eq!(names(&found.support), ["cents", "LIMIT", "f", "s > own"]);
    assert_eq!((found.support[2].text.as_str(), found.support[2].line), ("function f() { return 1; }", 3));
    assert_eq!(names(&found.pins), ["s > t (pin 0a1b2c3)"]);
    assert_eq!(
        (found.pins[0].text.as_str(), found.pins[0].line),
        ("it('t (pin 0a1b2c3)', () => { expect(f(1)).toBe(1); })", 10)
    );
    let [rule] = found.rules.try_into().unwrap();
    assert_eq!(rule.body, "vi.mock('./x', () => ({})); beforeEach(() => reset()); a < LIMIT");
    assert_eq!(found.rest, "");
}

#[test]
fn tables_and_loops_belong_to_their_tests() {
    let each = rule("it.each([[1], [2]])('at %i', (n) => { fc.assert(fc.property(fc.nat(), (a) => a < n)); });");
    assert_eq!(
        (each.test.0.as_str(), each.body.as_str()),
        ("at %i", "each([[1], [2]]); fc.assert(fc.property()); a < n")
    );
    let looped = rule(
        "for (const n of [1, 2]) {\n  it(`at ${n}`, () => { fc.assert(fc.property(fc.nat(), (a) => a < n)); });\n}",
    );
    assert_eq!(
        (looped.test.0.as_str(), looped.body.as_str()),
        ("at ${n}", "for (const n of [1, 2]) {} fc.assert(fc.property()); a < n")
    );
    let made = rule("it(title(), () => { fc.assert(fc.property(fc.nat(), (a) => a < 1)); });");
    assert_eq!(made.test.0, "title()");
}

#[test]
fn a_pin_among_examples_changes_nothing_else() {
    let without = rule("it('t', () => {\n  fc.assert(fc.property(fc.nat(), (a) => a < 1));\n});");
    let with = rule(
        "it('t', () => {\n  fc.assert(fc.property(fc.nat(), (a) => a < 1), {\n    examples: [\n      // Pinned\n      [2],\n    ],\n  });\n});",
    );
    assert_eq!(texts(&with.examples), ["[2]"]);
    assert_eq!(Rule { examples: Vec::new(), span: without.span, ..with }, without);
}

#[test]
fn what_cannot_be_read_is_an_error_in_a_sentence() {
    let tree = Files::new([
        ("a.ts", "import fc from 'fast-check';\nfc.assert((;\n"),
        ("b.ts", "fc.x((;\n"),
        ("c.txt", "fast-check"),
    ]);
    let read = |file: &str| FastCheck.oracle(&RepoPath::new(file).unwrap(), &tree);
    assert_eq!(read("a.ts"), Err("a.ts cannot be read as TypeScript at line 2; mend it first".to_owned()));
    assert_eq!(
        (read("b.ts"), read("c.txt"), read("d.ts")),
        (Ok(Oracle::default()), Ok(Oracle::default()), Ok(Oracle::default()))
    );
}

#[test]
fn the_files_that_may_state_properties_are_listed() {
    let tree = Files::new([
        ("a.test.tsx", "fc.assert(p)"),
        ("b.mjs", "import 'fast-check'"),
        ("c.ts", "const a = 1;"),
        ("node_modules/fast-check/d.js", "fast-check"),
        ("e.md", "fast-check"),
    ]);
    let found: Vec<String> = FastCheck.stating(&tree).iter().map(ToString::to_string).collect();
    assert_eq!(found, ["a.test.tsx", "b.mjs"]);
}

/// A file whose tokens stand on lines of their own where anything may stand between them.
const LINES: &str = "import { test, it, fc } from '@fast-check/vitest'\nconst cents = fc.nat(9)\ndescribe('s', () => {\nbeforeEach(() => {\nreset()\n})\n\
    test.prop([\nfc.nat({ max: 9 }),\ncents\n], {\nnumRuns: 5,\nexamples: [\n[1, 2]\n]\n})('t', (a, b) => {\nfc.pre(a > b)\nconst out = f(\na,\nb\n)\nexpect(out)\n.toBe(`x ${\na} y`)\n\
    return a < b\n})\nit('u', () => {\nfc.assert(fc.property(fc.string(), (s) => {\nif (s === '') {\nthrow new Error('x')\n}\n}))\n})\n})\n";

proptest! {
    #[test]
    fn comments_and_blank_lines_change_lines_alone(gaps in prop::collection::vec(0_usize..4, LINES.lines().count())) {
        let gap = |at: usize| ["\n", "\n\n", " // note\n", "\n/* a\n b */\n"][gaps[at]];
        let laid_out: String = LINES.lines().enumerate().map(|(at, line)| format!("{line}{}", gap(at))).collect();
        prop_assert_eq!(unlined(read(&[("a.test.ts", &laid_out)])), unlined(read(&[("a.test.ts", LINES)])));
    }

    #[test]
    fn no_text_makes_it_panic(text in "(fc\\.assert\\(|fc\\.property\\(|test\\.prop\\(|it\\('a'|\\(|\\)|=>|\\{|\\}|,|\\[|\\]|'|`|\\$\\{|return|throw|;|\n|é|x|1|\\.each|\\.skip| )*") {
        let _ = read(&[("a.test.ts", &format!("// fast-check\n{text}"))]);
    }
}

/// The oracle without lines, places and comments.
fn unlined(oracle: Result<Oracle, String>) -> Oracle {
    let mut oracle = oracle.unwrap();
    for rule in &mut oracle.rules {
        (rule.line, rule.span) = (1, crate::span::Span::at(0));
        rule.citations.retain(|text| !text.starts_with('/'));
        let clauses = rule.asserts.iter_mut().chain(&mut rule.assumes).chain(&mut rule.examples);
        clauses.for_each(|clause| clause.line = 1);
    }
    oracle.pins.iter_mut().chain(&mut oracle.support).for_each(|one| one.line = 1);
    oracle
}
