//! A patch as git takes it, applied to a folder that is no repository. Git itself sees to it that no path of the patch leads
//! out of the folder.

use std::path::Path;
use std::process::Command;

use crate::repo_path::RepoPath;

use super::error::GitError;
use super::program;

/// The files that `patch` changes or makes, by the names they have after it.
///
/// # Errors
/// Where it is no patch.
pub fn patched_files(folder: &Path, patch: &[u8]) -> Result<Vec<RepoPath>, GitError> {
    let told = program::printed(apply(folder, &["--numstat", "-z"]), patch)?;
    let names = told.split(|&byte| byte == 0).filter_map(|line| std::str::from_utf8(line).ok()?.splitn(3, '\t').nth(2));
    Ok(names.filter_map(RepoPath::new).collect())
}

/// Applies `patch` to the files in `folder`, all of it or nothing.
///
/// # Errors
/// Where it does not fit.
pub fn apply_patch(folder: &Path, patch: &[u8]) -> Result<(), GitError> {
    program::printed(apply(folder, &["--whitespace=nowarn"]), patch).map(|_| ())
}

/// Sees whether `patch` fits the files in `folder`, and changes nothing.
///
/// # Errors
/// Where it does not fit, or is no patch.
pub fn check_patch(folder: &Path, patch: &[u8]) -> Result<(), GitError> {
    program::printed(apply(folder, &["--check"]), patch).map(|_| ())
}

fn apply(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = program::clean(folder);
    // The folder may lie inside somebody's repository, and the patch is not for that.
    command.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap_or(folder)).arg("apply").args(arguments).arg("-");
    command
}
