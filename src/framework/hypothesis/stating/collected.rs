//! Which files hold test code, and in which of them pytest finds tests.

use crate::framework::stating::folder_called;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Folders for tests.
const FOLDERS: [&str; 3] = ["tests", "test", "testing"];

/// The folder for tests in which a file of that path stands.
pub(in crate::framework::hypothesis) fn folder_of_tests(path: &str) -> Option<&str> {
    folder_called(path, &FOLDERS)
}

/// Whether a file of that path holds test code, of a test or for one.
pub(in crate::framework::hypothesis) fn is_test_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path.ends_with(".py") && (folder_of_tests(path).is_some() || name == super::SHARED || is_named_as_test(name))
}

fn is_named_as_test(name: &str) -> bool {
    name.starts_with("test_") && name.ends_with(".py") || name.ends_with("_test.py")
}

/// The files that tell pytest how files are named that hold tests.
const CONFIGURATIONS: [&str; 4] = ["pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"];

/// Whether pytest finds the tests in `file`.
pub(in crate::framework::hypothesis) fn is_collected(file: &RepoPath, tree: &dyn SourceTree) -> bool {
    is_named_as_test(file.file_name()) || is_told(file, tree, &["python_files"])
}

/// Whether a configuration above `file` has one of `words`.
pub(super) fn is_told(file: &RepoPath, tree: &dyn SourceTree, words: &[&str]) -> bool {
    let folders = std::iter::once("").chain(file.folders());
    let files = folders.flat_map(|folder| CONFIGURATIONS.map(|name| RepoPath::in_folder(folder, name)));
    let has = |text: &[u8]| words.iter().any(|word| memchr::memmem::find(text, word.as_bytes()).is_some());
    files.flatten().any(|file| tree.read(&file).is_some_and(|text| has(&text)))
}
