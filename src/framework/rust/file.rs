//! Which file of the repository holds the test that a run names: by the place that the run printed, else by the modules in
//! its name.

use std::sync::Arc;

use memchr::memmem;

use super::by_name;
use super::choose::plain_modules;
use crate::failure::{Failure, TestName};
use crate::language::rust::package::{file_modules, package_of};
use crate::language::rust::tokens::Unreadable;
use crate::locate;
use crate::pin::Refusal;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// The file that holds the property, with its text.
///
/// # Errors
/// Where no file of the repository names it, or the one that does is no text.
pub(crate) fn file(failure: &Failure, tree: &dyn SourceTree) -> Result<(RepoPath, String), Refusal> {
    let (file, bytes) = source(failure, tree)?;
    let text = as_text(&file, &bytes)?.to_owned();
    Ok((file, text))
}

/// The same with its bytes, shared with whoever read them before.
///
/// # Errors
/// Where no file of the repository names it.
pub(crate) fn source(failure: &Failure, tree: &dyn SourceTree) -> Result<(RepoPath, Arc<[u8]>), Refusal> {
    let file = file_of(failure, tree).ok_or_else(|| {
        let at = failure.location.as_ref().map_or(String::new(), |place| format!(" (the run names {})", place.file.0));
        let name = &failure.test;
        Refusal(format!("no file of this repository has the property `{name}`{at}; check out the code that failed"))
    })?;
    let bytes = tree.read(&file).unwrap_or_default();
    Ok((file, bytes))
}

/// The text of a file.
///
/// # Errors
/// Where it is none.
pub(crate) fn as_text<'b>(file: &RepoPath, bytes: &'b [u8]) -> Result<&'b str, Refusal> {
    let mend = |_| Refusal(format!("{file} is not UTF-8, which Rust demands; mend it first"));
    std::str::from_utf8(bytes).map_err(mend)
}

/// Why a file cannot be read as Rust.
pub(crate) fn unreadable(file: &RepoPath, error: &Unreadable) -> Refusal {
    Refusal(format!("{file} cannot be read as Rust, {error}; mend it first"))
}

/// The package of the file that the run names.
pub(crate) fn package(failure: &Failure, tree: &dyn SourceTree) -> Option<String> {
    let file = locate::from_the_top(&failure.location.as_ref()?.file, tree)?;
    package_of(&file, tree).name
}

fn file_of(failure: &Failure, tree: &dyn SourceTree) -> Option<RepoPath> {
    let of_package =
        |file: &RepoPath| failure.package.as_ref().is_none_or(|package| package_of(file, tree).is_called(&package.0));
    let holds = |file: &RepoPath| file.as_str().ends_with(".rs") && has_function(file, &failure.test, tree);
    let by_place = |fits: &dyn Fn(&RepoPath) -> bool| {
        failure.location.as_ref().and_then(|place| locate::file(&place.file, tree, fits))
    };
    by_place(&|file| holds(file) && of_package(file))
        .or_else(|| by_place(&holds))
        .or_else(|| by_function(&failure.test, tree, &|file| holds(file) && of_package(file)))
}

/// The file whose modules are the longest beginning of the test's own.
fn by_function(test: &TestName, tree: &dyn SourceTree, fits: &dyn Fn(&RepoPath) -> bool) -> Option<RepoPath> {
    let modules = plain_modules(test);
    let beginning = |file: &RepoPath| {
        let own = file_modules(file, &package_of(file, tree)).into_iter().map(str::to_owned).collect::<Vec<_>>();
        (own.len() <= modules.len() && own.iter().zip(&modules).all(|(a, b)| a == b)).then_some(own.len())
    };
    let deepest = |files: Vec<RepoPath>| {
        let mut own: Vec<(usize, RepoPath)> =
            files.into_iter().filter_map(|file| Some((beginning(&file)?, file))).collect();
        own.sort_by_key(|(depth, _)| std::cmp::Reverse(*depth));
        own.into_iter().map(|(_, file)| file).find(|file| fits(file))
    };
    by_name::file(test.function(), tree, &deepest)
}

fn has_function(file: &RepoPath, test: &TestName, tree: &dyn SourceTree) -> bool {
    tree.read(file).is_some_and(|bytes| memmem::find(&bytes, test.function().as_bytes()).is_some())
}
