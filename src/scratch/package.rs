//! A package from elsewhere, where this machine has it: unpacked from a registry, checked out from a git repository, or in a
//! folder that somebody keeps it in.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Deepest folder of a package that is read.
const DEEPEST: usize = 12;

/// How far above a package the manifest may stand that its own takes parts of.
const HIGHEST: usize = 6;

/// The fewest digits by which cargo calls the checkout of a commit.
const SHORTEST: usize = 7;

/// The folder of a package from elsewhere.
#[derive(Debug)]
pub struct Package {
    /// The folder that holds all that its manifest speaks of: its own, or its workspace's.
    top: PathBuf,
    /// Its own folder in that one, `""` for the same.
    inside: String,
    files: Vec<RepoPath>,
}

impl Package {
    /// The package whose folder is called `name` among those that cargo has unpacked from a registry.
    pub fn unpacked(name: &str) -> Option<Package> {
        unpacked(&cargo_home()?, name).map(|folder| Package::open(&folder))
    }

    /// The whole repository of the commit `id` among those that cargo has checked out.
    pub fn checked_out(id: &str) -> Option<Package> {
        checked_out(&cargo_home()?, id).map(|folder| Package::open(&folder))
    }

    /// All that stands in `folder`, as one package.
    pub fn open(folder: &Path) -> Package {
        Package::of(folder.to_owned(), String::new())
    }

    /// The package in `folder` with the workspace that it is part of.
    pub fn open_in_workspace(folder: &Path) -> Package {
        let is_workspace = |above: &&Path| {
            let manifest = fs::read_to_string(above.join("Cargo.toml")).unwrap_or_default();
            manifest.lines().any(|line| line.trim_start().starts_with("[workspace"))
        };
        let top = folder.ancestors().take(HIGHEST).find(is_workspace).unwrap_or(folder);
        let inside = folder.strip_prefix(top).ok().and_then(Path::to_str);
        match inside {
            Some(inside) => Package::of(top.to_owned(), inside.to_owned()),
            None => Package::open(folder),
        }
    }

    /// The package in the folder `inside` of what this holds.
    #[must_use]
    pub fn part(self, inside: &str) -> Package {
        if inside.is_empty() { self } else { Package::of(self.folder(), inside.to_owned()) }
    }

    fn of(top: PathBuf, inside: String) -> Package {
        let mut package = Package { top, inside, files: Vec::new() };
        let folder = package.folder();
        walk(&folder, "", DEEPEST, &mut package.files);
        package.files.sort();
        package
    }

    /// Its folder.
    pub fn folder(&self) -> PathBuf {
        self.top.join(&self.inside)
    }

    pub(super) fn top(&self) -> &Path {
        &self.top
    }

    pub(super) fn inside(&self) -> &str {
        &self.inside
    }

    /// Its files.
    pub fn files(&self) -> &[RepoPath] {
        &self.files
    }

    /// What stands on the way from the top to its folder, and leads to neither: files that its manifest may go by, and
    /// folders of packages beside it.
    pub(super) fn beside(&self) -> (Vec<RepoPath>, Vec<RepoPath>) {
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        let mut above = String::new();
        for part in self.inside.split('/').filter(|part| !part.is_empty()) {
            for (path, name) in named(&self.top.join(&above)).filter(|(_, name)| name != part) {
                let Some(own) = RepoPath::in_folder(&above, &name) else { continue };
                match path.is_dir() {
                    true if is_source(&path, &name) => folders.push(own),
                    true => {}
                    false => files.push(own),
                }
            }
            above = if above.is_empty() { part.to_owned() } else { format!("{above}/{part}") };
        }
        (files, folders)
    }
}

impl SourceTree for Package {
    fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        self.files.binary_search(path).ok()?;
        fs::read(self.folder().join(path.as_str())).ok().map(Arc::from)
    }

    fn find(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        self.files.iter().filter(|file| wanted(file.as_str())).cloned().collect()
    }
}

/// Adds the files in the folder `inside` of `folder` to `files`.
fn walk(folder: &Path, inside: &str, deepest: usize, files: &mut Vec<RepoPath>) {
    let Some(deeper) = deepest.checked_sub(1) else { return };
    for (path, name) in named(&folder.join(inside)) {
        let Some(own) = RepoPath::in_folder(inside, &name) else { continue };
        match fs::symlink_metadata(&path) {
            Ok(known) if known.is_dir() && is_source(&path, &name) => walk(folder, own.as_str(), deeper, files),
            Ok(known) if known.is_file() || known.is_symlink() => files.push(own),
            _ => {}
        }
    }
}

