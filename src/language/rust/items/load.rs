//! Reads modules: from the root file of a crate downwards, each when it is first asked for.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use syn::{Attribute, Expr, ExprLit, Item, Lit, Meta, Visibility};

use super::manifest::{self, Package};
use super::module::{Declared, Definition, Module, ModuleId, Use, What, built_for_tests, plain, uses};
use super::outside::Functions;
use super::resolve::Namespace;
use crate::language::rust::format::Widths;
use crate::language::rust::package::package_of;
use crate::language::rust::types::Library;
use crate::repo_path::RepoPath;
use crate::settings::{LongValues, Settings};
use crate::source_tree::SourceTree;

/// All modules read so far.
pub(in crate::language::rust) struct Items<'t> {
    tree: &'t dyn SourceTree,
    /// The library whose names and macros the code uses.
    pub(in crate::language::rust) library: &'t dyn Library,
    modules: RefCell<Vec<Rc<Module>>>,
    roots: RefCell<HashMap<RepoPath, ModuleId>>,
    /// The package of each file that was asked for.
    packages: RefCell<HashMap<RepoPath, Option<Rc<Package>>>>,
    /// The functions of each crate whose functions were asked for, by its root.
    pub(super) functions: RefCell<HashMap<ModuleId, Rc<Functions>>>,
    /// Names that are being looked up, so that a circle of imports ends.
    pub(super) pending: RefCell<Vec<(ModuleId, String, Namespace)>>,
}

/// Where the modules of a text stand.
struct Place {
    parent: Option<ModuleId>,
    root: Option<ModuleId>,
    file: RepoPath,
    /// The folder in which the files of its modules are looked for.
    folder: String,
    block: bool,
    /// Whether the file says `#![no_std]`.
    no_std: bool,
}

impl<'t> Items<'t> {
    pub(in crate::language::rust) fn new(tree: &'t dyn SourceTree, library: &'t dyn Library) -> Self {
        Items {
            tree,
            library,
            modules: RefCell::default(),
            roots: RefCell::default(),
            packages: RefCell::default(),
            functions: RefCell::default(),
            pending: RefCell::default(),
        }
    }

    /// The module in `file` that is reached through `inline`, the inline modules around a place in it.
    pub(in crate::language::rust) fn module_in(&self, file: &RepoPath, inline: &[String]) -> Option<ModuleId> {
        let mut module = self.module_of_file(file)?;
        for name in inline {
            let declared = self.module(module).definitions.iter().find(|definition| definition.name == *name).cloned();
            module = declared.and_then(|definition| self.child(&definition)).unwrap_or(module);
        }
        Some(module)
    }

    /// How wide code in `file` may be.
    pub(in crate::language::rust) fn widths(&self, file: &RepoPath) -> Widths {
        Widths::of(file, self.tree)
    }

    /// How long values are written, as the user says. What is wrong with what the user says is told where tests are run.
    pub(in crate::language::rust) fn long_values(&self) -> LongValues {
        Settings::read(self.tree).unwrap_or_default().pins.long_values
    }

    /// A block of statements inside `module` that brings its own names.
    pub(in crate::language::rust) fn block(&self, module: ModuleId, items: Vec<Item>) -> ModuleId {
        let around = self.module(module);
        let place = Place {
            parent: Some(module),
            root: Some(around.root),
            file: around.file.clone(),
            folder: around.file.folder().to_owned(),
            block: true,
            no_std: false,
        };
        self.add(place, items)
    }

    pub(super) fn module(&self, id: ModuleId) -> Rc<Module> {
        self.modules.borrow()[id.0].clone()
    }

    /// The `impl` blocks in `module`.
    pub(in crate::language::rust) fn impls(&self, module: ModuleId) -> Vec<Rc<syn::ItemImpl>> {
        self.module(module).impls.clone()
    }

    /// The package that `module` belongs to.
    pub(super) fn package_of(&self, module: ModuleId) -> Option<Rc<Package>> {
        self.package_of_file(&self.module(module).file)
    }

    fn package_of_file(&self, file: &RepoPath) -> Option<Rc<Package>> {
        if let Some(known) = self.packages.borrow().get(file) {
            return known.clone();
        }
        let package = manifest::read(self.tree, &package_of(file, self.tree).folder).map(Rc::new);
        self.packages.borrow_mut().insert(file.clone(), package.clone());
        package
    }

    /// The root module of the library that `module` names `name`: of a package in this repository.
    pub(super) fn sibling(&self, module: ModuleId, name: &str) -> Option<ModuleId> {
        let package = self.package_of(module)?;
        if package.name == name {
            return self.root(package.library.as_ref()?);
        }
        let (_, folder) = package.siblings.iter().find(|(sibling, _)| sibling == name)?;
        let manifest = RepoPath::in_folder(folder, "Cargo.toml")?;
        self.root(self.package_of_file(&manifest)?.library.as_ref()?)
    }

