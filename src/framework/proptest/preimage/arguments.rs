//! The arguments of the minimal case in a record: each a text and the name of its type, the compiler's or the source's.

use super::trace::{Made, Trace};
use crate::failure::Counterexample;
use crate::framework::rust::alike::alike;
use crate::language::rust::parameters::Parameter;
use crate::language::rust::property::{Form, PropertyFn};
use crate::value::Value;

/// The input of a property as it was recorded.
pub(super) struct Input {
    /// All of it.
    pub(super) whole: Made,
    /// What each parameter takes.
    pub(super) arguments: Vec<Made>,
}

/// The input that `trace` recorded for `property`.
pub(super) fn recorded(trace: &Trace, property: &PropertyFn) -> Option<Input> {
    // The library names the arguments by a function of its own, which receives all of them.
    let named = trace.root.children.iter().find(|child| child.gave.text == trace.root.gave.text);
    let whole = match named {
        Some(named) if named.gave.ty.contains("NamedArguments<") => &named.received,
        _ => &trace.root.gave,
    };
    let arguments = match (property.form, &property.parameters[..]) {
        (Form::StateMachine, _) => vec![machine(whole)?],
        (Form::PropertyTest | Form::TestStrategy, parameters) if is_record(&whole.text) => fields(whole, parameters)?,
        (_, [_]) => vec![whole.clone()],
        (_, parameters) => several(whole, parameters.len())?,
    };
    Some(Input { whole: whole.clone(), arguments })
}

/// Whether this is the input that failed.
pub(super) fn is_of(input: &Input, counterexample: &Counterexample) -> bool {
    match &counterexample.arguments[..] {
        [only] => alike(&only.text, &input.whole.text),
        many if many.len() != input.arguments.len() => false,
        many => many.iter().zip(&input.arguments).all(|(one, two)| alike(&one.text, &two.text)),
    }
}

/// Whether a text is the record of arguments that attribute macros make.
fn is_record(text: &str) -> bool {
    matches!(Value::parse(text), Value::Record { name, .. } if name.ends_with("Args"))
}

/// The fields of such a record, of the types that the parameters have in the source.
fn fields(whole: &Made, parameters: &[Parameter]) -> Option<Vec<Made>> {
    let Value::Record { fields, .. } = Value::parse(&whole.text) else { return None };
    let types = parameters.iter().map(|parameter| parameter.ty.clone().unwrap_or_default());
    let made = |((_, value), ty): (&(String, Value), String)| Made { text: value.compact(), ty };
    (fields.len() == parameters.len()).then(|| fields.iter().zip(types).map(made).collect())
}

/// The run of a state machine, whose third value only counts steps.
fn machine(whole: &Made) -> Option<Made> {
    let Value::Tuple(mut values) = Value::parse(&whole.text) else { return None };
    *values.get_mut(2)? = Value::Word("None".to_owned());
    Some(Made { text: Value::Tuple(values).compact(), ty: whole.ty.clone() })
}

/// The values of a tuple of so many. The library puts the last ones into a tuple of their own where they are many.
fn several(whole: &Made, count: usize) -> Option<Vec<Made>> {
    let mut made = tuple(whole)?;
    while made.len() < count {
        let last = made.pop()?;
        made.extend(tuple(&last)?);
    }
    (made.len() == count).then_some(made)
}

/// The values of a tuple.
fn tuple(whole: &Made) -> Option<Vec<Made>> {
    let Value::Tuple(values) = Value::parse(&whole.text) else { return None };
    let types = parts(whole.ty.strip_prefix('(')?.strip_suffix(')')?);
    let made = |(value, ty): (&Value, &str)| Made { text: value.compact(), ty: ty.to_owned() };
    (values.len() == types.len() && !values.is_empty()).then(|| values.iter().zip(types).map(made).collect())
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

#[cfg(test)]
mod tests {
    use super::{machine, several};
    use crate::framework::proptest::preimage::trace::Made;

    fn made(text: &str, ty: &str) -> Made {
        Made { text: text.to_owned(), ty: ty.to_owned() }
    }

    #[track_caller]
    fn check(whole: (&str, &str), count: usize, expected: &[(&str, &str)]) {
        let found = several(&made(whole.0, whole.1), count).unwrap_or_default();
        assert_eq!(found, expected.iter().map(|(text, ty)| made(text, ty)).collect::<Vec<_>>());
    }

    #[test]
    fn arguments_are_the_parts_of_a_tuple_however_it_nests() {
        check(
            ("(1, \"a, b\")", "(u8, alloc::string::String)"),
            2,
            &[("1", "u8"), ("\"a, b\"", "alloc::string::String")],
        );
        check(("(1, (2, 3))", "(u8, (u16, u32))"), 3, &[("1", "u8"), ("2", "u16"), ("3", "u32")]);
        check(("(1, (2, 3))", "(u8, (u16, u32))"), 2, &[("1", "u8"), ("(2, 3)", "(u16, u32)")]);
        check(
            ("({}, f)", "(std::M<u8, (u8, u8)>, fn(u8) -> (u8, u8))"),
            2,
            &[("{}", "std::M<u8, (u8, u8)>"), ("f", "fn(u8) -> (u8, u8)")],
        );
        check(("1", "u8"), 2, &[]);
        check(("()", "()"), 2, &[]);
    }

    #[test]
    fn of_a_machines_run_the_steps_are_not_counted() {
        assert_eq!(machine(&made("(M, [A], Some(1))", "(M, V, O)")), Some(made("(M, [A], None)", "(M, V, O)")));
        assert_eq!(machine(&made("(M, [A])", "(M, V)")), None);
    }
}
