//! Reads a whole run: finds its carrier, reads each test's output, and keeps every failing property once.

use std::collections::HashMap;

use crate::carrier::line::{Prefix, plain};
use crate::carrier::{Subject, cargo_log, encoding, junit, libtest_json, panic, scan};
use crate::failure::{Caveat, Failure, Notice, PackageName, Reading, Replay};
use crate::run_output::{RunOutput, line_at};

use super::read_report;
use super::read_text::{Found, Seen, Text, panics};

/// The failures of a run.
pub(super) fn read(run: &RunOutput<'_>) -> Reading {
    let bytes = encoding::readable(run.bytes);
    let run = RunOutput { name: run.name, bytes: &bytes };
    let mut notices = Vec::new();
    let found = if junit::is_junit(run.bytes) { read_junit(&run, &mut notices) } else { read_log(&run, &mut notices) };
    let failures = once_each(found);
    notices.extend(failures.iter().filter(|failure| failure.caveats.contains(&Caveat::Truncated)).map(|failure| {
        let text = format!("the report of {} breaks off: what it shows of the input is not all of it", failure.test);
        notice(&run, failure.origin.line, text)
    }));
    notices.sort_by_key(|notice| notice.line);
    Reading { failures, notices }
}

fn notice(run: &RunOutput<'_>, line: u64, text: String) -> Notice {
    Notice { file: run.name.to_owned(), line: Some(line), text }
}

/// A log: text, or events of JSON among it.
fn read_log(run: &RunOutput<'_>, notices: &mut Vec<Notice>) -> Vec<Found> {
    let mut panics = Vec::new();
    let mut binaries = Vec::new();
    let mut found = Vec::new();
    let mut line = 0;
    for hit in scan::find(run.bytes, &[panic::ANCHOR, cargo_log::RUNNING]) {
        // A line says one thing, however often a text stands in it.
        if hit.line == line {
            continue;
        }
        line = hit.line;
        if hit.needle == 1 {
            binaries.extend(binary(run.bytes, hit.offset));
            continue;
        }
        match read_event(run, hit, notices) {
            Some(failures) => found.extend(failures),
            None => panics.extend(Seen::at(run.bytes, hit.offset, hit.line)),
        }
    }
    let start = panics.first().map_or(run.bytes.len(), Seen::offset);
    notices.extend(headless(run, &run.bytes[..start.min(HEAD)]));
    let starts: Vec<usize> = binaries.iter().map(|(start, _)| *start).collect();
    found.extend(Text { run: run.name, bytes: run.bytes, panics: &panics, binaries: &starts, given: None }.failures());
    found.sort_by_key(|one| one.offset);
    place(&mut found, run.bytes, &binaries);
    found
}

/// The failures of an event of JSON on whose line a hit is; `None` where it is no event.
fn read_event(run: &RunOutput<'_>, hit: scan::Hit, notices: &mut Vec<Notice>) -> Option<Vec<Found>> {
    let line = line_at(run.bytes, hit.offset);
    let bytes = &run.bytes[line.range()];
    memchr::memchr(b'{', &bytes[..hit.offset - line.start])?;
    Some(match libtest_json::read(&plain(bytes))? {
        libtest_json::Line::Failed(subject, text) => {
            let mut found = captured(run, &text, &subject);
            for one in &mut found {
                one.offset = line.start;
                one.failure.origin.line = hit.line;
            }
            found
        }
        libtest_json::Line::Other => Vec::new(),
        libtest_json::Line::Broken => {
            let text = "expected one JSON event, found a line that breaks off or holds more: it is not read";
            notices.push(notice(run, hit.line, text.to_owned()));
            Vec::new()
        }
    })
}

fn read_junit(run: &RunOutput<'_>, notices: &mut Vec<Notice>) -> Vec<Found> {
    let file = junit::read(run.bytes);
    let mut found = Vec::new();
    for (at, attempt) in file.attempts.iter().enumerate() {
        let whole = attempt.output.text.contains(panic::ANCHOR);
        let stream = if whole { &attempt.output } else { &attempt.failure };
        for mut one in captured(run, &stream.text, &attempt.subject()) {
            one.failure.origin.line = stream.line(one.offset);
            one.offset = at;
            found.push(one);
        }
    }
    notices.extend(file.broken.map(|(line, error)| {
        notice(run, line, format!("expected XML, found what is none ({error}): what follows is not read"))
    }));
    found
}

