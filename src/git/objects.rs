//! Contents in git's object store: reads them by id or from the last commit, and keeps new ones there. Through libgit2
//! where it understands the repository, else through the git program, which understands all of them.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, MutexGuard};

use serde::{Deserialize, Serialize};

use crate::patch::FileMode;
use crate::repo_path::RepoPath;

use super::error::{GitError, GitErrorKind};
use super::program;
use super::repository::Repository;

/// The id of an object, as hexadecimal digits: 40 of them, or 64 in a repository that uses SHA-256.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct ObjectId(pub(super) String);

impl ObjectId {
    /// Whether this is the id of the empty content.
    pub(super) fn is_empty_blob(&self) -> bool {
        matches!(
            self.0.as_str(),
            "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
                | "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"
        )
    }

    /// The id that stands for nothing, as long as this one.
    pub(super) fn null(&self) -> String {
        "0".repeat(self.0.len())
    }
}

/// A file in a commit: its mode as git writes it, and its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InTree {
    pub(super) mode: String,
    pub(super) id: ObjectId,
}

/// The mode, where it is that of a regular file.
pub(super) fn file_mode(octal: &str) -> Option<FileMode> {
    [FileMode::Plain, FileMode::Executable].into_iter().find(|mode| mode.octal() == octal)
}

/// The contents of `ids`.
pub(super) fn read(repository: &Repository, ids: &[&ObjectId]) -> Result<HashMap<ObjectId, Arc<[u8]>>, GitError> {
    let wanted: Vec<&ObjectId> = ids.to_vec();
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    if let Some(found) = repository.library().and_then(|library| read_by_library(&library, &wanted)) {
        return Ok(found);
    }
    read_by_program(repository, &wanted)
}

/// `None` where libgit2 does not find one of them: the program may still fetch it from where a partial clone left it.
fn read_by_library(
    library: &MutexGuard<'_, git2::Repository>,
    ids: &[&ObjectId],
) -> Option<HashMap<ObjectId, Arc<[u8]>>> {
    let blob = |id: &&ObjectId| {
        let blob = library.find_blob(git2::Oid::from_str(&id.0).ok()?).ok()?;
        Some(((*id).clone(), Arc::from(blob.content())))
    };
    ids.iter().map(blob).collect()
}

fn read_by_program(repository: &Repository, ids: &[&ObjectId]) -> Result<HashMap<ObjectId, Arc<[u8]>>, GitError> {
    let asked: String = ids.iter().map(|id| format!("{}\n", id.0)).collect();
    let told = program::printed(repository.program().reader(&["cat-file", "--batch"]), asked.as_bytes())?;
    let mut rest = told.as_slice();
    let mut found = HashMap::new();
    for id in ids {
        let content = next_content(&mut rest)
            .ok_or_else(|| GitError::new(GitErrorKind::Failed, format!("git's object store no longer has {}", id.0)))?;
        found.insert((*id).clone(), Arc::from(content));
    }
    Ok(found)
}

/// The first content of what `cat-file --batch` printed: `ID blob SIZE`, a newline, the bytes, a newline.
fn next_content<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let end = rest.iter().position(|&byte| byte == b'\n')?;
    let size = std::str::from_utf8(&rest[..end]).ok()?.split(' ').nth(2)?.parse().ok()?;
    let (content, after) = rest[end + 1..].split_at_checked(size)?;
    *rest = after.strip_prefix(b"\n")?;
    Some(content)
}

/// Keeps `contents` in the object store, to the byte.
pub(super) fn keep(repository: &Repository, contents: &[&[u8]]) -> Result<Vec<ObjectId>, GitError> {
    if contents.is_empty() {
        return Ok(Vec::new());
    }
    match repository.library() {
        Some(library) => keep_by_library(&library, contents),
        None => keep_by_program(repository, contents),
    }
}

fn keep_by_library(library: &git2::Repository, contents: &[&[u8]]) -> Result<Vec<ObjectId>, GitError> {
    let error = |error| GitError::library("write into git's object store", &error);
    let store = library.odb().map_err(error)?;
    contents
        .iter()
        .map(|content| Ok(ObjectId(store.write(git2::ObjectType::Blob, content).map_err(error)?.to_string())))
        .collect()
}

