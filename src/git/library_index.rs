//! Writing the index through libgit2, for machines without the git program. It refuses split and sparse indexes and drops
//! some index extensions, which is why the program comes first.

use std::path::Path;

use git2::{IndexEntryExtendedFlag, IndexEntryFlag};

use crate::repo_path::RepoPath;

use super::error::{GitError, GitErrorKind};
use super::place::{Change, Record};
use super::repository::Repository;

/// Writes `changes`, flags included.
pub(super) fn write(repository: &Repository, changes: &[(&RepoPath, Change<'_>)]) -> Result<(), GitError> {
    let error = |error| GitError::library("write the index", &error);
    let mut index = open(repository)?;
    for (path, change) in changes {
        match change {
            Change::Put(record) => index.add(&as_library(path, record)?).map_err(error)?,
            Change::Remove(_) => index.remove(Path::new(path.as_str()), 0).map_err(error)?,
        }
    }
    index.write().map_err(error)
}

/// `record` as libgit2 has it, its flags included: a promise to add becomes a file where the record says so.
fn as_library(path: &RepoPath, record: &Record) -> Result<git2::IndexEntry, GitError> {
    let id = git2::Oid::from_str(&record.id.0).map_err(|error| GitError::library("read an object id", &error))?;
    let mode = u32::from_str_radix(&record.mode, 8)
        .map_err(|_| GitError::new(GitErrorKind::Failed, format!("expected a file mode, found {:?}", record.mode)))?;
    let mut extended = IndexEntryExtendedFlag::empty();
    extended.set(IndexEntryExtendedFlag::INTENT_TO_ADD, record.intent_to_add);
    extended.set(IndexEntryExtendedFlag::SKIP_WORKTREE, record.skip_worktree);
    let mut flags = IndexEntryFlag::empty();
    flags.set(IndexEntryFlag::VALID, record.assume_unchanged);
    flags.set(IndexEntryFlag::EXTENDED, !extended.is_empty());
    let zero = git2::IndexTime::new(0, 0);
    Ok(git2::IndexEntry {
        ctime: zero,
        mtime: zero,
        dev: 0,
        ino: 0,
        mode,
        uid: 0,
        gid: 0,
        file_size: 0,
        id,
        flags: flags.bits(),
        flags_extended: extended.bits(),
        path: path.as_str().into(),
    })
}

fn open(repository: &Repository) -> Result<git2::Index, GitError> {
    let library = repository.library().ok_or_else(|| {
        GitError::new(GitErrorKind::NoProgram, "this repository needs the git program, which was not found")
    })?;
    let read = library.index().and_then(|mut index| index.read(true).map(|()| index));
    read.map_err(|error| {
        let message = format!("the git program was not found, and without it redpin cannot read the index ({error})");
        GitError::new(GitErrorKind::NoProgram, message)
    })
}
