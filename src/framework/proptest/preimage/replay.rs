//! The input reached as its run reached it: the seed, and the steps of shrinking that were recorded, driven through the
//! library's public API. As fragile as the strategy itself, so that the test sees that the value is the one on record, as
//! far as its text can tell.

use super::arguments::{Input, recorded};
use super::trace::Trace;
use crate::framework::proptest::regression::SeedBytes;
use crate::framework::rust::astray::ASTRAY;
use crate::language::rust::code::Code;
use crate::language::rust::layout::indented;
use crate::language::rust::literal::Bound;
use crate::language::rust::property::{Form, PropertyFn};
use crate::language::rust::tokens::apart;
use crate::value::Value;

/// Most parameters of a property, as the library keeps no more strategies in one tuple.
const MOST_PARAMETERS: usize = 10;

/// Most steps that a test takes.
const MOST_STEPS: usize = 8192;

/// Steps on one line.
const LINE: usize = 88;

/// Longest text that stands in the test to be compared, in bytes; of longer ones a digest does.
const LONGEST: usize = 400;

/// What is said of a pin that stands so.
pub(super) const FRAGILE: &str = "its value is reached by the seed and the steps of shrinking: another strategy or version of the library reaches another";

/// A way back to the input.
pub(super) struct Replay {
    /// All parameters at once.
    pub(super) bound: Bound,
    /// What that prints.
    pub(super) printed: String,
}

/// The way back to the input of `property` that `trace` recorded; `library` is what code calls the library, `text` what the
/// property's spans are of.
///
/// # Errors
/// Why there is none.
pub(super) fn replay(trace: &Trace, property: &PropertyFn, text: &str, library: &str) -> Result<Replay, String> {
    let is_known = !matches!(property.form, Form::StateMachine | Form::Pin);
    if !is_known || property.parameters.is_empty() || property.parameters.len() > MOST_PARAMETERS {
        return Err("only properties with few parameters of their own are replayed step by step".to_owned());
    }
    let is_step = |byte: u8| matches!(byte, b'S' | b'C');
    let steps = trace.steps.as_deref().filter(|steps| steps.len() <= MOST_STEPS && steps.bytes().all(is_step));
    let steps = steps.ok_or_else(|| "its shrinking was not recorded, or took too many steps".to_owned())?;
    let seed = SeedBytes::of(&trace.seed).ok_or_else(|| "its seed is of a generator that cannot be made".to_owned())?;
    let input = recorded(trace, property).ok_or_else(|| "its input was not recorded".to_owned())?;
    let strategies = property.parameters.iter().map(|parameter| match (&parameter.strategy, &parameter.ty) {
        (Some(strategy), _) => Some(strategy.clone()),
        (None, Some(ty)) => Some(format!("{library}::arbitrary::any::<{ty}>()")),
        (None, None) => None,
    });
    let strategies: Vec<String> =
        strategies.collect::<Option<_>>().ok_or_else(|| "its strategies are not in its source".to_owned())?;
    // A macro's own sign for another parameter: no strategy by itself.
    if strategies.iter().any(|strategy| strategy.contains('#')) {
        return Err("the strategy of one of its parameters depends on another".to_owned());
    }
    let shape = shape(property, &input);
    let all = |parts: &[String]| tuple(parts, shape);
    let patterns: Vec<String> = property.parameters.iter().map(|parameter| parameter.pattern.clone()).collect();
    let printed = match is_apart(property, &input) {
        true => all(&input.arguments.iter().map(|one| one.text.clone()).collect::<Vec<_>>()),
        false => input.whole.text,
    };
    let config = configuration(text, property).unwrap_or_else(|| "Config::default()".to_owned());
    let lines = [
        format!("use {library}::strategy::{{Strategy, ValueTree}};"),
        format!("use {library}::test_runner::{{Config, RngAlgorithm, TestRng, TestRunner}};"),
        format!("let seed = {};", seed.array()),
        format!("let drawn = TestRng::from_seed(RngAlgorithm::{}, &seed);", seed.algorithm()),
        // None of these names is one that a test function is likely to have for what its strategies are made of.
        format!(
            "let mut replay = TestRunner::new_with_rng(Config {{ failure_persistence: None, ..{config} }}, drawn);"
        ),
        format!("let mut made = ({}).new_tree(&mut replay)", all(&strategies)),
        format!("    .unwrap_or_else(|why| ::core::panic!(\"{ASTRAY}none, {{}}\", why));"),
        format!("for step in {}.bytes() {{", written(steps)),
        "    let _ = if step == b'S' { made.simplify() } else { made.complicate() };".to_owned(),
        "}".to_owned(),
        "let value = made.current();".to_owned(),
        compared(&printed),
        "value".to_owned(),
    ];
    let code = format!("{{\n{}\n}}", indented(&lines.join("\n"), "    "));
    Ok(Replay { bound: Bound { pattern: all(&patterns), code }, printed })
}

