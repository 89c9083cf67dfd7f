//! Pins out of records: the strategy as source, what a run recorded of it, and the pins, best first.

use super::constructed;
use crate::failure::{Argument, Counterexample, Failure, ForeignPath, Location, testing};
use crate::framework::Attempt;
use crate::framework::proptest::preimage::attempts::attempts;
use crate::pin::{NOT_DETERMINISTIC, PartKind};
use crate::source_tree::testing::Files;

const MANIFEST: &str = "[package]\nname = \"rates\"\n[dev-dependencies]\nproptest = \"1\"\n";

/// A crate whose types hide what they hold.
const LIBRARY: &str = "\
pub mod secret {
    pub struct Secret(u32);
    impl std::fmt::Debug for Secret {}
    impl Secret { pub fn new(n: u32) -> Self { Secret(n) } }
    #[derive(Debug)]
    pub struct Span { low: u32, high: u32 }
    pub struct Cell<K>(K);
    impl<K> std::fmt::Debug for Cell<K> {}
    pub type Plain = Cell<dep::Key>;
}
#[cfg(test)]
pub(crate) mod strategies {
    use super::secret::*;
    fn twice(n: u32) -> u32 { n * 2 }
    pub(crate) fn plain() -> impl Strategy<Value = Secret> { any().prop_map(|n| Secret::new(n)) }
    pub(crate) fn doubled() -> impl Strategy<Value = Secret> {
        any().prop_map(|n| Secret::new(twice(n)))
    }
    pub(crate) fn named() -> impl Strategy<Value = Secret> { any().prop_map(Secret::new) }
    pub(crate) fn aliased() -> impl Strategy<Value = Plain> { any().prop_map(Plain::from) }
    pub(crate) fn chosen() -> impl Strategy<Value = Secret> {
        any().prop_map(|n| {
            let secret = Secret::new(n);
            match n { 0 => Secret::new(1), _ => secret }
        })
    }
    pub(crate) struct Shape { sides: u8 }
    pub(crate) fn shapes() -> impl Strategy<Value = Shape> { any().prop_map(|sides| Shape { sides }) }
    mod hidden {
        use super::super::secret::*;
        fn thrice(n: u32) -> u32 { n * 3 }
        impl Secret {
            pub(crate) fn any() -> impl Strategy<Value = Secret> { any().prop_map(|n| Secret::new(thrice(n))) }
        }
    }
}
#[cfg(test)]
mod tests;
";

/// An event of a record: its depth and kind, the line of the tests that `^` marks or a site, then what it received and gave.
struct Event<'a> {
    depth: usize,
    kind: &'a str,
    site: String,
    function: &'a str,
    received: (&'a str, &'a str),
    gave: (&'a str, &'a str),
    more: &'a str,
}

fn map<'a>(depth: usize, site: String, received: (&'a str, &'a str), gave: (&'a str, &'a str)) -> Event<'a> {
    Event { depth, kind: "map", site, function: "rates::tests::f::{{closure}}", received, gave, more: "" }
}

impl Event<'_> {
    fn line(&self) -> String {
        let quoted = |text: &str| serde_json::to_string(text).unwrap();
        format!(
            "{{\"depth\":{},\"kind\":\"{}\",\"site\":{},\"fun\":{},\"in\":{},\"in_ty\":{},\"out\":{},\"out_ty\":{}{}}}",
            self.depth,
            self.kind,
            quoted(&self.site),
            quoted(self.function),
            quoted(self.received.0),
            quoted(self.received.1),
            quoted(self.gave.0),
            quoted(self.gave.1),
            self.more
        )
    }
}

