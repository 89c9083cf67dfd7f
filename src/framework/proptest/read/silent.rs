//! Tests that panicked again and again and told no input: so ends a property of which what makes its inputs panics while
//! they are shrunk, since nothing of its library outlives that.

use std::collections::BTreeMap;

use crate::failure::Location;
use crate::span::Span;

/// Fewest panics of one test: a plain test ends with its first.
const FEWEST: usize = 2;

/// How far before a test's first panic the line is looked for that says whose output it is, in bytes.
const NEAR: usize = 1 << 12;

/// A test that told no input.
#[derive(Clone, Debug)]
pub(super) struct Silent {
    test: String,
    /// The line of its first panic.
    pub(super) number: u64,
    times: usize,
    /// Where it panicked last.
    last: Option<Location>,
}

impl Silent {
    /// What is to be said of it.
    pub(super) fn said(&self) -> String {
        let Silent { test, times, last, .. } = self;
        let place = last.as_ref().map(|place| format!(", the last time at {}:{}", place.file.0, place.line));
        format!(
            "the test `{test}` panicked {times} times{} and told no input: if it is a property, what makes its inputs \
             panicked as well while they were shrunk, and nothing can be pinned",
            place.unwrap_or_default()
        )
    }
}

/// Panics by thread since the last report of each.
#[derive(Default)]
pub(super) struct Panicked(BTreeMap<String, (Silent, Span)>);

impl Panicked {
    /// A panic that is no report.
    pub(super) fn panicked(&mut self, thread: &str, line: Span, number: u64, place: Option<Location>) {
        let new = || (Silent { test: thread.to_owned(), number, times: 0, last: None }, line);
        let (silent, _) = self.0.entry(thread.to_owned()).or_insert_with(new);
        silent.times += 1;
        silent.last = place;
    }

    /// A report of an input, or of none.
    pub(super) fn reported(&mut self, thread: &str) {
        self.0.remove(thread);
    }

    /// Those that told none, in the output that is shown of a test because it failed: of others it may be expected.
    pub(super) fn silent(self, bytes: &[u8], given: bool) -> Vec<Silent> {
        let has_failed = |test: &str, line: Span| {
            let near = &bytes[line.start.saturating_sub(NEAR)..line.start];
            let headings = [format!("---- {test} stdout ----"), format!(" {test} ---\n")];
            given || headings.iter().any(|heading| memchr::memmem::find(near, heading.as_bytes()).is_some())
        };
        let told =
            self.0.into_values().filter(|(silent, line)| silent.times >= FEWEST && has_failed(&silent.test, *line));
        let mut told: Vec<Silent> = told.map(|(silent, _)| silent).collect();
        told.sort_by_key(|silent| silent.number);
        told
    }
}
