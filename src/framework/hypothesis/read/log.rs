//! Finds the reports in a log: pytest's stand under a heading of underscores, unittest's under one of their own, and what a
//! program prints when it ends begins with its traceback.

use memchr::memmem;

use crate::carrier::line::{Prefix, plain};
use crate::carrier::scan::Hit;
use crate::run_output::{RunOutput, line_after, line_at, line_before};
use crate::span::Span;

use super::frames::TRACEBACK;
use super::names::Heading;
use super::section::{Line, is_rule};

/// A report in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Section {
    /// Where it begins.
    pub(super) at: usize,
    pub(super) heading: Heading,
    pub(super) lines: Vec<Line>,
}

/// Bytes of one report that are looked at in either direction: longer ones are no test's.
const MOST: usize = 4 << 20;

/// How a group of errors begins.
const GROUP: &str = "  + Exception Group Traceback (most recent call last):";

/// Bytes after the last place in a report that tells of a failure, from which on text at the margin is another's.
const NEAR: usize = 16 << 10;

/// The title of what older versions print of a test besides its errors.
const PRINTED: &str = " Hypothesis ";

/// The reports around `hits`, in order. Each is made when it is asked for: those of a large log would fill much memory.
pub(super) fn sections<'r>(run: &RunOutput<'r>, hits: &'r [Hit]) -> impl Iterator<Item = Section> + use<'r> {
    let (bytes, mut end) = (run.bytes, 0);
    let around = hits.iter().enumerate().filter_map(move |(at, hit)| {
        if hit.offset < end {
            return None;
        }
        let Some(start) = Start::before(bytes, hit.offset, end) else {
            // Nobody has to look there again: a log may hold very many such words and no report.
            end = line_at(bytes, hit.offset).start;
            return None;
        };
        let (lines, after) = start.lines(bytes, &hits[at..]);
        end = after;
        Some(match start.kind {
            Kind::Heading(heading) => vec![Section { at: start.line.start, heading, lines }],
            Kind::Traceback => vec![Section { at: start.line.start, heading: Heading::None(0, 1), lines }],
            Kind::Failures => apart(start.line.start, lines),
        })
    });
    around.flatten()
}

/// Where the text of one or more reports begins.
struct Start {
    line: Span,
    /// What each line has before it.
    prefix: Prefix,
    kind: Kind,
}

enum Kind {
    /// A report's heading.
    Heading(Heading),
    /// The start of pytest's list of failures, which has no headings where it shows one line of each.
    Failures,
    /// What is left of a program.
    Traceback,
}

/// What a line is to those below it.
enum Over {
    Heading(Heading),
    Failures,
    Other,
}

impl Start {
    /// The start of the report around `offset`, which is not before `least`.
    fn before(bytes: &[u8], offset: usize, least: usize) -> Option<Start> {
        let least = least.max(offset.saturating_sub(MOST));
        let mut traceback = None;
        let mut line = line_at(bytes, offset);
        while let Some(before) = line_before(bytes, line).filter(|before| before.start >= least) {
            line = before;
            let raw = &bytes[line.range()];
            // Most lines are told by few bytes.
            if !is_of_interest(raw) {
                continue;
            }
            let text = plain(raw);
            if traceback.is_none() && (text.starts_with(TRACEBACK) || text == GROUP) {
                traceback = Some(line);
            }
            let kind = match over(&text, bytes, line) {
                Some(Over::Heading(heading)) => Kind::Heading(heading),
                Some(Over::Failures) => Kind::Failures,
                Some(Over::Other) => break,
                None => continue,
            };
            let prefix = Prefix::of(raw, &text)?.prefix.outer();
            return Some(Start { line, prefix, kind });
        }
        let line = traceback?;
        let raw = &bytes[line.range()];
        let prefix = Prefix::of(raw, plain(raw).trim_start())?.prefix.outer();
        Some(Start { line, prefix, kind: Kind::Traceback })
    }

