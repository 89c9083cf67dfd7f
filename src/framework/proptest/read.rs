//! Reads a whole run: finds its carrier, reads each test's output, and keeps every failing property once.
//! What a run is made of stands in `read/`: logs and XML, panics in them, the runner's reports, seeds and arguments.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use crate::carrier::{escapes, junit, returns, scan};
use crate::cause;
use crate::failure::{Caveat, Doubt, Failure, ForeignPath, Notice, Reading, Replay, TestName};
use crate::framework::reading;
use crate::run_output::RunOutput;

mod arguments;
mod before;
mod captured;
mod direct;
mod ended;
mod log;
mod places;
mod report;
mod result;
mod seed;
mod seen;
mod silent;
#[cfg(test)]
mod tests;
mod text;
mod thread;
mod xml;

pub(super) use arguments::split;
pub(super) use places::SOUGHT;

use text::Found;

/// The failures of a run in which `found` was found.
pub(super) fn read(run: &RunOutput<'_>, found: scan::Found<'_>) -> Reading {
    let bytes = returns::readable(run.bytes);
    let run = run.with(&bytes);
    let mut remarks = Remarks::default();
    let found = match junit::is_junit(run.bytes) {
        true => xml::read(&run, run.bytes, &[], &mut remarks),
        false => {
            let bytes = escapes::readable(run.bytes, &places::SEARCHED);
            let run = run.with(&bytes);
            log::read(&run, found.again(&run, SOUGHT), &mut remarks)
        }
    };
    let Remarks { notices, doubts } = remarks;
    Reading { doubts, ..reading(&run, once_each(found), notices) }
}

/// What a run shows besides failures.
#[derive(Default)]
struct Remarks {
    notices: Vec<Notice>,
    doubts: Vec<Doubt>,
}

/// Each property once for each cause: the first report of it, unless a later one tells more.
fn once_each(found: Vec<Found>) -> Vec<Failure> {
    // By digests of test and file: most properties stand here once, so that copies of their names would be for nothing.
    let mut places: HashMap<u64, Vec<(Option<String>, usize)>> = HashMap::with_capacity(found.len());
    let digest = RandomState::new();
    let mut failures: Vec<Failure> = Vec::with_capacity(found.len());
    for Found { failure, crate_name, .. } in found {
        let package = failure.package.as_ref().map(|package| package.0.replace('-', "_")).or(crate_name);
        let known = places.entry(digest.hash_one(place(&failure))).or_default();
        // A carrier that names no package may tell of any.
        let same = known.iter().find(|(other, at)| {
            let is_placed = || place(&failures[*at]) == place(&failure);
            (*other == package || other.is_none() || package.is_none())
                && is_placed()
                && is_same(&failures[*at], &failure)
        });
        match same {
            Some(&(_, at)) if tells_more(&failure, &failures[at]) => failures[at] = failure,
            Some(_) => {}
            None => {
                known.push((package, failures.len()));
                failures.push(failure);
            }
        }
    }
    failures
}

/// A property's test and file.
fn place(failure: &Failure) -> (&TestName, Option<&ForeignPath>) {
    (&failure.test, failure.location.as_ref().map(|location| &location.file))
}

/// Whether two reports of one property tell of one failure. One that breaks off may tell of any, and reports of one panic may
/// differ in what the carrier shows before them.
fn is_same(one: &Failure, other: &Failure) -> bool {
    one.message == other.message || breaks_off(one) || breaks_off(other) || cause::is_one(one, other)
}

/// Whether a report is whole where another breaks off, or names its seed where the other does not.
fn tells_more(one: &Failure, other: &Failure) -> bool {
    let told = |failure: &Failure| (!breaks_off(failure), new_seed(failure));
    told(one) > told(other)
}

fn breaks_off(failure: &Failure) -> bool {
    failure.caveats.contains(&Caveat::Truncated)
}

fn new_seed(failure: &Failure) -> bool {
    matches!(failure.replay, Replay::NewSeed { .. })
}
