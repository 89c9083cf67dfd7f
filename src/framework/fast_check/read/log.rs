//! Reads a log: the reports in it, found by how they begin, each with the test that the runner names for it, and the
//! annotations of a CI service among them.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use super::found::failure;
use super::frames::Frame;
use super::marks::{Before, MARKS, Marks, Owner};
use super::report::{self, HEADS, Line, Report};
use super::{annotation, json};
use crate::carrier::line::{Prefix, plain, unstamped};
use crate::carrier::scan::Hit;
use crate::failure::{Failure, Notice};
use crate::run_output::{RunOutput, line_after, line_at};
use crate::span::Span;

/// Bytes before a report that are looked through for whose it is.
const REACH: usize = 64 << 10;

/// The failures of a log, in order; `hits` are the places of [`HEADS`].
pub(super) fn read(run: &RunOutput<'_>, mut hits: Vec<Hit>, notices: &mut Vec<Notice>) -> Vec<Failure> {
    hits.dedup_by_key(|hit| hit.line);
    let mut walk = Walk { run, marks: Marks::default(), from: 0, found: Vec::new(), notices };
    for hit in hits {
        walk.take(&hit);
    }
    walk.found
}

struct Walk<'a> {
    run: &'a RunOutput<'a>,
    marks: Marks,
    /// Where what was read so far ends.
    from: usize,
    found: Vec<Failure>,
    notices: &'a mut Vec<Notice>,
}

impl Walk<'_> {
    fn take(&mut self, hit: &Hit) {
        let bytes = self.run.bytes;
        if hit.offset < self.from {
            return;
        }
        let line = line_at(bytes, hit.offset);
        let text = plain(&bytes[line.range()]);
        let is_bare = text.as_bytes() == unstamped(&bytes[line.range()]).trim_ascii_end();
        self.look_through(line.start, is_bare);
        if let Some(found) = annotation::read(&text, hit.line, self.run.name) {
            self.found.extend(found);
            self.from = line.end;
            return;
        }
        if json::is_report(&text) {
            match json::read(&bytes[line.range()], hit.line, self.run) {
                Some(found) => self.found.extend(found),
                None => self.notices.push(self.run.notice(hit.line, json::BROKEN)),
            }
            self.from = line.end;
            return;
        }
        self.report(hit, line);
    }

    fn report(&mut self, hit: &Hit, line: Span) {
        let bytes = self.run.bytes;
        let Some(head) = HEADS.get(hit.needle as usize) else { return };
        let Some(start) = Prefix::of(&bytes[line.range()], head) else { return };
        let prefix = start.prefix.outer();
        let in_block = self.marks.in_block();
        let mut end = line.end;
        let spans = std::iter::successors(Some(line), |line| line_after(bytes, *line)).zip(hit.line..);
        let mut lines = spans.filter_map(|(span, number)| {
            let text = prefix.strip(&bytes[span.range()])?.into_owned();
            end = span.start;
            Some(Line { text, number })
        });
        let Some(report) = report::read(&mut lines, in_block) else { return };
        drop(lines);
        self.from = end.max(line.end);
        match self.marks.before() {
            Before::Owners(owners) => {
                self.found.extend(owners.iter().map(|owner| failure(&report, owner, self.run.name)))
            }
            Before::Unhandled => self.found.push(failure(&report, &unhandled(&report), self.run.name)),
            Before::Nobody => self.nobodys(&report),
            Before::Output => self.notices.push(self.run.notice(hit.line, PRINTED)),
        }
    }

    /// Takes a report that no test is named for: the error of a script, where a stack shows that it was thrown.
    fn nobodys(&mut self, report: &Report) {
        let is_thrown =
            report.after.iter().filter_map(|line| super::frames::frame(line)).any(|frame: Frame| frame.is_of_library());
        let found = failure(report, &Owner::default(), self.run.name);
        match is_thrown && !found.test.0.is_empty() {
            true => self.found.push(found),
            false => self.notices.push(self.run.notice(report.line, NAMELESS)),
        }
    }

    /// Takes what stands between the last report and `to` for whose the next one is. Where that one `is_bare` of what a
    /// service puts before lines, but for a time stamp, most lines are told by their first bytes to be no mark.
    fn look_through(&mut self, to: usize, is_bare: bool) {
        let bytes = self.run.bytes;
        let from = self.from.max(to.saturating_sub(REACH));
        let Some(gap) = bytes.get(from..to) else { return };
        for line in gap.split(|&byte| byte == b'\n') {
            let is_passed = is_bare && !may_be_mark(line) && self.marks.pass_over();
            if !is_passed {
                self.marks.take(&own(line));
            }
        }
        self.from = to;
    }
}

/// Whether a line may tell something of tests, by the bytes it begins with. Blank ones are left to a closer look as well.
fn may_be_mark(line: &[u8]) -> bool {
    let line = unstamped(line).trim_ascii_start();
    match line.first() {
        Some(first @ (b'a'..=b'z' | b'A'..=b'Z')) => {
            let mut marks = MARKS.iter().map(|mark| mark.as_bytes());
            marks.any(|mark| mark.first() == Some(first) && line.starts_with(mark))
        }
        _ => true,
    }
}

/// A line as its program wrote it. What Vitest writes above a test's output looks like the name of a service.
fn own(line: &[u8]) -> Cow<'_, str> {
    let text = plain(line);
    let above = |name: &&&str| !text.contains(**name) && memmem::find(line, name.as_bytes()).is_some();
    let may_be = memchr(b'|', line).is_some();
    match ["stdout | ", "stderr | "].iter().filter(|_| may_be).find(above) {
        Some(name) => Cow::Owned(format!("{name}{text}")),
        None => text,
    }
}

/// Of a report that stands among what a test printed.
const PRINTED: &str = "a report of a property that a test printed itself, and no runner: it is not taken for a failure";

/// Of a report of which nobody says what failed.
const NAMELESS: &str =
    "a report of a property without the name of its test and without a stack: it is not taken for a failure";

/// Whose error it is that no test waited for: as far as the runner can tell.
fn unhandled(report: &Report) -> Owner {
    let quoted = |start: &str| {
        let line = report.after.iter().find_map(|line| line.trim_start().strip_prefix(start))?;
        Some(line.split('"').next()?.to_owned())
    };
    let file = quoted("This error originated in \"");
    let title = quoted("The latest test that might've caused the error is \"");
    Owner { titles: title.into_iter().collect(), file, at: None }
}

/// Whether any report begins in `bytes`.
pub(super) fn any(bytes: &[u8]) -> bool {
    HEADS.iter().any(|head| memmem::find(bytes, head.as_bytes()).is_some())
}
