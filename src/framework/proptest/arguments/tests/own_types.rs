//! Structs and enums of the crate: found, trusted, and named from the property's module.

use super::{IMPORTS, check_files, check_with};

#[test]
fn fields_get_their_types_from_the_definition() {
    let code = "#[derive(Debug)] struct P { x: i32, r#type: Option<u8>, tags: Vec<String> }";
    let value = "P { x: -1, type: None, tags: [] }";
    check_with(code, "p in any::<P>()", value, "P {\n    x: -1,\n    r#type: None,\n    tags: vec![],\n}");
    check_with("#[derive(Debug)] struct N(u64);", "n: N", "N(42)", "N(42)");
    check_with("#[derive(Debug)] struct U;", "n: U", "U", "U");
}

#[test]
fn a_variant_is_named_through_its_enum() {
    let code = "#[derive(Clone, Debug)] enum Level { Low, Mid(u8), High { by: i16 } }";
    check_with(code, "l in any::<Level>()", "Low", "Level::Low");
    check_with(code, "l in any::<Level>()", "High { by: -5 }", "Level::High { by: -5 }");
    check_with(code, "l in (0u8..9).prop_map(Level::Mid)", "Mid(3)", "Level::Mid(3)");
    check_with(code, "l in far()", "Mid(3)", "Level::Mid(3)");
    let reason = "`l` has no literal: the source does not tell the type of `[Mid(3)]`";
    check_with(code, "l in far()", "[Mid(3)]", reason);
}

#[test]
fn generic_types_tell_what_their_fields_do_not() {
    let code = "#[derive(Debug)] struct G<T> { inner: T, n: u8 } #[derive(Debug)] enum E<T> { Nothing, One(T) }";
    check_with(code, "g in any::<G<i8>>()", "G { inner: 5, n: 1 }", "G { inner: 5i8, n: 1 }");
    let mapped = "g in (0u16..9).prop_map(|inner| G { inner, n: 0 })";
    check_with(code, mapped, "G { inner: 5, n: 0 }", "G { inner: 5u16, n: 0 }");
    check_with(code, "e: E<String>", "Nothing", "E::Nothing::<String>");
}

#[test]
fn constructors_and_builders_tell_what_they_build() {
    let code = "#[derive(Debug, Default)] struct B { a: u8 } struct Maker;
        impl Maker { fn new() -> Self { x() } fn a(self, a: u8) -> Self { self } fn build(self) -> B { B::default() } }
        #[derive(Debug)] struct Pair<A, C> { a: A, c: C }
        impl<A, C> Pair<A, C> { fn of(a: A, c: C) -> Self { x() } fn swap(self) -> Pair<C, A> { x() } }";
    let built = "b in (0u8..9).prop_map(|a| Maker::new().a(a).build())";
    check_with(code, built, "B { a: 1 }", "B { a: 1 }");
    let swapped = "p in (0u8..9).prop_map(|a| Pair::of(a, true).swap())";
    check_with(code, swapped, "Pair { a: true, c: 1 }", "Pair { a: true, c: 1u8 }");
}

#[test]
fn a_debug_of_its_own_is_not_trusted() {
    let reason = "`x` has no literal: `S` prints itself by code of its own, which need not show all it holds";
    check_with("struct S(u8); impl std::fmt::Debug for S { }", "x: S", "S(1)", reason);
    check_with("use far::Debug; #[derive(Debug)] struct S(u8);", "x: S", "S(1)", reason);
    check_with("#[derive(Clone)] #[cfg_attr(test, derive(Debug))] struct S(u8);", "x: S", "S(1)", "S(1)");
}

#[test]
fn a_value_that_does_not_fit_the_definition_is_refused() {
    let code = "#[derive(Debug)] struct P { x: i32 }";
    check_with(code, "p: P", "P { y: 1 }", "`p` has no literal: `P` has no field `y` there");
    check_with(code, "p: P", "P { x: 1, .. }", "`p` has no literal: `P { x: 1, .. }` is not how a `P` prints");
    check_with(code, "p: P", "Q { x: 1 }", "`p` has no literal: `Q { x: 1 }` is not how a `P` prints");
}

