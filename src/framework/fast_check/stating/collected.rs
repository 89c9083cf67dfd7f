//! Which files hold test code, and in which of them runners look for tests.

use super::super::read::is_file;
use crate::framework::stating::folder_called;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Folders for tests.
const FOLDERS: [&str; 5] = ["test", "tests", "__tests__", "spec", "specs"];

/// The folder for tests in which a file of that path stands.
pub(super) fn folder_of_tests(path: &str) -> Option<&str> {
    folder_called(path, &FOLDERS)
}

/// Whether a file of that path holds test code, of a test or for one.
pub(super) fn is_test_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_of_tests = folder_of_tests(path).is_some() || is_named_as_test(name);
    is_file(path) && is_of_tests && !path.split('/').any(|part| part == "node_modules")
}

fn is_named_as_test(name: &str) -> bool {
    [".test.", ".spec.", "-test.", "_test.", ".prop."].iter().any(|mark| name.contains(mark))
}

/// Runners that take every file in a folder for tests, as a package names them.
const OF_FOLDERS: [&str; 5] = ["\"mocha\"", "mocha ", "\"ava\"", "node --test", "node:test"];

/// Whether a runner looks for tests in the file.
pub(super) fn is_collected(path: &str, tree: &dyn SourceTree) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if is_named_as_test(name) || folder.split('/').any(|part| part == "__tests__") {
        return true;
    }
    let is_of_tests =
        folder_of_tests(path).is_some() || ["test", "tests"].contains(&name.split('.').next().unwrap_or_default());
    is_of_tests && RepoPath::new(path).is_some_and(|file| is_by_folder(&file, tree))
}

/// Whether a package above the file has such a runner.
fn is_by_folder(file: &RepoPath, tree: &dyn SourceTree) -> bool {
    let folders = std::iter::once("").chain(file.folders());
    let mut manifests = folders.filter_map(|folder| tree.read(&RepoPath::in_folder(folder, "package.json")?));
    manifests.any(|text| OF_FOLDERS.iter().any(|mark| memchr::memmem::find(&text, mark.as_bytes()).is_some()))
}
