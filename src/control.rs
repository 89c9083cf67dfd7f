//! A negative control: a violation of a property, written on purpose, which must turn it red; and the record of it that
//! stays in the repository. A property that no violation turns red proves nothing.

use serde::{Deserialize, Serialize};

use crate::proof::PinState;

/// One record of a control: a JSON file of its own under `.redpin/controls/`, keys in this order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    /// Version of this form: 1.
    pub schema: u32,
    /// Full test name of the property.
    pub property: String,
    /// Its framework.
    pub framework: String,
    /// Its package, where known.
    pub package: Option<String>,
    /// Its source file in the repository, where known.
    pub file: Option<String>,
    /// Who ran it: name and address as git has them.
    pub who: String,
    /// When, as RFC 3339 in UTC.
    pub when: String,
    /// The commit it was run on, with a `+` where the work tree had changes besides.
    pub commit: String,
    /// SHA-256 of the patch, in hexadecimal digits.
    pub digest: String,
    /// The patch; of a long one its beginning.
    pub patch: String,
    /// `red` where the violation was noticed, else `green`.
    pub outcome: PinState,
    /// Full name of the test that noticed it; empty where none did.
    pub test: String,
    /// What it said.
    pub message: String,
    /// The line that failed, as `file:line`; empty where none did.
    pub at: String,
}
