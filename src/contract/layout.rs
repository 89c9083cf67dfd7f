//! Where the parts of a JSON text stand, and how it is laid out, so that a change touches no more than it must. The text was
//! read as JSON before; of one that is none, nothing is found.

use crate::span::Span;

/// A member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// Its name.
    pub(super) name: String,
    /// All of it.
    pub(super) span: Span,
    /// Its value.
    pub(super) value: Span,
}

/// How a text is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// What stands between a name and its value.
    pub(super) colon: String,
    /// What one level is indented by; `None` where all stands on one line.
    pub(super) unit: Option<String>,
    /// What ends a line.
    pub(super) line_end: &'static str,
}

/// The value that is all of a text.
pub(super) fn whole(text: &str) -> Option<Span> {
    let start = past_blanks(text, 0);
    Some(Span::new(start, end_of(text, start)?))
}

/// The members of the object at `object`.
pub(super) fn members(text: &str, object: Span) -> Option<Vec<Member>> {
    let member = |part: Span| {
        let name = Span::new(part.start, end_of(text, part.start)?);
        let start = past_blanks(text, past_blanks(text, name.end) + 1);
        let name = serde_json::from_str(&text[name.range()]).ok()?;
        Some(Member { name, span: part, value: Span::new(start, part.end) })
    };
    parts(text, object, b'{')?.into_iter().map(member).collect()
}

/// The elements of the array at `array`.
pub(super) fn elements(text: &str, array: Span) -> Option<Vec<Span>> {
    parts(text, array, b'[')
}

/// What stands between the commas of an object or an array.
fn parts(text: &str, around: Span, open: u8) -> Option<Vec<Span>> {
    let bytes = text.as_bytes();
    if bytes.get(around.start) != Some(&open) {
        return None;
    }
    let mut parts = Vec::new();
    let mut at = past_blanks(text, around.start + 1);
    while at + 1 < around.end {
        let mut end = end_of(text, at)?;
        let colon = past_blanks(text, end);
        if open == b'{' && bytes.get(colon) == Some(&b':') {
            end = end_of(text, past_blanks(text, colon + 1))?;
        }
        parts.push(Span::new(at, end));
        at = past_blanks(text, end);
        if bytes.get(at) == Some(&b',') {
            at = past_blanks(text, at + 1);
        }
    }
    Some(parts)
}

fn past_blanks(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// The end of the value that starts at `start`.
fn end_of(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    match bytes.get(start)? {
        b'"' => end_of_text(bytes, start),
        b'{' | b'[' => {
            let (mut depth, mut at) = (0_usize, start);
            loop {
                match bytes.get(at)? {
                    b'"' => {
                        at = end_of_text(bytes, at)?;
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth -= 1,
                    _ => {}
                }
                at += 1;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        _ => {
            let is_inside = |byte: &&u8| !byte.is_ascii_whitespace() && !b",}]:".contains(*byte);
            let length = bytes[start..].iter().take_while(is_inside).count();
            (length > 0).then_some(start + length)
        }
    }
}

fn end_of_text(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

impl Layout {
    /// How the object that is all of `text` is laid out, as its first member shows.
    pub(super) fn of(text: &str) -> Layout {
        let first = whole(text).and_then(|whole| members(text, whole)?.into_iter().next());
        let colon = first.as_ref().and_then(|first| {
            let name = end_of(text, first.span.start)?;
            text.get(name..first.value.start).map(str::to_owned)
        });
        let unit = match &first {
            Some(first) => indent(text, first.span.start).map(str::to_owned),
            None => text.trim_end().contains('\n').then(|| "  ".to_owned()),
        };
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        Layout { colon: colon.unwrap_or_else(|| ": ".to_owned()), unit, line_end }
    }

    /// What stands between what is on one line.
    pub(super) fn gap(&self) -> &'static str {
        if self.colon.ends_with(' ') { " " } else { "" }
    }

    /// A member.
    pub(super) fn member(&self, name: &str, value: &str) -> String {
        format!("{}{}{value}", quoted(name), self.colon)
    }

    /// An object or an array of `parts` between `open` and `close`, each on a line of its own where `indent`, that of the
    /// line it begins on, is told.
    pub(super) fn around(&self, open: char, parts: &[String], close: char, indent: Option<&str>) -> String {
        match (indent, &self.unit) {
            (Some(indent), Some(unit)) => {
                let line = self.line_end;
                let inner = parts.join(&format!(",{line}{indent}{unit}"));
                format!("{open}{line}{indent}{unit}{inner}{line}{indent}{close}")
            }
            _ => format!("{open}{}{close}", parts.join(&format!(",{}", self.gap()))),
        }
    }
}

/// The blanks between the start of a line and `at`; `None` where more stands there.
pub(super) fn indent(text: &str, at: usize) -> Option<&str> {
    let line = text[..at].rfind('\n')? + 1;
    Some(&text[line..at]).filter(|before| before.trim().is_empty())
}

/// The blanks that the line begins with on which `at` stands.
pub(super) fn line_indent(text: &str, at: usize) -> &str {
    let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
    &line[..line.len() - line.trim_start().len()]
}

/// A text as JSON.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::{Layout, elements, members, whole};

    #[test]
    fn parts_are_found_whatever_stands_in_texts() {
        let text = " { \"a}\\\"\" : [1, \"]\" ,{\"b\":[ ]}], \"c\":null }\n";
        let whole = whole(text).unwrap();
        assert_eq!(&text[whole.range()], text.trim());
        let all = members(text, whole).unwrap();
        let told: Vec<(&str, &str)> = all.iter().map(|one| (one.name.as_str(), &text[one.value.range()])).collect();
        assert_eq!(told, [("a}\"", "[1, \"]\" ,{\"b\":[ ]}]"), ("c", "null")]);
        let inner: Vec<&str> = elements(text, all[0].value).unwrap().iter().map(|span| &text[span.range()]).collect();
        assert_eq!(inner, ["1", "\"]\"", "{\"b\":[ ]}"]);
        assert_eq!(elements(text, whole), None);
        assert_eq!(members("{ }", super::whole("{ }").unwrap()), Some(Vec::new()));
    }

    #[test]
    fn a_text_that_breaks_off_has_no_parts() {
        for text in ["", "{", "[1, \"", "{\"a\": [", "\"\\"] {
            assert_eq!(whole(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_first_member_shows_the_layout() {
        let check = |text: &str, colon: &str, unit: Option<&str>| {
            let layout = Layout::of(text);
            assert_eq!((layout.colon.as_str(), layout.unit.as_deref()), (colon, unit), "{text:?}");
        };
        check("{\n\t\"a\" : 1\n}", " : ", Some("\t"));
        check("{\"a\":1}", ":", None);
        check("{}", ": ", None);
        check("{\n}\n", ": ", Some("  "));
    }
}
