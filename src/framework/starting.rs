//! What a repository with properties of a framework needs to begin with: how its tests are swept every night on a service, and
//! which files of the framework's are the oracle's.

use crate::source_tree::SourceTree;

/// Tells what a repository needs.
pub trait Starting: Sync {
    /// How the properties that `tree` has are swept; `None` where it has none of this framework.
    fn nightly(&self, tree: &dyn SourceTree) -> Option<Nightly>;

    /// Patterns of files in which inputs that failed are kept for the next run, as in `.gitignore`.
    fn kept(&self) -> &'static [&'static str] {
        &[]
    }
}

/// A nightly sweep of one kind of tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nightly {
    /// What its job is called: one word.
    pub job: &'static str,
    /// The folder that its commands run in, `""` for the top.
    pub folder: String,
    /// Actions of GitHub that come first, each with what it is given.
    pub actions: Vec<(&'static str, Vec<(&'static str, &'static str)>)>,
    /// Commands that get all ready where these actions were.
    pub commands: Vec<String>,
    /// The image that GitLab runs it in.
    pub image: &'static str,
    /// Commands that get all ready there.
    pub commands_in_image: Vec<String>,
    /// The command that runs the tests, and writes a JUnit file where that takes no more than a switch.
    pub tests: String,
    /// Folders worth keeping from night to night, from the top.
    pub cached: Vec<&'static str>,
    /// Patterns of the files that say whether they are still good.
    pub locked_by: &'static str,
    /// Patterns of files that are kept of each run besides its run file.
    pub artifacts: Vec<&'static str>,
    /// Files of ours that the commands need: path and text.
    pub files: Vec<(&'static str, &'static str)>,
}

/// The folder of the file nearest to the top among those called `name` that `is_one` accepts.
pub fn nearest(tree: &dyn SourceTree, name: &str, is_one: &dyn Fn(&str) -> bool) -> Option<String> {
    let files = tree.find(&|path| path.rsplit('/').next() == Some(name) && !path.contains("node_modules/"));
    let ours = files.iter().filter(|file| tree.read(file).is_some_and(|text| is_one(&String::from_utf8_lossy(&text))));
    ours.map(|file| file.folder().to_owned()).min_by_key(|folder| (folder.matches('/').count(), folder.len()))
}

/// Whether `folder` of `tree` has a file called `name`.
pub fn has(tree: &dyn SourceTree, folder: &str, name: &str) -> bool {
    crate::repo_path::RepoPath::in_folder(folder, name).is_some_and(|path| tree.exists(&path))
}
