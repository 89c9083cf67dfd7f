//! A counterexample's arguments as Rust expressions, by what the library's strategies are known to generate.

use super::generators::Generators;
use crate::failure::Counterexample;
use crate::language::rust::literal::{self, Bound};
use crate::language::rust::property::PropertyFn;
use crate::pin::Refusal;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::value::Value;

/// An expression for each parameter of `property`, which stands in `file`; `text` is what its spans are of.
///
/// # Errors
/// The reason, where one of them cannot be written for certain.
pub(super) fn arguments(
    property: &PropertyFn,
    file: &RepoPath,
    text: &str,
    counterexample: &Counterexample,
    tree: &dyn SourceTree,
) -> Result<Vec<Bound>, Refusal> {
    let arguments = named(counterexample);
    literal::arguments(literal::Counterexample { property, file, text, arguments: &arguments }, tree, &Generators)
        .map_err(|literal::NoLiteral(reason)| Refusal(reason))
}

/// The values of a counterexample in the order of the parameters of `property`.
///
/// # Errors
/// The reason, where they are not those of its parameters.
pub(super) fn values(property: &PropertyFn, counterexample: &Counterexample) -> Result<Vec<Value>, Refusal> {
    literal::values(property, &named(counterexample)).map_err(|literal::NoLiteral(reason)| Refusal(reason))
}

/// Names and texts.
fn named(counterexample: &Counterexample) -> Vec<(&str, &str)> {
    counterexample.arguments.iter().map(|argument| (argument.name.as_str(), argument.text.as_str())).collect()
}

#[cfg(test)]
mod tests;
