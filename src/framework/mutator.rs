//! A program that lists small mutations of the code under test. Asked for a negative control where the user has no violation
//! of their own.

use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Knows such a program.
pub trait Mutator: Sync {
    /// The program, as its users know it.
    fn program(&self) -> &'static str;

    /// The folder and the command whose output [`Mutator::mutations`] reads: it lists small mutations of the code that the
    /// property in `file` tests.
    fn command(&self, file: &RepoPath, tree: &dyn SourceTree) -> (String, Vec<String>);

    /// The mutations of the code that the property in `file` tests, the likeliest to break it first; `None` where `told`
    /// is not what the command prints.
    fn mutations(&self, told: &[u8], file: &RepoPath, tree: &dyn SourceTree) -> Option<Vec<Mutation>>;
}

/// A small change of the code under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutation {
    /// What it does, in a few words.
    pub title: String,
    /// The same as a patch.
    pub patch: Vec<u8>,
}
