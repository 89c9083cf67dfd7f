//! `redpin check pins`, `redpin check trace` and `redpin check audit` on a repository made for them: changes that must be caught, and changes that
//! must pass in silence.

use super::desk::Desk;

/// The sample repository with its crate's source in reach.
pub(super) struct Guard(pub(super) Desk);

pub(super) const SOURCE: &str = "src/instalments.rs";

impl Guard {
    pub(super) fn new() -> Guard {
        Guard(Desk::new())
    }

    /// The kinds of what is found, and whether the answer is yes.
    pub(super) fn kinds(&self) -> (i32, Vec<String>) {
        let answer = self.0.redpin(&["check", "pins", "--base", "HEAD", "--json"]);
        let told: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
        let kinds = told["findings"].as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap().to_owned());
        (answer.code, kinds.collect())
    }

    #[track_caller]
    pub(super) fn check(&self, expected: &[&str]) {
        let (code, kinds) = self.kinds();
        assert_eq!(kinds, expected);
        assert_eq!(code, i32::from(!expected.is_empty()));
    }
}

#[test]
fn what_is_only_added_passes_in_silence() {
    let guard = Guard::new();
    guard.check(&[]);
    guard.0.replace(SOURCE, "#[cfg(test)]", "// A remark.\npub fn added() {}\n\n#[cfg(test)]");
    guard.0.create("src/extra.rs", "proptest! { #[test] fn more(x in 0..9) { assert!(x < 9); } }\n");
    guard.check(&[]);
    let answer = guard.0.redpin(&["check", "pins", "--base", "HEAD"]);
    assert!(answer.out.starts_with("nothing is taken from the oracle since "), "{}", answer.out);
}

#[test]
fn what_is_taken_is_told_with_its_place_and_what_to_do() {
    let guard = Guard::new();
    guard.0.replace(SOURCE, "2u32..=24", "2u32..=4");
    guard.check(&["generator-narrowed"]);
    let answer = guard.0.redpin(&["check", "pins", "--base", "HEAD"]);
    assert!(
        answer.out.contains("`2u32..=24`, and is by `2u32..=4`\n    generator-narrowed: put it back, or "),
        "{}",
        answer.out
    );
    // Code of the same file with it.
    guard.0.replace(SOURCE, "#[cfg(test)]", "pub fn added() {}\n\n#[cfg(test)]");
    guard.check(&["generator-narrowed", "oracle-and-code"]);
}

#[test]
fn files_that_the_settings_name_are_guarded_too() {
    let guard = Guard::new();
    guard.0.create("golden/deep/a.txt", "one\ntwo\n");
    guard.0.create(".redpin/config.toml", "[oracle]\nfiles = [\"golden/**\"]\n");
    guard.0.git(&["add", "-A"]);
    guard.0.git(&["commit", "-qm", "Golden"]);
    guard.0.create("golden/deep/a.txt", "one\ntwo\nthree\n");
    guard.check(&[]);
    guard.0.create("golden/deep/a.txt", "one\n");
    guard.check(&["file-changed"]);
    guard.0.git(&["rm", "-q", "-f", "golden/deep/a.txt"]);
    guard.check(&["file-changed"]);
}

#[test]
fn what_the_other_branch_got_meanwhile_is_no_matter_of_the_change() {
    let guard = Guard::new();
    let main = guard.0.git(&["rev-parse", "--abbrev-ref", "HEAD"]).trim().to_owned();
    guard.0.git(&["checkout", "-q", "-b", "change"]);
    guard.0.create("src/one.rs", "pub fn one() {}\n");
    guard.0.git(&["add", "src/one.rs"]);
    guard.0.git(&["commit", "-qm", "One"]);
    guard.0.git(&["checkout", "-q", &main]);
    guard.0.create("src/two.rs", "proptest! { #[test] fn two(x in 0..9) { assert!(x < 9); } }\n");
    guard.0.git(&["add", "src/two.rs"]);
    guard.0.git(&["commit", "-qm", "Two"]);
    guard.0.git(&["checkout", "-q", "change"]);
    assert_eq!(guard.0.redpin(&["check", "pins", "--base", &main]).code, 0);
}

#[test]
fn what_cannot_be_read_is_no_yes() {
    let guard = Guard::new();
    guard.0.replace(SOURCE, "#[cfg(test)]", "\" #[cfg(test)]");
    let (code, kinds) = guard.kinds();
    assert_eq!(code, 1);
    assert!(kinds.contains(&"not-read".to_owned()), "{kinds:?}");
}

#[test]
fn a_base_that_is_none_is_told() {
    let answer = Guard::new().0.redpin(&["check", "pins", "--base", "nowhere"]);
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    assert!(answer.err.contains("nowhere"), "{}", answer.err);
}

#[test]
fn every_requirement_of_the_sample_is_traced() {
    let desk = Desk::new();
    let answer = desk.redpin(&["check", "trace", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    let ids: Vec<&str> =
        told["requirements"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert!(ids.contains(&"BILL-4"), "{ids:?}");
    let bill = told["requirements"].as_array().unwrap().iter().find(|one| one["id"] == "BILL-4").unwrap();
    let spread = bill["properties"]
        .as_array()
        .unwrap()
        .iter()
        .any(|one| one.as_str().unwrap().ends_with("spread_at_most_one_cent"));
    assert!(spread, "{bill}");
    assert_eq!(answer.code, i32::from(told["ok"] == false));
}

#[test]
fn properties_of_the_sample_are_audited() {
    let desk = Desk::new();
    let answer = desk.redpin(&["check", "audit", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    let doubted = |one: &&serde_json::Value| one["advice"] != "keep";
    let rows: Vec<&serde_json::Value> = told["properties"].as_array().unwrap().iter().filter(doubted).collect();
    let grounds: Vec<_> =
        rows.iter().map(|row| (row["test"].as_str().unwrap(), row["grounds"][0]["kind"].as_str().unwrap())).collect();
    assert_eq!((answer.code, grounds), (1, vec![("amt_1_any_text_is_read_or_refused", "no-assertion")]));
    let kept = desk.redpin(&["check", "audit", "bill_4_sum_is_exact"]);
    assert_eq!(kept.code, 0);
    assert!(kept.out.ends_with(": keep 2, strengthen 0, delete 0\n"), "{}", kept.out);
    let unknown = desk.redpin(&["check", "audit", "bill_4"]);
    assert!(unknown.code == 2 && unknown.err.contains("found none called \"bill_4\""), "{unknown:?}");
}

#[test]
fn a_property_that_asserts_nothing_is_told_with_its_place_and_what_to_do() {
    let guard = Guard::new();
    guard.0.replace(SOURCE, "prop_assert!(max - min <= 1", "prop_assert!(true");
    let answer = guard.0.redpin(&["check", "audit", "bill_4_spread_at_most_one_cent"]);
    let expected = "delete      BILL-4  instalments::tests::bill_4_spread_at_most_one_cent\n    src/instalments.rs:";
    assert!(answer.code == 1 && answer.out.starts_with(expected), "{}", answer.out);
    assert!(
        answer.out.contains("\n        cannot-fail: assert what the requirement says of the result, or "),
        "{}",
        answer.out
    );
}
