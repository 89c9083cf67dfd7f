//! The modules that the module of a property leads to: those of the repository, whose classes its values may be of, and
//! those of installed packages.

use std::cell::OnceCell;
use std::collections::VecDeque;
use std::sync::Arc;

use super::command::INSTALLED;
use crate::language::python::imports::Import;
use crate::language::python::module::{Module, module};
use crate::language::python::standard::is_standard;
use crate::memory::Each;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// So many modules are looked into for one property.
const MOST: usize = 200;

/// The releases of Python, by whose numbers folders of installed packages are named.
const RELEASES: std::ops::Range<u32> = 8..24;

/// What a property's module leads to.
pub(super) struct Modules<'a> {
    pub(super) file: &'a RepoPath,
    pub(super) own: &'a Module,
    pub(super) tree: &'a dyn SourceTree,
    reached: OnceCell<Vec<Reached>>,
    installed_in: OnceCell<Vec<String>>,
}

/// A module of the repository that others import.
pub(super) struct Reached {
    /// Its name, as the property's module would write it.
    pub(super) name: String,
    pub(super) outline: Arc<Module>,
    is_package: bool,
}

impl Reached {
    /// The full name of what it imports, as the property's module would write it.
    pub(super) fn full(&self, import: &Import) -> Option<String> {
        Some(joined(&self.module(import)?, import.name.as_deref().unwrap_or_default()))
    }

    /// The module that it imports, or takes a name out of.
    pub(super) fn module(&self, import: &Import) -> Option<String> {
        let dots = import.module.bytes().take_while(|byte| *byte == b'.').count();
        if dots == 0 {
            return Some(import.module.clone());
        }
        let mut base = self.name.clone();
        for _ in usize::from(self.is_package)..dots {
            base = above(&base)?;
        }
        Some(joined(&base, &import.module[dots..]))
    }
}

impl<'a> Modules<'a> {
    pub(super) fn new(file: &'a RepoPath, own: &'a Module, tree: &'a dyn SourceTree) -> Self {
        Modules { file, own, tree, reached: OnceCell::new(), installed_in: OnceCell::new() }
    }

    /// The modules of the repository that it leads to, the nearest first.
    pub(super) fn reached(&self) -> &[Reached] {
        self.reached.get_or_init(|| {
            let mut files: Vec<RepoPath> = vec![self.file.clone()];
            let mut found: Vec<Reached> = Vec::new();
            let own = self.own.imports.iter().flat_map(|import| [import.full(), import.module.clone()]);
            let mut open: VecDeque<String> = own.collect();
            while let Some(name) = open.pop_front().filter(|_| found.len() < MOST) {
                let Some((file, outline)) = self.outline(&name).filter(|(file, _)| !files.contains(file)) else {
                    continue;
                };
                let is_package = file.file_name() == "__init__.py";
                let one = Reached { name, outline, is_package };
                let named = one.outline.imports.iter().flat_map(|import| [one.full(import), one.module(import)]);
                open.extend(named.flatten());
                files.push(file);
                found.push(one);
            }
            found
        })
    }

    /// The module of the repository that the property's module would call `name`.
    pub(super) fn named(&self, name: &str) -> Option<Reached> {
        let (file, outline) = self.outline(name)?;
        Some(Reached { name: name.to_owned(), outline, is_package: file.file_name() == "__init__.py" })
    }

    /// The file of a module of the repository, and its outline.
    pub(super) fn outline(&self, name: &str) -> Option<(RepoPath, Arc<Module>)> {
        let dots = name.bytes().take_while(|byte| *byte == b'.').count();
        let way = name[dots..].replace('.', "/");
        let mut roots: Vec<String> =
            std::iter::once(String::new()).chain(self.file.folders().map(str::to_owned)).collect();
        if dots > 0 {
            let folder = self.file.folder();
            let mut up = folder.split('/').filter(|part| !part.is_empty()).collect::<Vec<_>>();
            up.truncate((up.len() + 1).saturating_sub(dots));
            roots = vec![up.join("/")];
        }
        let sources: Vec<String> =
            roots.iter().map(|root| if root.is_empty() { "src".to_owned() } else { format!("{root}/src") }).collect();
        roots.iter().chain(&sources).flat_map(|root| paths(root, &way)).find_map(|file| {
            let outline = self.own_outline(&file)?;
            Some((file, outline))
        })
    }

