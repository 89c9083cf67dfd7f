//! Reads a log: text with panics in it, and events of JSON among it. The places of interest are found in one pass; what
//! stands around them is read by several threads, each a stretch that begins with a test's section.

use std::collections::HashSet;

use memchr::memmem;

use crate::carrier::line::{Prefix, plain, shown};
use crate::carrier::scan::{self, Hit};
use crate::carrier::unknown::{self, Shape};
use crate::carrier::{Subject, cargo_log, libtest_json, panic};
use crate::failure::{Notice, PackageName};
use crate::run_output::{RunOutput, line_after, line_at, lines_with};
use crate::span::Span;
use crate::threads;

use super::Remarks;
use super::captured::captured;
use super::ended::ended;
use super::places::{self, RUNNING, SOUGHT};
use super::report;
use super::seen::{self, Gathering};
use super::text::{Found, MOST_AMONG, Readings, Text};
use super::xml;

/// The failures of a log in order; `places` are those of what is sought.
pub(super) fn read(run: &RunOutput<'_>, places: scan::Found<'_>, remarks: &mut Remarks) -> Vec<Found> {
    let mut first = Log::read(run, places);
    let shapes = shapes(run.bytes, &first.strange);
    let known = if shapes.is_empty() { None } else { unknown::known(run.bytes, shapes) };
    if let Some(bytes) = known {
        let run = run.with(&bytes);
        first = Log::read(&run, scan::find(&run, SOUGHT));
    }
    remarks.notices.extend(first.remarks.notices);
    remarks.doubts.extend(first.remarks.doubts);
    remarks.notices.extend(first.strange.first().map(|(line, _)| run.notice(*line, STRANGE)));
    first.found
}

/// The shapes of what an unknown service puts before the lines of these reports, where it does so before more than the
/// first.
fn shapes(bytes: &[u8], strange: &[(u64, Span)]) -> Vec<Shape> {
    let mut shapes = HashSet::new();
    let shape = |line: Span| {
        let shape = Shape::before(&bytes[line.range()], panic::START)?;
        let next = |line: &Span| line_after(bytes, *line);
        let mut lines = std::iter::successors(next(&line), next).take(MOST_AMONG);
        let own = lines.find_map(|line| Some(shape.after(&shown(&bytes[line.range()]))?.trim_ascii_start().to_vec()));
        report::begins(&String::from_utf8_lossy(&own?)).then_some(shape)
    };
    let in_order = strange.iter().filter_map(|(_, line)| shape(*line));
    in_order.filter(|shape| shapes.insert(shape.clone())).collect()
}

/// What one log tells.
struct Log {
    found: Vec<Found>,
    remarks: Remarks,
    /// The first lines of reports that stand behind text of an unknown kind.
    strange: Vec<(u64, Span)>,
}

impl Log {
    fn read(run: &RunOutput<'_>, places: scan::Found<'_>) -> Log {
        let mut marks = places.hits;
        let mut running: Vec<Hit> = marks.extract_if(.., |mark| mark.needle == RUNNING).collect();
        running.dedup_by_key(|hit| hit.line);
        let mut hits = places::near(run.bytes, &marks);
        let mut binaries: Vec<_> = running.iter().filter_map(|hit| binary(run.bytes, hit.offset)).collect();
        if binaries.is_empty() && run.bytes.len() <= LARGEST_QUIET {
            binaries = quiet(run.bytes);
        }
        let starts: Vec<usize> = binaries.iter().map(|(start, _)| *start).collect();
        let (mut found, mut remarks, mut strange) = (Vec::new(), Remarks::default(), Vec::new());
        let first = hits.first().map_or(run.bytes.len(), |hit| hit.offset);
        let last = hits.last().map_or(0, |hit| line_at(run.bytes, hit.offset).end);
        let goes_on = any_panic(&run.bytes[last..]);
        for file in xml::shown(run.bytes, &hits) {
            hits.retain(|hit| !file.span.range().contains(&hit.offset));
            let here = xml::read(run, &file.xml, &file.numbers, &mut remarks);
            found.extend(here.into_iter().map(|one| Found { offset: file.span.start, ..one }));
        }
        let parts = parts(run.bytes, &hits);
        let read = threads::numbered(parts.len(), |at| read_part(run, &parts[at], &starts, goes_on));
        found.reserve(read.iter().map(|here| here.found.len()).sum());
        for here in read {
            found.extend(here.found);
            remarks.notices.extend(here.remarks.notices);
            remarks.doubts.extend(here.remarks.doubts);
            strange.extend(here.strange);
        }
        remarks.notices.extend(ended(run, starts.iter().copied()));
        remarks.notices.extend(headless(run, &run.bytes[..first.min(HEAD)]));
        found.sort_by_key(|one| one.offset);
        place(&mut found, run.bytes, &binaries);
        Log { found, remarks, strange }
    }
}

/// Whether a panic stands in `text`.
fn any_panic(text: &[u8]) -> bool {
    lines_with(text, panic::ANCHOR).any(|line| seen::is_panic(&text[line.range()]))
}

/// Places of interest that are read together, and where the text around them ends.
struct Part<'a> {
    hits: &'a [Hit],
    end: usize,
}

/// A part is not smaller than this many hits: a thread has its price.
const SMALLEST_PART: usize = 256;

/// Parts for each thread: some take longer to read than others.
const PARTS: usize = 4;

