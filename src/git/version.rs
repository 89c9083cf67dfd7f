//! One version of a file: in the last commit, in the index, in the work tree.

use std::sync::Arc;

use crate::patch::FileMode;

/// The bytes of a regular file and whether it is a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Its content, unfiltered.
    pub bytes: Arc<[u8]>,
    /// Its mode.
    pub mode: FileMode,
}

/// A file in the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InIndex {
    /// The index has no such file.
    Missing,
    /// Only a promise to add it (`git add -N`); staging content makes it a real one.
    Promised,
    /// The content that the next commit would have.
    File(Version),
    /// The sides of a conflict; nothing can be staged.
    Unmerged,
    /// Not a regular file, or outside the sparse checkout, and why nothing can be staged there.
    Unwritable(String),
}

/// A file in the work tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InWorkTree {
    /// There is no such file.
    Missing,
    /// Its content and mode.
    File(Version),
    /// Something that is not written: a link, a path through one, a submodule, a folder; and why.
    Unwritable(String),
}
