//! What a name stands for as a value, and what a call of it gives.

use syn::{Expr, ExprPath};

use super::method::general;
use super::scope::Meaning;
use super::{Arguments, Inference, Own, Scope, Standard, Type, is_float};
use crate::language::rust::items::{Definition, Namespace, Target, What, plain};

impl<'a> Inference<'a> {
    /// What a call of `function` gives: of a closure, or of what a path names.
    pub(super) fn result_of(&self, function: &Expr, scope: &Scope, arguments: &dyn Arguments) -> Type {
        match function {
            Expr::Paren(paren) => self.result_of(&paren.expr, scope, arguments),
            Expr::Group(group) => self.result_of(&group.expr, scope, arguments),
            Expr::Reference(reference) => self.result_of(&reference.expr, scope, arguments),
            Expr::Closure(closure) => self.closure(closure, scope, arguments),
            Expr::Path(path) => self.deeper(|| self.call(path, scope, arguments)),
            _ => Type::Unknown,
        }
    }

    fn closure(&self, closure: &syn::ExprClosure, scope: &Scope, arguments: &dyn Arguments) -> Type {
        if let syn::ReturnType::Type(_, ty) = &closure.output {
            return self.written(ty, scope);
        }
        let mut inner = scope.clone();
        for (index, pattern) in closure.inputs.iter().enumerate() {
            inner = self.bind(pattern, &arguments.ty(index), &inner);
        }
        self.with_returns(self.type_of(&closure.body, &inner), &closure.body, &inner)
    }

    /// The value that a path names.
    pub(super) fn path_value(&self, path: &ExprPath, scope: &Scope) -> Type {
        let names = names(path);
        if let [name] = &names[..]
            && let Some(ty) = self.local(name, scope)
        {
            return ty;
        }
        if let Some((owner, name)) = self.owner(path, &names, scope) {
            return self.associated_constant(&owner, &name);
        }
        match self.items.resolve(scope.module, &names, Namespace::Values) {
            Some(Target::Definition(definition)) => self.constant(&definition),
            Some(Target::Variant(definition, _)) => Type::Own(Own(definition), self.variant_arguments(path, scope)),
            Some(Target::Foreign(foreign)) if foreign == ["std", "option", "None"] => {
                let mut types = self.variant_arguments(path, scope);
                Type::standard("Option", vec![types.pop().unwrap_or(Type::Unknown)])
            }
            Some(Target::Foreign(path)) => {
                standard_constant(&path).or_else(|| self.library.constant(&path)).unwrap_or(Type::Unknown)
            }
            _ => Type::Unknown,
        }
    }

    fn constant(&self, definition: &std::rc::Rc<Definition>) -> Type {
        match &definition.what {
            What::Constant(ty) => self.written(ty, &Scope::new(definition.module)),
            What::Struct(_) => Type::Own(Own(definition.clone()), Vec::new()),
            _ => Type::Unknown,
        }
    }

    /// The types in `Enum::<…>::Variant` or `Variant::<…>`.
    fn variant_arguments(&self, path: &ExprPath, scope: &Scope) -> Vec<Type> {
        let mut all = path.path.segments.iter().rev().take(2);
        all.find(|segment| !segment.arguments.is_empty())
            .map(|segment| self.type_arguments(&segment.arguments, scope))
            .unwrap_or_default()
    }

    /// For `Type::name` the type and the name: where the type is `Self`, in `<…>`, one of ours or a parameter.
    fn owner(&self, path: &ExprPath, names: &[String], scope: &Scope) -> Option<(Type, String)> {
        let (name, before) = names.split_last()?;
        if let Some(qself) = &path.qself {
            return Some((self.written(&qself.ty, scope), name.clone()));
        }
        let mut owner = path.path.clone();
        owner.segments.pop();
        owner.segments.pop_punct();
        if before.is_empty() {
            return None;
        }
        let generic = before == ["Self"] || before.len() == 1 && scope.is_generic(&before[0]);
        let associated =
            || matches!(self.items.resolve(scope.module, names, Namespace::Values), Some(Target::Associated));
        (generic || associated()).then(|| (self.path_type(&owner, scope), name.clone()))
    }

    fn associated_constant(&self, owner: &Type, name: &str) -> Type {
        if let Type::Own(own, _) = owner
            && own.variant(name).is_some()
        {
            return owner.clone();
        }
        let named = |item: &syn::ImplItem| match item {
            syn::ImplItem::Const(item) if plain(&item.ident) == name => Some(item.ty.clone()),
            _ => None,
        };
        match self.in_impls(owner, named) {
            Some((ty, scope)) => self.written(&ty, &scope).settled(),
            None => owner.constant(name).unwrap_or(Type::Unknown),
        }
    }

