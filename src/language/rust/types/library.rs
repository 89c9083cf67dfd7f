//! What a library's own names mean. The library is a framework's, and so is the knowledge of it; here is only what is
//! asked of it.

use super::Type;

/// A library of generators that the code under analysis uses.
pub trait Library {
    /// A path into the library as it is known below: a re-export becomes the path of what it stands for.
    fn path(&self, path: Vec<String>) -> Vec<String>;

    /// Where a name leads that `use path::*` brings in.
    fn glob(&self, path: &[String], name: &str) -> Option<Vec<String>>;

    /// Whether a path leads into the library.
    fn covers(&self, path: &[String]) -> bool;

    /// Whether the macro of that name declares functions that return generators.
    fn composes(&self, macro_name: &str) -> bool;

    /// Whether the macro of that name generates from any one of several generators.
    fn unites(&self, macro_name: &str) -> bool;

    /// The type of a constant.
    fn constant(&self, path: &[String]) -> Option<Type>;

    /// The type of a call of a function, `types` between `::<` and `>`.
    fn call(&self, path: &[String], types: &[Type], arguments: &dyn Arguments) -> Option<Type>;

    /// What a function gives that the library's traits add to a type.
    fn associated(&self, owner: &Type, name: &str) -> Option<Type>;

    /// The type of a method call on a generator of values of type `of`, `types` between `::<` and `>`.
    fn method(&self, of: &Type, name: &str, types: &[Type], arguments: &dyn Arguments) -> Option<Type>;

    /// The type that a path names in the library, `types` its arguments.
    fn named(&self, path: &[String], types: &[Type]) -> Option<Type>;

    /// The type of a value that is only known to implement the trait named `bound`, `bindings` its associated types.
    fn bound(&self, bound: &str, bindings: &[(String, Type)]) -> Option<Type>;

    /// The input of a state machine's test: `machine` is the type that runs it, `associated` tells a type's own types.
    fn machine(&self, machine: &Type, associated: &dyn Fn(&Type, &str) -> Type) -> Type;

    /// The type of the values that a value of type `ty` generates.
    fn generated(&self, ty: &Type) -> Type;
}

/// The arguments of a call.
pub trait Arguments {
    /// How many there are.
    fn count(&self) -> usize;

    /// The type of one; unknown past the last.
    fn ty(&self, index: usize) -> Type;

    /// What one gives, a function, when it is called with values of types `given`.
    fn result(&self, index: usize, given: &[Type]) -> Type;
}
