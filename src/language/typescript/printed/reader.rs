//! Reads a value: in the form in which it is printed, and in the forms in which people write the same by hand.

use super::{Key, Printed};

/// Deepest nesting that is read.
const DEPTH: usize = 128;

/// Words that are values.
const WORDS: [&str; 4] = ["true", "false", "null", "undefined"];

/// Words that are numbers.
const NUMBERS: [&str; 6] =
    ["NaN", "Infinity", "Number.NaN", "Number.POSITIVE_INFINITY", "Number.NEGATIVE_INFINITY", "Number.MIN_VALUE"];

/// Symbols of the language itself.
const SYMBOLS: [&str; 13] = [
    "asyncIterator",
    "hasInstance",
    "isConcatSpreadable",
    "iterator",
    "match",
    "matchAll",
    "replace",
    "search",
    "species",
    "split",
    "toPrimitive",
    "toStringTag",
    "unscopables",
];

/// What makes a value that is equal to the one printed.
const MAKERS: [&str; 9] = [
    "new Date",
    "new Map",
    "new Set",
    "new Boolean",
    "new Number",
    "new String",
    "Symbol.for",
    "Object.assign",
    "Array",
];

/// What makes lists of numbers by `from`.
const LISTS: [&str; 12] = [
    "Int8Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "Int16Array",
    "Uint16Array",
    "Int32Array",
    "Uint32Array",
    "Float32Array",
    "Float64Array",
    "BigInt64Array",
    "BigUint64Array",
    "Buffer",
];

pub(super) fn read(text: &str) -> Result<Printed, String> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let value = reader.value()?;
    reader.blanks();
    match reader.rest() {
        "" => Ok(value),
        rest => Err(strange(rest)),
    }
}

fn strange(rest: &str) -> String {
    let shown: String = rest.chars().take(24).collect();
    format!("`{shown}` is printed in it, which is no value that an expression can hold")
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, token: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn value(&mut self) -> Result<Printed, String> {
        self.blanks();
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("it nests too deep".to_owned());
        }
        let value = match self.rest().chars().next() {
            Some('"' | '\'' | '`') => self.quoted().map(Printed::Text),
            Some('[') => self.list(),
            Some('{') => self.object(),
            Some('/') => self.regex(),
            Some(c) if c.is_ascii_digit() || c == '-' || c == '.' => self.number(),
            _ => self.named(),
        };
        self.depth -= 1;
        value
    }

    fn list(&mut self) -> Result<Printed, String> {
        self.take("[");
        let mut values = Vec::new();
        loop {
            if self.take("]") {
                return Ok(Printed::List(values));
            }
            if self.take(",") {
                values.push(None);
                continue;
            }
            values.push(Some(self.value()?));
            if !self.take(",") {
                return if self.take("]") { Ok(Printed::List(values)) } else { Err(strange(self.rest())) };
            }
        }
    }

    fn object(&mut self) -> Result<Printed, String> {
        self.take("{");
        let mut members = Vec::new();
        loop {
            if self.take("}") {
                return Ok(Printed::Object(members));
            }
            let key = self.key()?;
            if !self.take(":") {
                return Err(strange(self.rest()));
            }
            let value = self.value()?;
            let sets_prototype = matches!(&key, Key::Named(name) if String::from_utf16_lossy(name) == "__proto__");
            if sets_prototype && value != Printed::Word("null".to_owned()) {
                return Err("an object with a prototype of its own is printed in it".to_owned());
            }
            members.push((key, value));
            if !self.take(",") {
                return if self.take("}") { Ok(Printed::Object(members)) } else { Err(strange(self.rest())) };
            }
        }
    }

    fn key(&mut self) -> Result<Key, String> {
        self.blanks();
        if self.take("[") {
            let computed = self.value()?;
            return if self.take("]") { Ok(Key::Computed(computed)) } else { Err(strange(self.rest())) };
        }
        if self.rest().starts_with(['"', '\'']) {
            return Ok(Key::Named(self.quoted()?));
        }
        let len = self.rest().find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(self.rest().len());
        if len == 0 {
            return Err(strange(self.rest()));
        }
        let name = &self.rest()[..len];
        self.at += len;
        Ok(Key::Named(name.encode_utf16().collect()))
    }

    fn quoted(&mut self) -> Result<Vec<u16>, String> {
        let start = self.rest();
        let mut chars = start.chars();
        let quote = chars.next().unwrap_or('"');
        let mut units = Vec::new();
        while let Some(c) = chars.next() {
            match c {
                _ if c == quote => {
                    self.at += start.len() - chars.as_str().len();
                    return Ok(units);
                }
                '\n' if quote != '`' => break,
                '$' if quote == '`' && chars.as_str().starts_with('{') => break,
                '\\' => escape(&mut chars, &mut units).ok_or_else(|| strange(start))?,
                _ => push(&mut units, c),
            }
        }
        Err(strange(start))
    }

    fn number(&mut self) -> Result<Printed, String> {
        let start = self.rest();
        let sign = usize::from(start.starts_with('-'));
        if let Some(word) = NUMBERS.iter().find(|word| start[sign..].starts_with(*word)) {
            self.at += sign + word.len();
            return Ok(Printed::Word(start[..sign + word.len()].to_owned()));
        }
        let length = number_len(start).ok_or_else(|| strange(start))?;
        self.at += length;
        if self.rest().starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
            return Err(strange(start));
        }
        Ok(Printed::Word(start[..length].replace('_', "")))
    }

    fn regex(&mut self) -> Result<Printed, String> {
        let start = self.rest();
        let (mut class, mut escaped) = (false, false);
        for (at, c) in start.char_indices().skip(1) {
            match c {
                '\n' | '\r' | '\u{2028}' | '\u{2029}' => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '[' => class = true,
                ']' => class = false,
                '/' if !class && at > 1 => {
                    let flags = start[at + 1..].bytes().take_while(u8::is_ascii_lowercase).count();
                    let text = &start[..at + 1 + flags];
                    self.at += text.len();
                    return Ok(Printed::Regex(text.to_owned()));
                }
                _ => {}
            }
        }
        Err(strange(start))
    }

    fn named(&mut self) -> Result<Printed, String> {
        let start = self.rest();
        let len = start.find(|c: char| !c.is_alphanumeric() && !"._$ ".contains(c)).unwrap_or(start.len());
        let name = start[..len].trim_end();
        let is_symbol = name.strip_prefix("Symbol.").is_some_and(|name| SYMBOLS.contains(&name));
        if WORDS.contains(&name) || NUMBERS.contains(&name) || is_symbol {
            self.at += name.len();
            return Ok(Printed::Word(name.to_owned()));
        }
        let is_list = name.strip_suffix(".from").is_some_and(|name| LISTS.contains(&name));
        if !start[name.len()..].starts_with('(') || !(is_list || MAKERS.contains(&name)) {
            return Err(strange(start));
        }
        self.at += name.len() + 1;
        let mut arguments = Vec::new();
        loop {
            if self.take(")") {
                return Ok(Printed::Made(name.to_owned(), arguments));
            }
            arguments.push(self.value()?);
            if !self.take(",") && !self.rest().starts_with(')') {
                return Err(strange(self.rest()));
            }
        }
    }
}

