//! The types that the language itself has.

use super::Type;

/// The integer types.
const INTEGERS: [&str; 12] = ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

/// The float types.
const FLOATS: [&str; 2] = ["f32", "f64"];

/// Whether `name` is an integer type.
pub(in crate::language::rust) fn is_integer(name: &str) -> bool {
    INTEGERS.contains(&name)
}

/// Whether `name` is a float type.
pub(in crate::language::rust) fn is_float(name: &str) -> bool {
    FLOATS.contains(&name)
}

impl Type {
    /// The primitive type of that name.
    pub fn primitive(name: &str) -> Option<Type> {
        let mut all = INTEGERS.iter().chain(&FLOATS).chain(&["bool", "char", "str"]);
        all.find(|known| **known == name).map(|known| Type::Primitive(known))
    }

    /// `bool`.
    pub fn boolean() -> Type {
        Type::Primitive("bool")
    }

    /// `&'static str`.
    pub fn text() -> Type {
        Type::Reference(Box::new(Type::Primitive("str")))
    }

    /// Whether it is a number of any kind.
    pub(super) fn is_number(&self) -> bool {
        match self {
            Type::Integer | Type::Real => true,
            Type::Primitive(name) => is_integer(name) || is_float(name),
            _ => false,
        }
    }
}
