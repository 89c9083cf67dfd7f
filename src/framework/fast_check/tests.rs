//! Pins of whole files: what a run told, the file before, and what is staged of it.

use crate::failure::{Argument, Caveat, Counterexample, Failure, ForeignPath, Location, Replay, testing};
use crate::framework::fast_check::FastCheck;
use crate::framework::{Case, Pinning, Properties};
use crate::pin::{PartKind, Pin, Refusal, Rung};
use crate::proof::StandingPin;
use crate::proof::testing::blank_pin;
use crate::repo_path::RepoPath;
use crate::source_tree::testing::Files;

const HEAD: &str = "import { test, it, fc } from '@fast-check/vitest';\n";

fn failure(test: &str, input: &str, line: u32) -> Failure {
    Failure {
        location: Some(Location { file: ForeignPath("a.test.ts".to_owned()), line, column: None }),
        message: "expected 2 to be 1\nno more".to_owned(),
        counterexample: Counterexample { text: input.to_owned(), arguments: Vec::<Argument>::new() },
        replay: Replay::NewSeed { handle: "seed: 7, path: \"0:1\"".to_owned(), file: None },
        ..testing::failure(test)
    }
}

fn planned(files: &[(&str, &str)], failure: &Failure) -> Result<Pin, Refusal> {
    let tree = Files::new(files.iter().copied());
    FastCheck.pin(&Case { failure, requirement: None, tree: &tree, today: "2026-11-30" })
}

/// The file after the pin of `failure`, its head left out; the reason where there is none.
fn pinned_in(files: &[(&str, &str)], failure: &Failure) -> Result<(String, Vec<String>), String> {
    let tree = Files::new(files.iter().copied());
    let case = Case { failure, requirement: None, tree: &tree, today: "2026-11-30" };
    let pin = FastCheck.pin(&case).map_err(|refusal| refusal.0)?;
    let [part] = pin.parts.as_slice() else { panic!("{:?}", pin.parts) };
    let file = files.iter().find(|(path, _)| RepoPath::new(path).as_ref() == Some(&part.file)).unwrap();
    let edits = FastCheck.place(&pin, part, file.1.as_bytes()).map_err(|refusal| refusal.0)?;
    let after = edits.apply(file.1.as_bytes());
    assert!(FastCheck.place(&pin, part, &after).unwrap().is_empty(), "a second copy of {}", part.text);
    let after = String::from_utf8(after).unwrap();
    Ok((after.strip_prefix(HEAD).unwrap_or(&after).to_owned(), pin.warnings))
}

fn pinned(source: &str, test: &str, input: &str, line: u32) -> Result<(String, Vec<String>), String> {
    pinned_in(&[("a.test.ts", &format!("{HEAD}{source}"))], &failure(test, input, line))
}

#[track_caller]
fn check(source: &str, input: &str, expected: &str) {
    let (after, _) = pinned(source, "t", input, 3).unwrap_or_else(|why| panic!("{source}: {why}"));
    assert_eq!(after, expected, "{source}");
}

#[track_caller]
fn refused(source: &str, input: &str, words: &str) {
    let why = pinned(source, "t", input, 3).unwrap_err();
    assert!(why.contains(words), "{why}");
}

const REMARK: &str = "// Pinned 2026-11-30: expected 2 to be 1 no more";

