//! Types of other packages in the repository, and names of integration tests.

use super::{IMPORTS, check_files};

/// A package whose library is called otherwise.
const CORE: [(&str, &str); 3] = [
    ("core/Cargo.toml", "[package]\nname = \"roster-core\"\n[lib]\nname = \"roster\"\n"),
    ("core/src/lib.rs", "mod week; pub use week::Week; #[derive(Debug)] pub enum Role { Nurse }"),
    ("core/src/week.rs", "use crate::Role; #[derive(Debug)] pub struct Week { pub role: Role, pub day: u8 }"),
];

/// The workspace around it.
const WORKSPACE: (&str, &str) = ("Cargo.toml", "[workspace.dependencies]\nroster-core = { path = \"core\" }\n");

/// A property about a week, in a package with these dependencies.
fn check_rules(dependencies: &str, code: &str, expected: &str) {
    let manifest = format!("[package]\nname = \"rules\"\n{dependencies}");
    let lib = format!("{IMPORTS}{code}");
    let rules = [("rules/Cargo.toml", manifest.as_str()), ("rules/src/lib.rs", lib.as_str())];
    let files: Vec<(&str, &str)> = [WORKSPACE].into_iter().chain(CORE).chain(rules).collect();
    check_files(&files, "rules/src/lib.rs", &["Week { role: Nurse, day: 0 }"], expected);
}

#[test]
fn a_package_beside_is_named_by_its_library() {
    let block = "proptest! { #[test] fn p(w: roster::Week) {} }";
    let expected = "roster::Week {\n    role: roster::Role::Nurse,\n    day: 0,\n}";
    check_rules("[dependencies]\nroster-core = { path = \"../core\" }\n", block, expected);
    check_rules("[dev-dependencies]\nroster-core.workspace = true\n", block, expected);
}

#[test]
fn a_renamed_package_goes_by_its_new_name() {
    let block = "use r::*; proptest! { #[test] fn p(w: Week) {} }";
    let renamed = "[dependencies]\nr = { package = \"roster-core\", path = \"../core\" }\n";
    check_rules(renamed, block, "Week {\n    role: Role::Nurse,\n    day: 0,\n}");
}

#[test]
fn proptest_itself_may_go_by_another_name() {
    let lib =
        "use pt::prelude::*; proptest! { #[test] fn p(v in pt::collection::vec(0..9u8, 0..9), x in any::<i8>()) {} }";
    let own = "[dev-dependencies]\npt = { package = \"proptest\", version = \"1\" }\n";
    let inherited = "[dev-dependencies]\npt.workspace = true\n";
    let workspace = "[workspace.dependencies]\npt = { package = \"proptest\", version = \"1\" }\n";
    for dependencies in [own, inherited] {
        let manifest = format!("[package]\nname = \"a\"\n{dependencies}");
        let files = [("Cargo.toml", workspace), ("a/Cargo.toml", manifest.as_str()), ("a/src/lib.rs", lib)];
        check_files(&files, "a/src/lib.rs", &["[1]", "-1"], "vec![1u8]\n-1i8");
    }
}

#[test]
fn a_package_that_is_not_here_is_foreign() {
    let block = "proptest! { #[test] fn p(w: roster::Week) {} }";
    let reason = "`w` has no literal: `roster::Week` is a type whose values cannot be written from what they print";
    check_rules("[dependencies]\nroster-core = \"1\"\n", block, reason);
}

#[test]
fn an_integration_test_sees_its_library_and_its_own_modules() {
    let lib = "#[derive(Debug)] pub struct Hall { pub rows: u8 }";
    let common = format!("{IMPORTS}use seat_hold::Hall; pub fn halls() -> impl Strategy<Value = Vec<Hall>> {{ x() }}");
    let test = format!("mod common; {IMPORTS} proptest! {{ #[test] fn p(h in common::halls()) {{}} }}");
    let files = [
        ("Cargo.toml", "[package]\nname = \"seat-hold\"\n"),
        ("src/lib.rs", lib),
        ("tests/common/mod.rs", &common),
        ("tests/booking.rs", &test),
    ];
    check_files(&files, "tests/booking.rs", &["[Hall { rows: 1 }]"], "vec![seat_hold::Hall { rows: 1 }]");
}

#[test]
fn modules_stand_where_an_attribute_puts_them() {
    let lib = "#[path = \"odd/place.rs\"] mod tests; #[derive(Debug)] struct S(u8);";
    let test = format!("use super::S; {IMPORTS} proptest! {{ #[test] fn p(s: S) {{}} }}");
    let files = [("Cargo.toml", "[package]\nname = \"a\"\n"), ("src/lib.rs", lib), ("src/odd/place.rs", &test)];
    check_files(&files, "src/odd/place.rs", &["S(1)"], "S(1)");
}

#[test]
fn a_macro_that_is_imported_hides_no_package() {
    let text = "use proptest::prelude::{any, proptest};\nproptest! { #[test] fn p(x in any::<u8>()) {} }";
    check_files(&[("src/lib.rs", text)], "src/lib.rs", &["5"], "5u8");
}
