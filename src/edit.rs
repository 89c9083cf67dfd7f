//! Changes to a text as values: byte ranges and what takes their place. Whatever is outside the ranges, line ends and
//! missing final newline included, stays to the byte.

use std::fmt;

use crate::span::Span;

/// One change: the bytes of `span` give way to `insert`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The bytes that go; empty for an insertion.
    pub span: Span,
    /// The bytes that come.
    pub insert: Vec<u8>,
}

/// Several changes to one text, sorted by place and disjoint. Insertions at one place keep the order they were added in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits {
    edits: Vec<TextEdit>,
}

/// Two changes that touch the same bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The earlier range.
    pub first: Span,
    /// The range that reaches into it.
    pub second: Span,
}

impl fmt::Display for Overlap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "edits overlap: bytes {:?} and {:?}", self.first.range(), self.second.range())
    }
}

impl std::error::Error for Overlap {}

impl From<TextEdit> for Edits {
    fn from(edit: TextEdit) -> Self {
        Edits { edits: vec![edit] }
    }
}

impl Edits {
    /// No change.
    pub fn new() -> Self {
        Edits::default()
    }

    /// Whether nothing would change.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The changes in order of place.
    pub fn iter(&self) -> impl Iterator<Item = &TextEdit> {
        self.edits.iter()
    }

    /// Adds an insertion at `offset`.
    ///
    /// # Errors
    /// Where `offset` lies inside bytes that another change takes away.
    pub fn insert(&mut self, offset: usize, text: impl Into<Vec<u8>>) -> Result<(), Overlap> {
        self.replace(Span::at(offset), text)
    }

    /// Adds a change of the bytes of `span` into `text`.
    ///
    /// # Errors
    /// Where `span` and the range of another change share a byte, or one lies strictly inside the other.
    pub fn replace(&mut self, span: Span, text: impl Into<Vec<u8>>) -> Result<(), Overlap> {
        let place = self.edits.partition_point(|edit| (edit.span.start, edit.span.end) <= (span.start, span.end));
        if let Some(before) = place.checked_sub(1).map(|i| &self.edits[i])
            && before.span.end > span.start
        {
            return Err(Overlap { first: before.span, second: span });
        }
        if let Some(after) = self.edits.get(place)
            && span.end > after.span.start
        {
            return Err(Overlap { first: span, second: after.span });
        }
        self.edits.insert(place, TextEdit { span, insert: text.into() });
        Ok(())
    }

    /// Adds all changes of `other`, which speak of the same text.
    ///
    /// # Errors
    /// At the first that overlaps; `self` then holds those before it.
    pub fn join(&mut self, other: Edits) -> Result<(), Overlap> {
        other.edits.into_iter().try_for_each(|edit| self.replace(edit.span, edit.insert))
    }

    /// The text after the changes. Ranges past the end of `text` are cut to it.
    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        let added: usize = self.edits.iter().map(|edit| edit.insert.len()).sum();
        let mut out = Vec::with_capacity(text.len() + added);
        let mut at = 0;
        for edit in &self.edits {
            let (start, end) = (edit.span.start.min(text.len()), edit.span.end.min(text.len()));
            out.extend_from_slice(&text[at..start]);
            out.extend_from_slice(&edit.insert);
            at = end;
        }
        out.extend_from_slice(&text[at..]);
        out
    }
}

/// The line end a text uses: that of its first line, `\n` where it has none.
pub fn line_end(text: &[u8]) -> &'static str {
    match text.iter().position(|&byte| byte == b'\n') {
        Some(at) if at > 0 && text[at - 1] == b'\r' => "\r\n",
        _ => "\n",
    }
}
