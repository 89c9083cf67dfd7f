//! Which places of a log are read. A log may hold a million panics that other tests expect, so none is sought for itself:
//! sought is what a property's end, a pin or a runner's event says, and read are the panics near it.

use memchr::{memchr, memmem, memrchr};

use crate::carrier::scan::{Hit, Sought};
use crate::carrier::{cargo_log, panic};
use crate::framework::pin_name::{DIGITS, is_pin};
use crate::run_output::{line_after, line_at, line_feeds, lines_with};
use crate::threads;

use super::report;
use super::seen;

/// What a run is searched for.
pub(in super::super) const SOUGHT: Sought = Sought {
    needles: &[
        cargo_log::RUNNING,
        seen::RETURNED,
        report::ANY_FAILED,
        report::ABORTED,
        REASON,
        PIN,
        HEADING,
        NAME_OF_EVENT,
        FAILED_CASE,
    ],
    look,
};

/// What is searched for anywhere in a log, so that nothing may stand inside it.
pub(super) const SEARCHED: [&str; 8] = [
    cargo_log::RUNNING,
    cargo_log::RERUN,
    cargo_log::FAILURES,
    cargo_log::SUCCESSES,
    panic::ANCHOR,
    "Error: \"Test failed: ",
    report::ABORTED,
    REASON,
];

/// Places in [`SOUGHT`].
pub(super) const RUNNING: u32 = 0;
const RETURNED: u32 = 1;
const IN_PIN: u32 = 5;
const SECTION: u32 = 6;
const EVENT: u32 = 7;

/// In an error of the runner's, printed for programmers.
const REASON: &str = "(Reason(";

/// In a pin's name.
const PIN: &str = "_pin_";

/// How the message of most panics begins that tell of a property.
const REPORT: &[u8] = b"Test ";

/// In the line that says whose output follows.
pub(super) const HEADING: &str = "stdout ----";

/// In an event of JSON that tells of a test that failed, and in a file of JUnit XML.
const NAME_OF_EVENT: &str = "event\":";
const FAILED_CASE: &str = "<failure ";

/// How far around what says something the panics are read whosever they are: others may write among its lines.
const NEAR: usize = 8 << 10;

/// How far a panic of the same thread is looked for, in bytes.
const FAR: usize = 256 << 10;

/// The same where none was found nearer.
const FARTHEST: usize = 4 << 20;

/// Bytes that are searched at first on the way back, and at once at most.
const STRETCH: usize = 2 << 10;
const LONGEST_STRETCH: usize = 64 << 10;

/// Marks that a thread is begun for.
const FEWEST: usize = 256;

/// Longest name of a thread that is told, with what stands around it.
const LONGEST_NAME: usize = 1 << 10;

/// Whether what is sought says something there.
fn look(bytes: &[u8], needle: u32, offset: usize) -> bool {
    match needle {
        RETURNED => seen::may_be_returned(&bytes[offset..]),
        IN_PIN => may_fail(&bytes[offset..]),
        SECTION => tells_nothing_again_and_again(bytes, offset),
        EVENT => bytes[offset + NAME_OF_EVENT.len()..].trim_ascii_start().starts_with(b"\"failed\""),
        _ => true,
    }
}

/// Whether a pin's name ends in the text that begins with [`PIN`], and libtest does not say after it that it passed.
fn may_fail(text: &[u8]) -> bool {
    let end = PIN.len() + DIGITS;
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    text.get(..end).is_some_and(is_pin) && !text.get(end).is_some_and(goes_on) && !text[end..].starts_with(b" ... ok\n")
}

/// The output whose heading holds `offset`.
fn section(bytes: &[u8], offset: usize) -> &[u8] {
    let text = &bytes[offset..bytes.len().min(offset + FARTHEST)];
    let rest = &text[HEADING.len()..];
    memmem::find(rest, HEADING.as_bytes()).map_or(rest, |end| &rest[..end])
}