#[test]
fn options_are_added_where_there_are_none() {
    check(
        "test.prop([fc.nat(), fc.nat()])('t', (a, b) => a < b);\n",
        "[2,4]",
        &format!(
            "test.prop([fc.nat(), fc.nat()], {{\n  examples: [\n    {REMARK}\n    [2, 4],\n  ],\n}})('t', (a, b) => a < b);\n"
        ),
    );
    check(
        "it('t', () => {\n  fc.assert(\n    fc.property(fc.nat(), (a) => a < 1),\n  );\n});",
        "[2]",
        &format!(
            "it('t', () => {{\n  fc.assert(\n    fc.property(fc.nat(), (a) => a < 1),\n    {{\n      examples: [\n        {REMARK}\n        \
             [2],\n      ],\n    }},\n  );\n}});"
        ),
    );
    check(
        "it('t', () => {\n  fc.assert(\n    fc.property(fc.nat(), (a) => a < 1) // no comma\n  );\n});",
        "[2]",
        &format!(
            "it('t', () => {{\n  fc.assert(\n    fc.property(fc.nat(), (a) => a < 1),\n    {{\n      examples: [\n        {REMARK}\n        \
             [2],\n      ],\n    }} // no comma\n  );\n}});"
        ),
    );
}

#[test]
fn examples_are_added_to_options() {
    let (before, after) = ("test.prop([fc.nat()], ", ")('t', (a) => a < 1);\n");
    let check = |options: &str, expected: &str| {
        check(
            &format!("{before}{options}{after}"),
            "[2]",
            &format!("{before}{}{after}", expected.replace("REMARK", REMARK)),
        );
    };
    check("{}", "{ examples: [\n  REMARK\n  [2],\n] }");
    check("{ seed: 1 }", "{ seed: 1, examples: [\n  REMARK\n  [2],\n] }");
    check("{\n  seed: 1, // one\n}", "{\n  seed: 1, // one\n  examples: [\n    REMARK\n    [2],\n  ],\n}");
    check("{\n  seed: 1 // one\n}", "{\n  seed: 1, // one\n  examples: [\n    REMARK\n    [2],\n  ],\n}");
    check("{ examples: [] }", "{ examples: [\n  REMARK\n  [2],\n] }");
    check("{ examples: [[1]] }", "{ examples: [[1],\n  REMARK\n  [2],\n] }");
    check("{ examples: [[1],] }", "{ examples: [[1],\n  REMARK\n  [2],\n] }");
    check("{ examples: [[1]] as any }", "{ examples: [[1],\n  REMARK\n  [2],\n] as any }");
    check(
        "{\n  examples: [\n    [1], // one\n  ],\n}",
        "{\n  examples: [\n    [1], // one\n    REMARK\n    [2],\n  ],\n}",
    );
    check("{\n  examples: [\n    [1]\n  ],\n}", "{\n  examples: [\n    [1],\n    REMARK\n    [2],\n  ],\n}");
    check("{ examples }", "{ examples: [...examples,\n  REMARK\n  [2],\n] }");
    check("{ examples: known() }", "{ examples: [...known(),\n  REMARK\n  [2],\n] }");
    check("{ examples: [[1], [ 2 ]] }", "{ examples: [[1], [ 2 ]] }");
}

#[test]
fn options_by_a_name_are_spread_and_keep_their_examples() {
    let call = |options: &str| format!("test.prop([fc.nat()], {options})('t', (a) => a < 1);\n");
    let own = |declared: &str, options: &str, expected: &str| {
        let declared = format!("const o = {declared};\n");
        check(
            &format!("{declared}{}", call(options)),
            "[2]",
            &format!("{declared}{}", call(&expected.replace("REMARK", REMARK))),
        );
    };
    own("{ seed: 1 }", "o", "{ ...o, examples: [\n  REMARK\n  [2],\n] }");
    own("{ examples: [[1]] }", "o", "{ ...o, examples: [...o.examples,\n  REMARK\n  [2],\n] }");
    own("{ numRuns: 0 }", "o", "{ ...o, numRuns: 1, examples: [\n  REMARK\n  [2],\n] }");
    own("{ seed: 1 }", "{ ...o, seed: 2 }", "{ ...o, seed: 2, examples: [\n  REMARK\n  [2],\n] }");
    refused(&call("o"), "[2]", "whether that has examples is not to be told");
    refused(&call("options()"), "[2]", "whether that has examples is not to be told");
    refused(
        &format!("const o = {{ examples: [] }};\n{}", call("{ examples: [[1]], ...o }")),
        "[2]",
        "comes after `examples`",
    );
    let files = [
        (
            "a.test.ts",
            "import fc from 'fast-check';\nimport { o } from './o.js';\nit('t', () => { fc.assert(fc.property(fc.nat(), (a) => a < 1), o); });\n",
        ),
        ("o.ts", "export const o = { examples: [[1]] };\n"),
    ];
    let (after, _) = pinned_in(&files, &failure("t", "[2]", 3)).unwrap();
    assert!(after.contains("{ ...o, examples: [...o.examples,\n"), "{after}");
}

