//! Reads JUnit XML: a file of it, and what a log shows of one among its lines, with whatever a CI service put in front of
//! each.

use memchr::memmem;

use crate::carrier::junit;
use crate::carrier::line::Prefix;
use crate::carrier::scan::Hit;
use crate::run_output::{RunOutput, line_after, line_at};
use crate::span::Span;

use super::Remarks;
use super::captured::captured;
use super::seen;
use super::text::Found;

/// The failures of a file. `numbers` are those of its lines in the run, where they are others than in the file.
pub(super) fn read(run: &RunOutput<'_>, xml: &[u8], numbers: &[u64], remarks: &mut Remarks) -> Vec<Found> {
    let in_run = |line: u64| {
        let at = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
        numbers.get(at).or(numbers.last()).copied().unwrap_or(line)
    };
    let file = junit::read(xml);
    let mut found = Vec::new();
    for (at, attempt) in file.attempts.iter().enumerate() {
        let whole = seen::any(&attempt.output.text);
        let stream = if whole { &attempt.output } else { &attempt.failure };
        let readings = captured(run, &stream.text, &attempt.subject(), attempt.cut);
        remarks.doubts.extend(readings.silent.iter().map(|silent| silent.doubt(run, in_run(stream.line(0)))));
        for mut one in readings.found {
            one.failure.origin.line = in_run(stream.line(one.offset));
            one.offset = at;
            found.push(one);
        }
    }
    remarks.notices.extend(file.broken.map(|(line, error)| {
        let text = format!("expected XML, found what is none ({error}): what follows is not read");
        run.notice(in_run(line), text)
    }));
    remarks.notices.extend(file.ends_early.map(|line| run.notice(in_run(line), ENDS_EARLY)));
    found
}

/// Of a file whose elements are not all closed.
const ENDS_EARLY: &str = "the file ends before its elements do: it seems to be cut off, and failures may be missing";

/// A file that a log shows.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// Its lines in the log.
    pub(super) span: Span,
    /// The numbers of its lines: those of other jobs and services among them are left out.
    pub(super) numbers: Vec<u64>,
    /// Its text, without what stands in front of each line.
    pub(super) xml: Vec<u8>,
}

/// The files that a log shows around places of interest, in order. One without any is not looked for.
pub(super) fn shown(bytes: &[u8], hits: &[Hit]) -> Vec<Shown> {
    let mut files: Vec<Shown> = Vec::new();
    let mut from = 0;
    for hit in hits.iter().filter(|hit| is_marked_up(bytes, hit.offset)) {
        if hit.offset < from {
            continue;
        }
        match file_around(bytes, from, hit) {
            Some(file) => {
                from = file.span.end;
                files.push(file);
            }
            None => from = line_at(bytes, hit.offset).start,
        }
    }
    files
}

/// Whether the line that holds `offset` has what XML writes for quotes, or opens such an element.
fn is_marked_up(bytes: &[u8], offset: usize) -> bool {
    let line = line_at(bytes, offset);
    let near = Span::new(offset.saturating_sub(NEAR).max(line.start), (offset + NEAR).min(line.end));
    let near = &bytes[near.range()];
    let marks = ["&apos;", "&quot;", "&#", "<![CDATA[", "<failure"];
    memchr::memchr2(b'&', b'<', near).is_some()
        && marks.iter().any(|mark| memmem::find(near, mark.as_bytes()).is_some())
}

/// How far around a place of interest marks are looked for.
const NEAR: usize = 1 << 10;

fn file_around(bytes: &[u8], from: usize, hit: &Hit) -> Option<Shown> {
    let opens = memmem::find_iter(&bytes[from..hit.offset], "<testsuite").map(|at| line_at(bytes, from + at));
    let (line, prefix) = opens.into_iter().find_map(|line| Some((line, file_start(&bytes[line.range()])?)))?;
    let root =
        if memmem::find(&bytes[line.range()], b"<testsuites").is_some() { "</testsuites>" } else { "</testsuite>" };
    let end = memmem::find(&bytes[line.start..], root.as_bytes()).map_or(bytes.len(), |at| line.start + at);
    let span = Span::new(line.start, line_at(bytes, end).end);
    let passed = memchr::memchr_iter(b'\n', bytes.get(line.start..hit.offset)?).count() as u64;
    let lines =
        std::iter::successors(Some(line), |line| line_after(bytes, *line)).take_while(|line| line.start < span.end);
    let mut xml = Vec::with_capacity(span.len());
    let mut numbers = Vec::new();
    for (line, number) in lines.zip(hit.line - passed..) {
        if let Some(text) = prefix.strip(&bytes[line.range()]) {
            xml.extend_from_slice(text.as_bytes());
            xml.push(b'\n');
            numbers.push(number);
        }
    }
    Some(Shown { span, numbers, xml })
}

/// What stands before a line that begins a file.
fn file_start(line: &[u8]) -> Option<Prefix> {
    let start = ["<?xml", "<testsuite"].iter().find_map(|start| Prefix::of(line, start).filter(|start| start.alone));
    start.map(|start| start.prefix.outer())
}

#[cfg(test)]
mod tests {
    use super::{Shown, shown};
    use crate::carrier::scan::{self, Sought, keep};
    use crate::run_output::RunOutput;
    use crate::span::Span;

    fn check(log: &str, expected: &[(Span, &[u64], &str)]) {
        let hits =
            scan::find(&RunOutput::new("log", log.as_bytes()), Sought { needles: &["panicked at"], look: keep }).hits;
        let shown_in = |&(span, numbers, xml): &(Span, &[u64], &str)| Shown {
            span,
            numbers: numbers.to_vec(),
            xml: xml.as_bytes().to_vec(),
        };
        let expected: Vec<Shown> = expected.iter().map(shown_in).collect();
        assert_eq!(shown(log.as_bytes(), &hits), expected, "{log}");
    }

    #[test]
    fn a_file_is_shown_from_its_first_line_to_its_roots_end() {
        let log = "2026-11-29T03:12:07Z cat it\n2026-11-29T03:12:07Z <testsuites>\n2026-11-29T03:12:07Z  <testsuite>&apos; \
                   panicked at\n2026-11-29T03:12:07Z </testsuite></testsuites>\nthread 'a' panicked at\n";
        let span = Span::new(28, log.find("\nthread").unwrap());
        check(log, &[(span, &[2, 3, 4], "<testsuites>\n <testsuite>&apos; panicked at\n</testsuite></testsuites>\n")]);
    }

    #[test]
    fn lines_of_other_services_are_left_out() {
        let log = "app-1  | <testsuite>\nstore-1  | <x\napp-1  | &apos; panicked at</testsuite>\n";
        let span = Span::new(0, log.len() - 1);
        check(log, &[(span, &[1, 3], "<testsuite>\n&apos; panicked at</testsuite>\n")]);
    }

    #[test]
    fn a_log_without_a_files_start_shows_none() {
        check("x <testsuite>\n&apos; panicked at\n&apos; panicked at\n", &[]);
        check("<testsuite>\nthread 'a' panicked at\n", &[]);
    }
}
