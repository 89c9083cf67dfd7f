//! The places in a text where a test may tell how it failed: a panic's first line, or the error that it returned. A log may
//! hold millions of panics, one for each step of shrinking, so little is kept of each: what its line says is read again
//! when it is asked for, and of a row of panics of which only the last can matter, the others are dropped.

use memchr::memmem;

use crate::carrier::line::Prefix;
use crate::carrier::panic::{self, Header};
use crate::framework::pin_name::is_pin;
use crate::run_output::{line_at, line_feeds};
use crate::span::Span;

use super::direct::unquoted;
use super::thread::is_common_thread;

/// What the standard library prints before the error that a test returned.
pub(super) const RETURNED: &str = "Error: ";

/// How the errors go on that tell of a property, printed for programmers and for people.
const ERRORS: [&str; 4] = ["Fail(Reason(", "Abort(Reason(", "Test failed: ", "Test aborted: "];

/// A panic's first line, or an error that a test returned.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) line: Span,
    pub(super) number: u64,
    /// Where the next one begins, whether that is kept or not; the end of the text for the last.
    pub(super) end: usize,
    /// Where the first of the panics begins that this one stands for: itself, or earlier ones of the same thread.
    pub(super) since: usize,
}

/// What the first line says.
pub(super) struct Said {
    pub(super) prefix: Prefix,
    pub(super) header: Header,
    /// Whether it stands behind text that no known carrier puts there.
    pub(super) strange: bool,
}

impl Said {
    fn of(line: &[u8]) -> Option<Self> {
        Self::panic(line).or_else(|| Self::returned_error(line))
    }

    fn panic(line: &[u8]) -> Option<Self> {
        let start = Prefix::of(line, panic::START)?;
        let header = Header::parse(&start.text)?;
        // Text of the user's may hold such a start; the old form, which may end anywhere, must stand alone.
        let fits = start.alone || header.message.is_none();
        fits.then_some(Said { prefix: start.prefix, header, strange: !start.alone })
    }

    fn returned_error(line: &[u8]) -> Option<Self> {
        let start = Prefix::of(line, RETURNED).filter(|start| start.alone)?;
        let error = start.text.strip_prefix(RETURNED)?;
        let message = unquoted(error).unwrap_or_else(|| error.to_owned());
        let of_property = ERRORS.iter().any(|start| message.starts_with(start));
        let header = Header { thread: String::new(), number: None, location: None, message: Some(message) };
        of_property.then_some(Said { prefix: start.prefix, header, strange: false })
    }

    /// Whether a test returned it. Threads of panics have names.
    pub(super) fn is_returned(&self) -> bool {
        self.header.thread.is_empty()
    }
}

impl Seen {
    /// What its line says, in the text it was seen in.
    pub(super) fn said(&self, bytes: &[u8]) -> Option<Said> {
        Said::of(bytes.get(self.line.range())?)
    }
}

/// Whether this is a panic's first line.
pub(super) fn is_panic(line: &[u8]) -> bool {
    Said::panic(line).is_some()
}

/// Tells of lines that come in order whether they are a panic's first, searching the text ahead of them a stretch at a
/// time.
pub(super) struct Ahead<'a> {
    bytes: &'a [u8],
    /// Where the search goes on.
    at: usize,
    /// The place found last.
    found: Option<usize>,
}

/// Bytes searched ahead of a line.
const STRETCH: usize = 1 << 10;

impl<'a> Ahead<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Ahead { bytes, at: 0, found: None }
    }

    pub(super) fn is_panic(&mut self, line: Span) -> bool {
        self.anchor_from(line).is_some_and(|at| at < line.end) && is_panic(&self.bytes[line.range()])
    }

    /// The first anchor from the line's start on, as far as was searched: at least to its end.
    fn anchor_from(&mut self, line: Span) -> Option<usize> {
        if self.found.is_some_and(|at| at >= line.start) {
            return self.found;
        }
        let from = self.at.max(line.start);
        if from >= line.end {
            return None;
        }
        let to = (line.end + STRETCH).min(self.bytes.len());
        let stretch = &self.bytes[from..to];
        self.found = memmem::find(stretch, panic::ANCHOR.as_bytes()).map(|at| from + at);
        self.at = self.found.map_or(to + 1 - panic::ANCHOR.len().min(stretch.len()), |at| at + 1);
        self.found
    }
}

/// Whether the text from [`RETURNED`] on may be a property's error, whatever escapes its carrier uses.
pub(super) fn may_be_returned(rest: &[u8]) -> bool {
    let rest = rest.strip_prefix(RETURNED.as_bytes()).unwrap_or_default();
    let quotes = [&b""[..], b"\"", b"\\\"", b"&quot;"];
    quotes
        .iter()
        .filter_map(|quote| rest.strip_prefix(*quote))
        .any(|rest| ERRORS.iter().any(|error| rest.starts_with(error.as_bytes())))
}