/// One program for all of them, which reads them as files named 0, 1, … in a folder of our own.
fn keep_by_program(repository: &Repository, contents: &[&[u8]]) -> Result<Vec<ObjectId>, GitError> {
    let folder = tempfile::tempdir_in(repository.git_dir())
        .map_err(|error| GitError::file("write into", repository.git_dir(), &error))?;
    let mut names = String::new();
    for (number, content) in contents.iter().enumerate() {
        let path = folder.path().join(number.to_string());
        write(&path, content).map_err(|error| GitError::file("write", &path, &error))?;
        names.push_str(&format!("{}\n", number));
    }
    let mut command = repository.program().writer(&["hash-object", "-w", "--no-filters", "--stdin-paths"]);
    // Only from inside the folder are the names free of whatever its own path holds.
    command.current_dir(folder.path()).env("GIT_WORK_TREE", folder.path());
    let told = program::printed(command, names.as_bytes())?;
    let ids: Vec<ObjectId> = String::from_utf8_lossy(&told).lines().map(|line| ObjectId(line.to_owned())).collect();
    if ids.len() == contents.len() {
        Ok(ids)
    } else {
        let message = format!("git kept {} contents of {}", ids.len(), contents.len());
        Err(GitError::new(GitErrorKind::Failed, message))
    }
}

fn write(path: &Path, content: &[u8]) -> std::io::Result<()> {
    std::fs::File::create_new(path)?.write_all(content)
}

/// The files of the last commit at `paths`; none before the first commit.
pub(super) fn at_head(repository: &Repository, paths: &[&RepoPath]) -> Result<HashMap<RepoPath, InTree>, GitError> {
    if let Some(library) = repository.library() {
        return at_head_by_library(&library, paths);
    }
    let head = program::run(repository.program().reader(&["rev-parse", "-q", "--verify", "HEAD^{tree}"]), b"")?;
    if !head.status.success() {
        return Ok(HashMap::new());
    }
    let tree = String::from_utf8_lossy(&head.stdout).trim().to_owned();
    let mut found = HashMap::new();
    for some in paths.chunks(500) {
        let mut command = repository.program().reader(&["ls-tree", "-z", "--full-tree", &tree, "--"]);
        command.args(some.iter().map(|path| path.as_str()));
        let told = program::printed(command, b"")?;
        found.extend(told.split(|&byte| byte == 0).filter_map(tree_line));
    }
    Ok(found)
}

fn at_head_by_library(library: &git2::Repository, paths: &[&RepoPath]) -> Result<HashMap<RepoPath, InTree>, GitError> {
    let tree = match library.head().and_then(|head| head.peel_to_tree()) {
        Ok(tree) => tree,
        Err(error) if error.code() == git2::ErrorCode::UnbornBranch => return Ok(HashMap::new()),
        Err(error) => return Err(GitError::library("read the last commit", &error)),
    };
    let mut found = HashMap::new();
    for path in paths {
        match tree.get_path(Path::new(path.as_str())) {
            Ok(object) => {
                let mode = format!("{:06o}", object.filemode());
                found.insert((*path).clone(), InTree { mode, id: ObjectId(object.id().to_string()) });
            }
            Err(error) if error.code() == git2::ErrorCode::NotFound => {}
            Err(error) => return Err(GitError::library("read the last commit", &error)),
        }
    }
    Ok(found)
}

/// One line of `ls-tree -z`: `MODE TYPE ID`, a tab, the path.
fn tree_line(line: &[u8]) -> Option<(RepoPath, InTree)> {
    let (about, path) = std::str::from_utf8(line).ok()?.split_once('\t')?;
    let mut words = about.split(' ');
    let (mode, id) = (words.next()?.to_owned(), ObjectId(words.nth(1)?.to_owned()));
    Some((RepoPath::new(path)?, InTree { mode, id }))
}
