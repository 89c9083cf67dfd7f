//! A value as text, in the form of `{:?}`.

use super::Value;

/// Writes `value` after what `out` holds.
pub(super) fn compact(value: &Value, out: &mut String) {
    match value {
        Value::Number(text) | Value::Word(text) | Value::Opaque(text) => out.push_str(text),
        Value::Char(c) => out.push_str(&format!("{c:?}")),
        Value::Text(text) => out.push_str(&format!("{text:?}")),
        Value::Tuple(values) => tuple(values, out),
        Value::Sequence(values) => between("[", values, "]", out),
        Value::Set(values) => between("{", values, "}", out),
        Value::Map(pairs) => map(pairs, out),
        Value::Call { name, arguments } => {
            out.push_str(name);
            between("(", arguments, ")", out);
        }
        Value::Record { name, fields, open } => record(name, fields, *open, out),
    }
}

fn tuple(values: &[Value], out: &mut String) {
    between("(", values, if values.len() == 1 { ",)" } else { ")" }, out);
}

fn between(opener: &str, values: &[Value], closer: &str, out: &mut String) {
    out.push_str(opener);
    for (index, value) in values.iter().enumerate() {
        separate(index, out);
        compact(value, out);
    }
    out.push_str(closer);
}

fn map(pairs: &[(Value, Value)], out: &mut String) {
    out.push('{');
    for (index, (key, value)) in pairs.iter().enumerate() {
        separate(index, out);
        compact(key, out);
        out.push_str(": ");
        compact(value, out);
    }
    out.push('}');
}

fn record(name: &str, fields: &[(String, Value)], open: bool, out: &mut String) {
    out.push_str(name);
    out.push_str(" { ");
    for (index, (field, value)) in fields.iter().enumerate() {
        separate(index, out);
        out.push_str(field);
        out.push_str(": ");
        compact(value, out);
    }
    if open {
        separate(fields.len(), out);
        out.push_str("..");
    }
    out.push_str(" }");
}

fn separate(index: usize, out: &mut String) {
    if index > 0 {
        out.push_str(", ");
    }
}