/// Whether a folder may hold sources: neither what a build leaves nor what is hidden.
fn is_source(path: &Path, name: &str) -> bool {
    !name.starts_with('.') && !path.join("CACHEDIR.TAG").exists()
}

/// Cargo's own folder.
#[expect(
    clippy::disallowed_methods,
    reason = "where cargo keeps what it downloads is the machine's and no repository's"
)]
pub(super) fn cargo_home() -> Option<PathBuf> {
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}

/// The folder called `name` of any registry whose packages are unpacked in `home`.
pub(super) fn unpacked(home: &Path, name: &str) -> Option<PathBuf> {
    let mut registries = listed(&home.join("registry").join("src"));
    registries.sort();
    registries.into_iter().map(|registry| registry.join(name)).find(|folder| folder.is_dir())
}

/// The checkout of the commit `id` in `home`; cargo calls it by the id's first digits.
fn checked_out(home: &Path, id: &str) -> Option<PathBuf> {
    let mut repositories = listed(&home.join("git").join("checkouts"));
    repositories.sort();
    let is_it = |name: &str| name.len() >= SHORTEST && id.starts_with(name);
    repositories.iter().flat_map(|repository| named(repository)).find_map(|(path, name)| is_it(&name).then_some(path))
}

/// What stands in `folder`, each with its name; what has no name in UTF-8 is left out.
fn named(folder: &Path) -> impl Iterator<Item = (PathBuf, String)> + use<> {
    listed(folder).into_iter().filter_map(|path| {
        let name = path.file_name()?.to_str()?.to_owned();
        Some((path, name))
    })
}

pub(super) fn listed(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).map_or_else(|_| Vec::new(), |all| all.filter_map(|one| Some(one.ok()?.path())).collect())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{Package, checked_out, unpacked};
    use crate::repo_path::RepoPath;

    #[expect(clippy::disallowed_methods, reason = "the test plays cargo")]
    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn names(paths: &[RepoPath]) -> Vec<&str> {
        let mut names: Vec<&str> = paths.iter().map(RepoPath::as_str).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn a_package_is_found_unpacked_from_any_registry() {
        let home = tempfile::tempdir().unwrap();
        let sources = home.path().join("registry").join("src");
        assert_eq!(unpacked(home.path(), "a-1.2.0"), None);
        fs::create_dir_all(sources.join("first").join("a-1.2.1")).unwrap();
        let folder = sources.join("second").join("a-1.2.0");
        fs::create_dir_all(&folder).unwrap();
        assert_eq!(unpacked(home.path(), "a-1.2.0"), Some(folder));
        assert_eq!(unpacked(home.path(), "a-1.3.0"), None);
    }

    #[test]
    fn a_commit_is_found_checked_out_by_the_first_digits_of_its_id() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("git/checkouts/p-1a2b/0123abcd");
        fs::create_dir_all(&folder).unwrap();
        fs::create_dir_all(home.path().join("git/checkouts/p-1a2b/0")).unwrap();
        assert_eq!(checked_out(home.path(), "0123abcdef0123"), Some(folder));
        assert_eq!(checked_out(home.path(), "0123abce"), None);
    }

    #[test]
    fn a_package_of_a_workspace_has_what_stands_around_it() {
        let home = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| write(&home.path().join(name), text);
        write("w/Cargo.toml", "# all\n[workspace]\n");
        write("w/deep/p/Cargo.toml", "[package]\n");
        write("w/deep/p/src/lib.rs", "");
        write("w/deep/p/target/CACHEDIR.TAG", "");
        write("w/deep/q/Cargo.toml", "[package]\n");
        write("w/deep/notes", "");
        write("w/.git/HEAD", "");
        write("w/target/CACHEDIR.TAG", "");
        write("w/r/Cargo.toml", "[package]\n");
        let package = Package::open_in_workspace(&home.path().join("w/deep/p"));
        assert_eq!((package.top(), package.inside()), (home.path().join("w").as_path(), "deep/p"));
        assert_eq!(names(package.files()), ["Cargo.toml", "src/lib.rs"]);
        let (files, folders) = package.beside();
        assert_eq!(names(&files), ["Cargo.toml", "deep/notes"]);
        assert_eq!(names(&folders), ["deep/q", "r"]);

        let alone = Package::open_in_workspace(&home.path().join("other"));
        assert_eq!((alone.inside(), alone.beside()), ("", (Vec::new(), Vec::new())));
        let part = Package::open(&home.path().join("w")).part("deep/p");
        assert_eq!(names(part.files()), names(package.files()));
    }
}
