//! The ways to a value of a type that its `impl` blocks offer to code elsewhere: functions that give one, conversions,
//! setters, and the last step of a builder.

use std::rc::Rc;

use syn::{FnArg, ImplItem, Pat, PathArguments, ReturnType, TypeParamBound};

use super::inference::parameters;
use super::{Inference, Own, Scope, Type};
use crate::language::rust::items::{ModuleId, plain};

/// What functions are called that reach for the world outside, or take what they are given for an amount: nothing is tried
/// on those.
const OUTSIDE: [&str; 16] = [
    "open", "create", "connect", "listen", "bind", "spawn", "load", "read", "write", "remove", "delete", "fetch",
    "download", "file", "path", "capacity",
];

/// A way to a value.
#[derive(Clone, Debug)]
pub(in crate::language::rust) struct Way {
    /// What is called.
    pub(in crate::language::rust) by: By,
    /// What it takes.
    pub(in crate::language::rust) inputs: Vec<Input>,
    /// Whether it gives an `Option` or `Result` of the value.
    pub(in crate::language::rust) unwraps: bool,
}

/// What is called on a way.
#[derive(Clone, Debug)]
pub(in crate::language::rust) enum By {
    /// A function of the type.
    Function(String),
    /// A function of the type that gives a builder, of which a method gives the value.
    Builder(String, Own, String),
    /// `parse`.
    Parse,
    /// `collect`.
    Collect,
}

/// One thing that a function takes.
#[derive(Clone, Debug)]
pub(in crate::language::rust) struct Input {
    /// The parameter's name.
    pub(in crate::language::rust) name: String,
    /// What fits.
    pub(in crate::language::rust) takes: Takes,
}

/// What fits a parameter.
#[derive(Clone, Debug)]
pub(in crate::language::rust) enum Takes {
    /// A value.
    Value(Type),
    /// A reference to a value.
    Borrowed(Type),
    /// Text, as it stands in source.
    Text,
    /// Any number of values.
    Many(Type),
}

/// A method that changes one part of a value.
#[derive(Clone, Debug)]
pub(in crate::language::rust) struct Setter {
    /// Its name.
    pub(in crate::language::rust) name: String,
    /// What it takes besides the value.
    pub(in crate::language::rust) input: Input,
    /// Whether it takes the value and gives it back, rather than changing it in place.
    pub(in crate::language::rust) chains: bool,
}

