//! An instrumented copy of a package from elsewhere, and a second copy of the work tree that is built against it. The two
//! stand apart from the copy in which pins are proven, and so does what is built of them: cargo rewrites the lock file
//! here, and takes what it built in one of two trees for built in the other where both have the same target directory.

use std::fs;
use std::path::{Path, PathBuf};

use super::Scratch;
use super::error::{ScratchError, io_error};
use super::lead::lead;
use super::mirror::{self, Record};
use super::package::{Package, listed};
use super::seed;
use crate::repo_path::RepoPath;

/// What stands in a scratch folder for this.
const APART: &str = "recording";
const LIBRARY: &str = "library";
const LIBRARY_ORIGIN: &str = "library.origin";
const RECORDS: &str = "records";
const TARGET: &str = "recording-target";

impl Scratch {
    /// The top of the second copy.
    pub fn apart(&self) -> PathBuf {
        self.at(APART)
    }

    /// The target directory that goes with it.
    pub fn target_apart(&self) -> PathBuf {
        self.at(TARGET)
    }

    /// Whether something was built of it before.
    pub fn has_built_apart(&self) -> bool {
        self.target_apart().exists()
    }

    /// Gives that directory what the first copy's has of packages that are not of the repository.
    pub fn seed_apart(&self, own: &[String]) {
        seed::seed(&self.target(), &self.target_apart(), own);
    }

    /// Makes the second copy hold `files` of the work tree and what `changed` says in their place.
    ///
    /// # Errors
    /// Where a file cannot be read or written.
    pub fn mirror_apart(&self, files: &[RepoPath], changed: &[(RepoPath, Vec<u8>)]) -> Result<(), ScratchError> {
        self.copy(APART, self.origin(), files, &self.with_instead(changed))
    }

    /// Makes a copy of `package` with `changed` files in it, and tells its folder. What stands beside it in its workspace is
    /// led to.
    ///
    /// # Errors
    /// Where a file cannot be read or written.
    pub fn library(&self, package: &Package, changed: &[(RepoPath, Vec<u8>)]) -> Result<PathBuf, ScratchError> {
        self.make_room(package)?;
        let inside = |path: &RepoPath| RepoPath::in_folder(package.inside(), path.as_str());
        let (mut files, folders) = package.beside();
        files.extend(package.files().iter().filter_map(inside));
        let changed: Vec<_> = changed.iter().filter_map(|(path, text)| Some((inside(path)?, text.clone()))).collect();
        self.copy(LIBRARY, package.top(), &files, &changed)?;
        let copy = self.at(LIBRARY);
        for folder in folders {
            lead(&package.top().join(folder.as_str()), &copy.join(folder.as_str()))?;
        }
        Ok(if package.inside().is_empty() { copy } else { copy.join(package.inside()) })
    }

    /// Removes the copy of another package: its folders may be links to somebody else's, into which nothing is to be written.
    fn make_room(&self, package: &Package) -> Result<(), ScratchError> {
        let note = self.at(LIBRARY_ORIGIN);
        let origin = [package.top().as_os_str().as_encoded_bytes(), b"\n", package.inside().as_bytes()].concat();
        if fs::read(&note).is_ok_and(|known| known == origin) {
            return Ok(());
        }
        mirror::remove(&self.at(LIBRARY))?;
        mirror::remove(&self.at(&format!("{LIBRARY}.json")))?;
        mirror::write(&note, &origin)
    }

    /// The folder for what a run records, made empty.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub fn records(&self) -> Result<PathBuf, ScratchError> {
        let folder = self.at(RECORDS);
        mirror::remove(&folder)?;
        fs::create_dir_all(&folder).map_err(io_error("create", &folder))?;
        Ok(folder)
    }

    /// What a run has recorded there, file after file.
    pub fn recorded(&self) -> String {
        let mut files: Vec<PathBuf> = listed(&self.at(RECORDS));
        files.sort();
        let bytes: Vec<u8> = files.iter().filter_map(|file| fs::read(file).ok()).flatten().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn copy(
        &self,
        name: &str,
        origin: &Path,
        files: &[RepoPath],
        changed: &[(RepoPath, Vec<u8>)],
    ) -> Result<(), ScratchError> {
        let (tree, path) = (self.at(name), self.at(&format!("{name}.json")));
        fs::create_dir_all(&tree).map_err(io_error("create", &tree))?;
        let mut record = Record::read(&path);
        mirror::remove(&path)?;
        record.copy(origin, &tree, files, changed)?;
        record.clear(&tree, self.is_left)?;
        record.write(&path)
    }
}
