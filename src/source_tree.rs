//! The repository's files as the rooms see them: something to read from, whatever stands behind it (the work tree, the
//! index, a commit, a map in a test).

use std::ffi::OsStr;
use std::sync::Arc;

use crate::failure::Notice;
use crate::memory::Memory;
use crate::repo_path::RepoPath;

/// A reader of the repository's files. Reading has no side effect, and the same path gives the same bytes while one
/// tree value lives.
pub trait SourceTree: Sync {
    /// The bytes of a regular file; `None` where there is none, it leads outside the repository, or cannot be read.
    fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>>;

    /// Whether [`SourceTree::read`] would give bytes. Cheaper where the tree can tell without reading.
    fn exists(&self, path: &RepoPath) -> bool {
        self.read(path).is_some()
    }

    /// The files that git knows or would add (ignored ones left out) whose path `wanted` accepts, sorted. This walks the
    /// whole list of files: ask only after the direct look-ups have failed.
    fn find(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath>;

    /// The same of the files that git tracks alone. Cheaper where the tree can tell without walking the folders.
    fn tracked(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        self.find(wanted)
    }

    /// The files that [`SourceTree::find`] would give whose names have this `ending`, and whose texts hold one of `words`.
    /// Cheaper where the tree can search without reading file after file.
    fn holding(&self, ending: &str, words: &[&str]) -> Vec<RepoPath> {
        read_for(self, ending, words)
    }

    /// What is directly in `folder`: the regular files of up to so many bytes, and what else there is. Cheaper where the
    /// tree can tell without walking the whole list.
    fn files_in(&self, folder: &str, _largest: u64) -> Listed {
        let files = self.find(&|path| path.rsplit_once('/').map_or("", |(before, _)| before) == folder);
        Listed { files, passed: Vec::new() }
    }

    /// The folder in which it shows the sources of a package from elsewhere that code calls `name`, where it does.
    fn package(&self, _name: &str) -> Option<String> {
        None
    }

    /// The bytes of a file in a folder of installed packages, which git does not know and which may be a link to a place
    /// outside the repository. Only for paths that no run has a say in.
    fn installed(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        self.read(path)
    }

    /// What was worked out of the files, where the tree keeps that.
    fn memory(&self) -> Option<&Memory> {
        None
    }

    /// What could not be listed or read so far: what was looked for may stand there all the same.
    fn trouble(&self) -> Vec<Notice> {
        Vec::new()
    }
}

/// The same of any tree, file after file.
pub fn read_for(tree: &(impl SourceTree + ?Sized), ending: &str, words: &[&str]) -> Vec<RepoPath> {
    let mut files = tree.find(&|path| path.ends_with(ending));
    files.retain(|path| tree.read(path).is_some_and(|text| holds(&text, words)));
    files
}

/// Whether `text` holds one of `words`.
fn holds(text: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| memchr::memmem::find(text, word.as_bytes()).is_some())
}

/// What a folder holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// The files that can be read, sorted.
    pub files: Vec<RepoPath>,
    /// What else there is, sorted: the path as text, and in words why it is not read.
    pub passed: Vec<(String, String)>,
}

impl Listed {
    /// A folder that itself cannot be read.
    pub fn passed(folder: &str, why: impl Into<String>) -> Self {
        Listed { files: Vec::new(), passed: vec![(folder.to_owned(), why.into())] }
    }

    /// Adds what is not read.
    pub fn pass(&mut self, folder: &str, name: &OsStr, why: impl Into<String>) {
        self.passed.push((format!("{folder}/{}", name.to_string_lossy()), why.into()));
    }
}

/// A tree without files: what is known where there is no repository.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl SourceTree for NoFiles {
    fn read(&self, _: &RepoPath) -> Option<Arc<[u8]>> {
        None
    }

    fn find(&self, _: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        Vec::new()
    }
}

/// A folder of a tree as a tree of its own.
pub struct InFolder<'a> {
    /// The whole tree.
    pub tree: &'a dyn SourceTree,
    /// The folder, `""` for the top.
    pub folder: &'a str,
}

impl SourceTree for InFolder<'_> {
    fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        self.tree.read(&RepoPath::in_folder(self.folder, path.as_str())?)
    }

    fn find(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        let inside = |path: &str| match self.folder {
            "" => RepoPath::new(path),
            folder => RepoPath::new(path.strip_prefix(folder)?.strip_prefix('/')?),
        };
        let found = self.tree.find(&|path| inside(path).is_some_and(|path| wanted(path.as_str())));
        found.iter().filter_map(|path| inside(path.as_str())).collect()
    }

    fn installed(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        self.tree.installed(&RepoPath::in_folder(self.folder, path.as_str())?)
    }
}

