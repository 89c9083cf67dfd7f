//! Expressions that may give a value whose fields are private: what its type's `impl` blocks offer, called with the parts
//! of the text that it prints. Most are wrong; a build tells which is right.

use syn::punctuated::Punctuated;
use syn::{Meta, Token};

use super::json::json;
use super::layout::Code;
use super::pen::Pen;
use super::writer::{Typed, Writer};
use crate::language::rust::items::{What, raw};
use crate::language::rust::types::{By, Input, Own, Setter, Takes, Type, Way};
use crate::value::Value;

/// Most expressions for one value.
const MOST: usize = 48;

/// Most expressions by one function.
const MOST_OF_ONE: usize = 12;

/// Most parts of a text that are tried as arguments.
const MOST_PARTS: usize = 16;

/// What setters are called for a field besides the field's own name.
const PREFIXES: [&str; 3] = ["", "with_", "set_"];

impl Pen<'_> {
    /// Expressions for `value`, of the repository's own type `ty`, shortest ways first.
    pub fn constructions(&self, value: &Value, ty: &Type) -> Vec<String> {
        let Type::Own(own, arguments) = ty else { return Vec::new() };
        let Ok(path) = self.0.type_name(ty) else { return Vec::new() };
        Attempt { writer: self.0, own, arguments, path, value, parts: parts(value) }.all()
    }
}

/// One value that is to be made.
struct Attempt<'a> {
    writer: &'a Writer<'a>,
    own: &'a Own,
    arguments: &'a [Type],
    /// The name of its type.
    path: String,
    value: &'a Value,
    /// The parts of what it prints.
    parts: Vec<Value>,
}

