//! Where the library's own source is on this machine: what lock files and cargo tell of the packages that the repository
//! uses.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::NAME;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// The command that tells it.
pub(super) const SOURCES: &[&str] = &["cargo", "metadata", "--offline", "--format-version", "1"];

/// The file that says which versions are used.
const LOCK: &str = "Cargo.lock";

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
/// elsewhere: cargo lets a copy take the place of a registry's package only.
pub(super) fn folder(told: &[u8]) -> Option<String> {
    let metadata: Metadata = serde_json::from_slice(told).ok()?;
    let of_registry = |package: &Package| package.source.as_ref().is_some_and(|source| source.starts_with("registry+"));
    let library = metadata.packages.into_iter().filter(|package| package.name == NAME && of_registry(package));
    let newest = library.max_by_key(|package| numbers(&package.version))?;
    newest.manifest_path.rsplit_once(['/', '\\']).map(|(folder, _)| folder.to_owned())
}

/// What the registry's folders of the library are called, by the lock files among `files`, newest version first. Cargo
/// itself tells of no package where one is missing, be it one for another system that no build here needs.
pub(super) fn releases(tree: &dyn SourceTree, files: &[RepoPath]) -> Vec<String> {
    let of_library = locked(tree, files).into_iter().filter(|(name, _)| name == NAME);
    let mut versions: Vec<String> = of_library.map(|(_, version)| version).collect();
    versions.sort_by_key(|version| Reverse(numbers(version)));
    versions.dedup();
    versions.into_iter().map(|version| format!("{NAME}-{version}")).collect()
}

/// Every package that the lock files among `files` take from a registry, of several versions the newest: what code calls it,
/// and what the registry's folder of it is called.
pub(in crate::framework::proptest) fn locked_packages(
    tree: &dyn SourceTree,
    files: &[RepoPath],
) -> Vec<(String, String)> {
    let mut newest: BTreeMap<String, String> = BTreeMap::new();
    for (name, version) in locked(tree, files) {
        let known = newest.entry(name).or_default();
        if numbers(known) < numbers(&version) {
            *known = version;
        }
    }
    newest.into_iter().map(|(name, version)| (name.replace('-', "_"), format!("{name}-{version}"))).collect()
}

/// The packages that lock files take from a registry, with their versions.
fn locked(tree: &dyn SourceTree, files: &[RepoPath]) -> Vec<(String, String)> {
    let locks = files.iter().filter(|file| file.file_name() == LOCK).filter_map(|file| tree.read(file));
    locks.flat_map(|lock| packages(&String::from_utf8_lossy(&lock))).collect()
}

/// The same of one lock file.
fn packages(lock: &str) -> Vec<(String, String)> {
    let value = |package: &str, key: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""))?;
        line.strip_suffix('"').map(str::to_owned)
    };
    let of_registry = |package: &&str| value(package, "source").is_some_and(|source| source.starts_with("registry+"));
    let packages = lock.split("[[package]]").filter(of_registry);
    packages.filter_map(|package| Some((value(package, "name")?, value(package, "version")?))).collect()
}

fn numbers(version: &str) -> Vec<u64> {
    version.split(['.', '-']).map_while(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::{folder, locked_packages, releases};
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
        let both = format!("{first}{second}");
        let told =
            locked_packages(&Files::new([("Cargo.lock", both.as_str())]), &[RepoPath::new("Cargo.lock").unwrap()]);
        let told: Vec<(&str, &str)> = told.iter().map(|(name, folder)| (name.as_str(), folder.as_str())).collect();
        assert_eq!(told, [("proptest", "proptest-1.10.0"), ("proptest_derive", "proptest-derive-2.0.0")]);
    }
}
