//! Single files of the work tree, read and written without the index: what the user looks at before anything is staged.

use std::fs;
use std::sync::Arc;

use crate::repo_path::RepoPath;

use super::error::GitError;
use super::repository::Repository;
use super::work_file;

/// What the name of a file ends in that waits to take another's place.
const TOKEN: &str = "init";

impl Repository {
    /// The bytes of the file at `path` in the work tree; `None` where there is none.
    ///
    /// # Errors
    /// Where something else is there, or on the way there.
    pub fn work_file(&self, path: &RepoPath) -> Result<Option<Arc<[u8]>>, GitError> {
        work_file::bytes(self.top(), path)
    }

    /// Puts `bytes` in the place of what is at `path` in the work tree, as a whole; folders are made.
    ///
    /// # Errors
    /// Where it cannot be written, or the way there leads through a link or into another repository.
    pub fn write_work_file(&self, path: &RepoPath, bytes: &[u8]) -> Result<(), GitError> {
        let top = self.top();
        work_file::bytes(top, path)?;
        work_file::check_writable(top, path)?;
        let folder = top.join(path.folder());
        fs::create_dir_all(&folder).map_err(|error| GitError::file("make", &folder, &error))?;
        work_file::discard(top, path, TOKEN);
        work_file::prepare(top, path, TOKEN, bytes, work_file::permissions(top, path))?;
        work_file::replace(top, path, TOKEN)
    }

    /// The address that the repository was cloned from, as far as git's settings tell.
    pub fn address(&self) -> Option<String> {
        let told = self.printed(&["config", "--get", "remote.origin.url"])?;
        Some(told.trim_end().to_owned()).filter(|address| !address.is_empty())
    }
}
