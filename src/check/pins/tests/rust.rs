//! Changes of a crate with properties of proptest.

use super::Sample;

const SOURCE: &str = "src/billing.rs";
const TESTS: &str = "tests/all.rs";
const COMMON: &str = "tests/common/mod.rs";
const SEEDS: &str = "proptest-regressions/billing.txt";

const BILLING: &str = r#"pub fn split(total: u64, parts: u32) -> Vec<u64> {
    vec![total / parts as u64; parts as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MOST: u32 = 24;

    fn total() -> impl Strategy<Value = u64> {
        0..=10_000_000u64
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        /// BILL-4: even parts.
        #[test]
        fn bill_4_spread(total in total(), parts in 1u32..=MOST, names in prop::collection::vec(0u64..1000, 1..20)) {
            let out = split(total, parts); // the parts
            let (max, min) = (*out.iter().max().unwrap(), *out.iter().min().unwrap());
            prop_assert!(max - min <= 1, "{} {}", total, parts);
            prop_assert_eq!(out.len(), parts as usize);
        }
    }

    #[test]
    fn bill_1_sum() {
        proptest!(ProptestConfig::with_cases(500), |(total in total())| {
            prop_assert_eq!(split(total, 3).iter().sum::<u64>(), total);
        });
    }

    #[test]
    fn bill_4_spread_pin_950ab3f() {
        assert!(split(118_958, 4).len() == 4);
    }
}
"#;

const ALL: &str = r"mod common;
use ledger::billing::split;
use proptest::prelude::*;

proptest! {
    #[test]
    fn bill_2_all(total in common::amounts()) {
        common::check_even(&split(total, 2));
    }
}
";

const SHARED: &str = r"use proptest::prelude::*;
pub fn amounts() -> impl Strategy<Value = u64> { 0u64..1_000_000 }
pub fn check_even(out: &[u64]) { assert!(out.len() > 1); }
pub fn unspoken() {}
";

/// A seed, whatever it is of.
const SEED: &str = "cc 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef # shrinks to total = 1, parts = 2, names = [3]\n";

fn sample() -> Sample {
    Sample::new(&[
        ("Cargo.toml", "[package]\nname = \"ledger\"\n\n[dev-dependencies]\nproptest = \"1\"\n"),
        ("src/lib.rs", "pub mod billing;\n"),
        (SOURCE, BILLING),
        (TESTS, ALL),
        (COMMON, SHARED),
        (SEEDS, SEED),
    ])
}

/// `edits` of the source, of which `kinds` are told.
#[track_caller]
fn check(edits: &[(&str, &str)], kinds: &[&str]) {
    sample().is_told(&sample().with(SOURCE, edits), kinds);
}

