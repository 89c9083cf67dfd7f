//! What the sources around a framework's properties hold that these may call or copy. Asked by whoever audits properties.

use crate::audit::{Page, Speech};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Reads what properties stand among.
pub trait Auditing: Sync {
    /// How the language of its properties is written in normal form.
    fn speech(&self) -> Speech;

    /// The files of `tree` in that language: of the code under test and of the tests.
    fn sources(&self, tree: &dyn SourceTree) -> Vec<RepoPath>;

    /// What `file` has; `None` where it cannot be read.
    fn page(&self, file: &RepoPath, tree: &dyn SourceTree) -> Option<Page>;
}
