//! Makes a new repository of a folder: for the sample that redpin carries with it.

use std::path::Path;

use super::error::GitError;
use super::program;
use super::repository::Repository;

/// The user's settings stay out of it: no signature is asked for, no line end changed, no template copied.
const SETTINGS: [&str; 12] = [
    "-c",
    "user.name=redpin demo",
    "-c",
    "user.email=demo@example.com",
    "-c",
    "commit.gpgSign=false",
    "-c",
    "core.autocrlf=false",
    "-c",
    "init.templateDir=",
    "-c",
    "core.excludesFile=",
];

impl Repository {
    /// A new repository in `folder` on the branch `main`, with all that lies in the folder in one commit.
    ///
    /// # Errors
    /// Where git is missing, or refuses.
    pub fn create(folder: &Path, message: &str) -> Result<Repository, GitError> {
        for arguments in [&["init", "-q", "-b", "main"][..], &["add", "--all"], &["commit", "-q", "-m", message]] {
            let mut command = program::clean(folder);
            command.args(SETTINGS).args(arguments);
            program::printed(command, b"")?;
        }
        Repository::discover(folder)
    }
}
