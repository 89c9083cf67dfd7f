//! What names mean at a place inside a function: its module, its generic parameters and its local variables.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Type;
use crate::language::rust::items::ModuleId;

/// The names at a place.
#[derive(Clone)]
pub(in crate::language::rust) struct Scope {
    /// The module or block whose names are looked up first.
    pub(in crate::language::rust) module: ModuleId,
    /// What generic parameters stand for.
    pub(super) generics: Rc<BTreeMap<String, Type>>,
    /// What `Self` stands for.
    pub(super) own: Option<Rc<Type>>,
    locals: Option<Rc<Local>>,
}

/// A local variable, and those declared before it.
struct Local {
    name: String,
    meaning: Meaning,
    before: Option<Rc<Local>>,
}

/// What is known of a local variable.
#[derive(Clone)]
pub(super) enum Meaning {
    /// Its type.
    Type(Type),
    /// The expression it was declared with, and where that stands.
    Expression(Rc<syn::Expr>, Scope),
}

impl Scope {
    /// A place in `module` outside any function.
    pub(in crate::language::rust) fn new(module: ModuleId) -> Self {
        Scope { module, generics: Rc::default(), own: None, locals: None }
    }

    /// The place after a variable was declared.
    #[must_use]
    pub(super) fn with(&self, name: String, meaning: Meaning) -> Scope {
        Scope { locals: Some(Rc::new(Local { name, meaning, before: self.locals.clone() })), ..self.clone() }
    }

    /// The place with more generic parameters.
    #[must_use]
    pub(super) fn with_generics(&self, more: impl IntoIterator<Item = (String, Type)>) -> Scope {
        let mut generics = (*self.generics).clone();
        generics.extend(more);
        Scope { generics: Rc::new(generics), ..self.clone() }
    }

    /// The place inside an `impl` block of `own`.
    #[must_use]
    pub(super) fn of(&self, own: Type) -> Scope {
        Scope { own: Some(Rc::new(own)), ..self.clone() }
    }

    /// Whether `name` is a generic parameter.
    pub(super) fn is_generic(&self, name: &str) -> bool {
        self.generics.contains_key(name)
    }

    /// What the local variable `name` is.
    pub(super) fn local(&self, name: &str) -> Option<Meaning> {
        let mut next = self.locals.as_ref();
        while let Some(local) = next {
            if local.name == name {
                return Some(local.meaning.clone());
            }
            next = local.before.as_ref();
        }
        None
    }
}

impl Drop for Local {
    /// Takes a long list apart one by one, where the compiler's own way recurses.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(local) = next.and_then(Rc::into_inner) {
            let mut local = local;
            next = local.before.take();
        }
    }
}