impl Attempt<'_> {
    fn all(&self) -> Vec<String> {
        let mut ways = self.writer.inference.ways(self.own, self.arguments, self.writer.at);
        ways.sort_by_key(|way| way.inputs.len());
        let mut found: Vec<String> = Vec::new();
        let mut add = |more: Vec<String>| {
            for one in more.into_iter().take(MOST_OF_ONE) {
                if found.len() < MOST && !found.contains(&one) {
                    found.push(one);
                }
            }
        };
        ways.iter().for_each(|way| add(self.by(way)));
        add(self.read().into_iter().collect());
        if self.writer.inference.has_inner_default(self.own) {
            add(self.set("Default::default()", self.own, self.arguments));
        }
        ways.iter().filter(|way| !way.unwraps).for_each(|way| {
            if let (By::Function(name), []) = (&way.by, &way.inputs[..]) {
                add(self.set(&format!("{}()", raw(name)), self.own, self.arguments));
            }
        });
        found
    }

    /// What reads the value from JSON, where its type derives that and the package has what reads it.
    fn read(&self) -> Option<String> {
        let attributes = match &self.own.0.what {
            What::Struct(item) => &item.attrs,
            What::Enum(item) => &item.attrs,
            _ => return None,
        };
        let items = self.writer.inference.items;
        let derives = attributes.iter().any(|attribute| derives(&attribute.meta, "Deserialize"));
        if !derives || !items.is_package(self.writer.at, "serde_json") {
            return None;
        }
        let is_variant = |name: &str| {
            let printing = items.types_printing(self.own.0.module, name);
            printing.first().is_some_and(|one| matches!(one.what, What::Enum(_)))
        };
        let text = json(self.value, &is_variant)?;
        // Most of it is quotes, so that a raw string reads better.
        let is_plain = text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) && !text.contains("\"#");
        let text = if is_plain { format!("r#\"{text}\"#") } else { format!("{text:?}") };
        Some(format!("serde_json::from_str::<{}>({text}).unwrap()", self.path))
    }

    /// The type's name before `::`.
    fn owner(&self) -> String {
        if self.path.contains('<') { format!("<{}>", self.path) } else { self.path.clone() }
    }

    fn by(&self, way: &Way) -> Vec<String> {
        let after = if way.unwraps { ".unwrap()" } else { "" };
        let owner = self.owner();
        match &way.by {
            By::Function(name) => {
                let calls = self.given(&way.inputs).into_iter();
                calls.map(|given| format!("{owner}::{}({given}){after}", raw(name))).collect()
            }
            By::Parse => {
                let texts = self.given(&way.inputs).into_iter();
                texts.map(|text| format!("{text}.parse::<{}>().unwrap()", self.path)).collect()
            }
            By::Collect => {
                let many = self.given(&way.inputs).into_iter();
                many.map(|many| format!("{many}.into_iter().collect::<{}>()", self.path)).collect()
            }
            By::Builder(start, builder, last) => {
                let starts = self.given(&way.inputs).into_iter();
                let starts = starts.map(|given| format!("{owner}::{}({given})", raw(start)));
                starts.filter_map(|start| self.built(&start, builder, last, after)).collect()
            }
        }
    }

    /// The lists of arguments that fit `inputs`.
    fn given(&self, inputs: &[Input]) -> Vec<String> {
        let mut lists = vec![String::new()];
        for (index, input) in inputs.iter().enumerate() {
            let fitting = self.fitting(input, (inputs.len() > 1).then_some(index));
            let longer = |list: &String| {
                let join = if list.is_empty() { "" } else { ", " };
                fitting.iter().map(|one| format!("{list}{join}{one}")).collect::<Vec<_>>()
            };
            lists = lists.iter().flat_map(longer).take(MOST_OF_ONE * 4).collect();
        }
        lists
    }

    /// What fits one input: the field of its name alone where there is one, else every part of the text, the one at the
    /// same place first.
    fn fitting(&self, input: &Input, place: Option<usize>) -> Vec<String> {
        if let Some(field) = self.field(&input.name) {
            let written: Vec<String> = self.written(field, &input.takes).into_iter().collect();
            if !written.is_empty() {
                return written;
            }
        }
        let mut order: Vec<&Value> = self.parts.iter().collect();
        if let Some(place) = place.filter(|place| *place < direct(self.value).len()) {
            let first = direct(self.value)[place];
            order.retain(|part| *part != first);
            order.insert(0, first);
        }
        let mut written: Vec<String> = Vec::new();
        for one in order.into_iter().filter_map(|part| self.written(part, &input.takes)) {
            if !written.contains(&one) {
                written.push(one);
            }
        }
        written
    }

    fn written(&self, value: &Value, takes: &Takes) -> Option<String> {
        let code = |ty: &Type, typed| self.writer.expression(value, ty, typed).ok().map(|code: Code| code.flat());
        match takes {
            Takes::Value(Type::Unknown) => None,
            Takes::Value(ty) => code(ty, Typed::Around),
            Takes::Borrowed(Type::Slice(element)) => {
                let array = self.writer.array(value, element, Typed::Itself).ok()?;
                Some(format!("&{}", array.flat()))
            }
            Takes::Borrowed(ty) => code(ty, Typed::Itself).map(|code| format!("&{code}")),
            Takes::Text => match value {
                Value::Text(text) | Value::Opaque(text) | Value::Word(text) | Value::Number(text) => {
                    Some(format!("{text:?}"))
                }
                _ => None,
            },
            Takes::Many(element) => {
                let ty = Type::Array(Box::new(element.clone()), None);
                let value = match value {
                    Value::Set(values) => &Value::Sequence(values.clone()),
                    value => value,
                };
                self.writer.expression(value, &ty, Typed::Itself).ok().map(|code| code.flat())
            }
        }
    }

    fn field(&self, name: &str) -> Option<&Value> {
        let Value::Record { fields, .. } = self.value else { return None };
        fields.iter().find(|(field, _)| field == name).map(|(_, value)| value)
    }

    /// Each field with the setter of `owner` that is called after it.
    fn settings(&self, owner: &Own, arguments: &[Type]) -> Vec<(Setter, String)> {
        let Value::Record { fields, .. } = self.value else { return Vec::new() };
        let setters = self.writer.inference.setters(owner, arguments, self.writer.at);
        let setting = |(field, value): &(String, Value)| {
            let is_for = |setter: &&Setter| PREFIXES.iter().any(|prefix| setter.name == format!("{prefix}{field}"));
            let setter = setters.iter().find(is_for)?;
            Some((setter.clone(), self.written(value, &setter.input.takes)?))
        };
        fields.iter().filter_map(setting).collect()
    }

    /// A builder that starts so, with every field set that it has a setter for.
    fn built(&self, start: &str, builder: &Own, last: &str, after: &str) -> Option<String> {
        let settings = self.settings(builder, &[]);
        let chain: String = settings.iter().map(|(setter, value)| format!(".{}({value})", raw(&setter.name))).collect();
        (!settings.is_empty()).then(|| format!("{start}{chain}.{}(){after}", raw(last)))
    }

    /// What a function without arguments gives, with every field set that has a setter.
    fn set(&self, start: &str, own: &Own, arguments: &[Type]) -> Vec<String> {
        let settings = self.settings(own, arguments);
        let (chained, placed): (Vec<_>, Vec<_>) = settings.iter().partition(|(setter, _)| setter.chains);
        let call = |(setter, value): &&(Setter, String)| format!(".{}({value})", raw(&setter.name));
        let begun = format!("{}::{start}{}", self.owner(), chained.iter().map(call).collect::<String>());
        let begun = begun.replace("::Default::default()", "::default()");
        if placed.is_empty() {
            return if chained.is_empty() { Vec::new() } else { vec![begun] };
        }
        let statements: String = placed.iter().map(call).map(|call| format!("    value{call};\n")).collect();
        vec![format!("{{\n    let mut value = {begun};\n{statements}    value\n}}")]
    }
}

