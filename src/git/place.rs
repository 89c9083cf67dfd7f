//! A path of the index as a value: what stands there, and what is to stand there.

use serde::{Deserialize, Serialize};

use crate::repo_path::RepoPath;

use super::objects::ObjectId;

/// What the index holds of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The mode as git writes it.
    pub(super) mode: String,
    /// The content.
    pub(super) id: ObjectId,
    /// Only a promise to add the file (`git add -N`), with no content yet.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) intent_to_add: bool,
    /// Git was told not to look for changes of the file (`git update-index --assume-unchanged`).
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) assume_unchanged: bool,
    /// The file is outside the sparse checkout.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) skip_worktree: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it out by reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// What stands at a path of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Record(Record),
    /// Several sides of a conflict.
    Unmerged,
    /// Something that a file there would push out, which is why.
    Blocked(String),
}

impl Place {
    /// A folder stands at `path`: git takes a file for a reason to drop the folder of that name.
    pub(super) fn folder(path: &str) -> Place {
        Place::Blocked(format!("expected a file at {path}, found a folder in the index"))
    }

    /// On the way to `path` there is a file, which would go the same way.
    pub(super) fn behind(path: &RepoPath, file: &str) -> Place {
        Place::Blocked(format!("{path} is behind {file}, which is no folder in the index"))
    }
}

/// What a path of the index is to hold.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change<'a> {
    Put(&'a Record),
    /// Takes the path out; the id only says how long ids are.
    Remove(&'a ObjectId),
}
