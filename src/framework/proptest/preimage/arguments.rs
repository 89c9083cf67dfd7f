//! The arguments of the minimal case in a record: each a text and the compiler's name of its type.

use super::alike::alike;
use super::trace::{Made, Trace};
use crate::failure::Counterexample;
use crate::value::Value;

/// The arguments that `trace` recorded for a property of so many parameters.
pub(super) fn recorded(trace: &Trace, parameters: usize) -> Option<Vec<Made>> {
    // The library names the arguments by a function of its own, which receives all of them.
    let named = trace.root.children.iter().find(|child| child.gave.text == trace.root.gave.text);
    let whole = match named {
        Some(named) if named.gave.ty.contains("NamedArguments<") => &named.received,
        _ => &trace.root.gave,
    };
    if parameters == 1 {
        return Some(vec![whole.clone()]);
    }
    let Value::Tuple(values) = Value::parse(&whole.text) else { return None };
    let types = parts(whole.ty.strip_prefix('(')?.strip_suffix(')')?);
    let made = |(value, ty): (&Value, &str)| Made { text: value.compact(), ty: ty.to_owned() };
    (values.len() == parameters && types.len() == parameters).then(|| values.iter().zip(types).map(made).collect())
}

/// Whether these are the arguments that failed.
pub(super) fn are_of(arguments: &[Made], counterexample: &Counterexample) -> bool {
    let failed = &counterexample.arguments;
    failed.len() == arguments.len() && failed.iter().zip(arguments).all(|(one, two)| alike(&one.text, &two.text))
}

/// What stands between the commas of a list of types.
fn parts(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0usize, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            // The arrow of a function's type closes nothing.
            '>' if list[..at].ends_with('-') => {}
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !list[start..].trim().is_empty() {
        found.push(list[start..].trim());
    }
    found
}