/// A tree in which some files have another text, or are there besides.
pub struct Overlaid<'a> {
    /// The tree.
    pub tree: &'a dyn SourceTree,
    /// The files with their texts.
    pub files: &'a [(RepoPath, Vec<u8>)],
}

impl Overlaid<'_> {
    fn text(&self, path: &RepoPath) -> Option<&[u8]> {
        self.files.iter().find(|(file, _)| file == path).map(|(_, text)| text.as_slice())
    }

    /// `paths` and those files that `wanted` accepts, sorted.
    fn with(&self, mut paths: Vec<RepoPath>, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        paths.extend(self.files.iter().map(|(file, _)| file).filter(|file| wanted(file.as_str())).cloned());
        paths.sort();
        paths.dedup();
        paths
    }
}

impl SourceTree for Overlaid<'_> {
    fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        self.text(path).map(Arc::from).or_else(|| self.tree.read(path))
    }

    fn exists(&self, path: &RepoPath) -> bool {
        self.text(path).is_some() || self.tree.exists(path)
    }

    fn find(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        self.with(self.tree.find(wanted), wanted)
    }

    fn tracked(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        self.with(self.tree.tracked(wanted), wanted)
    }

    fn holding(&self, ending: &str, words: &[&str]) -> Vec<RepoPath> {
        let mut files = self.tree.holding(ending, words);
        files.retain(|path| self.text(path).is_none());
        let own = self.files.iter().filter(|(file, text)| file.as_str().ends_with(ending) && holds(text, words));
        files.extend(own.map(|(file, _)| file.clone()));
        files.sort();
        files
    }

    fn files_in(&self, folder: &str, largest: u64) -> Listed {
        let inside = |path: &str| path.rsplit_once('/').map_or("", |(before, _)| before) == folder;
        let listed = self.tree.files_in(folder, largest);
        Listed { files: self.with(listed.files, &inside), ..listed }
    }

    fn package(&self, name: &str) -> Option<String> {
        self.tree.package(name)
    }

    fn installed(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        self.tree.installed(path)
    }

    fn memory(&self) -> Option<&Memory> {
        // Other texts of a few files make no difference to where functions are looked for, nor to what package a file is of,
        // unless one is a manifest.
        let tells_a_package = self.files.iter().any(|(file, _)| file.file_name() == "Cargo.toml");
        self.tree.memory().filter(|_| !tells_a_package)
    }

    fn trouble(&self) -> Vec<Notice> {
        self.tree.trouble()
    }
}

/// A tree held in memory, for tests.
#[cfg(test)]
pub(crate) mod testing {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::SourceTree;
    use crate::repo_path::RepoPath;

    /// Paths with their texts.
    pub(crate) struct Files(BTreeMap<RepoPath, Arc<[u8]>>);

    impl Files {
        /// A tree of these files.
        pub(crate) fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
            let file = |(path, text): (&str, &str)| (RepoPath::new(path).unwrap(), Arc::from(text.as_bytes()));
            Files(files.into_iter().map(file).collect())
        }
    }

    impl SourceTree for Files {
        fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
            self.0.get(path).cloned()
        }

        fn find(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
            self.0.keys().filter(|path| wanted(path.as_str())).cloned().collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::Files;
    use super::{InFolder, SourceTree};
    use crate::repo_path::RepoPath;

    #[test]
    fn a_folder_is_a_tree_of_its_own() {
        let tree = Files::new([("a/b/c.rs", "c"), ("a/bb/d.rs", "d"), ("e.rs", "e")]);
        let check = |folder: &str, expected: &[&str]| {
            let inside = InFolder { tree: &tree, folder };
            let found: Vec<String> =
                inside.find(&|path| path.ends_with(".rs")).iter().map(RepoPath::to_string).collect();
            assert_eq!(found, expected, "{folder}");
            assert!(found.iter().all(|path| inside.exists(&RepoPath::new(path).unwrap())), "{folder}");
        };
        check("a/b", &["c.rs"]);
        check("a", &["b/c.rs", "bb/d.rs"]);
        check("", &["a/b/c.rs", "a/bb/d.rs", "e.rs"]);
    }
}
