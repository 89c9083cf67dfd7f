//! What the names in a pattern are when it is matched with a value of a known type.

use syn::Pat;

use super::scope::Meaning;
use super::{Inference, Own, Scope, Type};
use crate::language::rust::items::{Namespace, Target, What, plain};

impl Inference<'_> {
    /// The place after `pattern` was matched with a value of type `ty`.
    pub(in crate::language::rust) fn bind(&self, pattern: &Pat, ty: &Type, scope: &Scope) -> Scope {
        match pattern {
            Pat::Ident(name) => {
                let scope = scope.with(plain(&name.ident), Meaning::Type(ty.clone()));
                name.subpat.as_ref().map_or_else(|| scope.clone(), |(_, inner)| self.bind(inner, ty, &scope))
            }
            Pat::Type(typed) => self.bind(&typed.pat, &self.written(&typed.ty, scope).unify(ty.clone()), scope),
            Pat::Paren(paren) => self.bind(&paren.pat, ty, scope),
            Pat::Reference(reference) => self.bind(&reference.pat, ty.behind(), scope),
            Pat::Tuple(tuple) => {
                let types = match ty.behind() {
                    Type::Tuple(types) => types.clone(),
                    _ => Vec::new(),
                };
                self.bind_all(tuple.elems.iter(), &types, scope)
            }
            Pat::Slice(slice) => {
                let element = ty.behind().element().unwrap_or(Type::Unknown);
                self.bind_all(slice.elems.iter(), &vec![element; slice.elems.len()], scope)
            }
            Pat::TupleStruct(inner) => {
                let types = self.fields_of(&inner.path, ty.behind(), scope);
                self.bind_all(inner.elems.iter(), &types, scope)
            }
            Pat::Struct(inner) => self.bind_struct(inner, ty.behind(), scope),
            _ => scope.clone(),
        }
    }

    /// One after the other; after a `..` nothing is told.
    fn bind_all<'p>(&self, patterns: impl Iterator<Item = &'p Pat>, types: &[Type], scope: &Scope) -> Scope {
        let mut scope = scope.clone();
        let mut told = true;
        for (index, pattern) in patterns.enumerate() {
            told &= !matches!(pattern, Pat::Rest(_));
            let ty = types.get(index).filter(|_| told).cloned().unwrap_or(Type::Unknown);
            scope = self.bind(pattern, &ty, &scope);
        }
        scope
    }

    /// The types of the fields that `Path(…)` takes out of a value of type `ty`.
    fn fields_of(&self, path: &syn::Path, ty: &Type, scope: &Scope) -> Vec<Type> {
        let names: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        match (self.items.resolve(scope.module, &names, Namespace::Values), ty) {
            (Some(Target::Variant(_, variant)), Type::Own(own, arguments)) => {
                own.variant(&variant).map(|fields| self.field_types(own, arguments, &fields)).unwrap_or_default()
            }
            (Some(Target::Definition(definition)), Type::Own(own, arguments)) => match &definition.what {
                What::Struct(item) if Own(definition.clone()) == *own => self.field_types(own, arguments, &item.fields),
                _ => Vec::new(),
            },
            (Some(Target::Foreign(path)), Type::Standard(_, arguments)) => match path.last().map(String::as_str) {
                Some("Err") => arguments.get(1).cloned().into_iter().collect(),
                Some("Some" | "Ok" | "Wrapping" | "Reverse" | "Saturating") => {
                    arguments.first().cloned().into_iter().collect()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn bind_struct(&self, pattern: &syn::PatStruct, ty: &Type, scope: &Scope) -> Scope {
        let fields = match ty {
            Type::Own(own, arguments) => {
                let last = pattern.path.segments.last().map(|segment| plain(&segment.ident)).unwrap_or_default();
                let fields = match &own.0.what {
                    What::Struct(item) => Some(item.fields.clone()),
                    _ => own.variant(&last),
                };
                fields.map(|fields| (self.field_types(own, arguments, &fields), fields))
            }
            _ => None,
        };
        let mut scope = scope.clone();
        for part in &pattern.fields {
            let place = fields.as_ref().and_then(|(types, fields)| {
                let syn::Member::Named(name) = &part.member else { return None };
                let place = fields.iter().position(|field| field.ident.as_ref() == Some(name))?;
                types.get(place).cloned()
            });
            scope = self.bind(&part.pat, &place.unwrap_or(Type::Unknown), &scope);
        }
        scope
    }
}
