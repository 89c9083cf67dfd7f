//! Reads the text of one panic that a property ended with: its reason, its input and the counters after them. Reason and
//! value are the user's own text and may imitate a report, so the last counters count, and the last input before them.

use std::borrow::Cow;

use crate::carrier::cargo_log::{self, Mark};

/// What the runner said of a property that failed or was given up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    pub(super) kind: Kind,
    /// The reason, without the stop after it.
    pub(super) reason: String,
    /// The input as printed; `None` where there is none.
    pub(super) input: Option<String>,
    /// Cases passed before, where told.
    pub(super) successes: Option<u64>,
    /// Whether the text breaks off.
    pub(super) truncated: bool,
    /// Where the panic was raised, where it stands after the message.
    pub(super) location: Option<String>,
}

/// Which ending a report tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Failed,
    Aborted,
    /// The report of a forked child, which its parent repeats.
    Child,
}

/// How every report of a failure begins.
pub(super) const ANY_FAILED: &str = "Test failed";
const FAILED: &str = "Test failed: ";
pub(super) const ABORTED: &str = "Test aborted: ";
const CHILD: &str = "Test failed normally in child process.";
/// How a report's input begins.
pub(super) const INPUT: &str = "minimal failing input: ";
/// Before 1.2 reason and input stand on one line.
const OLD_INPUT: &str = "; minimal failing input: ";

/// Whether a panic whose message begins with `line` is a report.
pub(super) fn begins(line: &str) -> bool {
    line.starts_with(FAILED) || line.starts_with(ABORTED) || line.starts_with(CHILD)
}

/// Whether a report begins in `line`, behind other text.
pub(super) fn is_behind(line: &str) -> bool {
    [FAILED, ABORTED].iter().any(|start| line.contains(start))
}

/// Lines of reasons for rejects that are looked at between two counters.
const MOST_WHENCES: usize = 64;

/// Lines read in search of a report's end. Longer values exist only where a log is cut off or hostile.
const MOST_LINES: usize = 4_000_000;

/// Reads a report from its message's lines on. Returns how many lines it took. `followed` tells whether the lines end because
/// what follows is no more of them, rather than because the text breaks off.
pub(super) fn read<'a>(lines: impl Iterator<Item = Option<Cow<'a, str>>>, followed: bool) -> (Report, usize) {
    let mut body = Body { lines: Vec::with_capacity(32), ..Body::default() };
    let mut taken = 0;
    for line in lines.take(MOST_LINES) {
        taken += 1;
        // `None` is a line of another job or service among ours.
        let Some(line) = line else { continue };
        if body.add(line) == Next::Stop {
            return (body.report(true), taken - 1);
        }
    }
    (body.report(followed), taken)
}

#[derive(PartialEq, Eq)]
enum Next {
    Go,
    Stop,
}

/// The lines of a report so far.
#[derive(Default)]
struct Body<'a> {
    lines: Vec<Cow<'a, str>>,
    /// The line on which the last counters begin, and the one after them.
    trailer: Option<(usize, usize)>,
    brackets: Brackets,
    input: bool,
    /// The first empty line after an input whose brackets are closed: there it ends where no counters follow.
    blank: Option<usize>,
    old_end: Option<String>,
}

impl<'a> Body<'a> {
    fn add(&mut self, line: Cow<'a, str>) -> Next {
        match around(&line) {
            Some(Around::End) => return Next::Stop,
            Some(Around::Among) => {
                let over = self.trailer.is_some() || self.input && self.brackets.closed();
                return if over { Next::Stop } else { Next::Go };
            }
            None => {}
        }
        if self.input {
            if self.blank.is_none() && line.trim().is_empty() && self.brackets.closed() {
                self.blank = Some(self.lines.len());
            }
            self.brackets.read(&line);
        } else if line.starts_with(INPUT) || memchr::memmem::find(line.as_bytes(), OLD_INPUT.as_bytes()).is_some() {
            self.input = true;
            self.brackets.read(line.split_once(INPUT).map_or("", |(_, value)| value));
        }
        self.lines.push(line);
        self.see_trailer()
    }

    /// Takes note of counters that the last line completes, and of the compiler's old form of a panic's end.
    fn see_trailer(&mut self) -> Next {
        let last = self.lines.len() - 1;
        let line = &self.lines[last];
        if let Some((_, end)) = self.trailer
            && end == last
            && let Some(place) = line.strip_prefix("', ")
        {
            self.old_end = Some(place.to_owned());
            return Next::Stop;
        }
        if counter(line, "global rejects: ").is_none() {
            if let Some((_, end)) = &mut self.trailer
                && *end == last
                && is_whence(line)
            {
                *end = last + 1;
            }
            return Next::Go;
        }
        let near = last.saturating_sub(MOST_WHENCES);
        let local = self.lines[near..last].iter().rposition(|line| counter(line, "local rejects: ").is_some());
        let start = local.and_then(|at| (near + at).checked_sub(1));
        if let Some(start) = start.filter(|&at| counter(&self.lines[at], "successes: ").is_some()) {
            self.trailer = Some((start, last + 1));
        }
        Next::Go
    }

    /// Where reason and input end that no counters follow, or only the first of them before the text breaks off.
    fn end_without_counters(&self) -> usize {
        let end = without_blank_end(&self.lines).min(self.blank.unwrap_or(usize::MAX));
        let lines = &self.lines[..end];
        if !self.input {
            return end - usize::from(lines.last().is_some_and(|last| !last.is_empty() && INPUT.starts_with(&**last)));
        }
        if self.brackets.closed() { first_counters(lines).unwrap_or(end) } else { end }
    }

