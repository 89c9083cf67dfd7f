//! The forms of properties, and how printed arguments are matched with parameters.

use super::{Argument, Counterexample, Files, IMPORTS, RepoPath, arguments, check_files, properties};

/// The last property of a file, with its arguments named as the run does.
fn check_named(text: &str, named: &[(&str, &str)], expected: &str) {
    let property = properties(text).unwrap().pop().unwrap();
    let argument = |(name, text): &(&str, &str)| Argument { name: (*name).to_owned(), text: (*text).to_owned() };
    let counterexample = Counterexample { text: String::new(), arguments: named.iter().map(argument).collect() };
    let tree = Files::new([("src/lib.rs", text)]);
    let found = match arguments(&property, &RepoPath::new("src/lib.rs").unwrap(), text, &counterexample, &tree) {
        Ok(bound) => bound.iter().map(|bound| format!("{} = {}", bound.pattern, bound.code)).collect(),
        Err(refusal) => vec![refusal.0],
    };
    assert_eq!(found.join("; "), expected);
}

#[test]
fn patterns_are_kept_and_matched_by_order() {
    let parameters = "mut v in any::<u8>(), ((a, b)): (u8, i8), r#type in 0u8..9";
    let text = format!("{IMPORTS}proptest! {{ #[test] fn p({parameters}) {{}} }}");
    let named = [("mut v", "1"), ("(a,b)", "(2, 3)"), ("r#type", "4")];
    check_named(&text, &named, "mut v = 1u8; (a, b) = (2u8, 3i8); r#type = 4u8");
}

#[test]
fn a_property_that_was_changed_since_is_refused() {
    let text = format!("{IMPORTS}proptest! {{ #[test] fn p(a in 0u8..9) {{}} }}");
    let renamed = "the run names an argument `b` where the property has `a`: it was changed since";
    check_named(&text, &[("b", "1")], renamed);
    let more = "the run shows 2 arguments where the property has 1 parameters: it was changed since";
    check_named(&text, &[("a", "1"), ("b", "1")], more);
}

#[test]
fn an_attribute_macros_struct_is_split_into_parameters() {
    let text = "#[proptest] fn p(#[strategy(10u16..=60)] a: u16, #[strategy(10u16..=#a)] b: u16) {}";
    check_named(text, &[("input", "_PArgs { a: 11, b: 10 }")], "a = 11u16; b = 10u16");
    let text = "#[property_test] fn p(#[strategy = 0u8..50] a: u8, (b, c): (bool, char)) {}";
    check_named(text, &[("PArgs", "PArgs { a: 20, arg1: (false, '0') }")], "a = 20u8; (b, c) = (false, '0')");
}

#[test]
fn a_closure_sees_what_its_test_function_declares() {
    let text = "mod m { pub const TOP: u64 = 3; } #[test] fn t() {
        use proptest::prelude::*;
        use m::TOP;
        fn halves() -> impl Strategy<Value = Vec<u16>> { x() }
        let small = 0..TOP;
        proptest!(|(x in small, y in halves())| { prop_assert!(x > 9); });
    }";
    check_named(text, &[("x", "1"), ("y", "[]")], "x = 1u64; y = Vec::<u16>::new()");
}

#[test]
fn a_runners_input_is_one_pattern() {
    let text = "use proptest::prelude::*; #[test] fn t() {
        let mut runner = TestRunner::default();
        let late = prop_oneof![any::<u32>(), 7..=9u32];
        runner.run(&(late, 0i32..9), |(since, waited)| { Ok(()) }).unwrap();
    }";
    check_named(text, &[("", "(4294966696, 0)")], "(since, waited) = (4_294_966_696u32, 0i32)");
}

#[test]
fn a_state_machines_input_has_the_types_of_its_reference() {
    let machine = format!(
        "{IMPORTS}#[derive(Debug)] struct Model {{ line: Vec<u8> }} #[derive(Debug)] enum Step {{ Push(u8), Next }}
        impl ReferenceStateMachine for Model {{ type State = Model; type Transition = Step; }}
        struct Gate;
        impl StateMachineTest for Gate {{ type SystemUnderTest = u8; type Reference = Model; }}
        prop_state_machine! {{ #[test] fn gate(sequential 1..12 => Gate); }}"
    );
    let lines = [
        "(",
        "    Model { line: vec![] },",
        "    vec![Step::Push(2), Step::Next],",
        "    None::<std::sync::Arc<std::sync::atomic::AtomicUsize>>,",
        ")",
    ];
    let value = "(Model { line: [] }, [Push(2), Next], None)";
    check_files(&[("src/lib.rs", &machine)], "src/lib.rs", &[value], &lines.join("\n"));
}
