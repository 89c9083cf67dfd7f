//! Properties of each stack: for each ground one that it must be told of, and one that must be passed in silence.

use super::of;
use crate::audit::Advice;
use crate::source_tree::testing::Files;

const SPEC: &str = "# Billing\n\n### BILL-1: Instalments\n\nA total is split into 1 to 24 parts.\n";

/// Each property that is not kept, with its grounds.
#[track_caller]
fn check(files: &[(&str, &str)], expected: &[(&str, &[(&str, u32)])]) {
    let files = files.iter().copied().chain([("spec.md", SPEC)]);
    let (audit, _) = of(&Files::new(files), &[]);
    assert_eq!(audit.notices, []);
    let told: Vec<(String, Vec<(&str, u32)>)> = audit
        .properties
        .iter()
        .filter(|one| one.advice() != Advice::Keep)
        .map(|one| {
            let name = one.test.0.rsplit([':', '>']).next().unwrap_or_default().trim().to_owned();
            (name, one.doubts.iter().map(|doubt| (doubt.ground.word(), doubt.line)).collect())
        })
        .collect();
    let expected: Vec<_> = expected.iter().map(|(name, grounds)| ((*name).to_owned(), grounds.to_vec())).collect();
    assert_eq!(told, expected);
}

const RUST: &str = "//! Properties.
use proptest::prelude::*;
use shop::{fee, split};

fn holds(out: &[u64]) { assert!(out.len() > 0); }
fn doubled(x: u64) -> u64 { x + x }
fn own_fee(c: u64, d: u64) -> u64 { c * d * 3 / 1000 }

proptest! {
    /// [BILL-1]
    #[test]
    fn sum(total in 0u64..99, parts in 1u32..=24) { prop_assert_eq!(split(total, parts).iter().sum::<u64>(), total); }
    /// [BILL-1]
    #[test]
    fn by_other_code(total in 0u64..99) { holds(&split(total, 3)); }
    #[test]
    fn uncited(total in 0u64..99) { prop_assert!(split(total, 3).len() == 3); }
    /// [BILL-9]
    #[test]
    fn cites_none(total in 0u64..99) { prop_assert!(split(total, 3).len() == 3); }
    /// [BILL-1]
    #[test]
    fn silent(total in 0u64..99) { let _ = split(total, 3).is_empty(); }
    /// [BILL-1]
    #[test]
    fn idle(total in 0u64..99) {
        let out = split(total, 3);
        prop_assert!(out.len() >= 0);
    }
    /// [BILL-1]
    #[test]
    fn in_branch(total in 0u64..99) {
        if let Some(first) = split(total, 3).first() {
            prop_assert!(*first <= total);
        }
    }
    /// [BILL-1]
    #[test]
    fn in_both(total in 0u64..99) {
        if let Some(first) = split(total, 3).first() { prop_assert!(*first <= total); } else { prop_assert!(total == 0); }
    }
    /// [BILL-1]
    #[test]
    fn copies(cents in 0u64..99, days in 0u64..9) { prop_assert_eq!(fee(cents, days), cents * days * 3 / 1000); }
    /// [BILL-1]
    #[test]
    fn copies_beside(cents in 0u64..99, days in 0u64..9) { prop_assert_eq!(fee(cents, days), own_fee(cents, days)); }
    /// [BILL-1]
    #[test]
    fn alone(x in 0u64..99) { prop_assert!(doubled(x) >= x); }
    /// [BILL-1]
    #[test]
    fn narrow(total in 0u64..99, parts in 2u32..=12) { prop_assert_eq!(split(total, parts).len(), parts as usize); }
}
";

#[test]
fn rust_properties_are_told_by_each_ground() {
    let code = "pub fn split(total: u64, parts: u32) -> Vec<u64> { vec![total; parts as usize] }\n\
                pub fn fee(amount: u64, time: u64) -> u64 { amount * time * 3 / 1000 }\n";
    check(
        &[("Cargo.toml", "[package]\nname = \"shop\"\n"), ("src/lib.rs", code), ("tests/all.rs", RUST)],
        &[
            ("uncited", &[("no-requirement", 17)]),
            ("cites_none", &[("no-requirement", 20)]),
            ("silent", &[("no-assertion", 23)]),
            ("idle", &[("cannot-fail", 28)]),
            ("in_branch", &[("assertion-in-branch", 34)]),
            ("copies", &[("copies-code", 44)]),
            ("copies_beside", &[("copies-code", 47)]),
            ("alone", &[("calls-no-code", 50)]),
            ("narrow", &[("narrow-generator", 53)]),
        ],
    );
}

const PYTHON: &str = "from hypothesis import given, assume, strategies as st
from shop import fee, split


def holds(out):
    assert out


def own_fee(c, d):
    return c * d * 3 // 1000


@given(st.integers(0, 99), st.integers(1, 24))
def test_sum(total, parts):
    '''[BILL-1]'''
    assert sum(split(total, parts)) == total


@given(st.integers(0, 99))
def test_by_other_code(total):
    '''[BILL-1]'''
    holds(split(total, 3))


@given(st.integers(0, 99))
def test_uncited(total):
    assert len(split(total, 3)) == 3


@given(st.integers(0, 99))
def test_silent(total):
    '''[BILL-1]'''
    split(total, 3)


@given(st.integers(0, 99))
def test_idle(total):
    '''[BILL-1]'''
    out = split(total, 3)
    assert out == out


@given(st.integers(0, 99))
def test_in_branch(total):
    '''[BILL-1]'''
    if total == 0:
        return
    assert split(total, 3)


@given(st.integers(0, 99))
def test_assumes(total):
    '''[BILL-1]'''
    if total == 0:
        assume(False)
    assert split(total, 3)


