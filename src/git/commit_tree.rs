//! A commit's files as rooms read them, and which files differ between a commit and the work tree.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::memory::Memory;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

use super::error::GitError;
use super::program;
use super::repository::Repository;

/// The regular files of a commit. What git cannot give is not there.
pub struct CommitTree<'r> {
    repository: &'r Repository,
    commit: String,
    listed: OnceLock<BTreeMap<RepoPath, Listed>>,
    /// How many files were read.
    count: AtomicUsize,
    read: Mutex<HashMap<RepoPath, Option<Arc<[u8]>>>>,
    memory: Memory,
}

impl Repository {
    /// The files of the commit of that whole id.
    pub fn tree_of(&self, commit: &str) -> CommitTree<'_> {
        CommitTree {
            repository: self,
            commit: commit.to_owned(),
            listed: OnceLock::new(),
            count: AtomicUsize::new(0),
            read: Mutex::default(),
            memory: Memory::default(),
        }
    }

    /// The files that differ between the commit of that whole id and the work tree, sorted: also those that are in one of them
    /// alone, and those that git would add. With `patterns`, written as in `.gitignore` from the top, those that one of them
    /// means.
    ///
    /// # Errors
    /// Where git cannot compare them.
    pub fn changed_since(&self, commit: &str, patterns: &[String]) -> Result<Vec<RepoPath>, GitError> {
        let differs =
            ["diff", "--name-only", "-z", "--no-renames", "--ignore-submodules", "--no-ext-diff", commit, "--"];
        let new = ["ls-files", "-z", "--others", "--exclude-standard", "--full-name", "--"];
        let patterns: Vec<String> = patterns.iter().map(|pattern| format!(":(top,glob){pattern}")).collect();
        let mut paths = Vec::new();
        for arguments in [&differs[..], &new] {
            let mut command = self.program().reader(arguments);
            command.env_remove("GIT_LITERAL_PATHSPECS").args(&patterns);
            paths.extend(names(&program::printed(command, b"")?));
        }
        paths.sort();
        paths.dedup();
        Ok(paths)
    }

    /// When the last commit up to the one of that whole id changed the file, as RFC 3339; `None` where none did.
    pub fn changed_at(&self, path: &RepoPath, commit: &str) -> Option<String> {
        let log =
            ["-c", "log.showSignature=false", "log", "-1", "--no-color", "--format=%cI", commit, "--", path.as_str()];
        let told = program::printed(self.program().reader(&log), b"").ok()?;
        Some(String::from_utf8_lossy(&told).trim().to_owned()).filter(|date| !date.is_empty())
    }
}

/// The paths in a list of names with a zero byte after each.
fn names(told: &[u8]) -> impl Iterator<Item = RepoPath> {
    told.split(|&byte| byte == 0).filter_map(|name| RepoPath::new(std::str::from_utf8(name).ok()?))
}

/// A file as a commit lists it.
struct Listed {
    is_regular: bool,
    blob: String,
}

/// To look up more files than this one by one takes longer than to have them all listed.
const FEW: usize = 16;

impl CommitTree<'_> {
    fn listed(&self) -> &BTreeMap<RepoPath, Listed> {
        self.listed.get_or_init(|| {
            let list = ["ls-tree", "-r", "-z", "--full-tree", &self.commit];
            let told = program::printed(self.repository.program().reader(&list), b"").unwrap_or_default();
            told.split(|&byte| byte == 0).filter_map(listed).collect()
        })
    }

    fn bytes(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        let is_listed = self.listed.get().is_some() || self.count.fetch_add(1, Ordering::Relaxed) >= FEW;
        if is_listed && !self.listed().is_empty() {
            let listed = self.listed().get(path).filter(|listed| listed.is_regular)?;
            if let Some(library) = self.repository.library() {
                let blob = library.find_blob(git2::Oid::from_str(&listed.blob).ok()?).ok();
                return blob.map(|blob| Arc::from(blob.content()));
            }
        }
        if let Some(library) = self.repository.library() {
            let found = || {
                let commit = library.find_commit(git2::Oid::from_str(&self.commit).ok()?).ok()?;
                let entry = commit.tree().ok()?.get_path(Path::new(path.as_str())).ok()?;
                let is_file = matches!(entry.filemode(), 0o100_644 | 0o100_755);
                is_file.then(|| library.find_blob(entry.id()).ok()).flatten().map(|blob| Arc::from(blob.content()))
            };
            return found();
        }
        let object = format!("{}:{path}", self.commit);
        let told = program::run(self.repository.program().reader(&["cat-file", "blob", &object]), b"").ok()?;
        told.status.success().then(|| Arc::from(told.stdout))
    }
}

/// A line of `ls-tree`: mode, kind and id, and the path after a tab.
fn listed(line: &[u8]) -> Option<(RepoPath, Listed)> {
    let (head, path) = std::str::from_utf8(line).ok()?.split_once('\t')?;
    let mut parts = head.split(' ');
    let is_regular = matches!(parts.next()?, "100644" | "100755");
    let blob = parts.nth(1)?.to_owned();
    Some((RepoPath::new(path)?, Listed { is_regular, blob }))
}

impl SourceTree for CommitTree<'_> {
    fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        if let Some(known) = self.read.lock().unwrap_or_else(PoisonError::into_inner).get(path) {
            return known.clone();
        }
        let bytes = self.bytes(path);
        self.read.lock().unwrap_or_else(PoisonError::into_inner).insert(path.clone(), bytes.clone());
        bytes
    }

    fn find(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        self.listed().keys().filter(|path| wanted(path.as_str())).cloned().collect()
    }

    fn memory(&self) -> Option<&Memory> {
        Some(&self.memory)
    }
}
