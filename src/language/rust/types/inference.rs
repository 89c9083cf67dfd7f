//! Finds out types: the part that knows functions, their generic parameters and `impl` blocks.

use std::cell::Cell;
use std::collections::BTreeMap;

use syn::visit::Visit;
use syn::{FnArg, ReturnType, Signature};

use super::scope::Meaning;
use super::written::type_parameters;
use super::{Library, Own, Scope, Type, common};
use crate::language::rust::items::{Composed, Items, ModuleId, Namespace, Target, What, plain};

/// Expressions and aliases are followed this far.
const DEEPEST: u32 = 96;

/// Steps that one argument may take.
const STEPS: u32 = 20_000;

/// Finds out types of one crate's code.
pub(in crate::language::rust) struct Inference<'a> {
    /// The definitions.
    pub(in crate::language::rust) items: &'a Items<'a>,
    /// The library of generators.
    pub(in crate::language::rust) library: &'a dyn Library,
    depth: Cell<u32>,
    steps: Cell<u32>,
}

impl<'a> Inference<'a> {
    pub(in crate::language::rust) fn new(items: &'a Items<'a>) -> Self {
        Inference { items, library: items.library, depth: Cell::new(0), steps: Cell::new(STEPS) }
    }

    /// One step deeper; unknown where that goes on for too long.
    pub(super) fn deeper(&self, step: impl FnOnce() -> Type) -> Type {
        if self.depth.get() >= DEEPEST || self.steps.get() == 0 {
            return Type::Unknown;
        }
        self.depth.set(self.depth.get() + 1);
        self.steps.set(self.steps.get() - 1);
        let ty = step();
        self.depth.set(self.depth.get() - 1);
        ty
    }

    /// The types of `fields`, declared by `own` with these arguments.
    pub(in crate::language::rust) fn field_types(
        &self,
        own: &Own,
        arguments: &[Type],
        fields: &syn::Fields,
    ) -> Vec<Type> {
        let scope = self.inside(own, arguments);
        fields.iter().map(|field| self.written(&field.ty, &scope)).collect()
    }

    /// The place inside the definition of `own`.
    fn inside(&self, own: &Own, arguments: &[Type]) -> Scope {
        let given = arguments.iter().cloned().chain(std::iter::repeat(Type::Unknown));
        let generics = own.generics().into_iter().zip(given);
        Scope::new(own.0.module).with_generics(generics).of(Type::Own(own.clone(), arguments.to_vec()))
    }

    /// The type that a tuple struct or variant with these fields builds.
    pub(super) fn built(&self, own: &Own, fields: &syn::Fields, given: &[(Option<String>, Type)]) -> Type {
        let names = own.generics();
        let parameters: Vec<Type> = names.iter().cloned().map(Type::Parameter).collect();
        let types = self.field_types(own, &parameters, fields);
        let mut known = BTreeMap::new();
        for (index, (name, actual)) in given.iter().enumerate() {
            let place = match name {
                Some(name) => {
                    fields.iter().position(|field| field.ident.as_ref().is_some_and(|own| plain(own) == *name))
                }
                None => Some(index),
            };
            if let Some(ty) = place.and_then(|place| types.get(place)) {
                ty.learn(actual, &mut known);
            }
        }
        Type::Own(own.clone(), parameters).substituted(&known).settled()
    }

    /// What a call of the function gives, `scope` the place of its declaration.
    pub(super) fn called(&self, function: &syn::ItemFn, scope: &Scope, types: &[Type], given: &[Type]) -> Type {
        let result = self.returned(&function.sig, scope, types, given);
        if !matches!(result, Type::Unknown) {
            return result;
        }
        let mut inner = scope.clone();
        for (parameter, ty) in parameters(&function.sig).zip(given) {
            inner = self.bind(&parameter.pat, ty, &inner);
        }
        self.deeper(|| self.block(&function.block, &inner))
    }

    /// The type of a body whose last expression has type `last`, told by what it returns before as well.
    pub(super) fn with_returns(&self, last: Type, body: &syn::Expr, scope: &Scope) -> Type {
        let mut returns = Returns(Vec::new());
        returns.visit_expr(body);
        let early = returns.0.into_iter().map(|value| self.type_of(value, scope));
        common(std::iter::once(last).chain(early).collect())
    }

    /// What the signature says a call gives.
    pub(super) fn returned(&self, signature: &Signature, scope: &Scope, types: &[Type], given: &[Type]) -> Type {
        let names = type_parameters(&signature.generics);
        let scope = scope.with_generics(names.iter().map(|name| (name.clone(), Type::Parameter(name.clone()))));
        let output = match &signature.output {
            ReturnType::Default => Type::Tuple(Vec::new()),
            ReturnType::Type(_, ty) => self.written(ty, &scope),
        };
        let mut known: BTreeMap<String, Type> = names.into_iter().zip(types.iter().cloned()).collect();
        for (parameter, actual) in parameters(signature).zip(given) {
            let expected = self.written(&parameter.ty, &scope);
            let generates = matches!(expected, Type::Generator(_));
            let actual = if generates { Type::generator(self.library.generated(actual)) } else { actual.clone() };
            expected.learn(&actual, &mut known);
        }
        self.learn_from_bounds(signature, &scope, &mut known);
        output.substituted(&known).settled()
    }