    /// The module a definition declares.
    pub(super) fn child(&self, definition: &Definition) -> Option<ModuleId> {
        let What::Module(declared) = &definition.what else { return None };
        *declared.id.get_or_init(|| {
            let file = declared.candidates.iter().find(|file| self.tree.exists(file))?;
            let around = self.module(definition.module);
            let circle = self.ancestors(definition.module).any(|above| self.module(above).file == *file);
            if circle { None } else { self.read(file, Some(definition.module), Some(around.root)) }
        })
    }

    /// `module` and what stands around it, innermost first.
    pub(super) fn ancestors(&self, module: ModuleId) -> impl Iterator<Item = ModuleId> {
        std::iter::successors(Some(module), |module| self.module(*module).parent)
    }

    /// The structs and enums whose values print with `name` in front, among the crate that `module` belongs to.
    pub(in crate::language::rust) fn types_printing(&self, module: ModuleId, name: &str) -> Vec<Rc<Definition>> {
        let prints = |definition: &&Rc<Definition>| match &definition.what {
            What::Struct(_) => definition.name == name,
            What::Enum(item) => item.variants.iter().any(|variant| plain(&variant.ident) == name),
            _ => false,
        };
        let modules = self.crate_modules(module).into_iter();
        modules
            .flat_map(|module| self.module(module).definitions.iter().filter(prints).cloned().collect::<Vec<_>>())
            .collect()
    }

    /// Whether the crate of `module` does without `std`.
    pub(in crate::language::rust) fn no_std(&self, module: ModuleId) -> bool {
        self.module(self.module(module).root).no_std
    }

    /// Whether two modules are of one crate.
    pub(in crate::language::rust) fn same_crate(&self, one: ModuleId, two: ModuleId) -> bool {
        self.module(one).root == self.module(two).root
    }

    /// Every module of the crate that `module` belongs to.
    pub(in crate::language::rust) fn crate_modules(&self, module: ModuleId) -> Vec<ModuleId> {
        let mut found = vec![self.module(module).root];
        let mut next = 0;
        while next < found.len() {
            let definitions = &self.module(found[next]).definitions;
            found.extend(definitions.iter().filter_map(|definition| self.child(definition)));
            next += 1;
        }
        found
    }

    fn module_of_file(&self, file: &RepoPath) -> Option<ModuleId> {
        let package = self.package_of_file(file);
        let roots = package.as_ref().map_or(&[][..], |package| &package.roots);
        if roots.contains(file) {
            return self.root(file);
        }
        let sibling = RepoPath::in_folder(file.folder(), "main.rs");
        roots.iter().chain(&sibling).find_map(|root| self.search(root, file)).or_else(|| self.root(file))
    }

    /// The module below `root` whose text is `file`: first where its path says, then anywhere.
    fn search(&self, root: &RepoPath, file: &RepoPath) -> Option<ModuleId> {
        let root = self.root(root)?;
        let stem = file.as_str().trim_end_matches(".rs").trim_end_matches("/mod");
        let below = stem.strip_prefix(self.module(root).file.folder())?.trim_start_matches('/');
        let straight = below.split('/').try_fold(root, |module, name| {
            let declared = self.module(module).definitions.iter().find(|child| child.name == name).cloned()?;
            self.child(&declared)
        });
        let is_it = |module: &ModuleId| self.module(*module).file == *file;
        straight.filter(is_it).or_else(|| self.crate_modules(root).into_iter().find(is_it))
    }

    fn root(&self, file: &RepoPath) -> Option<ModuleId> {
        if let Some(known) = self.roots.borrow().get(file) {
            return Some(*known);
        }
        let root = self.read(file, None, None)?;
        self.roots.borrow_mut().insert(file.clone(), root);
        Some(root)
    }

    fn read(&self, file: &RepoPath, parent: Option<ModuleId>, root: Option<ModuleId>) -> Option<ModuleId> {
        let bytes = self.tree.read(file)?;
        let text = parsed(bytes)?;
        let no_std = text.attrs.iter().any(|attribute| attribute.path().is_ident("no_std"));
        let own_folder = parent.is_none() || file.file_name() == "mod.rs";
        let folder = if own_folder { file.folder() } else { file.as_str().trim_end_matches(".rs") }.to_owned();
        Some(self.add(Place { parent, root, file: file.clone(), folder, block: false, no_std }, text.items.clone()))
    }

