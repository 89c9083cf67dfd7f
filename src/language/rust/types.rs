//! Types as far as source tells them without a compiler: what a type name means where it stands, and what type an
//! expression has. What cannot be told is [`Type::Unknown`], never a guess.

mod call;
mod expression;
mod generics;
mod inference;
mod library;
mod method;
mod pattern;
mod primitive;
mod scope;
mod standard;
mod ways;
mod written;

use std::rc::Rc;

use super::items::Definition;

pub(super) use inference::Inference;
pub use library::{Arguments, Library, PlainTypes};
pub(super) use primitive::{is_float, is_integer};
pub(super) use scope::Scope;
pub use standard::Standard;
pub(super) use ways::{By, Input, Setter, Takes, Way};

/// A type.
#[derive(Clone, Debug)]
pub enum Type {
    /// It cannot be told.
    Unknown,
    /// That of an expression that never ends: fits any other.
    Never,
    /// An integer literal without a suffix: what it is used as tells, else `i32`.
    Integer,
    /// A float literal without a suffix: what it is used as tells, else `f64`.
    Real,
    /// `bool`, `char`, `str`, a number.
    Primitive(&'static str),
    /// A tuple.
    Tuple(Vec<Type>),
    /// An array, with its length where a number tells it.
    Array(Box<Type>, Option<usize>),
    /// A slice.
    Slice(Box<Type>),
    /// A reference.
    Reference(Box<Type>),
    /// A type of the standard library with its arguments.
    Standard(&'static Standard, Vec<Type>),
    /// A struct or enum of this repository with its arguments.
    Own(Own, Vec<Type>),
    /// A type that is known by its path alone, with its arguments.
    Foreign(String, Vec<Type>),
    /// A constant among a type's arguments.
    Constant(String),
    /// A generic parameter.
    Parameter(String),
    /// Something that generates values of a type.
    Generator(Box<Type>),
    /// An iterator.
    Iterator(Box<Type>),
}

/// A struct or enum of this repository.
#[derive(Clone, Debug)]
pub struct Own(pub(super) Rc<Definition>);

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Type {
    /// A type of the standard library by its name.
    pub fn standard(name: &str, arguments: Vec<Type>) -> Type {
        Standard::named(name).map_or(Type::Unknown, |standard| Type::Standard(standard, arguments))
    }

    /// `String`.
    pub fn string() -> Type {
        Type::standard("String", Vec::new())
    }

    /// Something that generates values of type `of`.
    pub fn generator(of: Type) -> Type {
        Type::Generator(Box::new(of))
    }

    /// The arguments, if this is the standard type `name`.
    pub fn of_standard(&self, name: &str) -> Option<&[Type]> {
        match self {
            Type::Standard(standard, arguments) if standard.name == name => Some(arguments),
            _ => None,
        }
    }

    /// The last part of its name, where it has one.
    pub fn own_name(&self) -> Option<&str> {
        match self {
            Type::Own(own, _) => Some(&own.0.name),
            Type::Standard(standard, _) => Some(standard.name),
            Type::Foreign(path, _) => path.rsplit("::").next(),
            _ => None,
        }
    }

    /// Whether its literals are constants that may be referred to for as long as the program runs.
    pub(super) fn is_plain(&self) -> bool {
        match self {
            Type::Primitive(_) => true,
            Type::Reference(inner) => matches!(**inner, Type::Primitive("str")),
            _ => false,
        }
    }

    /// The type behind references and boxes.
    pub fn behind(&self) -> &Type {
        match self {
            Type::Reference(inner) => inner.behind(),
            Type::Standard(standard, arguments) if ["Box", "Rc", "Arc", "Cow"].contains(&standard.name) => {
                arguments.first().map_or(self, Type::behind)
            }
            _ => self,
        }
    }

    /// What type something has of which both are known; where they contradict each other, nothing is.
    #[must_use]
    pub fn unify(self, other: Type) -> Type {
        use Type::{Array, Generator, Integer, Never, Own, Primitive, Real, Reference, Slice, Tuple, Unknown};
        match (self, other) {
            (Unknown | Never, known) | (known, Unknown | Never) => known,
            (Integer, Integer) => Integer,
            (Real, Real) => Real,
            (Integer, Primitive(name)) | (Primitive(name), Integer) if is_integer(name) => Primitive(name),
            (Real, Primitive(name)) | (Primitive(name), Real) if is_float(name) => Primitive(name),
            (Primitive(one), Primitive(two)) if one == two => Primitive(one),
            (Tuple(one), Tuple(two)) if one.len() == two.len() => Tuple(unify_all(one, two)),
            (Array(one, first), Array(two, second)) => Array(Box::new(one.unify(*two)), first.or(second)),
            (Slice(one), Slice(two) | Array(two, _)) | (Array(one, _), Slice(two)) => Slice(Box::new(one.unify(*two))),
            (Reference(one), Reference(two)) => Reference(Box::new(one.unify(*two))),
            (Generator(one), Generator(two)) => Generator(Box::new(one.unify(*two))),
            (Type::Iterator(one), Type::Iterator(two)) => Type::Iterator(Box::new(one.unify(*two))),
            (Type::Standard(one, first), Type::Standard(two, second)) if one.name == two.name => {
                Type::Standard(one, unify_all(first, second))
            }
            (Own(one, first), Own(two, second)) if one == two => Own(one, unify_all(first, second)),
            (Type::Foreign(one, first), Type::Foreign(two, second)) if one == two => {
                Type::Foreign(one, unify_all(first, second))
            }
            (Type::Constant(one), Type::Constant(two)) if one == two => Type::Constant(one),
            (Type::Parameter(one), Type::Parameter(two)) if one == two => Type::Parameter(one),
            _ => Unknown,
        }
    }
}

/// The type that all of `types` are; unknown where two of them contradict each other.
pub(super) fn common(types: Vec<Type>) -> Type {
    let mut common = Type::Unknown;
    for ty in types {
        let told = !matches!(common, Type::Unknown | Type::Never) && !matches!(ty, Type::Unknown);
        common = common.unify(ty);
        if told && matches!(common, Type::Unknown) {
            return Type::Unknown;
        }
    }
    common
}

/// Pairwise; where one side says less, the other stands.
fn unify_all(one: Vec<Type>, two: Vec<Type>) -> Vec<Type> {
    let more = one.len().max(two.len());
    let padded = |types: Vec<Type>| types.into_iter().chain(std::iter::repeat(Type::Unknown)).take(more);
    padded(one).zip(padded(two)).map(|(one, two)| one.unify(two)).collect()
}
