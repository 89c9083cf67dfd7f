//! Maps a path that a run printed, perhaps on another machine and under another root, to a file of this repository. What
//! lies in a dependency or the toolchain is never mapped, however much its end looks like a path of ours.

use crate::failure::ForeignPath;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// More parts at the end of a path than any repository nests.
const MOST_PARTS: usize = 64;

/// The file that `path` speaks of and that `fits`. First the longest end of the path that is a file from the top of the
/// work tree; else, as the run may have been started in a subfolder of the repository, the file that shares the longest
/// end with it. Ends of a single part count only where the path has no more.
///
/// `fits` chooses among several files of the same name, by the package or by what stands in them.
pub fn file(path: &ForeignPath, tree: &dyn SourceTree, fits: &dyn Fn(&RepoPath) -> bool) -> Option<RepoPath> {
    let parts = parts(path);
    if in_dependency(path) {
        return None;
    }
    from_top(&parts, tree, fits).or_else(|| tracked(&parts, tree, fits)).or_else(|| listed(&parts, tree, fits))
}

/// The file that the longest end of `path` names from the top of the work tree. No list of files is asked for it.
pub fn from_the_top(path: &ForeignPath, tree: &dyn SourceTree) -> Option<RepoPath> {
    if in_dependency(path) { None } else { from_top(&parts(path), tree, &|_| true) }
}

/// The file that `path` speaks of, where that is one that git tracks, or lies below a folder around `known`, which the same
/// run named: the folders are asked for it, and files that git does not track are not listed.
pub fn near(path: &ForeignPath, known: &RepoPath, tree: &dyn SourceTree) -> Option<RepoPath> {
    let parts = parts(path);
    if in_dependency(path) {
        return None;
    }
    let around: Vec<&str> = std::iter::once("").chain(known.folders()).collect();
    let below = |end: &str| {
        let mut files = around.iter().filter_map(|folder| RepoPath::in_folder(folder, end));
        files.find(|file| tree.exists(file))
    };
    ends(&parts).find_map(|end| below(&end)).or_else(|| tracked(&parts, tree, &|_| true))
}

/// Whether `path` may speak of `known`, a file that is there: what [`file()`] says where only that one fits, without a look
/// at any other.
pub fn means(path: &ForeignPath, known: &RepoPath) -> bool {
    let parts = parts(path);
    !in_dependency(path) && !parts.is_empty() && shared_end(&parts, known) >= least(&parts)
}

/// The parts of a foreign path from its last 64, `.` and `..` folded, `\` read as `/`.
pub fn parts(path: &ForeignPath) -> Vec<&str> {
    let mut parts = Vec::new();
    for part in path.0.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.drain(..parts.len().saturating_sub(MOST_PARTS));
    parts
}

/// Whether the path starts at the root of a file system or at a drive.
pub fn is_absolute(path: &ForeignPath) -> bool {
    path.0.starts_with(['/', '\\']) || path.0.as_bytes().get(1) == Some(&b':')
}

/// How many parts two paths share, counted from the end.
pub fn shared_end(path: &[&str], file: &RepoPath) -> usize {
    path.iter().rev().zip(file.as_str().rsplit('/')).take_while(|(a, b)| *a == b).count()
}

fn least(parts: &[&str]) -> usize {
    parts.len().clamp(1, 2)
}

fn from_top(parts: &[&str], tree: &dyn SourceTree, fits: &dyn Fn(&RepoPath) -> bool) -> Option<RepoPath> {
    ends(parts).filter_map(|end| RepoPath::new(&end)).find(|file| tree.exists(file) && fits(file))
}

/// The ends of a path that may be that of a file, longest first.
fn ends(parts: &[&str]) -> impl Iterator<Item = String> {
    let number = (parts.len() + 1).saturating_sub(least(parts));
    (0..number.min(parts.len())).map(|start| parts[start..].join("/"))
}

/// The nearest of the files that git tracks: they are listed quickly.
fn tracked(parts: &[&str], tree: &dyn SourceTree, fits: &dyn Fn(&RepoPath) -> bool) -> Option<RepoPath> {
    nearest(parts, tree.tracked(&|file| is_named(file, parts)), fits)
}

/// The nearest of all files.
fn listed(parts: &[&str], tree: &dyn SourceTree, fits: &dyn Fn(&RepoPath) -> bool) -> Option<RepoPath> {
    nearest(parts, tree.find(&|file| is_named(file, parts)), fits)
}

fn is_named(file: &str, parts: &[&str]) -> bool {
    file.rsplit('/').next() == parts.last().copied()
}

/// The file among `files` that fits and shares the longest end with the path, the one least deep first.
fn nearest(parts: &[&str], files: Vec<RepoPath>, fits: &dyn Fn(&RepoPath) -> bool) -> Option<RepoPath> {
    let mut found: Vec<(usize, RepoPath)> = files
        .into_iter()
        .map(|file| (shared_end(parts, &file), file))
        .filter(|(shared, _)| *shared >= least(parts))
        .collect();
    found.sort_by_key(|(shared, file)| (std::cmp::Reverse(*shared), file.as_str().matches('/').count()));
    found.into_iter().map(|(_, file)| file).find(|file| fits(file))
}

