//! Changes to a text as values: byte ranges and what takes their place. Whatever is outside the ranges, line ends and
//! missing final newline included, stays to the byte.

use std::fmt;
use std::sync::Arc;

use crate::span::Span;

/// One change: the bytes of `span` give way to `insert`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The bytes that go; empty for an insertion.
    pub span: Span,
    /// The bytes that come.
    pub insert: Vec<u8>,
}

/// Several changes to one text, sorted by place and disjoint. Insertions at one place keep the order they were added in. A
/// clone shares the changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits {
    edits: Vec<Arc<TextEdit>>,
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
        Edits { edits: vec![Arc::new(edit)] }
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
        self.edits.iter().map(Arc::as_ref)
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
        self.add(Arc::new(TextEdit { span, insert: text.into() }))
    }

    fn add(&mut self, added: Arc<TextEdit>) -> Result<(), Overlap> {
        self.check(added.span)?;
        self.edits.insert(self.place(added.span), added);
        Ok(())
    }

    /// Where a change of the bytes of `span` comes in.
    fn place(&self, span: Span) -> usize {
        self.edits.partition_point(|edit| (edit.span.start, edit.span.end) <= (span.start, span.end))
    }

    /// Sees whether a change of the bytes of `span` may be added.
    ///
    /// # Errors
    /// As for [`Edits::replace`].
    pub fn check(&self, span: Span) -> Result<(), Overlap> {
        let place = self.place(span);
        if let Some(before) = place.checked_sub(1).map(|i| &self.edits[i])
            && before.span.end > span.start
        {
            return Err(Overlap { first: before.span, second: span });
        }
        match self.edits.get(place) {
            Some(after) if span.end > after.span.start => Err(Overlap { first: span, second: after.span }),
            _ => Ok(()),
        }
    }

    /// Adds all changes of `other`, which speak of the same text.
    ///
    /// # Errors
    /// At the first that overlaps; `self` then holds those before it.
    pub fn join(&mut self, other: Edits) -> Result<(), Overlap> {
        other.edits.into_iter().try_for_each(|edit| self.add(edit))
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

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, any, prop_assert_eq, proptest};
    use proptest::{collection, sample};

    use super::{Edits, Overlap, TextEdit, line_end};
    use crate::span::Span;

    fn check(text: &str, changes: &[(usize, usize, &str)], expected: Result<&str, (Span, Span)>) {
        let mut edits = Edits::new();
        let added = changes.iter().try_for_each(|(start, end, insert)| edits.replace(Span::new(*start, *end), *insert));
        let applied = added.map(|()| String::from_utf8(edits.apply(text.as_bytes())).unwrap());
        assert_eq!(applied.as_deref(), expected.map_err(|(first, second)| Overlap { first, second }).as_deref());
    }

    #[test]
    fn changes_are_made_at_their_places_in_whatever_order_they_come() {
        check("abcdef", &[(4, 5, "E"), (0, 0, ">"), (1, 3, "")], Ok(">adEf"));
        check("abc", &[(3, 3, "1"), (3, 3, "2"), (0, 3, "x")], Ok("x12"));
        check("abc", &[(1, 1, "1"), (1, 1, "2")], Ok("a12bc"));
        check("abc", &[(7, 9, "z")], Ok("abcz"));
    }

    #[test]
    fn changes_of_the_same_bytes_are_an_error() {
        check("abcdef", &[(1, 4, ""), (3, 5, "")], Err((Span::new(1, 4), Span::new(3, 5))));
        check("abcdef", &[(3, 5, ""), (1, 4, "")], Err((Span::new(1, 4), Span::new(3, 5))));
        check("abcdef", &[(1, 4, ""), (2, 2, "x")], Err((Span::new(1, 4), Span::at(2))));
        check("abcdef", &[(2, 2, "x"), (1, 4, "")], Err((Span::new(1, 4), Span::at(2))));
        check("abcdef", &[(1, 4, ""), (1, 4, "")], Err((Span::new(1, 4), Span::new(1, 4))));
    }

    #[test]
    fn the_first_line_tells_the_line_end() {
        assert_eq!(line_end(b"a\r\nb\n"), "\r\n");
        assert_eq!(line_end(b"a\nb\r\n"), "\n");
        assert_eq!(line_end(b"\r\n"), "\r\n");
        assert_eq!(line_end(b"\n\r\n"), "\n");
        assert_eq!(line_end(b"no end\r"), "\n");
    }

    /// Pieces of a text, each kept or given another content, in some order of adding.
    fn pieces() -> impl Strategy<Value = Vec<(Vec<u8>, Option<Vec<u8>>)>> {
        let bytes = || collection::vec(any::<u8>(), 0..5);
        collection::vec((bytes(), proptest::option::of(bytes())), 0..12)
    }

    proptest! {
        #[test]
        fn every_byte_outside_the_changes_stays(pieces in pieces(), order in any::<sample::Index>()) {
            let text: Vec<u8> = pieces.iter().flat_map(|(old, _)| old.clone()).collect();
            let expected: Vec<u8> =
                pieces.iter().flat_map(|(old, new)| new.clone().unwrap_or_else(|| old.clone())).collect();
            let mut changes = Vec::new();
            let mut at = 0;
            for (old, new) in &pieces {
                let span = Span::new(at, at + old.len());
                changes.extend(new.clone().map(|insert| TextEdit { span, insert }));
                at = span.end;
            }
            // Insertions at one place keep the order they come in, so only whole groups of them may change places.
            let (mut edits, mut rest) = (Edits::new(), Edits::new());
            let first = if changes.is_empty() { 0 } else { order.index(changes.len()) };
            for (number, edit) in changes.into_iter().enumerate() {
                let side = if number < first { &mut edits } else { &mut rest };
                side.replace(edit.span, edit.insert).unwrap();
            }
            edits.join(rest).unwrap();
            prop_assert_eq!(edits.apply(&text), expected);
        }

        #[test]
        fn two_changes_overlap_whichever_comes_first(
            a in (0usize..12, 0usize..5), b in (0usize..12, 0usize..5),
        ) {
            let span = |(start, length): (usize, usize)| Span::new(start, start + length);
            let added = |first: Span, second: Span| {
                let mut edits = Edits::new();
                edits.replace(first, "x").unwrap();
                edits.replace(second, "y").is_ok()
            };
            let (a, b) = (span(a), span(b));
            let apart = a.end <= b.start || b.end <= a.start;
            prop_assert_eq!(added(a, b), apart);
            prop_assert_eq!(added(b, a), apart);
        }
    }
}
