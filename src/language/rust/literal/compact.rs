//! Long values in few words: a value that repeats is said once, numbers that count up are a range, and bytes that are text
//! are written as text. Only for types that are sure to be `Clone`, and only where that is much shorter.

use super::layout::Code;
use super::writer::{Expression, Typed, Writer};
use crate::language::rust::types::{Type, is_integer};
use crate::settings::LongValues;
use crate::value::Value;

/// Shortest sequence that is written otherwise than element by element.
const LONG: usize = 48;

/// Shortest run of equal elements, or of numbers that count up, that is said once.
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

/// Elements that are all the same, some that count up, or some that do neither.
enum Piece<'v> {
    Same(&'v Value, usize),
    Counting(&'v Value, &'v Value, usize),
    Each(&'v [Value]),
}

impl Writer<'_> {
    /// Whether so many parts may be written in few words, as far as the user wants that.
    fn is_long(&self, length: usize) -> bool {
        length >= LONG && self.is_compact()
    }

    fn is_compact(&self) -> bool {
        *self.long.get_or_init(|| self.inference.items.long_values()) != LongValues::Whole
    }

    /// A text that is another several times over: that other, and how often.
    pub(super) fn repeated<'t>(&self, text: &'t str) -> Option<(&'t str, usize)> {
        repeated(text).filter(|_| self.is_compact())
    }

    /// The `Vec` of `values` in few words; `None` where it is best written element by element.
    pub(super) fn compact_vec(&self, values: &[Value], element: &Type, typed: Typed) -> Option<Expression> {
        if !self.is_long(values.len()) || !is_clone(element) {
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
            Piece::Counting(first, last, _) => {
                let range = self.counting(first, last, element, typed)?;
                Ok(Code::word(format!("({range}).collect::<Vec<_>>()")))
            }
            Piece::Each(values) => Ok(Code::group("vec![", self.elements(values, element, typed)?, "]")),
        };
        let said_once: usize = pieces.iter().map(Piece::said_once).sum();
        match &pieces[..] {
            [only @ (Piece::Same(..) | Piece::Counting(..))] => Some(one(only, typed)),
            many if many.len() <= MOST_PIECES && (said_once * 2 > values.len() || said_once >= MUCH) => {
                let typing = |index| if index == 0 { typed } else { Typed::Around };
                let parts = many.iter().enumerate().map(|(index, piece)| one(piece, typing(index)));
                Some(parts.collect::<Result<_, String>>().map(|parts| Code::group("[", parts, "].concat()")))
            }
            _ => None,
        }
    }

    /// The set of `values`, of type `ty`, in few words; `None` where it is best written element by element.
    pub(super) fn compact_set(&self, values: &[Value], element: &Type, ty: &Type, typed: Typed) -> Option<Expression> {
        if !self.is_long(values.len()) || !matches!(element, Type::Primitive(name) if is_integer(name)) {
            return None;
        }
        // A set prints in any order.
        let mut sorted: Vec<(i128, &Value)> =
            values.iter().map(|value| Some((number(value)?, value))).collect::<Option<_>>()?;
        sorted.sort_by_key(|(number, _)| *number);
        let sorted: Vec<Value> = sorted.into_iter().map(|(_, value)| value.clone()).collect();
        let (ranges, others): (Vec<_>, Vec<_>) =
            pieces(&sorted).into_iter().partition(|piece| matches!(piece, Piece::Counting(..)));
        let said_once: usize = ranges.iter().map(Piece::said_once).sum();
        let is_shorter = ranges.len() <= MOST_PIECES && (said_once * 2 > values.len() || said_once >= MUCH);
        is_shorter.then(|| {
            let mut chain = String::new();
            for piece in &ranges {
                let Piece::Counting(first, last, _) = piece else { continue };
                chain.push_str(&match chain.is_empty() {
                    true => format!("({})", self.counting(first, last, element, typed)?),
                    false => format!(".chain({})", self.counting(first, last, element, Typed::Around)?),
                });
            }
            let collect = match typed {
                Typed::Around => ".collect()".to_owned(),
                Typed::Itself => format!(".collect::<{}>()", self.type_name(ty)?),
            };
            let each = others.iter().flat_map(|piece| match piece {
                Piece::Each(values) => *values,
                _ => &[],
            });
            let each: Vec<Value> = each.cloned().collect();
            if each.is_empty() {
                return Ok(Code::word(chain + &collect));
            }
            let parts = self.elements(&each, element, Typed::Around)?;
            Ok(Code::group(format!("{chain}.chain(["), parts, format!("]){collect}")))
        })
    }

    /// The range from `first` to `last`.
    fn counting(&self, first: &Value, last: &Value, element: &Type, typed: Typed) -> Result<String, String> {
        let first = self.expression(first, element, typed)?.flat();
        Ok(format!("{first}..={}", self.expression(last, element, Typed::Around)?.flat()))
    }

    /// The array of `values` in few words.
    pub(super) fn compact_array(&self, values: &[Value], element: &Type, typed: Typed) -> Option<Expression> {
        let [first, rest @ ..] = values else { return None };
        let is_plain = matches!(element, Type::Primitive(_) | Type::Integer | Type::Real);
        if !self.is_long(values.len()) || !is_plain || rest.iter().any(|value| value != first) {
            return None;
        }
        let code = self.expression(first, element, typed);
        Some(code.map(|code| Code::word(format!("[{}; {}]", code.flat(), values.len()))))
    }
}

fn repeated(text: &str) -> Option<(&str, usize)> {
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

impl Piece<'_> {
    /// How many elements are not said one by one.
    fn said_once(&self) -> usize {
        match self {
            Piece::Same(_, times) | Piece::Counting(_, _, times) => *times,
            Piece::Each(_) => 0,
        }
    }
}

/// The elements as runs of equal ones and of numbers that count up, and stretches of others.
fn pieces(values: &[Value]) -> Vec<Piece<'_>> {
    let (mut pieces, mut start, mut at) = (Vec::new(), 0, 0);
    while at < values.len() {
        let same = values[at..].iter().take_while(|value| **value == values[at]).count();
        let up = counted(&values[at..]);
        let piece = match (same >= RUN, up >= RUN) {
            (true, _) => Some(Piece::Same(&values[at], same)),
            (false, true) => Some(Piece::Counting(&values[at], &values[at + up - 1], up)),
            (false, false) => None,
        };
        // The last one of some that count up may be the first of some that are the same.
        let taken = piece.as_ref().map_or(same.max(up.saturating_sub(1)), Piece::said_once).max(1);
        if let Some(piece) = piece {
            if start < at {
                pieces.push(Piece::Each(&values[start..at]));
            }
            pieces.push(piece);
            start = at + taken;
        }
        at += taken;
    }
    if start < values.len() {
        pieces.push(Piece::Each(&values[start..]));
    }
    pieces
}

/// How many numbers at the beginning are each one more than the one before.
fn counted(values: &[Value]) -> usize {
    let Some(first) = values.first().and_then(number) else { return 0 };
    values.iter().zip(first..).take_while(|(value, expected)| number(value) == Some(*expected)).count()
}

fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Number(text) => text.parse().ok(),
        _ => None,
    }
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
