//! Text as the screen needs it: pieces with a role, widths in cells, cutting and wrapping between graphemes. Foreign text
//! is made visible here, and never more of it than can be shown.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::theme::Role;
use crate::visible;

/// A piece of a line in one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) role: Role,
    pub(crate) text: String,
}

/// A run; the text must be visible already.
pub(crate) fn run(role: Role, text: impl Into<String>) -> Run {
    Run { role, text: text.into() }
}

/// Cells that `text` takes.
pub(crate) fn width(text: &str) -> usize {
    if is_simple(text.as_bytes()) { text.len() } else { text.width() }
}

/// Cells that all `runs` take together.
pub(crate) fn runs_width(runs: &[Run]) -> usize {
    runs.iter().map(|run| width(&run.text)).sum()
}

/// Whether every byte is a character of one cell, as in nearly all text: told without looking for graphemes.
fn is_simple(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b' '..=b'~'))
}

/// As much of `text` as `cells` hold, with `…` where its end is cut off.
pub(crate) fn fit_end(text: &str, cells: usize) -> String {
    if text.len() <= cells && is_simple(text.as_bytes()) {
        return text.to_owned();
    }
    let mut used = 0;
    let mut kept = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        let next = used + width(grapheme);
        if next > cells {
            return if cells == 0 { String::new() } else { format!("{}…", cut(&text[..kept], cells - 1)) };
        }
        used = next;
        kept = at + grapheme.len();
    }
    text.to_owned()
}

/// As much of the end of `text` as `cells` hold, with `…` where its start is cut off.
pub(crate) fn fit_start(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let mut used = 1;
    let mut start = text.len();
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        used += width(grapheme);
        if used > cells {
            break;
        }
        start = at;
    }
    if cells == 0 { String::new() } else { format!("…{}", &text[start..]) }
}

/// The longest start of `text` that takes at most `cells`.
pub(crate) fn cut(text: &str, cells: usize) -> &str {
    // One byte more, as it could belong to the last character.
    if is_simple(text.as_bytes().get(..=cells).unwrap_or(text.as_bytes())) {
        return &text[..cells.min(text.len())];
    }
    let mut used = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        used += width(grapheme);
        if used > cells {
            return &text[..at];
        }
    }
    text
}

/// `text` and spaces after it up to `cells`.
pub(crate) fn pad(text: &str, cells: usize) -> String {
    format!("{text}{}", " ".repeat(cells.saturating_sub(width(text))))
}

/// The lines of `text`, each broken between words (inside them only where one is longer than a line) to `cells`.
pub(crate) fn wrap(text: &str, cells: usize) -> Vec<String> {
    text.split('\n').flat_map(|line| wrap_line(line, cells.max(1))).collect()
}

fn wrap_line(line: &str, cells: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut current = String::new();
    let mut used = 0;
    for word in line.split_inclusive(' ') {
        if used > 0 && used + width(word.trim_end()) > cells {
            lines.push(std::mem::take(&mut current));
            used = 0;
        }
        let mut rest = word;
        while cut(rest, cells).len() < rest.trim_end().len() {
            let piece = first_piece(rest, cells);
            lines.push(piece.to_owned());
            rest = &rest[piece.len()..];
        }
        // The blank behind a word that fills the line has no place of its own.
        let rest = cut(rest, cells - used);
        current.push_str(rest);
        used += width(rest);
    }
    lines.push(current);
    lines
}

/// A start of `text` for a line of its own: never empty, or wrapping would not end. A grapheme that is wider than the line,
/// as one of many spacing marks can be, is broken between its characters.
fn first_piece(text: &str, cells: usize) -> &str {
    let piece = cut(text, cells);
    if !piece.is_empty() {
        return piece;
    }
    let ends = text.char_indices().map(|(at, char)| at + char.len_utf8());
    let first = text.chars().next().map_or(0, char::len_utf8);
    let fitting = ends.take_while(|&end| width(&text[..end]) <= cells).last();
    &text[..fitting.unwrap_or(first)]
}

/// The first `bytes` of foreign `text` (or a few less), and whether that is all of it.
pub(crate) fn head(text: &str, bytes: usize) -> (&str, bool) {
    if text.len() <= bytes {
        return (text, true);
    }
    let end = (0..=bytes).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    (&text[..end], false)
}

/// The start of foreign `text` as one visible line of at most `cells`: white space folded to single spaces.
pub(crate) fn one_line(text: &str, cells: usize) -> String {
    let (start, whole) = head(text, cells.saturating_mul(8).max(64));
    let mut folded = String::with_capacity(start.len() + 4);
    for word in start.split_ascii_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    if !whole {
        folded.push('…');
    }
    fit_end(&visible::line(&folded), cells)
}

/// A line of foreign code, visible, with tabs as four spaces.
pub(crate) fn code(text: &str) -> String {
    visible::line(&text.replace('\t', "    ")).into_owned()
}

/// A number with commas between groups of three digits.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 failure`, `2 failures`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    let end = match (number, noun) {
        (1, _) => "",
        _ => "s",
    };
    format!("{} {noun}{end}", grouped(number))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{cut, fit_end, fit_start, grouped, one_line, width, wrap};

    #[test]
    fn text_is_cut_at_the_end_or_the_start_with_a_mark() {
        assert_eq!(fit_end("instalments", 6), "insta…");
        assert_eq!(fit_end("語語語", 4), "語…");
        assert_eq!(fit_start("bill_4_spread", 7), "…spread");
        assert_eq!(fit_start("short", 7), "short");
        assert_eq!(fit_end("x", 0), "");
        assert_eq!(["abc", "abcd", "abc\u{301}d"].map(|text| cut(text, 3)), ["abc", "abc", "abc\u{301}"]);
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("no two instalments differ", 12), ["no two ", "instalments ", "differ"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("a\n\nb", 3), ["a", "", "b"]);
        assert_eq!(wrap("aো\u{16f51}", 2), ["aো", "\u{16f51}"]);
    }

    #[test]
    fn foreign_text_becomes_one_visible_line() {
        assert_eq!(one_line("Refund {\n    cents: 3,\n\u{1b}[2J}", 40), "Refund { cents: 3, \\u{1b}[2J}");
        assert_eq!(one_line(&"9".repeat(1_000_000), 5), "9999…");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(7_410), "7,410");
        assert_eq!(grouped(1_048_576), "1,048,576");
    }

    #[test]
    fn a_word_of_a_megabyte_is_wrapped_in_little_time() {
        assert_eq!(wrap(&"9".repeat(1 << 20), 64).len(), (1 << 20) / 64);
    }

    proptest! {
        #[test]
        fn no_cut_is_wider_than_asked(text in "\\PC{0,40}", cells in 0usize..20) {
            prop_assert!(width(&fit_end(&text, cells)) <= cells);
            prop_assert!(width(&fit_start(&text, cells)) <= cells);
            prop_assert!(width(cut(&text, cells)) <= cells);
            prop_assert!(width(&one_line(&text, cells)) <= cells);
        }

        #[test]
        fn wrapped_lines_fit_and_lose_only_blanks(text in "\\PC{0,60}", cells in 2usize..20) {
            let lines = wrap(&text, cells);
            prop_assert!(lines.iter().all(|line| width(line) <= cells.max(2)), "{lines:?}");
            let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(bare(&lines.concat()), bare(&text));
        }
    }
}
