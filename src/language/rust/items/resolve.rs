//! What a path leads to, by the rules of Rust as far as types need them: definitions before imports, imports by name
//! before globs, packages and the standard prelude last.

use std::rc::Rc;

use super::load::Items;
use super::module::{Definition, ModuleId, Use, What};
use crate::language::rust::types::Standard;

/// Types and modules, or functions and constants: the same name may stand for one of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::language::rust) enum Namespace {
    /// Types and modules.
    Types,
    /// Functions, constants, and what builds tuple and unit structs.
    Values,
}

/// What a path leads to.
#[derive(Clone, Debug)]
pub(in crate::language::rust) enum Target {
    /// A module of this repository.
    Module(ModuleId),
    /// A definition of this repository.
    Definition(Rc<Definition>),
    /// A variant of an enum of this repository.
    Variant(Rc<Definition>, String),
    /// A function or constant of a type of this repository.
    Associated,
    /// A path into the standard library or another package, from that package's name on.
    Foreign(Vec<String>),
}

impl Target {
    /// Whether both lead to the same.
    fn is(&self, other: &Target) -> bool {
        match (self, other) {
            (Target::Module(one), Target::Module(two)) => one == two,
            (Target::Definition(one), Target::Definition(two)) => Rc::ptr_eq(one, two),
            (Target::Variant(one, first), Target::Variant(two, second)) => Rc::ptr_eq(one, two) && first == second,
            (Target::Foreign(one), Target::Foreign(two)) => {
                let standard = |path| Standard::of(path).map(|standard| standard.name);
                one == two || standard(one).is_some() && standard(one) == standard(two)
            }
            _ => false,
        }
    }
}