impl Inference<'_> {
    /// The ways to a value of the type `own` with these arguments that code in `from` may take.
    pub(in crate::language::rust) fn ways(&self, own: &Own, arguments: &[Type], from: ModuleId) -> Vec<Way> {
        let mut ways = Vec::new();
        for (block, scope) in self.blocks(own, arguments) {
            let of = block.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
            match of {
                None => ways.extend(block.items.iter().filter_map(|item| self.by_function(item, own, &scope, from))),
                Some(_) if self.any_reaches_outside(&block, own) => {}
                Some(of) => ways.extend(self.by_trait(of, &scope)),
            }
        }
        ways
    }

    /// The methods by which code in `from` sets parts of a value of the type `own`.
    pub(in crate::language::rust) fn setters(&self, own: &Own, arguments: &[Type], from: ModuleId) -> Vec<Setter> {
        let mut setters = Vec::new();
        for (block, scope) in self.blocks(own, arguments).into_iter().filter(|(block, _)| block.trait_.is_none()) {
            setters.extend(block.items.iter().filter_map(|item| {
                let ImplItem::Fn(function) = item else { return None };
                let Some(FnArg::Receiver(receiver)) = function.sig.inputs.first() else { return None };
                if self.reaches_outside(function, own) {
                    return None;
                }
                let input = match &self.inputs(&function.sig, &scope)[..] {
                    [one] if self.items.visible(&function.vis, own.0.module, from) => one.clone(),
                    _ => return None,
                };
                let gives_own = self.gives(&function.sig, &scope).is_some_and(|(ty, unwraps)| ty == *own && !unwraps);
                let chains = receiver.reference.is_none() && gives_own;
                let in_place = receiver.reference.is_some() && receiver.mutability.is_some();
                (chains || in_place).then(|| Setter { name: plain(&function.sig.ident), input, chains })
            }));
        }
        setters
    }

    /// The `impl` blocks of a type with the place inside each, nearest to its definition first.
    fn blocks(&self, own: &Own, arguments: &[Type]) -> Vec<(Rc<syn::ItemImpl>, Scope)> {
        let home = own.0.module;
        let others = self.items.crate_modules(home).into_iter().filter(|module| *module != home);
        let inside = |module: ModuleId| {
            let blocks = self.items.impls(module).into_iter();
            blocks.filter_map(move |block| Some((block.clone(), self.inside_impl(&block, module, own, arguments)?)))
        };
        std::iter::once(home).chain(others).flat_map(inside).collect()
    }

    fn by_function(&self, item: &ImplItem, own: &Own, scope: &Scope, from: ModuleId) -> Option<Way> {
        let ImplItem::Fn(function) = item else { return None };
        let is_method = matches!(function.sig.inputs.first(), Some(FnArg::Receiver(_)));
        if is_method || function.sig.asyncness.is_some() || !self.items.visible(&function.vis, own.0.module, from) {
            return None;
        }
        let (gives, unwraps) = self.gives(&function.sig, scope)?;
        let (name, inputs) = (plain(&function.sig.ident), self.inputs(&function.sig, scope));
        if function.sig.unsafety.is_some() || name.split('_').any(|word| OUTSIDE.contains(&word)) {
            return None;
        }
        if self.reaches_outside(function, own) {
            return None;
        }
        if gives == *own {
            return Some(Way { by: By::Function(name), inputs, unwraps });
        }
        let (last, unwraps) = self.last_step(&gives, own, from)?;
        Some(Way { by: By::Builder(name, gives, last), inputs, unwraps })
    }

    /// The method of a builder that gives what it builds.
    fn last_step(&self, builder: &Own, own: &Own, from: ModuleId) -> Option<(String, bool)> {
        self.blocks(builder, &[]).into_iter().filter(|(block, _)| block.trait_.is_none()).find_map(|(block, scope)| {
            block.items.iter().find_map(|item| {
                let ImplItem::Fn(function) = item else { return None };
                let takes_itself = matches!(function.sig.inputs.first(), Some(FnArg::Receiver(_)));
                let is_open = self.items.visible(&function.vis, builder.0.module, from);
                let (gives, unwraps) = self.gives(&function.sig, &scope)?;
                let fits = takes_itself && is_open && function.sig.inputs.len() == 1 && gives == *own;
                (fits && !self.reaches_outside(function, builder)).then(|| (plain(&function.sig.ident), unwraps))
            })
        })
    }

    /// Whether the default of a type can be had without that.
    pub(in crate::language::rust) fn has_inner_default(&self, own: &Own) -> bool {
        !self.items.reaches_outside(own.0.module, &own.0.name, "default")
    }

    /// Whether a function of `own` reaches for the world outside. Nothing is tried on it then: it would be run, and more than
    /// once, on values that nobody meant for it.
    fn reaches_outside(&self, function: &syn::ImplItemFn, own: &Own) -> bool {
        self.items.reaches_outside(own.0.module, &own.0.name, &plain(&function.sig.ident))
    }

    fn any_reaches_outside(&self, block: &syn::ItemImpl, own: &Own) -> bool {
        block.items.iter().any(|item| matches!(item, ImplItem::Fn(function) if self.reaches_outside(function, own)))
    }

    fn by_trait(&self, of: &syn::PathSegment, scope: &Scope) -> Option<Way> {
        let input = || {
            let PathArguments::AngleBracketed(arguments) = &of.arguments else { return None };
            let ty = arguments.args.iter().find_map(|argument| match argument {
                syn::GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })?;
            Some(Input { name: String::new(), takes: self.takes(ty, scope) })
        };
        let function = |name: &str, inputs, unwraps| Way { by: By::Function(name.to_owned()), inputs, unwraps };
        Some(match plain(&of.ident).as_str() {
            "From" => function("from", vec![input()?], false),
            "TryFrom" => function("try_from", vec![input()?], true),
            "FromStr" => {
                Way { by: By::Parse, inputs: vec![Input { name: String::new(), takes: Takes::Text }], unwraps: true }
            }
            "FromIterator" => {
                let Input { takes, name } = input()?;
                let Takes::Value(ty) = takes else { return None };
                Way { by: By::Collect, inputs: vec![Input { name, takes: Takes::Many(ty) }], unwraps: false }
            }
            _ => return None,
        })
    }

    /// The type of this repository that a function gives, and whether inside an `Option` or `Result`.
    fn gives(&self, signature: &syn::Signature, scope: &Scope) -> Option<(Own, bool)> {
        let ReturnType::Type(_, ty) = &signature.output else { return None };
        match self.written(ty, scope) {
            Type::Own(own, _) => Some((own, false)),
            Type::Standard(standard, types) if ["Option", "Result"].contains(&standard.name) => match types.first() {
                Some(Type::Own(own, _)) => Some((own.clone(), true)),
                _ => None,
            },
            _ => result_of(ty).and_then(|inner| match self.written(inner, scope) {
                Type::Own(own, _) => Some((own, true)),
                _ => None,
            }),
        }
    }

    /// What a function takes besides its receiver.
    fn inputs(&self, signature: &syn::Signature, scope: &Scope) -> Vec<Input> {
        let bounds = |name: &str| {
            let mut generic = signature.generics.type_params().filter(|generic| plain(&generic.ident) == name);
            generic.next().map(|generic| generic.bounds.iter().collect::<Vec<_>>())
        };
        let input = |parameter: &syn::PatType| {
            let name = match &*parameter.pat {
                Pat::Ident(ident) => plain(&ident.ident),
                _ => String::new(),
            };
            let generic = match &*parameter.ty {
                syn::Type::Path(path) => path.path.get_ident().and_then(|ident| bounds(&plain(ident))),
                syn::Type::ImplTrait(bounds) => Some(bounds.bounds.iter().collect()),
                _ => None,
            };
            let takes = match generic {
                Some(bounds) => bounds.into_iter().find_map(|bound| self.bounded(bound, scope)),
                None => Some(self.takes(&parameter.ty, scope)),
            };
            Input { name, takes: takes.unwrap_or(Takes::Value(Type::Unknown)) }
        };
        parameters(signature).map(input).collect()
    }

    /// What fits a generic parameter.
    fn bounded(&self, bound: &TypeParamBound, scope: &Scope) -> Option<Takes> {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let last = bound.path.segments.last()?;
        let PathArguments::AngleBracketed(arguments) = &last.arguments else {
            return (last.ident == "ToString").then_some(Takes::Text);
        };
        let first = arguments.args.iter().find_map(|argument| match argument {
            syn::GenericArgument::Type(ty) => Some(ty),
            syn::GenericArgument::AssocType(binding) => Some(&binding.ty),
            _ => None,
        })?;
        let ty = self.written(first, scope);
        Some(match plain(&last.ident).as_str() {
            "IntoIterator" | "Iterator" => Takes::Many(ty),
            "Into" | "AsRef" | "Borrow" if is_text(&ty) => Takes::Text,
            _ => Takes::Value(ty),
        })
    }

    fn takes(&self, ty: &syn::Type, scope: &Scope) -> Takes {
        match self.written(ty, scope) {
            Type::Reference(inner) if is_text(&inner) => Takes::Text,
            Type::Reference(inner) => Takes::Borrowed(*inner),
            other => Takes::Value(other),
        }
    }
}

fn is_text(ty: &Type) -> bool {
    matches!(ty, Type::Primitive("str")) || ty.of_standard("String").is_some()
}

/// The first argument of what is called `Result`, whoever's it is.
fn result_of(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Result")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}
