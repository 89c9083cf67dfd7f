//! Reads the failures out of a text in which panics stand: a whole log, or the captured output of one test. Only the
//! neighbourhoods of panics are looked at, so that a large log costs little more than finding them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::carrier::Subject;
use crate::carrier::cargo_log::{self, Mark};
use crate::carrier::line::plain;
use crate::carrier::panic;
use crate::failure::{
    Argument, Caveat, Counterexample, Ending, Failure, FrameworkName, Location, Origin, Replay, TestName,
};
use crate::framework::pin_name::is_pin;
use crate::framework::proptest::NAME;
use crate::run_output::line_after;
use crate::span::Span;

use super::arguments;
use super::before::{Before, Kept};
use super::direct::{self, Direct};
use super::report::{self, Kind, Report};
use super::seen::{Ahead, Said, Seen};
use super::silent::{Panicked, Silent};
use super::thread::is_common_thread;

/// A failure with what is known of its place besides.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) failure: Failure,
    /// Offset of the report's first line in the text.
    pub(super) offset: usize,
    /// The crate of the test binary, where only that is told.
    pub(super) crate_name: Option<String>,
}

/// A text with its panics.
pub(super) struct Text<'a> {
    pub(super) run: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) panics: &'a [Seen],
    /// Whether panics were passed over that say nothing of a property.
    pub(super) sparse: bool,
    /// Where each test binary's output begins, as far as the text tells.
    pub(super) binaries: &'a [usize],
    /// Whose output it is, where the carrier has said so; else the text itself must tell.
    pub(super) given: Option<&'a Subject>,
    /// Whether the text may end before what it tells does.
    pub(super) cut: bool,
}

/// What is remembered while a text is read.
#[derive(Default)]
pub(super) struct Memory {
    /// The last panic of each thread since its last report, by place in [`Text::panics`].
    last: HashMap<String, usize>,
    /// What a forked child reported, by thread.
    children: HashMap<String, Report>,
    /// Seeds already given to a report, by offset.
    taken: HashSet<usize>,
    /// Where the last report ended.
    floor: usize,
    /// Where the last report's section began, and whether it was of a test that passed.
    pub(super) section: Option<(usize, bool)>,
    /// Lines of reports whose test is not told.
    nameless: Vec<u64>,
    /// The first lines of reports that stand behind what no known carrier puts before a line, with their numbers.
    strange: Vec<(u64, Span)>,
    /// The panics of tests that have not reported.
    panicked: Panicked,
}

/// A panic or returned error, with what its line says.
pub(super) struct Sight<'a> {
    /// Its place in [`Text::panics`].
    pub(super) at: usize,
    pub(super) seen: &'a Seen,
    pub(super) said: Said,
}

/// What a text tells.
pub(super) struct Readings {
    /// In order.
    pub(super) found: Vec<Found>,
    /// The lines of failures that name no test.
    pub(super) nameless: Vec<u64>,
    /// The first lines, with their numbers, of reports that could not be read for what stands before their lines.
    pub(super) strange: Vec<(u64, Span)>,
    /// Tests that told no input, though they seem to have had one.
    pub(super) silent: Vec<Silent>,
}

impl<'a> Text<'a> {
    /// Its failures in order.
    pub(super) fn failures(&self) -> Readings {
        let mut memory = Memory::default();
        let found = (0..self.panics.len()).filter_map(|at| self.failure(&self.sight(at)?, &mut memory)).collect();
        let silent = memory.panicked.silent(self.bytes, self.given.is_some());
        Readings { found, nameless: memory.nameless, strange: memory.strange, silent }
    }

