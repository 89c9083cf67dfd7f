//! Reads what our plugin of pytest hands over: a line of JSON for each failed test, at the end of a run. It tells all that the
//! run's text tells of such a test, and more.

use serde::Deserialize;

use crate::carrier::handed;
use crate::carrier::scan::Hit;
use crate::failure::{Failure, Reading};
use crate::run_output::RunOutput;

use super::call;
use super::frames::Frame;
use super::names::{Heading, Surroundings, Test, function, is_same};
use super::report;
use super::section::{self, ERRORS, Line, Told, blob, heading};

/// How such a line begins.
pub(super) const MARK: &str = "{\"redpin\": \"hypothesis\"";

/// A failed test; the plugin says what each key means.
#[derive(Deserialize)]
struct Handed {
    node: String,
    root: String,
    folder: String,
    given: Option<Vec<String>>,
    source: Option<Source>,
    printed: Option<String>,
    errors: Vec<Raised>,
}

#[derive(Deserialize)]
struct Source {
    file: String,
    first: u32,
    last: u32,
}

#[derive(Deserialize)]
struct Raised {
    class: String,
    message: String,
    notes: Vec<String>,
    frames: Vec<Called>,
    led_by: Option<String>,
}

#[derive(Deserialize)]
struct Called {
    file: String,
    line: u32,
    function: String,
    source: String,
}

/// The failures that were handed over, and those that the run's text tells of besides. Each stands where the text tells of
/// it.
pub(super) fn joined(mut handed: Reading, text: Reading) -> Reading {
    let is_told = |failure: &Failure, other: &Failure| is_one(&failure.test.0, &other.test.0);
    for failure in &mut handed.failures {
        let same = text.failures.iter().filter(|other| is_told(failure, other));
        let place = same.max_by_key(|other| other.counterexample.text == failure.counterexample.text);
        failure.origin = place.map_or(failure.origin.clone(), |other| other.origin.clone());
    }
    let is_new = |other: &Failure| !handed.failures.iter().any(|failure| is_told(failure, other));
    let more: Vec<Failure> = text.failures.into_iter().filter(is_new).collect();
    handed.failures.extend(more);
    handed.notices.extend(text.notices);
    handed
}

/// Whether two names are of one test, of which a report may leave out the folder or the file.
fn is_one(one: &str, other: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|front| front.is_empty() || front.ends_with('/') || front.ends_with("::"))
    };
    ends(one, other) || ends(other, one)
}

/// Reads the lines at `hits`.
pub(super) fn read(run: &RunOutput<'_>, hits: &[Hit]) -> Reading {
    let mut reading = Reading::default();
    for (hit, piece) in handed::pieces(run, hits) {
        match serde_json::from_slice::<Handed>(piece) {
            Ok(handed) => reading.failures.extend(failures(run, hit.line, &handed)),
            Err(_) => reading.notices.push(run.notice(hit.line, UNREADABLE)),
        }
    }
    reading
}

/// Of a line that cannot be read.
const UNREADABLE: &str =
    "expected what a test handed over, found something that cannot be read as such: a failure may be missing";

fn failures(run: &RunOutput<'_>, number: u64, handed: &Handed) -> Vec<Failure> {
    let test = Test::of_node(&handed.node);
    let own = test.parts.last().map_or("", |last| function(last));
    let told = told(handed, own, number);
    let mut failures = report::failures(run, &Surroundings::default(), &Heading::Node(handed.node.clone()), 0, told);
    let source = handed.source.as_ref().filter(|source| is_same(Some(&source.file), test.file.as_deref()));
    for failure in &mut failures {
        failure.origin.line = number;
        failure.generated = handed.given.clone().unwrap_or_default();
        let told = failure.location.as_mut();
        if let Some((source, at)) = source.zip(told).filter(|(one, at)| !(one.first..=one.last).contains(&at.line)) {
            at.line = source.first;
        }
    }
    failures
}

/// What older versions raise where there are several errors, which they print.
const SEVERAL: &str = "hypothesis.errors.MultipleFailures";

/// The errors that Hypothesis has a part in. Older versions print their inputs instead of noting them.
fn told(handed: &Handed, own: &str, number: u64) -> Vec<Told> {
    let noted: Vec<Told> = handed.errors.iter().filter_map(|error| raised(error, handed, own, number)).collect();
    let (Some(printed), true) = (&handed.printed, noted.iter().all(|told| told.input.is_none())) else { return noted };
    if let [error] = handed.errors.as_slice()
        && error.class != SEVERAL
        && let Some(told) = raised(&Raised { notes: vec![printed.clone()], ..error.shallow() }, handed, own, number)
        && told.input.is_some()
    {
        return vec![Told { frames: frames(error, handed), ..told }];
    }
    let lines: Vec<Line> = printed.lines().map(|text| Line { number, text: text.to_owned() }).collect();
    let read = section::read(&lines, Some(own));
    if read.is_empty() { noted } else { read }
}

fn raised(error: &Raised, handed: &Handed, own: &str, number: u64) -> Option<Told> {
    let heads = || error.notes.iter().enumerate().filter_map(|(at, note)| Some((at, heading(note)?)));
    let is_own = |said: &str| said.strip_prefix(own).is_some_and(|rest| rest.starts_with('('));
    let head = heads().find(|(_, (said, _))| is_own(said)).or_else(|| heads().next());
    if head.is_none() && !error.class.starts_with(ERRORS) {
        return None;
    }
    let before = head.map_or(error.notes.len(), |(at, _)| at);
    let said = std::iter::once(&error.message).chain(&error.notes[..before]);
    let message: Vec<&str> =
        said.map(String::as_str).filter(|said| !said.is_empty() && !said.starts_with("(note: ")).collect();
    let input = head.map(|(at, (said, _))| {
        let more = error.notes[at + 1..].iter().map(String::as_str);
        std::iter::once(said).chain(more).collect::<Vec<_>>().join("\n")
    });
    let input = input.map(|text| call::read(&text));
    Some(Told {
        number,
        is_explicit: head.is_some_and(|(_, (_, is_explicit))| is_explicit),
        class: error.class.clone(),
        message: message.join("\n"),
        frames: frames(error, handed),
        led_by: error.led_by.clone(),
        blob: error.notes.iter().flat_map(|note| note.lines()).find_map(blob),
        is_cut: input.as_ref().is_some_and(Option::is_none),
        input: input.flatten(),
    })
}

impl Raised {
    /// The same without calls and notes.
    fn shallow(&self) -> Raised {
        Raised {
            class: self.class.clone(),
            message: self.message.clone(),
            notes: Vec::new(),
            frames: Vec::new(),
            led_by: self.led_by.clone(),
        }
    }
}

fn frames(error: &Raised, handed: &Handed) -> Vec<Frame> {
    let frame = |called: &Called| Frame {
        file: below(&called.file, &[&handed.folder, &handed.root]).to_owned(),
        line: called.line,
        function: Some(called.function.clone()),
        source: called.source.clone(),
    };
    error.frames.iter().map(frame).collect()
}

/// A path as it is from the first of `folders` that it lies in.
fn below<'p>(path: &'p str, folders: &[&str]) -> &'p str {
    let inside = |folder: &&str| path.strip_prefix(folder.trim_end_matches('/'))?.strip_prefix('/');
    folders.iter().filter(|folder| !folder.is_empty()).find_map(inside).unwrap_or(path)
}