    /// `S: Bound<Value = T>` tells `T` once `S` is known.
    fn learn_from_bounds(&self, signature: &Signature, scope: &Scope, known: &mut BTreeMap<String, Type>) {
        for parameter in signature.generics.type_params() {
            let Some(actual) = known.get(&plain(&parameter.ident)).cloned() else { continue };
            if let Type::Generator(of) = self.bounds(parameter.bounds.iter(), scope) {
                of.learn(&self.library.generated(&actual), known);
            }
        }
    }

    /// What a function composed by a macro gives.
    pub(super) fn composed(&self, composed: &Composed, module: ModuleId, types: &[Type]) -> Type {
        let given = types.iter().cloned().chain(std::iter::repeat(Type::Unknown));
        let generics = type_parameters(&composed.generics).into_iter().zip(given);
        Type::generator(self.written(&composed.output, &Scope::new(module).with_generics(generics)))
    }

    /// What `pick` finds first in the `impl` blocks of `owner`, and the place inside that block.
    pub(super) fn in_impls<T>(&self, owner: &Type, pick: impl Fn(&syn::ImplItem) -> Option<T>) -> Option<(T, Scope)> {
        let Type::Own(own, arguments) = owner else { return None };
        let find = |module: &ModuleId| self.in_impls_of(*module, own, arguments, &pick);
        find(&own.0.module).or_else(|| self.items.crate_modules(own.0.module).iter().find_map(find))
    }

    fn in_impls_of<T>(
        &self,
        module: ModuleId,
        own: &Own,
        arguments: &[Type],
        pick: &impl Fn(&syn::ImplItem) -> Option<T>,
    ) -> Option<(T, Scope)> {
        for block in self.items.impls(module) {
            let Some(found) = block.items.iter().find_map(pick) else { continue };
            let Some(scope) = self.inside_impl(&block, module, own, arguments) else { continue };
            return Some((found, scope));
        }
        None
    }

    /// The place inside the block, if it is one of `own`.
    pub(super) fn inside_impl(
        &self,
        block: &syn::ItemImpl,
        module: ModuleId,
        own: &Own,
        arguments: &[Type],
    ) -> Option<Scope> {
        let syn::Type::Path(path) = &*block.self_ty else { return None };
        let names: Vec<String> = path.path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        match self.items.resolve(module, &names, Namespace::Types) {
            Some(Target::Definition(definition)) if Own(definition.clone()) == *own => {}
            _ => return None,
        }
        let names = type_parameters(&block.generics);
        let parameters = names.iter().map(|name| (name.clone(), Type::Parameter(name.clone())));
        let outside = Scope::new(module).with_generics(parameters);
        let mut known = BTreeMap::new();
        let written = self.written(&block.self_ty, &outside);
        written.learn(&Type::Own(own.clone(), arguments.to_vec()), &mut known);
        let own = written.substituted(&known);
        Some(outside.with_generics(known).of(own))
    }

    /// The variable `name` in `scope`.
    pub(super) fn local(&self, name: &str, scope: &Scope) -> Option<Type> {
        Some(match scope.local(name)? {
            Meaning::Type(ty) => ty,
            Meaning::Expression(expression, place) => self.deeper(|| self.type_of(&expression, &place)),
        })
    }
}

/// The values that a body returns before its end; those of functions inside it are not its own.
struct Returns<'e>(Vec<&'e syn::Expr>);

impl<'e> Visit<'e> for Returns<'e> {
    fn visit_expr_return(&mut self, value: &'e syn::ExprReturn) {
        self.0.extend(value.expr.as_deref());
    }

    fn visit_expr_closure(&mut self, _closure: &'e syn::ExprClosure) {}

    fn visit_item(&mut self, _item: &'e syn::Item) {}
}

/// The parameters after `self`.
pub(super) fn parameters(signature: &Signature) -> impl Iterator<Item = &syn::PatType> {
    signature.inputs.iter().filter_map(|parameter| match parameter {
        FnArg::Typed(parameter) => Some(parameter),
        FnArg::Receiver(_) => None,
    })
}

impl Own {
    /// The names of its parameters that are types or constants.
    pub(in crate::language::rust) fn generics(&self) -> Vec<String> {
        self.declared().map(type_parameters).unwrap_or_default()
    }

    /// Whether no parameter of it is a type.
    pub(in crate::language::rust) fn has_only_constants(&self) -> bool {
        self.declared().is_some_and(|generics| generics.type_params().next().is_none())
    }

    /// Whether its parameter `name` is a constant.
    pub(in crate::language::rust) fn has_constant(&self, name: &str) -> bool {
        self.declared().is_some_and(|generics| generics.const_params().any(|one| plain(&one.ident) == name))
    }

    fn declared(&self) -> Option<&syn::Generics> {
        match &self.0.what {
            What::Struct(item) => Some(&item.generics),
            What::Enum(item) => Some(&item.generics),
            _ => None,
        }
    }
}
