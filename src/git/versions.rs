//! A file's three versions: in the last commit, in the index and in the work tree. A change is computed on each from its
//! own bytes, and names the versions it was computed from, so that staging can tell whether they are still there.

use std::collections::HashMap;
use std::sync::Arc;

use crate::patch::FileMode;
use crate::repo_path::RepoPath;

use super::error::GitError;
use super::index::{self, Stamp};
use super::knowledge;
use super::objects::{self, InTree, ObjectId};
use super::place::{Place, Record};
use super::repository::Repository;
use super::version::{InIndex, InWorkTree, Version};
use super::work_file;

/// A file's versions.
#[derive(Clone, Debug)]
pub struct Versions {
    /// The file.
    pub path: RepoPath,
    /// In the last commit; `None` where it is not there or no regular file.
    pub head: Option<Version>,
    /// In the index.
    pub index: InIndex,
    /// In the work tree.
    pub work: InWorkTree,
    /// Whether git's rules would leave the file out. Never true of a file in the index.
    pub ignored: bool,
    /// What the user should know before the file is written, each a sentence.
    pub warnings: Vec<String>,
    pub(super) place: Option<Place>,
    pub(super) stamp: Stamp,
}

impl Versions {
    /// The bytes in the last commit.
    pub fn head_bytes(&self) -> Option<&[u8]> {
        self.head.as_ref().map(|version| &*version.bytes)
    }

    /// The bytes in the index; `None` also where they cannot be used.
    pub fn index_bytes(&self) -> Option<&[u8]> {
        if let InIndex::File(version) = &self.index { Some(&version.bytes) } else { None }
    }

    /// The bytes in the work tree; `None` also where they cannot be used.
    pub fn work_bytes(&self) -> Option<&[u8]> {
        if let InWorkTree::File(version) = &self.work { Some(&version.bytes) } else { None }
    }

    /// The mode the file has in the index, else in the work tree, else that of a new file.
    pub fn mode(&self) -> FileMode {
        match (&self.index, &self.work) {
            (InIndex::File(version), _) | (_, InWorkTree::File(version)) => version.mode,
            _ => FileMode::Plain,
        }
    }
}

impl Repository {
    /// The versions of each of `paths`, in their order. Reads what these paths need and no more.
    ///
    /// # Errors
    /// Where git cannot read the index or an object, or tell which files it ignores.
    pub fn versions(&self, paths: &[RepoPath]) -> Result<Vec<Versions>, GitError> {
        let wanted: Vec<&RepoPath> = paths.iter().collect();
        let works: Vec<_> = paths.iter().map(|path| work_file::look(self.top(), path)).collect();
        let stamp = Stamp::of(self);
        // The rules are asked while the rest is read, and not for a path behind a link: git would answer for none.
        let askable = paths.iter().zip(&works).filter(|(_, (work, _))| !matches!(work, InWorkTree::Unwritable(_)));
        let askable: Vec<&RepoPath> = askable.map(|(path, _)| path).collect();
        let (kept, ignored) = std::thread::scope(|scope| {
            let ignored = scope.spawn(|| knowledge::ignored(self, &askable));
            let kept = Kept::read(self, &wanted);
            (kept, ignored.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        let (Kept { places, head, contents }, ignored) = (kept?, ignored?);
        let version = |mode: &str, id: &ObjectId| {
            Some(Version { bytes: contents.get(id)?.clone(), mode: objects::file_mode(mode)? })
        };
        let versions = |(path, (work, warnings)): (&RepoPath, (InWorkTree, Vec<String>))| {
            let place = places.get(path);
            Versions {
                path: path.clone(),
                head: head.get(path).and_then(|file| version(&file.mode, &file.id)),
                index: in_index(path, place, version),
                work,
                ignored: place.is_none() && ignored.contains(path),
                warnings,
                place: place.cloned(),
                stamp: stamp.clone(),
            }
        };
        Ok(paths.iter().zip(works).map(versions).collect())
    }
}

/// What git keeps of some files, in the index and in the last commit.
struct Kept {
    places: HashMap<RepoPath, Place>,
    head: HashMap<RepoPath, InTree>,
    contents: HashMap<ObjectId, Arc<[u8]>>,
}

impl Kept {
    fn read(repository: &Repository, paths: &[&RepoPath]) -> Result<Kept, GitError> {
        let (places, head) = (index::read(repository, paths)?, objects::at_head(repository, paths)?);
        let ids: Vec<&ObjectId> =
            places.values().filter_map(content_id).chain(head.values().filter_map(file_id)).collect();
        let contents = objects::read(repository, &ids)?;
        Ok(Kept { places, head, contents })
    }
}

fn in_index(path: &RepoPath, place: Option<&Place>, version: impl Fn(&str, &ObjectId) -> Option<Version>) -> InIndex {
    match place {
        None => InIndex::Missing,
        Some(Place::Unmerged) => InIndex::Unmerged,
        Some(Place::Blocked(reason)) => InIndex::Unwritable(reason.clone()),
        Some(Place::Record(record)) if record.skip_worktree => {
            InIndex::Unwritable(format!("{path} is outside the sparse checkout; add its folder to the checkout first"))
        }
        Some(Place::Record(record)) if record.intent_to_add => InIndex::Promised,
        Some(Place::Record(record)) => match version(&record.mode, &record.id) {
            Some(version) => InIndex::File(version),
            None => InIndex::Unwritable(format!("expected a file at {path}, found mode {} in the index", record.mode)),
        },
    }
}

/// The content to read for what stands at a place of the index.
fn content_id(place: &Place) -> Option<&ObjectId> {
    let Place::Record(Record { mode, id, intent_to_add: false, .. }) = place else { return None };
    objects::file_mode(mode).map(|_| id)
}

fn file_id(file: &InTree) -> Option<&ObjectId> {
    objects::file_mode(&file.mode).map(|_| &file.id)
}
