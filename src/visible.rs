//! Foreign text made fit for a terminal: control characters, direction marks and other characters that print nothing
//! become escapes as Rust writes them, so that a log can neither steer the terminal nor hide what it holds.

use std::borrow::Cow;
use std::fmt::Write;

/// `text` for one line: line ends and tabs are escaped as well.
pub fn line(text: &str) -> Cow<'_, str> {
    escape(text, |c| prints(c) && !matches!(c, '\n' | '\t'))
}

/// `text` for several lines: `\n` and tabs stay, `\r\n` becomes `\n`.
pub fn block(text: &str) -> Cow<'_, str> {
    if !text.contains("\r\n") {
        return escape(text, prints);
    }
    Cow::Owned(escape(&text.replace("\r\n", "\n"), prints).into_owned())
}

/// A JSON text whose values are the same, with escapes of its own in place of what a terminal would not show. JSON has such
/// characters in strings only.
pub fn json(text: &str) -> Cow<'_, str> {
    if text.chars().all(prints) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if prints(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    Cow::Owned(out)
}

/// Whether a terminal shows `c` as itself, or moves on by it as a line end or tab does.
pub fn prints(c: char) -> bool {
    match c {
        '\n' | '\t' => true,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => false,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' => false,
        '\u{180b}'..='\u{180f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' => false,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => false,
        '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}' => false,
        _ => true,
    }
}

fn escape(text: &str, keep: impl Fn(char) -> bool) -> Cow<'_, str> {
    // Nearly all text is this, and told without decoding it.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let Some((first, _)) = text.char_indices().find(|&(_, c)| !keep(c)) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..first]);
    for c in text[first..].chars() {
        match c {
            _ if keep(c) => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::{block, json, line};

    fn check(text: &str, as_line: &str, as_block: &str) {
        assert_eq!(line(text), as_line, "{text:?} as a line");
        assert_eq!(block(text), as_block, "{text:?} as a block");
    }

    #[test]
    fn plain_text_stays() {
        check("spread 2 in [1, \"ü\", 語]", "spread 2 in [1, \"ü\", 語]", "spread 2 in [1, \"ü\", 語]");
        check("e\u{301}", "e\u{301}", "e\u{301}");
        check("a\\n", "a\\n", "a\\n");
    }

    #[test]
    fn what_steers_a_terminal_is_escaped() {
        check("\u{1b}[2J\u{7}", "\\u{1b}[2J\\u{7}", "\\u{1b}[2J\\u{7}");
        check("\u{9b}31m\0", "\\u{9b}31m\\u{0}", "\\u{9b}31m\\u{0}");
    }

    #[test]
    fn what_turns_the_reading_direction_or_shows_nothing_is_escaped() {
        check("a\u{202e}b\u{2066}", "a\\u{202e}b\\u{2066}", "a\\u{202e}b\\u{2066}");
        check("\u{3164}\u{180e}x", "\\u{3164}\\u{180e}x", "\\u{3164}\\u{180e}x");
        check("\u{feff}x\u{200b}\u{200d}", "\\u{feff}x\\u{200b}\\u{200d}", "\\u{feff}x\\u{200b}\\u{200d}");
    }

    #[test]
    fn json_keeps_its_values() {
        let text = "ü \u{1b}\u{9b}\u{7f}\u{202e}\u{e0001}\n";
        let plain = serde_json::to_string(text).unwrap();
        let shown = json(&plain);
        assert_eq!(shown, r#""ü \u001b\u009b\u007f\u202e\udb40\udc01\n""#);
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
    }

    #[test]
    fn line_ends_stay_only_in_a_block() {
        check("a\n\tb", "a\\n\\tb", "a\n\tb");
        check("a\r\nb\rc", "a\\r\\nb\\rc", "a\nb\\rc");
    }
}
