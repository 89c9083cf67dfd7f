//! How code in one module names a definition of another, and whether it may.

use std::rc::Rc;

use syn::Visibility;

use super::load::Items;
use super::module::{Definition, ModuleId, What, plain};
use super::resolve::{Namespace, Target};

impl Items<'_> {
    /// Whether what `owner` declares with `visibility` may be named in `from`.
    pub(in crate::language::rust) fn visible(&self, visibility: &Visibility, owner: ModuleId, from: ModuleId) -> bool {
        let limit = match visibility {
            Visibility::Public(_) => return true,
            Visibility::Inherited => Some(self.named_module(owner)),
            Visibility::Restricted(restricted) => {
                let path: Vec<String> = restricted.path.segments.iter().map(|segment| plain(&segment.ident)).collect();
                match self.resolve(owner, &path, Namespace::Types) {
                    Some(Target::Module(module)) => Some(module),
                    _ => None,
                }
            }
        };
        limit.is_some_and(|limit| self.ancestors(from).any(|module| module == limit))
    }

    /// The shortest path by which code in `from` names what `definition` defines.
    pub(in crate::language::rust) fn path_to(&self, definition: &Rc<Definition>, from: ModuleId) -> Option<String> {
        self.name_in_scope(definition, from).or_else(|| self.full_path(definition, from))
    }

    /// A name of it that is in scope already.
    fn name_in_scope(&self, definition: &Rc<Definition>, from: ModuleId) -> Option<String> {
        let renamed = self.ancestors(from).take_while(|module| self.module(*module).block).chain([from]);
        let renamed = renamed.flat_map(|module| {
            let module = self.module(module);
            let own: Vec<String> = module.uses.iter().filter_map(|import| import.name.clone()).collect();
            own
        });
        std::iter::once(definition.name.clone())
            .chain(renamed)
            .find(|name| {
                leads_to(self.lexical(from, name, definition.namespace()), definition) && !self.in_doubt(name, from)
            })
            .map(|name| raw(&name))
    }

    /// Whether a glob import of a package that is not here may bring `name` as well, which no other import outranks.
    fn in_doubt(&self, name: &str, from: ModuleId) -> bool {
        let module = self.module(self.named_module(from));
        let outranks = module.definitions.iter().any(|definition| definition.name == name)
            || module.uses.iter().any(|import| import.name.as_deref() == Some(name));
        let unseen = |path: &[String]| match self.resolve(from, path, Namespace::Types) {
            Some(Target::Foreign(path)) => !self.library.covers(&path) && !is_standard(&path),
            _ => false,
        };
        !outranks && module.uses.iter().any(|import| import.name.is_none() && unseen(&import.path))
    }

    /// The path from the crate's root, through modules and imports that `from` may name.
    fn full_path(&self, definition: &Rc<Definition>, from: ModuleId) -> Option<String> {
        let from = self.named_module(from);
        let mut path = vec![self.crate_name(definition.module, from)?];
        let mut chain: Vec<ModuleId> = self.ancestors(definition.module).collect();
        chain.reverse();
        for (index, module) in chain.iter().enumerate() {
            if let Some(name) = self.offered_as(*module, definition, from) {
                path.push(raw(&name));
                return Some(path.join("::"));
            }
            let next = chain.get(index + 1)?;
            path.push(raw(&self.visible_child(*module, *next, from)?));
        }
        None
    }

    /// The path by which code in `from` names the module `module` of its own crate.
    pub(in crate::language::rust) fn path_to_module(&self, module: ModuleId, from: ModuleId) -> Option<String> {
        if !self.same_crate(module, from) {
            return None;
        }
        let from = self.named_module(from);
        let mut chain: Vec<ModuleId> = self.ancestors(module).collect();
        chain.reverse();
        let steps = chain.windows(2).map(|pair| self.visible_child(pair[0], pair[1], from).map(|name| raw(&name)));
        let path: Option<Vec<String>> = std::iter::once(Some("crate".to_owned())).chain(steps).collect();
        path.map(|path| path.join("::"))
    }

    /// The name under which `module` offers `definition` to `from`.
    fn offered_as(&self, module: ModuleId, definition: &Rc<Definition>, from: ModuleId) -> Option<String> {
        if definition.module == module {
            return self.visible(&definition.visibility, module, from).then(|| definition.name.clone());
        }
        let other = self.module(module);
        let renamed = other.uses.iter().filter_map(|import| import.name.clone());
        std::iter::once(definition.name.clone())
            .chain(renamed)
            .find(|name| leads_to(self.lookup(module, name, definition.namespace(), from), definition))
    }

    /// The name of the module `child` in `module`, where `from` may name it.
    fn visible_child(&self, module: ModuleId, child: ModuleId, from: ModuleId) -> Option<String> {
        let module = self.module(module);
        let is_it = |definition: &&Rc<Definition>| {
            matches!(definition.what, What::Module(_)) && self.child(definition) == Some(child)
        };
        let declared = module.definitions.iter().find(is_it)?;
        self.visible(&declared.visibility, declared.module, from).then(|| declared.name.clone())
    }

    /// What a path into the crate of `module` begins with in `from`.
    fn crate_name(&self, module: ModuleId, from: ModuleId) -> Option<String> {
        let root = self.module(module).root;
        if self.module(from).root == root {
            return Some("crate".to_owned());
        }
        let package = self.package_of(from)?;
        let siblings = package.siblings.iter().map(|(name, _)| name);
        siblings.chain([&package.name]).find(|name| self.sibling(from, name) == Some(root)).cloned()
    }
}

impl Definition {
    /// Where its name is looked up.
    fn namespace(&self) -> Namespace {
        match self.what {
            What::Function(_) | What::Constant(_) | What::Composed(_) => Namespace::Values,
            _ => Namespace::Types,
        }
    }
}

fn is_standard(path: &[String]) -> bool {
    path.first().is_some_and(|package| ["std", "core", "alloc"].contains(&package.as_str()))
}

fn leads_to(target: Option<Target>, definition: &Rc<Definition>) -> bool {
    matches!(target, Some(Target::Definition(found)) if Rc::ptr_eq(&found, definition))
}

/// A name as code writes it: with `r#` where it is a keyword.
pub(in crate::language::rust) fn raw(name: &str) -> String {
    let reserved = syn::parse_str::<syn::Ident>(name).is_err() && !["crate", "self", "super", "Self"].contains(&name);
    if reserved { format!("r#{name}") } else { name.to_owned() }
}