/// The record of a property of one argument that printed as `text`.
fn record(events: &[Event<'_>], text: &str, ty: &str) -> String {
    let mut lines = vec!["{\"record\":1,\"seed\":\"cc 0a\",\"steps\":\"S\"}".to_owned()];
    lines.extend(events.iter().map(Event::line));
    let named = Event {
        function: "rates::tests::holds::{{closure}}",
        ..map(1, "src/tests.rs:1:1".to_owned(), (text, ty), ("x = …", "proptest::sugar::NamedArguments<&str, T>"))
    };
    lines.push(named.line());
    lines.push("{\"depth\":0,\"kind\":\"root\",\"out\":\"x = …\",\"out_ty\":\"T\"}\n{\"end\":1}".to_owned());
    lines.join("\n")
}

/// The tests around a strategy.
fn tests(strategies: &str, parameter: &str) -> String {
    format!(
        "use super::secret::*;\nuse proptest::prelude::*;\n{strategies}\nproptest! {{\n    #[test]\n    fn holds({parameter}) {{\n        check(x);\n    }}\n}}\n"
    )
}

/// The place of `needle` in `text`, as the compiler names it.
fn site(file: &str, text: &str, needle: &str) -> String {
    let at = text.find(needle).unwrap();
    let line = text[..at].matches('\n').count() + 1;
    let column = text[..at].rsplit('\n').next().unwrap().chars().count() + 1;
    format!("{file}:{line}:{column}")
}

/// The failure of the property in the tests, whose `x` printed so.
fn failure(argument: &str) -> Failure {
    Failure {
        location: Some(Location { file: ForeignPath("src/tests.rs".into()), line: 1, column: None }),
        counterexample: Counterexample {
            text: String::new(),
            arguments: vec![Argument { name: "x".into(), text: argument.into() }],
        },
        ..testing::failure("tests::holds")
    }
}

/// Each pin: its rung, then each part without comments.
fn pins(tests: &str, record: &str, argument: &str) -> Vec<String> {
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", LIBRARY), ("src/tests.rs", tests)];
    let failure = failure(argument);
    let code = |text: &str| text.lines().filter(|line| !line.starts_with("///")).collect::<Vec<_>>().join("\n");
    match constructed(&failure, None, record, &[], &Files::new(files), "2026-11-30") {
        Err(refusal) => vec![refusal.0],
        Ok(candidates) => candidates
            .iter()
            .map(|one| {
                let parts = one.pin.parts.iter().filter(|part| part.kind != PartKind::ReplayLine);
                let texts =
                    parts.map(|part| format!("{} {}\n{}", part.file, part.modules.join("::"), code(&part.text)));
                format!("{}\n{}", one.pin.rung.word(), texts.collect::<Vec<_>>().join("\n"))
            })
            .collect(),
    }
}

/// `expected` are the expressions that `x` is bound to in each pin, and the functions beside a strategy after them.
#[track_caller]
fn check(tests: &str, record: &str, argument: &str, expected: &[&str]) {
    let said = pins(tests, record, argument).into_iter().map(|pin| {
        let Some((_, rest)) = pin.split_once("let x = ") else { return pin };
        let (value, after) = rest.split_once(";\n    check(x);\n}").unwrap();
        format!("{value}{after}")
    });
    assert_eq!(said.collect::<Vec<_>>(), expected, "{tests}");
}

const SECRET: &str = "rates::secret::Secret";

#[test]
fn a_function_is_called_with_what_it_received() {
    let text = tests("fn f() -> impl Strategy<Value = Secret> { any().prop_map(Secret::new) }", "x in f()");
    let at = site("src/tests.rs", &text, "prop_map");
    let event = Event { function: "rates::secret::Secret::new", ..map(2, at, ("7", "u32"), ("Secret(..)", SECRET)) };
    check(&text, &record(&[event], "Secret(..)", SECRET), "Secret(..)", &["Secret::new(7u32)"]);
    let text = tests("", "x in super::strategies::named()");
    let at = site("src/lib.rs", LIBRARY, "prop_map(Secret::new)");
    let event = Event { function: "rates::secret::Secret::new", ..map(2, at, ("7", "u32"), ("Secret(..)", SECRET)) };
    check(&text, &record(&[event], "Secret(..)", SECRET), "Secret(..)", &["Secret::new(7u32)"]);
}

#[test]
fn a_function_elsewhere_goes_by_the_alias_that_its_strategy_uses() {
    let text = tests("", "x in super::strategies::aliased()");
    let at = site("src/lib.rs", LIBRARY, "prop_map(Plain::from)");
    let ty = "rates::secret::Cell<dep::hidden::Key>";
    let function = format!("<{ty} as core::convert::From<u32>>::from");
    let event = Event { function: &function, ..map(2, at, ("7", "u32"), ("Cell(..)", ty)) };
    let by_type = ["<Cell<dep::Key>>::from(7u32)", "<Cell<dep::hidden::Key>>::from(7u32)"];
    check(&text, &record(&[event], "Cell(..)", ty), "Cell(..)", &["Plain::from(7u32)", by_type[0], by_type[1]]);
}

#[test]
fn a_function_of_a_type_with_arguments_is_called_by_all_of_it_besides() {
    let ty = "rates::secret::Cell<i16>";
    let function = format!("<{ty} as core::convert::From<alloc::vec::Vec<i16>>>::from");
    let strategy =
        "fn f<A: Strategy>(a: A) -> BoxedStrategy<Cell<A::Value>> { vec(a, 0..9).prop_map(Cell::from).boxed() }";
    let text = tests(strategy, "ref x in f(any::<i16>())");
    let at = site("src/tests.rs", &text, "prop_map");
    let received = ("[0, -1]", "alloc::vec::Vec<i16>");
    let event = || Event { function: &function, ..map(2, at.clone(), received, ("{0, -1}", ty)) };
    let bound = |pins: Vec<String>| -> Vec<String> {
        let lines = pins.iter().filter_map(|pin| pin.lines().find(|line| line.contains("let ref x")));
        lines.map(|line| line.trim().to_owned()).collect()
    };
    let expected = ["let ref x = Cell::from(vec![0i16, -1]);", "let ref x = <Cell<i16>>::from(vec![0i16, -1]);"];
    assert_eq!(bound(pins(&text, &record(&[event()], "{0, -1}", ty), "{0, -1}")), expected);

    // Where the strategy stands does not matter, and values inside of others are made likewise.
    let text = tests("", "x in vec(super::strategies::aliased(), 1..3)");
    let at = site("src/lib.rs", LIBRARY, "prop_map(Plain::from)");
    let (list, listed) = (format!("alloc::vec::Vec<{ty}>"), "[Cell(..)]");
    let event = Event { function: &function, ..map(2, at, received, ("Cell(..)", ty)) };
    let expected = ["vec![Plain::from(vec![0i16, -1])]", "vec![<Cell<i16>>::from(vec![0i16, -1])]"];
    check(&text, &record(&[event], listed, &list), listed, &expected);
}

#[test]
fn a_closure_is_said_in_one_expression_else_as_a_block() {
    let text = tests("fn f() { s.prop_map(|(a, b)| Span::new(a, b)) }", "x in f()");
    let at = site("src/tests.rs", &text, "prop_map");
    let (gave, ty) = ("Span { low: 1, high: 2 }", "rates::secret::Span");
    let event = map(2, at, ("(1, 2)", "(u32, u32)"), (gave, ty));
    check(
        &text,
        &record(&[event], gave, ty),
        gave,
        &[
            "Span::new(1u32, 2u32)",
            "{\n        let (a, b) = (1u32, 2u32);\n        Span::new(a, b)\n    }",
            "{\n        let (a, b) = (1u32, 2u32);\n        let value: Span = Span::new(a, b);\n        value\n    }",
        ],
    );
}

#[test]
fn a_body_that_may_leave_early_is_called() {
    let body = "|n| { let m = half(n)?; Span::new(m, n) }";
    let text = tests(&format!("fn f() {{ s.prop_filter_map(\"odd\", {body}) }}"), "x in f()");
    let at = site("src/tests.rs", &text, "prop_filter_map");
    let (gave, ty) = ("Span { low: 1, high: 2 }", "rates::secret::Span");
    let event = Event { kind: "filter_map", ..map(2, at, ("2", "u32"), (gave, ty)) };
    let called = "(|n: u32| { let m = half(n)?; Span::new(m, n) })(2u32).unwrap()";
    let typed = format!("{{\n        let value: Span = {called};\n        value\n    }}");
    check(&text, &record(&[event], gave, ty), gave, &[called, &typed]);
}

#[test]
fn what_cannot_be_said_elsewhere_stands_beside_its_strategy() {
    let text = tests("", "x in super::strategies::doubled()");
    let at = site("src/lib.rs", LIBRARY, "prop_map(|n| Secret::new(twice");
    let event = Event {
        function: "rates::strategies::doubled::{{closure}}",
        ..map(2, at, ("7", "u32"), ("Secret(..)", SECRET))
    };
    let pins = pins(&text, &record(&[event], "Secret(..)", SECRET), "Secret(..)");
    assert_eq!(
        pins[0],
        "constructed
src/tests.rs \n#[test]
fn holds_pin_e074589() {
    let x = crate::strategies::doubled_value_35f5347();
    check(x);
}
src/lib.rs strategies
#[cfg(test)]
pub(crate) fn doubled_value_35f5347() -> Secret {
    let n = 7u32;
    Secret::new(twice(n))
}"
    );
}

#[test]
fn what_stands_where_nothing_can_be_named_is_a_function_of_its_type() {
    let text = tests("", "x in Secret::any()");
    let at = site("src/lib.rs", LIBRARY, "prop_map(|n| Secret::new(thrice");
    let event = Event {
        function: "rates::strategies::hidden::<impl rates::secret::Secret>::any::{{closure}}",
        ..map(2, at, ("7", "u32"), ("Secret(..)", SECRET))
    };
    let pins = pins(&text, &record(&[event], "Secret(..)", SECRET), "Secret(..)");
    assert!(pins[0].contains("let x = Secret::strategy_value_"), "{}", pins[0]);
    let (_, function) = pins[0].split_once("src/lib.rs strategies::hidden\n#[cfg(test)]\n").unwrap();
    let (before, after) = function.split_once("strategy_value_").unwrap();
    assert_eq!(before, "impl Secret {\n    pub(crate) fn ");
    assert_eq!(&after[7..], "() -> Secret {\n        let n = 7u32;\n        Secret::new(thrice(n))\n    }\n}");
}

#[test]
fn a_set_is_made_of_its_bits_whatever_it_prints() {
    let text = tests("", "x in sampled()");
    let set = |bits: &'static str| Event {
        kind: "bits",
        more: ",\"index\":64",
        ..map(2, String::new(), (bits, ""), ("Secret<2 bits>", SECRET))
    };
    let pins = |bits| pins(&text, &record(&[set(bits)], "Secret<2 bits>", SECRET), "Secret<2 bits>");
    let made = "constructed
src/tests.rs \n#[test]
fn holds_pin_DIGEST() {
    let x = {
        let mut set = <Secret as ::proptest::bits::BitSetLike>::new_bitset(64);
        for bit in [3usize, 40] {
            ::proptest::bits::BitSetLike::set(&mut set, bit);
        }
        set
    };
    check(x);
}";
    let found = pins("[3, 40]");
    let digest = found[0].split("holds_pin_").nth(1).and_then(|rest| rest.get(..7)).unwrap().to_owned();
    assert_eq!(found[0], made.replace("DIGEST", &digest));
    let none = pins("[]");
    assert!(none[0].contains("let x = <Secret as ::proptest::bits::BitSetLike>::new_bitset(64);"), "{}", none[0]);
    let many = format!("[{}]", (0..9000).map(|bit| (7 * bit).to_string()).collect::<Vec<_>>().join(", "));
    let why = "`Secret<2 bits>` has too many bits to be written down";
    assert_eq!(pins(Box::leak(many.into_boxed_str())), [why]);
}

