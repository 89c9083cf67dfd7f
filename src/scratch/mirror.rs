//! Keeps the copy in step with the work tree, or with a commit that takes its place. Every file that is written gets the
//! time of its writing, never the original's, and one that has the right content already is not written, wherever that
//! content came from.
//!
//! What builds from the copy goes by the times alone, and this is all they have to say: since when each path has held what
//! it holds. So a file is older than a build exactly where that build, or one before it, read this very content; going from
//! one commit to another and back builds again what differs between them and no more. Trees at paths of their own with one
//! target directory would be neither right nor quick: cargo knows a package of a workspace by its place inside it, takes
//! what it built in one tree for built in the other wherever the times allow, and leaves the other tree's path in it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::error::{ScratchError, io_error};
use crate::hex::hex;
use crate::repo_path::RepoPath;

/// What each file of the copy was made from, and how it was left.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Record(BTreeMap<String, (Made, Left)>);

/// A file of the copy as it was when it was looked at last: its size, and when it was written (seconds and nanoseconds).
/// Tests may write into the copy; what is left of that is no part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Left {
    size: u64,
    written: (i64, i64),
}

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

    /// Removes the files of `tree` that are not on record and of which `is_left`.
    pub(super) fn clear(&self, tree: &Path, is_left: fn(&str) -> bool) -> Result<(), ScratchError> {
        let mut folders = vec![tree.to_owned()];
        while let Some(folder) = folders.pop() {
            let listed = fs::read_dir(&folder).map_err(io_error("read", &folder))?;
            for path in listed.filter_map(|one| Some(one.ok()?.path())) {
                let is_folder = fs::symlink_metadata(&path).is_ok_and(|known| known.is_dir());
                let name = path.strip_prefix(tree).ok().and_then(Path::to_str);
                match name {
                    _ if is_folder => folders.push(path),
                    Some(name) if !self.0.contains_key(name) && is_left(name) => remove(&path)?,
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Takes in that somebody may make the file `name`, so that it goes again where it does not belong.
    pub(super) fn expect(&mut self, name: &RepoPath) {
        let left = Left { size: 0, written: (0, 0) };
        self.0.entry(name.as_str().to_owned()).or_insert((Made::of(b""), left));
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
        let mut clear = HashSet::new();
        for name in gone {
            unlink_above(tree, &name, &mut clear)?;
            remove(&tree.join(&name))?;
            self.0.remove(&name);
        }
        for name in wanted {
            let made = match changed.get(name) {
                Some(bytes) => Some(Made::of(bytes)),
                None => Made::from(&origin.join(name)),
            };
            let to = tree.join(name);
            unlink_above(tree, name, &mut clear)?;
            let Some(made) = made else {
                remove(&to)?;
                self.0.remove(name);
                continue;
            };
            let known = self.0.get(name).filter(|(known, left)| *known == made && Left::of(&to).as_ref() == Some(left));
            if known.is_some() {
                continue;
            }
            match changed.get(name) {
                Some(bytes) if holds(&to, bytes) => {}
                Some(bytes) => {
                    prepare(&to)?;
                    write(&to, bytes)?;
                }
                None if is_same(&origin.join(name), &to) => {}
                None => {
                    prepare(&to)?;
                    copy(&origin.join(name), &to)?;
                }
            }
            match Left::of(&to) {
                Some(left) => self.0.insert(name.to_owned(), (made, left)),
                None => self.0.remove(name),
            };
        }
        Ok(())
    }
}

impl Made {
    fn of(bytes: &[u8]) -> Made {
        Made::Put { length: bytes.len(), digest: hex(&Sha256::digest(bytes)) }
    }

    /// `None` where there is no file or link: git knows of one that the user has removed.
    fn from(path: &Path) -> Option<Made> {
        let known = fs::symlink_metadata(path).ok().filter(|known| !known.is_dir())?;
        let changed = (known.ctime(), known.ctime_nsec());
        Some(Made::From { size: known.size(), changed, inode: known.ino(), mode: known.mode() })
    }
}

impl Left {
    fn of(path: &Path) -> Option<Left> {
        let known = fs::symlink_metadata(path).ok()?;
        Some(Left { size: known.size(), written: (known.mtime(), known.mtime_nsec()) })
    }
}

/// Whether a regular file of these bytes stands at `to`.
fn holds(to: &Path, bytes: &[u8]) -> bool {
    let fits = |known: fs::Metadata| known.is_file() && known.size() == bytes.len() as u64;
    fs::symlink_metadata(to).is_ok_and(fits) && fs::read(to).is_ok_and(|there| there == bytes)
}

/// Whether copying `from` would leave `to` as it is.
fn is_same(from: &Path, to: &Path) -> bool {
    let (Ok(known), Ok(there)) = (fs::symlink_metadata(from), fs::symlink_metadata(to)) else { return false };
    if known.is_symlink() || there.is_symlink() {
        return known.is_symlink() && there.is_symlink() && fs::read_link(from).ok() == fs::read_link(to).ok();
    }
    let alike = known.is_file() && there.is_file() && known.size() == there.size();
    alike && copied(known.mode()) == there.mode() && fs::read(from).is_ok_and(|bytes| holds(to, &bytes))
}

/// The mode of a copy: who only may read the original must be able to write the copy's next version.
fn copied(mode: u32) -> u32 {
    mode | 0o600
}

/// Takes away a link above the file `name` of the copy: whatever it leads to is not the copy's. `clear` are the folders above
/// which there is none.
fn unlink_above(tree: &Path, name: &str, clear: &mut HashSet<PathBuf>) -> Result<(), ScratchError> {
    let Some(folder) = Path::new(name).parent().filter(|folder| !clear.contains(*folder)) else { return Ok(()) };
    let own = folder.ancestors().filter(|path| *path != Path::new(""));
    if let Some(link) = own.map(|path| tree.join(path)).filter(|path| path.is_symlink()).last() {
        remove(&link)?;
    }
    clear.insert(folder.to_owned());
    Ok(())
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
    fs::set_permissions(to, fs::Permissions::from_mode(copied(known.mode()))).map_err(io_error("write", to))
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