    /// The outline of a module of an installed package, and whether it is a folder.
    pub(super) fn installed(&self, name: &str) -> Option<(Arc<Module>, bool)> {
        if name.starts_with('.') || is_standard(name) {
            return None;
        }
        let way = name.replace('.', "/");
        let files = self.installed_in().iter().flat_map(|folder| paths(folder, &way));
        files.into_iter().find_map(|file| {
            let outline = self.installed_outline(&file)?;
            Some((outline, file.file_name() == "__init__.py"))
        })
    }

    /// The release of the library that is installed, where it says so plainly: recent ones do not.
    pub(super) fn release(&self) -> Option<(u32, u32)> {
        let files =
            self.installed_in().iter().filter_map(|folder| RepoPath::in_folder(folder, "hypothesis/version.py"));
        let text = files.filter_map(|file| self.tree.installed(&file)).next()?;
        let (_, told) = std::str::from_utf8(&text).ok()?.split_once("__version_info__ = (")?;
        let mut numbers = told.split([',', ')']).map(|number| number.trim().parse().ok());
        Some((numbers.next()??, numbers.next()??))
    }

    /// The folders of installed packages.
    fn installed_in(&self) -> &[String] {
        self.installed_in.get_or_init(|| {
            let mut around: Vec<&str> = std::iter::once("").chain(self.file.folders()).collect();
            around.reverse();
            let front = |folder: &str| if folder.is_empty() { String::new() } else { format!("{folder}/") };
            let homes: Vec<String> = around
                .into_iter()
                .flat_map(|folder| INSTALLED.iter().map(move |name| format!("{}{name}", front(folder))))
                .collect();
            let is_there = |home: &&String| {
                RepoPath::in_folder(home, "pyvenv.cfg").is_some_and(|file| self.tree.installed(&file).is_some())
            };
            let folders = |home: &String| {
                let home = home.clone();
                RELEASES.map(move |minor| format!("{home}/lib/python3.{minor}/site-packages")).collect::<Vec<_>>()
            };
            homes.iter().filter(is_there).flat_map(folders).collect()
        })
    }

    /// The outline of a file of the repository, worked out once a tree.
    fn own_outline(&self, file: &RepoPath) -> Option<Arc<Module>> {
        let bytes = self.tree.read(file)?;
        let Some(memory) = self.tree.memory() else { return outline(&bytes) };
        let (text, known) = memory.of(OfFiles::default).0.of(file, || (bytes.clone(), outline(&bytes)));
        if text == bytes { known } else { outline(&bytes) }
    }

    /// The outline of a file of an installed package, read and worked out once a tree.
    fn installed_outline(&self, file: &RepoPath) -> Option<Arc<Module>> {
        let read = || outline(&self.tree.installed(file)?);
        match self.tree.memory() {
            Some(memory) => memory.of(OfInstalled::default).0.of(file, read),
            None => read(),
        }
    }
}

fn outline(bytes: &[u8]) -> Option<Arc<Module>> {
    Some(Arc::new(module(std::str::from_utf8(bytes).ok()?)?))
}

/// A text and its outline.
type Outlined = (Arc<[u8]>, Option<Arc<Module>>);

/// Those of a tree's files, each of the version that was asked for first: what lies over a tree shares its memory.
#[derive(Default)]
struct OfFiles(Each<RepoPath, Outlined>);

/// Outlines of installed packages' files.
#[derive(Default)]
struct OfInstalled(Each<RepoPath, Option<Arc<Module>>>);

