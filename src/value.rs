//! A counterexample's text as a tree of values: what the screen lays out and folds, and what becomes code anew. Reading
//! a text stands in `value/parse.rs`, writing one in `value/print.rs`, and from many lines to one in `value/one_line.rs`.

mod one_line;
mod parse;
mod print;

pub use one_line::one_line;

/// One value of a Debug text. A tree keeps all that the text says and nothing it does not: which type a sequence or a
/// number has is not in the text.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number as printed: `-7`, `1e-7`, `2.5`.
    Number(String),
    /// A character, decoded.
    Char(char),
    /// A quoted text, decoded.
    Text(String),
    /// A bare word: `true`, `None`, `NaN`, `inf`, a unit struct or variant.
    Word(String),
    /// `(a, b)`, and `()`.
    Tuple(Vec<Value>),
    /// `[a, b]`.
    Sequence(Vec<Value>),
    /// `{a, b}`, and `{}`, which may as well be a map.
    Set(Vec<Value>),
    /// `{k: v}`.
    Map(Vec<(Value, Value)>),
    /// `Name(a, b)`.
    Call {
        /// The name before the parenthesis.
        name: String,
        /// The values in it.
        arguments: Vec<Value>,
    },
    /// `Name { field: v }`.
    Record {
        /// The name before the brace.
        name: String,
        /// Fields in order.
        fields: Vec<(String, Value)>,
        /// Whether it ends in `..`: not all is shown.
        open: bool,
    },
    /// Balanced text that has no such form: a custom Debug, an address, a duration.
    Opaque(String),
}

impl Value {
    /// The value that a Debug text shows, as `{:?}` or `{:#?}` prints it. Never fails: what has no known form, or nests
    /// too deep, is [`Value::Opaque`].
    pub fn parse(text: &str) -> Value {
        parse::value(text)
    }

    /// The value as `{:?}` prints it.
    pub fn compact(&self) -> String {
        let mut text = String::new();
        print::compact(self, &mut text);
        text
    }
}

#[cfg(test)]
mod tests;
