//! Which failure a user means: by id, by the beginning of one, or by the end of a test name.

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
        file: decision.file.as_deref(),
    };
    one_of(decisions, named, text)
}

/// What something is called by that may be meant, and where it stands, as others may be called so as well.
pub(super) struct Named<'a> {
    pub(super) id: &'a str,
    pub(super) test: &'a str,
    pub(super) file: Option<&'a str>,
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  {}", self.id, self.test)?;
        self.file.map_or(Ok(()), |file| write!(f, "  {file}"))
    }
}

/// Whether a text means what is called so.
type Rule<'a> = dyn Fn(&Named<'_>) -> bool + 'a;

/// The one of `all` that `text` means, by what `named` calls each.
fn one_of<'a, T>(all: &'a [T], named: impl Fn(&'a T) -> Named<'a>, text: &str) -> Result<&'a T, TriageError> {
    let rules: [&Rule<'_>; 4] =
        [&|one| one.id == text, &|one| one.test == text, &|one| one.id.starts_with(text), &|one| {
            is_end(one.test, text)
        }];
    if !text.is_empty() {
        for rule in rules {
            let meant: Vec<&T> = all.iter().filter(|one| rule(&named(one))).collect();
            match meant[..] {
                [] => {}
                [one] => return Ok(one),
                _ => {
                    return Err(TriageError::Ambiguous {
                        text: text.to_owned(),
                        meant: meant.into_iter().map(|one| named(one).to_string()).collect(),
                    });
                }
            }
        }
    }
    Err(TriageError::Unknown(text.to_owned()))
}

/// Whether `text` is the end of `test` and begins where a word of it does.
pub fn is_end(test: &str, text: &str) -> bool {
    test.strip_suffix(text).is_some_and(|before| !before.ends_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::is_end;

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
