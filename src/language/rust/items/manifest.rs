//! What a package's manifest tells of its targets and of the packages beside it in the repository.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// A package in the repository.
#[derive(Debug)]
pub(super) struct Package {
    /// The name its library has in code.
    pub(super) name: String,
    /// The root file of its library.
    pub(super) library: Option<RepoPath>,
    /// Root files that its manifest names or its layout gives, the library's first.
    pub(super) roots: Vec<RepoPath>,
    /// Packages it depends on whose sources are here: the name in code, and the folder.
    pub(super) siblings: Vec<(String, String)>,
    /// Names in code of all it depends on.
    pub(super) dependencies: Vec<String>,
    /// Those that go by another name than their own: the name in code, and the package's own.
    renamed: Vec<(String, String)>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
struct Manifest {
    package: Option<PackageTable>,
    lib: Option<Target>,
    bin: Vec<Target>,
    test: Vec<Target>,
    bench: Vec<Target>,
    example: Vec<Target>,
    dependencies: BTreeMap<String, Dependency>,
    dev_dependencies: BTreeMap<String, Dependency>,
    workspace: Option<Workspace>,
}

#[derive(Deserialize)]
struct PackageTable {
    name: String,
}

/// A target as a manifest names it: its kind, its name where it has one of its own, and its root file where that is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) kind: Kind,
    pub(super) name: Option<String>,
    pub(super) path: Option<RepoPath>,
}

/// What a target is built as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::language::rust) enum Kind {
    Library,
    Program,
    Test,
    Example,
    Bench,
}

