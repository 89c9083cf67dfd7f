//! An instrumented copy of a package from elsewhere, and a second copy of the work tree that is built against it. The two
//! stand apart from the copy in which pins are proven, and so does what is built of them: cargo rewrites the lock file
//! here, and takes what it built in one of two trees for built in the other where both have the same target directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Scratch;
use super::error::{ScratchError, io_error};
use super::mirror::{self, Record};
use super::seed;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// What stands in a scratch folder for this.
const APART: &str = "recording";
const LIBRARY: &str = "library";
const RECORDS: &str = "records";
const TARGET: &str = "recording-target";

/// Deepest folder of a package that is copied.
const DEEPEST: usize = 12;

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
        self.copy(APART, self.origin(), files, changed)
    }

    /// Makes a copy of `package` with `changed` files in it, and tells its folder.
    ///
    /// # Errors
    /// Where a file cannot be read or written.
    pub fn library(&self, package: &Package, changed: &[(RepoPath, Vec<u8>)]) -> Result<PathBuf, ScratchError> {
        self.copy(LIBRARY, &package.folder, &package.files, changed)?;
        Ok(self.at(LIBRARY))
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

/// The folder of a package from elsewhere.
#[derive(Debug)]
pub struct Package {
    folder: PathBuf,
    files: Vec<RepoPath>,
}

impl Package {
    /// The package whose folder is called `name` among those that cargo has unpacked from a registry.
    pub fn unpacked(name: &str) -> Option<Package> {
        unpacked(&cargo_home()?, name).map(|folder| Package::open(&folder))
    }

    /// The package in `folder`.
    pub fn open(folder: &Path) -> Package {
        let mut package = Package { folder: folder.to_owned(), files: Vec::new() };
        package.walk("", DEEPEST);
        package.files.sort();
        package
    }

    fn walk(&mut self, inside: &str, deepest: usize) {
        let Some(deeper) = deepest.checked_sub(1) else { return };
        for path in listed(&self.folder.join(inside)) {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            let Some(own) = RepoPath::in_folder(inside, name) else { continue };
            match fs::symlink_metadata(&path) {
                Ok(known) if known.is_dir() => self.walk(own.as_str(), deeper),
                Ok(known) if known.is_file() => self.files.push(own),
                _ => {}
            }
        }
    }
}

impl SourceTree for Package {
    fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        self.files.binary_search(path).ok()?;
        fs::read(self.folder.join(path.as_str())).ok().map(Arc::from)
    }

    fn find(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        self.files.iter().filter(|file| wanted(file.as_str())).cloned().collect()
    }
}

/// Cargo's own folder.
#[expect(
    clippy::disallowed_methods,
    reason = "where cargo keeps what it downloads is the machine's and no repository's"
)]
pub(super) fn cargo_home() -> Option<PathBuf> {
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}

/// The folder called `name` of any registry whose packages are unpacked in `home`.
pub(super) fn unpacked(home: &Path, name: &str) -> Option<PathBuf> {
    let mut registries = listed(&home.join("registry").join("src"));
    registries.sort();
    registries.into_iter().map(|registry| registry.join(name)).find(|folder| folder.is_dir())
}

fn listed(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).map_or_else(|_| Vec::new(), |all| all.filter_map(|one| Some(one.ok()?.path())).collect())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::unpacked;

    #[test]
    fn a_package_is_found_unpacked_from_any_registry() {
        let home = tempfile::tempdir().unwrap();
        let sources = home.path().join("registry").join("src");
        assert_eq!(unpacked(home.path(), "a-1.2.0"), None);
        fs::create_dir_all(sources.join("first").join("a-1.2.1")).unwrap();
        let folder = sources.join("second").join("a-1.2.0");
        fs::create_dir_all(&folder).unwrap();
        assert_eq!(unpacked(home.path(), "a-1.2.0"), Some(folder));
        assert_eq!(unpacked(home.path(), "a-1.3.0"), None);
    }
}
