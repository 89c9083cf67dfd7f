//! What the tests of standing pins hold, printed by a test of its own: code that makes a value may make another one once it
//! is changed. Asked by `redpin verify`, of pins that make their values by other code.

use crate::edit::Edits;
use crate::failure::TestName;
use crate::pin::Refusal;
use crate::proof::StandingPin;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Prints the values of pins.
pub trait Values: Sync {
    /// The test that prints what the test of `pin`, as it stands in `from`, binds, and what puts it into `onto`, which has
    /// its property.
    ///
    /// # Errors
    /// Where the pin has no such test, or that version no place for it.
    fn test(&self, pin: &StandingPin, from: &dyn SourceTree, onto: &dyn SourceTree) -> Result<ValueTest, Refusal>;

    /// The values that such a test printed, by what it said when it failed; `None` where it failed before.
    fn printed<'m>(&self, message: &'m str) -> Option<&'m str>;
}

/// A test that prints the values of a pin, on its way into a version of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueTest {
    /// Its full name.
    pub test: TestName,
    /// The file it goes into.
    pub file: RepoPath,
    /// The changes of that file, made for the text that it has in that version.
    pub edits: Edits,
    /// The values as they are on record; none where not all of them are.
    pub recorded: Vec<String>,
}
