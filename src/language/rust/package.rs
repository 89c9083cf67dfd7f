//! The cargo package a file belongs to, as far as its manifest and its path tell, and the module a file is.

use crate::memory::Each;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// A cargo package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    /// Its folder, `""` for the top.
    pub folder: String,
    /// Its name, where the manifest has one.
    pub name: Option<String>,
}

impl Package {
    /// Whether a run means this package by `name`: a package's name, or its crate's.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.as_ref().is_some_and(|own| own.replace('-', "_") == name.replace('-', "_"))
    }
}

/// The packages of the folders that were asked for: most failures of a night are of few.
#[derive(Default)]
struct Packages(Each<String, Package>);

/// The package of `file`: the nearest folder above it whose manifest has a `[package]`. The top where there is none.
pub fn package_of(file: &RepoPath, tree: &dyn SourceTree) -> Package {
    let folder = file.folder();
    let Some(memory) = tree.memory() else { return package_around(folder, tree) };
    memory.of(Packages::default).0.of(folder, || package_around(folder, tree))
}

fn package_around(mut folder: &str, tree: &dyn SourceTree) -> Package {
    loop {
        let manifest = RepoPath::in_folder(folder, "Cargo.toml").and_then(|path| tree.read(&path));
        if let Some(package) = manifest.and_then(|bytes| package_in(folder, &String::from_utf8_lossy(&bytes))) {
            return package;
        }
        if folder.is_empty() {
            return Package::default();
        }
        folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
    }
}

/// The package in `folder` that this manifest describes; `None` where it has no `[package]`.
fn package_in(folder: &str, manifest: &str) -> Option<Package> {
    let mut lines = manifest.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    lines.find(|line| line.replace(' ', "") == "[package]")?;
    let name = lines.take_while(|line| !line.starts_with('[')).find_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "name").then(|| value.trim().trim_matches(['"', '\'']).to_owned())
    });
    Some(Package { folder: folder.to_owned(), name })
}

/// The crate's name by which a package with this manifest uses the package `name`.
pub fn dependency(manifest: &str, name: &str) -> String {
    let package = format!("package=\"{name}\"");
    let mut table = String::new();
    for line in manifest.lines().map(|line| line.replace(' ', "")) {
        if let Some(header) = line.strip_prefix('[') {
            table = header.split(']').next().and_then(|path| path.rsplit('.').next()).unwrap_or_default().to_owned();
        } else if line.starts_with(&package) {
            return crate_name(&table);
        } else if let Some((key, _)) = line.split_once('=').filter(|(_, value)| value.contains(&package)) {
            return crate_name(key);
        }
    }
    crate_name(name)
}

fn crate_name(name: &str) -> String {
    name.trim_matches('"').replace('-', "_")
}

/// The modules that `file` stands for in its package, outermost first: none for the root of a library, program or test
/// binary. A file of a test binary's folder may be named one level too deep or too high: nothing but cargo knows.
pub fn file_modules<'f>(file: &'f RepoPath, package: &Package) -> Vec<&'f str> {
    let inside = file.as_str().strip_prefix(package.folder.as_str()).unwrap_or(file.as_str());
    let mut parts: Vec<&str> = inside.trim_start_matches('/').split('/').collect();
    let name = parts.pop().unwrap_or_default();
    let stem = name.strip_suffix(".rs").unwrap_or(name);
    let root = match parts.as_slice() {
        ["src", "bin", ..] => 2,
        ["src" | "tests" | "benches" | "examples", ..] => 1,
        _ => 0,
    };
    let is_target = parts.len() == root && parts.last().is_some_and(|folder| *folder != "src");
    let is_own_folder = root > 0 && parts.first() != Some(&"src") || root == 2;
    let mut modules = parts.split_off(root);
    if is_own_folder && !modules.is_empty() {
        modules.remove(0);
    }
    if !is_target && !matches!(stem, "mod" | "lib" | "main") {
        modules.push(stem);
    }
    modules
}

#[cfg(test)]
mod tests {
    use super::{Package, dependency, file_modules, package_of};
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    fn check_package(file: &str, folder: &str, name: Option<&str>) {
        let tree = Files::new([
            ("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n[workspace.package]\nname = \"no\"\n"),
            (
                "a/Cargo.toml",
                "# the a\n[package] # here\nversion = \"1\"\nname = \"the-a\" # name\n[lib]\nname = \"x\"\n",
            ),
            ("b/Cargo.toml", "[ package ]\nversion = \"1\"\n[lib]\nname = \"x\"\n"),
        ]);
        let found = package_of(&RepoPath::new(file).unwrap(), &tree);
        assert_eq!(found, Package { folder: folder.to_owned(), name: name.map(str::to_owned) }, "{file}");
    }

    #[test]
    fn a_file_belongs_to_the_nearest_manifest_with_a_package() {
        check_package("a/src/deep/x.rs", "a", Some("the-a"));
        check_package("b/src/lib.rs", "b", None);
        check_package("src/lib.rs", "", None);
        check_package("c/tests/x.rs", "", None);
    }

    fn check_modules(file: &str, expected: &[&str]) {
        let package = Package { folder: "a".to_owned(), name: None };
        assert_eq!(file_modules(&RepoPath::new(file).unwrap(), &package), expected, "{file}");
    }

    #[test]
    fn a_file_is_the_module_that_its_path_tells() {
        check_modules("a/src/lib.rs", &[]);
        check_modules("a/src/rate.rs", &["rate"]);
        check_modules("a/src/board/mod.rs", &["board"]);
        check_modules("a/src/board/tests.rs", &["board", "tests"]);
        check_modules("a/src/bin/tool.rs", &[]);
        check_modules("a/src/bin/tool/main.rs", &[]);
        check_modules("a/src/bin/tool/part.rs", &["part"]);
        check_modules("a/tests/week.rs", &[]);
        check_modules("a/tests/it/main.rs", &[]);
        check_modules("a/tests/it/sub.rs", &["sub"]);
        check_modules("a/lib.rs", &[]);
        check_modules("a/zone.rs", &["zone"]);
    }

    #[test]
    fn a_dependency_may_go_by_another_name() {
        assert_eq!(dependency("[dependencies]\na-b = \"1\"\n", "a-b"), "a_b");
        assert_eq!(dependency("[dependencies]\nx-y = { version = \"1\", package = \"a-b\" }\n", "a-b"), "x_y");
        assert_eq!(dependency("[dev-dependencies.x]\nversion = \"1\"\npackage = \"a-b\"\n", "a-b"), "x");
    }

    #[test]
    fn a_package_answers_to_its_crates_name() {
        let package = Package { folder: String::new(), name: Some("roster-rules".to_owned()) };
        assert!(package.is_called("roster_rules"));
        assert!(!package.is_called("roster"));
        assert!(!Package::default().is_called(""));
    }
}