#[test]
fn what_can_be_said_elsewhere_is() {
    let text = tests("", "x in vec(super::strategies::plain(), 0..3)");
    let at = || site("src/lib.rs", LIBRARY, "prop_map(|n| Secret::new(n))");
    let events =
        [map(2, at(), ("7", "u32"), ("Secret(..)", SECRET)), map(2, at(), ("8", "u32"), ("Secret(..)", SECRET))];
    let (gave, ty) = ("[Secret(..), Secret(..)]", "alloc::vec::Vec<rates::secret::Secret>");
    let pins = pins(&text, &record(&events, gave, ty), gave);
    assert!(pins[0].contains("let x = vec![Secret::new(7u32), Secret::new(8u32)];"), "{}", pins[0]);
}

#[test]
fn a_body_of_statements_is_said_elsewhere_by_the_names_of_that_place() {
    let text = tests("", "x in super::strategies::chosen()").replace("use super::secret::*;\n", "");
    let at = site("src/lib.rs", LIBRARY, "prop_map(|n| {");
    let event = map(2, at, ("7", "u32"), ("Secret(..)", SECRET));
    let pins = pins(&text, &record(&[event], "Secret(..)", SECRET), "Secret(..)");
    let block = "let x = {
        let n = 7u32;
        let secret = crate::secret::Secret::new(n);
        match n { 0 => crate::secret::Secret::new(1), _ => secret }
    };";
    assert!(pins[0].contains(block), "{}", pins[0]);
}