/// The hits in parts for the threads there are.
fn parts<'a>(bytes: &[u8], mut hits: &'a [Hit]) -> Vec<Part<'a>> {
    let size = hits.len().div_ceil(threads::most() * PARTS).max(SMALLEST_PART);
    let mut parts = Vec::new();
    while let Some(at) = (size..hits.len()).find(|&at| opens_section(bytes, hits[at - 1], hits[at])) {
        let (here, later) = hits.split_at(at);
        parts.push(Part { hits: here, end: line_at(bytes, later[0].offset).start });
        hits = later;
    }
    parts.push(Part { hits, end: bytes.len() });
    parts
}

/// Whether a test's section begins between two hits: then nothing before it is of the panic after it.
fn opens_section(bytes: &[u8], before: Hit, after: Hit) -> bool {
    let between = &bytes[before.offset..after.offset];
    has_heading(&between[between.len().saturating_sub(NEAR)..])
}

/// Whether a line of `text` says whose output follows.
fn has_heading(text: &[u8]) -> bool {
    memmem::find(text, places::HEADING.as_bytes()).is_some()
}

/// How far before a panic its section is looked for.
const NEAR: usize = 1 << 10;

fn read_part(run: &RunOutput<'_>, part: &Part<'_>, binaries: &[usize], goes_on: bool) -> Log {
    let bytes = &run.bytes[..part.end];
    let mut gathering = Gathering::new(bytes);
    let (mut found, mut remarks) = (Vec::new(), Remarks::default());
    for hit in part.hits {
        match read_event(run, *hit, &mut remarks) {
            Some(failures) => found.extend(failures),
            None => gathering.take(hit.offset, hit.line),
        }
    }
    let cut = part.end == run.bytes.len() && !goes_on;
    let panics = gathering.seen();
    let readings = Text { run: run.name, bytes, panics: &panics, sparse: true, binaries, given: None, cut }.failures();
    found.extend(readings.found);
    remarks.notices.extend(readings.nameless.into_iter().map(|line| run.notice(line, NAMELESS)));
    remarks.doubts.extend(readings.silent.iter().map(|silent| silent.doubt(run, silent.number)));
    found.sort_by_key(|one| one.offset);
    Log { found, remarks, strange: readings.strange }
}

/// The failures of an event of JSON on whose line a hit is; `None` where it is no event.
fn read_event(run: &RunOutput<'_>, hit: Hit, remarks: &mut Remarks) -> Option<Vec<Found>> {
    let line = line_at(run.bytes, hit.offset);
    let bytes = &run.bytes[line.range()];
    memchr::memchr(b'{', &bytes[..hit.offset - line.start])?;
    Some(match libtest_json::read(&plain(bytes))? {
        libtest_json::Line::Failed(subject, text) => {
            let Readings { mut found, silent, .. } = captured(run, &text, &subject, false);
            remarks.doubts.extend(silent.iter().map(|silent| silent.doubt(run, hit.line)));
            for one in &mut found {
                one.offset = line.start;
                one.failure.origin.line = hit.line;
            }
            found
        }
        libtest_json::Line::Other => Vec::new(),
        libtest_json::Line::Broken => {
            let text = "expected one JSON event, found a line that breaks off or holds more: it is not read";
            remarks.notices.push(run.notice(hit.line, text));
            Vec::new()
        }
    })
}

/// Of a failure among what tests print uncaptured on unnamed threads.
const NAMELESS: &str = "found the failure of a property without a word of which test it is: run the tests with their \
                        output captured";

/// Of the first of the reports that cannot be told from what stands before each of their lines.
const STRANGE: &str = "found the report of a property behind text of an unknown kind: it is not read, nor are others like \
                       it; take from each line what the log puts before it";

/// How far into a log a report is looked for whose first lines are cut off.
const HEAD: usize = 256 << 10;

/// A notice of a report that begins before the log does.
fn headless(run: &RunOutput<'_>, head: &[u8]) -> Option<Notice> {
    let head = &head[..memmem::find(head, panic::ANCHOR.as_bytes()).unwrap_or(head.len())];
    memmem::find(head, report::INPUT.as_bytes())?;
    let lines = head.split(|&byte| byte == b'\n').zip(1..);
    let (_, line) = lines.into_iter().find(|(line, _)| plain(line).starts_with(report::INPUT))?;
    let text = "found a failing input without the lines before it: the log seems to be cut off there, and whose input \
                it is is not known";
    Some(run.notice(line, text))
}

/// The test binary that a `Running` line names, and where the line starts.
fn binary(bytes: &[u8], offset: usize) -> Option<(usize, Subject)> {
    let line = line_at(bytes, offset);
    let start = Prefix::of(&bytes[line.range()], cargo_log::RUNNING)?;
    Some((line.start, cargo_log::running(&start.text)?))
}

/// Where a quiet log, which has no `Running` lines, goes on to another binary: after what cargo says of one that failed.
fn quiet(bytes: &[u8]) -> Vec<(usize, Subject)> {
    let failed = memmem::find_iter(bytes, cargo_log::RERUN).map(|at| line_at(bytes, at).end);
    std::iter::once(0).chain(failed).map(|start| (start, Subject::default())).collect()
}

/// A larger log is not searched a second time for what a quiet one would tell.
const LARGEST_QUIET: usize = 64 << 20;

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

/// What cargo says of a binary that failed.
type Rerun = (Option<PackageName>, Option<String>);

fn rerun(bytes: &[u8]) -> Option<Rerun> {
    let at = memmem::find(bytes, cargo_log::RERUN.as_bytes())?;
    cargo_log::rerun(&plain(&bytes[line_at(bytes, at).range()]))
}
