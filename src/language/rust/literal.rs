//! A counterexample's arguments as Rust expressions: each of the type its parameter has, told from source alone, and
//! rendered anew from what its text was read as. What cannot be written for certain is refused with the reason.

mod collection;
mod compact;
mod construction;
mod foreign;
mod json;
mod layout;
mod name;
mod number;
mod own;
mod parameter;
mod pen;
mod qualified;
mod standard;
mod writer;

use super::items::Items;
use super::property::PropertyFn;
use super::tokens::apart;
use super::types::Library;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::value::Value;

pub use pen::{Builder, Guess, Pen, Place};

/// One argument, ready for `let pattern = code;`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The parameter's pattern as its property writes it.
    pub pattern: String,
    /// The expression: it tells its own type. Lines after the first are indented from zero on.
    pub code: String,
}

/// Why a counterexample has no literal: one sentence that names the argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoLiteral(pub String);

/// A counterexample and where its property stands.
#[derive(Clone, Copy)]
pub struct Counterexample<'a> {
    /// The property.
    pub property: &'a PropertyFn,
    /// Its file.
    pub file: &'a RepoPath,
    /// The text that the property's spans are of.
    pub text: &'a str,
    /// Its arguments in order, each a name as the run printed it and the text of its value.
    pub arguments: &'a [(&'a str, &'a str)],
}

/// The arguments of `counterexample` as expressions, in the order of the property's parameters.
///
/// # Errors
/// The reason, for the first argument that has none.
pub fn arguments(
    counterexample: Counterexample<'_>,
    tree: &dyn SourceTree,
    library: &(dyn Library + Sync),
) -> Result<Vec<Bound>, NoLiteral> {
    apart(|| parameter::bound(counterexample, tree, library))
}

/// The values of a counterexample in the order of the parameters of `property`.
///
/// # Errors
/// The reason, where they are not those of its parameters.
pub fn values(property: &PropertyFn, arguments: &[(&str, &str)]) -> Result<Vec<Value>, NoLiteral> {
    parameter::values(property, arguments)
}

/// Runs `work` with a pen for the place `place`, which asks `builder` for what has no literal.
///
/// # Errors
/// What `work` says, or that the place is not code that can be read.
pub fn with_pen<B: Builder, T: Send>(
    place: &Place,
    tree: &dyn SourceTree,
    library: &(dyn Library + Sync),
    builder: impl FnOnce() -> B + Send,
    work: impl FnOnce(&Pen<'_>, &B) -> Result<T, String> + Send,
) -> Result<T, NoLiteral> {
    apart(|| {
        let builder = builder();
        pen::with(place, &Items::new(tree, library), &builder, |pen| work(pen, &builder)).map_err(NoLiteral)
    })
}

/// The same with each of `builders` in turn: the code around is read once.
pub fn with_pens<B: Builder, T: Send>(
    place: &Place,
    tree: &dyn SourceTree,
    library: &(dyn Library + Sync),
    builders: impl FnOnce() -> Vec<B> + Send,
    work: impl Fn(&Pen<'_>, &B) -> Result<T, String> + Sync,
) -> Vec<Result<T, NoLiteral>> {
    apart(|| {
        let items = Items::new(tree, library);
        let with = |builder: &B| pen::with(place, &items, builder, |pen| work(pen, builder)).map_err(NoLiteral);
        builders().iter().map(with).collect()
    })
}
