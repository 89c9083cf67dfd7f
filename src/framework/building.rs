//! How the tests of a framework are built: what the user's command says of it, and what of the user's own builds a build in
//! a scratch copy goes by. Asked by `redpin run` and by whoever opens a scratch copy,
//! and which packages its sources speak of.

use std::path::Path;

use crate::proof::BuildLayout;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Knows how tests are built.
pub trait Building: Sync {
    /// What a test command that the user typed in `folder` says of the way things are built, as arguments of [`Manner`];
    /// `None` where it runs none of this framework's tests.
    ///
    /// [`Manner`]: crate::proof::Manner
    fn arguments(&self, command: &[&str], folder: &Path) -> Option<Vec<String>>;

    /// Files that a build goes by even where git ignores them, in the folder of a command or one above it.
    fn files(&self) -> &'static [&'static str];

    /// The command whose output [`Building::layout`] reads.
    fn layout_command(&self) -> &'static [&'static str];

    /// What is known of the user's own builds, which are started with `arguments`; `None` where `told` is not what the command
    /// prints.
    fn layout(&self, told: &[u8], arguments: &[String]) -> Option<BuildLayout>;

    /// The packages that a build takes from a registry, by those of `files` that say so: what code calls each, and what the
    /// registry's folder of it is called.
    fn packages(&self, _tree: &dyn SourceTree, _files: &[RepoPath]) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The text of `file` with the paths in it made absolute that lead out of the repository, where there are any: a copy of
    /// it stands elsewhere. Its top is the folder `top`.
    fn led_out(&self, _file: &RepoPath, _tree: &dyn SourceTree, _top: &str) -> Option<String> {
        None
    }
}