#[test]
fn every_example_runs_or_it_is_said() {
    let source = |options: &str| format!("test.prop([fc.nat()], {options})('t', (a) => a < 1);\n");
    let (after, warnings) = pinned(&source("{ numRuns: 1, examples: [[1]] }"), "t", "[2]", 3).unwrap();
    assert!(after.contains("numRuns: 2, examples"), "{after}");
    assert_eq!(warnings, ["`numRuns` was 1, and is 2 now, so that every example runs"]);
    let (_, warnings) = pinned(&source("{ numRuns: 2, examples: [[1]] }"), "t", "[2]", 3).unwrap();
    assert_eq!(warnings, ["`numRuns` is 2: the examples are all that runs, and nothing is generated any more"]);
    let bound = source("{ seed: 1, path: '0:1', verbose: 1 }");
    let (after, warnings) = pinned(&bound, "t", "[2]", 3).unwrap();
    let own = "{ verbose: 1, examples: [[2]], numRuns: 1, endOnFailure: true })('t (pin c91d973)', (a) => a < 1);\n";
    assert_eq!(after, format!("{bound}\n{REMARK}\ntest.prop([fc.nat()], {own}"));
    assert!(warnings[0].contains("replay a recorded path and run no example"), "{warnings:?}");
}

#[test]
fn a_record_is_pinned_as_a_record() {
    check(
        "test.prop({ a: fc.nat(), b: fc.string() })('t', ({ a }) => a < 1);\n",
        r#"[{"a":2,"b":"x'"}]"#,
        &format!(
            "test.prop({{ a: fc.nat(), b: fc.string() }}, {{\n  examples: [\n    {REMARK}\n    {{ a: 2, b: 'x\\'' }},\n  ],\n}})('t', ({{ a }}) => a < 1);\n"
        ),
    );
    refused("test.prop({ a: fc.nat() })('t', ({ a }) => a < 1);\n", "[2]", "takes a record");
    refused("test.prop([fc.nat()])('t', (a) => a < 1);\n", "[2,3]", "takes 1 values, and the run shows 2");
}

#[test]
fn of_two_properties_in_a_test_the_line_tells() {
    let source = "it('t', () => {\n  fc.assert(fc.property(fc.nat(), (a) => a < 1));\n  fc.assert(fc.property(fc.nat(), (a) => a < 2));\n});\n";
    let (after, _) = pinned(source, "t", "[2]", 4).unwrap();
    let lines: Vec<&str> = after.lines().collect();
    assert_eq!(
        (lines[1], lines[2]),
        ("  fc.assert(fc.property(fc.nat(), (a) => a < 1));", "  fc.assert(fc.property(fc.nat(), (a) => a < 2), {")
    );
    let why = pinned(source, "t", "[2]", 1).unwrap_err();
    assert!(why.contains("runs 2 properties"), "{why}");
}

