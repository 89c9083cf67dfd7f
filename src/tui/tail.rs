//! The end of what a command printed, in lines: so many that one can go back a good way, and never more.

use std::collections::VecDeque;

use super::text::head;

/// So many lines are kept.
const LINES: usize = 4_000;
/// And so many bytes of each.
const LONGEST: usize = 4_096;

/// The last lines of a text that grows.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    lines: VecDeque<String>,
    /// Whether the last line goes on with what comes next.
    open: bool,
    /// Lines that are not kept any more.
    gone: usize,
}

impl Tail {
    /// Adds what was printed.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        for piece in text.split_inclusive('\n') {
            let line = piece.strip_suffix('\n').map_or(piece, |line| line.strip_suffix('\r').unwrap_or(line));
            match self.lines.back_mut().filter(|_| self.open) {
                Some(last) if last.len() < LONGEST => last.push_str(head(line, LONGEST).0),
                Some(_) => {}
                None => self.lines.push_back(head(line, LONGEST).0.to_owned()),
            }
            self.open = !piece.ends_with('\n');
        }
        let over = self.lines.len().saturating_sub(LINES);
        self.lines.drain(..over);
        self.gone += over;
    }

    /// The lines that are kept.
    pub(crate) fn lines(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.lines.iter().map(String::as_str)
    }

    /// How many lines came before them.
    pub(crate) fn gone(&self) -> usize {
        self.gone
    }
}

#[cfg(test)]
mod tests {
    use super::{LINES, LONGEST, Tail};

    #[test]
    fn pieces_become_lines_wherever_they_are_cut() {
        let mut tail = Tail::default();
        ["a\nb", "c\r\n", "", "\nd"].iter().for_each(|piece| tail.add(piece.as_bytes()));
        assert_eq!(tail.lines().collect::<Vec<_>>(), ["a", "bc", "", "d"]);
        tail.add(b"e\n\xff\n");
        assert_eq!(tail.lines().collect::<Vec<_>>(), ["a", "bc", "", "de", "\u{fffd}"]);
    }

    #[test]
    fn only_the_last_lines_and_of_each_the_start_are_kept() {
        let mut tail = Tail::default();
        (0..LINES + 7).for_each(|number| tail.add(format!("{number}\n").as_bytes()));
        assert_eq!((tail.lines().count(), tail.lines().next(), tail.gone()), (LINES, Some("7"), 7));
        (0..9).for_each(|_| tail.add(&[b'x'; LONGEST]));
        assert!(tail.lines().last().is_some_and(|line| line.len() <= 2 * LONGEST));
    }
}
