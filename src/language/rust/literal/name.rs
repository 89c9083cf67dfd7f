//! Types by name, as code in the pin's module can say them.

use super::writer::Writer;
use crate::language::rust::items::{Namespace, Target};
use crate::language::rust::types::{Own, Standard, Type};

impl Writer<'_> {
    /// The name of `ty`.
    pub(super) fn type_name(&self, ty: &Type) -> Result<String, String> {
        let all = |types: &[Type]| types.iter().map(|ty| self.type_name(ty)).collect::<Result<Vec<_>, _>>();
        Ok(match ty {
            Type::Integer => "i32".to_owned(),
            Type::Real => "f64".to_owned(),
            Type::Primitive(name) => (*name).to_owned(),
            Type::Tuple(types) if types.len() == 1 => format!("({},)", self.type_name(&types[0])?),
            Type::Tuple(types) => format!("({})", all(types)?.join(", ")),
            Type::Array(element, Some(length)) => format!("[{}; {length}]", self.type_name(element)?),
            Type::Slice(element) => format!("[{}]", self.type_name(element)?),
            Type::Reference(inner) => format!("&'static {}", self.type_name(inner)?),
            Type::Standard(standard, types) if types.len() >= standard.arguments => {
                self.standard_name(standard) + &in_angles(&all(types)?)
            }
            // What no source tells of constants, the compiler may.
            Type::Own(own, types) if own.has_only_constants() && types.iter().any(is_unknown) => self.own_path(own)?,
            Type::Own(own, types) if types.len() == own.generics().len() => {
                self.own_path(own)? + &in_angles(&all(types)?)
            }
            Type::Foreign(path, arguments) => self.foreign_path(path)? + &in_angles(&all(arguments)?),
            Type::Constant(text) => text.clone(),
            _ => return Err("the source does not tell all of its type".to_owned()),
        })
    }

    /// The name of a standard type: short where that is in scope.
    pub(super) fn standard_name(&self, standard: &'static Standard) -> String {
        let found = self.inference.items.resolve(self.at, &[standard.name.to_owned()], Namespace::Types);
        match found {
            Some(Target::Foreign(path)) if Standard::of(&path).is_some_and(|found| found.name == standard.name) => {
                standard.name.to_owned()
            }
            None => standard.path(),
            Some(_) => standard.full_path(),
        }
    }

    /// The name of a variant of `Option` or `Result`: the bare one, unless the module has another of that name.
    pub(super) fn variant_name(&self, standard: &'static Standard, variant: &str) -> String {
        let found = self.inference.items.resolve(self.at, &[variant.to_owned()], Namespace::Values);
        match found {
            Some(Target::Foreign(_)) => variant.to_owned(),
            _ => format!("{}::{variant}", self.standard_name(standard)),
        }
    }

    /// The path to one of the repository's own types.
    pub(super) fn own_path(&self, own: &Own) -> Result<String, String> {
        let path = self.inference.items.path_to(&own.0, self.at);
        path.ok_or_else(|| format!("`{}` cannot be named from the property's module", own.0.name))
    }
}

fn is_unknown(ty: &Type) -> bool {
    matches!(ty, Type::Unknown)
}

/// `<A, B>`, nothing for none.
fn in_angles(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("<{}>", names.join(", ")) }
}
