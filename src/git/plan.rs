//! From what the caller wants to what the journal records: each side of each file with its old and new state, after it has
//! been seen that the old one is still there and that the new one may be written.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::patch::FileMode;
use crate::repo_path::RepoPath;

use super::error::{GitError, GitErrorKind};
use super::index::{self, Stamp};
use super::journal::{Kept, Logged, Move, Swap};
use super::kept::Contents;
use super::objects::{self, ObjectId};
use super::operation::{Change, Operation, Write};
use super::place::{Place, Record};
use super::repository::Repository;
use super::version::{InIndex, InWorkTree};
use super::versions::Versions;
use super::work_file;

/// Refuses an operation that cannot be done, before anything is written; returns the stamp of the index that was seen.
pub(super) fn check(repository: &Repository, operation: &Operation) -> Result<Stamp, GitError> {
    let mut seen = HashSet::new();
    for change in &operation.files {
        let path = &change.from.path;
        if !seen.insert(path) {
            let message = format!("expected each file once in an operation, found {path} twice");
            return Err(GitError::new(GitErrorKind::Failed, message));
        }
        if change.index != Write::Keep {
            check_index_side(&change.from)?;
        }
        if change.work != Write::Keep {
            check_work_side(repository, &change.from)?;
        }
    }
    check_index(repository, operation)
}

fn check_index_side(from: &Versions) -> Result<(), GitError> {
    match (&from.index, &from.work) {
        (InIndex::Unmerged, _) => {
            Err(GitError::new(GitErrorKind::Unmerged, format!("{} has a conflict in the index", from.path)))
        }
        // What is behind a link or in another repository does not belong into this index either.
        (_, InWorkTree::Unwritable(reason)) | (InIndex::Unwritable(reason), _) => {
            Err(GitError::new(GitErrorKind::Unwritable, reason.clone()))
        }
        _ => Ok(()),
    }
}

fn check_work_side(repository: &Repository, from: &Versions) -> Result<(), GitError> {
    let (now, _) = work_file::look(repository.top(), &from.path);
    if let InWorkTree::Unwritable(reason) = now {
        return Err(GitError::new(GitErrorKind::Unwritable, reason));
    }
    if now != from.work {
        return Err(changed(&from.path, "in the work tree"));
    }
    work_file::check_writable(repository.top(), &from.path)
}

/// That a file is not what was expected.
pub(super) fn changed(path: &RepoPath, place: &str) -> GitError {
    GitError::new(GitErrorKind::Changed, format!("{path} was changed {place} meanwhile"))
}

/// Sees that the index still holds what the changes were computed from; reads it only where its file was written since.
fn check_index(repository: &Repository, operation: &Operation) -> Result<Stamp, GitError> {
    let changes: Vec<&Change> = operation.files.iter().filter(|change| change.index != Write::Keep).collect();
    let now = Stamp::of(repository);
    if changes.iter().all(|change| change.from.stamp == now) {
        return Ok(now);
    }
    let paths: Vec<&RepoPath> = changes.iter().map(|change| &change.from.path).collect();
    let places = index::read(repository, &paths)?;
    match changes.iter().find(|change| places.get(&change.from.path) != change.from.place.as_ref()) {
        Some(change) => Err(changed(&change.from.path, "in the index")),
        None => Ok(now),
    }
}

/// The operation as the journal records it, every content of it kept in the object store.
pub(super) fn plan(repository: &Repository, operation: &Operation) -> Result<(Logged, Contents), GitError> {
    let contents = keep(repository, operation)?;
    let id_of = |bytes: &[u8]| contents.get(bytes).cloned();
    let mut files = Vec::new();
    for change in &operation.files {
        let moved = Move {
            path: change.from.path.clone(),
            index: index_swap(repository, change, id_of),
            work: work_swap(repository, change, id_of),
            was_committed: new_bytes(&change.index).is_some_and(|new| change.from.head_bytes() == Some(new)),
        };
        if moved.index.is_some() || moved.work.is_some() {
            files.push(moved);
        }
    }
    let folders = folders(repository, &files);
    let logged = Logged { title: operation.title.clone(), files, folders, attachment: operation.attachment.clone() };
    Ok((logged, contents.into_iter().map(|(bytes, id)| (id, Arc::from(bytes))).collect()))
}

/// Keeps every content that comes or goes, each once.
fn keep<'a>(repository: &Repository, operation: &'a Operation) -> Result<HashMap<&'a [u8], ObjectId>, GitError> {
    let mut contents: Vec<&[u8]> = Vec::new();
    for change in &operation.files {
        contents.extend([&change.index, &change.work].into_iter().filter_map(new_bytes));
        if change.index != Write::Keep {
            contents.extend(change.from.index_bytes());
        }
        if change.work != Write::Keep {
            contents.extend(change.from.work_bytes());
        }
    }
    contents.sort_unstable();
    contents.dedup();
    let ids = objects::keep(repository, &contents)?;
    Ok(contents.into_iter().zip(ids).collect())
}

fn new_bytes(write: &Write) -> Option<&[u8]> {
    if let Write::Content(bytes) = write { Some(bytes) } else { None }
}

/// The mode of a file that is new in the index.
fn new_mode(repository: &Repository, from: &Versions) -> String {
    let executable = from.mode() == FileMode::Executable && repository.trusts_modes();
    (if executable { FileMode::Executable } else { FileMode::Plain }).octal().to_owned()
}

/// `None` where the index side stays.
fn index_swap(
    repository: &Repository,
    change: &Change,
    id_of: impl Fn(&[u8]) -> Option<ObjectId>,
) -> Option<Swap<Record>> {
    let old = match &change.from.place {
        Some(Place::Record(record)) => Some(record.clone()),
        _ => None,
    };
    let new = match &change.index {
        Write::Keep => return None,
        Write::Remove => None,
        Write::Content(bytes) => Some(Record {
            mode: old.as_ref().map_or_else(|| new_mode(repository, &change.from), |record| record.mode.clone()),
            id: id_of(bytes)?,
            intent_to_add: false,
            assume_unchanged: old.as_ref().is_some_and(|record| record.assume_unchanged),
            skip_worktree: false,
        }),
    };
    (old != new).then_some(Swap { old, new })
}

/// `None` where the work tree side stays.
fn work_swap(
    repository: &Repository,
    change: &Change,
    id_of: impl Fn(&[u8]) -> Option<ObjectId>,
) -> Option<Swap<Kept>> {
    let of_new = (change.from.mode() == FileMode::Executable).then_some(0o755);
    let permissions = work_file::permissions(repository.top(), &change.from.path).or(of_new);
    let old = match change.from.work_bytes() {
        Some(bytes) => Some(Kept { id: id_of(bytes)?, permissions }),
        None => None,
    };
    let new = match &change.work {
        Write::Keep => return None,
        Write::Remove => None,
        Write::Content(bytes) => Some(Kept { id: id_of(bytes)?, permissions }),
    };
    (old != new).then_some(Swap { old, new })
}

/// The folders that must be made for the files that come.
fn folders(repository: &Repository, files: &[Move]) -> Vec<String> {
    let comes = |file: &&Move| file.work.as_ref().is_some_and(|swap| swap.new.is_some());
    let missing = files.iter().filter(comes).flat_map(|file| work_file::missing_folders(repository.top(), &file.path));
    let mut folders: Vec<String> = missing.collect();
    folders.sort();
    folders.dedup();
    folders
}
