//! From the Debug text of many lines (`{:#?}`) to that of one (`{:?}`), by its layout alone: names, numbers and quoted
//! text pass through untouched, so a text that is no value at all keeps its words.

use std::ops::Range;

/// The text on one line, byte for byte what `{:?}` prints for a value built of the standard formatting. A line break
/// that a type's own Debug printed becomes a space.
pub fn one_line(debug_text: &str) -> String {
    flatten(debug_text).replace(['\n', '\r'], " ")
}

/// As [`one_line`], with the line breaks of a type's own Debug kept.
pub(super) fn flatten(text: &str) -> String {
    if !text.contains('\n') {
        return text.to_owned();
    }
    let out = String::with_capacity(text.len() / 2);
    let mut flattening = Flattening { text, at: 0, out, open: Vec::new(), quotes: Quotes::default() };
    while flattening.at < text.len() {
        flattening.step();
    }
    flattening.out
}

/// A bracket that stands at the end of a line, its contents indented below.
struct Open {
    /// The byte that closes it.
    closer: u8,
    /// Indentation of its contents.
    indent: usize,
    /// Whether it is a record's brace, which has spaces inside.
    record: bool,
    /// Whether it is a parenthesis without a name before it.
    tuple: bool,
    /// How many values it holds so far.
    values: usize,
}

/// How far a text is flattened.
struct Flattening<'t> {
    text: &'t str,
    at: usize,
    out: String,
    open: Vec<Open>,
    quotes: Quotes,
}

impl Flattening<'_> {
    fn step(&mut self) {
        let rest = &self.text[self.at..];
        let taken = match rest.as_bytes()[0] {
            b'"' | b'\'' => self.quoted(),
            b'(' | b'[' | b'{' => self.opener(rest).unwrap_or_else(|| self.copy(1)),
            b',' => self.separator(rest).unwrap_or_else(|| self.copy(1)),
            b'.' => self.non_exhaustive(rest).unwrap_or_else(|| self.copy(1)),
            b'\n' => self.foreign_break(rest),
            _ => self.copy(rest.find(['"', '\'', '(', '[', '{', ',', '.', '\n']).unwrap_or(rest.len())),
        };
        self.at += taken;
    }

    /// Passes `len` bytes on as they are.
    fn copy(&mut self, len: usize) -> usize {
        self.out.push_str(&self.text[self.at..self.at + len]);
        len
    }

    fn quoted(&mut self) -> usize {
        let len = self.quotes.len(self.text, self.at).unwrap_or(1);
        self.copy(len)
    }

    /// An opening bracket with its contents on the next lines.
    fn opener(&mut self, rest: &str) -> Option<usize> {
        let indent = indent_of(rest[1..].strip_prefix('\n')?);
        if indent < self.indent() + 4 {
            return None;
        }
        let bracket = rest.as_bytes()[0];
        let record = bracket == b'{' && self.follows_record_name();
        let tuple = bracket == b'(' && !self.follows_name();
        let closer = match bracket {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        };
        self.open.push(Open { closer, indent, record, tuple, values: 0 });
        self.out.push(char::from(bracket));
        if record {
            self.out.push(' ');
        }
        Some(2 + indent)
    }

    /// A comma at the end of a line: between two values, or after the last.
    fn separator(&mut self, rest: &str) -> Option<usize> {
        let line = rest[1..].strip_prefix('\n')?;
        let indent = indent_of(line);
        let top = self.open.last_mut()?;
        if indent == top.indent {
            top.values += 1;
            self.out.push_str(", ");
            return Some(2 + indent);
        }
        if indent + 4 != top.indent || line.as_bytes().get(indent) != Some(&top.closer) {
            return None;
        }
        let lone = top.tuple && top.values == 0;
        self.close(if lone { "," } else { "" });
        Some(3 + indent)
    }

    /// A last line `..`: not all is shown.
    fn non_exhaustive(&mut self, rest: &str) -> Option<usize> {
        let line = rest.strip_prefix("..\n")?;
        let indent = indent_of(line);
        let top = self.open.last()?;
        let starts_line = self.text[..self.at].ends_with(' ') && self.out.ends_with(", ");
        let ends = indent + 4 == top.indent && line.as_bytes().get(indent) == Some(&top.closer);
        if !(starts_line && ends) {
            return None;
        }
        self.out.push_str("..");
        self.close("");
        Some(4 + indent)
    }

    /// Writes the closing bracket of the innermost open one, `before` in front of it.
    fn close(&mut self, before: &str) {
        let Some(top) = self.open.pop() else { return };
        self.out.push_str(before);
        if top.record {
            self.out.push(' ');
        }
        self.out.push(char::from(top.closer));
    }

    /// A line break of a type's own Debug: stays, without the indentation that the values around it added.
    fn foreign_break(&mut self, rest: &str) -> usize {
        self.out.push('\n');
        1 + indent_of(&rest[1..]).min(self.indent())
    }

    fn indent(&self) -> usize {
        self.open.last().map_or(0, |top| top.indent)
    }

    /// Whether the output ends in a name that a parenthesis belongs to.
    fn follows_name(&self) -> bool {
        self.out.ends_with(|c: char| !c.is_whitespace() && !matches!(c, '(' | '[' | '{'))
    }

    /// Whether the output ends in a name and a space: a record, where a bare brace is a map or a set.
    fn follows_record_name(&self) -> bool {
        let Some(before) = self.out.strip_suffix(' ') else { return false };
        before.ends_with(|c: char| !c.is_whitespace() && !matches!(c, ':' | ',' | '=' | '{' | '('))
    }
}

/// Number of spaces that `line` starts with.
fn indent_of(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b' ').count()
}

/// Finds where quoted texts end. Of one that is not closed on its line it is kept how far it was searched: no quote in
/// there closes another, and a line of open quotes would else be searched to its end for each of them.
#[derive(Default)]
pub(super) struct Quotes {
    open: Range<usize>,
}

impl Quotes {
    /// Length of the quoted text or character at `at`, quotes included; `None` where it is not closed on its line, as an
    /// apostrophe is not.
    pub(super) fn len(&mut self, text: &str, at: usize) -> Option<usize> {
        let quoted = text.get(at..)?;
        if quoted.starts_with('\'') {
            return char_len(quoted);
        }
        if self.open.contains(&at) {
            return None;
        }
        let len = text_len(quoted.as_bytes());
        if let Err(searched) = len {
            self.open = at..at + searched;
        }
        len.ok()
    }
}

/// Length of the text in double quotes that `bytes` start with; where it is not closed, how far its line was searched.
fn text_len(bytes: &[u8]) -> Result<usize, usize> {
    let mut at = 1;
    loop {
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            Some(b'"') => return Ok(at + 1),
            None | Some(b'\n') => return Err(at),
            Some(_) => at += 1,
        }
    }
}

/// Length of the character literal that `text` starts with: one character or one escape between the quotes.
fn char_len(text: &str) -> Option<usize> {
    let inner = &text[1..];
    let longest = "\\u{10ffff}".len();
    let len = match inner.chars().next()? {
        '\\' if inner[1..].starts_with("u{") => inner.bytes().take(longest).position(|byte| byte == b'}')? + 1,
        '\\' => 1 + inner[1..].chars().next()?.len_utf8(),
        '\n' => return None,
        c => c.len_utf8(),
    };
    (inner.as_bytes().get(len) == Some(&b'\'')).then_some(len + 2)
}