/// Where a module may stand in a folder, given by its name with slashes.
fn paths(root: &str, way: &str) -> Vec<RepoPath> {
    let inner = if way.is_empty() { "__init__.py".to_owned() } else { format!("{way}/__init__.py") };
    let file = if way.is_empty() { inner.clone() } else { format!("{way}.py") };
    [RepoPath::in_folder(root, &file), RepoPath::in_folder(root, &inner)].into_iter().flatten().collect()
}

/// A name in a module: with a dot between, where the module does not end in one.
pub(super) fn joined(module: &str, name: &str) -> String {
    match name {
        "" => module.to_owned(),
        _ if module.ends_with('.') || module.is_empty() => format!("{module}{name}"),
        _ => format!("{module}.{name}"),
    }
}

/// The package that a module is in.
fn above(module: &str) -> Option<String> {
    if module.bytes().all(|byte| byte == b'.') {
        return Some(format!("{module}."));
    }
    let dot = module.rfind('.')?;
    // Of a relative name the dots before it all stay.
    let is_relative = module[..dot].bytes().all(|byte| byte == b'.');
    Some(module[..dot + usize::from(is_relative)].to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Modules;
    use crate::language::python::module::module;
    use crate::memory::Memory;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;
    use crate::source_tree::{Overlaid, SourceTree};

    /// A tree that remembers.
    struct Remembering(Files, Memory);

    impl SourceTree for Remembering {
        fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
            self.0.read(path)
        }

        fn find(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
            self.0.find(wanted)
        }

        fn memory(&self) -> Option<&Memory> {
            Some(&self.1)
        }
    }

    #[test]
    fn a_version_that_lies_over_a_tree_has_its_own_outlines() {
        let tree = Remembering(Files::new([("far.py", "class Old: pass\n")]), Memory::default());
        let over = [(RepoPath::new("far.py").unwrap(), b"class New: pass\n".to_vec())];
        let over = Overlaid { tree: &tree, files: &over };
        let (file, own) = (RepoPath::new("test_a.py").unwrap(), module("import far\n").unwrap());
        let class = |tree: &dyn SourceTree| {
            let (_, outline) = Modules::new(&file, &own, tree).outline("far").unwrap();
            outline.classes[0].path.join(".")
        };
        assert_eq!([class(&tree), class(&over), class(&tree)], ["Old", "New", "Old"]);
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let tree = Files::new([
            ("tests/unit/near.py", "from ..far import a\nfrom . import side\n"),
            ("tests/unit/side.py", ""),
            ("tests/far.py", "import shop\n"),
            ("shop/__init__.py", "from .slots import Court\nfrom . import rates\n"),
            ("shop/slots.py", "from .deep.er import x\nimport numpy, os\n"),
            ("shop/rates.py", "from . import slots\n"),
            ("shop/deep/er.py", "from ..slots import Court\n"),
        ]);
        let (file, own) = (RepoPath::new("tests/unit/test_a.py").unwrap(), module(text).unwrap());
        let modules = Modules::new(&file, &own, &tree);
        assert_eq!(modules.reached().iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn modules_are_reached_by_the_names_that_the_property_would_use() {
        check("import shop.rates\n", &["shop.rates", "shop.slots", "shop", "shop.deep.er"]);
        check(
            "from .near import x\n",
            &[".near", "..far", ".side", "shop", "shop.slots", "shop.rates", "shop.deep.er"],
        );
        check("import numpy, os\n", &[]);
    }

    #[test]
    fn installed_packages_are_found_in_the_nearest_environment() {
        let own = module("").unwrap();
        let file = RepoPath::new("pay/tests/test_a.py").unwrap();
        let tree = Files::new([
            ("pay/.venv/pyvenv.cfg", ""),
            ("pay/.venv/lib/python3.12/site-packages/attr/__init__.py", "class A: pass\n"),
            (".venv/lib/python3.12/site-packages/other.py", ""),
        ]);
        let modules = Modules::new(&file, &own, &tree);
        assert!(
            modules.installed("attr").is_some_and(|(outline, is_package)| is_package && outline.classes.len() == 1)
        );
        // Without its own description a folder is no environment.
        assert!(modules.installed("other").is_none() && modules.installed("os").is_none());
    }
}