    fn report(self, followed: bool) -> Report {
        let (text_end, counters) = match self.trailer {
            Some((start, end)) => (start, start..end),
            None => (self.end_without_counters(), 0..0),
        };
        let first = self.lines.first().map_or("", |line| line);
        let child = first.starts_with(CHILD);
        let start = usize::from(child).min(text_end);
        let text = &self.lines[start..text_end];
        let head = text.first().map_or("", |line| line);
        let aborted = head.starts_with(ABORTED);
        let (reason, input) = if aborted { (text.join("\n"), None) } else { halves(text) };
        let reason = reason.strip_prefix(if aborted { ABORTED } else { FAILED }).unwrap_or(&reason).to_owned();
        let whences = self.lines[counters.clone()].iter().filter(|line| is_whence(line)).map(|line| line.trim());
        let successes = self.lines.get(counters.start).filter(|_| !counters.is_empty());
        Report {
            kind: if child {
                Kind::Child
            } else if aborted {
                Kind::Aborted
            } else {
                Kind::Failed
            },
            reason: if aborted {
                [reason.as_str()].into_iter().chain(whences).collect::<Vec<_>>().join("\n")
            } else {
                reason
            },
            truncated: !aborted && self.trailer.is_none() && (input.is_none() || !followed || !self.brackets.closed()),
            input,
            successes: successes.and_then(|line| counter(line, "successes: ")),
            location: self.old_end,
        }
    }
}

/// Reason and input of the lines before the counters.
fn halves(text: &[Cow<'_, str>]) -> (String, Option<String>) {
    if let Some(at) = text.iter().rposition(|line| line.starts_with(INPUT)) {
        let reason = text[..at].join("\n");
        let value = text[at..].join("\n");
        return (without_stop(&reason), Some(value[INPUT.len()..].to_owned()));
    }
    let whole = text.join("\n");
    match whole.rsplit_once(OLD_INPUT) {
        Some((reason, value)) => (reason.to_owned(), Some(value.to_owned())),
        None => (without_stop(&whole), None),
    }
}

fn without_stop(reason: &str) -> String {
    reason.strip_suffix('.').unwrap_or(reason).to_owned()
}

/// `name: n`, with whatever tabs the carrier left before it.
fn counter(line: &str, name: &str) -> Option<u64> {
    line.trim_start().strip_prefix(name)?.trim_end().parse().ok()
}

/// `n times at reason`, a line under a counter.
fn is_whence(line: &str) -> bool {
    line.trim_start()
        .split_once(" times at ")
        .is_some_and(|(n, _)| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// The line on which counters begin that are not all there, the last of them perhaps broken off in its name.
fn first_counters(lines: &[Cow<'_, str>]) -> Option<usize> {
    let (last, before) = lines.split_last()?;
    let last = last.trim_start();
    let broken = |name: &str| !last.is_empty() && name.starts_with(last);
    if broken("successes: ") || counter(last, "successes: ").is_some() {
        return Some(before.len());
    }
    let of_counters = |line: &str| counter(line, "local rejects: ").is_some() || is_whence(line);
    if !of_counters(last) && !broken("local rejects: ") && !broken("global rejects: ") {
        return None;
    }
    let at = before.iter().rposition(|line| !of_counters(line))?;
    counter(&before[at], "successes: ").map(|_| at)
}

/// How many lines stand before the empty ones at the end.
fn without_blank_end(lines: &[Cow<'_, str>]) -> usize {
    lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |at| at + 1)
}

/// Lines about a report that are none of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    /// It follows a panic's message and is never part of it.
    End,
    /// Other tests may print it into a report when nothing is captured; it ends one only where that is complete.
    Among,
}

/// What `line` is, if it is none of a report's own.
pub(super) fn around(line: &str) -> Option<Around> {
    // Most lines are a value's, and are told by their first byte.
    let found = match line.as_bytes().first()? {
        b'n' if line.starts_with("note: run with `RUST_BACKTRACE") => Around::End,
        b'n' if line.starts_with("note: panic did not contain expected string") => Around::End,
        // The second is of errors that a test returned.
        b's' | b'S' if line == "stack backtrace:" || line == "Stack backtrace:" => Around::End,
        b'F' if line == "FAILED" => Around::Among,
        b'o' if line == "ok" => Around::Among,
        b'p' if line.starts_with("proptest: ") => Around::Among,
        b'c' | b'x' | b'p' | b'r' if super::seed::handle(line).is_some() => Around::Among,
        _ => match cargo_log::mark(line)? {
            Mark::Section(_) | Mark::Status(_) | Mark::Between => Around::End,
            Mark::Result | Mark::Open { .. } => Around::Among,
        },
    };
    Some(found)
}

/// Whether the brackets of a value are closed, strings left out.
#[derive(Default)]
struct Brackets {
    depth: i64,
}

impl Brackets {
    fn read(&mut self, line: &str) {
        let bytes = line.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'"' => at = super::arguments::quoted_end(bytes, at).unwrap_or(bytes.len()),
                b'\'' if bytes.get(at + 2) == Some(&b'\'') => at += 2,
                b'(' | b'[' | b'{' => self.depth += 1,
                b')' | b']' | b'}' => self.depth -= 1,
                _ => {}
            }
            at += 1;
        }
    }

    fn closed(&self) -> bool {
        self.depth <= 0
    }
}