#[derive(Deserialize)]
struct Target {
    name: Option<String>,
    path: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Workspace {
    dependencies: BTreeMap<String, Dependency>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Dependency {
    Table(DependencyTable),
    Version(serde::de::IgnoredAny),
}

#[derive(Deserialize)]
struct DependencyTable {
    path: Option<String>,
    package: Option<String>,
    #[serde(default)]
    workspace: bool,
}

impl Package {
    /// The own name of the package that code calls `name`.
    pub(super) fn own_name<'n>(&'n self, name: &'n str) -> &'n str {
        self.renamed.iter().find(|(in_code, _)| in_code == name).map_or(name, |(_, own)| own)
    }
}

/// The package whose manifest stands in `folder`.
pub(super) fn read(tree: &dyn SourceTree, folder: &str) -> Option<Package> {
    let manifest = manifest(tree, folder)?;
    let package = manifest.package.as_ref()?;
    let library = manifest.lib.as_ref().and_then(|lib| lib.path.as_deref()).unwrap_or("src/lib.rs");
    let library = RepoPath::in_folder(folder, library).filter(|path| tree.exists(path));
    let named = manifest.lib.as_ref().and_then(|lib| lib.name.as_ref()).unwrap_or(&package.name);
    let targets = [&manifest.bin, &manifest.test, &manifest.bench, &manifest.example];
    let explicit = targets.into_iter().flatten().filter_map(|target| target.path.as_deref()).chain(["src/main.rs"]);
    let roots = library.iter().cloned().chain(explicit.filter_map(|path| RepoPath::in_folder(folder, path)));
    let all = || manifest.dependencies.iter().chain(&manifest.dev_dependencies);
    Some(Package {
        name: ident(named),
        roots: roots.collect(),
        library,
        siblings: all()
            .filter_map(|(name, what)| sibling(tree, folder, name, what).or_else(|| outside(tree, folder, name, what)))
            .collect(),
        dependencies: all().map(|(name, _)| ident(name)).collect(),
        renamed: all().filter_map(|(name, what)| Some((ident(name), renamed(tree, folder, name, what)?))).collect(),
    })
}

/// The package's name, and the targets that the manifest in `folder` names.
pub(super) fn targets(tree: &dyn SourceTree, folder: &str) -> Option<(String, Vec<Named>)> {
    let manifest = manifest(tree, folder)?;
    let of_kind = |kind: Kind, targets: Vec<Target>| {
        targets.into_iter().map(move |target| Named {
            kind,
            name: target.name,
            path: target.path.and_then(|path| RepoPath::in_folder(folder, &path)),
        })
    };
    let named = of_kind(Kind::Library, manifest.lib.into_iter().collect())
        .chain(of_kind(Kind::Program, manifest.bin))
        .chain(of_kind(Kind::Test, manifest.test))
        .chain(of_kind(Kind::Example, manifest.example))
        .chain(of_kind(Kind::Bench, manifest.bench));
    Some((manifest.package?.name, named.collect()))
}

fn manifest(tree: &dyn SourceTree, folder: &str) -> Option<Manifest> {
    let bytes = tree.read(&RepoPath::in_folder(folder, "Cargo.toml")?)?;
    basic_toml::from_slice(&bytes).ok()
}

/// A dependency that is a package of this repository: its name in code and its folder.
fn sibling(tree: &dyn SourceTree, folder: &str, name: &str, dependency: &Dependency) -> Option<(String, String)> {
    let Dependency::Table(table) = dependency else { return None };
    if let Some(path) = &table.path {
        let folder = inside(folder, path)?;
        return Some((name_in_code(tree, name, table, &folder), folder));
    }
    let (root, workspace) = workspace_above(tree, folder).filter(|_| table.workspace)?;
    let Dependency::Table(table) = workspace.dependencies.get(name)? else { return None };
    let folder = inside(&root, table.path.as_ref()?)?;
    Some((name_in_code(tree, name, table, &folder), folder))
}

/// A dependency from elsewhere whose sources the tree shows: its name in code and the folder.
fn outside(tree: &dyn SourceTree, folder: &str, name: &str, dependency: &Dependency) -> Option<(String, String)> {
    let own = renamed(tree, folder, name, dependency);
    let folder = tree.package(own.as_deref().unwrap_or(&ident(name)))?;
    let library = || manifest(tree, &folder)?.lib?.name;
    let in_code = if own.is_some() { None } else { library() };
    Some((ident(&in_code.unwrap_or_else(|| name.to_owned())), folder))
}

/// The package's own name of the dependency `name`, where the manifest or its workspace renames it.
fn renamed(tree: &dyn SourceTree, folder: &str, name: &str, dependency: &Dependency) -> Option<String> {
    let Dependency::Table(table) = dependency else { return None };
    if !table.workspace {
        return table.package.as_deref().map(ident);
    }
    let (_, workspace) = workspace_above(tree, folder)?;
    match workspace.dependencies.get(name)? {
        Dependency::Table(table) => table.package.as_deref().map(ident),
        Dependency::Version(_) => None,
    }
}

/// What code calls the dependency `name`: its own library's name, unless the manifest renames it.
fn name_in_code(tree: &dyn SourceTree, name: &str, table: &DependencyTable, folder: &str) -> String {
    let library = manifest(tree, folder).and_then(|manifest| manifest.lib?.name);
    ident(&library.filter(|_| table.package.is_none()).unwrap_or_else(|| name.to_owned()))
}

/// The nearest workspace that `folder` may be a member of, and where its manifest stands.
fn workspace_above(tree: &dyn SourceTree, folder: &str) -> Option<(String, Workspace)> {
    let mut folder = folder;
    loop {
        if let Some(workspace) = manifest(tree, folder).and_then(|manifest| manifest.workspace) {
            return Some((folder.to_owned(), workspace));
        }
        folder = parent(folder)?;
    }
}

/// The folder `path` away from `folder`, if it stays in the repository.
fn inside(folder: &str, path: &str) -> Option<String> {
    RepoPath::in_folder(folder, &format!("{path}/Cargo.toml")).map(|manifest| manifest.folder().to_owned())
}

fn parent(folder: &str) -> Option<&str> {
    (!folder.is_empty()).then(|| folder.rsplit_once('/').map_or("", |(above, _)| above))
}

/// A package's name as code writes it.
fn ident(name: &str) -> String {
    name.replace('-', "_")
}