    fn call(&self, path: &ExprPath, scope: &Scope, arguments: &dyn Arguments) -> Type {
        let names = names(path);
        if let [name] = &names[..] {
            if let Some(Meaning::Expression(function, place)) = scope.local(name) {
                return self.result_of(&function, &place, arguments);
            }
            if name == "Self" {
                return scope.own.as_deref().cloned().unwrap_or(Type::Unknown);
            }
        }
        if let Some((owner, name)) = self.owner(path, &names, scope) {
            return self.associated_call(&owner, &name, &self.last_arguments(path, scope), arguments);
        }
        let types = self.last_arguments(path, scope);
        match self.items.resolve(scope.module, &names, Namespace::Values) {
            Some(Target::Definition(definition)) => self.definition_call(&definition, &types, arguments),
            Some(Target::Variant(definition, variant)) => {
                let own = Own(definition);
                own.variant(&variant).map_or(Type::Unknown, |fields| self.built(&own, &fields, &unnamed(arguments)))
            }
            Some(Target::Foreign(foreign)) => {
                let owner = self.variant_arguments(path, scope);
                standard_call(&foreign, &owner, arguments)
                    .or_else(|| self.library.call(&foreign, &types, arguments))
                    .unwrap_or(Type::Unknown)
            }
            _ => Type::Unknown,
        }
    }

    fn last_arguments(&self, path: &ExprPath, scope: &Scope) -> Vec<Type> {
        path.path.segments.last().map(|segment| self.type_arguments(&segment.arguments, scope)).unwrap_or_default()
    }

    fn definition_call(&self, definition: &std::rc::Rc<Definition>, types: &[Type], arguments: &dyn Arguments) -> Type {
        let scope = Scope::new(definition.module);
        match &definition.what {
            What::Function(function) => self.called(function, &scope, types, &given(arguments)),
            What::Composed(composed) => self.composed(composed, definition.module, types),
            What::Struct(item) => self.built(&Own(definition.clone()), &item.fields, &unnamed(arguments)),
            _ => Type::Unknown,
        }
    }

    /// What `owner::name(…)` gives.
    fn associated_call(&self, owner: &Type, name: &str, types: &[Type], arguments: &dyn Arguments) -> Type {
        if let Type::Own(own, _) = owner
            && let Some(fields) = own.variant(name)
        {
            return self.built(own, &fields, &unnamed(arguments));
        }
        match self.method_of(owner, name) {
            Some((function, scope)) => self.called(&function, &scope, types, &given(arguments)),
            None if name == "default" => owner.clone(),
            None => {
                let found = self.library.associated(owner, name).or_else(|| owner.call(name, arguments));
                found.unwrap_or(Type::Unknown)
            }
        }
    }

    /// The function `name` in an `impl` block of `owner`.
    pub(super) fn method_of(&self, owner: &Type, name: &str) -> Option<(syn::ItemFn, Scope)> {
        self.in_impls(owner, |item| match item {
            syn::ImplItem::Fn(item) if plain(&item.sig.ident) == name => Some(syn::ItemFn {
                attrs: Vec::new(),
                vis: item.vis.clone(),
                sig: item.sig.clone(),
                block: Box::new(item.block.clone()),
            }),
            _ => None,
        })
    }
}

impl Own {
    /// The fields of the variant of that name, if it is an enum.
    pub(in crate::language::rust) fn variant(&self, name: &str) -> Option<syn::Fields> {
        let What::Enum(item) = &self.0.what else { return None };
        let variant = item.variants.iter().find(|variant| plain(&variant.ident) == name)?;
        Some(variant.fields.clone())
    }
}

impl Type {
    /// The type of a constant of this standard or primitive type.
    fn constant(&self, name: &str) -> Option<Type> {
        match self {
            Type::Primitive(_) if name == "BITS" => Some(Type::Primitive("u32")),
            Type::Primitive(_) | Type::Standard(..)
                if name.chars().all(|c| c.is_uppercase() || c == '_' || c.is_ascii_digit()) =>
            {
                Some(self.clone())
            }
            Type::Standard(standard, _) => variants(standard.name).contains(&name).then(|| self.clone()),
            _ => None,
        }
    }

    /// What the function `name` of this standard or primitive type gives.
    fn call(&self, name: &str, arguments: &dyn Arguments) -> Option<Type> {
        match self {
            Type::Primitive("char") if ["from_u32", "from_digit"].contains(&name) => {
                Some(Type::standard("Option", vec![self.clone()]))
            }
            Type::Primitive(_) if name == "try_from" || name == "from_str_radix" => {
                Some(Type::standard("Result", vec![self.clone(), Type::Unknown]))
            }
            Type::Primitive(_) if name.starts_with("from") || name == "default" => Some(self.clone()),
            Type::Standard(standard, types) => standard_function(standard, types, name, arguments),
            _ => None,
        }
    }
}

