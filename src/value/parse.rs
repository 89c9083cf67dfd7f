//! Reads a Debug text as a value. Every form is tried as it is printed by the standard formatting; a text that turns out
//! to be something else is taken whole, up to where the value around it goes on.

use super::Value;
use super::one_line::{Quotes, flatten};

/// How deep values are told apart; what nests deeper stays text.
const DEPTH: usize = 128;

/// The value that `text` shows.
pub(super) fn value(text: &str) -> Value {
    let text = flatten(text.trim());
    let mut reader = Reader { text: &text, at: 0, depth: 0, torn: false, quotes: Quotes::default() };
    match reader.value(Place::Alone) {
        value if reader.rest().is_empty() && !reader.torn => value,
        _ => Value::Opaque(text.clone()),
    }
}

/// Where a value stands, which tells what may follow it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing around it.
    Alone,
    /// In brackets: a comma or a closing bracket follows.
    Inside,
    /// In braces: a colon may follow as well.
    Key,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    /// Whether a value inside brackets ran on to the end of the text: then no bracket around it is closed either.
    torn: bool,
    quotes: Quotes,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Goes on past `token` where it stands here.
    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    /// Goes on past `len` bytes and returns them.
    fn advance(&mut self, len: usize) -> &'t str {
        let taken = &self.rest()[..len];
        self.at += len;
        taken
    }

    /// The value here: of a known form where one fits and ends where a value can end in this place.
    fn value(&mut self, place: Place) -> Value {
        let start = self.at;
        self.depth += 1;
        let known = if self.depth > DEPTH { None } else { self.known() };
        self.depth -= 1;
        match known {
            Some(value) if ends(self.rest(), place) => value,
            _ if self.torn => Value::Opaque(String::new()),
            _ => {
                self.at = start;
                let len = self.opaque_len(place);
                self.torn = place != Place::Alone && len == self.rest().len();
                Value::Opaque(self.advance(len).to_owned())
            }
        }
    }

    /// Length of the balanced text before the place where a value can end.
    fn opaque_len(&mut self, place: Place) -> usize {
        let text = self.rest();
        if place == Place::Alone {
            return text.len();
        }
        let mut depth = 0usize;
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            if depth == 0 && ends(&text[at..], place) {
                return at;
            }
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                '"' | '\'' => at += self.quotes.len(self.text, self.at + at).unwrap_or(1) - c.len_utf8(),
                _ => {}
            }
            at += c.len_utf8();
        }
        text.len()
    }

    fn known(&mut self) -> Option<Value> {
        match self.rest().chars().next()? {
            '"' => self.text_value(),
            '\'' => self.char_value(),
            '(' => self.tuple(),
            '[' => self.sequence(),
            '{' => self.braces(),
            c if c == '-' || c.is_ascii_digit() => self.number(),
            _ => self.named(),
        }
    }

    fn text_value(&mut self) -> Option<Value> {
        let quoted = self.quoted()?;
        unescape(quoted).map(Value::Text)
    }

    fn char_value(&mut self) -> Option<Value> {
        let decoded = unescape(self.quoted()?)?;
        decoded.chars().next().map(Value::Char)
    }

    /// Goes on past quotes and returns what stands between them.
    fn quoted(&mut self) -> Option<&'t str> {
        let len = self.quotes.len(self.text, self.at)?;
        Some(&self.advance(len)[1..len - 1])
    }

    fn number(&mut self) -> Option<Value> {
        if self.take("-inf") {
            return Some(Value::Word("-inf".to_owned()));
        }
        let len = number_len(self.rest())?;
        Some(Value::Number(self.advance(len).to_owned()))
    }

    fn tuple(&mut self) -> Option<Value> {
        self.advance(1);
        if self.take(")") {
            return Some(Value::Tuple(Vec::new()));
        }
        let mut values = vec![self.value(Place::Inside)];
        if self.take(",)") {
            return Some(Value::Tuple(values));
        }
        while self.take(", ") {
            values.push(self.value(Place::Inside));
        }
        (values.len() > 1 && self.take(")")).then_some(Value::Tuple(values))
    }

    fn sequence(&mut self) -> Option<Value> {
        self.advance(1);
        self.values("]").map(Value::Sequence)
    }

    /// Values with commas between, up to and with `closer`.
    fn values(&mut self, closer: &str) -> Option<Vec<Value>> {
        let mut values = Vec::new();
        if self.take(closer) {
            return Some(values);
        }
        loop {
            values.push(self.value(Place::Inside));
            if self.take(closer) {
                return Some(values);
            }
            if !self.take(", ") {
                return None;
            }
        }
    }

    /// A set or a map: the first colon tells.
    fn braces(&mut self) -> Option<Value> {
        self.advance(1);
        if self.take("}") {
            return Some(Value::Set(Vec::new()));
        }
        let first = self.value(Place::Key);
        if self.take(": ") {
            return self.map(first);
        }
        if self.take("}") {
            return Some(Value::Set(vec![first]));
        }
        if !self.take(", ") {
            return None;
        }
        let mut values = vec![first];
        values.extend(self.values("}")?);
        Some(Value::Set(values))
    }

    /// The rest of a map, after its first key.
    fn map(&mut self, first: Value) -> Option<Value> {
        let mut pairs = vec![(first, self.value(Place::Inside))];
        while self.take(", ") {
            let key = self.value(Place::Key);
            if !self.take(": ") {
                return None;
            }
            pairs.push((key, self.value(Place::Inside)));
        }
        self.take("}").then_some(Value::Map(pairs))
    }

    /// A word, a call or a record.
    fn named(&mut self) -> Option<Value> {
        let len = name_len(self.rest());
        let name = (len > 0).then(|| self.advance(len).to_owned())?;
        if self.take("(") {
            let arguments = self.values(")")?;
            return Some(Value::Call { name, arguments });
        }
        if self.take(" { ") {
            return self.record(name);
        }
        Some(Value::Word(name))
    }

    fn record(&mut self, name: String) -> Option<Value> {
        let mut fields = Vec::new();
        loop {
            if self.take(".. }") {
                return Some(Value::Record { name, fields, open: true });
            }
            let len = name_len(self.rest());
            let field = (len > 0).then(|| self.advance(len).to_owned())?;
            if !self.take(": ") {
                return None;
            }
            fields.push((field, self.value(Place::Inside)));
            if self.take(" }") {
                return Some(Value::Record { name, fields, open: false });
            }
            if !self.take(", ") {
                return None;
            }
        }
    }
}

