//! What a method call gives: of generators, of types of this repository, and of the standard types that strategies and
//! their closures are made of.

use syn::ExprMethodCall;

use super::call::collected;
use super::expression::Written;
use super::{Arguments, Inference, Scope, Type};
use crate::language::rust::items::plain;

impl Inference<'_> {
    /// The type of a method call.
    pub(super) fn method_call(&self, call: &ExprMethodCall, scope: &Scope) -> Type {
        let receiver = self.type_of(&call.receiver, scope);
        let name = plain(&call.method);
        let arguments = Written::new(self, call.args.iter(), scope);
        let types = call.turbofish.as_ref().map(|types| self.angle_arguments(types, scope)).unwrap_or_default();
        if let Some(ty) = self.library.method(&self.library.generated(&receiver), &name, &types, &arguments) {
            return ty;
        }
        let owner = receiver.behind();
        if let Some((function, place)) = self.method_of(owner, &name) {
            let given: Vec<Type> = (0..call.args.len()).map(|index| arguments.ty(index)).collect();
            return self.returned(&function.sig, &place, &types, &given);
        }
        general(&receiver, &name, &types)
            .or_else(|| of_option(owner, &name, &arguments))
            .or_else(|| of_iterator(&receiver, &name, &types, &arguments))
            .or_else(|| of_truth(owner, &name, &arguments))
            .or_else(|| of_number(owner, &name))
            .or_else(|| of_text(owner, &name, &types))
            .unwrap_or(Type::Unknown)
    }
}

/// Methods of any type.
pub(super) fn general(receiver: &Type, name: &str, types: &[Type]) -> Option<Type> {
    match name {
        "clone" | "cloned" | "copied" | "to_owned" if !matches!(receiver, Type::Iterator(_)) => Some(owned(receiver)),
        "collect" | "sum" | "product" => types.first().filter(|ty| is_told(ty)).cloned(),
        "to_string" => Some(Type::string()),
        "len" | "count" | "capacity" => Some(Type::Primitive("usize")),
        "is_empty" | "contains" | "starts_with" | "ends_with" | "is_some" | "is_none" | "is_ok" | "is_err" | "eq"
        | "ne" => Some(Type::boolean()),
        "into_boxed_str" => Some(Type::standard("Box", vec![Type::Primitive("str")])),
        "into_boxed_slice" => {
            let element = receiver.of_standard("Vec")?.first()?;
            Some(Type::standard("Box", vec![Type::Slice(Box::new(element.clone()))]))
        }
        "to_vec" | "into_vec" => Some(Type::standard("Vec", vec![receiver.behind().element()?])),
        _ => None,
    }
}

/// Whether a type between `::<` and `>` leaves nothing to be inferred.
fn is_told(ty: &Type) -> bool {
    match ty {
        Type::Unknown => false,
        Type::Standard(standard, types) => standard.arguments == types.len() && types.iter().all(is_told),
        Type::Tuple(types) | Type::Own(_, types) => types.iter().all(is_told),
        _ => true,
    }
}

/// A value of its own out of a reference to one.
fn owned(receiver: &Type) -> Type {
    match receiver {
        Type::Reference(inner) => match &**inner {
            Type::Primitive("str") => Type::string(),
            Type::Slice(element) => Type::standard("Vec", vec![(**element).clone()]),
            inner => inner.clone(),
        },
        receiver => receiver.clone(),
    }
}

/// Methods of `Option` and `Result`.
fn of_option(owner: &Type, name: &str, arguments: &dyn Arguments) -> Option<Type> {
    let inner = owner.inside()?;
    let option = |ty| Some(Type::standard("Option", vec![ty]));
    let is_option = owner.of_standard("Option").is_some();
    match name {
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" | "unwrap_unchecked" => Some(inner),
        "ok" => option(inner),
        "filter" | "or" | "or_else" | "take" => Some(owner.clone()),
        "map" if is_option => option(arguments.result(0, &[inner])),
        "map" => {
            let error = owner.of_standard("Result")?.get(1).cloned().unwrap_or(Type::Unknown);
            Some(Type::standard("Result", vec![arguments.result(0, &[inner]), error]))
        }
        "and_then" => Some(arguments.result(0, &[inner])),
        _ => None,
    }
}

