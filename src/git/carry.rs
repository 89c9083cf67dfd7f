//! Carries an operation out: from the old state of its files to the new one, in an order in which what can fail comes
//! before what cannot be taken back, and the index, which changes as a whole, is the mark of how far it came.

use std::collections::HashMap;
use std::fs::File;
use std::io;

use crate::repo_path::RepoPath;

use super::error::{GitError, GitErrorKind};
use super::index::{self, Stamp};
use super::journal::{Kept, Logged, Swap};
use super::kept::Contents;
use super::objects;
use super::place::{Change, Place, Record};
use super::plan;
use super::repository::{Repository, Step};
use super::work_file;
use super::writing::{self, Writing};

/// An operation, in the direction in which it is carried out.
#[derive(Debug)]
pub(super) struct Way<'a> {
    pub(super) logged: &'a Logged,
    /// Distinguishes the temporary files of this operation.
    pub(super) token: String,
    /// Whether the operation's folders are made; they are removed on the way back.
    pub(super) makes_folders: bool,
}

impl Way<'_> {
    fn token(&self, number: usize) -> String {
        format!("{}-{number}", self.token)
    }

    /// The sides of the files in the work tree, numbered.
    fn work(&self) -> impl Iterator<Item = (usize, &RepoPath, &Swap<Kept>)> {
        let files = self.logged.files.iter().enumerate();
        files.filter_map(|(number, file)| Some((number, &file.path, file.work.as_ref()?)))
    }

    /// The sides of the files in the index.
    pub(super) fn index(&self) -> impl Iterator<Item = (&RepoPath, &Swap<Record>)> {
        self.logged.files.iter().filter_map(|file| Some((&file.path, file.index.as_ref()?)))
    }
}

/// Brings every file from its old to its new state. After an error, [`back`] is due.
pub(super) fn forth(
    repository: &Repository,
    way: &Way<'_>,
    contents: &Contents,
    writing: Option<(Writing, Stamp)>,
) -> Result<(), GitError> {
    if way.makes_folders {
        for folder in &way.logged.folders {
            repository.step(Step::MakeFolder)?;
            make_folder(repository, folder)?;
        }
    }
    for (number, path, swap) in way.work() {
        if let Some(kept) = &swap.new {
            repository.step(Step::Prepare)?;
            prepare(repository, path, &way.token(number), kept, contents)?;
        }
    }
    if let Some((writing, stamp)) = writing {
        repository.step(Step::WriteIndex)?;
        let changes: Vec<(&RepoPath, Change<'_>)> = way.index().filter_map(|(path, swap)| to_new(path, swap)).collect();
        writing.finish(repository, &changes, &stamp)?;
    }
    for (number, path, swap) in way.work() {
        repository.step(Step::Replace)?;
        expect_old(repository, path, swap, contents)?;
        settle(repository, path, &way.token(number), swap.new.is_some())?;
    }
    repository.step(Step::Finish)?;
    finish(repository, way)
}

/// Refuses a file of the work tree that is not in its old state: somebody saved it meanwhile, perhaps while the index was
/// written.
pub(super) fn expect_old(
    repository: &Repository,
    path: &RepoPath,
    swap: &Swap<Kept>,
    contents: &Contents,
) -> Result<(), GitError> {
    let now = work_file::bytes(repository.top(), path)?;
    let expected = swap.old.as_ref().and_then(|kept| contents.get(&kept.id));
    if now.as_ref() == expected { Ok(()) } else { Err(plan::changed(path, "in the work tree")) }
}

/// The last part of the way, which can be walked any number of times.
fn finish(repository: &Repository, way: &Way<'_>) -> Result<(), GitError> {
    let records: Vec<(&RepoPath, &Record)> =
        way.index().filter_map(|(path, swap)| Some((path, swap.new.as_ref()?))).collect();
    writing::restore_flags(repository, &records)?;
    if !way.makes_folders {
        remove_folders(repository, way.logged);
    }
    Ok(())
}

fn to_new<'a>(path: &'a RepoPath, swap: &'a Swap<Record>) -> Option<(&'a RepoPath, Change<'a>)> {
    match (&swap.old, &swap.new) {
        (_, Some(record)) => Some((path, Change::Put(record))),
        (Some(old), None) => Some((path, Change::Remove(&old.id))),
        (None, None) => None,
    }
}

fn prepare(
    repository: &Repository,
    path: &RepoPath,
    token: &str,
    kept: &Kept,
    contents: &Contents,
) -> Result<(), GitError> {
    let missing = || GitError::new(GitErrorKind::Failed, format!("the content of {path} is no longer kept"));
    let bytes = contents.get(&kept.id).ok_or_else(missing)?;
    // A file that is there keeps the permissions it has by now.
    let permissions = work_file::permissions(repository.top(), path).or(kept.permissions);
    work_file::prepare(repository.top(), path, token, bytes, permissions)
}

fn settle(repository: &Repository, path: &RepoPath, token: &str, stays: bool) -> Result<(), GitError> {
    if stays { work_file::replace(repository.top(), path, token) } else { work_file::remove(repository.top(), path) }
}

/// Makes a folder; one that is there already is somebody else's by now and does as well.
fn make_folder(repository: &Repository, folder: &str) -> Result<(), GitError> {
    let path = repository.top().join(folder);
    match std::fs::create_dir(&path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(GitError::file("make", &path, &error)),
        _ => Ok(()),
    }
}

