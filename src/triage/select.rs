//! Which failure a user means: by id, by the beginning of one, or by the end of a test name.

use std::sync::Arc;

use super::TriageError;
use crate::inbox::{Filed, Inbox};

/// The one failure that `text` means.
///
/// # Errors
/// Where it means none, or more than one.
pub(super) fn select<'a>(inbox: &'a Inbox, text: &str) -> Result<&'a Arc<Filed>, TriageError> {
    let rules: [&dyn Fn(&Filed) -> bool; 4] = [
        &|filed| filed.id.0 == text,
        &|filed| filed.failure.test.0 == text,
        &|filed| filed.id.0.starts_with(text),
        &|filed| is_end(&filed.failure.test.0, text),
    ];
    if !text.is_empty() {
        for rule in rules {
            let meant: Vec<&Arc<Filed>> = inbox.filed().iter().filter(|filed| rule(filed)).collect();
            match meant[..] {
                [] => {}
                [one] => return Ok(one),
                _ => {
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

fn name(filed: &&Arc<Filed>) -> String {
    format!("{}  {}", filed.id.0, filed.failure.test)
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
