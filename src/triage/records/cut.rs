//! Long text on its way into a committed file: a counterexample can be megabytes long, and a repository keeps what is
//! committed for ever. What is cut off is counted, and the whole has a digest, so that two long texts stay two.

use sha2::{Digest, Sha256};

use crate::hex::hex;

/// So many bytes of an input or a message go into a decision record.
pub(crate) const OF_RECORD: usize = 16 << 10;

/// So many bytes of an input go into an open question.
pub(crate) const OF_QUESTION: usize = 1 << 10;

/// The beginning of `text` up to `most` bytes, and what was cut off, where that was anything.
pub(crate) fn cut(text: String, most: usize) -> String {
    if text.len() <= most {
        return text;
    }
    let end = (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let digest = hex(&Sha256::digest(&text)[..8]);
    format!("{} … [{} more bytes; sha256 of the whole: {digest}…]", &text[..end], text.len() - end)
}

/// Whether `text` is one of which something was cut off.
pub(crate) fn is_cut(text: &str) -> bool {
    text.rsplit_once(" … [")
        .is_some_and(|(_, end)| end.contains(" more bytes; sha256 of the whole: ") && end.ends_with("…]"))
}

#[cfg(test)]
mod tests {
    use super::{cut, is_cut};

    #[track_caller]
    fn check(text: &str, most: usize, expected: &str) {
        assert_eq!(cut(text.to_owned(), most), expected);
        assert_eq!(is_cut(expected), expected != text, "{expected}");
    }

    #[test]
    fn a_long_text_is_cut_between_characters_and_counted() {
        check("", 0, "");
        check("größe", 7, "größe");
        check("größe", 4, "grö … [3 more bytes; sha256 of the whole: d353a2671b67afff…]");
        check("größe", 3, "gr … [5 more bytes; sha256 of the whole: d353a2671b67afff…]");
    }

    #[test]
    fn two_long_texts_that_begin_alike_stay_two() {
        assert_ne!(cut("aab".to_owned(), 2), cut("aac".to_owned(), 2));
    }
}
