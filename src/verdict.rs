//! What a person says of a failure, and the record of it that stays in the repository.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The answer to the question that comes first: does this input break the sentence, or is the sentence at fault?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The code is wrong: pin it.
    RealBug,
    /// The spec does not say: ask.
    AmbiguousSpec,
    /// The property is wrong: record why.
    WrongProperty,
}

impl Verdict {
    /// The word users type and `--json` prints.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::RealBug => "real-bug",
            Verdict::AmbiguousSpec => "ambiguous-spec",
            Verdict::WrongProperty => "wrong-property",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One decision record: a JSON file of its own under `.redpin/decisions/`, keys in this order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Version of this form: 1.
    pub schema: u32,
    /// The failure's id, as `redpin list` shows it.
    pub failure: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Who decided: name and address as git has them.
    pub who: String,
    /// When, as RFC 3339 in UTC.
    pub when: String,
    /// The reviewer's own words; empty where none were given.
    pub why: String,
    /// Framework of the property.
    pub framework: String,
    /// Package of the property, where known.
    pub package: Option<String>,
    /// Full test name of the property.
    pub property: String,
    /// The property's source file in the repository, where known.
    pub file: Option<String>,
    /// Requirement it cites, where it does.
    pub requirement: Option<String>,
    /// The counterexample as one line of text.
    pub counterexample: String,
    /// What the run said.
    pub message: String,
    /// The run it was read from.
    pub run: String,
    /// What was pinned, for a real bug.
    pub pin: Option<PinRecord>,
    /// The decisions on the same failure that this one came after, oldest first, each without those before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<Decision>,
}

impl Decision {
    /// The same after `earlier`, which it takes the place of.
    #[must_use]
    pub fn after(mut self, mut earlier: Decision) -> Decision {
        self.before = std::mem::take(&mut earlier.before);
        self.before.push(earlier);
        self
    }
}

/// What a decision says of the pin that came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PinRecord {
    /// Full name of the literal test, where there is one.
    pub test: Option<String>,
    /// Its rung: `literal`, `constructed`, `replayed`, `seed-only`.
    pub rung: String,
    /// The replay line that was pinned, where there is one.
    pub replay: Option<String>,
    /// Files the pin stands in.
    pub files: Vec<String>,
    /// Why it is no better rung.
    pub reason: Option<String>,
    /// What running it showed before it was staged; `None` where it was not run.
    #[serde(default)]
    pub proof: Option<ProofRecord>,
    /// The input it holds, where that is not the failure's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead: Option<InsteadRecord>,
}

/// What a decision says of an input that its pin holds in the place of the failure's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InsteadRecord {
    /// The input as one line of text.
    pub counterexample: String,
    /// What was said when the property failed on it.
    pub message: String,
}

/// What a decision says of the running of its pin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofRecord {
    /// How it came out: `red`, or what it was staged in spite of.
    pub state: String,
    /// The commit it was run on, with a `+` where the work tree had changes besides.
    pub commit: String,
    /// What the toolchain calls itself; empty where it does not say.
    pub toolchain: String,
    /// When, as RFC 3339 in UTC.
    pub when: String,
    /// The line of the code under test that failed, as `file:line`; `None` where the test itself did.
    #[serde(default)]
    pub at: Option<String>,
    /// The other properties of the same staging whose pins fail in that very line: one cause.
    #[serde(default)]
    pub shared: Vec<String>,
}
