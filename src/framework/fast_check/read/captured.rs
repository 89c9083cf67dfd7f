//! Reads what our set-up file hands over: lines of JSON at the end of a run, for each run of a property that failed. What was
//! thrown may have been expected, so that only those count whose test failed too, or of which the run's text tells.

use serde::Deserialize;

use super::found;
use super::frames::{Frame, frame};
use super::marks::Owner;
use super::report::{HEADS, Report, TOO_MANY_SKIPS};
use super::title::BETWEEN;
use super::told::{Reason, Told, told};
use crate::carrier::handed;
use crate::carrier::scan::Hit;
use crate::failure::{Argument, Caveat, Failure, ForeignPath, Location, Notice, Replay};
use crate::run_output::RunOutput;
use crate::visible;

/// How such a line begins.
pub(super) const MARK: &str = "{\"redpin\":\"fast-check\"";

/// A run that failed; the set-up file says what each key means.
#[derive(Deserialize)]
struct Handed {
    id: String,
    file: Option<String>,
    root: Option<String>,
    titles: Vec<String>,
    place: Option<Place>,
    failed: Option<bool>,
    #[serde(default)]
    apart: bool,
    seed: i64,
    path: Option<String>,
    runs: u64,
    shrinks: u64,
    interrupted: bool,
    counterexample: Option<String>,
    arguments: Vec<String>,
    error: Option<Raised>,
    stack: String,
}

#[derive(Deserialize)]
struct Place {
    line: u32,
    column: Option<u32>,
}

/// What broke the property.
#[derive(Deserialize)]
#[serde(untagged)]
enum Raised {
    Error { name: String, message: String, stack: String },
    Text { text: String },
}

/// A failure as it was handed over.
pub(super) struct Captured {
    failure: Failure,
    /// Whether its test failed, where that is known.
    failed: Option<bool>,
}

/// Reads the lines at `hits`, the last of each run.
pub(super) fn read(run: &RunOutput<'_>, hits: &[Hit], notices: &mut Vec<Notice>) -> Vec<Captured> {
    let mut all: Vec<(u64, Handed)> = Vec::new();
    for (hit, piece) in handed::pieces(run, hits) {
        match serde_json::from_slice::<Handed>(piece) {
            Ok(handed) => match all.iter_mut().rfind(|(_, known)| known.id == handed.id) {
                Some((_, known)) => *known = handed,
                None => all.push((hit.line, handed)),
            },
            Err(_) => notices.push(run.notice(hit.line, UNREADABLE)),
        }
    }
    all.retain(|(line, handed)| {
        if handed.apart {
            let test = visible::line(&handed.titles.join(BETWEEN)).into_owned();
            notices.push(run.notice(*line, format!("`{test}` {APART}")));
        }
        !handed.apart
    });
    let captured =
        |(line, handed): (u64, Handed)| Captured { failed: handed.failed, failure: failure(handed, line, run.name) };
    all.into_iter().map(captured).collect()
}

/// Of a test that failed, and not by the run that it asked for.
const APART: &str = "asked for a run by `fc.check`, which broke its property; the test fails by something else, so that this is no \
                     failure here: see whether it was meant to";

/// Of a line that cannot be read.
const UNREADABLE: &str =
    "expected what a test handed over, found something that cannot be read as such: a failure may be missing";

/// The failure of which `json`, of the run called `run`, tells as such a line does.
pub(in crate::framework::fast_check) fn of_json(json: serde_json::Value, run: &str) -> Option<Failure> {
    serde_json::from_value(json).ok().map(|handed| failure(handed, 1, run))
}

/// The failures of the run's text, each with what was handed over of it, and those that were handed over alone.
pub(super) fn joined(captured: Vec<Captured>, mut text: Vec<Failure>) -> Vec<Failure> {
    let mut open: Vec<usize> = (0..text.len()).collect();
    for Captured { failure, failed } in captured {
        match same(&failure, &text, &open) {
            Some(at) => {
                let origin = text[at].origin.clone();
                let test = text[at].test.clone();
                open.retain(|other| *other != at);
                let one = super::joined(&failure, &text[at]);
                // Of tests that run at once only their runner knows which failed.
                let test = if super::is_same(&failure, &text[at]) { one.test.clone() } else { test };
                // The library waits for some values before it prints them.
                let printed = &text[at].counterexample;
                let is_whole = !text[at].caveats.contains(&Caveat::Truncated);
                let counterexample = match is_whole && printed.text != one.counterexample.text {
                    true => printed.clone(),
                    false => one.counterexample.clone(),
                };
                text[at] = Failure { origin, test, counterexample, ..one };
            }
            None if failed == Some(true) => text.push(failure),
            None => {}
        }
    }
    text
}

/// Which of the `open` ones tells of the same run of the same test: the one of that name, else the only one with that seed
/// and path.
fn same(failure: &Failure, text: &[Failure], open: &[usize]) -> Option<usize> {
    let is_run = |at: &&usize| super::handle(&text[**at]) == super::handle(failure);
    let runs: Vec<usize> = open.iter().filter(is_run).copied().collect();
    let named = runs.iter().find(|at| super::is_same(&text[**at], failure));
    let alone = || match (runs.as_slice(), &failure.replay) {
        ([one], Replay::NewSeed { .. }) => Some(*one),
        _ => None,
    };
    named.copied().or_else(alone)
}

fn failure(handed: Handed, line: u64, run: &str) -> Failure {
    let report = Report {
        head: head(&handed),
        line,
        seed: handed.seed.to_string(),
        path: handed.path.clone().filter(|_| handed.counterexample.is_some()).unwrap_or_default(),
        counterexample: handed.counterexample.clone(),
        shrinks: handed.shrinks,
        ..Report::default()
    };
    let at = handed.file.as_ref().zip(handed.place.as_ref()).map(|(file, place)| Location {
        file: ForeignPath(file.clone()),
        line: place.line,
        column: place.column,
    });
    let owner = Owner { titles: handed.titles, file: handed.file, at };
    let why = why(handed.error.as_ref(), frames(&handed.stack));
    let root = handed.root.map(|root| format!("{}/", root.trim_end_matches('/')));
    let mut failure = found::of_told(&report, why, &owner, root.as_deref(), run);
    let argument = |text: String| Argument { name: String::new(), text };
    if !handed.arguments.is_empty() {
        failure.counterexample.arguments = handed.arguments.into_iter().map(argument).collect();
    }
    failure
}

/// What the library's own report begins with.
fn head(handed: &Handed) -> String {
    match (&handed.counterexample, handed.interrupted) {
        (Some(_), _) => format!("{}{} tests", HEADS[0], handed.runs),
        (None, true) => format!("{}{} tests", HEADS[2], handed.runs),
        (None, false) => TOO_MANY_SKIPS.to_owned(),
    }
}

/// Why the property failed; `outer` are the calls that asked for the run.
fn why(error: Option<&Raised>, outer: Vec<Frame>) -> Told {
    match error {
        Some(Raised::Error { name, message, stack }) => {
            let reason = Reason { class: name.clone(), message: super::escapes_away(message).trim_end().to_owned() };
            Told { reason: Some(reason), inner: frames(stack), outer }
        }
        Some(Raised::Text { text }) => {
            let lines: Vec<String> = format!("Got error: {text}").lines().map(super::escapes_away).collect();
            Told { outer, ..told(&lines) }
        }
        None => Told { outer, ..Told::default() },
    }
}

fn frames(stack: &str) -> Vec<Frame> {
    stack.lines().filter_map(frame).collect()
}
