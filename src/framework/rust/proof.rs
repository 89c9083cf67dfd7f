//! How pins came out in the output of the command that ran them: what libtest or nextest says of each test, what those
//! that failed said, and, where the build failed, whose fault that is.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::patience::LATE;
use super::{astray, fixture};
use crate::carrier::binaries::{Binary, Output, Part, is_start};
use crate::carrier::compiler::{self, Fault};
use crate::carrier::result::Outcome;
use crate::carrier::{escapes, panic};
use crate::failure::{Failure, ForeignPath, Location, PackageName, TestName};
use crate::language::rust::code::function_span;
use crate::language::rust::target::{Target, Targets, targets};
use crate::locate;
use crate::proof::{PinState, Proof, StandingPin};
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

/// What a framework knows of the failures of its pins.
pub(crate) struct Judge {
    /// Those that it read in the output of the command that ran them.
    pub(crate) failures: Vec<Failure>,
    /// Whether a pin that says the second fails for the recorded reason, the first.
    pub(crate) is_same: fn(&str, &str) -> bool,
}

/// How `pins` came out in `run`, one each, in their order.
pub(crate) fn proofs(run: &RunOutput<'_>, pins: &[&StandingPin], tree: &dyn SourceTree, judge: &Judge) -> Vec<Proof> {
    let text = escapes::without(run.bytes);
    let text = String::from_utf8_lossy(&text);
    let output = Output::new(&text);
    let faults = compiler::faults(&text);
    let built = !output.is_silent() || faults.is_empty();
    let whole = Whole { text: &text, pins: pins.len(), tree };
    let mut owners = Owners::default();
    pins.iter()
        .map(|pin| match owners.told(pin, &output, tree) {
            Some((Outcome::Failed, parts)) => judge.failed(pin, &parts, whole),
            Some((Outcome::Passed, _)) => Proof::plain(PinState::Green),
            Some((Outcome::TimedOut, _)) => Proof::plain(PinState::TimedOut),
            Some((Outcome::Ignored, _)) => {
                Proof { message: "it is ignored in ordinary runs".to_owned(), ..Proof::plain(PinState::Missing) }
            }
            None if built && pins.len() == 1 && is_cut_off(&text) => judge.cut_off(pin, &text),
            None if built => Proof { may_tell_more: owners.waits_for(pin, &output, tree), ..untold(&text) },
            None => not_built(pin, &faults, tree),
        })
        .collect()
}

/// A run as a whole.
#[derive(Clone, Copy)]
struct Whole<'t> {
    text: &'t str,
    /// How many pins it was started for.
    pins: usize,
    tree: &'t dyn SourceTree,
}

impl Judge {
    /// A test that failed: for the recorded reason or another. One of several may have failed while another ended the process
    /// of them all, which then says nothing of either.
    fn failed(&self, pin: &StandingPin, parts: &[&Part<'_>], run: Whole<'_>) -> Proof {
        let is_told = |failure: &&Failure| {
            failure.test == *pin.runs() && parts.iter().any(|part| part.lines.contains(&failure.origin.line))
        };
        let told: Vec<&Failure> = self.failures.iter().filter(is_told).collect();
        let at = |failure: &Failure| failure.site.clone().or_else(|| failure.location.clone());
        let is_in_file = |failure: &&&Failure| {
            let places = failure.site.iter().chain(&failure.location);
            pin.file.as_ref().is_some_and(|file| places.into_iter().any(|at| is_meant(&at.file, file, run.tree)))
        };
        match told.iter().find(is_in_file).or(told.first()) {
            Some(failure) => {
                let state = self.state(pin, &failure.message);
                Proof { message: failure.message.clone(), at: at(failure), ..Proof::plain(state) }
            }
            None if run.pins > 1 && parts.iter().any(|part| is_cut_off(part.text)) => {
                Proof { may_tell_more: true, ..untold(run.text) }
            }
            None => self.ended(pin, parts.iter().map(|part| part.text)),
        }
    }

    /// The one test of a program that ended before it had told how that came out. To end well is no failure: whoever runs
    /// the tests sees none.
    fn cut_off(&self, pin: &StandingPin, text: &str) -> Proof {
        if status(text).is_some() {
            return self.ended(pin, std::iter::once(text));
        }
        let message = format!("{ENDED}, which did not count as a failure: exit status: 0");
        Proof { message, ..Proof::plain(PinState::Missing) }
    }

    /// A test that failed and of which no failure is known: it says why itself, or took its whole process with it, as one
    /// does that overflows its stack. `told` is all that is said of it.
    fn ended<'t>(&self, pin: &StandingPin, mut told: impl Iterator<Item = &'t str>) -> Proof {
        let why = told.find_map(|text| why_ended(pin, text));
        let (message, at) = why.unwrap_or_else(|| (SILENT.to_owned(), None));
        Proof { state: self.state(pin, &message), message, at, ..Proof::plain(PinState::RedForAnotherReason) }
    }

