//! What is read at a place in a source, `^` in each text.

use super::{Construction, Standing, bound, standing, without_type};
use crate::framework::proptest::preimage::trace::Site;
use crate::language::rust::tokens::apart;

/// What stands where `^` is in a text that is written without it.
fn at(text: &str, branches: bool) -> Option<Standing> {
    let before = text.find('^').unwrap();
    let line = text[..before].matches('\n').count() + 1;
    let column = text[..before].rsplit('\n').next().unwrap().chars().count() + 1;
    let site = Site { file: String::new(), line, column };
    apart(|| standing(&text.replace('^', ""), &site, branches))
}

#[track_caller]
fn check(text: &str, branches: bool, expected: &str) {
    let told = match at(text, branches).map(|found| found.construction) {
        None => "nothing".to_owned(),
        Some(Construction::Function(path)) => format!("function {path}"),
        Some(Construction::Closure { pattern, body }) => format!("{pattern} => {body}"),
        Some(Construction::Choice(parts, whole)) => format!("{} of {whole}", parts.join(" | ")),
        Some(Construction::Conversion) => "conversion".to_owned(),
    };
    assert_eq!(told, expected, "{text}");
}

#[test]
fn a_method_has_its_function() {
    check("fn f() { s.^prop_map(Amount::from_cents) }", false, "function Amount::from_cents");
    check("fn f() { é.^prop_map(move |(a, b): (u8, u8)| { a + b }) }", false, "(a, b): (u8, u8) => { a + b }");
    check(
        "fn f() {\n    (1, 2)\n        .^prop_filter_map(\"why, so\", |g| G::new(g).ok(),)\n}",
        false,
        "g => G::new(g).ok()",
    );
    check("fn f() { ^Strategy::prop_map(vec(s, 0..4), |v| v.len()) }", false, "v => v.len()");
    check("fn f() { s.^prop_map_into::<T>() }", false, "conversion");
    check("struct S(#[p(strategy = ^\"(0..9).prop_map(|n| f(n, \\\"a\\\"))\")] T);", false, "n => f(n, \"a\")");
    check("struct S(#[p(strategy = ^\"a.prop_map(b).prop_map(c)\")] T);", false, "nothing");
    check("fn f() { s.^prop_map(make()) }", false, "nothing");
    check("fn f() { s.^prop_shuffle() }", false, "nothing");
}

#[test]
fn a_composed_function_has_its_last_group_and_body() {
    let one = "^prop_compose! { fn f(max: u8)(a in 0..max, b: u8) -> T { T::new(a, b) } }";
    check(one, false, "(a, b) => { T::new(a, b) }");
    let two =
        "^proptest::prop_compose! {\n    pub(crate) fn f()(a in 0..9)(b in 0..a, c in x()) -> Vec<T> { g(b, c) } }";
    check(two, false, "(b, c) => { g(b, c) }");
    check(two, true, "a => ");
}

#[test]
fn a_choice_has_its_arms_or_elements() {
    check(
        "fn f() { ^prop_oneof![2 => Just(A), b().prop_map(|(x, y)| x)] }",
        false,
        "Just(A) | b().prop_map(|(x, y)| x) of 2 => Just(A), b().prop_map(|(x, y)| x)",
    );
    check("fn f() { ^prop::sample::select(vec![A, B(1, 2)]) }", false, "A | B(1, 2) of vec![A, B(1, 2)]");
    check("fn f() { ^select(&[1, 2][..]) }", false, " of &[1, 2][..]");
    check("fn f() { ^select(vec![0u8; 3]) }", false, " of vec![0u8; 3]");
    check("fn f() { ^select(all()) }", false, " of all()");
}

#[test]
fn what_is_around_is_known() {
    let found = at("mod a { mod r#b { impl T { fn f() { s.^prop_map(|x| Self(x)) } } } }", false).unwrap();
    assert_eq!((found.modules, found.layers.len()), (vec!["a".to_owned(), "b".to_owned()], 1));
    check("impl A for T { fn f() { s.^prop_map(|x| Self(x)) } }", false, "x => T(x)");
    check("impl A for T { fn f() { s.^prop_map(Self::new) } }", false, "function T::new");
    assert!(at("fn f() { s^ }", false).is_none());
}

#[test]
fn a_pattern_binds_its_names() {
    assert_eq!(apart(|| bound("(a, Some(mut b), Point { x, y: c }): T")), ["a", "b", "x", "c"]);
    assert_eq!(without_type("(a, b): (u8, T<u8>)"), "(a, b)");
    assert_eq!(without_type("a::B { x: y }"), "a::B { x: y }");
    assert_eq!(without_type("x"), "x");
}