#[test]
fn harmless_edits_are_silent() {
    for edit in [
        ("// the parts", "// all of them"),
        ("let out = split(total, parts);", "let out =\n    split( total, parts, );"),
        ("\"{} {}\", total, parts", "\"{} of {} is lopsided\", parts, total"),
        ("1u32..=MOST", "1u32..=24"),
        ("MOST: u32 = 24", "MOST: u32 = 48"),
        ("0u64..1000, 1..20", "0u64..=1000, 0..30"),
        ("with_cases(1_000)", "with_cases(2_000)"),
        (
            "ProptestConfig::with_cases(1_000)",
            "ProptestConfig { cases: 1_000, max_shrink_iters: 9, ..ProptestConfig::default() }",
        ),
        ("with_cases(500)", "with_cases(501)"),
        ("use super::*;", "use super::split;"),
        ("use super::*;", "use super::*;\n    use std::collections::BTreeMap;\n    use proptest::collection::vec;"),
        ("mod tests {", "mod checks {"),
        ("bill_1_sum", "bill_1_whole"),
        ("fn total() ->", "/// All of them.\n    #[must_use]\n    fn other() -> u8 { 1 }\n\n    fn total() ->"),
        (
            "prop_assert_eq!(out.len(), parts as usize);",
            "prop_assert_eq!(out.len(), parts as usize);\n prop_assert!(!out.is_empty());",
        ),
        ("prop_assert!(max - min", "let count = out.len();\n prop_assert!(count > 0);\n prop_assert!(max - min"),
        ("    proptest! {", "    proptest! {\n #[test] fn more(x in 0..9) { prop_assert!(x < 9); } }\n proptest! {"),
        ("pub fn split(", "pub fn added() {}\n\npub fn split("),
        ("vec![total / parts as u64; parts as usize]", "vec![total; parts as usize]"),
    ] {
        check(&[edit], &[]);
    }
    let named = [
        ("total in total(), parts", "sum in total(), parts"),
        ("split(total, parts); //", "split(sum, parts); //"),
        ("total, parts);", "sum, parts);"),
    ];
    check(&named, &[]);
    let base = sample();
    base.is_silent(
        &base
            .moved(SOURCE, "src/money.rs")
            .moved(SEEDS, "proptest-regressions/money.txt")
            .and("src/lib.rs", "pub mod money;\n")
            .with(TESTS, &[("ledger::billing", "ledger::money")]),
    );
    base.is_silent(&base.with(COMMON, &[("pub fn unspoken() {}", "pub fn more() {}")]));
    base.is_silent(&base.and("tests/other.rs", "fn helper() {}\n#[test] fn plain() { helper(); }\n"));
    base.is_silent(&base.with("Cargo.toml", &[("proptest = \"1\"", "proptest = \"1.4\"\nrand = \"1\"")]));
    base.is_silent(&base.and(SEEDS, &format!("{SEED}{}", SEED.replace("cc 01", "cc 02"))));
}

#[test]
fn generators_that_give_less_or_something_else_are_told() {
    check(&[("1u32..=MOST", "1u32..=4")], &["generator-narrowed"]);
    check(&[("1u32..=MOST", "1u8..=MOST")], &["generator-changed"]);
    check(&[("1u32..=MOST", "1..=MOST")], &[]);
    check(&[("MOST: u32 = 24", "MOST: u32 = 4")], &["generator-narrowed"]);
    check(&[("0u64..1000, 1..20", "0u64..1, 1..20")], &["generator-narrowed"]);
    check(&[("0u64..1000, 1..20", "Just(0u64), 1..20")], &["generator-changed"]);
    check(&[("1u32..=MOST", "(1u32..=MOST).prop_filter(\"x\", |x| *x < 2)")], &["assumption-added"]);
    check(&[("0..=10_000_000u64", "0..=1u64")], &["support-changed"]);
}

#[test]
fn what_stands_around_a_property_is_told() {
    for attribute in [
        "#[cfg(FALSE)]",
        "#[cfg(feature = \"slow\")]",
        "#[should_panic]",
        "#[cfg_attr(all(), should_panic)]",
        "#[odd::env(X)]",
    ] {
        check(
            &[(
                "        #[test]\n        fn bill_4",
                &format!("        {attribute}\n        #[test]\n        fn bill_4"),
            )],
            &["surroundings-changed"],
        );
        check(
            &[(
                "    #[test]\n    fn bill_4_spread_pin",
                &format!("    {attribute}\n    #[test]\n    fn bill_4_spread_pin"),
            )],
            &["pin-changed"],
        );
        check(&[("    proptest! {", &format!("    {attribute}\n    proptest! {{"))], &["surroundings-changed"]);
    }
    let all = ["pin-changed", "surroundings-changed"];
    check(&[("#[cfg(test)]", "#[cfg(all(test, feature = \"props\"))]")], &all);
    check(&[("pub fn split(", "#![cfg(FALSE)]\npub fn split(")], &all);
    check(&[("    use super::*;", "    #![cfg(FALSE)]\n    use super::*;")], &all);
    check(
        &[
            ("    proptest! {", "    eat! { proptest! {"),
            ("\n    }\n\n    #[test]\n    fn bill_1", "\n    } }\n\n    #[test]\n    fn bill_1"),
        ],
        &["surroundings-changed"],
    );
    check(
        &[("        #[test]\n        fn bill_4", "        #[ignore]\n        #[test]\n        fn bill_4")],
        &["property-skipped"],
    );
    check(&[("    #[test]\n    fn bill_1_sum", "    fn bill_1_sum")], &["property-skipped"]);
    check(&[("ProptestConfig::with_cases(1_000)", "config()")], &["cases-lowered", "surroundings-changed"]);
    check(
        &[(
            "ProptestConfig::with_cases(1_000)",
            "ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) }",
        )],
        &["surroundings-changed"],
    );
}

