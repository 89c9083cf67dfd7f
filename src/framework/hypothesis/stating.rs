//! What the files of a repository state of properties: each taken apart into its properties, the pins beside them, and what
//! both rest on.

use crate::language::python::module::{Module, module};
use crate::language::python::syntax::Syntax;
use crate::oracle::{Known, Oracle};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

mod above;
mod clauses;
mod collected;
mod counts;
mod decorated;
mod inputs;
mod machines;
mod page;
mod reach;
mod rules;
mod settings;
mod sorting;

#[cfg(test)]
mod tests;

/// What the text of a file has that may state a property, or what generates its inputs.
const MARKS: [&str; 3] = ["hypothesis", "given(", "_pin_"];

/// What means the same in every file.
pub(super) const KNOWN: Known =
    Known { libraries: &["hypothesis", "pytest", "unittest", "math", "typing", "__future__"], names: &["given"] };

/// The file in which pytest looks for what tests share.
const SHARED: &str = "conftest.py";

/// The files of `tree` that may state properties, and those that give them fixtures.
pub(super) fn stating(tree: &dyn SourceTree) -> Vec<RepoPath> {
    let mut files = tree.holding(".py", &MARKS);
    let folders: std::collections::BTreeSet<String> = files
        .iter()
        .flat_map(|file| file.folders().map(str::to_owned).chain([String::new()]).collect::<Vec<_>>())
        .collect();
    let shared = folders.iter().filter_map(|folder| RepoPath::in_folder(folder, SHARED));
    files.extend(shared.filter(|file| tree.exists(file)));
    files.sort();
    files.dedup();
    files
}

/// What `file` states.
///
/// # Errors
/// What keeps it from being read: one sentence.
pub(super) fn oracle(file: &RepoPath, tree: &dyn SourceTree) -> Result<Oracle, String> {
    if !file.as_str().ends_with(".py") {
        return Ok(settings::of_file(file, tree));
    }
    let Some(bytes) = tree.read(file) else { return Ok(Oracle::default()) };
    let is_shared = collected::is_test_file(file.as_str());
    let has_mark = MARKS.iter().any(|mark| memchr::memmem::find(&bytes, mark.as_bytes()).is_some());
    if !is_shared && !has_mark {
        return Ok(Oracle::default());
    }
    let unreadable = |why: &str| if has_mark { Err(format!("{file} is {why}")) } else { Ok(Oracle::default()) };
    let Ok(text) = std::str::from_utf8(&bytes) else { return unreadable("not UTF-8") };
    let (Some(outline), Some(syntax)) = (module(text), Syntax::of(text)) else {
        return unreadable("no Python that can be read");
    };
    let page = Page { file, syntax: &syntax, module: &outline, tree };
    let oracle = sorting::sorted(&page);
    let imports_library = || outline.imports.iter().any(|import| import.module.split('.').next() == Some("hypothesis"));
    let states = !oracle.rules.is_empty() || !oracle.pins.is_empty() || is_shared || imports_library();
    Ok(if states { oracle } else { Oracle::default() })
}

pub(super) use collected::{folder_of_tests, is_collected, is_test_file};

/// A file while it is taken apart.
struct Page<'p> {
    file: &'p RepoPath,
    syntax: &'p Syntax<'p>,
    module: &'p Module,
    tree: &'p dyn SourceTree,
}