    /// Red for the recorded reason or another. Where nothing is on record, any reason is the one. A test may say itself that
    /// it gave up waiting, or that it did not reach its input, which is never that reason.
    fn state(&self, pin: &StandingPin, message: &str) -> PinState {
        if message == LATE && pin.message != LATE {
            return PinState::TimedOut;
        }
        if astray::reached(message).is_some() {
            return PinState::RedForAnotherReason;
        }
        match pin.message.is_empty() || (self.is_same)(&pin.message, message) {
            true => PinState::Red,
            false => PinState::RedForAnotherReason,
        }
    }
}

/// What a test did whose program ended before it did.
const ENDED: &str = "the test ended its whole program";

/// What is said of a test of which nothing more is known.
const SILENT: &str = "it fails, and does not say why";

/// Why the pin's test failed, by what is told of it, and where.
fn why_ended(pin: &StandingPin, told: &str) -> Option<(String, Option<Location>)> {
    let overflow = told.lines().find(|line| line.contains(" has overflowed its stack")).map(str::trim);
    match (overflow, status(told)) {
        (Some(overflow), Some(status)) => Some((format!("{overflow}: {status}"), None)),
        (Some(overflow), None) => Some((overflow.to_owned(), None)),
        (None, Some(status)) => Some((format!("{ENDED}: {status}"), None)),
        // Of several panics the last, as it need not have caught that.
        (None, None) => panic::last_of(&pin.runs().0, told),
    }
}

/// Whether a test program ended before it had told of all its tests.
fn is_cut_off(text: &str) -> bool {
    let mut is_open = false;
    for line in text.lines() {
        if is_start(line) {
            if is_open {
                return true;
            }
            is_open = true;
        } else if line.starts_with("test result: ") {
            is_open = false;
        }
    }
    is_open
}

/// Which targets hold the files of pins, each looked up once.
#[derive(Default)]
struct Owners(HashMap<RepoPath, Targets>);

impl Owners {
    /// The targets of the pin's file.
    fn of(&mut self, pin: &StandingPin, tree: &dyn SourceTree) -> Option<&Targets> {
        pin.file.as_ref().map(|file| &*self.0.entry(file.clone()).or_insert_with(|| targets(file, tree)))
    }

    /// Whether the command was ended before the pin's test program began.
    fn waits_for(&mut self, pin: &StandingPin, output: &Output<'_>, tree: &dyn SourceTree) -> bool {
        self.of(pin, tree).is_some_and(|own| !own.built.is_empty() && output.waits_for(|binary| may_be(own, binary)))
    }

    /// How the pin's test came out, and what tells so: only in a binary that its file is built into, however others call
    /// theirs. It counts as failed where it failed in one of several such.
    fn told<'o, 't>(
        &mut self,
        pin: &StandingPin,
        output: &'o Output<'t>,
        tree: &dyn SourceTree,
    ) -> Option<(Outcome, Vec<&'o Part<'t>>)> {
        let own = self.of(pin, tree);
        let told = output.of(pin.runs(), |binary| own.is_none_or(|own| may_be(own, binary)));
        let is_exact = |(part, _): &(&Part<'_>, Outcome)| own.is_some_and(|own| is_called(own, &part.binary));
        let exact = told.iter().any(is_exact);
        let told: Vec<_> = told.into_iter().filter(|one| !exact || is_exact(one)).collect();
        let (_, last) = told.last()?;
        let outcome = if told.iter().any(|(_, one)| *one == Outcome::Failed) { Outcome::Failed } else { *last };
        let same = told.into_iter().filter(|(_, one)| *one == outcome).map(|(part, _)| part);
        Some((outcome, same.collect()))
    }
}

/// Whether the output may mean one of these targets by `binary`.
fn may_be(own: &Targets, binary: &Binary) -> bool {
    let is_other = |package: &PackageName| own.package.name.is_some() && !own.package.is_called(&package.0);
    if binary.package.as_ref().is_some_and(is_other) {
        return false;
    }
    let is_one = |target: &Target| match (&binary.source, &binary.target) {
        (Some(source), _) => *source == target.source,
        (None, Some(name)) => is_named(name, &target.name()),
        (None, None) => true,
    };
    own.built.is_empty() || own.built.iter().any(is_one)
}

/// Whether nextest means the target `own` by `name`: in it a library that is a macro goes by its own name.
fn is_named(name: &str, own: &str) -> bool {
    name == own || own == "lib" && name.starts_with("proc-macro/")
}

/// Whether the crate of `binary` is called as that of one of these targets: another package's may have the same path.
fn is_called(own: &Targets, binary: &Binary) -> bool {
    own.built.iter().any(|target| Some(&target.crate_name) == binary.crate_name.as_ref())
}

/// How a test process ended, as cargo or nextest tells it: `signal: 6, SIGABRT: process abort signal`, `exit status: 3`.
fn status(text: &str) -> Option<&str> {
    let inside = |line: &'_ str, mark: &str| {
        let at = line.rfind(mark)? + 1;
        let told = line[at..].trim_end();
        Some(at..at + told.strip_suffix(')').unwrap_or(told).len())
    };
    text.lines().rev().find_map(|line| {
        let marks = ["(signal: ", "(exit status: ", "(test failed with exit code ", "(test aborted with signal "];
        let told = marks.iter().find_map(|mark| inside(line, mark)).map(|told| &line[told]);
        let by_nextest = || line.trim_start().split_once(" [").filter(|(word, _)| word.starts_with("SIG"));
        // With this one a test program says that tests failed.
        told.filter(|told| !told.ends_with(" 101")).or_else(|| by_nextest().map(|(word, _)| word))
    })
}