/// Whether a test panicked more than once in the output whose heading holds `offset`, and no report stands there: so ends a
/// property whose making of inputs panics.
fn tells_nothing_again_and_again(bytes: &[u8], offset: usize) -> bool {
    // Most outputs tell by their first panic that they are not of that kind, and where they end is then not looked for.
    let near = &bytes[offset..bytes.len().min(offset + FARTHEST)];
    let mut panics = lines_with(near, panic::ANCHOR);
    let Some(first) = panics.next() else { return false };
    if line_after(near, first).is_some_and(|line| near[line.range()].starts_with(REPORT)) {
        return false;
    }
    let Some(second) = panics.next() else { return false };
    let is_other = |text: &[u8], sought: &str| memmem::find(text, sought.as_bytes()).is_some();
    if is_other(&near[HEADING.len()..second.start], HEADING) {
        return false;
    }
    let output = section(bytes, offset);
    ![report::ANY_FAILED, report::ABORTED, REASON].iter().any(|report| is_other(output, report))
}

/// The places to read, by offset and one on a line: `marks` and the panics near them.
pub(super) fn near(bytes: &[u8], marks: &[Hit]) -> Vec<Hit> {
    let size = marks.len().div_ceil(threads::most()).max(FEWEST);
    let starts = (0..marks.len()).step_by(size);
    let near = threads::each(starts, |start| {
        let (earlier, later) = marks.split_at(start);
        let last = earlier.iter().rev().find(|mark| looks_back(mark.needle));
        near_some(bytes, &later[..size.min(later.len())], last.map_or(0, |last| line_at(bytes, last.offset).start))
    });
    let mut places = near.concat();
    places.sort_unstable_by_key(|place| place.offset);
    places.dedup_by_key(|place| place.line);
    places
}

/// Whether the panics before such a mark may be of it.
fn looks_back(needle: u32) -> bool {
    !matches!(needle, IN_PIN | SECTION | EVENT)
}

/// The same of some marks, in no order and some lines twice; the panics before `floor` are looked at for earlier ones.
fn near_some(bytes: &[u8], marks: &[Hit], floor: usize) -> Vec<Hit> {
    let mut near = Near { bytes, places: Vec::with_capacity(marks.len() * 3), floor, ahead: Ahead::default() };
    let mut last_lines = [0; SOUGHT.needles.len()];
    for &mark in marks {
        // A line says one thing, however often a text stands in it.
        let last_line = last_lines.get_mut(mark.needle as usize);
        if last_line.is_some_and(|last| std::mem::replace(last, mark.line) == mark.line) {
            continue;
        }
        match mark.needle {
            IN_PIN => near.one_after(mark, FARTHEST),
            SECTION => near.all_of_section(mark),
            EVENT => {}
            RETURNED => {
                near.before(mark);
                near.one_after(mark, FAR);
            }
            _ => near.before(mark),
        }
        near.places.push(mark);
    }
    near.places
}

/// What stands near the marks so far.
struct Near<'a> {
    bytes: &'a [u8],
    places: Vec<Hit>,
    /// Before this offset the panics were looked at for an earlier mark.
    floor: usize,
    ahead: Ahead,
}

/// How far panics were looked for ahead of marks.
#[derive(Default)]
struct Ahead {
    /// The one found last.
    found: Option<usize>,
    /// From it, or from where the search began, up to here there is no other.
    searched: usize,
}

impl Ahead {
    fn next(&mut self, bytes: &[u8], from: usize, end: usize) -> Option<usize> {
        if self.found.is_none_or(|found| found < from) {
            let from = from.max(self.searched);
            let reach = end.saturating_add(panic::ANCHOR.len() - 1).min(bytes.len());
            let text = bytes.get(from..reach)?;
            self.found = memmem::find(text, panic::ANCHOR.as_bytes()).map(|at| from + at);
            self.searched = self.found.map_or(end.min(bytes.len()), |found| found + 1);
        }
        self.found.filter(|found| (from..end).contains(found))
    }
}