impl Items<'_> {
    /// What `path` leads to from within `module`.
    pub(in crate::language::rust) fn resolve(
        &self,
        module: ModuleId,
        path: &[String],
        namespace: Namespace,
    ) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        let alone = if rest.is_empty() { namespace } else { Namespace::Types };
        let mut target = self.first(module, first, alone, rest.is_empty())?;
        for (index, name) in rest.iter().enumerate() {
            let namespace = if index + 1 == rest.len() { namespace } else { Namespace::Types };
            target = self.step(target, name, namespace, module)?;
        }
        Some(target)
    }

    fn first(&self, module: ModuleId, name: &str, namespace: Namespace, alone: bool) -> Option<Target> {
        match name {
            "crate" => return Some(Target::Module(self.module(module).root)),
            "self" => return Some(Target::Module(self.named_module(module))),
            "super" => return self.above(module),
            _ => {}
        }
        self.lexical(module, name, namespace)
            .or_else(|| self.sibling(module, name).map(Target::Module))
            .or_else(|| prelude(name).map(Target::Foreign))
            .or_else(|| {
                (!alone || self.is_package(module, name))
                    .then(|| Target::Foreign(vec![self.package_called(module, name)]))
            })
    }

    /// A name as it is looked up in statements: in the blocks around, then in the module.
    pub(super) fn lexical(&self, module: ModuleId, name: &str, namespace: Namespace) -> Option<Target> {
        let found = self.lookup(module, name, namespace, module);
        let around = self.module(module);
        if found.is_some() || !around.block {
            return found;
        }
        self.lexical(around.parent?, name, namespace)
    }

    fn step(&self, target: Target, name: &str, namespace: Namespace, from: ModuleId) -> Option<Target> {
        match target {
            Target::Module(module) if name == "super" => self.above(module),
            Target::Module(module) if name == "self" => Some(Target::Module(module)),
            Target::Module(module) => self.lookup(module, name, namespace, from),
            Target::Definition(definition) => match &definition.what {
                What::Enum(item)
                    if item.variants.iter().any(|variant| super::module::plain(&variant.ident) == name) =>
                {
                    Some(Target::Variant(definition, name.to_owned()))
                }
                _ => Some(Target::Associated),
            },
            Target::Foreign(path) => Some(Target::Foreign(self.library.path([path, vec![name.to_owned()]].concat()))),
            Target::Variant(..) | Target::Associated => None,
        }
    }

    /// What `module` offers under `name` to code in `from`.
    pub(super) fn lookup(&self, module: ModuleId, name: &str, namespace: Namespace, from: ModuleId) -> Option<Target> {
        let key = (module, name.to_owned(), namespace);
        if self.pending.borrow().contains(&key) {
            return None;
        }
        self.pending.borrow_mut().push(key);
        let found = self.defined(module, name, namespace).or_else(|| self.imported(module, name, namespace, from));
        self.pending.borrow_mut().pop();
        found
    }

    fn defined(&self, module: ModuleId, name: &str, namespace: Namespace) -> Option<Target> {
        let module = self.module(module);
        let is_it = |definition: &&Rc<Definition>| definition.name == name && definition.what.stands_in(namespace);
        let mut all = module.definitions.iter().filter(is_it);
        let found = all.next()?;
        if all.next().is_some() {
            // Conditions that are not ours to judge choose one of them.
            return None;
        }
        match &found.what {
            What::Module(_) => self.child(found).map(Target::Module),
            _ => Some(Target::Definition(found.clone())),
        }
    }

    fn imported(&self, module: ModuleId, name: &str, namespace: Namespace, from: ModuleId) -> Option<Target> {
        let uses = &self.module(module).uses;
        let visible = |visibility| self.visible(visibility, module, from);
        let mut named =
            uses.iter().filter(|import| import.name.as_deref() == Some(name) && visible(&import.visibility));
        let brings = |import: &Use| {
            let found = self.resolve(module, &import.path, namespace)?;
            // `use a::b::a` cannot bring a module or type: its own path would be in doubt.
            let is_macro = namespace == Namespace::Types && import.path.first() == import.name.as_ref();
            (!(is_macro && matches!(found, Target::Foreign(_)))).then_some(found)
        };
        named.find_map(brings).or_else(|| {
            let globs = uses.iter().filter(|import| import.name.is_none() && visible(&import.visibility));
            let mut found = globs.filter_map(|import| self.glob(module, &import.path, name, namespace));
            let first = found.next()?;
            // Two globs that bring two things under one name bring neither.
            found.all(|other| other.is(&first)).then_some(first)
        })
    }

    /// What `use path::*` in `module` brings under `name`.
    fn glob(&self, module: ModuleId, path: &[String], name: &str, namespace: Namespace) -> Option<Target> {
        match self.resolve(module, path, Namespace::Types)? {
            Target::Module(other) => {
                let found = self.lookup(other, name, namespace, module)?;
                let hidden = matches!(&found, Target::Definition(definition)
                    if definition.module == other && !self.visible(&definition.visibility, other, module));
                (!hidden).then_some(found)
            }
            enumeration @ Target::Definition(_) => match self.step(enumeration, name, namespace, module)? {
                variant @ Target::Variant(..) => Some(variant),
                _ => None,
            },
            Target::Foreign(path) => {
                let inside = [path.clone(), vec![name.to_owned()]].concat();
                let standard = Standard::of(&inside).map(|_| inside);
                standard.or_else(|| self.library.glob(&path, name)).map(Target::Foreign)
            }
            Target::Variant(..) | Target::Associated => None,
        }
    }

    fn above(&self, module: ModuleId) -> Option<Target> {
        self.module(self.named_module(module)).parent.map(|above| Target::Module(self.named_module(above)))
    }

    /// The module around a block.
    pub(in crate::language::rust) fn named_module(&self, module: ModuleId) -> ModuleId {
        self.ancestors(module).find(|module| !self.module(*module).block).unwrap_or(module)
    }

    /// The own name of the package that code in `module` calls `name`.
    fn package_called(&self, module: ModuleId, name: &str) -> String {
        self.package_of(module).map_or_else(|| name.to_owned(), |package| package.own_name(name).to_owned())
    }

    /// Whether code in `module` may speak of a package as `name`.
    pub(in crate::language::rust) fn is_package(&self, module: ModuleId, name: &str) -> bool {
        ["std", "core", "alloc"].contains(&name)
            || self.package_of(module).is_some_and(|package| package.dependencies.iter().any(|known| known == name))
    }
}

impl What {
    fn stands_in(&self, namespace: Namespace) -> bool {
        match self {
            What::Struct(item) => namespace == Namespace::Types || !matches!(item.fields, syn::Fields::Named(_)),
            What::Enum(_) | What::Alias(_) | What::Module(_) => namespace == Namespace::Types,
            What::Function(_) | What::Constant(_) | What::Composed(_) => namespace == Namespace::Values,
        }
    }
}

/// The path behind a name that is there without an import.
fn prelude(name: &str) -> Option<Vec<String>> {
    let module = match name {
        "Option" | "Some" | "None" => "option",
        "Result" | "Ok" | "Err" => "result",
        "Vec" => "vec",
        "String" => "string",
        "Box" => "boxed",
        _ => return None,
    };
    Some(vec!["std".to_owned(), module.to_owned(), name.to_owned()])
}
