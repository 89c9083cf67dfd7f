//! Which failure, pin or property a user means: by id, by the beginning of one, or by the end of a test name, be it after
//! its file.

use std::fmt;
use std::sync::Arc;

use super::TriageError;
use crate::inbox::{Filed, Inbox};
use crate::repo_path::RepoPath;
use crate::verdict::Decision;

/// The one failure that `text` means.
///
/// # Errors
/// Where it means none, or more than one.
pub(super) fn select<'a>(inbox: &'a Inbox, text: &str) -> Result<&'a Arc<Filed>, TriageError> {
    let named = |filed: &'a Arc<Filed>| Named {
        id: &filed.id.0,
        test: &filed.failure.test.0,
        other: None,
        file: filed.file.as_ref().map(RepoPath::as_str),
    };
    one_of(inbox.filed(), named, text)
}

/// The one decision that `text` means.
///
/// # Errors
/// Where it means none, or more than one.
pub(super) fn among<'a>(decisions: &'a [Decision], text: &str) -> Result<&'a Decision, TriageError> {
    let named = |decision: &'a Decision| Named {
        id: &decision.failure,
        test: &decision.property,
        other: None,
        file: decision.file.as_deref(),
    };
    one_of(decisions, named, text)
}

/// What something is called by that may be meant, and where it stands, as others may be called so as well.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) id: &'a str,
    pub(super) test: &'a str,
    /// The other test that it goes by: of a pin its property.
    pub(super) other: Option<&'a str>,
    pub(super) file: Option<&'a str>,
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  {}", self.id, self.test)?;
        self.file.map_or(Ok(()), |file| write!(f, "  {file}"))
    }
}

impl Named<'_> {
    /// Whether one of its tests is such a one.
    fn any_test(&self, is_such: impl Fn(&str) -> bool) -> bool {
        is_such(self.test) || self.other.is_some_and(is_such)
    }
}

/// Whether a text means what is called so.
type Rule<'a> = dyn Fn(&Named<'_>) -> bool + 'a;

/// The places of those of `all` that `text` means: what it names in full comes before what it is the beginning or end of.
pub(super) fn meant(all: &[Named<'_>], text: &str) -> Vec<usize> {
    let rules: [&Rule<'_>; 5] = [
        &|one| one.id == text,
        &|one| one.any_test(|test| test == text),
        &|one| one.id.starts_with(text),
        &|one| one.any_test(|test| in_file(text, one.file).any(|rest| rest == test)),
        &|one| one.any_test(|test| is_called(test, one.file, text)),
    ];
    let by = |rule: &&Rule<'_>| (0..all.len()).filter(|at| rule(&all[*at])).collect::<Vec<_>>();
    let found = rules.iter().map(by).find(|meant| !meant.is_empty());
    found.filter(|_| !text.is_empty()).unwrap_or_default()
}

/// That more than one of `all` may be meant: those at `meant`.
pub(super) fn ambiguous(all: &[Named<'_>], meant: &[usize], text: &str) -> TriageError {
    TriageError::Ambiguous { text: text.to_owned(), meant: meant.iter().map(|at| all[*at].to_string()).collect() }
}

/// The one of `all` that `text` means, by what `named` calls each.
fn one_of<'a, T>(all: &'a [T], named: impl Fn(&'a T) -> Named<'a>, text: &str) -> Result<&'a T, TriageError> {
    let names: Vec<Named<'_>> = all.iter().map(named).collect();
    match meant(&names, text)[..] {
        [] => Err(TriageError::Unknown(text.to_owned())),
        [one] => Ok(&all[one]),
        ref several => Err(ambiguous(&names, several, text)),
    }
}

/// Whether a user may call the test `test` in `file` so: by the end of its name, or by that after the end of the file's path.
pub fn is_called(test: &str, file: Option<&str>, text: &str) -> bool {
    is_end(test, text) || in_file(text, file).any(|rest| is_end(test, rest))
}

/// What `text` says after the path of `file`, or the end of it: `tests/b.rs::name`.
fn in_file<'t>(text: &'t str, file: Option<&str>) -> impl Iterator<Item = &'t str> {
    let is_of = move |path: &str| {
        file.and_then(|file| file.strip_suffix(path)).is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    text.match_indices("::")
        .filter(move |(at, _)| *at > 0 && is_of(&text[..*at]))
        .map(|(at, mark)| &text[at + mark.len()..])
}

/// Whether `text` is the end of `test` and begins where a word of it does.
fn is_end(test: &str, text: &str) -> bool {
    test.strip_suffix(text).is_some_and(|before| !before.ends_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::{Named, is_called, is_end, meant};

    #[test]
    fn one_is_meant_by_its_id_its_test_or_its_file_and_test() {
        let named = |id, test, other, file| Named { id, test, other: Some(other), file: Some(file) };
        let all = [
            named("64b2aa", "b::sums_pin_0123456", "b::sums", "tests/b.rs"),
            named("64b2aa", "b::sums_pin_6543210", "b::sums", "tests/b.rs"),
            named("ecf901", "twice_sums_pin_0123456", "twice_sums", "tests/b.rs"),
            named("64b3cc", "sums_pin_0123456", "sums", "x/tests/b.rs"),
        ];
        for (text, expected) in [
            ("64b2aa", &[0, 1][..]),
            ("64b", &[0, 1, 3]),
            ("ecf", &[2]),
            ("b::sums", &[0, 1]),
            ("sums", &[3]),
            ("6543210", &[1]),
            ("tests/b.rs::b::sums", &[0, 1]),
            ("tests/b.rs::sums", &[3]),
            ("x/tests/b.rs::sums", &[3]),
            ("b.rs::twice_sums", &[2]),
            ("b.rs::b::sums_pin_0123456", &[0]),
            ("c.rs::sums", &[]),
            ("tests/b.rs::", &[]),
            ("", &[]),
        ] {
            assert_eq!(meant(&all, text), expected, "{text}");
        }
    }

    #[test]
    fn a_test_is_called_by_the_end_of_its_files_path_as_well() {
        let check = |text: &str, expected: bool| {
            assert_eq!(is_called("fees > the fee grows", Some("web/tests/fees.test.ts"), text), expected, "{text}");
        };
        check("the fee grows", true);
        check("tests/fees.test.ts::the fee grows", true);
        check("web/tests/fees.test.ts::fees > the fee grows", true);
        check("ees.test.ts::the fee grows", false);
        check("tests/fees.test.ts::fee", false);
    }

    #[test]
    fn a_name_ends_in_whole_words_in_every_language() {
        for (test, text) in [
            ("fees::tests::bill_9_fee_grows", "fee_grows"),
            ("fees::tests::bill_9_fee_grows", "tests::bill_9_fee_grows"),
            ("tests/test_fees.py::TestFees::test_grows[7]", "test_grows[7]"),
            ("fees > [BILL-9] the fee grows", "the fee grows"),
            ("fees > [BILL-9] the fee grows", "[BILL-9] the fee grows"),
        ] {
            assert!(is_end(test, text), "{text}");
        }
        assert!(!is_end("fees::tests::bill_9_fee_grows", "ee_grows"));
        assert!(!is_end("fees::tests::bill_9_fee_grows", "fee"));
    }
}
