//! A commit's files written into a folder outside the repository, as git itself writes them: with its filters, line ends
//! and modes, by that commit's own attributes. The index it needs is a file beside them; the user's index, references and
//! list of worktrees are not touched.

use std::path::Path;
use std::process::Command;

use crate::repo_path::RepoPath;

use super::error::GitError;
use super::program;
use super::repository::Repository;

/// A commit's files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckedOut {
    /// The files that stand in the folder, sorted.
    pub files: Vec<RepoPath>,
    /// What stands there as a name only: submodules, sorted.
    pub submodules: Vec<RepoPath>,
}

/// The mode of a submodule in an index.
const SUBMODULE: &str = "160000";

impl Repository {
    /// Writes the files of `commit` into the empty `folder`; `index` names a file for git's own use.
    ///
    /// # Errors
    /// Where git cannot read the commit or write the files.
    pub fn check_out(&self, commit: &str, index: &Path, folder: &Path) -> Result<CheckedOut, GitError> {
        // Whatever the user's own index is like: this one is a single file, whole, and nobody watches its files.
        let plain = ["-c", "core.splitIndex=false", "-c", "core.sparseCheckout=false", "-c", "index.sparse=false"];
        let ask = |arguments: &[&str]| -> Command {
            let mut command = self.program().reader(&[&plain[..], arguments].concat());
            // With the folder as work tree, attributes are those of the commit and not of what is checked out.
            command.env("GIT_INDEX_FILE", index).env("GIT_WORK_TREE", folder).current_dir(folder);
            command
        };
        program::printed(ask(&["read-tree", commit]), b"")?;
        program::printed(ask(&["checkout-index", "--all", "--force", "--quiet"]), b"")?;
        let told = program::printed(ask(&["ls-files", "--stage", "-z"]), b"")?;
        let mut checked_out = CheckedOut::default();
        for line in told.split(|&byte| byte == 0).filter_map(|line| std::str::from_utf8(line).ok()) {
            let Some((about, path)) = line.split_once('\t') else { continue };
            let Some(path) = RepoPath::new(path) else { continue };
            match about.starts_with(SUBMODULE) {
                true => checked_out.submodules.push(path),
                false => checked_out.files.push(path),
            }
        }
        checked_out.files.sort();
        checked_out.submodules.sort();
        Ok(checked_out)
    }
}
