//! Reads the failures out of a text in which panics stand: a whole log, or the captured output of one test. Only the
//! neighbourhoods of panics are looked at, so that a large log costs little more than finding them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::carrier::Subject;
use crate::carrier::line::Prefix;
use crate::carrier::panic::{self, Header};
use crate::failure::{
    Argument, Caveat, Counterexample, Ending, Failure, FrameworkName, Location, Origin, Replay, TestName,
};
use crate::run_output::{line_after, line_at};
use crate::span::Span;

use super::pin_name::is_pin;
use super::read_arguments;
use super::read_before::{Before, Kept};
use super::read_direct::{self, Direct};
use super::read_report::{self, Kind, Report};

/// A failure with what is known of its place besides.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) failure: Failure,
    /// Offset of the report's first line in the text.
    pub(super) offset: usize,
    /// The crate of the test binary, where only that is told.
    pub(super) crate_name: Option<String>,
}

/// A panic's first line.
pub(super) struct Seen {
    pub(super) line: Span,
    number: u64,
    pub(super) prefix: Prefix,
    pub(super) header: Header,
}

impl Seen {
    /// The panic whose first line holds `offset`, the line being the `number`th.
    pub(super) fn at(bytes: &[u8], offset: usize, number: u64) -> Option<Self> {
        let line = line_at(bytes, offset);
        let start = Prefix::of(&bytes[line.range()], panic::START)?;
        let header = Header::parse(&start.text)?;
        // Text of the user's may hold such a start; the old form, which may end anywhere, must stand alone.
        let fits = start.alone || header.message.is_none();
        fits.then_some(Seen { line, number, prefix: start.prefix, header })
    }
}

/// The panics of a short text.
pub(super) fn panics(text: &str) -> Vec<Seen> {
    let mut counted = (0, 1);
    let mut count = |offset: usize| {
        let lines = memchr::memchr_iter(b'\n', &text.as_bytes()[counted.0..offset]).count() as u64;
        counted = (offset, counted.1 + lines);
        counted.1
    };
    let mut last = 0;
    let hits = memchr::memmem::find_iter(text.as_bytes(), panic::ANCHOR).map(|offset| (offset, count(offset)));
    let first_of_line = hits.filter(|&(_, number)| std::mem::replace(&mut last, number) != number);
    first_of_line.filter_map(|(offset, number)| Seen::at(text.as_bytes(), offset, number)).collect()
}

/// A text with its panics.
pub(super) struct Text<'a> {
    pub(super) run: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) panics: &'a [Seen],
    /// Where each test binary's output begins, as far as the text tells.
    pub(super) binaries: &'a [usize],
    /// Whose output it is, where the carrier has said so; else the text itself must tell.
    pub(super) given: Option<&'a Subject>,
    /// Whether the text may end before what it tells does.
    pub(super) cut: bool,
}

/// What is remembered while a text is read.
#[derive(Default)]
pub(super) struct Memory<'a> {
    /// The last panic of each thread since its last report, by place in [`Text::panics`].
    last: HashMap<&'a str, usize>,
    /// What a forked child reported, by thread.
    children: HashMap<&'a str, Report>,
    /// Seeds already given to a report, by offset.
    taken: HashSet<usize>,
    /// Where the last report ended.
    floor: usize,
    /// Where the last report's section began, and whether it was of a test that passed.
    pub(super) section: Option<(usize, bool)>,
}

impl<'a> Text<'a> {
    /// Its failures in order.
    pub(super) fn failures(&self) -> Vec<Found> {
        let mut memory = Memory::default();
        (0..self.panics.len()).filter_map(|at| self.failure(at, &mut memory)).collect()
    }

    fn failure(&self, at: usize, memory: &mut Memory<'a>) -> Option<Found> {
        let seen = &self.panics[at];
        let thread = seen.header.thread.as_str();
        let first = self.message_lines(at).next().flatten()?;
        if read_report::begins(&first) {
            drop(first);
            let followed = !self.cut || at + 1 < self.panics.len();
            let (report, taken) = read_report::read(self.message_lines(at), followed);
            let end = self.after_lines(at, taken);
            if report.kind == Kind::Child {
                memory.children.insert(thread, report);
                return None;
            }
            let found = self.reported(at, report, end, memory);
            memory.last.remove(thread);
            memory.floor = end;
            return found;
        }
        let (message, place) = self.message(at);
        if let Some(direct) = read_direct::read(&message) {
            let found = self.direct(at, direct, memory);
            memory.last.remove(thread);
            memory.floor = seen.line.end;
            return found;
        }
        memory.last.insert(thread, at);
        self.pin(at, message, place)
    }