/// A test of which the output does not tell how it came out.
fn untold(text: &str) -> Proof {
    Proof { message: missing(text), ..Proof::plain(PinState::Missing) }
}

/// What the output says where a test was not run.
fn missing(text: &str) -> String {
    let told = text.lines().rev().find(|line| line.starts_with("error: ") || line.contains("(signal: "));
    told.map_or("no test of that name was run".to_owned(), |line| line.trim().to_owned())
}

/// A pin in a build that failed: its own fault where the compiler complains inside it.
fn not_built(pin: &StandingPin, faults: &[Fault], tree: &dyn SourceTree) -> Proof {
    let own = pin.test.as_ref().and_then(|test| standing(pin, test, tree));
    let is_inside = |at: &Location| own.as_ref().is_some_and(|own| own.holds(at, tree));
    let is_own = |fault: &&Fault| fault.at.iter().chain(&fault.shows).any(is_inside);
    let own_fault = faults.iter().find(is_own);
    let placed = faults.iter().find(|fault| fault.at.is_some());
    let told = own_fault.or(placed).or(faults.first());
    Proof {
        message: told.map_or(String::new(), |fault| fault.message.clone()),
        at: told.and_then(|fault| fault.at.clone()),
        own_fault: own_fault.is_some(),
        ..Proof::plain(PinState::DoesNotBuild)
    }
}

/// Whether a line of libtest or nextest says that a test program starts.
pub(crate) fn starts_tests(line: &str) -> bool {
    let by_nextest = line.strip_prefix("Starting ").and_then(|rest| rest.split_once(" test"));
    is_start(line) || by_nextest.is_some_and(|(number, _)| number.parse::<usize>().is_ok())
}

/// Whether `at` is a line of the repository outside the test that shows whether the pin is red.
pub(crate) fn is_below(pin: &StandingPin, at: &Location, tree: &dyn SourceTree) -> bool {
    let Some(own) = standing(pin, pin.runs(), tree) else { return false };
    !own.holds(at, tree) && !at.file.0.starts_with('/') && !locate::in_dependency(&at.file)
}

/// A test as it stands.
struct Standing {
    file: RepoPath,
    /// Its lines, from 1.
    lines: RangeInclusive<u32>,
    /// The files that it includes, as the end of their paths.
    includes: Vec<String>,
}

impl Standing {
    /// Whether the compiler or a panic means it by `at`.
    fn holds(&self, at: &Location, tree: &dyn SourceTree) -> bool {
        let file = at.file.0.as_str();
        let is_own = self.lines.contains(&at.line) && is_meant(&at.file, &self.file, tree);
        is_own || self.includes.iter().any(|name| file.ends_with(name.as_str()))
    }
}

/// Whether `path` speaks of `own`: another file that is where it says from the top is meant before this one.
fn is_meant(path: &ForeignPath, own: &RepoPath, tree: &dyn SourceTree) -> bool {
    locate::means(path, own) && locate::from_the_top(path, tree).is_none_or(|file| file == *own)
}

fn standing(pin: &StandingPin, test: &TestName, tree: &dyn SourceTree) -> Option<Standing> {
    let (file, name) = (pin.file.as_ref()?, test.function());
    let bytes = tree.read(file)?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let line = |at: usize| text[..at].matches('\n').count() as u32 + 1;
    let span = function_span(text, name)?;
    Some(Standing {
        file: file.clone(),
        lines: line(span.start)..=line(span.end),
        includes: fixture::included(&text[span.range()]).map(str::to_owned).collect(),
    })
}

#[cfg(test)]
mod tests;