#[test]
fn private_fields_are_filled_where_they_may_be() {
    let text = tests("", "x in super::strategies::shapes()");
    let at = site("src/lib.rs", LIBRARY, "prop_map(|sides|");
    let (gave, ty) = ("Shape { sides: 7 }", "rates::strategies::Shape");
    let event = Event { function: "rates::strategies::shapes::{{closure}}", ..map(2, at, ("7", "u8"), (gave, ty)) };
    let pins = pins(&text, &record(&[event], gave, ty), gave);
    assert!(pins[0].contains("let x = crate::strategies::shapes_value_"), "{}", pins[0]);
    assert!(pins[0].ends_with("() -> Shape {\n    let sides = 7u8;\n    Shape { sides }\n}"), "{}", pins[0]);
}

#[test]
fn what_a_closure_takes_from_around_is_bound_before() {
    let strategy = "fn f(top: u32) { (0..9).prop_flat_map(move |low| { let high = low + top; (0..high).prop_map(move |n| Span::new(low, high, n)) }) }";
    let text = tests(strategy, "x in f(5)");
    let (gave, ty) = ("Span { low: 1, high: 2 }", "rates::secret::Span");
    let flat = Event {
        kind: "flat",
        more: ",\"of\":3",
        ..map(0, site("src/tests.rs", &text, "prop_flat_map"), ("1", "u32"), ("", ""))
    };
    let inner =
        Event { more: ",\"under\":3", ..map(2, site("src/tests.rs", &text, "prop_map("), ("6", "u32"), (gave, ty)) };
    let record = record(&[flat, inner], gave, ty).replacen("}\n", "}\n{\"frame\":3}\n", 1);
    let pins = pins(&text, &record, gave);
    let block = "let x = {
        let top: u32 = 5;
        let low = 1u32;
        let high = low + top;
        let n = 6u32;
        Span::new(low, high, n)
    };";
    assert!(pins[0].contains(block), "{}", pins[0]);
}

