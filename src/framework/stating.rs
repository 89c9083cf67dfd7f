//! What the files of a repository state of a framework's properties, whether or not one of them has failed. Asked by whoever
//! guards the oracle: for each file of a change in both its versions, or for all files.

use crate::oracle::{Known, Oracle};
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

    /// What means the same in all of its files.
    fn known(&self) -> Known;

    /// Whether test code on which properties may rest stands in files of that path.
    fn is_test_file(&self, path: &str) -> bool;

    /// Whether its runner finds the tests of a file.
    fn is_collected(&self, _file: &RepoPath, _tree: &dyn SourceTree) -> bool {
        true
    }

    /// The folder for tests in which a file of that path stands, where one can leave it and still be found by some runs of the
    /// runner, and not by others.
    fn folder_of_tests<'p>(&self, _path: &'p str) -> Option<&'p str> {
        None
    }

    /// What `file` states: properties of this framework and pins, test code on which others may rest, and what says which tests
    /// are run; nothing where it has none of them.
    ///
    /// # Errors
    /// What keeps it from being read: one sentence.
    fn oracle(&self, file: &RepoPath, tree: &dyn SourceTree) -> Result<Oracle, String>;
}

/// The outermost folder of `path` that has one of the names.
pub(super) fn folder_called<'p>(path: &'p str, names: &[&str]) -> Option<&'p str> {
    let ends = path.match_indices('/').map(|(at, _)| &path[..at]);
    ends.into_iter().find(|folder| folder.rsplit('/').next().is_some_and(|name| names.contains(&name)))
}
