//! What files state, in every form of a property.

use crate::framework::Stating;
use crate::framework::proptest::Proptest;
use crate::oracle::{Oracle, Reach, Rule};
use crate::repo_path::RepoPath;
use crate::source_tree::testing::Files;
use crate::source_tree::{NoFiles, Overlaid};

const MANIFEST: &str = "[package]\nname = \"ledger\"\n";

fn oracle(path: &str, text: &str) -> Oracle {
    let tree = Files::new([("Cargo.toml", MANIFEST), (path, text)]);
    Proptest.oracle(&RepoPath::new(path).unwrap(), &tree).unwrap()
}

fn only(text: &str) -> Rule {
    let mut rules = oracle("src/billing.rs", text).rules;
    assert_eq!(rules.len(), 1, "{rules:?}");
    rules.remove(0)
}

fn texts(clauses: &[crate::oracle::Clause]) -> Vec<(&str, u32)> {
    clauses.iter().map(|clause| (clause.text.as_str(), clause.line)).collect()
}

const BLOCK: &str = "\
pub fn split(total: u64, parts: u32) -> Vec<u64> {
    vec![total; parts as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: u32 = 24;

    fn total() -> impl Strategy<Value = u64> {
        0..=10_u64
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        /// BILL-4: even parts.
        #[test]
        fn spread(total in total(), parts in 1u32..=24) {
            prop_assume!(parts > 0);
            let out = split(total, parts); // the parts
            prop_assert!(out.len() == parts as usize, \"{}\", total,);
            prop_assert_eq!(out.len(), 2);
        }
    }

    #[test]
    fn plain() {}

    #[test]
    fn spread_pin_950ab3f() {
        assert!(split(1, 2).len() == 2);
    }
}
";

#[test]
fn a_property_of_a_block_is_taken_apart() {
    let rule = only(BLOCK);
    assert_eq!((rule.test.0.as_str(), rule.line), ("billing::tests::spread", 20));
    assert_eq!(rule.citations, ["BILL-4: even parts.", "tests"]);
    let inputs: Vec<_> = rule
        .inputs
        .iter()
        .map(|input| (input.name.as_str(), input.generator.as_str(), input.shape.reaches.as_slice()))
        .collect();
    let reach = Reach { low: Some(1), high: Some(24) };
    assert_eq!(inputs, [("total", "total()", &[][..]), ("parts", "1u32..=24", &[reach][..])]);
    assert_eq!((rule.cases, rule.skipped.as_deref()), (Some(1_000), None));
    assert_eq!(texts(&rule.assumes), [("prop_assume!(parts > 0)", 21)]);
    let asserts = [("prop_assert!(out.len() == parts as usize)", 23), ("prop_assert_eq!(out.len(), 2)", 24)];
    assert_eq!(texts(&rule.asserts), asserts);
    let body = "prop_assume!(parts > 0); let out = split(total, parts); \
                prop_assert!(out.len() == parts as usize); prop_assert_eq!(out.len(), 2);";
    assert_eq!(rule.body, body);
}

#[test]
fn pins_support_and_code_under_test_are_told_apart() {
    let Oracle { pins, support, rest, .. } = oracle("src/billing.rs", BLOCK);
    let pin = ("billing::tests::spread_pin_950ab3f", 32);
    assert_eq!(pins.iter().map(|pin| (pin.name.as_str(), pin.line)).collect::<Vec<_>>(), [pin]);
    assert_eq!(pins[0].text, "#[test] fn spread_pin_950ab3f() { assert!(split(1, 2).len() == 2); }");
    let support: Vec<_> = support.iter().map(|one| (one.name.as_str(), one.line)).collect();
    assert_eq!(support, [("const MOST", 9), ("total", 11)]);
    assert_eq!(rest, "pub fn split(total: u64, parts: u32) -> Vec<u64> { vec![total; parts as usize] }");
}

#[test]
fn a_file_of_tests_has_no_code_under_test() {
    let text = "fn helper() {}\nproptest! { #[test] fn f(x in 0..9) { assert!(x < 9); } }\n";
    let Oracle { support, rest, .. } = oracle("tests/all.rs", text);
    assert_eq!((support.len(), rest.as_str()), (1, ""));
}

#[test]
fn generators_beside_the_code_are_no_code_under_test() {
    let text = "prop_compose! { fn money()(cents in 0..9) -> Money { Money(cents) } }\n\
                proptest! { #[test] fn f(x in money().prop_filter(\"odd\", |x| x.0 % 2 == 1)) { assert!(x.0 < 9); } }\n\
                pub struct Money(u8);\n";
    let Oracle { support, rest, rules, .. } = oracle("src/lib.rs", text);
    assert_eq!(support.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["money"]);
    assert_eq!(rest, "pub struct Money(u8);");
    assert_eq!(texts(&rules[0].assumes), [("prop_filter(\"odd\", | x | x.0 % 2 == 1)", 2)]);
}

#[test]
fn every_form_of_a_property_is_stated() {
    let closure = only(
        "#[test] fn f() { proptest!(ProptestConfig { cases: 7, ..Default::default() }, |(x in 0..9)| { prop_assert!(x < 9); }); }",
    );
    assert_eq!((closure.cases, closure.inputs[0].generator.as_str()), (Some(7), "0..9"));
    assert_eq!(texts(&closure.asserts), [("prop_assert!(x < 9)", 1)]);
    let attribute = only("#[property_test(config = ProptestConfig::with_cases(9))] fn f(x: u8) { assert!(x < 9); }");
    assert_eq!((attribute.cases, attribute.inputs[0].generator.as_str()), (Some(9), "any::<u8>()"));
    let strategy = only("#[proptest(cases = 11)] fn f(#[strategy(0..3)] x: u8) { assert!(x < 9); }");
    assert_eq!((strategy.cases, strategy.inputs[0].generator.as_str()), (Some(11), "0..3"));
    let runner = only(
        "#[test] fn f() { let mut runner = TestRunner::new(Config { cases: 5, ..Config::default() });\n\
         runner.run(&(0..9), |x| { if x > 8 { return Err(TestCaseError::fail(\"big\")); } Ok(()) }).unwrap(); }",
    );
    assert_eq!((runner.cases, texts(&runner.asserts)), (Some(5), vec![("TestCaseError::fail(\"big\")", 2)]));
}

#[test]
fn what_does_not_run_says_why() {
    let block = |attributes: &str| only(&format!("proptest! {{ {attributes} fn f(x in 0..9) {{ assert!(x < 9); }} }}"));
    assert_eq!(block("#[test]").skipped, None);
    assert_eq!(block("#[tokio::test]").skipped, None);
    assert_eq!(block("#[test] #[ignore = \"slow\"]").skipped.as_deref(), Some("#[ignore = \"slow\"]"));
    assert_eq!(block("").skipped.as_deref(), Some("no #[test] stands on it"));
}

#[test]
fn what_cannot_be_read_is_told() {
    let path = RepoPath::new("src/a.rs").unwrap();
    let refused = |bytes: &[u8]| {
        let tree = Overlaid { tree: &NoFiles, files: &[(path.clone(), bytes.to_vec())] };
        Proptest.oracle(&path, &tree).unwrap_err()
    };
    assert_eq!(refused(b"proptest! { \xff }"), "src/a.rs is not UTF-8, which Rust demands; mend it first");
    assert!(refused(b"proptest! { fn f(").starts_with("src/a.rs cannot be read as Rust, line 1: "));
}

#[test]
fn a_file_without_properties_is_code_under_test() {
    let code = Oracle { rest: "pub fn f() { }".to_owned(), ..Oracle::default() };
    assert_eq!(oracle("src/lib.rs", "pub fn f() {}"), code);
}