/// Whether the path is that of a dependency's or the toolchain's source.
pub fn in_dependency(path: &ForeignPath) -> bool {
    if !is_absolute(path) {
        return false;
    }
    let parts = parts(path);
    let own_folder = |part: &&str| matches!(*part, ".cargo" | ".rustup" | "node_modules" | "site-packages");
    parts.first() == Some(&"rustc")
        || parts.iter().any(own_folder)
        || parts.windows(3).any(|run| run[..2] == ["registry", "src"] && is_registry_folder(run[2]))
}

/// Whether a folder is named as cargo names its copy of a registry: the host, `-` and 16 hex digits.
fn is_registry_folder(name: &str) -> bool {
    name.rsplit_once('-').is_some_and(|(_, hash)| hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::{file, means};
    use crate::failure::ForeignPath;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    const FILES: &[&str] = &[
        "Cargo.toml",
        "src/lib.rs",
        "src/rate.rs",
        "backend/core/src/rate.rs",
        "backend/core/src/zone.rs",
        "backend/gate/src/zone.rs",
        "backend/gate/src/runner.rs",
        "registry/src/index.rs",
        "build.rs",
    ];

    #[track_caller]
    fn check(path: &str, within: &str, expected: Option<&str>) {
        let tree = Files::new(FILES.iter().map(|file| (*file, "")));
        let found = file(&ForeignPath(path.to_owned()), &tree, &|file| file.as_str().starts_with(within));
        assert_eq!(found.as_ref().map(|file| file.as_str()), expected, "{path}");
        for known in FILES.iter().filter_map(|file| RepoPath::new(file)) {
            let path = ForeignPath(path.to_owned());
            assert_eq!(means(&path, &known), file(&path, &tree, &|file| *file == known).is_some(), "{path:?} {known}");
        }
    }

    #[test]
    fn a_path_from_the_top_is_itself() {
        check("src/rate.rs", "", Some("src/rate.rs"));
        check("./src/../src/rate.rs", "", Some("src/rate.rs"));
        check("build.rs", "", Some("build.rs"));
    }

    #[test]
    fn a_path_of_another_machine_is_known_by_its_end() {
        check("/home/runner/work/p/p/src/rate.rs", "", Some("src/rate.rs"));
        check("/builds/p/backend/core/src/zone.rs", "", Some("backend/core/src/zone.rs"));
        check(r"D:\a\p\p\backend\gate\src\zone.rs", "", Some("backend/gate/src/zone.rs"));
    }

    #[test]
    fn a_file_is_near_below_the_folders_around_what_is_known_or_among_those_that_git_tracks() {
        let tree = Files::new(FILES.iter().map(|file| (*file, "")));
        let check = |path: &str, known: &str, expected: Option<&str>| {
            let found = super::near(&ForeignPath(path.to_owned()), &RepoPath::new(known).unwrap(), &tree);
            assert_eq!(found.as_ref().map(RepoPath::as_str), expected, "{path}");
        };
        check("/builds/p/backend/core/src/zone.rs", "src/lib.rs", Some("backend/core/src/zone.rs"));
        check("gate/src/zone.rs", "backend/core/src/rate.rs", Some("backend/gate/src/zone.rs"));
        check("/w/src/zone.rs", "backend/gate/src/runner.rs", Some("backend/gate/src/zone.rs"));
        check("core/src/zone.rs", "src/lib.rs", Some("backend/core/src/zone.rs"));
        check("src/gone.rs", "backend/core/src/rate.rs", None);
        check("/home/ci/.cargo/registry/src/index.rs", "src/lib.rs", None);
    }

    #[test]
    fn a_workspace_in_a_subfolder_prints_paths_from_there() {
        check("core/src/zone.rs", "", Some("backend/core/src/zone.rs"));
        check("gate/src/zone.rs", "", Some("backend/gate/src/zone.rs"));
    }

    #[test]
    fn what_fits_decides_between_files_of_one_name() {
        check("src/rate.rs", "backend", Some("backend/core/src/rate.rs"));
        check("src/zone.rs", "backend/gate", Some("backend/gate/src/zone.rs"));
        check("src/zone.rs", "tools", None);
    }

    #[test]
    fn a_dependency_is_not_ours() {
        check("/home/ci/.cargo/registry/src/example-1949cf8c6b5b557f/dep-1.0.0/src/lib.rs", "", None);
        check("/usr/local/cargo/registry/src/example-1949cf8c6b5b557f/dep-1.0.0/src/lib.rs", "", None);
        check("/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/lib.rs", "", None);
        check("/home/ci/registry/src/index.rs", "", Some("registry/src/index.rs"));
    }

    #[test]
    fn a_file_name_alone_matches_only_where_the_path_has_no_more() {
        check("/elsewhere/tests/rate.rs", "", None);
        check("lib.rs", "", Some("src/lib.rs"));
        check("/", "", None);
        check("", "", None);
    }
}
