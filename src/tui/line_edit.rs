//! The one-line editor of notes, filters and the help's search: a text and a place in it.

use ratatui::crossterm::event::KeyCode;
use unicode_segmentation::UnicodeSegmentation;

use super::keys::Key;

/// A text being written, and where the cursor stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineEdit {
    text: String,
    /// Byte offset of a grapheme's start, or the end.
    at: usize,
}

impl LineEdit {
    /// Starts with `text`, the cursor behind it.
    pub(crate) fn new(text: &str) -> Self {
        LineEdit { text: text.to_owned(), at: text.len() }
    }

    /// The text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The text before the cursor, and the rest.
    pub(crate) fn halves(&self) -> (&str, &str) {
        self.text.split_at(self.at)
    }

    /// Puts `text` in at the cursor; line ends become spaces, other control characters go.
    pub(crate) fn insert(&mut self, text: &str) {
        let clean: String =
            text.chars().map(|c| if c == '\n' || c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect();
        self.text.insert_str(self.at, &clean);
        self.at += clean.len();
    }

    /// What a key does to the text; `false` where it does nothing here.
    pub(crate) fn press(&mut self, key: Key) -> bool {
        match (key.code, key.ctrl) {
            (KeyCode::Char(c), false) => self.insert(c.encode_utf8(&mut [0; 4])),
            (KeyCode::Backspace, _) | (KeyCode::Char('h'), true) => self.remove(self.before()..self.at),
            (KeyCode::Delete, _) => self.remove(self.at..self.after()),
            (KeyCode::Char('u'), true) => self.remove(0..self.at),
            (KeyCode::Char('k'), true) => self.remove(self.at..self.text.len()),
            (KeyCode::Char('w'), true) => self.remove(self.word_start()..self.at),
            (KeyCode::Left, _) => self.at = self.before(),
            (KeyCode::Right, _) => self.at = self.after(),
            (KeyCode::Home, _) | (KeyCode::Char('a'), true) => self.at = 0,
            (KeyCode::End, _) | (KeyCode::Char('e'), true) => self.at = self.text.len(),
            _ => return false,
        }
        true
    }

    fn remove(&mut self, range: std::ops::Range<usize>) {
        self.at = range.start;
        self.text.replace_range(range, "");
    }

    fn before(&self) -> usize {
        self.text[..self.at].grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn after(&self) -> usize {
        self.at + self.text[self.at..].graphemes(true).next().map_or(0, str::len)
    }

    fn word_start(&self) -> usize {
        let blank_end = self.text[..self.at].trim_end();
        blank_end
            .rfind(char::is_whitespace)
            .map_or(0, |at| at + blank_end[at..].chars().next().map_or(0, char::len_utf8))
    }
}

#[cfg(test)]
mod tests {
    use super::LineEdit;
    use crate::tui::keys::Key;

    fn check(start: &str, keys: &str, expected: (&str, &str)) {
        let mut edit = LineEdit::new(start);
        for key in keys.split(' ') {
            edit.press(Key::named(key).unwrap());
        }
        assert_eq!(edit.halves(), expected, "{start:?} after {keys:?}");
    }

    #[test]
    fn text_is_written_and_erased_by_grapheme() {
        check("", "a b", ("ab", ""));
        check("e\u{301}", "backspace", ("", ""));
        check("語x", "left left del", ("", "x"));
        check("ab", "home x", ("x", "ab"));
        check("one two  ", "ctrl-w", ("one ", ""));
        check("one", "left ctrl-k", ("on", ""));
        check("one", "left ctrl-u", ("", "e"));
        check("", "backspace del left right", ("", ""));
    }

    #[test]
    fn pasted_lines_become_one() {
        let mut edit = LineEdit::new("");
        edit.insert("a\nb\u{1b}c");
        assert_eq!(edit.text(), "a bc");
    }
}