/// What was seen of a text so far.
pub(super) struct Gathering<'a> {
    bytes: &'a [u8],
    kept: Vec<Seen>,
    /// What the last one says.
    last: Option<Header>,
    /// Whether the one before the last is no more needed once the last turns out to be no report.
    passing: bool,
}

impl<'a> Gathering<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Gathering { bytes, kept: Vec::new(), last: None, passing: false }
    }

    /// Takes what stands on the line that holds `offset`, the `number`th; places come in order, one for each line.
    pub(super) fn take(&mut self, offset: usize, number: u64) {
        let line = line_at(self.bytes, offset);
        let Some(said) = Said::of(&self.bytes[line.range()]) else { return };
        let follows = self.last.as_ref().is_some_and(|last| only_the_last_matters(last, &said.header));
        self.passing = self.end_last(line.start, follows) && follows;
        self.kept.push(Seen { line, number, end: self.bytes.len(), since: line.start });
        self.last = Some(said.header);
    }

    /// Ends the last one at `end`; whether there is one and it is no report, as far as that is of any use: to it, or to the
    /// one that `follows` it on the same thread.
    fn end_last(&mut self, end: usize, follows: bool) -> bool {
        let Some(last) = self.kept.last_mut() else { return false };
        last.end = end;
        let plain = (self.passing || follows) && !may_report(&self.bytes[last.line.start..end]);
        if plain
            && self.passing
            && let Some(before) = self.kept.len().checked_sub(2)
        {
            let passed = self.kept.remove(before);
            self.kept[before].since = passed.since;
        }
        plain
    }

    /// All that matter.
    pub(super) fn seen(self) -> Vec<Seen> {
        self.kept
    }
}

/// Whether of two panics right after each other only the second is of any use: both are of one thread that is named for a
/// property.
fn only_the_last_matters(first: &Header, second: &Header) -> bool {
    let thread = &first.thread;
    thread == &second.thread && first.number == second.number && !is_common_thread(thread) && !is_pin(thread)
}

/// Whether a panic with its message may be a report.
fn may_report(text: &[u8]) -> bool {
    ["Test failed", "Test aborted", "(Reason("].iter().any(|start| memmem::find(text, start.as_bytes()).is_some())
}

/// Whether there may be any in a text.
pub(super) fn any(text: &str) -> bool {
    [panic::ANCHOR, RETURNED].iter().any(|start| text.contains(start))
}

/// The places of a short text.
pub(super) fn seen(text: &str) -> Vec<Seen> {
    let bytes = text.as_bytes();
    let returned = memmem::find_iter(bytes, RETURNED).filter(|&at| may_be_returned(&bytes[at..]));
    let mut places: Vec<usize> = memmem::find_iter(bytes, panic::ANCHOR).chain(returned).collect();
    places.sort_unstable();
    let mut gathering = Gathering::new(bytes);
    let (mut counted, mut number, mut last) = (0, 1, 0);
    for place in places {
        number += line_feeds(&bytes[counted..place]);
        counted = place;
        if number != last {
            gathering.take(place, number);
            last = number;
        }
    }
    gathering.seen()
}

#[cfg(test)]
mod tests {
    use super::{may_be_returned, seen};

    /// Line, end and beginning of what is kept, as line numbers.
    fn check(text: &str, expected: &[(u64, u64, u64)]) {
        let line = |offset: usize| text[..offset].matches('\n').count() as u64 + 1;
        let found: Vec<_> = seen(text).iter().map(|one| (one.number, line(one.end), line(one.since))).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn of_one_threads_panics_in_a_row_the_last_ones_are_kept() {
        let panic = |thread: &str, says: &str| format!("thread '{thread}' (7) panicked at src/x.rs:1:2:\n{says}\n");
        let (plain, other) = (panic("a::b", "no"), panic("a::c", "no"));
        let report = panic("a::b", "Test failed: x.");
        check(&plain.repeat(4), &[(5, 7, 1), (7, 9, 7)]);
        check(&[plain.clone(), other, plain.repeat(3)].concat(), &[(1, 3, 1), (3, 5, 3), (7, 9, 5), (9, 11, 9)]);
        check(&[plain.repeat(2), report, plain].concat(), &[(3, 5, 1), (5, 7, 5), (7, 9, 7)]);
        check(&panic("main", "no").repeat(3), &[(1, 3, 1), (3, 5, 3), (5, 7, 5)]);
        check(&panic("a_pin_0123abc", "no").repeat(3), &[(1, 3, 1), (3, 5, 3), (5, 7, 5)]);
    }

    #[test]
    fn an_error_that_a_test_returned_is_seen_where_it_stands_alone() {
        check("x\nError: Fail(Reason(\"n\"), 3)\n", &[(2, 3, 2)]);
        check("Error: \"Test failed: n.\\nminimal failing input: 3\"\n", &[(1, 2, 1)]);
        check("x Error: Test failed: n\nError: no such file\n", &[]);
        assert!(may_be_returned(b"Error: \\\"Test aborted: n"));
        assert!(!may_be_returned(b"Error: no"));
    }
}
