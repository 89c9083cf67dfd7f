//! The packages that a repository uses, as cargo's lock files tell of them.

use std::collections::BTreeMap;

use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// The file that says which versions are used.
const LOCK: &str = "Cargo.lock";

/// What the source of a package begins with that is from a registry.
pub const REGISTRY: &str = "registry+";

/// The same of one that is from a git repository.
pub const GIT: &str = "git+";

/// A package as a lock file tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locked {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Where it is from: nothing where it is a folder's.
    pub source: Option<String>,
}

impl Locked {
    /// Whether it is a registry's.
    pub fn is_of_registry(&self) -> bool {
        self.source.as_ref().is_some_and(|source| source.starts_with(REGISTRY))
    }
}

/// Every package that the lock files among `files` take from a registry, of several versions the newest: what code calls it,
/// and what the registry's folder of it is called.
pub fn packages(tree: &dyn SourceTree, files: &[RepoPath]) -> Vec<(String, String)> {
    let mut newest: BTreeMap<String, String> = BTreeMap::new();
    for Locked { name, version, .. } in locked(tree, files).into_iter().filter(Locked::is_of_registry) {
        let known = newest.entry(name).or_default();
        if numbers(known) < numbers(&version) {
            *known = version;
        }
    }
    newest.into_iter().map(|(name, version)| (name.replace('-', "_"), format!("{name}-{version}"))).collect()
}

/// The packages of all lock files.
pub fn locked(tree: &dyn SourceTree, files: &[RepoPath]) -> Vec<Locked> {
    let locks = files.iter().filter(|file| file.file_name() == LOCK).filter_map(|file| tree.read(file));
    locks.flat_map(|lock| in_file(&String::from_utf8_lossy(&lock))).collect()
}

/// The same of one lock file.
fn in_file(lock: &str) -> Vec<Locked> {
    let value = |package: &str, key: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""))?;
        line.strip_suffix('"').map(str::to_owned)
    };
    let locked = |package| {
        let source = value(package, "source");
        Some(Locked { name: value(package, "name")?, version: value(package, "version")?, source })
    };
    lock.split("[[package]]").skip(1).filter_map(locked).collect()
}

/// The numbers of a version, by which it is older or newer than others.
pub fn numbers(version: &str) -> Vec<u64> {
    version.split(['.', '-']).map_while(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::packages;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    #[test]
    fn of_several_versions_of_a_registry_the_newest_is_told() {
        let package = |name: &str, version: &str, source: &str| {
            format!(
                "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n{source}dependencies = [\n \"rand\",\n]\n\n"
            )
        };
        let registry = "source = \"registry+https://example.org/index\"\n";
        let lock = [
            package("a-b", "1.7.0", registry),
            package("a-b-c", "2.0.0", registry),
            package("a-b", "1.10.0", registry),
            package("a-b", "3.0.0", ""),
            package("d", "1.0.0", "source = \"git+https://example.org/d\"\n"),
        ];
        let tree = Files::new([("Cargo.lock", lock.concat().as_str()), ("src/lib.rs", "")]);
        let files = ["Cargo.lock", "src/lib.rs"].map(|path| RepoPath::new(path).unwrap());
        let told = packages(&tree, &files);
        let told: Vec<(&str, &str)> = told.iter().map(|(name, folder)| (name.as_str(), folder.as_str())).collect();
        assert_eq!(told, [("a_b", "a-b-1.10.0"), ("a_b_c", "a-b-c-2.0.0")]);
    }
}