/// Statements that see whether `value` prints `expected`. They panic by themselves: what is called `assert_eq!` in a test
/// may be any crate's, and say it in any words.
fn compared(expected: &str) -> String {
    let mut lines = vec!["let printed = format!(\"{value:?}\");".to_owned()];
    let is_loose = may_vary(&Value::parse(expected));
    let expected = if is_loose { sorted(expected) } else { expected.to_owned() };
    if is_loose {
        lines.push("// What is hashed prints in another order each time.".to_owned());
        lines
            .push("let mut told: Vec<&str> = printed.split(&['{', '}', ','][..]).map(str::trim).collect();".to_owned());
        lines.push("told.sort_unstable();".to_owned());
        lines.push("let told = told.join(\",\");".to_owned());
    }
    let told = if is_loose { "told" } else { "printed" };
    let differs = match expected.len() <= LONGEST {
        true => format!("{told} != {expected:?}"),
        false => {
            lines.push(format!("let digest = {told}.bytes().fold({START:#x}u64, |sum, byte| {{"));
            lines.push(format!("    (sum ^ u64::from(byte)).wrapping_mul({FACTOR:#x})"));
            lines.push("});".to_owned());
            format!("digest != {:#x}", digest(&expected))
        }
    };
    lines.push(format!("if {differs} {{"));
    lines.push(format!("    ::core::panic!(\"{ASTRAY}{{:.{LONGEST}}}\", printed);"));
    lines.push("}".to_owned());
    lines.join("\n")
}

/// What a text of sets or maps tells whatever their order: what stands between braces and commas, sorted.
fn sorted(text: &str) -> String {
    let mut told: Vec<&str> = text.split(&['{', '}', ','][..]).map(str::trim).collect();
    told.sort_unstable();
    told.join(",")
}

/// Where a digest starts.
const START: u64 = 0xcbf2_9ce4_8422_2325;

/// What each byte of a text multiplies its digest by.
const FACTOR: u64 = 0x0100_0000_01b3;

/// The FNV-1a digest, which takes a test no crate and is the same with every compiler.
fn digest(text: &str) -> u64 {
    text.bytes().fold(START, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(FACTOR))
}

/// Whether a value may print otherwise the next time: what hashes has no order.
fn may_vary(value: &Value) -> bool {
    match value {
        Value::Map(pairs) => pairs.len() > 1 || pairs.iter().any(|(key, value)| may_vary(key) || may_vary(value)),
        Value::Set(values) => values.len() > 1 || values.iter().any(may_vary),
        Value::Tuple(values) | Value::Sequence(values) | Value::Call { arguments: values, .. } => {
            values.iter().any(may_vary)
        }
        Value::Record { fields, .. } => fields.iter().any(|(_, value)| may_vary(value)),
        Value::Opaque(text) => text.contains('{') && text.contains(','),
        Value::Number(_) | Value::Char(_) | Value::Text(_) | Value::Word(_) => false,
    }
}

/// How the strategies of several parameters are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// In one tuple; one alone is none.
    Flat,
    /// In one tuple, be it of one.
    Whole,
    /// Each with all after it in a pair.
    Pairs,
}

/// How those of `property` are.
fn shape(property: &PropertyFn, input: &Input) -> Shape {
    match (property.form, Value::parse(&input.whole.text)) {
        (Form::PropertyTest, _) => Shape::Whole,
        (Form::TestStrategy, _) => Shape::Pairs,
        (_, Value::Tuple(values)) if values.len() == 2 && property.parameters.len() > 2 => Shape::Pairs,
        _ => Shape::Flat,
    }
}

