//! Types of other packages, known by their paths alone: written with what nearly all of their kind have, that they are
//! collected, parsed, or have public fields. Whether one does, and what it then holds, only a build can tell.

use super::layout::{Code, Group};
use super::pen::Guess;
use super::standard::bytes;
use super::writer::{Expression, Typed, Writer, mismatch};
use crate::language::rust::items::{Namespace, Target, raw};
use crate::language::rust::types::Type;
use crate::value::Value;

impl Writer<'_> {
    /// Whether types of other packages are written at all.
    pub(super) fn guess(&self) -> Guess {
        self.desk.as_ref().map_or(Guess::Nothing, |desk| desk.builder.guess())
    }

    /// A value of the type at `path`.
    pub(super) fn foreign(&self, value: &Value, path: &str, arguments: &[Type], typed: Typed) -> Expression {
        if self.guess() == Guess::Nothing {
            return Err(format!("`{path}` is a type whose values cannot be written from what they print"));
        }
        let ty = Type::Foreign(path.to_owned(), arguments.to_vec());
        match value {
            Value::Sequence(values) | Value::Set(values) if values.is_empty() => self.by_default(&ty, typed),
            Value::Sequence(values) | Value::Set(values) => {
                let element = element(arguments);
                self.collected(self.elements(values, &element, Typed::Itself)?, &ty, typed)
            }
            Value::Map(_) => self.collected_map(value, &ty, typed),
            Value::Text(_) | Value::Number(_) | Value::Char(_) | Value::Opaque(_) => self.parsed(value, &ty),
            Value::Word(name) | Value::Call { name, .. } | Value::Record { name, .. } => self.public(value, name, &ty),
            Value::Tuple(_) => Err(mismatch(value, path)),
        }
    }

    /// A map of any type that pairs can be collected into.
    pub(super) fn collected_map(&self, value: &Value, ty: &Type, typed: Typed) -> Expression {
        let (Type::Foreign(_, arguments) | Type::Standard(_, arguments)) = ty else {
            return Err(mismatch(value, "map"));
        };
        let Value::Map(pairs) = value else { return self.by_default(ty, typed) };
        let [key, of, ..] = &arguments[..] else { return Err(mismatch(value, "map")) };
        let pair = |(index, (one, two)): (usize, &(Value, Value))| {
            let typed = if index == 0 { Typed::Itself } else { Typed::Around };
            Ok(Code::group("(", vec![self.expression(one, key, typed)?, self.expression(two, of, typed)?], ")"))
        };
        let parts = pairs.iter().enumerate().map(pair).collect::<Result<_, String>>()?;
        self.collected(parts, ty, typed)
    }

    /// `parts` in a collection of type `ty`.
    pub(super) fn collected(&self, parts: Vec<Code>, ty: &Type, typed: Typed) -> Expression {
        let collect = match typed {
            Typed::Around => "].into_iter().collect()".to_owned(),
            Typed::Itself => format!("].into_iter().collect::<{}>()", self.type_name(ty)?),
        };
        Ok(Code::group("[", parts, collect))
    }

    /// The empty value of type `ty`.
    fn by_default(&self, ty: &Type, typed: Typed) -> Expression {
        match typed {
            Typed::Around => Ok(Code::word("Default::default()")),
            Typed::Itself => Ok(Code::word(format!("<{} as Default>::default()", self.type_name(ty)?))),
        }
    }

    /// What prints as a text, a number or some words of its own is most often read from the same.
    fn parsed(&self, value: &Value, ty: &Type) -> Expression {
        let name = self.type_name(ty)?;
        let text = match value {
            Value::Text(text) => text.clone(),
            Value::Char(c) => c.to_string(),
            Value::Opaque(text) => match text.strip_prefix('b').and_then(bytes) {
                Some(bytes) => return Ok(Code::word(format!("<{name}>::from(&b\"{}\"[..])", bytes.escape_ascii()))),
                None => text.clone(),
            },
            other => other.compact(),
        };
        Ok(Code::word(format!("{text:?}.parse::<{name}>().unwrap()")))
    }

    /// A struct or a variant whose fields are public.
    fn public(&self, value: &Value, name: &str, ty: &Type) -> Expression {
        let path = self.type_name(ty)?;
        let Type::Foreign(full, _) = ty else { return Err(mismatch(value, &path)) };
        let path = path.replacen('<', "::<", 1);
        let is_struct = full.rsplit("::").next() == Some(name);
        let path = if is_struct { path } else { format!("{path}::{}", raw(name)) };
        let field = |value: &Value| self.expression(value, &Type::Unknown, Typed::Around);
        match value {
            Value::Call { arguments, .. } => {
                Ok(Code::group(path + "(", arguments.iter().map(field).collect::<Result<_, _>>()?, ")"))
            }
            Value::Record { fields, open: false, .. } => {
                let part = |(name, value): &(String, Value)| {
                    Ok(Code::Named(format!("{}: ", raw(name)), Box::new(field(value)?)))
                };
                let parts = fields.iter().map(part).collect::<Result<_, String>>()?;
                Ok(Code::Group(Group { open: path + " {", parts, close: "}".to_owned(), space: " " }))
            }
            Value::Word(_) => Ok(Code::word(path)),
            _ => Err(mismatch(value, &path)),
        }
    }

    /// A value of which nothing tells the type but what is around it.
    pub(super) fn by_context(&self, value: &Value) -> Option<Expression> {
        Some(match value {
            Value::Number(text) if text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => {
                Ok(Code::word(number(text)?))
            }
            Value::Text(text) => Ok(Code::word(format!("{text:?}.into()"))),
            Value::Sequence(values) | Value::Set(values) => self
                .elements(values, &Type::Unknown, Typed::Around)
                .map(|parts| Code::group("[", parts, "].into_iter().collect()")),
            _ => return None,
        })
    }

    /// The path to a type of another package.
    pub(super) fn foreign_path(&self, path: &str) -> Result<String, String> {
        let names: Vec<&str> = path.split("::").collect();
        let (Some(package), Some(last)) = (names.first(), names.last()) else { return Err(untold()) };
        let found = self.inference.items.resolve(self.at, &[(*last).to_owned()], Namespace::Types);
        let is_it = |found: &[String]| found.first().is_some_and(|first| first == package);
        if matches!(&found, Some(Target::Foreign(found)) if is_it(found) && found.last().is_some_and(|name| name == last))
        {
            return Ok((*last).to_owned());
        }
        match self.guess() {
            Guess::Nothing => Err(untold()),
            Guess::AtRoot if !["std", "core", "alloc"].contains(package) => Ok(format!("{package}::{last}")),
            Guess::AtRoot | Guess::AsDefined => Ok(path.to_owned()),
        }
    }
}

/// The type of what a collection with these arguments holds; some name an array that they hold a few values in.
fn element(arguments: &[Type]) -> Type {
    match arguments.first() {
        Some(Type::Array(element, _)) => (**element).clone(),
        Some(Type::Constant(_)) | None => Type::Unknown,
        Some(first) => first.clone(),
    }
}

/// A number that was printed, as a literal without a suffix; `None` where it is none.
fn number(text: &str) -> Option<String> {
    let is_one = syn::parse_str::<syn::Lit>(text.trim_start_matches('-'))
        .is_ok_and(|literal| matches!(literal, syn::Lit::Int(_) | syn::Lit::Float(_)));
    is_one.then(|| text.to_owned())
}

fn untold() -> String {
    "the source does not tell all of its type".to_owned()
}
