//! The files of a commit in a folder of their own, as git wrote them there. The folder goes with the value.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::mirror;
use crate::memory::Memory;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// A commit's files.
#[derive(Debug)]
pub struct Checkout {
    folder: PathBuf,
    index: PathBuf,
    files: Vec<RepoPath>,
    read: Mutex<HashMap<RepoPath, Option<Arc<[u8]>>>>,
    memory: Memory,
}

impl Checkout {
    /// What git wrote into `folder`: `files`, sorted. `index` is git's own file beside it.
    pub fn new(folder: PathBuf, index: PathBuf, files: Vec<RepoPath>) -> Checkout {
        Checkout { folder, index, files, read: Mutex::default(), memory: Memory::default() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The files.
    pub fn files(&self) -> &[RepoPath] {
        &self.files
    }

    /// Whether a file at `path` would stand inside the folder: no link on the way to it leads elsewhere.
    pub fn may_hold(&self, path: &RepoPath) -> bool {
        let is_link = |folder: &str| fs::symlink_metadata(self.folder.join(folder)).is_ok_and(|one| one.is_symlink());
        !path.folders().any(is_link)
    }
}

impl SourceTree for Checkout {
    fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.get(path) {
            return known.clone();
        }
        let place = self.folder.join(path.as_str());
        let is_file = self.may_hold(path) && fs::symlink_metadata(&place).is_ok_and(|known| known.is_file());
        let bytes = is_file.then(|| fs::read(place).ok()).flatten().map(Arc::from);
        read.insert(path.clone(), bytes.clone());
        bytes
    }

    fn find(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        self.files.iter().filter(|file| wanted(file.as_str())).cloned().collect()
    }

    fn memory(&self) -> Option<&Memory> {
        Some(&self.memory)
    }
}

impl Drop for Checkout {
    fn drop(&mut self) {
        // What stays behind is removed when the scratch folder is next opened.
        let _ = mirror::remove(&self.folder);
        let _ = mirror::remove(&self.index);
    }
}
