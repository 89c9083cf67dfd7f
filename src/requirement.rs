//! Requirement ids and their sentences, read out of spec text; and which requirement a property cites.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A requirement's id, upper case: `BILL-4`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequirementId(pub String);

impl fmt::Display for RequirementId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A section of a spec file that has an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// Its id.
    pub id: RequirementId,
    /// The rest of its heading.
    pub title: String,
    /// The section's own text, without its open questions, blank lines at both ends left out.
    pub text: String,
    /// Line of the heading in its file, from 1.
    pub line: u32,
    /// Offset in its file after the section's last line of text: where an open question goes.
    pub end: usize,
}
