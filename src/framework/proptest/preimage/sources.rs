//! Where the library's own source is on this machine: what lock files and cargo tell of the packages that the repository
//! uses.

use std::cmp::Reverse;
use std::path::Path;

use serde::Deserialize;

use super::super::NAME;
use crate::carrier::cargo_lock::{GIT, Locked, REGISTRY, locked, numbers};
use crate::language::rust::package::package_of;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// The command that tells it.
pub(super) const SOURCES: &[&str] = &["cargo", "metadata", "--offline", "--format-version", "1"];

/// The file that describes a package.
const MANIFEST: &str = "Cargo.toml";

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    source: Option<String>,
    manifest_path: String,
}

/// The folder of the library in the registry's cache; of several versions the newest. Nothing where it comes from
/// elsewhere: what takes the place of a registry's package takes that of no other.
pub(super) fn folder(told: &[u8]) -> Option<String> {
    let of_registry = |package: &Package| package.source.as_ref().is_some_and(|source| source.starts_with(REGISTRY));
    let newest = library(told).into_iter().filter(of_registry).max_by_key(|package| numbers(&package.version))?;
    newest.manifest_path.rsplit_once(['/', '\\']).map(|(folder, _)| folder.to_owned())
}

/// The folder in the repository from which it uses the library, by what cargo told, or by its lock files where it told
/// nothing.
///
/// # Errors
/// Why there is no such folder.
pub(super) fn inside(tree: &dyn SourceTree, files: &[RepoPath], told: &[u8]) -> Result<String, &'static str> {
    let known = library(told);
    let sources: Vec<Option<String>> = match &known[..] {
        [] => of_library(tree, files).map(|one| one.source).collect(),
        known => known.iter().map(|package| package.source.clone()).collect(),
    };
    if !sources.contains(&None) {
        let is_of_git = sources.iter().flatten().any(|source| source.starts_with(GIT));
        return Err(if is_of_git {
            "cargo has not checked out the git repository that it is from"
        } else {
            "cargo has not unpacked it here"
        });
    }
    let is_known = |file: &&RepoPath| {
        known.is_empty() || known.iter().any(|package| Path::new(&package.manifest_path).ends_with(file.as_str()))
    };
    stands_in(tree, files.iter().filter(is_known))
}

/// The folder of `tree` whose manifest, one of `files`, is the library's.
///
/// # Errors
/// Why there is no such folder.
pub(super) fn stands_in<'f>(
    tree: &dyn SourceTree,
    files: impl Iterator<Item = &'f RepoPath>,
) -> Result<String, &'static str> {
    let library = |file: &RepoPath| {
        let package = package_of(file, tree);
        (package.folder == file.folder() && package.name.as_deref() == Some(NAME)).then_some(package.folder)
    };
    let mut folders: Vec<String> = files.filter(|file| file.file_name() == MANIFEST).filter_map(library).collect();
    match (folders.pop(), folders.is_empty()) {
        (Some(only), true) => Ok(only),
        (Some(_), false) => Err("it stands in several folders of the repository"),
        (None, _) => Err("its folder is none of the repository's"),
    }
}

/// The commits of git repositories that the lock files among `files` take the library from.
pub(super) fn commits(tree: &dyn SourceTree, files: &[RepoPath]) -> Vec<String> {
    let commit = |one: Locked| Some(one.source?.strip_prefix(GIT)?.rsplit_once('#')?.1.to_owned());
    of_library(tree, files).filter_map(commit).collect()
}

/// The command that tells where a library is that comes from a folder. It asks for no package that is not needed for that.
pub(super) const OUTSIDE: &[&str] = &["cargo", "pkgid", "--offline", NAME];

/// The folder of the lock file among `files` that takes the library from a folder.
pub(super) fn outside_lock(tree: &dyn SourceTree, files: &[RepoPath]) -> Option<String> {
    let is_one = |file: &&RepoPath| of_library(tree, std::slice::from_ref(*file)).any(|one| one.source.is_none());
    files.iter().find(is_one).map(|lock| lock.folder().to_owned())
}

