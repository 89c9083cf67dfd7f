//! What a type means where it is written.

use syn::{AngleBracketedGenericArguments, GenericArgument, PathArguments, TypeParamBound};

use super::{Inference, Own, Scope, Standard, Type};
use crate::language::rust::items::{Definition, Namespace, Target, What, plain};

impl Inference<'_> {
    /// The type that `ty` names in `scope`.
    pub(in crate::language::rust) fn written(&self, ty: &syn::Type, scope: &Scope) -> Type {
        let inner = |ty: &syn::Type| Box::new(self.written(ty, scope));
        match ty {
            syn::Type::Paren(paren) => self.written(&paren.elem, scope),
            syn::Type::Group(group) => self.written(&group.elem, scope),
            syn::Type::Tuple(tuple) => Type::Tuple(tuple.elems.iter().map(|ty| self.written(ty, scope)).collect()),
            syn::Type::Array(array) => Type::Array(inner(&array.elem), number(&array.len)),
            syn::Type::Slice(slice) => Type::Slice(inner(&slice.elem)),
            syn::Type::Reference(reference) => Type::Reference(inner(&reference.elem)),
            syn::Type::Never(_) => Type::Never,
            syn::Type::ImplTrait(bounds) => self.bounds(bounds.bounds.iter(), scope),
            syn::Type::TraitObject(bounds) => self.bounds(bounds.bounds.iter(), scope),
            syn::Type::Path(path) if path.qself.is_none() => self.path_type(&path.path, scope),
            syn::Type::Path(path) => self.associated_type(path, scope),
            syn::Type::BareFn(_) => Type::Foreign("fn".to_owned(), Vec::new()),
            _ => Type::Unknown,
        }
    }

    /// The type that a path of types names.
    pub(super) fn path_type(&self, path: &syn::Path, scope: &Scope) -> Type {
        let names: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        if let [name] = &names[..] {
            if let Some(known) = scope.generics.get(name) {
                return known.clone();
            }
            if name == "Self" {
                return scope.own.as_deref().cloned().unwrap_or(Type::Unknown);
            }
        }
        let Some(last) = path.segments.last() else { return Type::Unknown };
        let arguments = self.type_arguments(&last.arguments, scope);
        match self.items.resolve(scope.module, &names, Namespace::Types) {
            Some(Target::Definition(definition)) => self.own_type(&definition, arguments),
            Some(Target::Foreign(path)) => self.foreign_type(&path, arguments),
            Some(Target::Associated) | None if names.len() > 1 => self.projection(path, scope),
            None => names.first().and_then(|name| Type::primitive(name)).unwrap_or(Type::Unknown),
            Some(_) => Type::Unknown,
        }
    }

    fn foreign_type(&self, path: &[String], arguments: Vec<Type>) -> Type {
        let is_type = |argument: &Type| !matches!(argument, Type::Constant(_));
        let types: Vec<Type> = arguments.iter().filter(|argument| is_type(argument)).cloned().collect();
        if let Some(standard) = Standard::of(path) {
            return Type::Standard(standard, types);
        }
        if let [package, name] = path
            && ["std", "core"].contains(&package.as_str())
        {
            return Type::primitive(name).unwrap_or_else(|| Type::Foreign(path.join("::"), types));
        }
        self.library.named(path, &types).unwrap_or_else(|| Type::Foreign(path.join("::"), arguments))
    }

    /// The struct or enum that `definition` is, or what the alias stands for.
    pub(super) fn own_type(&self, definition: &std::rc::Rc<Definition>, arguments: Vec<Type>) -> Type {
        match &definition.what {
            What::Struct(_) | What::Enum(_) => Type::Own(Own(definition.clone()), arguments),
            What::Alias(alias) => {
                let names = type_parameters(&alias.generics);
                let scope = Scope::new(definition.module).with_generics(names.into_iter().zip(arguments));
                self.deeper(|| self.written(&alias.ty, &scope))
            }
            _ => Type::Unknown,
        }
    }

    /// The types and constants between `<` and `>`; lifetimes are left out.
    pub(super) fn type_arguments(&self, arguments: &PathArguments, scope: &Scope) -> Vec<Type> {
        let PathArguments::AngleBracketed(arguments) = arguments else { return Vec::new() };
        self.angle_arguments(arguments, scope)
    }

    /// The types and constants between `::<` and `>`.
    pub(super) fn angle_arguments(&self, arguments: &AngleBracketedGenericArguments, scope: &Scope) -> Vec<Type> {
        let told = arguments.args.iter().filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(self.written(ty, scope)),
            GenericArgument::Const(constant) => Some(written_constant(constant)),
            _ => None,
        });
        told.collect()
    }

    /// The type of a value of which only traits are known.
    pub(super) fn bounds<'b>(&self, bounds: impl Iterator<Item = &'b TypeParamBound>, scope: &Scope) -> Type {
        let mut traits = bounds.filter_map(|bound| match bound {
            TypeParamBound::Trait(bound) => bound.path.segments.last(),
            _ => None,
        });
        traits.find_map(|segment| self.bound(segment, scope)).unwrap_or(Type::Unknown)
    }

    fn bound(&self, segment: &syn::PathSegment, scope: &Scope) -> Option<Type> {
        let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
        let bindings = arguments.args.iter().filter_map(|argument| match argument {
            GenericArgument::AssocType(binding) => Some((plain(&binding.ident), self.written(&binding.ty, scope))),
            _ => None,
        });
        self.library.bound(&plain(&segment.ident), &bindings.collect::<Vec<_>>())
    }

    /// `Type::Name`, where `Type` is one of ours and an `impl` block of it says what `Name` is.
    fn projection(&self, path: &syn::Path, scope: &Scope) -> Type {
        let mut owner = path.clone();
        let Some(last) = owner.segments.pop() else { return Type::Unknown };
        owner.segments.pop_punct();
        let owner = self.path_type(&owner, scope);
        self.associated(&owner, &plain(&last.into_value().ident))
    }

    /// `<Type as Trait>::Name`.
    fn associated_type(&self, path: &syn::TypePath, scope: &Scope) -> Type {
        let (Some(qself), Some(last)) = (&path.qself, path.path.segments.last()) else { return Type::Unknown };
        self.associated(&self.written(&qself.ty, scope), &plain(&last.ident))
    }

    /// The type that an `impl` block of `owner` calls `name`.
    pub(in crate::language::rust) fn associated(&self, owner: &Type, name: &str) -> Type {
        let named = |item: &syn::ImplItem| match item {
            syn::ImplItem::Type(item) if plain(&item.ident) == name => Some(item.ty.clone()),
            _ => None,
        };
        let found = self.in_impls(owner, named);
        found.map_or(Type::Unknown, |(ty, scope)| self.deeper(|| self.written(&ty, &scope).settled()))
    }
}

/// The number that an expression is.
pub(super) fn number(expression: &syn::Expr) -> Option<usize> {
    match expression {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => number.base10_parse().ok(),
        _ => None,
    }
}

/// The constant that an expression between `<` and `>` is, where it is a number or a truth.
fn written_constant(expression: &syn::Expr) -> Type {
    let syn::Expr::Lit(constant) = expression else { return Type::Unknown };
    match &constant.lit {
        syn::Lit::Int(number) => Type::Constant(number.base10_digits().to_owned()),
        syn::Lit::Bool(truth) => Type::Constant(truth.value.to_string()),
        _ => Type::Unknown,
    }
}

/// The names of the parameters that are types or constants.
pub(in crate::language::rust) fn type_parameters(generics: &syn::Generics) -> Vec<String> {
    let named = generics.params.iter().filter_map(|parameter| match parameter {
        syn::GenericParam::Type(ty) => Some(plain(&ty.ident)),
        syn::GenericParam::Const(constant) => Some(plain(&constant.ident)),
        syn::GenericParam::Lifetime(_) => None,
    });
    named.collect()
}
