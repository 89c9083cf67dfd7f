//! One module as its source declares it.

use std::cell::OnceCell;
use std::rc::Rc;

use syn::{Attribute, Meta, Visibility};

use super::composed::Composed;
use crate::repo_path::RepoPath;

/// A module that was read, by its place in [`super::Items`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::language::rust) struct ModuleId(pub(super) usize);

/// A module.
pub(in crate::language::rust) struct Module {
    /// The module around it; for a block of statements, where its names are looked up next.
    pub(super) parent: Option<ModuleId>,
    /// Whether it is a block of statements, which has no name.
    pub(super) block: bool,
    /// The crate's root module; itself for that one.
    pub(super) root: ModuleId,
    /// The file it stands in.
    pub(super) file: RepoPath,
    /// What it defines.
    pub(super) definitions: Vec<Rc<Definition>>,
    /// Its imports.
    pub(super) uses: Vec<Use>,
    /// Whether the crate does without `std`, for its root module.
    pub(super) no_std: bool,
    /// Its `impl` blocks.
    pub(super) impls: Vec<Rc<syn::ItemImpl>>,
}

/// A name a module defines.
pub(in crate::language::rust) struct Definition {
    /// The name, without `r#`.
    pub(in crate::language::rust) name: String,
    /// The module that defines it.
    pub(in crate::language::rust) module: ModuleId,
    /// Who may name it.
    pub(super) visibility: Visibility,
    /// What it is.
    pub(in crate::language::rust) what: What,
}

impl std::fmt::Debug for Definition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

/// What a name stands for.
pub(in crate::language::rust) enum What {
    /// `struct`.
    Struct(syn::ItemStruct),
    /// `enum`.
    Enum(syn::ItemEnum),
    /// `type A = …`.
    Alias(syn::ItemType),
    /// A function, without its body where only the signature is known.
    Function(syn::ItemFn),
    /// A constant or static with its type.
    Constant(syn::Type),
    /// A function made by a macro that composes generators.
    Composed(Composed),
    /// A module inside this one.
    Module(Declared),
}

/// A module as its parent declares it.
pub(in crate::language::rust) struct Declared {
    /// The module, once it is read; `None` inside where its file is not there.
    pub(super) id: OnceCell<Option<ModuleId>>,
    /// Where its file may stand.
    pub(super) candidates: Vec<RepoPath>,
}

/// One name that a `use` brings in.
pub(super) struct Use {
    /// Who may import it on from here.
    pub(super) visibility: Visibility,
    /// The whole path.
    pub(super) path: Vec<String>,
    /// The name it has here; `None` for `*`.
    pub(super) name: Option<String>,
}

/// The names that `tree` brings in, `stem` before each path.
pub(super) fn uses(visibility: &Visibility, tree: &syn::UseTree, stem: &[String], found: &mut Vec<Use>) {
    let with = |name: &syn::Ident| [stem, &[plain(name)]].concat();
    let mut add = |path, name| found.push(Use { visibility: visibility.clone(), path, name });
    match tree {
        syn::UseTree::Path(path) => uses(visibility, &path.tree, &with(&path.ident), found),
        syn::UseTree::Name(name) if name.ident == "self" => add(stem.to_vec(), stem.last().cloned()),
        syn::UseTree::Name(name) => add(with(&name.ident), Some(plain(&name.ident))),
        syn::UseTree::Rename(rename) if rename.ident == "self" => add(stem.to_vec(), Some(plain(&rename.rename))),
        syn::UseTree::Rename(rename) => add(with(&rename.ident), Some(plain(&rename.rename))),
        syn::UseTree::Glob(_) => add(stem.to_vec(), None),
        syn::UseTree::Group(group) => group.items.iter().for_each(|tree| uses(visibility, tree, stem, found)),
    }
}

/// A name without `r#`.
pub(in crate::language::rust) fn plain(ident: &syn::Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}

/// Whether what `attributes` stand before is part of a test build. Features count as on.
pub(super) fn built_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).all(|attribute| match &attribute.meta {
        Meta::List(list) => syn::parse2(list.tokens.clone()).map_or(true, |meta| holds(&meta)),
        _ => true,
    })
}

fn holds(condition: &Meta) -> bool {
    let Meta::List(list) = condition else { return true };
    let parts = list.parse_args_with(syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated);
    let parts: Vec<Meta> = parts.map(|parts| parts.into_iter().collect()).unwrap_or_default();
    if list.path.is_ident("not") {
        return parts.first().is_none_or(|meta| matches!(meta, Meta::NameValue(_)) || !holds(meta));
    }
    if list.path.is_ident("any") { parts.iter().any(holds) } else { parts.iter().all(holds) }
}