/// The folder that [`OUTSIDE`] tells: `path+file:///the/folder#proptest@1.12.0`, from older cargos without `path+`.
pub(super) fn outside(told: &[u8]) -> Option<String> {
    let told = std::str::from_utf8(told).ok()?;
    let url = told.strip_prefix("path+").unwrap_or(told).strip_prefix("file://")?;
    let bytes = unescaped(url.split(['#', '\n']).next()?.as_bytes())?;
    String::from_utf8(bytes).ok().filter(|folder| Path::new(folder).is_absolute())
}

/// The bytes that a URL stands for, in which some are written as `%20`.
fn unescaped(url: &[u8]) -> Option<Vec<u8>> {
    let (mut bytes, mut rest) = (Vec::new(), url);
    while let Some((first, after)) = rest.split_first() {
        match (first, after) {
            (b'%', [high, low, after @ ..]) => {
                let digits = [*high, *low];
                bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
                rest = after;
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    Some(bytes)
}

/// The versions of the library that cargo tells of.
fn library(told: &[u8]) -> Vec<Package> {
    let packages = serde_json::from_slice(told).map_or(Vec::new(), |metadata: Metadata| metadata.packages);
    packages.into_iter().filter(|package| package.name == NAME).collect()
}

/// What the registry's folders of the library are called, by the lock files among `files`, newest version first. Cargo
/// itself tells of no package where one is missing, be it one for another system that no build here needs.
pub(super) fn releases(tree: &dyn SourceTree, files: &[RepoPath]) -> Vec<String> {
    let of_registry = of_library(tree, files).filter(Locked::is_of_registry);
    let mut versions: Vec<String> = of_registry.map(|one| one.version).collect();
    versions.sort_by_key(|version| Reverse(numbers(version)));
    versions.dedup();
    versions.into_iter().map(|version| format!("{NAME}-{version}")).collect()
}

/// The library in all lock files.
fn of_library(tree: &dyn SourceTree, files: &[RepoPath]) -> impl Iterator<Item = Locked> {
    locked(tree, files).into_iter().filter(|one| one.name == NAME)
}

#[cfg(test)]
mod tests {
    use super::{commits, folder, inside, outside, outside_lock, releases};
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    #[track_caller]
    fn check(packages: &[(&str, &str, &str)], expected: Option<&str>) {
        let package = |(name, version, source): &(&str, &str, &str)| {
            let path = format!("/r/{name}-{version}/Cargo.toml");
            serde_json::json!({ "name": name, "version": version, "source": source, "manifest_path": path })
        };
        let packages: Vec<_> = packages.iter().map(package).collect();
        let told = serde_json::json!({ "packages": packages }).to_string();
        assert_eq!(folder(told.as_bytes()).as_deref(), expected);
    }

    #[test]
    fn the_newest_of_the_registrys_is_taken() {
        let registry = "registry+x";
        check(
            &[
                ("proptest", "1.9.0", registry),
                ("proptest", "1.12.0", registry),
                ("proptest-derive", "2.0.0", registry),
            ],
            Some("/r/proptest-1.12.0"),
        );
        check(&[("proptest", "1.12.0", "git+x")], None);
        check(&[("rand", "1.12.0", registry)], None);
    }

    #[test]
    fn a_folder_of_the_repository_is_found_by_the_lock_file_or_by_what_cargo_told() {
        const LIBRARY: &str = "[package]\nname = \"proptest\"\nversion = \"1.12.0\"\n";
        let lock = |source: &str| format!("[[package]]\nname = \"proptest\"\nversion = \"1.12.0\"\n{source}");
        let told = |source: Option<&str>, path: &str| {
            let package = serde_json::json!(
                { "name": "proptest", "version": "1.12.0", "source": source, "manifest_path": path }
            );
            serde_json::json!({ "packages": [package] }).to_string()
        };
        let check = |files: &[(&str, &str)], told: &str, expected: Result<&str, &str>| {
            let paths: Vec<RepoPath> = files.iter().filter_map(|(path, _)| RepoPath::new(path)).collect();
            let found = inside(&Files::new(files.iter().copied()), &paths, told.as_bytes());
            assert_eq!(found.as_deref(), expected.as_ref().copied(), "{files:?} {told}");
        };
        let (of_path, of_git) = (lock(""), lock("source = \"git+https://example.org/p\"\n"));
        let own = ("Cargo.toml", "[package]\nname = \"a\"\n");
        let (third, other) = (("third/proptest/Cargo.toml", LIBRARY), ("other/Cargo.toml", LIBRARY));
        check(&[("Cargo.lock", &of_path), own, third], "", Ok("third/proptest"));
        check(&[("Cargo.lock", &of_path), ("Cargo.toml", LIBRARY)], "", Ok(""));
        check(&[own, third, other], &told(None, "/s/other/Cargo.toml"), Ok("other"));

        let several = "it stands in several folders of the repository";
        check(&[("Cargo.lock", &of_path), own, third, other], "", Err(several));
        let outside = "its folder is none of the repository's";
        check(&[("Cargo.lock", &of_path), own], "", Err(outside));
        check(&[("Cargo.lock", &of_path), own, third], &told(None, "/else/p/Cargo.toml"), Err(outside));
        let git = "cargo has not checked out the git repository that it is from";
        check(&[("Cargo.lock", &of_git), own, third], "", Err(git));
        check(&[own, third], &told(Some("git+https://example.org/p"), "/g/p/Cargo.toml"), Err(git));
        check(&[own, third], "", Err("cargo has not unpacked it here"));
    }

    #[test]
    fn the_lock_files_say_the_versions() {
        let package = |name: &str, version: &str, source: &str| {
            format!(
                "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n{source}dependencies = [\n \"rand\",\n]\n\n"
            )
        };
        let registry = "source = \"registry+https://example.org/index\"\n";
        let of = |packages: &[String]| format!("version = 4\n\n{}", packages.concat());
        let first = of(&[package("proptest", "1.7.0", registry), package("proptest-derive", "2.0.0", registry)]);
        let second = of(&[package("proptest", "1.10.0", registry), package("proptest", "3.0.0", "")]);
        let git = of(&[package("proptest", "1.7.0", "source = \"git+https://example.org/p\"\n")]);
        let check = |locks: &[(&str, &str)], expected: &[&str]| {
            let files: Vec<RepoPath> = locks.iter().filter_map(|(path, _)| RepoPath::new(path)).collect();
            assert_eq!(releases(&Files::new(locks.iter().copied()), &files), expected);
        };
        check(&[("Cargo.lock", &first), ("other/Cargo.lock", &first)], &["proptest-1.7.0"]);
        check(&[("Cargo.lock", &first), ("rust/Cargo.lock", &second)], &["proptest-1.10.0", "proptest-1.7.0"]);
        check(&[("Cargo.lock", &git), ("src/lib.rs", &first)], &[]);
    }

    #[test]
    fn a_library_from_git_or_from_another_folder_is_told_by_its_lock_file() {
        let lock = |source: &str| format!("[[package]]\nname = \"proptest\"\nversion = \"1.12.0\"\n{source}");
        let git = lock("source = \"git+file:///p?branch=main#0123abcd\"\n");
        let tree = Files::new([("Cargo.lock", git.as_str()), ("rust/Cargo.lock", &lock(""))]);
        let paths = ["Cargo.lock", "rust/Cargo.lock"].map(|path| RepoPath::new(path).unwrap());
        assert_eq!(commits(&tree, &paths), ["0123abcd"]);
        assert_eq!(outside_lock(&tree, &paths).as_deref(), Some("rust"));
        assert_eq!(outside_lock(&tree, &paths[..1]), None);
    }

    #[test]
    fn the_folder_of_a_library_from_elsewhere_is_what_cargo_tells() {
        let check = |told: &str, expected: Option<&str>| assert_eq!(outside(told.as_bytes()).as_deref(), expected);
        check("path+file:///a/b#proptest@1.12.0\n", Some("/a/b"));
        check("file:///a%20b/c#1.12.0\n", Some("/a b/c"));
        check("registry+https://example.org/index#proptest@1.12.0\n", None);
        check("path+file:///a%2\n", Some("/a%2"));
        check("path+file:///a%zz\n", None);
        check("", None);
    }
}