/// Removes the operation's folders, innermost first, as far as nothing else is in them.
fn remove_folders(repository: &Repository, logged: &Logged) {
    for folder in logged.folders.iter().rev() {
        // One that is not empty stays, and so do those around it.
        drop(std::fs::remove_dir(repository.top().join(folder)));
    }
}

/// How far a way was walked, by what the files hold now.
pub(super) struct Found {
    /// Whether the way is to be walked to its end, since the index, or without it any file, is in its new state.
    pub(super) onwards: bool,
    work: Vec<Now>,
    index: HashMap<RepoPath, Place>,
    stamp: Stamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Now {
    Old,
    New,
    Other,
}

fn now(repository: &Repository, path: &RepoPath, swap: &Swap<Kept>, contents: &Contents) -> Now {
    let Ok(bytes) = work_file::bytes(repository.top(), path) else { return Now::Other };
    let is = |kept: &Option<Kept>| bytes.as_ref() == kept.as_ref().and_then(|kept| contents.get(&kept.id));
    match () {
        () if is(&swap.old) => Now::Old,
        () if is(&swap.new) => Now::New,
        () => Now::Other,
    }
}

/// Looks how far a way was walked.
pub(super) fn look(repository: &Repository, way: &Way<'_>, contents: &Contents) -> Result<Found, GitError> {
    let paths: Vec<&RepoPath> = way.index().map(|(path, _)| path).collect();
    let stamp = Stamp::of(repository);
    let index = if paths.is_empty() { HashMap::new() } else { index::read(repository, &paths)? };
    let mut work = Vec::new();
    for (_, path, swap) in way.work() {
        work.push(now(repository, path, swap, contents));
    }
    let onwards = match paths.is_empty() {
        true => work.contains(&Now::New),
        false => way.index().all(|(path, swap)| holds(index.get(path), swap.new.as_ref())),
    };
    Ok(Found { onwards, work, index, stamp })
}

/// Whether the index holds `record` there, its flags aside, which are set last.
pub(super) fn holds(place: Option<&Place>, record: Option<&Record>) -> bool {
    match (place, record) {
        (None, None) => true,
        // A promise to add is made last; until then there is nothing.
        (None, Some(record)) => record.intent_to_add,
        (Some(Place::Record(found)), Some(record)) => {
            (&found.mode, &found.id, found.intent_to_add) == (&record.mode, &record.id, record.intent_to_add)
        }
        _ => false,
    }
}

/// Walks the rest of a way that was cut off; returns the files that hold neither the old nor the new content and are left
/// alone.
pub(super) fn onwards(
    repository: &Repository,
    way: &Way<'_>,
    found: &Found,
    contents: &Contents,
) -> Result<Vec<RepoPath>, GitError> {
    bring(repository, way, &found.work, Now::Old, contents)?;
    finish(repository, way)?;
    Ok(left_alone(way, found))
}

/// Walks a way that was cut off back to where it began; returns the files that are left alone.
pub(super) fn back(
    repository: &Repository,
    way: &Way<'_>,
    found: &Found,
    contents: &Contents,
    lock: &File,
) -> Result<Vec<RepoPath>, GitError> {
    let reversed = way.logged.clone().reversed();
    let return_way = Way { logged: &reversed, token: way.token.clone(), makes_folders: !way.makes_folders };
    let index: Vec<(&RepoPath, Change<'_>)> = return_way
        .index()
        .filter(|(path, swap)| holds(found.index.get(*path), swap.old.as_ref()) && swap.old != swap.new)
        .filter_map(|(path, swap)| to_new(path, swap))
        .collect();
    if !index.is_empty() {
        keep(repository, &return_way, contents)?;
        Writing::begin(repository, lock)?.finish(repository, &index, &found.stamp)?;
    }
    if return_way.makes_folders {
        reversed.folders.iter().try_for_each(|folder| make_folder(repository, folder))?;
    }
    bring(repository, &return_way, &found.work, Now::New, contents)?;
    finish(repository, &return_way)?;
    Ok(left_alone(way, found))
}

/// Brings the files of the work tree that are found in the state `from` to the end of `way`, after removing what was
/// prepared for any of them.
fn bring(
    repository: &Repository,
    way: &Way<'_>,
    found: &[Now],
    from: Now,
    contents: &Contents,
) -> Result<(), GitError> {
    for ((number, path, swap), now) in way.work().zip(found) {
        let token = way.token(number);
        work_file::discard(repository.top(), path, &token);
        if *now != from {
            continue;
        }
        if let Some(kept) = &swap.new {
            prepare(repository, path, &token, kept, contents)?;
        }
        settle(repository, path, &token, swap.new.is_some())?;
    }
    Ok(())
}

fn left_alone(way: &Way<'_>, found: &Found) -> Vec<RepoPath> {
    let files = way.work().zip(&found.work).filter(|(_, now)| **now == Now::Other);
    files.map(|((_, path, _), _)| path.clone()).collect()
}

/// Gives the object store again what the index will name at the end of `way`: git removes what nothing names for long.
pub(super) fn keep(repository: &Repository, way: &Way<'_>, contents: &Contents) -> Result<(), GitError> {
    let records = way.index().filter_map(|(_, swap)| swap.new.as_ref());
    let bytes: Vec<&[u8]> = records.filter_map(|record| contents.get(&record.id)).map(|bytes| &**bytes).collect();
    objects::keep(repository, &bytes).map(drop)
}
