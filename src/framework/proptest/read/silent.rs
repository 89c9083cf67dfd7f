//! Tests that panicked again and again and told no input: so ends a property of which what makes its inputs panics while
//! they are shrunk, since nothing of its library outlives that.

use std::collections::BTreeMap;

use super::seen::Seen;
use crate::failure::{Doubt, Location, TestName};
use crate::run_output::{RunOutput, line_feeds};

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
    /// Where it panicked last.
    last: Option<Location>,
}

impl Silent {
    /// What is to be said of it on that line of `run`, unless another library has told its input.
    pub(super) fn doubt(&self, run: &RunOutput<'_>, line: u64) -> Doubt {
        Doubt { test: TestName(self.test.clone()), notice: run.notice(line, self.said()) }
    }

    fn said(&self) -> String {
        let Silent { test, last, .. } = self;
        let place = last.as_ref().map(|place| format!(", the last time at {}:{},", place.file.0, place.line));
        format!(
            "the test `{test}` panicked again and again{} and told no input: if it is a property, what makes its inputs \
             panicked as well while they were shrunk, and nothing can be pinned",
            place.unwrap_or_default()
        )
    }
}

/// Panics by thread since the last report of each.
#[derive(Default)]
pub(super) struct Panicked(BTreeMap<String, Row>);

/// The panics of one thread, of those in a row only the last ones.
struct Row {
    /// Where the first of all began.
    since: usize,
    /// The first that is kept, with its line.
    start: usize,
    number: u64,
    kept: usize,
    last: Option<Location>,
}

impl Panicked {
    /// A panic that is no report.
    pub(super) fn panicked(&mut self, thread: &str, seen: &Seen, place: Option<Location>) {
        let new = || Row { since: seen.since, start: seen.line.start, number: seen.number, kept: 0, last: None };
        let row = self.0.entry(thread.to_owned()).or_insert_with(new);
        row.kept += 1;
        row.last = place;
    }

    /// A report of an input, or of none.
    pub(super) fn reported(&mut self, thread: &str) {
        self.0.remove(thread);
    }

    /// Those that told none, in the output that is shown of a test because it failed: of others it may be expected.
    pub(super) fn silent(self, bytes: &[u8], given: bool) -> Vec<Silent> {
        let has_failed = |test: &str, since: usize| {
            let near = &bytes[since.saturating_sub(NEAR)..since];
            let headings = [format!("---- {test} stdout ----"), format!(" {test} ---\n")];
            given || headings.iter().any(|heading| memchr::memmem::find(near, heading.as_bytes()).is_some())
        };
        let is_again = |row: &Row| row.kept >= FEWEST || row.since < row.start;
        let rows = self.0.into_iter().filter(|(test, row)| is_again(row) && has_failed(test, row.since));
        let silent = |(test, row): (String, Row)| {
            let between = line_feeds(&bytes[row.since..row.start]);
            Silent { test, number: row.number - between, last: row.last }
        };
        let mut told: Vec<Silent> = rows.map(silent).collect();
        told.sort_by_key(|silent| silent.number);
        told
    }
}