#[test]
fn a_shared_function_is_handed_the_example_or_nothing_is_written() {
    let call = "it('t', () => {\n  holds(fc.nat(), (a) => a < 1);\n});\n";
    let with = |function: &str| format!("{function}\n{call}");
    let function =
        "function holds(arb, rule, options = {}) { fc.assert(fc.property(arb, rule), { numRuns: 9, ...options }); }";
    let (after, _) = pinned(&with(function), "t", "[2]", 4).unwrap();
    let expected =
        format!("  holds(fc.nat(), (a) => a < 1, {{\n    examples: [\n      {REMARK}\n      [2],\n    ],\n  }});\n");
    assert_eq!(after, format!("{function}\nit('t', () => {{\n{expected}}});\n"));
    let moved = pinned(&with(function), "t", "[2]", 9).unwrap().0;
    assert_eq!(moved, after, "another line than it has now");
    let closed = "const holds = (arb, rule) => fc.assert(fc.property(arb, rule));";
    let (after, warnings) = pinned(&with(closed), "t", "[2]", 4).unwrap();
    let own = format!(
        "\n{REMARK}\nit('t (pin c91d973)', () => {{\n  const a = 2;\n  if ((a < 1) === false) throw new Error('the rule does not hold');\n}});\n"
    );
    assert_eq!(after, format!("{}{own}", with(closed)));
    assert_eq!(warnings, ["the property runs in `holds`, which takes no options: the pin is a test of its own"]);
    let files = [
        (
            "a.test.ts",
            "const fc = require('fast-check');\nconst { holds } = require('./h');\nit('t', () => {\n  holds(fc.nat(), (a) => a < 1);\n});\n",
        ),
        ("h.js", "exports.holds = function (arb, rule, options) { fc.assert(fc.property(arb, rule), options); };\n"),
    ];
    let (after, _) = pinned_in(&files, &failure("t", "[2]", 4)).unwrap();
    assert!(after.contains("holds(fc.nat(), (a) => a < 1, {\n    examples: ["), "{after}");
}