impl Near<'_> {
    /// Adds the first panic on a mark's line or after it.
    fn one_after(&mut self, mark: Hit, reach: usize) {
        let start = line_at(self.bytes, mark.offset).start;
        let found = self.ahead.next(self.bytes, start, mark.offset.saturating_add(reach));
        let line = |offset: usize| mark.line + line_feeds(&self.bytes[start..offset]);
        self.places.extend(found.map(|offset| Hit { offset, line: line(offset), ..mark }));
    }

    /// Adds the panics of the output under a heading.
    fn all_of_section(&mut self, mark: Hit) {
        let (mut line, mut counted) = (mark.line, mark.offset);
        for at in memmem::find_iter(section(self.bytes, mark.offset), panic::ANCHOR) {
            let offset = mark.offset + HEADING.len() + at;
            line += line_feeds(&self.bytes[counted..offset]);
            counted = offset;
            self.places.push(Hit { offset, line, ..mark });
        }
    }

    /// Adds the panics before a mark or on its line that it may be of: all that are near, and the last one more of the same
    /// thread, up to the heading of the output they stand in.
    fn before(&mut self, mark: Hit) {
        let own = line_at(self.bytes, mark.offset);
        // Behind what a service puts before each line, lines of another job may stand between.
        let alone = own.start == mark.offset || self.bytes[own.range()].starts_with(panic::START.as_bytes());
        let floor = std::mem::replace(&mut self.floor, mark.offset);
        let at_most = |reach: usize| mark.offset.saturating_sub(reach).max(floor);
        let (mut line, mut counted, mut thread) = (mark.line, mark.offset, None);
        let mut lowest = at_most(FARTHEST);
        while let Some(offset) = last_panic(&self.bytes[..counted], lowest) {
            let between = &self.bytes[offset..counted];
            if alone && heads(between) {
                break;
            }
            line -= line_feeds(between);
            counted = offset;
            let here = name(self.bytes, offset);
            let (is_near, same) = (mark.offset - offset <= NEAR, thread.is_none_or(|thread| thread == here));
            if is_near || same {
                self.places.push(Hit { offset, line, ..mark });
            }
            if !is_near && same {
                break;
            }
            thread.get_or_insert(here);
            lowest = at_most(FAR);
        }
    }
}

/// The last panic in `text` from `floor` on, looked for a stretch at a time: most stand near, and from its front a text is
/// searched many times faster than from behind.
fn last_panic(text: &[u8], floor: usize) -> Option<usize> {
    let (mut from, mut stretch, mut end) = (text.len(), STRETCH, text.len());
    while from > floor {
        from = from.saturating_sub(stretch).max(floor);
        let last = memmem::find_iter(&text[from..end], panic::ANCHOR).last();
        if last.is_some() {
            return last.map(|at| from + at);
        }
        end = (from + panic::ANCHOR.len() - 1).min(text.len());
        stretch = (stretch * 2).min(LONGEST_STRETCH);
    }
    None
}

/// Whether a section's heading stands at the start of a line.
fn heads(text: &[u8]) -> bool {
    lines_with(text, HEADING).any(|line| text[line.range()].starts_with(b"---- "))
}

/// The name of the thread in the panic's first line that holds `offset`.
fn name(bytes: &[u8], offset: usize) -> &[u8] {
    let front = &bytes[offset.saturating_sub(LONGEST_NAME)..offset];
    let front = &front[memrchr(b'\n', front).map_or(0, |at| at + 1)..];
    let Some(at) = memmem::rfind(front, panic::START.as_bytes()) else { return front };
    let rest = &front[at + panic::START.len()..];
    &rest[..memchr(b'\'', rest).unwrap_or(rest.len())]
}

#[cfg(test)]
mod tests {
    use super::{FARTHEST, FEWEST, NEAR, RUNNING, SOUGHT, near, near_some};
    use crate::carrier::scan;
    use crate::run_output::RunOutput;

    /// The lines that are read of a log.
    #[track_caller]
    fn check(log: &str, expected: &[u64]) {
        let mut marks = scan::find(&RunOutput::new("log", log.as_bytes()), SOUGHT).hits;
        marks.retain(|mark| mark.needle != RUNNING);
        let lines: Vec<u64> = near(log.as_bytes(), &marks).iter().map(|place| place.line).collect();
        assert_eq!(lines, expected, "{log}");
    }

    fn panic(thread: &str, says: &str) -> String {
        format!("thread '{thread}' (7) panicked at src/x.rs:1:2:\n{says}\n")
    }