@given(st.integers(0, 99), st.integers(0, 9))
def test_copies(cents, days):
    '''[BILL-1]'''
    assert fee(cents, days) == cents * days * 3 // 1000


@given(st.integers(0, 99), st.integers(0, 9))
def test_copies_beside(cents, days):
    '''[BILL-1]'''
    assert fee(cents, days) == own_fee(cents, days)


@given(st.integers(0, 99))
def test_alone(x):
    '''[BILL-1]'''
    assert abs(x) >= x


@given(total=st.integers(0, 99), parts=st.integers(2, 12))
def test_narrow(total, parts):
    '''[BILL-1]'''
    assert len(split(total, parts)) == parts
";

#[test]
fn python_properties_are_told_by_each_ground() {
    let code = "def split(total, parts):\n    return [total] * parts\n\n\ndef fee(amount, time):\n    return amount * time * 3 // 1000\n";
    check(
        &[("shop/__init__.py", code), ("tests/test_all.py", PYTHON)],
        &[
            ("test_uncited", &[("no-requirement", 26)]),
            ("test_silent", &[("no-assertion", 31)]),
            ("test_idle", &[("cannot-fail", 40)]),
            ("test_in_branch", &[("assertion-in-branch", 48)]),
            ("test_copies", &[("copies-code", 60)]),
            ("test_copies_beside", &[("copies-code", 66)]),
            ("test_alone", &[("calls-no-code", 72)]),
            ("test_narrow", &[("narrow-generator", 78)]),
        ],
    );
}

const TYPESCRIPT: &str = "import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fee, split } from '../src/shop';

function holds(out) {
  expect(out).toHaveLength(3);
}
const ownFee = (c, d) => (c * d * 3) / 1000;

test('[BILL-1] sum', () => {
  fc.assert(fc.property(fc.nat(), fc.integer({ min: 1, max: 24 }), (total, parts) => sum(split(total, parts)) === total));
});
test('[BILL-1] by other code', () => {
  fc.assert(fc.property(fc.nat(), (total) => { holds(split(total, 3)); }));
});
test('uncited', () => {
  fc.assert(fc.property(fc.nat(), (total) => { expect(split(total, 3)).toHaveLength(3); }));
});
test('[BILL-1] silent', () => {
  fc.assert(fc.property(fc.nat(), (total) => { split(total, 3); }));
});
test('[BILL-1] idle', () => {
  fc.assert(fc.property(fc.nat(), (total) => { const out = split(total, 3); expect(out).toEqual(out); }));
});
test('[BILL-1] in branch', () => {
  fc.assert(fc.property(fc.nat(), (total) => {
    if (total === 0) return;
    expect(split(total, 3)).toHaveLength(3);
  }));
});
test('[BILL-1] assumes', () => {
  fc.assert(fc.property(fc.nat(), (total) => {
    fc.pre(total > 0);
    expect(split(total, 3)).toHaveLength(3);
  }));
});
test('[BILL-1] copies', () => {
  fc.assert(fc.property(fc.nat(), fc.nat(), (cents, days) => fee(cents, days) === (cents * days * 3) / 1000));
});
test('[BILL-1] copies beside', () => {
  fc.assert(fc.property(fc.nat(), fc.nat(), (cents, days) => { expect(fee(cents, days)).toBe(ownFee(cents, days)); }));
});
const keeps = (title, arb, rule) => test(title, () => fc.assert(fc.property(arb, rule)));
class Step { run() { expect(split(1, 1)).toHaveLength(1); } }
const steps = fc.constant(new Step());
test('[BILL-1] by steps', () => {
  fc.assert(fc.property(steps, (step) => { step.run(); }));
});
test('[BILL-1] alone', () => {
  fc.assert(fc.property(fc.nat(), (x) => Math.abs(x) >= x));
});
test('[BILL-1] narrow', () => {
  fc.assert(fc.property(fc.nat(), fc.integer({ min: 2, max: 12 }), (total, parts) => split(total, parts).length === parts));
});
";

#[test]
fn typescript_properties_are_told_by_each_ground() {
    let code = "export function split(total: number, parts: number): number[] { return Array(parts).fill(total); }\n\
                export const fee = (amount: number, time: number): number => (amount * time * 3) / 1000;\n";
    check(
        &[("package.json", "{}"), ("src/shop.ts", code), ("tests/shop.test.ts", TYPESCRIPT)],
        &[
            ("uncited", &[("no-requirement", 16)]),
            ("[BILL-1] silent", &[("no-assertion", 19)]),
            ("[BILL-1] idle", &[("cannot-fail", 23)]),
            ("[BILL-1] in branch", &[("assertion-in-branch", 28)]),
            ("[BILL-1] copies", &[("copies-code", 37)]),
            ("[BILL-1] copies beside", &[("copies-code", 40)]),
            ("title", &[("no-requirement", 43)]),
            ("[BILL-1] alone", &[("calls-no-code", 49)]),
            ("[BILL-1] narrow", &[("narrow-generator", 52)]),
        ],
    );
}

#[test]
fn only_what_is_asked_for_is_told() {
    let source = "proptest! {\n#[test]\nfn one(x in 0..9) { f(x); }\n#[test]\nfn other(x in 0..9) { f(x); }\n}\n";
    let tree = Files::new([("Cargo.toml", "[package]\nname = \"a\"\n"), ("src/lib.rs", source)]);
    let (audit, _) = of(&tree, &["one".to_owned(), "none".to_owned()]);
    let names: Vec<&str> = audit.properties.iter().map(|one| one.test.0.as_str()).collect();
    assert_eq!((names, audit.unknown), (vec!["one"], vec!["none".to_owned()]));
}
