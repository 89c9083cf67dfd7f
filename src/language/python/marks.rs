//! What gives a piece of Python text its shape: brackets, commas, comments, line feeds, all outside of string literals.
//! The text may be what `repr` made of anything, so that what is no Python is passed over and never a fault.

use crate::span::Span;

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `(`, `[` or `{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// A comma.
    Comma,
    /// An equals sign that is no comparison.
    Equals,
    /// From `#` to the end of its line.
    Comment,
    /// A string literal, its prefix left out.
    Text,
    /// A line feed.
    LineFeed,
}

/// The marks of `text` in order, each with its bytes.
pub fn marks(text: &str) -> impl Iterator<Item = (Mark, Span)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (mark, span) = next(text.as_bytes(), at)?;
        at = span.end;
        Some((mark, span))
    })
}

fn next(text: &[u8], from: usize) -> Option<(Mark, Span)> {
    let mut at = from;
    while let Some(&byte) = text.get(at) {
        let one = |mark| Some((mark, Span::new(at, at + 1)));
        match byte {
            b'(' | b'[' | b'{' => return one(Mark::Open),
            b')' | b']' | b'}' => return one(Mark::Close),
            b',' => return one(Mark::Comma),
            b'\n' => return one(Mark::LineFeed),
            b'=' if text.get(at + 1) == Some(&b'=') => at += 1,
            b'=' if at > 0 && b"!<>:".contains(&text[at - 1]) => {}
            b'=' => return one(Mark::Equals),
            b'#' => {
                let length = memchr::memchr(b'\n', &text[at..]).unwrap_or(text.len() - at);
                return Some((Mark::Comment, Span::new(at, at + length)));
            }
            b'\'' | b'"' => {
                if let Some(end) = literal_end(text, at) {
                    return Some((Mark::Text, Span::new(at, end)));
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Where the literal ends whose quotes begin at `start`; `None` where it does not end: then the quote is no literal's.
fn literal_end(text: &[u8], start: usize) -> Option<usize> {
    let quote = text[start];
    let is_long = text.get(start + 1) == Some(&quote) && text.get(start + 2) == Some(&quote);
    let mut at = start + if is_long { 3 } else { 1 };
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' if !is_long => return None,
            _ if byte != quote => {}
            _ if !is_long => return Some(at + 1),
            _ if text[at..].starts_with(&[quote; 3]) => return Some(at + 3),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Where the bracket closes that opens at `open`; `None` where none does.
pub fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (mark, span) in marks(text.get(open..)?) {
        match mark {
            Mark::Open => depth += 1,
            Mark::Close => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(open + span.start);
                }
            }
            _ => {}
        }
    }
    None
}

/// The parts of `text` between the commas that are in no bracket, those that hold nothing left out.
pub fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut start) = (0_usize, 0);
    let mut parts = Vec::new();
    for (mark, span) in marks(text) {
        match mark {
            Mark::Open => depth += 1,
            Mark::Close => depth = depth.saturating_sub(1),
            Mark::Comma if depth == 0 => {
                parts.push(&text[start..span.start]);
                start = span.end;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.retain(|part| !on_one_line(part).is_empty());
    parts
}

/// The lines of `text`, those joined that one statement takes: until all brackets that it opens are closed.
pub fn statements(text: &str) -> Vec<String> {
    let mut statements: Vec<String> = Vec::new();
    let mut depth = 0_usize;
    for line in text.lines() {
        match statements.last_mut().filter(|_| depth > 0) {
            Some(last) => *last = format!("{last}\n{line}"),
            None => statements.push(line.to_owned()),
        }
        for (mark, _) in marks(line) {
            match mark {
                Mark::Open => depth += 1,
                Mark::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
    statements
}

/// `name` and the text of its value, where `part` is an argument given by its name.
pub fn named(part: &str) -> Option<(&str, &str)> {
    let (_, equals) = marks(part)
        .find(|(mark, _)| !matches!(mark, Mark::Comment | Mark::LineFeed))
        .filter(|(mark, _)| *mark == Mark::Equals)?;
    let name = part[..equals.start].rsplit('\n').next()?.trim();
    is_name(name).then(|| (name, &part[equals.end..]))
}

/// Whether `text` has the form of a Python name.
pub fn is_name(text: &str) -> bool {
    let is_first = |char: char| char.is_alphabetic() || char == '_';
    text.starts_with(is_first) && text.chars().all(|char| char.is_alphanumeric() || char == '_')
}

/// The text without its comments, on one line: as `repr` would have printed it there.
pub fn on_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut taken = 0;
    let mut is_broken = false;
    // Of each open bracket, whether a comma before its end says nothing: it makes a tuple of one value in parentheses.
    let mut idle_comma = Vec::new();
    for (mark, span) in marks(text) {
        join(&mut line, &text[taken..span.start], &mut is_broken);
        taken = span.end;
        match mark {
            Mark::Comment => {}
            Mark::LineFeed => is_broken = true,
            Mark::Close => {
                let shown = line.trim_end();
                if let (Some(true), true, Some(kept)) = (idle_comma.pop(), is_broken, shown.strip_suffix(',')) {
                    line.truncate(kept.len());
                }
                is_broken = false;
                line.push_str(&text[span.range()]);
            }
            _ => {
                join(&mut line, &text[span.range()], &mut is_broken);
                if mark == Mark::Open {
                    let is_call =
                        text[..span.start].ends_with(|char: char| char.is_alphanumeric() || "_)]".contains(char));
                    idle_comma.push(is_call || !line.ends_with('('));
                }
            }
        }
    }
    join(&mut line, &text[taken..], &mut is_broken);
    line.trim().to_owned()
}

/// Adds text to a line; where a line feed stood before it, one blank stands for it and the indentation, and none does
/// after a bracket.
fn join(line: &mut String, text: &str, is_broken: &mut bool) {
    if !*is_broken {
        line.push_str(text);
        return;
    }
    let text = text.trim_start();
    if text.is_empty() {
        return;
    }
    line.truncate(line.trim_end().len());
    if !line.is_empty() && !line.ends_with(['(', '[', '{']) {
        line.push(' ');
    }
    line.push_str(text);
    *is_broken = false;
}

#[cfg(test)]
mod tests {
    use super::{closing, named, on_one_line, parts};

    #[test]
    fn brackets_and_commas_in_literals_and_comments_do_not_count() {
        let call = "f(a=')', b=[1, 2],  # or any )\n c=\"it's (\", d='''x\n)''')";
        assert_eq!(closing(call, 1), Some(call.len() - 1));
        let inner = &call[2..call.len() - 1];
        let found: Vec<_> = parts(inner).into_iter().map(|part| named(part).unwrap().0).collect();
        assert_eq!(found, ["a", "b", "c", "d"]);
        assert_eq!(closing("f(<it's>)", 1), Some(8));
        assert_eq!(closing("f(", 1), None);
    }

    #[test]
    fn a_value_over_several_lines_is_put_on_one() {
        let check = |text: &str, expected: &str| assert_eq!(on_one_line(text), expected, "{text:?}");
        check("Order(\n    sku='',  # or any other generated value\n    qty=-1,\n)", "Order(sku='', qty=-1)");
        check("{'a': 1,\n 'b': (2,)}", "{'a': 1, 'b': (2,)}");
        check("'# no comment\\n'", "'# no comment\\n'");
        check("[\n    1,\n    [\n        2,\n    ],\n]", "[1, [2]]");
        check("f(\n    (\n        2,\n    ),\n)", "f((2,))");
        check("  x  # y", "x");
    }

    #[test]
    fn only_an_argument_by_name_has_a_name() {
        assert_eq!(named("\n    # remark\n    x=a == b"), Some(("x", "a == b")));
        for part in ["1", "f(x=1)", "a == b", "'x=1'", "a.b=1"] {
            assert_eq!(named(part), None, "{part}");
        }
    }
}
