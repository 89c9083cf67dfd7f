//! Where in a source file a pin goes: after the item that its property stands in and the pins that are there already, as
//! far in as that item.

use crate::framework::pin_name::is_pin;
use crate::language::rust::code::Code;
use crate::language::rust::tokens::Kind;

/// Where a pin goes that belongs to the item whose last token is `last`: after its line, and after the pins that stand
/// there already.
pub(crate) fn pin_place(code: &Code<'_>, last: usize) -> usize {
    let mut last = last;
    while let Some(end) = pin_end(code, last + 1) {
        last = end;
    }
    after_line(code.text, code.tokens[last].span.end)
}

/// The index of the last token of the function that starts at the token `at`, where that is a pin.
fn pin_end(code: &Code<'_>, at: usize) -> Option<usize> {
    let keyword = code.next_at_level(at, code.tokens.len(), |code, at| {
        code.word(at) == "fn" || matches!(code.kind(at), Some(Kind::Close(_) | Kind::Sign(';') | Kind::Open('{')))
    })?;
    let is_pin = code.first(keyword) == at && is_pin(code.word(keyword + 1));
    let body = code.next_at_level(keyword, code.tokens.len(), |code, at| code.open(at, '{'))?;
    is_pin.then(|| code.partner(body))
}

/// The offset after the line that `end` stands in; `end` itself where that line goes on with more than a comment.
fn after_line(text: &str, end: usize) -> usize {
    let rest = &text[end..];
    let line = rest.find('\n').map_or(rest, |newline| &rest[..=newline]);
    let more = line.trim();
    if more.is_empty() || more.starts_with("//") { end + line.len() } else { end }
}

/// The white space that the line around `at` starts with.
pub(crate) fn indent(text: &str, at: usize) -> &str {
    let line = &text[text[..at].rfind('\n').map_or(0, |newline| newline + 1)..at];
    &line[..line.len() - line.trim_start().len()]
}