    fn sight(&self, at: usize) -> Option<Sight<'a>> {
        let seen = &self.panics[at];
        Some(Sight { at, seen, said: seen.said(self.bytes)? })
    }

    fn failure(&self, sight: &Sight<'a>, memory: &mut Memory) -> Option<Found> {
        if sight.said.is_returned() && !self.ends_its_test(sight) {
            return None;
        }
        let thread = &sight.said.header.thread;
        let Some(first) = self.message_lines(sight).flatten().next() else {
            // What it says is not there: it may have been a report.
            memory.panicked.reported(thread);
            return None;
        };
        if report::begins(&first) {
            drop(first);
            let followed = !self.cut || sight.at + 1 < self.panics.len();
            let (report, taken) = report::read(self.message_lines(sight), followed);
            let end = self.after_lines(sight, taken);
            if report.kind == Kind::Child {
                memory.children.insert(thread.clone(), report);
                return None;
            }
            let found = self.reported(sight, report, end, memory);
            memory.last.remove(thread);
            memory.panicked.reported(thread);
            // An error that a test returned names no thread.
            found.iter().for_each(|found| memory.panicked.reported(&found.failure.test.0));
            memory.floor = end;
            return found;
        }
        let mut near = self.message_lines(sight).flatten().take(MOST_AMONG);
        let is_behind = sight.said.strange && near.any(|line| report::is_behind(&line));
        if is_behind {
            memory.strange.push((sight.seen.number, sight.seen.line));
        }
        let (message, place) = self.message(sight);
        if let Some(direct) = direct::read(&message) {
            let found = self.direct(sight, direct, memory);
            memory.last.remove(thread);
            memory.panicked.reported(thread);
            // An error that a test returned names no thread.
            found.iter().for_each(|found| memory.panicked.reported(&found.failure.test.0));
            memory.floor = sight.seen.line.end;
            return found;
        }
        memory.last.insert(thread.clone(), sight.at);
        if !is_behind && !is_common_thread(thread) && !is_pin(thread) {
            memory.panicked.panicked(thread, sight.seen, place.clone());
        }
        self.pin(sight, message, place)
    }

    /// Whether nothing more of the same test follows, as nothing can after the error that it returned.
    fn ends_its_test(&self, sight: &Sight<'_>) -> bool {
        let Some(next) = self.panics.get(sight.at + 1) else { return true };
        let lines =
            std::iter::successors(line_after(self.bytes, sight.seen.line), |line| line_after(self.bytes, *line));
        let between = lines.take_while(|line| line.start <= next.line.start);
        between.into_iter().any(|line| {
            let mark = cargo_log::mark(&plain(&self.bytes[line.range()]));
            mark.is_some_and(|mark| mark != Mark::Result)
        })
    }

    /// The lines of a panic's message and what follows, up to the next panic; `None` for lines of others.
    fn message_lines<'s>(&self, sight: &'s Sight<'a>) -> impl Iterator<Item = Option<Cow<'s, str>>> {
        let (bytes, end) = (self.bytes, sight.seen.end);
        let first = sight.said.header.message.as_deref().into_iter().flat_map(|message| message.split('\n'));
        let mut ahead = self.sparse.then(|| Ahead::new(bytes));
        let mut next = move |line: &Span| {
            let next = line_after(bytes, *line).filter(|line| line.start < end)?;
            let is_panic = ahead.as_mut().is_some_and(|ahead| ahead.is_panic(next));
            (!is_panic).then_some(next)
        };
        let lines = std::iter::successors(next(&sight.seen.line), next);
        first
            .map(|line| Some(Cow::Borrowed(line)))
            .chain(lines.map(|line| sight.said.prefix.strip(&bytes[line.range()])))
    }

    /// Where the text goes on after the first `taken` lines of a panic's message.
    fn after_lines(&self, sight: &Sight<'_>, taken: usize) -> usize {
        let first = sight.said.header.message.as_ref().map_or(0, |message| message.split('\n').count());
        let mut line = sight.seen.line;
        for _ in first..taken {
            match line_after(self.bytes, line).filter(|line| line.start < sight.seen.end) {
                Some(next) => line = next,
                None => break,
            }
        }
        line.end
    }

    /// A plain panic's message, and where it was raised.
    fn message(&self, sight: &Sight<'a>) -> (String, Option<Location>) {
        let lines = self.message_lines(sight).flatten();
        sight.said.header.message(lines, |line| report::around(line).is_some())
    }

    /// The failure of a pin, where the panic is one's.
    fn pin(&self, sight: &Sight<'a>, message: String, place: Option<Location>) -> Option<Found> {
        let thread = sight.said.header.thread.as_str();
        let named = self.given.and_then(|given| given.test.as_ref()).map_or(thread, |test| &test.0);
        if !is_pin(named) && !is_common_thread(named) {
            return None;
        }
        // A pin panics once: no earlier panic stands between it and what says whose output it is.
        let floor = sight.at.checked_sub(1).map_or(0, |earlier| self.panics[earlier].line.end);
        let before = self.before(sight, floor, true);
        let mut found = self.found(sight, &before)?;
        if !is_pin(found.failure.test.function()) {
            return None;
        }
        let failure = &mut found.failure;
        (failure.ending, failure.panicked, failure.message) = (Ending::PinFailed, true, message);
        failure.location.clone_from(&place);
        failure.site = place;
        Some(found)
    }

    fn direct(&self, sight: &Sight<'a>, direct: Direct, memory: &mut Memory) -> Option<Found> {
        let before = self.before(sight, memory.floor, self.given.is_some());
        let mut found = self.found_or_nameless(sight, &before, memory)?;
        if self.passed(&before, &found.failure.test, sight.seen.line.end, memory) {
            return None;
        }
        let failure = &mut found.failure;
        if direct.input.is_none() {
            failure.ending = Ending::Aborted;
        }
        failure.counterexample = counterexample(direct.input, false);
        let (replay, cut) = self.replay(sight, &before, Replay::None, memory);
        failure.replay = replay;
        failure.caveats.extend(cut.then_some(Caveat::NotMinimal));
        self.place_site(sight, &direct.reason, failure, memory);
        failure.message = direct.reason;
        Some(found)
    }

    fn reported(&self, sight: &Sight<'a>, report: Report, end: usize, memory: &mut Memory) -> Option<Found> {
        let before = self.before(sight, memory.floor, self.given.is_some());
        let mut found = self.found_or_nameless(sight, &before, memory)?;
        if self.passed(&before, &found.failure.test, end, memory) {
            return None;
        }
        let failure = &mut found.failure;
        let child = memory.children.remove(&sight.said.header.thread);
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
            None if sight.said.is_returned() => Replay::None,
            None | Some(0) => Replay::Replayed,
            Some(_) => Replay::None,
        };
        let (replay, cut) = self.replay(sight, &before, kept, memory);
        failure.replay = replay;
        let caveats =
            [(cut, Caveat::NotMinimal), (untrusted, Caveat::Untrusted), (report.truncated, Caveat::Truncated)];
        failure.caveats = caveats.into_iter().filter(|(holds, _)| *holds).map(|(_, caveat)| caveat).collect();
        if let Some(place) = report.location.as_deref().and_then(panic::location) {
            failure.location = Some(place);
        }
        self.place_site(sight, &reason, failure, memory);
        failure.counterexample = counterexample(report.input, true);
        failure.message = reason;
        if is_pin(failure.test.function()) {
            failure.ending = Ending::PinFailed;
        }
        Some(found)
    }

    fn found_or_nameless(&self, sight: &Sight<'_>, before: &Before, memory: &mut Memory) -> Option<Found> {
        let found = self.found(sight, before);
        if found.is_none() {
            memory.nameless.push(sight.seen.number);
        }
        found
    }

    /// The parts that every failure has.
    fn found(&self, sight: &Sight<'_>, before: &Before) -> Option<Found> {
        let (seen, header) = (sight.seen, &sight.said.header);
        let subject = self.given.unwrap_or(&before.subject);
        let thread = Some(&header.thread).filter(|name| !is_common_thread(name));
        let test = match (&subject.test, thread) {
            // libtest's JUnit leaves out some modules, which the thread has.
            (Some(test), Some(thread)) if thread.ends_with(&format!("::{test}")) => TestName(thread.clone()),
            (Some(test), _) => test.clone(),
            (None, thread) => TestName(thread?.clone()),
        };
        Some(Found {
            failure: Failure {
                framework: FrameworkName(NAME.to_owned()),
                test,
                package: subject.package.clone(),
                binary: subject.binary.clone(),
                location: header.location.clone(),
                site: None,
                panicked: false,
                ending: Ending::Falsified,
                message: String::new(),
                error: None,
                counterexample: Counterexample::default(),
                replay: Replay::None,
                own_message: None,
                generated: Vec::new(),
                caveats: Vec::new(),
                origin: Origin { run: self.run.to_owned(), line: seen.number },
            },
            offset: seen.line.start,
            crate_name: subject.crate_name.clone(),
        })
    }

    /// Where the rule broke: the last panic of the same thread, if it says what the reason says, else the place that an
    /// assertion of the property adds to its reason.
    fn place_site(&self, sight: &Sight<'a>, reason: &str, failure: &mut Failure, memory: &Memory) {
        let header = &sight.said.header;
        // A returned error does not name its thread, which has the test's name.
        let thread = if sight.said.is_returned() { &failure.test.0 } else { &header.thread };
        let panicked = memory.last.get(thread).and_then(|&last| {
            let last = self.sight(last)?;
            let forked = last.said.header.number != header.number;
            let same = forked || last.said.header.same_thread(header);
            let (message, place) = self.message(&last);
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
    fn replay(&self, sight: &Sight<'_>, before: &Before, unsaid: Replay, memory: &mut Memory) -> (Replay, bool) {
        let named = |kept: &Kept| Replay::NewSeed { handle: kept.handle.clone(), file: kept.file.clone() };
        let unsaid = if before.is_unsaved(sight.said.header.location.as_ref()) { Replay::None } else { unsaid };
        if before.alone {
            return (before.seeds.first().map_or(unsaid, named), before.shrinking_cut);
        }
        let mut open = before.seeds.iter().filter(|kept| !memory.taken.contains(&kept.offset));
        let here = |kept: &&Kept| kept.fits(sight.said.header.location.as_ref());
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

/// Lines in which a message is looked for behind what no known carrier puts before it: lines of others may stand between.
pub(super) const MOST_AMONG: usize = 32;

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

fn counterexample(input: Option<String>, named: bool) -> Counterexample {
    let Some(text) = input else { return Counterexample::default() };
    let arguments = match named {
        true => arguments::split(&text),
        false => vec![Argument { name: String::new(), text: text.clone() }],
    };
    Counterexample { text, arguments }
}
