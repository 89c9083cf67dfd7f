//! The oracle's files as patterns: for who owns them, and for whom they are closed to.

use crate::check;
use crate::framework::CATALOGUE;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Files of ours: what was decided, and what is guarded.
const OURS: [&str; 3] = ["/.redpin/decisions/**", "/.redpin/controls/**", "/.redpin/config.toml"];

/// Which files are the oracle's.
pub(super) struct Oracle {
    /// Patterns of files that frameworks keep inputs in.
    kept: Vec<String>,
    /// Files that hold properties or requirements alone.
    pure: Vec<RepoPath>,
    /// Files that hold properties beside the code that they judge.
    mixed: Vec<RepoPath>,
}

/// Those of `tree`.
pub(super) fn of(tree: &dyn SourceTree) -> Oracle {
    let starting =
        CATALOGUE.iter().filter(|framework| framework.starting().is_some_and(|one| one.nightly(tree).is_some()));
    let kept = starting.filter_map(|framework| framework.starting()).flat_map(|one| one.kept());
    let (pure, mixed) = check::oracle_files(tree);
    Oracle { kept: kept.map(|pattern| (*pattern).to_owned()).collect(), pure, mixed }
}

impl Oracle {
    /// Patterns of all of them, from the top.
    pub(super) fn all(&self) -> Vec<String> {
        let files = self.pure.iter().chain(&self.mixed).map(|path| format!("/{path}"));
        self.kept.iter().cloned().chain(files).chain(OURS.map(str::to_owned)).collect()
    }

    /// Patterns of those that whoever writes the code has no business in.
    pub(super) fn closed(&self) -> Vec<String> {
        let files = self.pure.iter().map(|path| format!("/{path}"));
        self.kept.iter().cloned().chain(files).chain(OURS.map(str::to_owned)).collect()
    }

    /// What to say of files that cannot be closed to whoever writes the code.
    pub(super) fn mixed(&self) -> Option<String> {
        let first = self.mixed.first()?;
        let more = match self.mixed.len() {
            1 => String::new(),
            many => format!(" and {} more", many - 1),
        };
        Some(format!(
            "{first}{more} hold properties beside the code under test, so no rule closes them: let `redpin check pins --base` \
             guard them, or move the properties to files of their own"
        ))
    }
}