    /// The lines of a panic's message and what follows, up to the next panic; `None` for lines of others.
    fn message_lines(&self, at: usize) -> impl Iterator<Item = Option<Cow<'_, str>>> {
        let seen = &self.panics[at];
        let end = self.panics.get(at + 1).map_or(self.bytes.len(), |next| next.line.start);
        let first = seen.header.message.as_deref().map(|message| Some(Cow::Borrowed(message)));
        let next = move |line: &Span| line_after(self.bytes, *line).filter(|line| line.start < end);
        let lines = std::iter::successors(next(&seen.line), next);
        first.into_iter().chain(lines.map(|line| seen.prefix.strip(&self.bytes[line.range()])))
    }

    /// Where the text goes on after the first `taken` lines of a panic's message.
    fn after_lines(&self, at: usize, taken: usize) -> usize {
        let seen = &self.panics[at];
        let taken = taken - usize::from(seen.header.message.is_some() && taken > 0);
        let end = self.panics.get(at + 1).map_or(self.bytes.len(), |next| next.line.start);
        let mut line = seen.line;
        for _ in 0..taken {
            match line_after(self.bytes, line).filter(|line| line.start < end) {
                Some(next) => line = next,
                None => break,
            }
        }
        line.end
    }

    /// A plain panic's message, and where it was raised.
    fn message(&self, at: usize) -> (String, Option<Location>) {
        let mut message = String::new();
        let mut place = self.panics[at].header.location.clone();
        for line in self.message_lines(at).flatten() {
            if read_report::around(&line).is_some() || message.len() > MOST_MESSAGE {
                break;
            }
            // Before rustc 1.73 the place stands after a message of several lines.
            if place.is_none()
                && let Some((end, old_place)) = line.rsplit_once("', ")
                && let Some(old_place) = panic::location(old_place)
            {
                message.push_str(end);
                place = Some(old_place);
                break;
            }
            message.push_str(&line);
            message.push('\n');
        }
        message.truncate(message.trim_end().len());
        (message, place)
    }

    /// The failure of a pin, where the panic is one's.
    fn pin(&self, at: usize, message: String, place: Option<Location>) -> Option<Found> {
        let seen = &self.panics[at];
        let named =
            self.given.and_then(|given| given.test.as_ref()).map_or(seen.header.thread.as_str(), |test| &test.0);
        if !is_pin(named) && !is_common_thread(named) {
            return None;
        }
        // A pin panics once: no earlier panic stands between it and what says whose output it is.
        let floor = at.checked_sub(1).map_or(0, |earlier| self.panics[earlier].line.end);
        let before = self.before(at, floor, true);
        let mut found = self.found(at, &before)?;
        if !is_pin(found.failure.test.function()) {
            return None;
        }
        let failure = &mut found.failure;
        (failure.ending, failure.panicked, failure.message) = (Ending::PinFailed, true, message);
        failure.location.clone_from(&place);
        failure.site = place;
        Some(found)
    }

    fn direct(&self, at: usize, direct: Direct, memory: &mut Memory<'a>) -> Option<Found> {
        let before = self.before(at, memory.floor, self.given.is_some());
        let mut found = self.found(at, &before)?;
        let failure = &mut found.failure;
        if direct.input.is_none() {
            failure.ending = Ending::Aborted;
        }
        failure.counterexample = counterexample(direct.input, false);
        let (replay, cut) = self.replay(at, &before, Replay::None, memory);
        failure.replay = replay;
        failure.caveats.extend(cut.then_some(Caveat::NotMinimal));
        self.place_site(at, &direct.reason, failure, memory);
        failure.message = direct.reason;
        Some(found)
    }

    fn reported(&self, at: usize, report: Report, end: usize, memory: &mut Memory<'a>) -> Option<Found> {
        let before = self.before(at, memory.floor, self.given.is_some());
        let mut found = self.found(at, &before)?;
        if self.passed(&before, &found.failure.test, end, memory) {
            return None;
        }
        let failure = &mut found.failure;
        let child = memory.children.remove(self.panics[at].header.thread.as_str());
        let untrusted = report.reason == OUT_OF_STEP;
        let reason = match child {
            Some(child) if untrusted || report.reason == IN_CHILD => child.reason,
            _ => report.reason,
        };
        failure.ending = match report.kind {
            Kind::Aborted => Ending::Aborted,
            _ if CRASHED.iter().any(|start| reason.starts_with(start)) => Ending::Aborted,
            _ => Ending::Falsified,
        };
        let kept = match report.successes {
            _ if report.kind == Kind::Aborted => Replay::None,
            None | Some(0) => Replay::Replayed,
            Some(_) => Replay::None,
        };
        let (replay, cut) = self.replay(at, &before, kept, memory);
        failure.replay = replay;
        let caveats =
            [(cut, Caveat::NotMinimal), (untrusted, Caveat::Untrusted), (report.truncated, Caveat::Truncated)];
        failure.caveats = caveats.into_iter().filter(|(holds, _)| *holds).map(|(_, caveat)| caveat).collect();
        if let Some(place) = report.location.as_deref().and_then(panic::location) {
            failure.location = Some(place);
        }
        self.place_site(at, &reason, failure, memory);
        failure.counterexample = counterexample(report.input, true);
        failure.message = reason;
        if is_pin(failure.test.function()) {
            failure.ending = Ending::PinFailed;
        }
        Some(found)
    }

    /// The parts that every failure has.
    fn found(&self, at: usize, before: &Before) -> Option<Found> {
        let seen = &self.panics[at];
        let subject = self.given.unwrap_or(&before.subject);
        let thread = Some(&seen.header.thread).filter(|name| !is_common_thread(name));
        let test = match (&subject.test, thread) {
            // libtest's JUnit leaves out some modules, which the thread has.
            (Some(test), Some(thread)) if thread.ends_with(&format!("::{test}")) => TestName(thread.clone()),
            (Some(test), _) => test.clone(),
            (None, thread) => TestName(thread?.clone()),
        };
        Some(Found {
            failure: Failure {
                framework: FrameworkName(super::NAME.to_owned()),
                test,
                package: subject.package.clone(),
                binary: subject.binary.clone(),
                location: seen.header.location.clone(),
                site: None,
                panicked: false,
                ending: Ending::Falsified,
                message: String::new(),
                counterexample: Counterexample::default(),
                replay: Replay::None,
                caveats: Vec::new(),
                origin: Origin { run: self.run.to_owned(), line: seen.number },
            },
            offset: seen.line.start,
            crate_name: subject.crate_name.clone(),
        })
    }

    /// Where the rule broke: the last panic of the same thread, if it says what the reason says, else the place that an
    /// assertion of the property adds to its reason.
    fn place_site(&self, at: usize, reason: &str, failure: &mut Failure, memory: &Memory<'a>) {
        let seen = &self.panics[at];
        let panicked = memory.last.get(seen.header.thread.as_str()).and_then(|&last| {
            let forked = self.panics[last].header.number != seen.header.number;
            let same = forked || self.panics[last].header.same_thread(&seen.header);
            let (message, place) = self.message(last);
            (same && says(&message, reason)).then_some(place)
        });
        if let Some(place) = panicked {
            failure.site = place;
            failure.panicked = true;
            return;
        }
        let place = match failure.ending {
            Ending::Aborted => {
                reason.split_once(" times at ").map(|(_, whence)| whence.split(": ").next().unwrap_or(whence))
            }
            _ => reason.rsplit_once(" at ").map(|(_, place)| place),
        };
        failure.site = place.and_then(panic::location);
    }

    /// The replay handle and whether shrinking was cut off. `unsaid` is what holds where no seed was named.
    fn replay(&self, at: usize, before: &Before, unsaid: Replay, memory: &mut Memory<'a>) -> (Replay, bool) {
        let named = |kept: &Kept| Replay::NewSeed { handle: kept.handle.clone(), file: kept.file.clone() };
        let unsaid = if before.unsaved { Replay::None } else { unsaid };
        if before.alone {
            return (before.seeds.first().map_or(unsaid, named), before.shrinking_cut);
        }
        let mut open = before.seeds.iter().filter(|kept| !memory.taken.contains(&kept.offset));
        let here = |kept: &&Kept| kept.fits(self.panics[at].header.location.as_ref());
        let fitting: Vec<&Kept> = open.by_ref().filter(here).collect();
        match fitting[..] {
            [] => (unsaid, false),
            [kept] => {
                memory.taken.insert(kept.offset);
                (named(kept), kept.shrinking_cut)
            }
            // Threads wrote among each other: whose seed is whose is not said.
            _ => (Replay::Replayed, false),
        }
    }
}

