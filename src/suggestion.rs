//! What somebody else, such as a coding agent, suggests about a failure: shown beside it with its source, and never applied by
//! itself.

use serde::{Deserialize, Serialize};

use crate::verdict::Verdict;

/// The form that is read and written.
const SCHEMA: u32 = 1;

/// No answer is longer, in bytes.
const LONGEST: usize = 64 << 10;

/// A suggestion as it is kept: one JSON object a line, keys in this order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suggestion {
    /// Version of this form: 1.
    pub schema: u32,
    /// The id of the failure.
    pub failure: String,
    /// The verdict that is suggested.
    pub verdict: Verdict,
    /// Why. Foreign text.
    pub why: String,
    /// Who suggests it, in their own words. Foreign text.
    pub source: String,
    /// When it was taken in, as RFC 3339 in UTC.
    pub when: String,
}

/// An answer as it comes.
#[derive(Deserialize)]
struct Answer {
    schema: u32,
    verdict: Verdict,
    why: String,
    source: String,
}

impl Suggestion {
    /// The suggestion in `answer` on the failure of that id, taken in at `when`. Text around the one object, as agents write it,
    /// is passed over.
    ///
    /// # Errors
    /// What is wrong with it, and what was expected: one sentence.
    pub fn read(answer: &[u8], failure: &str, when: &str) -> Result<Suggestion, String> {
        if answer.len() > LONGEST {
            return Err(format!("expected at most {LONGEST} bytes, found {}", answer.len()));
        }
        let text =
            std::str::from_utf8(answer).map_err(|_| "expected JSON, found bytes that are not UTF-8".to_owned())?;
        let object = text.find('{').zip(text.rfind('}')).map(|(start, end)| text.get(start..=end).unwrap_or_default());
        let expected = "expected {\"schema\": 1, \"verdict\": \"real-bug\", \"ambiguous-spec\" or \"wrong-property\", \"why\": TEXT, \
                        \"source\": TEXT}";
        let Answer { schema, verdict, why, source } =
            serde_json::from_str(object.unwrap_or_default()).map_err(|error| format!("{expected}: {error}"))?;
        match (schema, why.trim(), source.trim()) {
            (SCHEMA, "", _) => Err(format!("{expected}: `why` is empty")),
            (SCHEMA, _, "") => Err(format!("{expected}: `source` is empty, so that nobody could tell whose it is")),
            (SCHEMA, why, source) => Ok(Suggestion {
                schema,
                failure: failure.to_owned(),
                verdict,
                why: why.to_owned(),
                source: source.to_owned(),
                when: when.to_owned(),
            }),
            (other, ..) => Err(format!("{expected}: schema {other} is not known")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Suggestion;
    use crate::verdict::Verdict;

    fn read(answer: &str) -> Result<Suggestion, String> {
        Suggestion::read(answer.as_bytes(), "0a", "2026-12-01T00:00:00Z")
    }

    const GOOD: &str =
        r#"{"schema": 1, "verdict": "real-bug", "why": " 3 is lost\n", "source": "agent 7", "more": [1]}"#;

    #[test]
    fn an_answer_is_read_with_or_without_words_around_it() {
        for text in [GOOD.to_owned(), format!("Here it is:\n```json\n{GOOD}\n```\nDone.")] {
            let told = read(&text).unwrap();
            let parts = (told.verdict, told.why.as_str(), told.source.as_str(), told.failure.as_str());
            assert_eq!(parts, (Verdict::RealBug, "3 is lost", "agent 7", "0a"));
        }
    }

    #[track_caller]
    fn check_refused(answer: &str, expected: &str) {
        let told = read(answer).unwrap_err();
        assert!(told.contains(expected), "{told}");
    }

    #[test]
    fn what_is_no_answer_is_refused_with_what_was_expected() {
        check_refused("", "expected {\"schema\": 1");
        check_refused("}{", "expected {\"schema\": 1");
        check_refused(&GOOD.replace("real-bug", "fine"), "unknown variant `fine`");
        check_refused(&GOOD.replace("\"schema\": 1", "\"schema\": 2"), "schema 2 is not known");
        check_refused(&GOOD.replace(" 3 is lost\\n", " "), "`why` is empty");
        check_refused(&GOOD.replace("agent 7", ""), "`source` is empty");
        check_refused(&" ".repeat(70_000), "expected at most 65536 bytes, found 70000");
        assert!(Suggestion::read(b"{\xff}", "", "").unwrap_err().contains("not UTF-8"));
    }
}