/// What a function of a standard type gives, `types` that type's own arguments where they are written.
fn standard_function(
    standard: &'static Standard,
    types: &[Type],
    name: &str,
    arguments: &dyn Arguments,
) -> Option<Type> {
    let own = || Type::Standard(standard, types.to_vec());
    let of_first = || Type::Standard(standard, vec![arguments.ty(0)]);
    match (standard.name, name) {
        ("Box" | "Rc" | "Arc" | "Cell" | "RefCell" | "Mutex" | "RwLock", "new") => Some(of_first()),
        ("Box" | "Rc" | "Arc" | "Cow", "from") => Some(own()),
        ("Cow", "Borrowed" | "Owned") if !types.is_empty() => Some(own()),
        ("Cow", "Borrowed") => Some(Type::Standard(standard, vec![arguments.ty(0).behind().clone()])),
        ("Cow", "Owned") => Some(Type::Standard(standard, vec![borrowed(arguments.ty(0))])),
        ("Bound", "Included" | "Excluded") => Some(of_first()),
        ("Option", "Some") => Some(of_first()),
        ("NonZero", "new") => Some(Type::standard("Option", vec![of_first()])),
        (nonzero, "new") if nonzero.starts_with("NonZero") => Some(Type::standard("Option", vec![own()])),
        ("CString", "new") | ("String", "from_utf8") => Some(Type::standard("Result", vec![own(), Type::Unknown])),
        ("String", "from_utf8_lossy") => Some(Type::standard("Cow", vec![Type::Primitive("str")])),
        (_, "from" | "from_iter") if standard.arguments > 0 && types.is_empty() => {
            Some(collected(standard, &arguments.ty(0)))
        }
        (other, name) if variants(other).contains(&name) => Some(own()),
        (_, name) if ["new", "from", "with_", "default"].iter().any(|start| name.starts_with(start)) => Some(own()),
        _ => None,
    }
}

/// What a reference to a value of that type most often refers to.
fn borrowed(owned: Type) -> Type {
    match owned.of_standard("Vec") {
        Some([element]) => Type::Slice(Box::new(element.clone())),
        _ if owned.of_standard("String").is_some() => Type::Primitive("str"),
        _ => owned,
    }
}

/// The collection of that type that holds what `from` holds.
pub(super) fn collected(standard: &'static Standard, from: &Type) -> Type {
    match (standard.arguments, from.element()) {
        (1, Some(element)) => Type::Standard(standard, vec![element]),
        (2, Some(Type::Tuple(pair))) if pair.len() == 2 => Type::Standard(standard, pair),
        _ => Type::Standard(standard, Vec::new()),
    }
}

/// The variants of standard enums that code names through their type.
fn variants(standard: &str) -> &'static [&'static str] {
    match standard {
        "IpAddr" | "SocketAddr" => &["V4", "V6"],
        "Ordering" => &["Less", "Equal", "Greater"],
        "Bound" => &["Unbounded"],
        _ => &[],
    }
}

/// The type of a constant that a path into the standard library names.
fn standard_constant(path: &[String]) -> Option<Type> {
    let (name, owner) = path.split_last()?;
    if let Some(standard) = Standard::of(path) {
        return (standard.arguments == 0 || standard.name == "PhantomData")
            .then_some(Type::Standard(standard, Vec::new()));
    }
    if let Some(standard) = Standard::of(owner) {
        return Type::Standard(standard, Vec::new()).constant(name);
    }
    let [.., last] = owner else { return None };
    let of_std = owner.len() == 1 || ["std", "core"].contains(&owner[0].as_str());
    let float = owner.iter().find(|name| is_float(name)).and_then(|name| Type::primitive(name));
    Type::primitive(last).or(float).filter(|_| of_std)?.constant(name)
}

/// What a call of a path into the standard library gives, `types` what stands in `Type::<…>::name`.
fn standard_call(path: &[String], types: &[Type], arguments: &dyn Arguments) -> Option<Type> {
    let (name, owner) = path.split_last()?;
    let unknown = || Type::Unknown;
    match path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["std", "option", "Some"] => return Some(Type::standard("Option", vec![arguments.ty(0)])),
        ["std", "result", "Ok"] => return Some(Type::standard("Result", vec![arguments.ty(0), unknown()])),
        ["std", "result", "Err"] => return Some(Type::standard("Result", vec![unknown(), arguments.ty(0)])),
        ["std" | "core", "cmp", "min" | "max"] => return Some(arguments.ty(0).unify(arguments.ty(1))),
        _ => {}
    }
    if let Some(standard) = Standard::of(path) {
        return (standard.arguments == 1).then(|| Type::Standard(standard, vec![arguments.ty(0)]));
    }
    let of = match Standard::of(owner) {
        Some(standard) => Type::Standard(standard, types.to_vec()),
        None => Type::primitive(owner.last()?)?,
    };
    // A method by its path takes its receiver first.
    of.call(name, arguments).or_else(|| general(&arguments.ty(0), name, &[]))
}

fn names(path: &ExprPath) -> Vec<String> {
    path.path.segments.iter().map(|segment| plain(&segment.ident)).collect()
}

fn given(arguments: &dyn Arguments) -> Vec<Type> {
    (0..arguments.count()).map(|index| arguments.ty(index)).collect()
}

fn unnamed(arguments: &dyn Arguments) -> Vec<(Option<String>, Type)> {
    given(arguments).into_iter().map(|ty| (None, ty)).collect()
}