    /// The lines after it up to the end of the report around the first of `hits`, and where that is.
    fn lines(&self, bytes: &[u8], hits: &[Hit]) -> (Vec<Line>, usize) {
        let [hit, others @ ..] = hits else { return (Vec::new(), self.line.end) };
        let mut others = others.iter().map(|other| other.offset).peekable();
        let before = memchr::memchr_iter(b'\n', &bytes[self.line.start..hit.offset]).count() as u64;
        let mut number = hit.line.saturating_sub(before);
        let mut lines = Vec::new();
        let (mut line, mut last) = (self.line, hit.offset);
        while let Some(next) = line_after(bytes, line) {
            (line, number) = (next, number + 1);
            let Some(text) = self.prefix.strip(&bytes[line.range()]) else { continue };
            while let Some(other) = others.next_if(|other| *other < line.end) {
                last = other;
            }
            // In a list without headings lines of other tests count too.
            let is_report = !matches!(self.kind, Kind::Failures);
            let is_others = || is_report && line.start > last + NEAR && is_at_margin(&text);
            let is_past = || line.start > last + MOST || is_others();
            if line.start > hit.offset && (self.ends_at(&text) || is_past()) {
                return (lines, line.start);
            }
            lines.push(Line { number, text: text.into_owned() });
        }
        (lines, bytes.len())
    }

    fn ends_at(&self, text: &str) -> bool {
        match self.kind {
            Kind::Traceback => text.starts_with(TRACEBACK) || text == GROUP || is_rule(text) || is_titled(text, '='),
            Kind::Failures => is_titled(text, '='),
            Kind::Heading(_) => {
                let is_other = is_titled(text, '-') && !text.contains(PRINTED);
                is_rule(text) || is_titled(text, '=') || is_other || heading(text).is_some()
            }
        }
    }
}

/// Whether a line begins at the margin, where none does that tells of an input or an error in pytest's words.
fn is_at_margin(text: &str) -> bool {
    !text.starts_with([' ', '\t']) && !text.starts_with("E ") && !text.trim_end().is_empty()
}

/// Whether a line may be one above reports, or begin a traceback, by bytes that those have.
fn is_of_interest(line: &[u8]) -> bool {
    [&b"__"[..], b"==", b"_ ", b"Traceback", b": "].iter().any(|part| memmem::find(line, part).is_some())
}

/// What a line is to those below it; `None` where it is one of theirs.
fn over(text: &str, bytes: &[u8], line: Span) -> Option<Over> {
    if let Some(name) = heading(text) {
        return Some(Over::Heading(Heading::Dotted(name.to_owned())));
    }
    if is_titled(text, '=') {
        let is_list = [" FAILURES ", " ERRORS "].iter().any(|title| text.contains(title));
        return Some(if is_list { Over::Failures } else { Over::Other });
    }
    let told = ["FAIL: ", "ERROR: "].iter().find_map(|word| text.strip_prefix(word))?;
    let rule = plain(&bytes[line_before(bytes, line)?.range()]).into_owned();
    let (name, class) = told.split_once(" (")?;
    let class = &class[..class.find(')')?];
    let class = class.strip_suffix(name).and_then(|class| class.strip_suffix('.')).unwrap_or(class);
    is_rule(&rule).then(|| Over::Heading(Heading::Module(class.to_owned(), name.to_owned())))
}

/// The name in a heading of underscores. Calls are divided by a line of underscores with blanks between them.
fn heading(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let inner = text.strip_prefix('_')?.trim_start_matches('_').strip_prefix(' ')?;
    let inner = inner.strip_suffix('_')?.trim_end_matches('_').strip_suffix(' ')?;
    let is_name = !inner.is_empty() && !inner.bytes().all(|byte| b"_ ".contains(&byte));
    let name = ["ERROR at setup of ", "ERROR at teardown of "].iter().find_map(|word| inner.strip_prefix(word));
    is_name.then_some(name.unwrap_or(inner))
}

/// Whether a line is a title between lines of `sign`.
fn is_titled(text: &str, sign: char) -> bool {
    let text = text.trim_end();
    let inner = text.trim_matches(sign);
    let is_set_off = text.starts_with(sign) && text.ends_with(sign);
    is_set_off && inner.len() > 2 && inner.starts_with(' ') && inner.ends_with(' ')
}

/// The reports of a list without headings: each ends with the place of its error.
fn apart(at: usize, lines: Vec<Line>) -> Vec<Section> {
    let mut parts = Vec::new();
    let mut rest = lines;
    while let Some(last) = rest.iter().position(|line| super::frames::is_place(&line.text)) {
        let next = rest.split_off(last + 1);
        parts.push(std::mem::replace(&mut rest, next));
    }
    let all = parts.len();
    let numbered = parts.into_iter().enumerate();
    numbered.map(|(nth, lines)| Section { at, heading: Heading::None(nth, all), lines }).collect()
}
