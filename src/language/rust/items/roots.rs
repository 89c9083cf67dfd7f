//! The root files of a package's targets, as its manifest names them or its layout gives them.

use super::manifest::{self, Kind};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// The root file of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::language::rust) struct Root {
    /// What it is built as.
    kind: Kind,
    /// The target's name.
    name: String,
    /// The file.
    pub(in crate::language::rust) path: RepoPath,
}

impl Root {
    /// The switches by which cargo builds this target alone.
    pub(in crate::language::rust) fn switches(&self) -> Vec<String> {
        let switch = match self.kind {
            Kind::Library => return vec!["--lib".to_owned()],
            Kind::Program => "--bin",
            Kind::Test => "--test",
            Kind::Example => "--example",
            Kind::Bench => "--bench",
        };
        vec![switch.to_owned(), self.name.clone()]
    }

    /// The name of the crate that it is built as.
    pub(in crate::language::rust) fn crate_name(&self) -> String {
        self.name.replace('-', "_")
    }
}

/// The roots of the package in `folder` of which `file` may be a part: those in the nearest folder above it.
pub(in crate::language::rust) fn roots(file: &RepoPath, folder: &str, tree: &dyn SourceTree) -> Vec<Root> {
    let Some((package, named)) = manifest::targets(tree, folder) else { return Vec::new() };
    let mut roots: Vec<Root> = Vec::new();
    let mut add = |kind: Kind, name: &str, path: RepoPath| {
        if !roots.iter().any(|root| root.path == path) && tree.exists(&path) {
            roots.push(Root { kind, name: name.to_owned(), path });
        }
    };
    for target in named {
        let name = target.name.unwrap_or_else(|| package.clone());
        let usual = usual_path(target.kind, &name).and_then(|path| RepoPath::in_folder(folder, &path));
        if let Some(path) = target.path.or(usual) {
            add(target.kind, &name, path);
        }
    }
    for (kind, name, path) in implied(file, folder, &package) {
        if let Some(path) = RepoPath::in_folder(folder, &path) {
            add(kind, &name, path);
        }
    }
    roots.retain(|root| is_near(&root.path, file));
    let deepest = roots.iter().map(|root| root.path.folder().len()).max().unwrap_or_default();
    roots.retain(|root| root.path.folder().len() == deepest);
    roots
}

/// Where a target's root stands that the manifest names without a path.
fn usual_path(kind: Kind, name: &str) -> Option<String> {
    Some(match kind {
        Kind::Library => "src/lib.rs".to_owned(),
        Kind::Program => format!("src/bin/{name}.rs"),
        Kind::Test => format!("tests/{name}.rs"),
        Kind::Example => format!("examples/{name}.rs"),
        Kind::Bench => format!("benches/{name}.rs"),
    })
}

/// The roots that cargo finds by itself and to which `file` may belong by its path.
fn implied(file: &RepoPath, folder: &str, package: &str) -> Vec<(Kind, String, String)> {
    let inside = file.as_str().strip_prefix(folder).unwrap_or(file.as_str()).trim_start_matches('/');
    let parts: Vec<&str> = inside.split('/').collect();
    let of_folder = |kind: Kind, top: &str, rest: &[&str]| {
        let first = rest.first().map_or("", |first| first.trim_end_matches(".rs"));
        vec![
            (kind, first.to_owned(), format!("{top}/{first}.rs")),
            (kind, first.to_owned(), format!("{top}/{first}/main.rs")),
        ]
    };
    match parts.as_slice() {
        ["src", "bin", rest @ ..] => of_folder(Kind::Program, "src/bin", rest),
        ["tests", rest @ ..] => of_folder(Kind::Test, "tests", rest),
        ["examples", rest @ ..] => of_folder(Kind::Example, "examples", rest),
        ["benches", rest @ ..] => of_folder(Kind::Bench, "benches", rest),
        _ => vec![
            (Kind::Library, package.to_owned(), "src/lib.rs".to_owned()),
            (Kind::Program, package.to_owned(), "src/main.rs".to_owned()),
        ],
    }
}

/// Whether a file lies beside a root or in a folder below it.
fn is_near(root: &RepoPath, file: &RepoPath) -> bool {
    let (root, folder) = (root.folder(), file.folder());
    root == folder || root.is_empty() || folder.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'))
}