#[test]
fn what_stands_around_assertions_is_told() {
    for (old, new) in [
        ("prop_assert_eq!(out.len(), parts as usize);", "if false { prop_assert_eq!(out.len(), parts as usize); }"),
        ("prop_assert!(max - min", "if parts < 2 { return Ok(()); }\n prop_assert!(max - min"),
        ("prop_assert!(max - min", "let out = vec![0; parts as usize];\n prop_assert!(max - min"),
        (
            "proptest!(ProptestConfig::with_cases(500)",
            "if std::env::var(\"DEEP\").is_ok() { return; }\n proptest!(ProptestConfig::with_cases(500)",
        ),
        ("\"{} {}\", total, parts", "\"{}\", { return Ok(()); 1 }"),
    ] {
        let kinds = sample().kinds(&sample().with(SOURCE, &[(old, new)]));
        assert!(kinds.contains(&"body-changed"), "{new}: {kinds:?}");
    }
}

#[test]
fn names_that_mean_something_else_are_told() {
    for (old, new) in [
        ("    proptest! {", "    macro_rules! prop_assert { ($($x:tt)*) => {} }\n    proptest! {"),
        ("use super::*;", "use super::*;\n    use crate::fake::prop_assert;"),
        ("use super::*;", "use super::*;\n    use crate::fake::split;"),
        ("use super::*;", "use super::*;\n    fn split(_: u64, _: u32) -> Vec<u64> { vec![] }"),
    ] {
        check(&[(old, new)], &["support-changed"]);
    }
    let base = sample();
    base.is_told(&base.with(TESTS, &[("ledger::billing::split", "ledger::fake::split")]), &["support-changed"]);
    base.is_told(&base.with(COMMON, &[("0u64..1_000_000", "0u64..1")]), &["support-changed"]);
    base.is_told(&base.with(COMMON, &[("assert!(out.len() > 1);", "let _ = out;")]), &["support-changed"]);
    base.is_told(
        &base.and("src/fake.rs", "#[macro_export] macro_rules! prop_assert { () => {} }\n"),
        &["support-changed"],
    );
}

#[test]
fn what_decides_which_tests_are_run_is_told() {
    let base = sample();
    base.is_told(&base.and(".cargo/config.toml", "[env]\nPROPTEST_CASES = \"1\"\n"), &["run-changed"]);
    base.is_told(
        &base.and(".config/nextest.toml", "[profile.default]\ndefault-filter = \"not test(bill_4)\"\n"),
        &["run-changed"],
    );
    base.is_told(&base.with("Cargo.toml", &[("[dev-dep", "[lib]\ntest = false\n\n[dev-dep")]), &["run-changed"]);
    base.is_told(&base.with("Cargo.toml", &[("\"1\"", "{ path = \"fake\" }")]), &["run-changed"]);
    base.is_told(&base.with("src/lib.rs", &[("pub mod billing;", "#[cfg(FALSE)] pub mod billing;")]), &["run-changed"]);
    let apart = ["property-skipped"];
    base.is_told(&base.moved(TESTS, "tests/sub/all.rs"), &apart);
    base.is_told(&base.moved(TESTS, "old/all.rs"), &apart);
}

#[test]
fn seeds_that_their_property_does_not_run_any_more_are_told() {
    let base = sample();
    let there = base
        .moved(SOURCE, "src/money.rs")
        .and("src/lib.rs", "pub mod money;\n")
        .with(TESTS, &[("ledger::billing", "ledger::money")]);
    base.is_told(&there, &["seed-removed"]);
    base.is_told(&base.moved(SEEDS, "tests/all.proptest-regressions"), &["seed-removed"]);
    base.is_told(&base.and(SEEDS, ""), &["seed-removed"]);
}