#[test]
fn the_shortest_path_in_scope_is_taken() {
    let lib = "pub mod dish; mod board { use crate::dish::Dish; mod tests; }";
    let dish = "#[derive(Debug)] pub struct Dish { pub mark: Mark, pub kind: Kind }
        #[derive(Debug)] pub enum Mark { Star } #[derive(Debug)] pub enum Kind { Main }";
    let tests =
        format!("use super::*; use crate::dish::Mark as Sign; {IMPORTS}proptest! {{ #[test] fn p(d: Dish) {{}} }}");
    let manifest = ("Cargo.toml", "[package]\nname = \"a\"\n");
    let files = [manifest, ("src/lib.rs", lib), ("src/dish.rs", dish), ("src/board/tests.rs", &tests)];
    let expected = "Dish {\n    mark: Sign::Star,\n    kind: crate::dish::Kind::Main,\n}";
    check_files(&files, "src/board/tests.rs", &["Dish { mark: Star, kind: Main }"], expected);
}

#[test]
fn private_fields_are_open_to_the_modules_below_alone() {
    let block = |ty: &str| format!("mod tests {{ use super::*; proptest! {{ #[test] fn p(w: {ty}) {{}} }} }}");
    let check = |inside: &str, outside: &str, expected: &str| {
        let week = format!("{IMPORTS}#[derive(Debug)] pub struct W {{ n: u8 }} {inside}");
        let text = format!("{IMPORTS}mod week {{ {week} }} {outside}");
        check_files(&[("src/lib.rs", &text)], "src/lib.rs", &["W { n: 1 }"], expected);
    };
    check(&block("W"), "", "W { n: 1 }");
    check("", &block("week::W"), "`w` has no literal: field `n` of `W` is private there");
}

#[test]
fn a_re_export_leads_out_of_a_private_module() {
    let hidden = "mod hidden { #[derive(Debug)] pub enum E { V } pub fn s() -> E { E::V } }";
    let tests = format!("mod tests {{ {IMPORTS} proptest! {{ #[test] fn p(e in Just(crate::a::s())) {{}} }} }}");
    let lib = format!("pub mod a {{ {hidden} pub use hidden::{{s, E as Open}}; }} {tests}");
    check_files(&[("src/lib.rs", &lib)], "src/lib.rs", &["V"], "crate::a::Open::V");
}

#[test]
fn two_definitions_of_one_name_leave_it_untold() {
    let code = "#[cfg(unix)] #[derive(Debug)] struct S(u8); #[cfg(windows)] #[derive(Debug)] struct S(u16);";
    check_with(code, "x in any::<S>()", "S(1)", "`x` has no literal: the source does not tell the type of `S(1)`");
    let code = "#[cfg(not(test))] #[derive(Debug)] struct S(u8); #[cfg(test)] #[derive(Debug)] struct S(u16);";
    check_with(code, "x in any::<S>()", "S(1)", "S(1)");
}

#[test]
fn a_variant_in_scope_that_is_called_none_is_told_apart() {
    let code = "mod m { #[derive(Debug)] pub enum L { None, Some(u8) } } use m::L::*;";
    check_with(code, "o: Option<u8>", "None", "Option::None::<u8>");
    check_with(code, "l: (m::L, Option<u8>)", "(Some(1), Some(2))", "(crate::m::L::Some(1), Option::Some(2u8))");
}

#[test]
fn a_name_that_two_globs_bring_is_spelled_out() {
    let modules = "mod a { #[derive(Debug)] pub struct S(pub u8); } mod b { pub struct S(pub u8); }";
    let tests =
        format!("{IMPORTS}use crate::{{a::*, b::*}}; proptest! {{ #[test] fn p(s in any::<crate::a::S>()) {{}} }}");
    let lib = format!("{modules} mod tests {{ {tests} }}");
    check_files(&[("src/lib.rs", &lib)], "src/lib.rs", &["S(1)"], "crate::a::S(1)");
}

#[test]
fn a_name_that_a_foreign_glob_may_bring_too_is_spelled_out() {
    let block = "proptest! { #[test] fn p(s in any::<crate::S>()) {} }";
    let tests = format!("mod tests {{ use super::*; use far::prelude::*; {IMPORTS} {block} }}");
    let lib = format!("#[derive(Debug)] pub struct S(pub u8); {tests}");
    check_files(&[("src/lib.rs", &lib)], "src/lib.rs", &["S(1)"], "crate::S(1)");
}