/// Whether a value in `place` can end before `rest`.
fn ends(rest: &str, place: Place) -> bool {
    match place {
        Place::Alone => rest.is_empty(),
        Place::Inside => [", ", ",)", ")", "]", "}", " }"].iter().any(|follower| rest.starts_with(follower)),
        Place::Key => rest.starts_with(", ") || rest.starts_with('}') || rest.starts_with(": "),
    }
}

/// Length of the name that `text` starts with; digits alone name the field of a tuple.
fn name_len(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())
}

/// Length of the number that `text` starts with: digits, a fraction, an exponent.
fn number_len(text: &str) -> Option<usize> {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let sign = usize::from(text.starts_with('-'));
    let mut len = sign + digits(sign);
    if len == sign {
        return None;
    }
    for mark in ['.', 'e'] {
        let Some(after) = text[len..].strip_prefix(mark) else { continue };
        let signed = len + 1 + usize::from(mark == 'e' && after.starts_with('-'));
        match digits(signed) {
            0 => return Some(len),
            more => len = signed + more,
        }
    }
    Some(len)
}

/// The text that the inside of a quoted one stands for; `None` for escapes that are bytes and not characters.
fn unescape(quoted: &str) -> Option<String> {
    let mut text = String::with_capacity(quoted.len());
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        text.push(match chars.next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            'u' => unicode(&mut chars)?,
            quoted @ ('\\' | '"' | '\'') => quoted,
            _ => return None,
        });
    }
    Some(text)
}

/// The character of `{hex}`.
fn unicode(chars: &mut std::str::Chars<'_>) -> Option<char> {
    let (hex, after) = chars.as_str().strip_prefix('{')?.split_once('}')?;
    *chars = after.chars();
    u32::from_str_radix(hex, 16).ok().and_then(char::from_u32)
}
