//! Which targets of its package a source file is compiled into, as cargo's switches choose them.

use super::items::{Root, roots};
use super::package::{Package, package_of};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// A file's package and the targets that hold it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Targets {
    /// The package.
    pub package: Package,
    /// The targets; none where only cargo knows.
    pub built: Vec<Target>,
}

/// A target of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Cargo's switches for it, such as `--lib` or `--test week`.
    pub switches: Vec<String>,
    /// Its root file, from its package's folder.
    pub source: String,
    /// The name of the crate that it is built as.
    pub crate_name: String,
}

impl Targets {
    /// Cargo's switches for all of them.
    pub fn switches(&self) -> Vec<Vec<String>> {
        self.built.iter().map(|target| target.switches.clone()).collect()
    }
}

impl Target {
    fn new(root: &Root, package: &Package) -> Target {
        let path = root.path.as_str();
        let source = path.strip_prefix(package.folder.as_str()).unwrap_or(path).trim_start_matches('/').to_owned();
        Target { switches: root.switches(), source, crate_name: root.crate_name() }
    }

    /// Its kind and name as nextest has them and as a run names binaries: `lib`, `bin/tool`, `test/week`.
    pub fn name(&self) -> String {
        let words: Vec<&str> = self.switches.iter().map(|word| word.trim_start_matches('-')).collect();
        words.join("/")
    }
}

/// The targets that `file` is compiled into.
pub fn targets(file: &RepoPath, tree: &dyn SourceTree) -> Targets {
    let package = package_of(file, tree);
    let mut roots = roots(file, &package.folder, tree);
    if roots.iter().any(|root| root.path == *file) {
        roots.retain(|root| root.path == *file);
    } else if roots.iter().any(|root| declares(root, file, tree)) {
        roots.retain(|root| declares(root, file, tree));
    }
    Targets { built: roots.iter().map(|root| Target::new(root, &package)).collect(), package }
}

/// Whether the root file has a `mod` for the file, or for the outermost folder on the way to it. A comment may say so as
/// well: then a target more is built.
fn declares(root: &Root, file: &RepoPath, tree: &dyn SourceTree) -> bool {
    let inside = file.as_str().strip_prefix(root.path.folder()).unwrap_or(file.as_str()).trim_start_matches('/');
    let module = inside.split('/').next().unwrap_or_default().trim_end_matches(".rs");
    let text = tree.read(&root.path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let words =
        text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty() && *word != "r");
    let words: Vec<&str> = words.collect();
    words.windows(2).any(|pair| pair == ["mod", module])
}

#[cfg(test)]
mod tests {
    use super::targets;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    const FILES: &[(&str, &str)] = &[
        ("a/Cargo.toml", "[package]\nname = \"the-a\"\n"),
        ("a/src/lib.rs", "mod rate;\npub mod board { mod deep; }"),
        ("a/src/main.rs", "mod shell;"),
        ("a/src/bin/tool.rs", ""),
        ("a/src/bin/big/main.rs", ""),
        ("a/src/bin/big/part.rs", ""),
        ("a/tests/week.rs", ""),
        ("a/tests/month.rs", ""),
        ("a/tests/it/main.rs", ""),
        ("a/tests/it/sub.rs", ""),
        (
            "b/Cargo.toml",
            "[package]\nname = \"b\"\nautotests = false\n[lib]\npath = \"b.rs\"\n[[test]]\nname = \"all\"\npath = \"tests/main.rs\"\n",
        ),
        ("b/b.rs", ""),
        ("b/tests/main.rs", "mod x;"),
        ("c/Cargo.toml", "[package]\nname = \"c-c\"\n"),
        ("c/src/main.rs", "mod x;"),
    ];

    #[track_caller]
    fn check(file: &str, expected: &[&str]) {
        let tree = Files::new(FILES.iter().copied());
        let found = targets(&RepoPath::new(file).unwrap(), &tree);
        assert_eq!(found.switches().iter().map(|words| words.join(" ")).collect::<Vec<_>>(), expected, "{file}");
    }

    #[test]
    fn a_file_is_in_the_target_that_its_path_tells() {
        check("a/src/lib.rs", &["--lib"]);
        check("a/src/rate.rs", &["--lib"]);
        check("a/src/board/deep.rs", &["--lib"]);
        check("a/src/shell.rs", &["--bin the-a"]);
        check("a/src/bin/tool.rs", &["--bin tool"]);
        check("a/src/bin/big/part.rs", &["--bin big"]);
        check("a/tests/week.rs", &["--test week"]);
        check("a/tests/it/sub.rs", &["--test it"]);
        check("c/src/x.rs", &["--bin c-c"]);
    }

    #[test]
    fn a_manifest_may_name_other_roots() {
        check("b/b.rs", &["--lib"]);
        check("b/x.rs", &["--lib"]);
        check("b/tests/main.rs", &["--test all"]);
        check("b/tests/x.rs", &["--test all"]);
    }
}
