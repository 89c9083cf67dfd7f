//! The repository with the sources of packages that it takes from a registry, as this machine has them, in folders beside its
//! own files: they tell how values of their types are made.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::package::{cargo_home, unpacked};
use crate::failure::Notice;
use crate::memory::Memory;
use crate::repo_path::RepoPath;
use crate::source_tree::{Listed, SourceTree};

/// Where packages are shown.
const FOLDER: &str = ".redpin/packages";

/// Largest file that is read of a package, and most that is read of all of them, in bytes.
const LARGEST: u64 = 1 << 20;
const MOST: u64 = 8 << 20;

/// A tree with packages in it.
pub struct Mounted<'a> {
    tree: &'a dyn SourceTree,
    /// The folder of each package on this machine, by the package's name in code.
    folders: HashMap<String, PathBuf>,
    read: Mutex<Read>,
}

/// What was read of packages.
#[derive(Default)]
struct Read {
    files: HashMap<RepoPath, Option<Arc<[u8]>>>,
    bytes: u64,
}

impl<'a> Mounted<'a> {
    /// `tree` with `packages` in it: each name in code, and what the registry's folder is called.
    pub fn new(tree: &'a dyn SourceTree, packages: Vec<(String, String)>) -> Mounted<'a> {
        let home = cargo_home();
        let folder = |(name, folder): (String, String)| Some((name, unpacked(home.as_ref()?, &folder)?));
        Mounted::of(tree, packages.into_iter().filter_map(folder).collect())
    }

    fn of(tree: &'a dyn SourceTree, folders: HashMap<String, PathBuf>) -> Mounted<'a> {
        Mounted { tree, folders, read: Mutex::default() }
    }

    /// The bytes of a file that a package has.
    fn of_package(&self, path: &RepoPath, inside: &str) -> Option<Arc<[u8]>> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.files.get(path) {
            return known.clone();
        }
        let file = inside.split_once('/').and_then(|(name, file)| Some(self.folders.get(name)?.join(file)));
        let length = file.as_ref().and_then(|file| fs::symlink_metadata(file).ok()).filter(fs::Metadata::is_file);
        let length = length.map(|known| known.len()).filter(|length| *length <= LARGEST && read.bytes + length <= MOST);
        let bytes = file.filter(|_| length.is_some()).and_then(|file| fs::read(file).ok()).map(Arc::from);
        read.bytes += length.unwrap_or_default();
        read.files.insert(path.clone(), bytes.clone());
        bytes
    }
}

/// What follows the folder of all packages in a path.
fn inside(path: &RepoPath) -> Option<&str> {
    path.as_str().strip_prefix(FOLDER)?.strip_prefix('/')
}

impl SourceTree for Mounted<'_> {
    fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        match inside(path) {
            Some(inside) => self.of_package(path, inside),
            None => self.tree.read(path),
        }
    }

    fn exists(&self, path: &RepoPath) -> bool {
        match inside(path) {
            Some(inside) => self.of_package(path, inside).is_some(),
            None => self.tree.exists(path),
        }
    }

    fn find(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        self.tree.find(wanted)
    }

    fn tracked(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        self.tree.tracked(wanted)
    }

    fn files_in(&self, folder: &str, largest: u64) -> Listed {
        self.tree.files_in(folder, largest)
    }

    fn package(&self, name: &str) -> Option<String> {
        self.folders.contains_key(name).then(|| format!("{FOLDER}/{name}"))
    }

    fn installed(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        self.tree.installed(path)
    }

    fn memory(&self) -> Option<&Memory> {
        self.tree.memory()
    }

    fn trouble(&self) -> Vec<Notice> {
        self.tree.trouble()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Mounted;
    use crate::repo_path::RepoPath;
    use crate::source_tree::SourceTree;
    use crate::source_tree::testing::Files;

    #[test]
    fn a_package_stands_beside_the_repositorys_own_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        #[expect(clippy::disallowed_methods, reason = "the test plays cargo")]
        fs::write(folder.path().join("src/lib.rs"), "pub struct A;").unwrap();
        let own = Files::new([("src/lib.rs", "struct B;")]);
        let tree = Mounted::of(&own, [("a_b".to_owned(), folder.path().to_owned())].into());
        let text = |path: &str| {
            let bytes = tree.read(&RepoPath::new(path).unwrap())?;
            Some(String::from_utf8(bytes.to_vec()).unwrap())
        };
        assert_eq!(text("src/lib.rs").as_deref(), Some("struct B;"));
        let shown = tree.package("a_b").unwrap();
        assert_eq!(text(&format!("{shown}/src/lib.rs")).as_deref(), Some("pub struct A;"));
        assert_eq!((text(&format!("{shown}/src")), text(&format!("{shown}/Cargo.toml"))), (None, None));
        assert_eq!(tree.package("c"), None);
        assert_eq!(tree.find(&|_| true).len(), 1);
    }
}
