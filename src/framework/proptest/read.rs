//! Reads a whole run: finds its carrier, reads each test's output, and keeps every failing property once.

use std::collections::HashMap;

use crate::carrier::cargo_log;
use crate::carrier::{Subject, panic, scan};
use crate::failure::{Caveat, Failure, Notice, Reading, Replay};
use crate::run_output::{RunOutput, line_at};

use super::read_text::{Found, Seen, Text};

/// The failures of a run.
pub(super) fn read(run: &RunOutput<'_>) -> Reading {
    let found = read_log(run);
    let failures = once_each(found);
    let notices = failures.iter().filter_map(|failure| notice(run, failure)).collect();
    Reading { failures, notices }
}

const ANCHORS: [&str; 2] = [panic::ANCHOR, cargo_log::RUNNING];

fn read_log(run: &RunOutput<'_>) -> Vec<Found> {
    let mut panics = Vec::new();
    let mut binaries = Vec::new();
    for hit in scan::find(run.bytes, &ANCHORS) {
        match hit.needle {
            0 => panics.extend(Seen::at(run.bytes, hit.offset, hit.line)),
            _ => binaries.extend(binary(run.bytes, hit.offset)),
        }
    }
    panics.dedup_by_key(|seen| seen.offset());
    let mut found = Text { run: run.name, bytes: run.bytes, panics: &panics, given: None }.failures();
    place(&mut found, run.bytes, &binaries);
    found
}

/// The test binary that a `Running` line names, and where the line starts.
fn binary(bytes: &[u8], offset: usize) -> Option<(usize, Subject)> {
    let line = line_at(bytes, offset);
    let (_, text) = crate::carrier::line::Prefix::of(&bytes[line.range()], cargo_log::RUNNING)?;
    Some((line.start, cargo_log::running(&text)?))
}

/// Tells failures of cargo's own log their package and target: by the line before the binary ran, and the one after it
/// failed, which alone has the package's name as its manifest spells it.
fn place(found: &mut [Found], bytes: &[u8], binaries: &[(usize, Subject)]) {
    let mut rest = found;
    for (at, (start, subject)) in binaries.iter().enumerate() {
        let end = binaries.get(at + 1).map_or(bytes.len(), |(next, _)| *next);
        let before = rest.partition_point(|one| one.offset < *start);
        let inside = rest.partition_point(|one| one.offset < end) - before;
        let (here, later) = rest.split_at_mut(before).1.split_at_mut(inside);
        rest = later;
        let Some(last) = here.last().map(|one| one.offset) else { continue };
        let told = rerun(&bytes[last..end]);
        for one in here.iter_mut().filter(|one| one.failure.package.is_none()) {
            one.failure.package.clone_from(&subject.package);
            one.failure.binary.clone_from(&subject.binary);
            one.crate_name.clone_from(&subject.crate_name);
            if let Some((package, target)) = &told {
                one.failure.package = package.clone().or(one.failure.package.take());
                one.failure.binary = target.clone().or(one.failure.binary.take());
            }
        }
    }
}

fn rerun(bytes: &[u8]) -> Option<(Option<crate::failure::PackageName>, Option<String>)> {
    let at = memchr::memmem::find(bytes, cargo_log::RERUN.as_bytes())?;
    cargo_log::rerun(&crate::carrier::line::plain(&bytes[line_at(bytes, at).range()]))
}

/// Each property once: the first report of it, but one that names its seed before one that does not.
fn once_each(found: Vec<Found>) -> Vec<Failure> {
    let mut places = HashMap::new();
    let mut failures: Vec<Failure> = Vec::new();
    for Found { failure, crate_name, .. } in found {
        let package = failure.package.as_ref().map(|package| package.0.replace('-', "_")).or(crate_name);
        let file = failure.location.as_ref().map(|location| location.file.clone());
        let place = *places.entry((package, failure.test.clone(), file)).or_insert(failures.len());
        let new_seed = |failure: &Failure| matches!(failure.replay, Replay::NewSeed { .. });
        match failures.get_mut(place) {
            None => failures.push(failure),
            Some(first) if new_seed(&failure) && !new_seed(first) => *first = failure,
            Some(_) => {}
        }
    }
    failures
}

fn notice(run: &RunOutput<'_>, failure: &Failure) -> Option<Notice> {
    failure.caveats.contains(&Caveat::Truncated).then(|| Notice {
        file: run.name.to_owned(),
        line: Some(failure.origin.line),
        text: format!("the report of {} breaks off: what it shows of the input is not all of it", failure.test),
    })
}
