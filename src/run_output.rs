//! The bytes of one run, and what can be said of them without knowing any framework or carrier: where its lines are.

use memchr::{memchr, memmem, memrchr};

use crate::failure::Notice;
use crate::span::Span;

/// The output of one run (one file, archive member or stream), as bytes of unknown encoding.
#[derive(Clone, Copy, Debug)]
pub struct RunOutput<'a> {
    /// What users call it: see [`crate::failure::Origin::run`].
    pub name: &'a str,
    /// All its bytes.
    pub bytes: &'a [u8],
}

impl<'a> RunOutput<'a> {
    /// The run called `name`.
    pub const fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        RunOutput { name, bytes }
    }

    /// The same, read in other bytes.
    pub fn with(self, bytes: &'a [u8]) -> Self {
        RunOutput { bytes, ..self }
    }

    /// A notice of a line of the run, counted from 1.
    pub fn notice(&self, line: u64, text: impl Into<String>) -> Notice {
        Notice { file: self.name.to_owned(), line: Some(line), text: text.into() }
    }
}

/// The line of `bytes` that holds `offset`, without its line feed.
pub fn line_at(bytes: &[u8], offset: usize) -> Span {
    let offset = offset.min(bytes.len());
    let start = memrchr(b'\n', &bytes[..offset]).map_or(0, |at| at + 1);
    let end = memchr(b'\n', &bytes[offset..]).map_or(bytes.len(), |at| offset + at);
    Span::new(start, end)
}

/// The line after `line`, `None` at the end. What follows the last line feed is a line only if it holds a byte.
pub fn line_after(bytes: &[u8], line: Span) -> Option<Span> {
    let start = line.end.checked_add(1).filter(|&start| start < bytes.len())?;
    let end = memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |at| start + at);
    Some(Span::new(start, end))
}

/// The line before `line`, `None` at the start.
pub fn line_before(bytes: &[u8], line: Span) -> Option<Span> {
    let end = line.start.checked_sub(1)?;
    let start = memrchr(b'\n', bytes.get(..end)?).map_or(0, |at| at + 1);
    Some(Span::new(start, end))
}

/// How many line feeds `bytes` hold.
pub fn line_feeds(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// The lines of `bytes` that hold `text`, each once.
pub fn lines_with(bytes: &[u8], text: &str) -> impl Iterator<Item = Span> {
    let finder = memmem::Finder::new(text).into_owned();
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + finder.find(bytes.get(from..)?)?;
        let line = line_at(bytes, at);
        from = line.end + 1;
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::{line_after, line_at, line_before, lines_with};
    use crate::span::Span;

    fn forward(text: &[u8]) -> Vec<Span> {
        std::iter::successors(Some(line_at(text, 0)), |&line| line_after(text, line)).collect()
    }

    fn backward(text: &[u8], from: Span) -> Vec<Span> {
        std::iter::successors(Some(from), |&line| line_before(text, line)).collect()
    }

    #[test]
    fn lines_are_the_same_from_either_end() {
        let text = b"one\n\nthree\r\nlast\n";
        let there = forward(text);
        let mut back = backward(text, *there.last().unwrap());
        back.reverse();
        assert_eq!(there, [Span::new(0, 3), Span::new(4, 4), Span::new(5, 11), Span::new(12, 16)]);
        assert_eq!(back, there);
    }

    #[test]
    fn a_line_is_found_once() {
        let found: Vec<Span> = lines_with(b"a b\nb\nab ab\n\na", "a").collect();
        assert_eq!(found, [Span::new(0, 3), Span::new(6, 11), Span::new(13, 14)]);
        assert_eq!(lines_with(b"b\n", "a").count(), 0);
    }

    #[test]
    fn a_text_without_lines_has_one_empty_line() {
        assert_eq!(forward(b""), [Span::at(0)]);
        assert_eq!(line_at(b"ab", 9), Span::new(0, 2));
        assert_eq!(line_before(b"", Span::at(7)), None);
    }
}