    fn add(&self, place: Place, items: Vec<Item>) -> ModuleId {
        let id = ModuleId(self.modules.borrow().len());
        let empty = || Module {
            parent: place.parent,
            block: place.block,
            root: place.root.unwrap_or(id),
            file: place.file.clone(),
            definitions: Vec::new(),
            uses: Vec::new(),
            no_std: place.no_std,
            impls: Vec::new(),
        };
        self.modules.borrow_mut().push(Rc::new(empty()));
        let mut module = empty();
        for item in items {
            self.collect(id, &mut module, &place, item);
        }
        self.modules.borrow_mut()[id.0] = Rc::new(module);
        id
    }

    fn collect(&self, id: ModuleId, module: &mut Module, place: &Place, item: Item) {
        if !built_for_tests(attributes(&item)) {
            return;
        }
        let mut define = |ident: &syn::Ident, visibility: Visibility, what| {
            module.definitions.push(Rc::new(Definition { name: plain(ident), module: id, visibility, what }));
        };
        match item {
            Item::Struct(item) => define(&item.ident.clone(), item.vis.clone(), What::Struct(item)),
            Item::Enum(item) => define(&item.ident.clone(), item.vis.clone(), What::Enum(item)),
            Item::Type(item) => define(&item.ident.clone(), item.vis.clone(), What::Alias(item)),
            Item::Const(item) => define(&item.ident, item.vis, What::Constant(*item.ty)),
            Item::Static(item) => define(&item.ident, item.vis, What::Constant(*item.ty)),
            Item::Fn(item) => define(&item.sig.ident.clone(), item.vis.clone(), What::Function(item)),
            Item::Mod(item) => {
                let declared = self.declared(id, module.root, place, &item);
                define(&item.ident, item.vis, What::Module(declared));
            }
            Item::Macro(item) if self.composes(&item.mac.path) => {
                if let Ok(composed) = item.mac.parse_body::<super::Composed>() {
                    define(&composed.name.clone(), composed.visibility.clone(), What::Composed(composed));
                }
            }
            Item::Use(item) => uses(&item.vis, &item.tree, &[], &mut module.uses),
            Item::ExternCrate(item) => {
                let name = item.rename.as_ref().map_or(&item.ident, |(_, name)| name);
                let path = vec![plain(&item.ident)];
                module.uses.push(Use { visibility: item.vis, path, name: Some(plain(name)) });
            }
            Item::Impl(item) => module.impls.push(Rc::new(item)),
            _ => {}
        }
    }

    fn composes(&self, path: &syn::Path) -> bool {
        path.segments.last().is_some_and(|segment| self.library.composes(&plain(&segment.ident)))
    }

    fn declared(&self, parent: ModuleId, root: ModuleId, place: &Place, item: &syn::ItemMod) -> Declared {
        let name = plain(&item.ident);
        if let Some((_, items)) = &item.content {
            let folder = format!("{}/{name}", place.folder).trim_start_matches('/').to_owned();
            let inner = Place {
                parent: Some(parent),
                root: Some(root),
                file: place.file.clone(),
                folder,
                block: false,
                no_std: false,
            };
            let id = OnceCell::from(Some(self.add(inner, items.clone())));
            return Declared { id, candidates: Vec::new() };
        }
        let candidates = match path_attribute(&item.attrs) {
            Some(path) => RepoPath::in_folder(place.file.folder(), &path).into_iter().collect(),
            None => [format!("{name}.rs"), format!("{name}/mod.rs")]
                .iter()
                .filter_map(|path| RepoPath::in_folder(&place.folder, path))
                .collect(),
        };
        Declared { id: OnceCell::new(), candidates }
    }
}

/// A text and its syntax; `None` where it does not parse.
type Parsed = (Arc<[u8]>, Option<Rc<syn::File>>);

thread_local! {
    /// The files that this thread has parsed: each of many properties asks for the same few.
    static PARSED: RefCell<Vec<Parsed>> = const { RefCell::new(Vec::new()) };
}

/// The syntax of a file, parsed once by each thread. The same bytes are known by their place in memory, which they keep
/// as long as they are remembered here.
fn parsed(bytes: Arc<[u8]>) -> Option<Rc<syn::File>> {
    let known = |(text, file): &Parsed| Arc::ptr_eq(text, &bytes).then(|| file.clone());
    if let Some(known) = PARSED.with_borrow(|parsed| parsed.iter().find_map(known)) {
        return known;
    }
    let file = std::str::from_utf8(&bytes).ok().and_then(|text| syn::parse_file(text).ok()).map(Rc::new);
    PARSED.with_borrow_mut(|parsed| parsed.push((bytes, file.clone())));
    file
}

/// The file that `#[path = "…"]` names.
fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
