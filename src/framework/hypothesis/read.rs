//! Reads Hypothesis's reports out of a run, whatever carries them. A run that holds none of the words they are told by is
//! passed over at the speed of memory.

mod call;
mod captured;
mod frames;
mod json;
pub(super) mod key;
mod log;
pub(super) mod names;
mod patch;
mod report;
mod section;
#[cfg(test)]
mod tests;
mod xml;

pub(super) use call::{counterexample, drawn};
pub(super) use key::report_key;

use crate::carrier::scan::{self, Found, Hit, Sought, keep};
use crate::carrier::{handed, junit};
use crate::failure::Reading;
use crate::run_output::RunOutput;

use names::{Heading, Surroundings};

/// What pytest's plugin says once it has written a patch of what failed.
const PATCH: &str = "` to add failing ";

/// What is said of a run that shows nothing else.
const HIDDEN: &str = "tests failed here, and no traceback says with which input; run them without --tb=no";

/// What a run is searched for: what tells of a failure, that a patch was written, what tells of tests around,
/// and what was handed over.
pub(super) const SOUGHT: Sought = {
    let [case, example, explicit, error] = section::NEEDLES;
    Sought {
        needles: &[case, example, explicit, error, PATCH, names::ROOT, names::SUMMARY, captured::MARK],
        look: keep,
    }
};

/// Places in [`SOUGHT`] after those that tell of a failure.
const PATCHED: u32 = section::NEEDLES.len() as u32;
const ROOT: u32 = PATCHED + 1;
const SUMMARY: u32 = PATCHED + 2;
const CAPTURED: u32 = PATCHED + 3;

/// The failures in a run in which `found` was found.
pub(super) fn read(run: &RunOutput<'_>, found: Found<'_>) -> Reading {
    let mut hits = found.hits;
    let handed: Vec<Hit> = hits.extract_if(.., |hit| hit.needle == CAPTURED).collect();
    if handed.is_empty() {
        return printed(run, hits);
    }
    let text = handed::set_aside(run, &handed);
    let text = run.with(&text);
    // What is handed over says all that a patch could.
    let hits = scan::find(&text, SOUGHT).hits.into_iter().filter(|hit| hit.needle != PATCHED);
    captured::joined(captured::read(run, &handed), printed(&text, hits.collect()))
}

/// The failures that a run tells of in what it prints.
fn printed(run: &RunOutput<'_>, mut hits: Vec<Hit>) -> Reading {
    if json::is_ours(run.bytes) {
        return json::read(run);
    }
    if patch::is_ours(run.bytes) {
        return patch::read(run);
    }
    let patches = hits.extract_if(.., |hit| hit.needle == PATCHED).last();
    let around: Vec<Hit> = hits.extract_if(.., |hit| hit.needle > PATCHED).collect();
    if !hits.is_empty() && junit::is_junit(run.bytes) {
        return xml::read(run);
    }
    let mut reading = if hits.is_empty() { Reading::default() } else { log_of(run, &hits, &around) };
    if reading.failures.is_empty() {
        reading.notices.extend(patches.map(|hit| run.notice(hit.line, HIDDEN)));
    }
    reading
}

/// The failures in a log; `around` are the places that tell of tests.
fn log_of(run: &RunOutput<'_>, hits: &[Hit], around: &[Hit]) -> Reading {
    let places = |needle| around.iter().filter(move |hit| hit.needle == needle).map(|hit| hit.offset);
    let around = Surroundings::of(run, places(ROOT), places(SUMMARY));
    let mut reading = Reading::default();
    for part in log::sections(run, hits) {
        let function = match &part.heading {
            Heading::Dotted(name) => name.split('[').next().and_then(|name| name.rsplit('.').next()),
            Heading::Module(_, name) => Some(name.as_str()),
            Heading::Node(_) | Heading::None(..) => None,
        };
        let told = section::read(&part.lines, function);
        reading.failures.extend(report::failures(run, &around, &part.heading, part.at, told));
    }
    reading
}
