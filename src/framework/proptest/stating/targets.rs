//! Whether cargo compiles a file as part of something whose tests it runs.

use crate::language::rust::package::{Package, file_modules, package_of};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Whether a file belongs to a package's library or program, not to a test binary.
pub(super) fn is_of_library(file: &RepoPath, package: &Package) -> bool {
    inside(file, package).starts_with("src/")
}

fn inside<'f>(file: &'f RepoPath, package: &Package) -> &'f str {
    let path = file.as_str().strip_prefix(package.folder.as_str()).unwrap_or(file.as_str());
    path.trim_start_matches('/')
}

/// Whether the file is a target, or a module that the files above it declare. One that the manifest names is taken for a target.
pub(super) fn is_compiled(file: &RepoPath, tree: &dyn SourceTree) -> bool {
    let package = package_of(file, tree);
    let path = inside(file, &package);
    if is_target(path) || is_named(path, &package, tree) {
        return true;
    }
    let modules = file_modules(file, &package);
    let Some(name) = modules.last().filter(|_| path.starts_with("src/") || path.starts_with("tests/")) else {
        return false;
    };
    let own = file
        .as_str()
        .strip_suffix("/mod.rs")
        .map_or(file.folder(), |folder| folder.rsplit_once('/').map_or("", |(outer, _)| outer));
    let above = above(own, path.starts_with("tests/"), tree);
    above.iter().any(|above| declares(above, name, tree))
}

fn is_target(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    matches!(
        parts.as_slice(),
        ["src", "lib.rs" | "main.rs"]
            | ["src", "bin", _]
            | ["src", "bin", _, "main.rs"]
            | ["tests", _]
            | ["tests", _, "main.rs"]
    )
}

/// Whether the manifest speaks of the path.
fn is_named(path: &str, package: &Package, tree: &dyn SourceTree) -> bool {
    let manifest = RepoPath::in_folder(&package.folder, "Cargo.toml").and_then(|manifest| tree.read(&manifest));
    let path = format!("\"{path}\"");
    manifest.is_some_and(|text| memchr::memmem::find(&text, path.as_bytes()).is_some())
}

/// The files whose modules stand in `folder`.
fn above(folder: &str, is_of_tests: bool, tree: &dyn SourceTree) -> Vec<RepoPath> {
    let own = ["mod.rs", "lib.rs", "main.rs"].into_iter().filter_map(|name| RepoPath::in_folder(folder, name));
    let mut found: Vec<RepoPath> =
        own.chain(RepoPath::new(&format!("{folder}.rs"))).filter(|file| tree.exists(file)).collect();
    if is_of_tests && folder.ends_with("tests") {
        let is_beside =
            |path: &str| path.ends_with(".rs") && path.rsplit_once('/').is_some_and(|(before, _)| before == folder);
        found.extend(tree.find(&is_beside));
    }
    found
}

/// Whether a file declares the module `name`, by whatever path.
fn declares(file: &RepoPath, name: &str, tree: &dyn SourceTree) -> bool {
    let text = tree.read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let declared = format!("mod {name};");
    text.lines().map(str::trim_start).any(|line| !line.starts_with("//") && line.contains(&declared))
}