/// Length of the number that `text` starts with.
fn number_len(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        bytes[from.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'_').count()
    };
    let sign = usize::from(text.starts_with('-'));
    let mut len = sign + digits(sign);
    let whole = len > sign;
    if whole && bytes.get(len) == Some(&b'n') {
        return Some(len + 1);
    }
    if bytes.get(len) == Some(&b'.') {
        len += 1 + digits(len + 1);
    }
    if len == sign || !whole && len == sign + 1 {
        return None;
    }
    if bytes.get(len) == Some(&b'e') {
        let signed = len + 1 + usize::from(matches!(bytes.get(len + 1), Some(b'+' | b'-')));
        match digits(signed) {
            0 => return None,
            more => len = signed + more,
        }
    }
    Some(len)
}

fn push(units: &mut Vec<u16>, c: char) {
    units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
}

/// Adds what an escape stands for.
fn escape(chars: &mut std::str::Chars<'_>, units: &mut Vec<u16>) -> Option<()> {
    match chars.next()? {
        'n' => push(units, '\n'),
        'r' => push(units, '\r'),
        't' => push(units, '\t'),
        'b' => push(units, '\u{8}'),
        'f' => push(units, '\u{c}'),
        'v' => push(units, '\u{b}'),
        '0' => push(units, '\0'),
        'x' => units.push(hex(chars, 2)?),
        'u' if chars.as_str().starts_with('{') => {
            let (digits, rest) = chars.as_str()[1..].split_once('}')?;
            push(units, char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
            *chars = rest.chars();
        }
        'u' => units.push(hex(chars, 4)?),
        '\n' => {}
        other => push(units, other),
    }
    Some(())
}

fn hex(chars: &mut std::str::Chars<'_>, digits: usize) -> Option<u16> {
    let text = chars.as_str().get(..digits)?;
    let unit = u16::from_str_radix(text, 16).ok()?;
    *chars = chars.as_str()[digits..].chars();
    Some(unit)
}
