//! A range of bytes in a text: where a test stands, what an edit replaces, which part of a run a failure came from.

use std::ops::Range;

/// Bytes `start..end` of some text, `start <= end`. Which text is said by whoever hands the span out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to, not including, `end`; an `end` before `start` gives the empty span at `start`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end: end.max(start) }
    }

    /// The empty span at `offset`: a place between two bytes.
    pub fn at(offset: usize) -> Self {
        Span { start: offset, end: offset }
    }

    /// Number of bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the span holds no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `offset` is one of the span's bytes.
    pub fn contains(self, offset: usize) -> bool {
        self.start <= offset && offset < self.end
    }

    /// The span as a range, for slicing.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}