/// The failures in the captured output of one test.
fn captured(run: &RunOutput<'_>, text: &str, subject: &Subject) -> Vec<Found> {
    Text { run: run.name, bytes: text.as_bytes(), panics: &panics(text), binaries: &[], given: Some(subject) }
        .failures()
}

/// How far into a log a report is looked for whose first lines are cut off.
const HEAD: usize = 256 << 10;

/// A notice of a report that begins before the log does.
fn headless(run: &RunOutput<'_>, head: &[u8]) -> Option<Notice> {
    memchr::memmem::find(head, read_report::INPUT.as_bytes())?;
    let lines = head.split(|&byte| byte == b'\n').zip(1..);
    let (_, line) = lines.into_iter().find(|(line, _)| plain(line).starts_with(read_report::INPUT))?;
    let text = "found a failing input without the lines before it: the log seems to be cut off there, and whose input \
                it is is not known";
    Some(notice(run, line, text.to_owned()))
}

/// The test binary that a `Running` line names, and where the line starts.
fn binary(bytes: &[u8], offset: usize) -> Option<(usize, Subject)> {
    let line = line_at(bytes, offset);
    let start = Prefix::of(&bytes[line.range()], cargo_log::RUNNING)?;
    Some((line.start, cargo_log::running(&start.text)?))
}

/// Tells failures of cargo's own log their package and target: by the line before the binary ran, and the one after it
/// failed, which alone has the package's name as its manifest spells it.
fn place(found: &mut [Found], bytes: &[u8], binaries: &[(usize, Subject)]) {
    let mut libraries = binaries.iter().filter_map(|(_, binary)| binary.package.as_ref());
    let only = libraries.next().filter(|first| libraries.all(|other| other == *first));
    let mut rest = found;
    for (at, (start, binary)) in binaries.iter().enumerate() {
        let end = binaries.get(at + 1).map_or(bytes.len(), |(next, _)| *next);
        let before = rest.partition_point(|one| one.offset < *start);
        let inside = rest.partition_point(|one| one.offset < end) - before;
        let (here, later) = rest.split_at_mut(before).1.split_at_mut(inside);
        rest = later;
        let Some(last) = here.last().map(|one| one.offset) else { continue };
        let subject = told(binary, rerun(&bytes[last..end]), only);
        for one in here.iter_mut().filter(|one| one.failure.package.is_none()) {
            one.failure.package.clone_from(&subject.package);
            one.failure.binary.clone_from(&subject.binary);
            one.crate_name.clone_from(&subject.crate_name);
        }
    }
}

/// What is known of a binary when its `rerun` line was seen. Where cargo names no package there is only one: that of the
/// `only` library of the run.
fn told(binary: &Subject, rerun: Option<Rerun>, only: Option<&PackageName>) -> Subject {
    let Some((package, target)) = rerun else { return binary.clone() };
    Subject {
        package: package.or_else(|| only.cloned()).or_else(|| binary.package.clone()),
        binary: target.or_else(|| binary.binary.clone()),
        ..binary.clone()
    }
}

type Rerun = (Option<PackageName>, Option<String>);

fn rerun(bytes: &[u8]) -> Option<Rerun> {
    let at = memchr::memmem::find(bytes, cargo_log::RERUN.as_bytes())?;
    cargo_log::rerun(&plain(&bytes[line_at(bytes, at).range()]))
}

/// Each property once: the first report of it, but one that names its seed before one that does not.
fn once_each(found: Vec<Found>) -> Vec<Failure> {
    let mut places: HashMap<_, Vec<(Option<String>, usize)>> = HashMap::new();
    let mut failures: Vec<Failure> = Vec::new();
    for Found { failure, crate_name, .. } in found {
        let package = failure.package.as_ref().map(|package| package.0.replace('-', "_")).or(crate_name);
        let file = failure.location.as_ref().map(|location| location.file.clone());
        let known = places.entry((failure.test.clone(), file)).or_default();
        // A carrier that names no package may tell of any.
        let same = known.iter().find(|(other, _)| *other == package || other.is_none() || package.is_none());
        match same {
            Some(&(_, at)) if new_seed(&failure) && !new_seed(&failures[at]) => failures[at] = failure,
            Some(_) => {}
            None => {
                known.push((package, failures.len()));
                failures.push(failure);
            }
        }
    }
    failures
}

fn new_seed(failure: &Failure) -> bool {
    matches!(failure.replay, Replay::NewSeed { .. })
}
