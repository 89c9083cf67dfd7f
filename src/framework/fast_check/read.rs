//! Reads a whole run: finds its carrier, reads each report in it, and keeps every failure once: runners tell of one twice,
//! and one reporter tells what another leaves out.

use std::collections::HashMap;

use crate::carrier::scan::{self, Found, Hit, Sought, keep};
use crate::carrier::{escapes, handed, junit, returns};
use crate::failure::{Caveat, Failure, Notice, Reading, Replay};
use crate::framework::reading;
use crate::run_output::RunOutput;

mod annotation;
pub(super) mod arguments;
mod blob;
mod captured;
mod found;
mod frames;
mod json;
mod log;
mod marks;
mod report;
#[cfg(test)]
mod tests;
mod title;
mod told;
mod xml;

pub(super) use captured::of_json as handed_over;
pub(super) use found::counterexample;
pub(super) use title::{BETWEEN, is_file, name};
pub(super) use told::error;

/// What a run is searched for.
pub(super) const SOUGHT: Sought = {
    let [failed, skipped, interrupted] = report::HEADS;
    Sought { needles: &[failed, skipped, interrupted, captured::MARK], look: keep }
};

/// The failures of a run in which `found` was found.
pub(super) fn read(run: &RunOutput<'_>, found: Found<'_>) -> Reading {
    let bytes = returns::readable(run.bytes);
    let run = run.with(&bytes);
    let mut notices = Vec::new();
    let is_handed = |hit: &Hit| hit.needle as usize == report::HEADS.len();
    let (handed, hits): (Vec<Hit>, Vec<Hit>) = found.again(&run, SOUGHT).hits.into_iter().partition(is_handed);
    if handed.is_empty() {
        let found = printed(&run, hits, &mut notices);
        return reading(&run, once_each(found), notices);
    }
    let captured = captured::read(&run, &handed, &mut notices);
    let text = handed::set_aside(&run, &handed);
    let text = run.with(&text);
    let found = printed(&text, scan::find(&text, SOUGHT).hits, &mut notices);
    reading(&run, captured::joined(captured, once_each(found)), notices)
}

/// The failures that a run tells of in what it prints.
fn printed(run: &RunOutput<'_>, hits: Vec<Hit>, notices: &mut Vec<Notice>) -> Vec<Failure> {
    if junit::is_junit(run.bytes) {
        return if log::any(run.bytes) { xml::read(run, notices) } else { Vec::new() };
    }
    if json::is_whole(run.bytes) && log::any(run.bytes) {
        return json::read(run.bytes, 1, run).unwrap_or_else(|| {
            notices.push(run.notice(1, json::BROKEN));
            Vec::new()
        });
    }
    if blob::is_blob(run.bytes) && log::any(run.bytes) {
        return blob::read(run.bytes, run).unwrap_or_else(|| {
            notices.push(run.notice(1, json::BROKEN));
            Vec::new()
        });
    }
    log::read(run, hits, notices)
}

/// A title without the run's seed and without how long it took.
pub(super) fn bare_title(title: &str) -> &str {
    title::unseeded(title::untimed(title))
}

/// A line without escape sequences.
fn escapes_away(line: &str) -> String {
    match line.contains('\x1b') {
        true => String::from_utf8_lossy(&escapes::without(line.as_bytes())).into_owned(),
        false => line.to_owned(),
    }
}

/// Each failure once, told as well as any of its reports tells it.
fn once_each(found: Vec<Failure>) -> Vec<Failure> {
    let mut failures: Vec<Failure> = Vec::with_capacity(found.len());
    let mut known: HashMap<(String, String), Vec<usize>> = HashMap::new();
    for failure in found {
        let key = (handle(&failure).to_owned(), failure.counterexample.text.clone());
        let places = known.entry(key).or_default();
        match places.iter().find(|&&at| is_same(&failures[at], &failure)) {
            Some(&at) => failures[at] = joined(&failures[at], &failure),
            None => {
                places.push(failures.len());
                failures.push(failure);
            }
        }
    }
    failures
}

fn handle(failure: &Failure) -> &str {
    match &failure.replay {
        Replay::NewSeed { handle, .. } => handle,
        Replay::Replayed | Replay::None => &failure.message,
    }
}

/// Whether two reports with one seed, path and input tell of one test: lists leave out suites, and scripts have no names.
fn is_same(one: &Failure, other: &Failure) -> bool {
    let (one, other) = (one.test.0.as_str(), other.test.0.as_str());
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|front| front.is_empty() || front.ends_with(BETWEEN))
    };
    ends(one, other) || ends(other, one)
}

/// One failure out of two reports of it.
fn joined(one: &Failure, other: &Failure) -> Failure {
    let told = |failure: &Failure| {
        let caveats = [Caveat::Truncated, Caveat::Unexplained];
        (!caveats.iter().any(|caveat| failure.caveats.contains(caveat)), failure.site.is_some())
    };
    let (more, less) = if told(other) > told(one) { (other, one) } else { (one, other) };
    let mut joined = more.clone();
    if less.test.0.len() > joined.test.0.len() {
        joined.test.clone_from(&less.test);
    }
    joined.location = joined.location.or_else(|| less.location.clone());
    joined.origin = one.origin.clone();
    joined
}
