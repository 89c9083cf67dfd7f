//! Which failure a user means: by id, by the beginning of one, or by the end of a test name.

use std::sync::Arc;

use super::TriageError;
use crate::inbox::{Filed, Inbox};
use crate::verdict::Decision;

/// The one failure that `text` means.
///
/// # Errors
/// Where it means none, or more than one.
pub(super) fn select<'a>(inbox: &'a Inbox, text: &str) -> Result<&'a Arc<Filed>, TriageError> {
    one_of(inbox.filed(), |filed| (&filed.id.0, &filed.failure.test.0), text)
}

/// The one decision that `text` means.
///
/// # Errors
/// Where it means none, or more than one.
pub(super) fn among<'a>(decisions: &'a [Decision], text: &str) -> Result<&'a Decision, TriageError> {
    one_of(decisions, |decision| (&decision.failure, &decision.property), text)
}

/// Whether a text means what has this id and this test name.
type Rule<'a> = dyn Fn((&str, &str)) -> bool + 'a;

/// The one of `all` that `text` means, by the id and the test name that `named` gives each.
fn one_of<'a, T>(all: &'a [T], named: impl Fn(&T) -> (&str, &str), text: &str) -> Result<&'a T, TriageError> {
    let rules: [&Rule<'_>; 4] =
        [&|(id, _)| id == text, &|(_, test)| test == text, &|(id, _)| id.starts_with(text), &|(_, test)| {
            is_end(test, text)
        }];
    if !text.is_empty() {
        for rule in rules {
            let meant: Vec<&T> = all.iter().filter(|one| rule(named(one))).collect();
            match meant[..] {
                [] => {}
                [one] => return Ok(one),
                _ => {
                    let name = |one: &&T| {
                        let (id, test) = named(one);
                        format!("{id}  {test}")
                    };
                    return Err(TriageError::Ambiguous {
                        text: text.to_owned(),
                        meant: meant.iter().map(name).collect(),
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
