//! What else git knows: whether its rules ignore a file, who changed it last, and which name and editor the user has set.

use std::collections::HashSet;

use crate::repo_path::RepoPath;

use super::error::GitErrorKind;
use super::program;
use super::repository::Repository;

impl Repository {
    /// The last commit that changed the file, as one line: short id, date, author, subject. Foreign text.
    pub fn last_change(&self, path: &RepoPath) -> Option<String> {
        let log =
            ["-c", "log.showSignature=false", "log", "-1", "--no-color", "--no-mailmap", "--format=%h %as %an: %s"];
        let told = program::printed(self.program().reader(&[&log[..], &["--", path.as_str()]].concat()), b"").ok()?;
        let told = String::from_utf8_lossy(&told);
        told.lines().next().filter(|line| !line.is_empty()).map(str::to_owned)
    }

    /// The name and mail address that git would write into a commit made now, as `Name <mail>`; empty where it has none.
    pub fn user(&self) -> String {
        match program::printed(self.program().reader(&["var", "GIT_COMMITTER_IDENT"]), b"") {
            // Seconds and time zone follow the name.
            Ok(told) => String::from_utf8_lossy(&told).rsplitn(3, ' ').nth(2).unwrap_or_default().to_owned(),
            Err(_) => user_by_library(self).unwrap_or_default(),
        }
    }

    /// The editor that git's configuration names, the repository's own settings first.
    pub fn configured_editor(&self) -> Option<String> {
        match self.library() {
            Some(library) => library.config().and_then(|config| config.get_string("core.editor")).ok(),
            None => {
                let told = program::printed(self.program().reader(&["config", "--get", "core.editor"]), b"").ok()?;
                Some(String::from_utf8_lossy(&told).trim_end().to_owned())
            }
        }
        .filter(|editor| !editor.is_empty())
    }
}

fn user_by_library(repository: &Repository) -> Option<String> {
    let signature = repository.library()?.signature().ok()?;
    Some(format!("{} <{}>", signature.name().ok()?, signature.email().ok()?))
}

/// Those of `paths` that git's rules leave out, tracked or not. Reads no index.
pub(super) fn ignored(repository: &Repository, paths: &[&RepoPath]) -> HashSet<RepoPath> {
    let mut command = repository.program().reader(&["check-ignore", "--no-index", "-z", "--stdin"]);
    // This command refuses the order to take names literally; behind a `./` it finds no magic in them.
    command.env_remove("GIT_LITERAL_PATHSPECS");
    let asked: String = paths.iter().map(|path| format!("./{path}\0")).collect();
    match program::run(command, asked.as_bytes()) {
        Ok(output) => output.stdout.split(|&byte| byte == 0).filter_map(utf8_path).collect(),
        Err(error) if error.kind == GitErrorKind::NoProgram => ignored_by_library(repository, paths),
        Err(_) => HashSet::new(),
    }
}

fn utf8_path(name: &[u8]) -> Option<RepoPath> {
    RepoPath::new(std::str::from_utf8(name).ok()?)
}

fn ignored_by_library(repository: &Repository, paths: &[&RepoPath]) -> HashSet<RepoPath> {
    let Some(library) = repository.library() else { return HashSet::new() };
    let is_ignored = |path: &&&RepoPath| library.is_path_ignored(path.as_str()).unwrap_or(false);
    paths.iter().filter(is_ignored).map(|path| (*path).clone()).collect()
}
