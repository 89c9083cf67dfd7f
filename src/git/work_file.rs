//! One file of the work tree: what is there now, and putting new bytes in its place as a whole, so that no reader ever
//! sees half of them. A path is followed through no link and into no other repository.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::patch::FileMode;
use crate::repo_path::RepoPath;

use super::error::{GitError, GitErrorKind};
use super::version::{InWorkTree, Version};

/// What is at `path` of the work tree, and what the user should know before it is written.
pub(super) fn look(top: &Path, path: &RepoPath) -> (InWorkTree, Vec<String>) {
    if let Some(reason) = stray_folder(top, path) {
        return (InWorkTree::Unwritable(reason), Vec::new());
    }
    let file = top.join(path.as_str());
    let about = match fs::symlink_metadata(&file) {
        Ok(about) if about.is_file() => about,
        Ok(about) => return (InWorkTree::Unwritable(not_a_file(path, &about)), Vec::new()),
        Err(error) if is_missing(&error) => return (InWorkTree::Missing, Vec::new()),
        Err(error) => return (InWorkTree::Unwritable(format!("cannot look at {path}: {error}")), Vec::new()),
    };
    match fs::read(&file) {
        Ok(bytes) => {
            let mode = if about.mode() & 0o100 == 0 { FileMode::Plain } else { FileMode::Executable };
            (InWorkTree::File(Version { bytes: Arc::from(bytes), mode }), warnings(path, &about))
        }
        Err(error) => (InWorkTree::Unwritable(format!("cannot read {path}: {error}")), Vec::new()),
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn not_a_file(path: &RepoPath, about: &fs::Metadata) -> String {
    let found = match () {
        () if about.is_symlink() => "a symbolic link",
        () if about.is_dir() => "a folder",
        () => "no regular file",
    };
    format!("expected a file at {path}, found {found}")
}

fn warnings(path: &RepoPath, about: &fs::Metadata) -> Vec<String> {
    let links = about.nlink();
    if links < 2 {
        return Vec::new();
    }
    vec![format!("{path} has {links} names (hard links); the new content is written under this one only")]
}

/// Why a folder on the way to `path` must not be entered: it is a link, a file, or another repository.
fn stray_folder(top: &Path, path: &RepoPath) -> Option<String> {
    for name in path.folders() {
        let folder = top.join(name);
        match fs::symlink_metadata(&folder) {
            Ok(about) if about.is_symlink() => return Some(format!("{path} is behind {name}, a symbolic link")),
            Ok(about) if !about.is_dir() => return Some(format!("{path} is behind {name}, which is no folder")),
            Ok(_) if folder.join(".git").symlink_metadata().is_ok() => {
                return Some(format!("{path} is in {name}, a repository of its own; start redpin there"));
            }
            Ok(_) => {}
            Err(_) => return None,
        }
    }
    None
}

/// The folders on the way to `path` that are missing, outermost first.
pub(super) fn missing_folders(top: &Path, path: &RepoPath) -> Vec<String> {
    path.folders().filter(|name| top.join(name).symlink_metadata().is_err()).map(str::to_owned).collect()
}

/// Refuses a file that its owner has made read-only: as root nothing would stop us. A read-only folder stops whom it
/// should, and is no word about its files.
pub(super) fn check_writable(top: &Path, path: &RepoPath) -> Result<(), GitError> {
    let file = top.join(path.as_str());
    if file.metadata().is_ok_and(|found| found.permissions().readonly()) {
        let message = format!("expected to write {path}, found {} read-only", file.display());
        return Err(GitError::new(GitErrorKind::ReadOnly, message));
    }
    Ok(())
}

/// The permission bits of the file at `path`.
pub(super) fn permissions(top: &Path, path: &RepoPath) -> Option<u32> {
    Some(fs::metadata(top.join(path.as_str())).ok()?.mode() & 0o7777)
}

/// The bytes at `path`, `None` where there is no file.
///
/// # Errors
/// Where something else is there.
pub(super) fn bytes(top: &Path, path: &RepoPath) -> Result<Option<Arc<[u8]>>, GitError> {
    match look(top, path).0 {
        InWorkTree::Missing => Ok(None),
        InWorkTree::File(version) => Ok(Some(version.bytes)),
        InWorkTree::Unwritable(reason) => Err(GitError::new(GitErrorKind::Unwritable, reason)),
    }
}

/// Where new bytes wait to take the place of those at `path`. Known beforehand, so that they are found after a kill.
fn temporary(top: &Path, path: &RepoPath, token: &str) -> PathBuf {
    top.join(path.folder()).join(format!(".redpin-{token}.tmp"))
}

/// Writes `bytes` beside the file at `path`, with `permissions`, else with those of any new file.
pub(super) fn prepare(
    top: &Path,
    path: &RepoPath,
    token: &str,
    bytes: &[u8],
    permissions: Option<u32>,
) -> Result<(), GitError> {
    let written = fill(&temporary(top, path, token), bytes, permissions);
    written.map_err(|error| GitError::file("write", &top.join(path.as_str()), &error))
}

fn fill(temporary: &Path, bytes: &[u8], permissions: Option<u32>) -> io::Result<()> {
    // The user's mask takes its share of the bits of a new file; those of a file that was there are set as they were.
    let bits = permissions.unwrap_or(0o666);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(bits).open(temporary)?;
    file.write_all(bytes)?;
    permissions.map_or(Ok(()), |bits| file.set_permissions(Permissions::from_mode(bits)))
}

/// Puts the prepared bytes in the place of those at `path`.
pub(super) fn replace(top: &Path, path: &RepoPath, token: &str) -> Result<(), GitError> {
    let file = top.join(path.as_str());
    fs::rename(temporary(top, path, token), &file).map_err(|error| GitError::file("write", &file, &error))
}

/// Removes what [`prepare`] wrote, if it is still there.
pub(super) fn discard(top: &Path, path: &RepoPath, token: &str) {
    // Missing is the usual case, and a file that cannot be removed harms nobody.
    drop(remove_file(&temporary(top, path, token)));
}

/// Removes the file at `path`; one that is missing is removed already.
pub(super) fn remove(top: &Path, path: &RepoPath) -> Result<(), GitError> {
    let file = top.join(path.as_str());
    match remove_file(&file) {
        Err(error) if !is_missing(&error) => Err(GitError::file("remove", &file, &error)),
        _ => Ok(()),
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place where files of the work tree are removed")]
fn remove_file(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}