#[test]
fn a_generic_parameter_is_what_it_stood_for() {
    let strategy = |body: &str| {
        format!(
            "pub struct Bag<T>(Vec<T>);\nimpl<T> Debug for Bag<T> {{}}\nimpl<T: Ord> Arbitrary for Bag<T> {{ fn arbitrary_with(_: ()) {{ any::<Vec<T>>().prop_map({body}).boxed() }} }}"
        )
    };
    let ty = "rates::tests::Bag<alloc::string::String>";
    let closure = format!("<{ty} as proptest::arbitrary::Arbitrary>::arbitrary_with::{{{{closure}}}}");
    let first = |body: &str, function: &str| {
        let text = tests(&strategy(body), "x in any::<Bag<String>>()");
        let at = site("src/tests.rs", &text, "prop_map");
        let received = ("[\"a\"]", "alloc::vec::Vec<alloc::string::String>");
        let event = Event { function, ..map(2, at, received, ("{\"a\"}", ty)) };
        pins(&text, &record(&[event], "{\"a\"}", ty), "{\"a\"}")[0].clone()
    };
    let pin = first("|v| v.into_iter().collect::<Bag<T>>()", &closure);
    assert!(pin.contains("let x = vec![String::from(\"a\")].into_iter().collect::<Bag<String>>();"), "{pin}");
    let pin = first("|v| { let bag: Bag<T> = Self::new(v.clone()); bag.with(v) }", &closure);
    let block = "let x = {
        type T = String;
        let v = vec![String::from(\"a\")];
        let bag: Bag<T> = <Bag<T>>::new(v.clone()); bag.with(v)
    };";
    assert!(pin.contains(block), "{pin}");
    let pin = first("Self::new", &format!("{ty}::new"));
    assert!(pin.contains("let x = <Bag<String>>::new(vec![String::from(\"a\")]);"), "{pin}");
}

#[test]
fn what_a_derive_builds_is_built_of_its_fields() {
    let strategy = "#[derive(Clone, Arbitrary)]\nstruct Hidden { low: u8, high: Vec<u8> }\nimpl Debug for Hidden {}\n\
                    #[derive(proptest_derive::Arbitrary)]\nstruct Bare(u8);\nimpl Debug for Bare {}";
    let text = tests(strategy, "x in any::<(Hidden, Bare)>()");
    let event = |needle: &str, received, gave| map(2, site("src/tests.rs", &text, needle), received, gave);
    let events = [
        event("Arbitrary)]", ("(1, [2])", "(u8, alloc::vec::Vec<u8>)"), ("hidden", "rates::tests::Hidden")),
        event("proptest_derive::", ("3", "u8"), ("bare", "rates::tests::Bare")),
    ];
    let (gave, ty) = ("(hidden, bare)", "(rates::tests::Hidden, rates::tests::Bare)");
    let pins = pins(&text, &record(&events, gave, ty), gave);
    assert!(pins[0].contains("let x = (Hidden { low: 1u8, high: vec![2u8] }, Bare(3u8));"), "{}", pins[0]);
}

#[test]
fn a_choice_is_the_arm_or_element_that_was_taken() {
    let text = tests("fn f() { prop_oneof![Just(Secret::new(7)), Just(Secret::new(8))] }", "x in f()");
    let at = site("src/tests.rs", &text, "prop_oneof");
    let event = Event { kind: "oneof", more: ",\"index\":1", ..map(2, at, ("", ""), ("Secret(..)", SECRET)) };
    check(&text, &record(&[event], "Secret(..)", SECRET), "Secret(..)", &["Secret::new(8)"]);
    let text = tests("fn f() { prop::sample::select(all()) }", "x in f()");
    let at = site("src/tests.rs", &text, "prop::sample");
    let event = Event { kind: "select", more: ",\"index\":1", ..map(2, at, ("", ""), ("Secret(..)", SECRET)) };
    check(&text, &record(&[event], "Secret(..)", SECRET), "Secret(..)", &["(all())[1].clone()"]);
}

#[test]
fn a_value_that_a_literal_holds_is_one() {
    let text = tests("", "x in any::<Vec<u8>>()");
    let record = record(&[], "[1, 2]", "alloc::vec::Vec<u8>");
    assert!(pins(&text, &record, "[1, 2]")[0].starts_with("literal\n"));
    check(&text, &record, "[1, 2]", &["vec![1u8, 2]"]);
}

#[test]
fn what_was_not_built_by_the_users_own_code_is_refused() {
    let text = tests("", "x in hand_made()");
    let refused = "`Secret` prints itself by code of its own, which need not show all it holds";
    check(&text, &record(&[], "Secret(..)", SECRET), "Secret(..)", &[refused]);
    let elsewhere = map(2, "/home/me/dep/src/lib.rs:1:1".to_owned(), ("7", "u32"), ("Secret(..)", SECRET));
    check(&text, &record(&[elsewhere], "Secret(..)", SECRET), "Secret(..)", &[refused]);
}

#[test]
fn what_is_replayed_for_want_of_an_expression_says_so() {
    let told = |text: &str, record: String, argument: &str| -> Vec<(&str, Option<String>)> {
        let record = record.replace("cc 0a", &format!("cc {}", "0a".repeat(32)));
        let files = Files::new([("Cargo.toml", MANIFEST), ("src/lib.rs", LIBRARY), ("src/tests.rs", text)]);
        let candidates = constructed(&failure(argument), None, &record, &[], &files, "2026-11-30").unwrap();
        candidates.into_iter().map(|one| (one.pin.rung.word(), one.pin.reason)).collect()
    };
    let refused = "`Secret` prints itself by code of its own, which need not show all it holds";
    let reason = format!("no expression gives its value: {refused}");
    let text = tests("", "x in hand_made()");
    assert_eq!(told(&text, record(&[], "Secret(..)", SECRET), "Secret(..)"), [("replayed", Some(reason))]);
    let text = tests("", "x in any::<u8>()");
    assert_eq!(told(&text, record(&[], "1", "u8"), "1"), [("literal", None), ("replayed", None)]);
}

#[test]
fn a_record_of_another_input_is_refused() {
    let text = tests("", "x in any::<u8>()");
    check(&text, &record(&[], "1", "u8"), "2", &["what was recorded is another input"]);
    check(&text, "noise", "2", &["its run was not recorded"]);
    let twice = |one: &str, two: &str| format!("{}\n{}", record(&[], one, "u8"), record(&[], two, "u8"));
    check(&text, &twice("1", "1"), "2", &["what was recorded is another input"]);
    check(&text, &twice("1", "3"), "2", &[NOT_DETERMINISTIC]);
    let other_seed = twice("1", "3").replacen("cc 0a", "cc 0b", 1);
    check(&text, &other_seed, "2", &["what was recorded is another input"]);
    check(&text, &twice("1", "2"), "2", &["2u8"]);
}

#[test]
fn values_of_other_packages_are_collected_parsed_or_built_where_a_build_is_to_tell() {
    let text = tests("use indexmap::IndexMap;", "x in f()");
    for (value, ty, expected) in [
        (
            "{1: 2, 3: 4}",
            "indexmap::map::IndexMap<u8, i16>",
            &["[(1u8, 2i16), (3, 4)].into_iter().collect::<IndexMap<u8, i16>>()"][..],
        ),
        (
            "[1, 2]",
            "arrayvec::arrayvec::ArrayVec<u32, 8>",
            &[
                "[1u32, 2].into_iter().collect::<arrayvec::ArrayVec<u32, 8>>()",
                "[1u32, 2].into_iter().collect::<arrayvec::arrayvec::ArrayVec<u32, 8>>()",
            ],
        ),
        ("{}", "indexmap::map::IndexMap<u8, i16>", &["<IndexMap<u8, i16> as Default>::default()"]),
        ("[1]", "smallvec::SmallVec<[u8; 4]>", &["[1u8].into_iter().collect::<smallvec::SmallVec<[u8; 4]>>()"]),
        (
            "b\"a\\0\"",
            "bytes::bytes::Bytes",
            &["<bytes::Bytes>::from(&b\"a\\x00\"[..])", "<bytes::bytes::Bytes>::from(&b\"a\\x00\"[..])"],
        ),
        ("Left(1)", "either::Either<u8, char>", &["either::Either::<u8, char>::Left(1)"]),
        ("1.50", "decimal::Decimal", &["\"1.50\".parse::<decimal::Decimal>().unwrap()"]),
        (
            "{1: 2}",
            "std::collections::hash::map::HashMap<u8, u8, fast::Fast>",
            &["[(1u8, 2u8)].into_iter().collect::<std::collections::HashMap<u8, u8, fast::Fast>>()"],
        ),
    ] {
        check(&text, &record(&[], value, ty), value, expected);
    }
}

/// The expressions that are tried for `x`.
#[track_caller]
fn check_attempts(library: &str, argument: &str, ty: &str, expected: &[&str]) {
    let (library, tests) = (format!("{library}\n#[cfg(test)]\nmod tests;\n"), tests("", "x in f()"));
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", library.as_str()), ("src/tests.rs", tests.as_str())];
    let record = record(&[], argument, ty);
    let told = attempts(&failure(argument), None, &record, &[], &Files::new(files), "2026-11-30").unwrap();
    assert_eq!(told.iter().map(|attempt| attempt.code.as_str()).collect::<Vec<_>>(), expected);
}

#[test]
fn a_crate_without_std_is_tried_all_the_same() {
    let bag = "pub mod secret { #[derive(Debug)] pub struct Bag(Vec<u16>); impl From<Vec<u16>> for Bag {} }";
    for library in [bag, &format!("#![no_std]\nextern crate alloc;\n{bag}")] {
        check_attempts(library, "Bag([7, 9])", "rates::secret::Bag", &["Bag::from(vec![7, 9])"]);
    }
}

#[test]
fn constructors_that_ask_for_their_own_type_lead_nowhere() {
    let grams = "pub mod secret { #[derive(Debug)] pub struct Grams(u32);
        impl Grams { pub fn new(n: u32) -> Self { n } pub fn same(other: Grams) -> Self { n } } }";
    // Once for the `7` that the second is given, once for the whole.
    check_attempts(grams, "Grams(7)", "rates::secret::Grams", &["Grams::new(7)", "Grams::new(7)"]);
}