/// Whether an attribute derives `name`, under a condition or not.
fn derives(attribute: &Meta, name: &str) -> bool {
    let Meta::List(list) = attribute else { return false };
    let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).unwrap_or_default();
    match list.path.is_ident("cfg_attr") {
        true => parts.iter().skip(1).any(|part| derives(part, name)),
        false => {
            let is_it = |part: &Meta| part.path().segments.last().is_some_and(|last| last.ident == name);
            list.path.is_ident("derive") && parts.iter().any(is_it)
        }
    }
}

/// The values right inside a value.
fn direct(value: &Value) -> Vec<&Value> {
    match value {
        Value::Call { arguments: values, .. } | Value::Tuple(values) | Value::Sequence(values) | Value::Set(values) => {
            values.iter().collect()
        }
        Value::Record { fields, .. } => fields.iter().map(|(_, value)| value).collect(),
        _ => Vec::new(),
    }
}

/// The parts of what a value prints: the values inside it, outer ones first; of words of its own the numbers in them, what
/// is in brackets, as values and as text, and all of it as text.
fn parts(value: &Value) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    let mut waiting: std::collections::VecDeque<&Value> = direct(value).into();
    while let Some(part) = waiting.pop_front().filter(|_| found.len() < MOST_PARTS) {
        if !found.contains(part) {
            found.push(part.clone());
        }
        waiting.extend(direct(part));
    }
    if let Value::Opaque(text) | Value::Number(text) | Value::Text(text) | Value::Word(text) = value {
        found.push(value.clone());
        let inside = inside(text);
        found.extend(inside.map(Value::parse).filter(|inside| !direct(inside).is_empty()));
        found.extend(inside.map(|inside| Value::Text(inside.to_owned())));
        found.extend(numbers(text).map(|number| Value::Number(number.to_owned())));
    }
    let told = |part: &Value| match part {
        Value::Opaque(text) | Value::Number(text) | Value::Text(text) | Value::Word(text) => hexadecimal(text),
        _ => None,
    };
    let digits: Vec<String> = found.iter().filter_map(told).collect();
    // What reads such digits is most often the only thing that makes the value, so they are not the ones left out.
    found.truncate(MOST_PARTS.saturating_sub(digits.len()));
    found.extend(digits.into_iter().map(Value::Text).take(MOST_PARTS));
    found
}

/// The digits of a text that is a hexadecimal number or holds one, as functions take them that read such text.
fn hexadecimal(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("0x")?;
    let digits: String =
        rest.chars().take_while(|c| c.is_ascii_hexdigit() || *c == '_').filter(|c| *c != '_').collect();
    (!digits.is_empty()).then_some(digits)
}

/// What stands between the outermost brackets of a text.
fn inside(text: &str) -> Option<&str> {
    let start = text.find(['(', '<', '[', '{'])?;
    let end = text.rfind([')', '>', ']', '}'])?;
    text.get(start + 1..end).map(str::trim)
}

/// The numbers in a text.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let pieces = text.split(|c: char| !c.is_ascii_digit());
    pieces.filter(|piece| !piece.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{MOST_PARTS, parts};
    use crate::value::Value;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<String> = parts(&Value::parse(text)).iter().map(Value::compact).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn the_parts_of_a_value_are_what_it_prints() {
        check("Pair { a: 1, b: [2] }", &["1", "[2]", "2"]);
        check("<3 of 4>", &["<3 of 4>", "\"3 of 4\"", "3", "4"]);
    }

    #[test]
    fn hexadecimal_digits_are_tried_as_text() {
        check("Uint(0x01_ff)", &["0x01_ff", "\"01ff\""]);
        let many: Vec<String> = (0..MOST_PARTS).map(|number| number.to_string()).collect();
        let found = parts(&Value::parse(&format!("Uint(0xa, {})", many.join(", "))));
        assert_eq!((found.len(), found.last()), (MOST_PARTS, Some(&Value::Text("a".to_owned()))));
    }
}
