//! Files in which a framework keeps inputs that failed, so that its next run tries them again: what they tell of, and how
//! one of their lines is taken out. How a line is put in, [`Pinning::place`] knows. Asked by whoever lists what the work
//! tree holds, reads a run that is such a file, or stages a verdict.
//!
//! [`Pinning::place`]: super::Pinning::place

use crate::edit::Edits;
use crate::failure::{Failure, Notice, TestName};
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

/// Knows a framework's replay files.
pub trait ReplayFiles: Sync {
    /// Whether a file of that path may be one.
    fn may_be(&self, path: &str) -> bool;

    /// The files of `tree` that may be such ones: those that their paths tell, and those that the sources name.
    fn all(&self, tree: &dyn SourceTree) -> Vec<RepoPath>;

    /// The failures that one of them tells of; `None` where the run is no such file. Handles that the same file has in
    /// `known` are left out: for a file of the work tree that is the last commit, for one of a run the work tree. The
    /// properties are looked up in `tree`.
    fn replays(&self, run: &RunOutput<'_>, tree: &dyn SourceTree, known: &dyn SourceTree) -> Option<Replays>;

    /// What one opens with before its first handle. A file that is new to the index gets there what the work tree's has.
    fn head<'t>(&self, text: &'t [u8]) -> &'t [u8];

    /// Whether `text` is what one opens with and nothing else, not even a word of the user's.
    fn is_bare(&self, text: &[u8]) -> bool;

    /// For a failure that is not to be pinned: the file of its property, and how to take the line that the run added for it
    /// out of the text it now holds. A line that is committed already is no longer the run's: whoever edits leaves a text
    /// alone whose committed version has it.
    fn forget(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<(RepoPath, Forget)>;
}

/// Takes one failure's replay line out of a replay file's text.
pub type Forget = Box<dyn Fn(&[u8]) -> Edits + Send>;

/// What a file of replay handles tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replays {
    /// In the order of the file.
    pub failures: Vec<Unassigned>,
    /// Likewise; also what the framework itself would misread.
    pub notices: Vec<Notice>,
}

/// A failure told by a replay handle, which does not name its test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unassigned {
    /// The failure, of the first property that it fits.
    pub failure: Failure,
    /// All that it fits, where it is more than one.
    pub candidates: Vec<TestName>,
}
