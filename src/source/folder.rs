//! The files of a folder, in a fixed order. Symbolic links are never followed, so the walk ends and stays inside.

use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use super::{Opening, name_of};

impl Opening<'_> {
    /// Every file below `top`, folder by folder, sorted by name.
    pub(super) fn folder(&mut self, top: &Path) {
        let mut folders = vec![top.to_owned()];
        while let Some(folder) = folders.pop() {
            match listing(&folder) {
                Ok(listed) => self.listed(listed, &mut folders),
                Err(error) => self.passed_over(name_of(&folder), &format!("cannot be read: {error}")),
            }
        }
    }

    /// Opens the files of one folder and leaves its subfolders in `folders`, the first on top.
    fn listed(&mut self, listed: Vec<DirEntry>, folders: &mut Vec<PathBuf>) {
        let place = folders.len();
        for found in listed {
            let path = found.path();
            match found.file_type() {
                Ok(kind) if kind.is_dir() && found.file_name() == ".git" => {
                    self.passed_over(name_of(&path), "passed over: a git directory");
                }
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(kind) => self.file(&path, kind),
                Err(error) => self.passed_over(name_of(&path), &format!("cannot be read: {error}")),
            }
        }
        folders[place..].reverse();
    }
}

fn listing(folder: &Path) -> io::Result<Vec<DirEntry>> {
    let mut listed = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    listed.sort_by_key(DirEntry::file_name);
    Ok(listed)
}
