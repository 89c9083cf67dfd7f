//! A foreign text inside a sentence: on one line, in one glance.

use crate::visible;

/// Longest such text, in characters.
const LONGEST: usize = 200;

/// `text` on one line, cut where it is long.
pub(super) fn short(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = visible::line(&words.join(" ")).into_owned();
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, short};

    #[test]
    fn a_text_stays_on_one_line_and_is_cut() {
        assert_eq!(short("no\n  growth\u{1b}[2J"), "no growth\\u{1b}[2J");
        assert_eq!(short(&"é".repeat(LONGEST)), "é".repeat(LONGEST));
        assert_eq!(short(&"é".repeat(LONGEST + 1)), "é".repeat(LONGEST) + "…");
    }
}
