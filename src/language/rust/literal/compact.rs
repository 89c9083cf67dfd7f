//! Long values in few words: a value that repeats is said once, and bytes that are text are written as text. Only for types
//! that are sure to be `Clone`, and only where that is much shorter.

use super::layout::Code;
use super::writer::{Expression, Typed, Writer};
use crate::language::rust::types::Type;
use crate::value::Value;

/// Shortest sequence that is written otherwise than element by element.
const LONG: usize = 48;

/// Shortest run of equal elements that is said once.
const RUN: usize = 12;

/// So many elements that are said in a few pieces are worth it however long the rest is.
const MUCH: usize = 200;

/// Most pieces that a sequence is put together of.
const MOST_PIECES: usize = 12;

/// Shortest text of which it is looked whether it repeats, in bytes.
const LONG_TEXT: usize = 120;

/// Fewest times that a text must repeat.
const TIMES: usize = 4;

/// Characters of a byte string on one line.
const LINE: usize = 80;

/// Elements that are all the same, or some that are not.
enum Piece<'v> {
    Same(&'v Value, usize),
    Each(&'v [Value]),
}

impl Writer<'_> {
    /// The `Vec` of `values` in few words; `None` where it is best written element by element.
    pub(super) fn compact_vec(&self, values: &[Value], element: &Type, typed: Typed) -> Option<Expression> {
        if values.len() < LONG || !is_clone(element) {
            return None;
        }
        if let Some(bytes) = text_bytes(values, element) {
            return Some(Ok(Code::word(format!("b\"{bytes}\".to_vec()"))));
        }
        let pieces = pieces(values);
        let one = |piece: &Piece<'_>, typed| match piece {
            Piece::Same(value, times) => {
                let code = self.expression(value, element, typed)?;
                Ok(Code::word(format!("vec![{}; {times}]", code.flat())))
            }
            Piece::Each(values) => Ok(Code::group("vec![", self.elements(values, element, typed)?, "]")),
        };
        let said_once: usize =
            pieces.iter().map(|piece| if let Piece::Same(_, times) = piece { *times } else { 0 }).sum();
        match &pieces[..] {
            [only @ Piece::Same(..)] => Some(one(only, typed)),
            many if many.len() <= MOST_PIECES && (said_once * 2 > values.len() || said_once >= MUCH) => {
                let typing = |index| if index == 0 { typed } else { Typed::Around };
                let parts = many.iter().enumerate().map(|(index, piece)| one(piece, typing(index)));
                Some(parts.collect::<Result<_, String>>().map(|parts| Code::group("[", parts, "].concat()")))
            }
            _ => None,
        }
    }

    /// The array of `values` in few words.
    pub(super) fn compact_array(&self, values: &[Value], element: &Type, typed: Typed) -> Option<Expression> {
        let [first, rest @ ..] = values else { return None };
        let is_plain = matches!(element, Type::Primitive(_) | Type::Integer | Type::Real);
        if values.len() < LONG || !is_plain || rest.iter().any(|value| value != first) {
            return None;
        }
        let code = self.expression(first, element, typed);
        Some(code.map(|code| Code::word(format!("[{}; {}]", code.flat(), values.len()))))
    }
}

/// A text that is another several times over: that other, and how often.
pub(super) fn repeated(text: &str) -> Option<(&str, usize)> {
    if text.len() < LONG_TEXT {
        return None;
    }
    let fits = |length: &usize| {
        text.len().is_multiple_of(*length)
            && text.is_char_boundary(*length)
            && text.as_bytes()[*length..] == text.as_bytes()[..text.len() - *length]
    };
    let length = (1..=text.len() / TIMES).find(fits)?;
    Some((&text[..length], text.len() / length))
}

/// The elements as runs of equal ones and stretches of others.
fn pieces(values: &[Value]) -> Vec<Piece<'_>> {
    let (mut pieces, mut start, mut at) = (Vec::new(), 0, 0);
    while at < values.len() {
        let times = values[at..].iter().take_while(|value| **value == values[at]).count();
        if times >= RUN {
            if start < at {
                pieces.push(Piece::Each(&values[start..at]));
            }
            pieces.push(Piece::Same(&values[at], times));
            start = at + times;
        }
        at += times;
    }
    if start < values.len() {
        pieces.push(Piece::Each(&values[start..]));
    }
    pieces
}

/// Bytes that are text, as a byte string's inside.
fn text_bytes(values: &[Value], element: &Type) -> Option<String> {
    if !matches!(element, Type::Primitive("u8")) {
        return None;
    }
    let byte = |value: &Value| match value {
        Value::Number(text) => text.parse::<u8>().ok(),
        _ => None,
    };
    let bytes: Vec<u8> = values.iter().map(byte).collect::<Option<_>>()?;
    let plain = bytes.iter().filter(|byte| byte.is_ascii_graphic() || **byte == b' ').count();
    let runs = bytes.chunk_by(|one, two| one == two).count();
    if plain * 4 < bytes.len() * 3 || runs <= MOST_PIECES {
        return None;
    }
    let (mut out, mut column) = (String::new(), 0);
    for byte in bytes {
        let begins_line = column >= LINE;
        if begins_line {
            out.push_str("\\\n");
            column = 0;
        }
        let escaped = byte.escape_ascii().to_string();
        // White space at the beginning of a line would be left out.
        let escaped = if column == 0 && byte == b' ' { "\\x20".to_owned() } else { escaped };
        column += escaped.len();
        out.push_str(&escaped);
    }
    Some(out)
}

/// Whether values of a type can be had more than once.
fn is_clone(ty: &Type) -> bool {
    match ty {
        Type::Primitive(_) | Type::Integer | Type::Real => true,
        Type::Tuple(types) => types.iter().all(is_clone),
        Type::Standard(standard, types) => {
            ["String", "Option", "Vec", "Duration", "PathBuf"].contains(&standard.name) && types.iter().all(is_clone)
        }
        Type::Array(element, _) => is_clone(element),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::repeated;

    #[test]
    fn a_text_that_repeats_is_told_from_one_that_does_not() {
        assert_eq!(repeated(&"ab ".repeat(50)), Some(("ab ", 50)));
        assert_eq!(repeated(&"é".repeat(70)), Some(("é", 70)));
        assert_eq!(repeated(&("ab".repeat(70) + "c")), None);
        assert_eq!(repeated("aaaa"), None);
    }
}
