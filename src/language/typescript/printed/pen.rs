//! Writes a value as an expression, in the form that formatters of the language give it.

use super::{Key, Printed};

/// How values are written.
#[derive(Clone, Copy, Debug)]
pub struct Pen {
    /// The quotes around texts.
    pub quote: char,
}

impl Pen {
    /// The pen that writes as `text` is written: with the quotes that it uses most.
    pub fn of(text: &str) -> Pen {
        let (single, double) = (text.matches('\'').count(), text.matches('"').count());
        Pen { quote: if double > single { '"' } else { '\'' } }
    }

    /// The expression of `value`.
    pub fn expression(self, value: &Printed) -> String {
        match value {
            Printed::Word(text) | Printed::Regex(text) => text.clone(),
            Printed::Text(units) => self.text(units),
            Printed::List(values) => self.list(values),
            Printed::Object(members) if members.is_empty() => "{}".to_owned(),
            Printed::Object(members) => {
                let members: Vec<String> = members
                    .iter()
                    .map(|(key, value)| format!("{}: {}", self.key(key), self.expression(value)))
                    .collect();
                format!("{{ {} }}", members.join(", "))
            }
            Printed::Made(name, values) => {
                let values: Vec<String> = values.iter().map(|value| self.expression(value)).collect();
                format!("{name}({})", values.join(", "))
            }
        }
    }

    fn list(self, values: &[Option<Printed>]) -> String {
        let values: Vec<Option<String>> =
            values.iter().map(|value| value.as_ref().map(|value| self.expression(value))).collect();
        self.listed(&values)
    }

    /// The list of these expressions; `None` is a hole. A comma after a last hole is the hole.
    pub fn listed(self, values: &[Option<String>]) -> String {
        let mut text = "[".to_owned();
        for (at, value) in values.iter().enumerate() {
            match value {
                Some(value) => {
                    text.push_str(if at > 0 { " " } else { "" });
                    text.push_str(value);
                    text.push_str(if at + 1 < values.len() { "," } else { "" });
                }
                None => text.push(','),
            }
        }
        text.push(']');
        text
    }

    fn key(self, key: &Key) -> String {
        match key {
            Key::Computed(value) => format!("[{}]", self.expression(value)),
            Key::Named(units) => match String::from_utf16(units) {
                Ok(name) if is_name(&name) => name,
                _ => self.text(units),
            },
        }
    }

    /// The key of a member of its own that is called so: what would set a prototype is computed.
    pub fn named(self, units: &[u16]) -> String {
        match String::from_utf16(units) {
            Ok(name) if name == "__proto__" => format!("[{}]", self.text(units)),
            _ => self.key(&Key::Named(units.to_vec())),
        }
    }

    fn text(self, units: &[u16]) -> String {
        let mut text = String::from(self.quote);
        for unit in char::decode_utf16(units.iter().copied()) {
            match unit {
                Ok('\n') => text.push_str("\\n"),
                Ok('\r') => text.push_str("\\r"),
                Ok('\t') => text.push_str("\\t"),
                Ok('\\') => text.push_str("\\\\"),
                Ok(c) if c == self.quote => text.extend(['\\', c]),
                Ok(c) if is_unseen(c) => {
                    c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| text.push_str(&escaped(*unit)))
                }
                Ok(c) => text.push(c),
                Err(alone) => text.push_str(&escaped(alone.unpaired_surrogate())),
            }
        }
        text.push(self.quote);
        text
    }
}

fn escaped(unit: u16) -> String {
    format!("\\u{unit:04x}")
}

/// Whether a character shows nothing of itself, ends a line or turns the direction of others.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{a0}' | '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202f}'
            | '\u{2060}'..='\u{206f}' | '\u{3000}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
        || ('\u{fe00}'..='\u{fe0f}').contains(&c)
}

/// Whether a key needs no quotes: a name, or a whole number as the language itself writes it.
fn is_name(text: &str) -> bool {
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$');
    let whole =
        text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0')) && text.len() < 10;
    starts && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$')
        || whole && !text.is_empty()
}
