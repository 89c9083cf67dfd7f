//! The work tree as rooms read it: regular files under the top, each read once.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

use super::program::{self, Program};
use super::repository::Repository;

/// The files of a work tree as they were when each was first read.
#[derive(Debug)]
pub struct WorkTree {
    top: PathBuf,
    /// The top with all links resolved, to tell where a path leads.
    real_top: Option<PathBuf>,
    program: Program,
    read: Mutex<HashMap<RepoPath, Option<Arc<[u8]>>>>,
    /// Names as git lists them: of very many, few become paths.
    tracked: OnceLock<Vec<u8>>,
    untracked: OnceLock<Vec<u8>>,
}

impl Repository {
    /// The work tree, read anew.
    pub fn work_tree(&self) -> WorkTree {
        WorkTree {
            top: self.top().to_owned(),
            real_top: fs::canonicalize(self.top()).ok(),
            program: self.program().clone(),
            read: Mutex::default(),
            tracked: OnceLock::new(),
            untracked: OnceLock::new(),
        }
    }
}

impl WorkTree {
    /// Where the file at `path` really is, if that is a regular file inside the work tree.
    fn inside(&self, path: &RepoPath) -> Option<PathBuf> {
        let real = fs::canonicalize(self.top.join(path.as_str())).ok()?;
        let inside = real.strip_prefix(self.real_top.as_ref()?).ok()?;
        let of_git = inside.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git"));
        (!of_git && fs::metadata(&real).ok()?.is_file()).then_some(real)
    }

    fn list(&self, which: &[&str]) -> Vec<u8> {
        let list = self.program.reader(&[&["ls-files", "-z", "--full-name"], which].concat());
        program::printed(list, b"").unwrap_or_default()
    }
}

/// The paths in a list of names that `wanted` accepts, in the list's order. A conflict has a name several times.
fn among(names: &[u8], wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
    let names = names.split(|&byte| byte == 0).filter_map(|name| std::str::from_utf8(name).ok());
    let mut paths: Vec<RepoPath> = names.filter(|name| wanted(name)).filter_map(RepoPath::new).collect();
    paths.dedup();
    paths
}

impl SourceTree for WorkTree {
    fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.get(path) {
            return known.clone();
        }
        let bytes = self.inside(path).and_then(|real| fs::read(real).ok()).map(Arc::from);
        read.insert(path.clone(), bytes.clone());
        bytes
    }

    fn exists(&self, path: &RepoPath) -> bool {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        match read.get(path) {
            Some(known) => known.is_some(),
            None => self.inside(path).is_some(),
        }
    }

    fn find(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        let untracked = self.untracked.get_or_init(|| self.list(&["--others", "--exclude-standard"]));
        let mut paths = self.tracked(wanted);
        paths.extend(among(untracked, wanted));
        paths.sort();
        paths
    }

    fn tracked(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        among(self.tracked.get_or_init(|| self.list(&["--cached"])), wanted)
    }

    fn files_in(&self, folder: &str) -> Vec<RepoPath> {
        let Ok(listed) = fs::read_dir(self.top.join(folder)) else { return Vec::new() };
        let names = listed.filter_map(|file| file.ok()?.file_name().into_string().ok());
        let mut paths: Vec<RepoPath> = names.filter_map(|name| RepoPath::in_folder(folder, &name)).collect();
        paths.retain(|path| self.exists(path));
        paths.sort();
        paths
    }
}