#[test]
fn functions_that_call_themselves_or_each_other_are_followed_once() {
    let helpers = "function mirror(t) { return { l: mirror(t.r), r: mirror(t.l) }; }\n\
                   function even(n) { return odd(n); }\nfunction odd(n) { return even(n) || odd(n); }\n";
    for arbitrary in ["fc.nat().map((a) => mirror(a))", "fc.nat().map(even)"] {
        let text = format!("{helpers}test.prop([{arbitrary}])('t', (a) => a < 1);\n");
        pinned(&text, "t", r#"[{"a":1}]"#, 7).unwrap_or_else(|why| panic!("{arbitrary}: {why}"));
    }
}

#[test]
fn what_prints_as_another_value_is_replayed() {
    let test = |arbitrary: &str| format!("class M {{}}\ntest.prop([{arbitrary}])('t', (a) => a < 1);\n");
    let plain = |arbitrary: &str, input: &str| {
        pinned(&test(arbitrary), "t", input, 4).unwrap_or_else(|why| panic!("{arbitrary}: {why}"));
    };
    plain("fc.record({ a: fc.nat() })", r#"[{"a":1}]"#);
    plain("fc.array(fc.record({ a: fc.nat() })).filter((x) => x.length > 1)", r#"[[{"a":1}]]"#);
    plain("fc.nat().map((a) => ({ a }))", r#"[{"a":1}]"#);
    plain("fc.nat().map((a) => new Map([[a, { a: String(a) }]]))", r#"[new Map([[1,{"a":"1"}]])]"#);
    plain("fc.nat().map((a) => new M(a))", "[1]");
    plain("fc.constant(Object.assign(Array(60), { 3: 1 }))", "[Object.assign(Array(60),{3:1})]");
    plain("fc.constant(JSON.parse('{}'))", "[{\"a\":1}]");
    plain("fc.constant(Object.assign(Object.create(null), { a: 1 }))", "[{\"b\":{__proto__:null,\"a\":1}}]");
    plain("fc.letrec((tie) => ({ t: fc.oneof(fc.nat(), fc.record({ l: tie('t') })) })).t", "[1]");
    let refused = |arbitrary: &str, input: &str, words: &str| {
        let pin = planned(&[("a.test.ts", &format!("{HEAD}{}", test(arbitrary)))], &failure("t", input, 4)).unwrap();
        assert_eq!((pin.rung, pin.parts[0].kind), (Rung::Replayed, PartKind::Test), "{arbitrary}");
        assert!(pin.reason.as_ref().unwrap().contains(words), "{:?}", pin.reason);
        assert_eq!(pin.replay.as_deref(), Some("seed: 7, path: \"0:1\""));
        let text = &pin.parts[0].text;
        // What is drawn while the property runs is shrunk once more.
        let way = if arbitrary == "fc.gen()" { "'0', numRuns: 1" } else { "'0:1', endOnFailure: true" };
        assert!(text.contains(&format!(", {{ seed: 7, path: {way} }})('t (pin ")), "{text}");
        let unseeded = Failure { replay: Replay::None, ..failure("t", input, 4) };
        let file = format!("{HEAD}{}", test(arbitrary));
        assert!(planned(&[("a.test.ts", &file)], &unseeded).unwrap_err().0.ends_with("; pin it by hand"));
    };
    refused("fc.nat().map((a) => new M(a))", r#"[{"a":1}]"#, "made by `M`");
    refused("fc.nat().map((a) => M.of(a))", r#"[{"a":1}]"#, "made by `M.of`");
    refused("fc.constant(Object.create({ a: 1 }))", "[{}]", "not to be told");
    refused("somewhere", r#"[{"a":1}]"#, "what `somewhere` makes is not to be told");
    refused("fc.context()", r#"[{"logs":[]}]"#, "`fc.context`");
    refused("fc.gen()", "[[3,6]]", "`fc.gen`");
    refused("fc.commands([])", "[inc(8),inc(5) /*replayPath=\"A:B\"*/]", "a run of commands");
    refused("fc.func(fc.nat())", "[function(a) { return 1 }]", "`fc.func`");
    refused("fc.constant(Symbol('d'))", "[Symbol(\"d\")]", "no value that an expression can hold");
}

#[test]
fn names_are_followed_into_other_files() {
    let files = [
        (
            "a.test.ts",
            "import fc from 'fast-check';\nimport { money, plain } from './arbs';\nit('t', () => { fc.assert(fc.property(money, (a) => a)); });\nit('u', () => { fc.assert(fc.property(plain(), (a) => a)); });\n",
        ),
        (
            "arbs.ts",
            "import fc from 'fast-check';\nimport { Money } from './m';\nexport const money = fc.nat().map((n) => new Money(n));\nexport function plain() { return fc.record({ n: fc.nat() }); }\n",
        ),
    ];
    let why = planned(&files, &failure("t", r#"[{"n":1}]"#, 3)).unwrap().reason.unwrap();
    assert!(why.contains("made by `Money`"), "{why}");
    assert!(pinned_in(&files, &failure("u", r#"[{"n":1}]"#, 4)).is_ok());
}

#[test]
fn line_ends_and_a_missing_last_one_stay() {
    let source = "test.prop([fc.nat()])('t', (a) => a < 1);\n// end";
    let file = format!("{HEAD}{source}").replace('\n', "\r\n");
    let (after, _) = pinned_in(&[("a.test.ts", &file)], &failure("t", "[2]", 2)).unwrap();
    assert_eq!(after.matches("\r\n").count(), after.matches('\n').count());
    assert!(after.ends_with("// end"), "{after}");
}

#[test]
fn what_a_run_says_cannot_end_its_comment() {
    let mut told = failure("t", "[2]", 2);
    told.message = "a\u{2028}process.exit()\u{1b}[31m */\n*/".to_owned();
    let file = format!("{HEAD}test.prop([fc.nat()])('t', (a) => a < 1);\n");
    let (after, _) = pinned_in(&[("a.test.ts", &file)], &told).unwrap();
    let remark = after.lines().find(|line| line.contains("// Pinned")).unwrap();
    assert!(remark.contains("process.exit()") && !remark.contains(['\u{2028}', '\u{1b}']), "{remark}");
}

#[test]
fn a_torn_input_and_a_test_that_is_not_there_are_refused() {
    let mut told = failure("t", "[2", 2);
    told.caveats = vec![Caveat::Truncated];
    let file = format!("{HEAD}test.prop([fc.nat()])('t', (a) => a < 1);\n");
    assert!(pinned_in(&[("a.test.ts", &file)], &told).unwrap_err().contains("breaks off"));
    assert!(pinned_in(&[("a.test.ts", &file)], &failure("other", "[2]", 2)).unwrap_err().contains("has no test"));
    assert!(
        pinned_in(&[("b.test.ts", &file)], &failure("t", "[2]", 2)).unwrap_err().contains("no file of this repository")
    );
}

#[test]
fn a_pin_is_carried_into_another_version() {
    let standing = StandingPin {
        file: RepoPath::new("a.test.ts"),
        message: "expected 2 to be 1".to_owned(),
        counterexample: "[2]".to_owned(),
        ..blank_pin("fast-check", "t")
    };
    let file = format!("{HEAD}test.prop([fc.nat()])('t', (a) => a < 1);\n");
    let onto = Files::new([("a.test.ts", file.as_str())]);
    let graft = FastCheck.graft(&standing, &onto, &onto).unwrap();
    let after = String::from_utf8(graft.edits[0].1.apply(file.as_bytes())).unwrap();
    assert!(after.contains("    [2],\n"), "{after}");
    let untold = StandingPin { counterexample: String::new(), ..standing.clone() };
    assert!(FastCheck.graft(&untold, &onto, &onto).unwrap_err().0.contains("not on record"));
    let gone = Files::new([("a.test.ts", "test('u', () => {});\n")]);
    assert!(FastCheck.graft(&standing, &onto, &gone).is_err());
}

#[test]
fn a_property_is_shown_with_what_it_cites() {
    let file =
        "// the rule of PAY-2\nit('PAY-1 adds up', () => {\n  fc.assert(fc.property(fc.nat(), (a) => a < 1));\n});\n";
    let tree = Files::new([("pkg/a.test.ts", file), ("pkg/package.json", "{\"name\":\"pay\"}")]);
    let shown = FastCheck.property(&failure("PAY-1 adds up", "[2]", 3), &tree).unwrap();
    assert_eq!((shown.line, shown.first_line, shown.package.as_deref()), (3, 1, Some("pay")));
    assert_eq!(shown.citations, ["[PAY-1] PAY-1 adds up", "// the rule of PAY-2"]);
    assert_eq!(shown.text, file.trim_end());
}

/// The test that is the pin of `failure`.
fn own(source: &str, failure: &Failure) -> String {
    let pin = planned(&[("a.test.ts", &format!("{HEAD}{source}"))], failure).unwrap();
    let own = pin.parts.iter().find(|part| part.kind == PartKind::Test).unwrap();
    own.text.split_once('\n').unwrap().1.replace(&super::own::mark(failure), " (pin)")
}

const SEEDED: &str = "// Seed and path: it holds only while the arbitraries stay as they are.\n";

#[test]
fn a_run_of_commands_is_replayed_with_its_own_path() {
    let commands = "[inc(8) /*replayPath=\"AB:C\"*/]";
    let test = |commands: &str| {
        format!(
            "const c = fc.commands([x]);\nit('t', () => {{\n  fc.assert(fc.property({commands}, (a) => a), {{ numRuns: 9 }});\n}});\n"
        )
    };
    let expected = |commands: &str| {
        format!(
            "{SEEDED}it('t (pin)', () => {{\n  fc.assert(fc.property({commands}, (a) => a), {{ seed: 7, path: '0:1', endOnFailure: true \
             }});\n}});"
        )
    };
    let told = failure("t", commands, 4);
    assert_eq!(own(&test("fc.commands([x])"), &told), expected("fc.commands([x], { replayPath: 'AB:C' })"));
    assert_eq!(own(&test("c"), &told), expected("fc.commands([x], { replayPath: 'AB:C' })"));
    assert_eq!(
        own(&test("fc.commands([x], { size: '+1', replayPath: 'A' })"), &told),
        expected("fc.commands([x], { size: '+1', replayPath: 'AB:C' })")
    );
    assert_eq!(own(&test("fc.commands([x], o)"), &told), expected("fc.commands([x], { ...o, replayPath: 'AB:C' })"));
}

#[test]
fn a_replayed_run_has_the_options_of_its_property_and_a_path_of_its_own() {
    let test = |options: &str| format!("test.prop([fc.context()]{options})('t', (a) => a);\n");
    let check = |path: &str, options: &str, expected: &str| {
        let replay = Replay::NewSeed { handle: format!("seed: -7, path: \"{path}\""), file: None };
        let told = Failure { replay, ..failure("t", "[{\"logs\":[]}]", 2) };
        let expected = format!("{SEEDED}test.prop([fc.context()], {{ {expected} }})('t (pin)', (a) => a);");
        assert_eq!(own(&test(options), &told), expected, "{options}");
    };
    check("3:1", "", "seed: -7, path: '3:1', endOnFailure: true");
    check("3", "", "seed: -7, path: '3', endOnFailure: true, numRuns: 1");
    check("3:1", ", { seed: 1, verbose: 2, numRuns: 8 }", "verbose: 2, seed: -7, path: '3:1', endOnFailure: true");
    check("3:1", ", { examples: [[1], [2]] }", "seed: -7, path: '1:1', endOnFailure: true");
    check("1:1", ", { examples: [[1], [2]] }", "examples: [[1], [2]], seed: -7, path: '1:1', endOnFailure: true");
    check("3:1", ", { ...o, examples: [[1]] }", "...o, examples: [[1]], seed: -7, path: '3:1', endOnFailure: true");
    check("3:1", ", options", "...options, seed: -7, path: '3:1', endOnFailure: true");
    let drawn = test("").replace("fc.context()", "fc.gen()");
    let expected = "test.prop([fc.gen()], { seed: 7, path: '0', numRuns: 1 })('t (pin)', (a) => a);";
    assert_eq!(own(&drawn, &failure("t", "[[3]]", 2)), format!("{SEEDED}{expected}"));
}

#[test]
fn a_copy_leaves_out_the_other_properties_of_its_test() {
    let source = "it('t', async () => {\n  await fc.assert(fc.asyncProperty(fc.nat(), async (a) => a < 1));\n  \
                  fc.assert(fc.property(fc.gen(), (g) => g));\n});\n";
    let expected = "it('t (pin)', async () => {\n  fc.assert(fc.property(fc.gen(), (g) => g), { seed: 7, path: '0', numRuns: 1 });\n});";
    assert_eq!(own(source, &failure("t", "[[3]]", 4)), format!("{SEEDED}{expected}"));
}

#[test]
fn what_cannot_be_copied_is_refused() {
    let why = |source: &str, input: &str| {
        planned(&[("a.test.ts", &format!("{HEAD}{source}"))], &failure("t 1", input, 3)).unwrap_err().0
    };
    let table = "test.each([[1]])('t %i', (n) => {\n  fc.assert(fc.property(fc.gen(), (g) => g));\n});\n";
    assert!(why(table, "[[3]]").contains("one of a table"), "{}", why(table, "[[3]]"));
    let named = "for (const n of [1]) {\n  it(`t ${n}`, () => fc.assert(fc.property(fc.gen(), (g) => g)));\n}\n";
    assert!(why(named, "[[3]]").contains("only known when the code runs"), "{}", why(named, "[[3]]"));
    let commands = "it('t 1', () => fc.assert(fc.property(made(), (g) => g)));\n";
    let why = why(commands, "[inc(8) /*replayPath=\"AB:C\"*/]");
    assert!(why.contains("`replayPath` goes into is not to be told"), "{why}");
}

#[test]
fn a_rule_is_asked_in_the_style_of_its_file() {
    let check = |head: &str, test: &str, input: &str, expected: &str| {
        let holds = "const holds = (arb, rule) => fc.assert(fc.property(arb, fc.nat(), rule));\n";
        let source = format!("{head}{holds}{test}\n");
        assert_eq!(own(&source, &failure("t", input, 2)), expected, "{test}");
    };
    check(
        "expect(1);\n",
        "it('t', async () => { await holds(fc.nat(), async ({ a }: T, b) => f(a, b)); });",
        "[{\"a\":1},\"x\"]",
        "it('t (pin)', async () => {\n  const { a }: T = { a: 1 };\n  const b = 'x';\n  expect(f(a, b)).not.toBe(false);\n});",
    );
    check(
        "",
        "it('t', () => holds(fc.nat(), rule));",
        "[1,2]",
        "it('t (pin)', () => {\n  if ((rule(1, 2)) === false) throw new Error('the rule does not hold');\n});",
    );
    check(
        "assert.ok(1);\n",
        "it('t', () => holds(fc.nat(), (a, b) => {\n  // both\n  assert.ok(a < b);\n\n  assert.ok(b);\n}));",
        "[2,1]",
        "it('t (pin)', () => {\n  const a = 2;\n  const b = 1;\n  // both\n  assert.ok(a < b);\n\n  assert.ok(b);\n});",
    );
    check(
        "assert.ok(1);\n",
        "it('t', () => holds(fc.nat(), (a, b) => { fc.pre(a); return a < b; }));",
        "[2,1]",
        "it('t (pin)', () => {\n  const rule = (a, b) => { fc.pre(a); return a < b; };\n  assert.notEqual(rule(2, 1), false);\n});",
    );
    let begins = "const keeps = (title, arb, rule) => it(title, () => fc.assert(fc.property(arb, rule)));\n\
                  keeps('t', fc.nat(), (a) => a !== 2);\n";
    let expected = "it('t (pin)', () => {\n  const a = 2;\n  if ((a !== 2) === false) throw new Error('the rule does not hold');\n});";
    assert_eq!(own(begins, &failure("t", "[2]", 3)), expected);
}

#[test]
fn a_test_of_its_own_is_carried_into_another_version() {
    let (before, call) = ("const r = (a) => a < 1;\n", "it('t', () => holds(fc.nat(), r));\n");
    let holds = "const holds = (arb, rule) => fc.assert(fc.property(arb, rule));\n";
    let source = format!("{HEAD}{holds}{before}{call}");
    let (after, _) = pinned_in(&[("a.test.ts", &source)], &failure("t", "[2]", 4)).unwrap();
    let here = format!("{HEAD}{after}");
    let found = super::find::find(&failure("t", "[2]", 4), &Files::new([("a.test.ts", source.as_str())])).unwrap();
    let test = super::own::name(&found, &failure("t", "[2]", 4), &super::own::mark(&failure("t", "[2]", 4)));
    let standing = StandingPin {
        test: Some(test),
        file: RepoPath::new("a.test.ts"),
        counterexample: "[2]".to_owned(),
        ..blank_pin("fast-check", "t")
    };
    let files = |text: &str| Files::new([("a.test.ts", text)]);
    let graft = FastCheck.graft(&standing, &files(&here), &files(&source)).unwrap();
    let text = String::from_utf8(graft.edits[0].1.apply(source.as_bytes())).unwrap();
    assert!(text.contains("it('t (pin c91d973)', () => {\n"), "{text}");
    assert!(FastCheck.graft(&standing, &files(&source), &files(&source)).unwrap_err().0.contains("has no test"));
}

#[test]
fn what_an_assertion_says_itself_is_not_claimed_to_be_known() {
    let source = format!("{HEAD}test.prop([fc.nat()])('t', (a) => a < 1);\n");
    let tree = Files::new([("a.test.ts", source.as_str())]);
    let property = FastCheck.property(&failure("t", "[2]", 2), &tree).unwrap();
    assert_eq!(property.own_message, None);
}
