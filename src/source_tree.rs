//! The repository's files as the rooms see them: something to read from, whatever stands behind it (the work tree, the
//! index, a commit, a map in a test).

use std::sync::Arc;

use crate::repo_path::RepoPath;

/// A reader of the repository's files. Reading has no side effect, and the same path gives the same bytes while one
/// tree value lives.
pub trait SourceTree {
    /// The bytes of a regular file; `None` where there is none, it leads outside the repository, or cannot be read.
    fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>>;

    /// Whether [`SourceTree::read`] would give bytes. Cheaper where the tree can tell without reading.
    fn exists(&self, path: &RepoPath) -> bool {
        self.read(path).is_some()
    }

    /// The files that git knows or would add (ignored ones left out) whose path `wanted` accepts, sorted. This walks the
    /// whole list of files: ask only after the direct look-ups have failed.
    fn find(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath>;
}
