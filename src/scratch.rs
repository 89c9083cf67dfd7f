//! A copy of the repository's files in the cache directory, in which pins are built before anything is staged: the user's
//! checkout and target directory are never touched. The copy and its own target directory are kept between runs, so that
//! only what changed is built again; those whose repository is gone are removed. A commit's files are checked out beside
//! the copy, and then take its place. Beside it stands a second copy, built against an instrumented library.

mod checkout;
mod error;
mod lead;
mod library;
mod mirror;
mod mounted;
mod package;
mod seed;
mod seen;

use std::borrow::Cow;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::hex::hex;
use crate::repo_path::RepoPath;

pub use checkout::Checkout;
pub use error::ScratchError;
use error::io_error;
use lead::Leading;
use mirror::Record;
pub use mounted::Mounted;
pub use package::Package;

/// What stands in a scratch folder.
const TREE: &str = "tree";
const TARGET: &str = "target";
const BASE: &str = "base";
const RECORD: &str = "mirror.json";
const ORIGIN: &str = "origin";
const LOCK: &str = "lock";

/// How long until it is looked again whether a folder is held: at first, as it may be for a moment only, and at last.
const FIRST_LOOK: Duration = Duration::from_millis(1);
const LAST_LOOK: Duration = Duration::from_millis(64);

/// What the name of a folder ends in that is being removed.
const ASIDE: &str = "gone";

/// A copy of a repository, held by this process alone.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    origin: PathBuf,
    /// Tells a file that tests leave behind, and that makes a difference to the next.
    is_left: fn(&str) -> bool,
    /// Folders of the original that are not copied, but led to.
    installed: Vec<PathBuf>,
    /// Files of the work tree that say something else in a copy.
    instead: Vec<(RepoPath, Vec<u8>)>,
    _lock: File,
}

impl Scratch {
    /// The scratch folder in `cache` for the work tree at `origin`, made where there is none. Another redpin that holds it is
    /// waited for as long as `waits` says so, which is asked again and again; `None` where it says no.
    ///
    /// # Errors
    /// Where the folder cannot be made or held.
    pub fn open(cache: &Path, origin: &Path, waits: impl FnMut() -> bool) -> Result<Option<Scratch>, ScratchError> {
        let digest = Sha256::digest(origin.as_os_str().as_encoded_bytes());
        let folder = cache.join(hex(&digest[..8]));
        let Some(lock) = held(&folder, waits)? else { return Ok(None) };
        let note = folder.join(ORIGIN);
        mirror::write(&note, origin.as_os_str().as_encoded_bytes())?;
        // The lock is ours: whoever checked these out was killed.
        mirror::remove(&folder.join(BASE))?;
        Ok(Some(Scratch {
            folder,
            origin: origin.to_owned(),
            is_left: |_| false,
            installed: Vec::new(),
            instead: Vec::new(),
            _lock: lock,
        }))
    }

    /// The same; files of the copy of which `is_left` are taken out of it whenever it is brought in step, where they do not
    /// belong there. Others that tests or builds leave behind stay, as they do in anybody's checkout.
    #[must_use]
    pub fn clearing(self, is_left: fn(&str) -> bool) -> Scratch {
        Scratch { is_left, ..self }
    }

    /// The same; `installed`, folders of the original that git does not know, are not copied: where there is one, its name
    /// in the copy leads to it. They are read and never written by what is done here.
    #[must_use]
    pub fn leading_to(self, installed: Vec<PathBuf>) -> Scratch {
        Scratch { installed, ..self }
    }

    /// The same; wherever files of the work tree are copied, those of `instead` say what stands there.
    #[must_use]
    pub fn in_place_of(self, instead: Vec<(RepoPath, Vec<u8>)>) -> Scratch {
        Scratch { instead, ..self }
    }

    /// The top of the copy.
    pub fn tree(&self) -> PathBuf {
        self.folder.join(TREE)
    }