#[test]
fn private_fields_are_tried_through_what_their_type_offers() {
    let grams = "pub mod secret { #[derive(Debug)] pub struct Grams(u32);
        impl Grams { pub fn new(n: u32) -> Option<Self> { n } fn hidden(n: u32) -> Self { n } pub fn load_from(n: u32) -> Self { n } pub fn get(&self) -> u32 { 3 } }
        impl From<u8> for Grams {} impl std::str::FromStr for Grams {} impl FromIterator<u16> for Grams {} }";
    let expected = ["Grams::new(7).unwrap()", "Grams::from(7)", "\"7\".parse::<Grams>().unwrap()"];
    check_attempts(grams, "Grams(7)", "rates::secret::Grams", &expected);
    check_attempts(
        "pub mod secret { #[derive(Debug, Default)] pub struct Order { count: u32, rush: bool }
        impl Order { pub fn builder() -> Builder { B } pub fn with_count(self, n: u32) -> Self { s } pub fn set_rush(&mut self, r: bool) {} }
        pub struct Builder; impl Builder { pub fn count(self, n: u32) -> Self { self } pub fn build(self) -> Result<Order, E> { o } } }",
        "Order { count: 3, rush: true }",
        "rates::secret::Order",
        &[
            "Order::builder().count(3).build().unwrap()",
            "{\n    let mut value = Order::default().with_count(3);\n    value.set_rush(true);\n    value\n}",
        ],
    );
    check_attempts(
        "pub mod secret { pub struct Version { a: u32, b: u32 } impl std::fmt::Debug for Version {}
        impl Version { pub fn new(a: u32, b: u32) -> Self { s } } }",
        "v1.2",
        "rates::secret::Version",
        &["Version::new(1, 1)", "Version::new(1, 2)", "Version::new(2, 1)", "Version::new(2, 2)"],
    );
    check_attempts(
        "pub mod secret { pub struct Bag(Vec<u16>); impl std::fmt::Debug for Bag {} impl FromIterator<u16> for Bag {} }",
        "Bag<[7, 9]>",
        "rates::secret::Bag",
        &["[7u16, 9].into_iter().collect::<Bag>()"],
    );
    check_attempts(
        "pub mod secret { #[derive(Debug)] pub struct Wide<const N: usize>(u32);
        impl<const N: usize> Wide<N> { pub fn new(n: u32) -> Self { n } } }",
        "Wide(7)",
        "rates::secret::Wide<4>",
        &["<Wide<4>>::new(7)"],
    );
}

