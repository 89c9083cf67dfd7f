//! What the files of a repository state of a framework's properties, whether or not one of them has failed. Asked by whoever
//! guards the oracle: for each file of a change in both its versions, or for all files.

use crate::oracle::Oracle;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Reads what is stated.
pub trait Stating {
    /// The files of `tree` that may state properties of this framework, or hold pins of them.
    fn stating(&self, tree: &dyn SourceTree) -> Vec<RepoPath>;

    /// How many cases a property is run with where nobody says.
    fn usual_cases(&self) -> u64 {
        100
    }

    /// What `file` states; nothing where it has no property of this framework and no pin.
    ///
    /// # Errors
    /// What keeps it from being read: one sentence.
    fn oracle(&self, file: &RepoPath, tree: &dyn SourceTree) -> Result<Oracle, String>;
}
