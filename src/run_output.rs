//! The bytes of one run, and what can be said of them without knowing any framework or carrier: where its lines are.

use std::fmt;

use memchr::{memchr, memrchr};

use crate::failure::Notice;
use crate::span::Span;

/// The output of one run (one file, archive member or stream), as bytes of unknown encoding.
#[derive(Clone, Copy, Debug)]
pub struct RunOutput<'a> {
    /// What users call it: see [`crate::failure::Origin::run`].
    pub name: &'a str,
    /// All its bytes.
    pub bytes: &'a [u8],
    /// Who holds them.
    holder: Option<&'a dyn Holder>,
}

/// Holds the bytes of a run. Those that were gone through take up memory no longer where they can be had again: to give back
/// all of a large run at its end would take its time.
pub trait Holder: fmt::Debug + Sync {
    /// Lets go of the bytes at `span`, which will hardly be looked at again.
    fn let_go(&self, span: Span);
}

impl<'a> RunOutput<'a> {
    /// The run called `name`.
    pub const fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        RunOutput { name, bytes, holder: None }
    }

    /// The same, its bytes held by `holder`.
    pub fn held_by(self, holder: &'a dyn Holder) -> Self {
        RunOutput { holder: Some(holder), ..self }
    }

    /// The same, read in other bytes. Where they are others indeed, the holder knows nothing of them.
    pub fn with(self, bytes: &'a [u8]) -> Self {
        RunOutput { bytes, holder: self.holder.filter(|_| std::ptr::eq(self.bytes, bytes)), ..self }
    }

    /// Tells the holder that it may let go of the bytes at `span`.
    pub fn let_go(&self, span: Span) {
        if let Some(holder) = self.holder {
            holder.let_go(span);
        }
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

#[cfg(test)]
pub(crate) mod testing {
    //! A holder that only listens.

    use std::sync::Mutex;

    use super::Holder;
    use crate::span::Span;

    /// Notes what it could let go of.
    #[derive(Debug, Default)]
    pub(crate) struct Noting(Mutex<Vec<Span>>);

    impl Noting {
        /// What that was, in order.
        pub(crate) fn told(self) -> Vec<Span> {
            let mut told = self.0.into_inner().unwrap();
            told.sort_unstable();
            told
        }
    }

    impl Holder for Noting {
        fn let_go(&self, span: Span) {
            self.0.lock().unwrap().push(span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{RunOutput, line_after, line_at, line_before, testing::Noting};
    use crate::span::Span;

    #[test]
    fn a_holder_hears_of_its_own_bytes_alone() {
        let (own, other) = (b"log".to_vec(), b"log".to_vec());
        let noting = Noting::default();
        let run = RunOutput::new("log", &own).held_by(&noting);
        run.with(&other).let_go(Span::new(0, 1));
        run.with(&own[..2]).let_go(Span::new(0, 2));
        run.with(&own).let_go(Span::new(1, 3));
        assert_eq!(noting.told(), [Span::new(1, 3)]);
    }

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
    fn a_text_without_lines_has_one_empty_line() {
        assert_eq!(forward(b""), [Span::at(0)]);
        assert_eq!(line_at(b"ab", 9), Span::new(0, 2));
        assert_eq!(line_before(b"", Span::at(7)), None);
    }
}