/// Methods of collections and iterators.
fn of_iterator(receiver: &Type, name: &str, types: &[Type], arguments: &dyn Arguments) -> Option<Type> {
    let iterator = |of| Some(Type::Iterator(Box::new(of)));
    let element = receiver.behind().element()?;
    let through = || match receiver {
        Type::Reference(_) => Type::Reference(Box::new(element.clone())),
        _ => element.clone(),
    };
    match name {
        "iter" | "iter_mut" => iterator(Type::Reference(Box::new(element))),
        "into_iter" => iterator(through()),
        "rev" | "skip" | "take" | "filter" | "chain" | "step_by" | "take_while" | "skip_while" => iterator(element),
        "cloned" | "copied" => iterator(owned(&element)),
        "map" => iterator(arguments.result(0, &[element])),
        "enumerate" => iterator(Type::Tuple(vec![Type::Primitive("usize"), element])),
        "zip" => iterator(Type::Tuple(vec![element, arguments.ty(0).element()?])),
        "collect" => match types.first()? {
            Type::Standard(standard, _) => Some(collected(standard, receiver)),
            _ => None,
        },
        _ => None,
    }
}

/// Methods of `bool`.
fn of_truth(owner: &Type, name: &str, arguments: &dyn Arguments) -> Option<Type> {
    let inner = match (owner, name) {
        (Type::Primitive("bool"), "then") => arguments.result(0, &[]),
        (Type::Primitive("bool"), "then_some") => arguments.ty(0),
        _ => return None,
    };
    Some(Type::standard("Option", vec![inner]))
}

/// Methods of numbers.
fn of_number(owner: &Type, name: &str) -> Option<Type> {
    if !owner.is_number() {
        return None;
    }
    let same =
        ["abs", "pow", "powi", "powf", "min", "max", "clamp", "floor", "ceil", "round", "trunc", "sqrt", "signum"];
    if same.contains(&name)
        || ["wrapping_", "saturating_", "rotate_", "rem_euclid", "div_euclid"]
            .iter()
            .any(|start| name.starts_with(start))
    {
        return Some(owner.clone());
    }
    match name {
        "count_ones" | "leading_zeros" | "trailing_zeros" | "count_zeros" => Some(Type::Primitive("u32")),
        _ if name.starts_with("checked_") => Some(Type::standard("Option", vec![owner.clone()])),
        _ if name.starts_with("is_") => Some(Type::boolean()),
        _ => None,
    }
}

/// Methods of `str` and `String`.
fn of_text(owner: &Type, name: &str, types: &[Type]) -> Option<Type> {
    if !matches!(owner, Type::Primitive("str")) && owner.of_standard("String").is_none() {
        return None;
    }
    match name {
        "to_uppercase" | "to_lowercase" | "to_ascii_uppercase" | "to_ascii_lowercase" | "replace" | "repeat" => {
            Some(Type::string())
        }
        "trim" | "trim_start" | "trim_end" | "as_str" => Some(Type::text()),
        "parse" => Some(Type::standard("Result", vec![types.first()?.clone(), Type::Unknown])),
        "into_bytes" => Some(Type::standard("Vec", vec![Type::Primitive("u8")])),
        _ => None,
    }
}

impl Type {
    /// The type in an `Option` or in an `Ok`.
    pub(super) fn inside(&self) -> Option<Type> {
        let arguments = self.of_standard("Option").or_else(|| self.of_standard("Result"))?;
        Some(arguments.first().cloned().unwrap_or(Type::Unknown))
    }

    /// The type of what it holds many of, or counts through.
    pub fn element(&self) -> Option<Type> {
        match self {
            Type::Array(element, _) | Type::Slice(element) | Type::Iterator(element) => Some((**element).clone()),
            Type::Reference(inner) => inner.element(),
            Type::Standard(standard, types) => match (standard.name, &types[..]) {
                ("HashMap" | "BTreeMap", [key, value]) => Some(Type::Tuple(vec![key.clone(), value.clone()])),
                (
                    "Vec" | "VecDeque" | "LinkedList" | "BinaryHeap" | "HashSet" | "BTreeSet" | "Range"
                    | "RangeInclusive" | "Option",
                    [one],
                ) => Some(one.clone()),
                _ => None,
            },
            _ => None,
        }
    }
}