    #[test]
    fn panics_that_others_expect_are_not_read() {
        let log = [panic("a", "no"), "test a ... ok\n".to_owned()].concat().repeat(3);
        check(&log, &[]);
        check(&format!("{log}---- b stdout ----\n\n{}", panic("b", "Test failed: no.")), &[12, 13]);
    }

    #[test]
    fn near_a_report_all_panics_are_read_and_farther_the_last_of_its_thread() {
        let report = panic("b", "Test failed: no.");
        check(&[panic("b", "one"), panic("a", "two"), report.clone()].concat(), &[1, 3, 5, 6]);
        let far = "x\n".repeat(NEAR / 2);
        let thrice = [panic("b", "one"), panic("b", "two"), panic("a", "three")].concat();
        check(&[&thrice, &far, &report].map(String::as_str).concat(), &[3, 4103, 4104]);
        check(&[thrice, "---- b stdout ----\n".to_owned(), report].concat(), &[8, 9]);
    }

    #[test]
    fn of_what_a_service_marks_the_headings_of_other_jobs_end_nothing() {
        let log = "a  | thread 'x' panicked at src/x.rs:1:2:\nb  | ---- y stdout ----\na  | Test failed: no.\n";
        check(log, &[1, 3]);
    }

    #[test]
    fn output_with_several_panics_and_no_report_is_read_whole() {
        let heading = "---- a stdout ----\n";
        let twice = panic("a", "no").repeat(2);
        check(&[heading, &twice, heading, &panic("a", "no")].concat(), &[1, 2, 4]);
        check(&[heading, &twice, &panic("a", "Test failed: no.")].concat(), &[2, 4, 6, 7]);
    }

    #[test]
    fn the_panic_of_a_pin_is_read_wherever_its_name_stands() {
        check(&panic("a_pin_0123abc", "no"), &[1]);
        check("test a_pin_0123abc ... thread 'main' panicked at src/x.rs:1:2:\nno\n", &[1]);
        check(&["---- a_pin_0123abc stdout ----\n\n", &panic("main", "no")].concat(), &[1, 3]);
        check(&["test a_pin_0123abc ... ok\n", &panic("main", "no")].concat(), &[]);
        check(&["test a_pin_0123abcd ... FAILED\n", &panic("main", "no")].concat(), &[]);
    }

    #[test]
    fn an_error_that_a_test_returned_is_read_with_the_panics_around() {
        let error = "Error: \"Test aborted: no\"\n";
        check(&[&panic("a", "one"), error, "\n", &panic("b", "two"), &panic("b", "three")].concat(), &[1, 3, 5]);
    }

    #[test]
    fn events_and_cases_of_tests_that_failed_are_read() {
        check("{ \"event\": \"ok\" }\n{ \"event\": \"failed\" }\n{\"event\":\"failed\"}\n[\"failed\"]\n", &[2, 3]);
        check("<testsuite>\n<failure message=\"no\"/>\n", &[2]);
    }

    #[test]
    fn several_threads_find_what_one_would() {
        let report = [panic("b", "one"), "x\n".repeat(NEAR / 2), panic("a", "Test failed: no.")].concat();
        let log =
            [report, "PASS a_pin_0123abc\n".to_owned(), "---- b stdout ----\n".to_owned()].concat().repeat(FEWEST * 2);
        let mut marks = scan::find(&RunOutput::new("log", log.as_bytes()), SOUGHT).hits;
        marks.retain(|mark| mark.needle != RUNNING);
        let mut of_one = near_some(log.as_bytes(), &marks, 0);
        of_one.sort_unstable_by_key(|place| place.offset);
        of_one.dedup_by_key(|place| place.line);
        assert!(marks.len() > FEWEST * 2);
        assert_eq!(near(log.as_bytes(), &marks), of_one);
    }

    #[test]
    fn a_long_log_of_marks_is_gone_through_once() {
        // What looked back or ahead from each of them as far as it may would take days.
        let pins = "PASS a_pin_0123abc\n".repeat(FARTHEST / 64);
        let reasons = "(Reason(\n".repeat(FARTHEST / 64);
        let log = [pins, reasons].concat();
        let all: Vec<u64> = (1..=(FARTHEST / 32) as u64).collect();
        check(&log, &all);
    }
}
