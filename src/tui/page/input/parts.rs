//! The parts of a value that stand below it when it is unfolded, and the line that stands for it when it is folded.

use super::flat::start;
use crate::tui::text::{counted, grouped, head, one_line};
use crate::value::Value;

/// Something in the tree that has a line of its own.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part<'v> {
    /// A value.
    Value(&'v Value),
    /// A map's key and value, where the key is no plain word.
    Pair { key: &'v Value, value: &'v Value },
    /// Some of a long collection: its parts `first..end`.
    Range { of: &'v Value, first: usize, end: usize },
}

impl Part<'_> {
    /// Number of direct parts.
    pub(super) fn len(&self) -> usize {
        match self {
            Part::Value(value) => size(value),
            Part::Pair { .. } => 2,
            Part::Range { first, end, .. } => end - first,
        }
    }
}

fn size(value: &Value) -> usize {
    match value {
        Value::Tuple(values) | Value::Sequence(values) | Value::Set(values) => values.len(),
        Value::Call { arguments, .. } => arguments.len(),
        Value::Map(pairs) => pairs.len(),
        Value::Record { fields, .. } => fields.len(),
        Value::Number(_) | Value::Char(_) | Value::Text(_) | Value::Word(_) | Value::Opaque(_) => 0,
    }
}

/// The parts of `part` with their names; more than `group` of them as ranges.
pub(super) fn parts<'v>(part: &Part<'v>, group: usize) -> Vec<(String, Part<'v>)> {
    match *part {
        Part::Pair { key, value } => {
            vec![("key".to_owned(), Part::Value(key)), ("value".to_owned(), Part::Value(value))]
        }
        Part::Value(value) => between(value, 0, size(value), group),
        Part::Range { of, first, end } => between(of, first, end, group),
    }
}

fn between(value: &Value, first: usize, end: usize, group: usize) -> Vec<(String, Part<'_>)> {
    let all = end - first;
    if all <= group {
        return (first..end).filter_map(|number| single(value, number)).collect();
    }
    let mut step = group;
    while all.div_ceil(step) > group {
        step = step.saturating_mul(group);
    }
    let range = |from: usize| {
        let to = from.saturating_add(step).min(end);
        (format!("{from}–{}", to - 1), Part::Range { of: value, first: from, end: to })
    };
    (first..end).step_by(step).map(range).collect()
}

fn single(value: &Value, number: usize) -> Option<(String, Part<'_>)> {
    match value {
        Value::Tuple(values) | Value::Sequence(values) => {
            values.get(number).map(|value| (number.to_string(), Part::Value(value)))
        }
        Value::Set(values) => values.get(number).map(|value| (String::new(), Part::Value(value))),
        Value::Call { arguments, .. } => {
            let name = if arguments.len() == 1 { String::new() } else { number.to_string() };
            arguments.get(number).map(|value| (name, Part::Value(value)))
        }
        Value::Map(pairs) => pairs.get(number).map(|(key, value)| match super::flat(key, super::NAME_WIDTH) {
            Some(name) => (name, Part::Value(value)),
            None => (String::new(), Part::Pair { key, value }),
        }),
        Value::Record { fields, .. } => {
            fields.get(number).map(|(name, value)| (one_line(name, super::NAME_WIDTH), Part::Value(value)))
        }
        Value::Number(_) | Value::Char(_) | Value::Text(_) | Value::Word(_) | Value::Opaque(_) => None,
    }
}

/// What stands for a part: its name and size, and the start of what it holds, of about `room` cells.
pub(super) fn summary(part: &Part<'_>, room: usize) -> (String, String) {
    match *part {
        Part::Range { of, first, .. } => {
            let firsts: Vec<String> =
                (first..first + 3).filter_map(|at| single(of, at)).map(|one| one.1.brief()).collect();
            (String::new(), format!("{}, …", firsts.join(", ")))
        }
        Part::Pair { key, .. } => (String::new(), start(key, room)),
        Part::Value(value) => (title(value), format!("  {}", inside(value, room))),
    }
}

impl Part<'_> {
    fn brief(&self) -> String {
        match self {
            Part::Value(value) => start(value, 24),
            Part::Pair { key, .. } => start(key, 24),
            Part::Range { .. } => String::new(),
        }
    }
}

fn title(value: &Value) -> String {
    match value {
        Value::Tuple(values) => format!("({})", counted(values.len(), "value")),
        Value::Sequence(values) => format!("[{}]", counted(values.len(), "value")),
        Value::Set(values) => format!("{{{}}}", counted(values.len(), "value")),
        Value::Map(pairs) => format!("{{{}}}", counted(pairs.len(), "key")),
        Value::Call { name, arguments } => {
            let name = one_line(name, super::NAME_WIDTH);
            if arguments.len() == 1 { name } else { format!("{name}({})", counted(arguments.len(), "value")) }
        }
        Value::Record { name, open: true, .. } => format!("{} (not all shown)", one_line(name, super::NAME_WIDTH)),
        Value::Record { name, .. } => one_line(name, super::NAME_WIDTH),
        Value::Text(text) => format!("text of {}", counted(characters(text), "character")),
        Value::Number(text) | Value::Word(text) | Value::Opaque(text) => format!("{} bytes", grouped(text.len())),
        Value::Char(_) => String::new(),
    }
}

/// Counted exactly where that is quick, else by its bytes.
fn characters(text: &str) -> usize {
    if text.len() > 4 * 1024 * 1024 { text.len() } else { text.chars().count() }
}

fn inside(value: &Value, room: usize) -> String {
    match value {
        Value::Sequence(values) | Value::Tuple(values) | Value::Set(values) => {
            let firsts: Vec<String> = values.iter().take(8).map(|value| start(value, 24)).collect();
            format!("{}{}", firsts.join(", "), if values.len() > 8 { ", …" } else { "" })
        }
        Value::Text(text) | Value::Opaque(text) => one_line(head(text, room * 4 + 16).0, room),
        _ => start(value, room),
    }
}
