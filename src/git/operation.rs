//! What is staged in one go, and what is known of it afterwards.

use std::fmt;

use serde_json::Value;

use crate::repo_path::RepoPath;

use super::versions::Versions;

/// Changes to several files that happen together or not at all, and are taken back together.
#[derive(Clone, Debug)]
pub struct Operation {
    /// What it does, for the user: `pin 3 failures`.
    pub title: String,
    /// The files, each once.
    pub files: Vec<Change>,
    /// Whatever the caller wants back when the operation is undone or done again.
    pub attachment: Value,
}

/// What becomes of one file, in the index and in the work tree separately.
#[derive(Clone, Debug)]
pub struct Change {
    /// What the new content was computed from. Staging refuses a file that is no longer so.
    pub from: Versions,
    /// The index.
    pub index: Write,
    /// The work tree.
    pub work: Write,
}

/// What becomes of one side of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Write {
    /// It stays as it is.
    Keep,
    /// It holds these bytes; the mode stays.
    Content(Vec<u8>),
    /// It goes.
    Remove,
}

/// Names an operation in the journal; later ones are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperationId(pub u64);

impl fmt::Display for OperationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An operation that was taken back or done again.
#[derive(Clone, Debug, PartialEq)]
pub struct Undone {
    /// The operation.
    pub id: OperationId,
    /// Its title.
    pub title: String,
    /// What the caller attached to it.
    pub attachment: Value,
    /// The files it touched.
    pub files: Vec<RepoPath>,
}

/// An operation that a killed redpin left half way, and what became of it at the next start.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovered {
    /// Whether the operation stands now: true also for an undo that was rolled back.
    pub stands: bool,
    /// The operation.
    pub operation: Undone,
    /// One line for the user.
    pub message: String,
}
