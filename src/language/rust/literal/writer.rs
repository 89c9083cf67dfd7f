//! A value of a known type as an expression.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use super::layout::Code;
use super::number::{float, integer};
use super::pen::{Desk, Guess, Pen};
use crate::language::rust::items::{ModuleId, Namespace, Target, What};
use crate::language::rust::types::{Inference, Own, Type, is_float, is_integer};
use crate::settings::LongValues;
use crate::value::Value;

/// Longest piece of a value that a reason shows.
const SHOWN: usize = 60;

/// Whether an expression must tell its own type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Typed {
    /// It must: nothing around it does.
    Itself,
    /// A field, or an element before it, does.
    Around,
}

/// Writes expressions for code that stands in one module.
pub(super) struct Writer<'a> {
    pub(super) inference: &'a Inference<'a>,
    /// The module.
    pub(super) at: ModuleId,
    /// The path to each type that was written, or why it cannot be.
    pub(super) paths: RefCell<Vec<(Own, Result<String, String>)>>,
    /// The types of the fields of each struct and variant that was written.
    pub(super) fields: RefCell<Vec<Fields>>,
    /// Who is asked where a value has no literal.
    pub(super) desk: Option<Desk<'a>>,
    /// How long values are written, once there is one.
    pub(super) long: OnceCell<LongValues>,
}

/// A struct or enum, the name that a value of it prints with, and the types of the fields under that name.
pub(super) type Fields = (Own, String, Rc<[Type]>);

impl<'a> Writer<'a> {
    pub(super) fn new(inference: &'a Inference<'a>, at: ModuleId) -> Self {
        Writer {
            inference,
            at,
            paths: RefCell::default(),
            fields: RefCell::default(),
            desk: None,
            long: OnceCell::new(),
        }
    }
}

/// An expression, or why there is none.
pub(super) type Expression = Result<Code, String>;

impl Writer<'_> {
    /// `value` as an expression of type `ty`: its literal, else what the builder makes of it.
    pub(super) fn expression(&self, value: &Value, ty: &Type, typed: Typed) -> Expression {
        let Some(desk) = &self.desk else { return self.literal(value, ty, typed) };
        let mark = desk.builder.mark();
        self.literal(value, ty, typed).or_else(|why| {
            desk.builder.back_to(mark);
            let built = desk.builder.build(value, ty, &Pen(self));
            built.map_or(Err(why), |built| built.map(Code::Word))
        })
    }

    fn literal(&self, value: &Value, ty: &Type, typed: Typed) -> Expression {
        match ty {
            Type::Unknown | Type::Never => self.told_by_itself(value, typed),
            Type::Integer => self.primitive(value, "i32", Typed::Around),
            Type::Real => self.primitive(value, "f64", Typed::Around),
            Type::Primitive(name) => self.primitive(value, name, typed),
            Type::Tuple(types) => self.tuple(value, types, typed),
            Type::Array(element, _) => self.array(value, element, typed),
            Type::Reference(inner) => self.borrowed(value, inner),
            Type::Standard(standard, arguments) => self.standard(value, standard, arguments, typed),
            Type::Own(own, arguments) => self.own(value, own, arguments, typed),
            Type::Foreign(path, arguments) => self.foreign(value, path, arguments, typed),
            Type::Constant(_) | Type::Slice(_) => Err(mismatch(value, "slice")),
            Type::Parameter(_) | Type::Generator(_) | Type::Iterator(_) => Err(untold(value)),
        }
    }

    /// What a program holds for as long as it runs: text, and slices of plain values.
    fn borrowed(&self, value: &Value, inner: &Type) -> Expression {
        match inner {
            Type::Primitive("str") => text(value),
            Type::Slice(element) if element.is_plain() => {
                Ok(Code::around("&", self.array(value, element, Typed::Itself)?, "[..]"))
            }
            _ => Err("it is a reference to something that would have to live elsewhere".to_owned()),
        }
    }

    fn primitive(&self, value: &Value, ty: &str, typed: Typed) -> Expression {
        let suffix = typed == Typed::Itself;
        let code = match value {
            Value::Number(text) if is_integer(ty) => {
                integer(text, ty).map(|number| if suffix { number + ty } else { number })
            }
            Value::Number(text) | Value::Word(text) if is_float(ty) => float(text, ty, suffix),
            Value::Word(word) if ty == "bool" => ["true", "false"].contains(&word.as_str()).then(|| word.clone()),
            Value::Char(c) if ty == "char" => Some(format!("{c:?}")),
            _ => None,
        };
        code.map(Code::Word).ok_or_else(|| mismatch(value, ty))
    }

    fn tuple(&self, value: &Value, types: &[Type], typed: Typed) -> Expression {
        match value {
            Value::Tuple(values) if values.len() == types.len() => {
                let parts = values.iter().zip(types).map(|(value, ty)| self.expression(value, ty, typed));
                Ok(Code::group("(", parts.collect::<Result<_, _>>()?, ")"))
            }
            _ => Err(mismatch(value, "tuple")),
        }
    }

    /// A value that has but one type by what it prints.
    fn told_by_itself(&self, value: &Value, typed: Typed) -> Expression {
        let ty = match value {
            Value::Word(word) if word == "true" || word == "false" => Type::boolean(),
            Value::Char(_) => Type::Primitive("char"),
            Value::Tuple(values) => Type::Tuple(vec![Type::Unknown; values.len()]),
            Value::Word(name) | Value::Call { name, .. } | Value::Record { name, .. } => {
                self.named(name).ok_or_else(|| untold(value))?
            }
            _ => {
                let is_told_around = typed == Typed::Around && self.guess() != Guess::Nothing;
                let guessed = if is_told_around { self.by_context(value) } else { None };
                return guessed.unwrap_or_else(|| Err(untold(value)));
            }
        };
        self.expression(value, &ty, typed)
    }

    /// The type whose values print with `name` in front, where the crate has but one.
    fn named(&self, name: &str) -> Option<Type> {
        match name {
            "Some" => return Some(Type::standard("Option", vec![Type::Unknown])),
            "None" | "Ok" | "Err" => return None,
            _ => {}
        }
        let names = [name.to_owned()];
        if let Some(Target::Definition(definition)) = self.inference.items.resolve(self.at, &names, Namespace::Types)
            && matches!(definition.what, What::Struct(_))
        {
            return Some(Type::Own(Own(definition), Vec::new()));
        }
        let mut found = self.inference.items.types_printing(self.at, name).into_iter();
        match (found.next(), found.next()) {
            (Some(definition), None) => Some(Type::Own(Own(definition), Vec::new())),
            _ => None,
        }
    }
}

/// A text literal.
pub(super) fn text(value: &Value) -> Expression {
    match value {
        Value::Text(text) => Ok(Code::Word(format!("{text:?}"))),
        _ => Err(mismatch(value, "text")),
    }
}

/// The reason for a value that is not of its parameter's type.
pub(super) fn mismatch(value: &Value, ty: &str) -> String {
    format!("`{}` is not how a `{ty}` prints", shown(value))
}

/// The reason for a value whose type the source does not tell.
fn untold(value: &Value) -> String {
    format!("the source does not tell the type of `{}`", shown(value))
}

/// The beginning of a value.
fn shown(value: &Value) -> String {
    let text = value.compact();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
