//! Keeps the copy in step with the work tree. Every file that is written gets the time of its writing, never the
//! original's: what builds from it goes by the times alone.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::{ScratchError, io_error};
use crate::repo_path::RepoPath;

/// What each file of the copy was made from.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Record(BTreeMap<String, Made>);

/// What a file was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Made {
    /// A file of the work tree: its size, when it was changed (seconds and nanoseconds), its inode and its mode.
    From { size: u64, changed: (i64, i64), inode: u64, mode: u32 },
    /// Bytes that were put there, by their length and SHA-256.
    Put { length: usize, digest: String },
}

impl Record {
    /// The record in the file at `path`; an empty one where there is none that can be read.
    pub(super) fn read(path: &Path) -> Record {
        fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), ScratchError> {
        write(path, &serde_json::to_vec(self).unwrap_or_default())
    }

    /// Brings `tree` in step with `files` of `origin` and with `changed`.
    pub(super) fn copy(
        &mut self,
        origin: &Path,
        tree: &Path,
        files: &[RepoPath],
        changed: &[(RepoPath, Vec<u8>)],
    ) -> Result<(), ScratchError> {
        let changed: HashMap<&str, &[u8]> =
            changed.iter().map(|(file, bytes)| (file.as_str(), bytes.as_slice())).collect();
        let wanted: HashSet<&str> = files.iter().map(RepoPath::as_str).chain(changed.keys().copied()).collect();
        if self.0.is_empty() {
            // Nothing is known of what stands there.
            empty(tree)?;
        }
        let gone: Vec<String> = self.0.keys().filter(|name| !wanted.contains(name.as_str())).cloned().collect();
        for name in gone {
            remove(&tree.join(&name))?;
            self.0.remove(&name);
        }
        for name in wanted {
            let made = match changed.get(name) {
                Some(bytes) => Some(Made::of(bytes)),
                None => Made::from(&origin.join(name)),
            };
            let (to, known) = (tree.join(name), self.0.get(name));
            let Some(made) = made else {
                remove(&to)?;
                self.0.remove(name);
                continue;
            };
            if known != Some(&made) {
                prepare(&to)?;
                match changed.get(name) {
                    Some(bytes) => write(&to, bytes)?,
                    None => copy(&origin.join(name), &to)?,
                }
                self.0.insert(name.to_owned(), made);
            }
        }
        Ok(())
    }
}

impl Made {
    fn of(bytes: &[u8]) -> Made {
        use sha2::{Digest, Sha256};
        let digest = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Made::Put { length: bytes.len(), digest }
    }

    /// `None` where there is no file or link: git knows of one that the user has removed.
    fn from(path: &Path) -> Option<Made> {
        let known = fs::symlink_metadata(path).ok().filter(|known| !known.is_dir())?;
        let changed = (known.ctime(), known.ctime_nsec());
        Some(Made::From { size: known.size(), changed, inode: known.ino(), mode: known.mode() })
    }
}

/// Makes the folders above a file, and room for it.
fn prepare(to: &Path) -> Result<(), ScratchError> {
    let folder = to.parent().unwrap_or(to);
    if let Err(error) = fs::create_dir_all(folder) {
        // A file of the copy stands where a folder is now.
        let in_the_way =
            folder.ancestors().find(|above| fs::symlink_metadata(above).is_ok_and(|known| !known.is_dir()));
        let Some(above) = in_the_way else { return Err(io_error("create", folder)(error)) };
        remove(above)?;
        fs::create_dir_all(folder).map_err(io_error("create", folder))?;
    }
    remove(to)
}

/// Copies a regular file with its mode, or a link as a link. Devices and pipes are no sources.
fn copy(from: &Path, to: &Path) -> Result<(), ScratchError> {
    let known = fs::symlink_metadata(from).map_err(io_error("read", from))?;
    if known.is_symlink() {
        let target = fs::read_link(from).map_err(io_error("read", from))?;
        return symlink(target, to).map_err(io_error("write", to));
    }
    if !known.is_file() {
        return Ok(());
    }
    fs::copy(from, to).map_err(io_error("copy", from))?;
    // Who only may read the original must be able to write the copy's next version.
    let mode = fs::Permissions::from_mode(known.mode() | 0o600);
    fs::set_permissions(to, mode).map_err(io_error("write", to))
}

#[expect(clippy::disallowed_methods, reason = "the scratch copy is of no worth to anyone else")]
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), ScratchError> {
    fs::write(path, bytes).map_err(io_error("write", path))
}

/// Removes a file or folder of the copy, where there is one.
#[expect(clippy::disallowed_methods, reason = "the scratch copy is of no worth to anyone else")]
pub(super) fn remove(path: &Path) -> Result<(), ScratchError> {
    let removed = match fs::symlink_metadata(path) {
        Ok(known) if known.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Err(io_error("remove", path)(error))
        }
        _ => Ok(()),
    }
}

fn empty(tree: &Path) -> Result<(), ScratchError> {
    remove(tree)?;
    fs::create_dir_all(tree).map_err(io_error("create", tree))
}