    /// The target directory that goes with it.
    pub fn target(&self) -> PathBuf {
        self.folder.join(TARGET)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The top of the original.
    pub fn origin(&self) -> &Path {
        &self.origin
    }

    /// Makes the copy hold `files` of the work tree as they are now, and nothing else; then what `changed` says in their
    /// place. What is the same already is not written, so that nothing is built again for it.
    ///
    /// # Errors
    /// Where a file cannot be read or written.
    pub fn mirror(&self, files: &[RepoPath], changed: &[(RepoPath, Vec<u8>)]) -> Result<(), ScratchError> {
        self.bring(&self.origin, files, &self.with_instead(changed))
    }

    /// `changed` and what is said in the place of other files.
    fn with_instead<'c>(&self, changed: &'c [(RepoPath, Vec<u8>)]) -> Cow<'c, [(RepoPath, Vec<u8>)]> {
        match self.instead.is_empty() {
            true => Cow::Borrowed(changed),
            false => Cow::Owned(self.instead.iter().chain(changed).cloned().collect()),
        }
    }

    /// The same with the files of a commit in the place of the work tree's.
    ///
    /// # Errors
    /// Where a file cannot be read or written.
    pub fn stand_at(&self, commit: &Checkout, changed: &[(RepoPath, Vec<u8>)]) -> Result<(), ScratchError> {
        self.bring(commit.folder(), commit.files(), changed)
    }

    /// Lets `change` write into the copy's files `names`, of which some need not be there yet. The next
    /// [`Scratch::mirror`] takes all of it back.
    ///
    /// # Errors
    /// Where that cannot be noted.
    pub fn alter<T>(&self, names: &[RepoPath], change: impl FnOnce(&Path) -> T) -> Result<T, ScratchError> {
        let path = self.folder.join(RECORD);
        let mut record = Record::read(&path);
        names.iter().for_each(|name| record.expect(name));
        record.write(&path)?;
        Ok(change(&self.tree()))
    }

    /// The folder for the files of the commit `id`, made empty, and a file beside it for git's index of them.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub fn base(&self, id: &str) -> Result<(PathBuf, PathBuf), ScratchError> {
        let folder = self.folder.join(BASE).join(id);
        mirror::remove(&folder)?;
        fs::create_dir_all(&folder).map_err(io_error("create", &folder))?;
        let index = folder.with_extension("index");
        Ok((folder, index))
    }

    fn bring(&self, origin: &Path, files: &[RepoPath], changed: &[(RepoPath, Vec<u8>)]) -> Result<(), ScratchError> {
        let path = self.folder.join(RECORD);
        let mut record = Record::read(&path);
        // A killed redpin leaves no record rather than one that tells of files it did not write.
        mirror::remove(&path)?;
        record.copy(origin, &self.tree(), files, changed)?;
        record.clear(&self.tree(), self.is_left)?;
        Leading { origin: &self.origin, tree: &self.tree(), installed: &self.installed }.lead()?;
        record.write(&path)
    }

    /// Whether something was built here before, or brought from where the user builds.
    pub fn has_built(&self) -> bool {
        self.target().exists()
    }

    /// Gives the target directory what the user's own has of packages that are not of the repository, so that they need
    /// not be built a second time. `own` are the crates of the repository. What cannot be had is built.
    pub fn seed(&self, target: &Path, own: &[String]) {
        seed::seed(target, &self.target(), own);
    }
}

/// Makes the scratch folder and holds it, once nobody else does. Somebody may take it for one whose repository is gone, and
/// put it aside just then.
fn held(folder: &Path, mut waits: impl FnMut() -> bool) -> Result<Option<File>, ScratchError> {
    let path = folder.join(LOCK);
    let mut next_look = FIRST_LOOK;
    loop {
        fs::create_dir_all(folder.join(TREE)).map_err(io_error("create", folder))?;
        let lock = match File::options().create(true).append(true).open(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            opened => opened.map_err(io_error("open", &path))?,
        };
        match lock.try_lock() {
            Ok(()) => {}
            // To wait for the lock itself would be to wait however the user thinks better of it.
            Err(TryLockError::WouldBlock) if waits() => {
                thread::sleep(next_look);
                next_look = LAST_LOOK.min(next_look * 2);
                continue;
            }
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(io_error("lock", &path)(error)),
        }
        let ours = lock.metadata().map_err(io_error("read", &path))?;
        if fs::metadata(&path).is_ok_and(|there| (there.dev(), there.ino()) == (ours.dev(), ours.ino())) {
            return Ok(Some(lock));
        }
    }
}

/// Removes the scratch folders in `cache` whose repository is gone and that nobody holds. One is held meanwhile, and put
/// aside first: its repository may come back, and what is then built in it must not be taken away.
pub fn sweep(cache: &Path) {
    let Ok(folders) = fs::read_dir(cache) else { return };
    for folder in folders.filter_map(|folder| Some(folder.ok()?.path())) {
        if folder.extension().is_some_and(|extension| extension == ASIDE) {
            let _ = fs::remove_dir_all(&folder);
            continue;
        }
        let Ok(origin) = fs::read(folder.join(ORIGIN)) else { continue };
        let origin = PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(origin));
        let Ok(lock) = File::open(folder.join(LOCK)) else { continue };
        if origin.exists() || lock.try_lock().is_err() {
            continue;
        }
        let aside = folder.with_extension(format!("{}.{ASIDE}", std::process::id()));
        if fs::rename(&folder, &aside).is_ok() {
            let _ = fs::remove_dir_all(&aside);
        }
    }
}

#[cfg(test)]
mod tests;