/// Whether the library prints the values in a record of its own, which nobody else can make.
fn is_apart(property: &PropertyFn, input: &Input) -> bool {
    let is_record = matches!(Value::parse(&input.whole.text), Value::Record { .. });
    is_record && matches!(property.form, Form::PropertyTest | Form::TestStrategy)
}

/// The parts as the library puts them together.
fn tuple(parts: &[String], shape: Shape) -> String {
    match parts {
        [one] if shape == Shape::Whole => format!("({one},)"),
        [one] => one.clone(),
        [first, rest @ ..] if shape == Shape::Pairs => format!("({first}, {})", tuple(rest, shape)),
        all => format!("({})", all.join(", ")),
    }
}

/// The configuration of the block that holds `property`.
fn configuration(text: &str, property: &PropertyFn) -> Option<String> {
    let item = text.get(property.item.range())?;
    apart(|| {
        let code = Code::read(item).ok()?;
        let at = (0..code.tokens.len()).find(|at| code.word(*at) == "proptest_config" && code.open(at + 1, '('))?;
        Some(item.get(code.inside(at + 1).range())?.trim().to_owned())
    })
}

/// Steps as one text, over several lines where they are many.
fn written(steps: &str) -> String {
    if steps.len() <= LINE {
        return format!("{steps:?}");
    }
    let lines = steps.as_bytes().chunks(LINE).filter_map(|line| std::str::from_utf8(line).ok());
    let lines: Vec<String> = lines.map(|line| format!("    {line:?},")).collect();
    format!("concat!(\n{}\n)", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::{Shape, digest, replay, sorted, tuple, written};
    use crate::framework::proptest::find::properties;
    use crate::framework::proptest::preimage::trace::Trace;

    #[track_caller]
    fn check(source: &str, seed: &str, expected: Result<&[&str], &str>) {
        check_of(source, (seed, "SSC", "(1, 2)"), expected);
    }

    #[track_caller]
    fn check_of(source: &str, (seed, steps, out): (&str, &str, &str), expected: Result<&[&str], &str>) {
        let record = format!(
            "{{\"record\":1,\"seed\":\"{seed}\",\"steps\":\"{steps}\"}}\n\
             {{\"depth\":0,\"kind\":\"root\",\"out\":\"{out}\",\"out_ty\":\"(u8, u16)\"}}\n{{\"end\":1}}\n"
        );
        let trace = Trace::read(&record).pop().unwrap();
        let property = properties(source).unwrap().pop().unwrap();
        let told = replay(&trace, &property, source, "proptest");
        let told = told.as_ref().map(|told| (told.bound.code.as_str(), told.bound.pattern.as_str()));
        match (told, expected) {
            (Ok((code, pattern)), Ok(expected)) => {
                assert_eq!(pattern, "(a, b)");
                expected.iter().for_each(|line| assert!(code.contains(line), "{line} in\n{code}"));
                assert!(syn::parse_str::<syn::Expr>(code).is_ok(), "{code}");
            }
            (Err(why), Err(expected)) => assert_eq!(why, expected),
            (told, _) => panic!("{told:?}"),
        }
    }

    #[test]
    fn the_seed_and_the_steps_lead_back_to_the_input() {
        let seed = format!("cc {}", "0a".repeat(32));
        let block = "proptest! {\n #![proptest_config(own(3))]\n #[test]\n fn f(a: u8, b in s(\")\")) {} }";
        let lines = [
            "let seed = [10u8, 10,",
            "RngAlgorithm::ChaCha, &seed",
            "Config { failure_persistence: None, ..own(3) }",
            "((proptest::arbitrary::any::<u8>(), s(\")\"))).new_tree",
            "for step in \"SSC\".bytes()",
            "let printed = format!(\"{value:?}\");\n    if printed != \"(1, 2)\" {\n        ::core::panic!(\"the seed and the steps",
        ];
        check(block, &seed, Ok(&lines));
        check(block, "pt", Err("its seed is of a generator that cannot be made"));
        let machine = "prop_state_machine! { #[test] fn f(sequential 1..9 => Gate); }";
        check(machine, &seed, Err("only properties with few parameters of their own are replayed step by step"));
    }

    #[test]
    fn all_that_a_value_prints_is_compared_but_the_order_within_braces() {
        let seed = format!("cc {}", "0a".repeat(32));
        let block = "proptest! {\n #[test]\n fn f(a: u8, b in s()) {} }";
        let long = format!("(1, {})", "7".repeat(400));
        let check = |out: &str, line: &str| check_of(block, (&seed, "", out), Ok(&[line]));
        check(&long, &format!("if digest != {:#x} {{", digest(&long)));
        check(&long, "let digest = printed.bytes().fold(0xcbf29ce484222325u64, |sum, byte| {");
        check("(1, {2, 3})", "let told = told.join(\",\");\n    if told != \",(1,),2,3\" {");
        check("(1, X { a: {2: 3, 4: 5} })", "if told != \",(1,),2: 3,4: 5,X,a:\" {");
        check("(1, {2})", "if printed != \"(1, {2})\" {");
        let wide = format!("(1, {{{}}})", "7, ".repeat(400));
        check(&wide, &format!("if digest != {:#x} {{", digest(&sorted(&wide))));
        // The published digests of these.
        assert_eq!([digest(""), digest("a")], [0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c]);
        assert_eq!(sorted("{2: 1, 1: 2}"), sorted("{1: 2, 2: 1}"));
        assert_ne!(sorted("{2: 1, 1: 2}"), sorted("{1: 1, 2: 2}"));
        assert_ne!(sorted("{0, 0, 0}"), sorted("{5, 7, 5}"));
        let steps = "S\\\"; x";
        check_of(block, (&seed, steps, "(1, 2)"), Err("its shrinking was not recorded, or took too many steps"));
    }

    #[test]
    fn parts_are_put_together_as_the_library_does() {
        let parts = ["a", "b", "(c, d)"].map(str::to_owned);
        assert_eq!(tuple(&parts, Shape::Flat), "(a, b, (c, d))");
        assert_eq!(tuple(&parts, Shape::Pairs), "(a, (b, (c, d)))");
        assert_eq!(tuple(&parts, Shape::Whole), "(a, b, (c, d))");
        assert_eq!(
            [Shape::Flat, Shape::Pairs, Shape::Whole].map(|shape| tuple(&parts[..1], shape)),
            ["a", "a", "(a,)"]
        );
    }

    #[test]
    fn a_property_of_any_form_is_led_back() {
        let seed = format!("cc {}", "0a".repeat(32));
        let closure = "#[test]\nfn f() {\n    let s = 0..9u16;\n    proptest!(|(a: u8, b in s)| {});\n}";
        let tree = "((proptest::arbitrary::any::<u8>(), s)).new_tree(&mut replay)";
        check(closure, &seed, Ok(&[tree, "\"(1, 2)\""]));
        let runner = "#[test]\nfn f() { TestRunner::default().run(&(s(), t()), |(a, b)| { Ok(()) }).unwrap(); }";
        check(runner, &seed, Ok(&["((s(), t())).new_tree(&mut replay)", "\"(1, 2)\""]));
        let attribute = "#[property_test]\nfn f(a: u8, #[strategy = s()] b: u16) {}";
        let record = "FArgs { a: 1, b: B { c: 2 } }";
        let tree = "((proptest::arbitrary::any::<u8>(), s())).new_tree(&mut replay)";
        check_of(attribute, (&seed, "", record), Ok(&[tree, "\"(1, B { c: 2 })\""]));
        let strategies = "use test_strategy::proptest;\n#[proptest]\nfn f(a: u8, #[strategy(s())] b: u16) {}";
        check_of(strategies, (&seed, "", "_FArgs { a: 1, b: 2 }"), Ok(&[tree, "\"(1, 2)\""]));
        let depends = "#[proptest]\nfn f(a: u8, #[strategy(0..#a)] b: u8) {}";
        let why = "the strategy of one of its parameters depends on another";
        check_of(depends, (&seed, "", "_FArgs { a: 1, b: 2 }"), Err(why));
    }

    #[test]
    fn many_steps_stand_on_several_lines() {
        assert_eq!(written("SSC"), "\"SSC\"");
        let many = written(&"S".repeat(90));
        assert_eq!(many, format!("concat!(\n    \"{}\",\n    \"SS\",\n)", "S".repeat(88)));
    }
}
