//! What a library's own names mean. The library is a framework's, and so is the knowledge of it; here is only what is
//! asked of it. One whose properties say their types in plain words knows nothing more.

use super::Type;

/// A library of generators that the code under analysis uses.
pub trait Library {
    /// A path into the library as it is known below: a re-export becomes the path of what it stands for.
    fn path(&self, path: Vec<String>) -> Vec<String> {
        path
    }

    /// Where a name leads that `use path::*` brings in.
    fn glob(&self, _path: &[String], _name: &str) -> Option<Vec<String>> {
        None
    }

    /// Whether a path leads into the library.
    fn covers(&self, _path: &[String]) -> bool {
        false
    }

    /// Whether the macro of that name declares functions that return generators.
    fn composes(&self, _macro_name: &str) -> bool {
        false
    }

    /// Whether the macro of that name generates from any one of several generators.
    fn unites(&self, _macro_name: &str) -> bool {
        false
    }

    /// The type of a constant.
    fn constant(&self, _path: &[String]) -> Option<Type> {
        None
    }

    /// The type of a call of a function, `types` between `::<` and `>`.
    fn call(&self, _path: &[String], _types: &[Type], _arguments: &dyn Arguments) -> Option<Type> {
        None
    }

    /// What a function gives that the library's traits add to a type.
    fn associated(&self, _owner: &Type, _name: &str) -> Option<Type> {
        None
    }

    /// The type of a method call on a generator of values of type `of`, `types` between `::<` and `>`.
    fn method(&self, _of: &Type, _name: &str, _types: &[Type], _arguments: &dyn Arguments) -> Option<Type> {
        None
    }

    /// The type that a path names in the library, `types` its arguments.
    fn named(&self, _path: &[String], _types: &[Type]) -> Option<Type> {
        None
    }

    /// The type of a value that is only known to implement the trait named `bound`, `bindings` its associated types.
    fn bound(&self, _bound: &str, _bindings: &[(String, Type)]) -> Option<Type> {
        None
    }

    /// The input of a state machine's test: `machine` is the type that runs it, `associated` tells a type's own types.
    fn machine(&self, _machine: &Type, _associated: &dyn Fn(&Type, &str) -> Type) -> Type {
        Type::Unknown
    }

    /// The type of the values that a value of type `ty` generates.
    fn generated(&self, _ty: &Type) -> Type {
        Type::Unknown
    }
}

/// A library of which nothing is known: code tells the types of what it generates.
pub struct PlainTypes;

impl Library for PlainTypes {}

/// The arguments of a call.
pub trait Arguments {
    /// How many there are.
    fn count(&self) -> usize;

    /// The type of one; unknown past the last.
    fn ty(&self, index: usize) -> Type;

    /// What one gives, a function, when it is called with values of types `given`.
    fn result(&self, index: usize, given: &[Type]) -> Type;
}

#[cfg(test)]
mod tests {
    use super::{Library, PlainTypes};
    use crate::language::rust::types::Type;

    #[test]
    fn of_plain_types_no_name_means_anything_of_its_own() {
        let path = ["any", "thing"].map(str::to_owned).to_vec();
        assert_eq!(PlainTypes.path(path.clone()), path);
        assert!(!PlainTypes.covers(&path) && PlainTypes.named(&path, &[]).is_none());
        assert!(matches!(PlainTypes.generated(&Type::boolean()), Type::Unknown));
    }
}
