//! What strings and templates of the language say, and whether a name that a run printed may come from one with places to be
//! filled in.

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// As it is.
    Text(String),
    /// Filled in when the code runs.
    Any,
}

/// Adds what the inside of a quoted text says.
pub(super) fn pieces(inside: &str, found: &mut Vec<Piece>) {
    let text = unescaped(inside);
    match found.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece::Text(before)) => before.push_str(&text),
        _ => found.push(Piece::Text(text)),
    }
}

/// The text without its escapes.
fn unescaped(inside: &str) -> String {
    let mut text = String::with_capacity(inside.len());
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => text.push('\n'),
            Some('r') => text.push('\r'),
            Some('t') => text.push('\t'),
            Some('b') => text.push('\u{8}'),
            Some('f') => text.push('\u{c}'),
            Some('v') => text.push('\u{b}'),
            Some('0') => text.push('\0'),
            Some('x') => text.push(hex(&mut chars, 2)),
            Some('u') => text.push(unicode(&mut chars)),
            Some('\n') | None => {}
            Some(other) => text.push(other),
        }
    }
    text
}

fn hex(chars: &mut std::str::Chars<'_>, digits: usize) -> char {
    let text: String = chars.by_ref().take(digits).collect();
    u32::from_str_radix(&text, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}')
}

fn unicode(chars: &mut std::str::Chars<'_>) -> char {
    if !chars.as_str().starts_with('{') {
        return hex(chars, 4);
    }
    let digits: String = chars.by_ref().skip(1).take_while(|&c| c != '}').collect();
    u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}')
}

/// Whether `text` may be what `pieces` come to.
pub fn may_be(pieces: &[Piece], text: &str) -> bool {
    // What stands between places to be filled in.
    let mut parts = vec![String::new()];
    for piece in pieces {
        match (piece, parts.last_mut()) {
            (Piece::Text(own), Some(part)) => part.push_str(own),
            _ => parts.push(String::new()),
        }
    }
    let [first, middle @ .., last] = &parts[..] else { return parts.concat() == text };
    let Some(rest) = text.strip_prefix(first.as_str()).and_then(|rest| rest.strip_suffix(last.as_str())) else {
        return false;
    };
    // Each part at its first place leaves most room for the others.
    middle.iter().try_fold(rest, |rest, part| Some(rest.split_once(part.as_str())?.1)).is_some()
}

#[cfg(test)]
mod tests {
    use super::{Piece, may_be, pieces};

    #[test]
    fn escapes_say_what_they_stand_for() {
        let mut found = Vec::new();
        pieces(r#"a\n\'\x41\u{1f600}\u00e9"#, &mut found);
        assert_eq!(found, [Piece::Text("a\n'A\u{1f600}é".to_owned())]);
    }

    #[test]
    fn places_to_be_filled_in_may_hold_anything() {
        let text = |text: &str| Piece::Text(text.to_owned());
        assert!(may_be(&[text("a "), Piece::Any, text(" c")], "a b c c"));
        assert!(!may_be(&[text("a "), Piece::Any, text(" c")], "a b d"));
        assert!(may_be(&[Piece::Any], ""));
        assert!(!may_be(&[text("a")], "ab"));
        assert!(may_be(&[text("a"), text("b")], "ab"));
        assert!(may_be(&[Piece::Any, text("b"), Piece::Any, text("b")], "abab"));
        assert!(!may_be(&[text("ab"), Piece::Any, text("b")], "ab"), "no sign stands for two");
        let places: Vec<Piece> = (0..40).flat_map(|_| [Piece::Any, text(" ")]).chain([text("end")]).collect();
        assert!(!may_be(&places, &"word ".repeat(300)), "it is told at once, not by trying all ways");
    }
}
