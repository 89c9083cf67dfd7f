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
    from_top(&parts, tree, fits).or_else(|| from_anywhere(&parts, tree, fits))
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
    let last_start = parts.len().checked_sub(least(parts))?;
    (0..=last_start)
        .filter_map(|start| RepoPath::new(&parts[start..].join("/")))
        .find(|file| tree.exists(file) && fits(file))
}

fn from_anywhere(parts: &[&str], tree: &dyn SourceTree, fits: &dyn Fn(&RepoPath) -> bool) -> Option<RepoPath> {
    let is_named = |file: &str| file.rsplit('/').next() == parts.last().copied();
    // Files that git tracks are listed quickly.
    nearest(parts, tree.tracked(&is_named), fits).or_else(|| nearest(parts, tree.find(&is_named), fits))
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
    use super::file;
    use crate::failure::ForeignPath;
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
