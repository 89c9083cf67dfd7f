//! Makes failures of what a report tells.

use crate::failure::{Caveat, Counterexample, Ending, Failure, ForeignPath, FrameworkName, Location, Origin, Replay};
use crate::framework::hypothesis::NAME;
use crate::run_output::RunOutput;

use super::frames::Frame;
use super::names::{Heading, Surroundings, Test, first_own, function, is_same};
use super::section::{ERRORS, Told};

/// What is said where an example that is expected to fail passes.
const UNEXPECTED_PASS: &str = "Expected an exception from @example(";

/// The class of an assertion that failed, which its message does not need.
const ASSERTION: &str = "AssertionError";

/// The failures that the report at `at` tells of.
pub(super) fn failures(
    run: &RunOutput<'_>,
    around: &Surroundings,
    heading: &Heading,
    at: usize,
    told: Vec<Told>,
) -> Vec<Failure> {
    let test = around.test(heading, &told, at);
    if test.parts.is_empty() {
        return Vec::new();
    }
    let within =
        |frame: &Frame| Location { file: ForeignPath(around.within(at, &frame.file)), line: frame.line, column: None };
    told.into_iter().map(|told| failure(run, &test, told, within)).collect()
}

fn failure(run: &RunOutput<'_>, test: &Test, told: Told, within: impl Fn(&Frame) -> Location) -> Failure {
    let own = test.parts.last().map_or("", |last| function(last));
    let last = told.frames.iter().rfind(|frame| !frame.is_foreign());
    let site = last.map(&within);
    let first = first_own(told.frames.iter(), own).map(&within);
    let is_own = |place: &Location| is_same(Some(&place.file.0), test.file.as_deref());
    let location = match (&test.file, first) {
        (Some(file), Some(place)) if is_own(&place) => Some(Location { file: ForeignPath(file.clone()), ..place }),
        (Some(file), _) => Some(Location { file: ForeignPath(file.clone()), line: 0, column: None }),
        (None, place) => place,
    };
    let panicked = site.as_ref().is_some_and(|site| test.file.is_some() && !is_own(site));
    let is_assertion = told.class.is_empty() || told.class == ASSERTION;
    let input = told.input.unwrap_or_default().without_receiver(test);
    Failure {
        framework: FrameworkName(NAME.to_owned()),
        test: test.name(),
        package: None,
        binary: None,
        location,
        panicked,
        ending: ending(told.is_explicit, &told.class, &told.message),
        own_message: last
            .filter(|frame| !panicked && !frame.source.is_empty())
            .map(|frame| statement(frame, told.led_by.as_deref())),
        message: match (told.message.as_str(), is_assertion) {
            ("", _) => told.class.clone(),
            (message, true) => message.to_owned(),
            (message, false) => format!("{}: {message}", told.class),
        },
        error: (!is_assertion).then_some(told.class),
        site,
        counterexample: Counterexample { text: input.text(), arguments: input.arguments },
        generated: Vec::new(),
        replay: told.blob.map_or(Replay::None, |handle| Replay::NewSeed { handle, file: None }),
        caveats: if told.is_cut { vec![Caveat::Truncated] } else { Vec::new() },
        origin: Origin { run: run.name.to_owned(), line: told.number },
    }
}

/// The statement that failed, and the one whose error led to that.
fn statement(frame: &Frame, led_by: Option<&str>) -> String {
    let led_by = led_by.map(|statement| format!(" after {statement}"));
    frame.source.clone() + &led_by.unwrap_or_default()
}

/// How a property ended by what was said of it.
fn ending(is_explicit: bool, class: &str, message: &str) -> Ending {
    if class.starts_with(ERRORS) {
        Ending::Aborted
    } else if is_explicit || message.starts_with(UNEXPECTED_PASS) {
        Ending::PinFailed
    } else {
        Ending::Falsified
    }
}
