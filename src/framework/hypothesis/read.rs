//! Reads Hypothesis's reports out of a run, whatever carries them. A run that holds none of the words they are told by is
//! passed over at the speed of memory.

mod call;
mod frames;
mod json;
mod key;
mod log;
pub(super) mod names;
mod patch;
mod report;
mod section;
#[cfg(test)]
mod tests;
mod xml;

pub(super) use call::drawn;
pub(super) use key::report_key;

use crate::carrier::junit;
use crate::carrier::scan::{Found, Hit, Sought, keep};
use crate::failure::Reading;
use crate::run_output::RunOutput;

use names::{Heading, Surroundings};

/// What pytest's plugin says once it has written a patch of what failed.
const PATCH: &str = "` to add failing ";

/// What is said of a run that shows nothing else.
const HIDDEN: &str = "tests failed here, and no traceback says with which input; run them without --tb=no";

/// What a run is searched for: what tells of a failure, and that a patch was written.
pub(super) const SOUGHT: Sought = {
    let [case, example, explicit, error] = section::NEEDLES;
    Sought { needles: &[case, example, explicit, error, PATCH], look: keep }
};

/// The failures in a run in which `found` was found.
pub(super) fn read(run: &RunOutput<'_>, found: Found<'_>) -> Reading {
    if json::is_ours(run.bytes) {
        return json::read(run);
    }
    if patch::is_ours(run.bytes) {
        return patch::read(run);
    }
    let mut hits = found.hits;
    let patches = hits.extract_if(.., |hit| hit.needle as usize == section::NEEDLES.len()).last();
    if !hits.is_empty() && junit::is_junit(run.bytes) {
        return xml::read(run);
    }
    let mut reading = if hits.is_empty() { Reading::default() } else { log_of(run, &hits) };
    if reading.failures.is_empty() {
        reading.notices.extend(patches.map(|hit| run.notice(hit.line, HIDDEN)));
    }
    reading
}

/// The failures in a log.
fn log_of(run: &RunOutput<'_>, hits: &[Hit]) -> Reading {
    let around = Surroundings::of(run);
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