/// A plain panic's message is read no further than this.
const MOST_MESSAGE: usize = 16 << 20;

/// What the parent of a forked child says where the child has said more.
const IN_CHILD: &str = "failed in other process";

/// What it says when it lost step with the child.
const OUT_OF_STEP: &str = "Ran past the end of the replay";

/// Reasons that tell how a child ended, not what it found.
const CRASHED: [&str; 4] = [
    "Child process exited with ",
    "Timed out waiting for child process",
    "Timeout of ",
    "Child process was terminated abruptly",
];

/// Whether a panic's message is what the runner gave as the reason.
fn says(message: &str, reason: &str) -> bool {
    let rest = message.strip_prefix(reason.trim_end());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('\n'))
        || reason == "<unknown panic value>" && message.starts_with("Box<dyn Any>")
}

/// Threads that are named for no test.
fn is_common_thread(name: &str) -> bool {
    matches!(name, "main" | "<unnamed>" | "<unknown>") || name.contains(' ') || name.starts_with("tokio-")
}

fn counterexample(input: Option<String>, named: bool) -> Counterexample {
    let Some(text) = input else { return Counterexample::default() };
    let arguments = match named {
        true => read_arguments::split(&text),
        false => vec![Argument { name: String::new(), text: text.clone() }],
    };
    Counterexample { text, arguments }
}