#[test]
fn what_derives_it_is_read_from_json_where_the_package_can() {
    let library = "pub mod secret {
        #[derive(Debug)] #[cfg_attr(test, derive(serde::Deserialize))] pub struct Lot { id: Id, kind: Kind }
        #[derive(Debug)] pub struct Id(u32);
        #[derive(Debug)] pub enum Kind { Big(u8), Small } }
        #[cfg(test)] mod tests;";
    let text = tests("", "x in f()");
    let told = |manifest: &str, argument: &str| {
        let files = [("Cargo.toml", manifest), ("src/lib.rs", library), ("src/tests.rs", text.as_str())];
        let record = record(&[], argument, "rates::secret::Lot");
        let told = attempts(&failure(argument), None, &record, &[], &Files::new(files), "2026-11-30").unwrap();
        told.into_iter().map(|attempt| attempt.code).collect::<Vec<_>>()
    };
    let with_reader = format!("{MANIFEST}serde_json = \"1\"\n");
    let json = "serde_json::from_str::<Lot>(r#\"{\"id\":7,\"kind\":{\"Big\":1}}\"#).unwrap()";
    assert_eq!(told(&with_reader, "Lot { id: Id(7), kind: Big(1) }"), [json]);
    assert_eq!(told(MANIFEST, "Lot { id: Id(7), kind: Big(1) }"), Vec::<String>::new());
}

