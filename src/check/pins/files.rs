//! The files that differ, which of them are the oracle's, and which are the code that it judges.

use similar::{ChangeTag, TextDiff};

use super::{About, Finding};
use crate::check::stated::is_spec;
use crate::framework::CATALOGUE;
use crate::git::{GitError, Repository};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::weakening::Stated;

/// The files that differ between the base and the work tree.
pub(super) struct Changed {
    /// All of them, sorted.
    pub(super) files: Vec<RepoPath>,
    /// Those that the user calls the oracle's besides.
    pub(super) named: Vec<RepoPath>,
}

/// What is no code that an oracle judges: prose, locks, and what is said to machines beside the code.
const NO_CODE: [&str; 6] = [".md", ".txt", ".rst", ".lock", "-lock.json", "-lock.yaml"];

/// Folders of which the same holds.
const NO_CODE_FOLDERS: [&str; 3] = [".redpin/", ".github/", ".gitlab/"];

impl Changed {
    /// Those since `commit`; `patterns` as the user writes them.
    ///
    /// # Errors
    /// Where git cannot tell.
    pub(super) fn since(repository: &Repository, commit: &str, patterns: &[String]) -> Result<Changed, GitError> {
        let files = repository.changed_since(commit, &[])?;
        let named = if patterns.is_empty() { Vec::new() } else { repository.changed_since(commit, patterns)? };
        Ok(Changed { files, named })
    }

    /// The changed files that hold code which the oracle judges; those with tests in them where it is not the tests that
    /// changed.
    pub(super) fn code(&self, then: &[Stated], now: &[Stated]) -> Vec<&RepoPath> {
        let rest = |all: &[Stated], file: &RepoPath| {
            let own = all.iter().filter(|stated| stated.file == *file).map(|stated| stated.oracle.rest.as_str());
            own.filter(|rest| !rest.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        };
        let states = |file: &RepoPath| then.iter().chain(now).any(|stated| stated.file == *file);
        let is_code = |file: &&RepoPath| {
            let path = file.as_str();
            let is_named = self.named.contains(file) || is_replay_file(path) || is_spec(path);
            let is_none = NO_CODE.iter().any(|end| path.ends_with(end))
                || NO_CODE_FOLDERS.iter().any(|folder| path.starts_with(folder));
            !is_named && !is_none && (!states(file) || rest(then, file) != rest(now, file))
        };
        self.files.iter().filter(is_code).collect()
    }
}

/// Whether a framework may keep inputs that failed in a file of that path.
pub(super) fn is_replay_file(path: &str) -> bool {
    CATALOGUE.iter().filter_map(|framework| framework.replay_files()).any(|files| files.may_be(path))
}

/// The files that the user calls the oracle's, of which something was taken.
pub(super) fn lessened(changed: &Changed, before: &dyn SourceTree, here: &dyn SourceTree) -> Vec<Finding> {
    changed.named.iter().filter_map(|file| one(file, before, here)).collect()
}

fn one(file: &RepoPath, before: &dyn SourceTree, here: &dyn SourceTree) -> Option<Finding> {
    let then = before.read(file)?;
    let found = |line: Option<u32>, is_gone: bool, text: String| {
        Some(Finding { kind: "file-changed", file: file.clone(), line, is_gone, about: About::default(), text })
    };
    let Some(now) = here.read(file) else {
        return found(None, true, "the file, one of the oracle's by .redpin/config.toml, is gone".to_owned());
    };
    let (then, now) = (String::from_utf8_lossy(&then), String::from_utf8_lossy(&now));
    let gone = removed(&then, &now);
    let first = gone.first()?;
    let lines = if gone.len() == 1 { "line of it is" } else { "lines of it are" };
    let text = format!(
        "{} {lines} gone or read otherwise; the file is one of the oracle's by .redpin/config.toml",
        gone.len()
    );
    found(Some(*first), true, text)
}

/// The lines of `then`, from 1, that `now` has not in their place.
pub(super) fn removed(then: &str, now: &str) -> Vec<u32> {
    let diff = TextDiff::from_lines(then, now);
    let gone = diff.iter_all_changes().filter(|change| change.tag() == ChangeTag::Delete);
    let own = gone.filter(|change| !change.value().trim().is_empty());
    own.filter_map(|change| u32::try_from(change.old_index()? + 1).ok()).collect()
}
