//! A value on one line, given up as soon as it is longer than there is room for.

use crate::tui::text::width;
use crate::value::Value;
use crate::visible;

/// `value` in at most `room` cells; `None` where it needs more.
pub(crate) fn flat(value: &Value, room: usize) -> Option<String> {
    let mut line = Line { text: String::new(), room };
    line.value(value)?;
    (width(&line.text) <= room).then_some(line.text)
}

/// As much of `value` as `room` bytes and a little more hold.
pub(super) fn start(value: &Value, room: usize) -> String {
    let mut line = Line { text: String::new(), room };
    match line.value(value) {
        Some(()) => line.text,
        None => line.text + "…",
    }
}

/// A line while it grows. Each part gives up once the line is over its room, so the work is bounded by it.
struct Line {
    text: String,
    room: usize,
}

impl Line {
    fn push(&mut self, text: &str) -> Option<()> {
        // A cell takes at most a few bytes; the exact width is measured once, at the end.
        let left = (self.room * 4 + 16).checked_sub(self.text.len())?;
        let (start, whole) = crate::tui::text::head(text, left);
        self.text.push_str(&visible::line(start));
        (whole && self.text.len() <= self.room * 4 + 16).then_some(())
    }

    fn value(&mut self, value: &Value) -> Option<()> {
        match value {
            Value::Number(text) => self.push(&digits(text)),
            Value::Word(text) | Value::Opaque(text) => self.push(text),
            Value::Char(c) => self.quoted(c.encode_utf8(&mut [0; 4]), "'"),
            Value::Text(text) => self.quoted(text, "\""),
            Value::Tuple(values) => self.between("(", values, if values.len() == 1 { ",)" } else { ")" }),
            Value::Sequence(values) => self.between("[", values, "]"),
            Value::Set(values) => self.between("{", values, "}"),
            Value::Map(pairs) => self.map(pairs),
            Value::Call { name, arguments } => {
                self.push(name)?;
                self.between("(", arguments, ")")
            }
            Value::Record { name, fields, open } => self.record(name, fields, *open),
        }
    }

    fn quoted(&mut self, text: &str, mark: &str) -> Option<()> {
        let (start, whole) = crate::tui::text::head(text, self.room * 4 + 16);
        self.push(mark)?;
        self.push(&start.replace('\\', "\\\\").replace(mark, &format!("\\{mark}")))?;
        self.push(mark)?;
        whole.then_some(())
    }

    fn between(&mut self, opener: &str, values: &[Value], closer: &str) -> Option<()> {
        self.push(opener)?;
        for (number, value) in values.iter().enumerate() {
            self.separate(number)?;
            self.value(value)?;
        }
        self.push(closer)
    }

    fn map(&mut self, pairs: &[(Value, Value)]) -> Option<()> {
        self.push("{")?;
        for (number, (key, value)) in pairs.iter().enumerate() {
            self.separate(number)?;
            self.value(key)?;
            self.push(": ")?;
            self.value(value)?;
        }
        self.push("}")
    }

    fn record(&mut self, name: &str, fields: &[(String, Value)], open: bool) -> Option<()> {
        self.push(name)?;
        self.push(" { ")?;
        for (number, (field, value)) in fields.iter().enumerate() {
            self.separate(number)?;
            self.push(field)?;
            self.push(": ")?;
            self.value(value)?;
        }
        self.push(match (open, fields.is_empty()) {
            (false, _) => " }",
            (true, true) => ".. }",
            (true, false) => ", .. }",
        })
    }

    fn separate(&mut self, number: usize) -> Option<()> {
        if number > 0 { self.push(", ") } else { Some(()) }
    }
}

/// A whole number of five digits or more with `_` between groups of three; any other text as it is.
fn digits(text: &str) -> String {
    let (sign, number) = text.split_at(usize::from(text.starts_with('-')));
    if number.len() < 5 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.to_owned();
    }
    let mut out = sign.to_owned();
    for (at, digit) in number.chars().enumerate() {
        if at > 0 && (number.len() - at).is_multiple_of(3) {
            out.push('_');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::flat;
    use crate::value::Value;

    fn check(debug: &str, room: usize, expected: Option<&str>) {
        assert_eq!(flat(&Value::parse(debug), room).as_deref(), expected, "{debug:?} in {room}");
    }

    #[test]
    fn a_value_stands_on_one_line_where_it_fits() {
        check("118958", 20, Some("118_958"));
        check("-11895", 20, Some("-11_895"));
        check("1e-7", 20, Some("1e-7"));
        check("Refund { cents: 3, to: Some(\"a\\\"b\") }", 50, Some("Refund { cents: 3, to: Some(\"a\\\"b\") }"));
        check("[1, 2, 3]", 9, Some("[1, 2, 3]"));
        check("[1, 2, 3]", 8, None);
        check("\"\\u{1b}[2J\\n\"", 20, Some("\"\\u{1b}[2J\\n\""));
        check("(1,)", 20, Some("(1,)"));
    }

    #[test]
    fn a_value_far_too_long_is_given_up_early() {
        let long = Value::Sequence(vec![Value::Number("7".to_owned()); 1_000_000]);
        assert_eq!(flat(&long, 40), None);
        assert_eq!(flat(&Value::Text("x".repeat(10_000_000)), 40), None);
    }
}