#[test]
fn what_reaches_for_the_world_outside_is_not_tried() {
    let grams = |functions: &str| {
        format!(
            "pub mod secret {{ use std::fs as disk; use std::process::Command;
            #[derive(Debug)] pub struct Grams(u32); {functions}
            fn noted(n: u32) -> u32 {{ disk::write(\"n\", []); n }}
            fn process(net: u32) -> u32 {{ let env = net; env }} }}"
        )
    };
    let check = |functions: &str, expected: &[&str]| {
        check_attempts(&grams(functions), "Grams(7)", "rates::secret::Grams", expected);
    };
    check("impl Grams { pub fn new(n: u32) -> Self { Grams(process(n)) } }", &["Grams::new(7)"]);
    for body in [
        "Grams(noted(n))",
        "Grams(std::env::args().count())",
        "Self::kept(vec![Command::new(a)])",
        "Self::kept(n).logged()",
        "{ use std::net::TcpStream; TcpStream::bind(n) }",
        "Store::open(n).put(n)",
        "{ println!(\"{}\", std::fs::read(n)); Grams(n) }",
        "n.iter().map(Self::logged)",
    ] {
        let logged = "fn kept(n: u32) -> Self { Grams(n) } fn logged(self) -> Self { noted(1); self }";
        check(&format!("impl Grams {{ pub fn new(n: u32) -> Self {{ {body} }} {logged} }}"), &[]);
    }
    check("impl From<u8> for Grams { fn from(n: u8) -> Self { Grams(noted(n)) } }", &[]);
    check("impl From<u8> for Grams { fn from(n: u8) -> Self { Grams(process(n)) } }", &["Grams::from(7)"]);
    let set = "impl Grams { pub fn with_0(self, n: u32) -> Self { self } }
        impl Default for Grams { fn default() -> Self { Grams(std::env::var(n)) } }";
    check(set, &[]);
}

#[test]
fn a_value_that_holds_another_is_tried_once_that_is_known() {
    let library =
        "pub mod secret { #[derive(Debug)] pub struct Grams(u32); impl Grams { pub fn new(n: u32) -> Self { n } }
        #[derive(Debug)] pub struct Parcel { grams: Grams } impl Parcel { pub fn new(grams: Grams) -> Self { g } } }
        #[cfg(test)]\nmod tests;\n";
    let (text, argument) = (tests("", "x in f()"), "Parcel { grams: Grams(7) }");
    let files = Files::new([("Cargo.toml", MANIFEST), ("src/lib.rs", library), ("src/tests.rs", text.as_str())]);
    let record = record(&[], argument, "rates::secret::Parcel");
    let tried = |known: &[Attempt]| attempts(&failure(argument), None, &record, known, &files, "2026-11-30").unwrap();
    let of = |tried: &[Attempt], recorded: &str| -> Vec<String> {
        tried.iter().filter(|one| one.recorded == recorded).map(|one| one.code.clone()).collect()
    };
    let first = tried(&[]);
    assert_eq!((of(&first, "Grams(7)"), of(&first, argument)), (vec!["Grams::new(7)".to_owned()], Vec::new()));
    let second = tried(&first[..1]);
    assert_eq!(
        (of(&second, "Grams(7)"), of(&second, argument)),
        (Vec::new(), vec!["Parcel::new(Grams::new(7))".to_owned()])
    );
}
