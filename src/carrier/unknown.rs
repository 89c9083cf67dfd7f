//! What a service that nobody knows puts before each line of a log: its shape is learned from lines of which it is known how
//! they begin. The same shape may stand for other times and counts; all else in it must be the same.

use memchr::memmem;

use super::cargo_log::{self, Mark};
use super::line::{plain, shown};

/// The shape of what stands before a line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shape(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Part {
    /// This very byte.
    Byte(u8),
    /// A number, or part of a date or time.
    Number,
    /// Spaces and tabs.
    Blanks,
}

/// Shapes that one log may have: each line is held against all.
const MOST: usize = 16;

impl Shape {
    /// The shape of what stands before `start` in a line that the program began with it; `None` where nothing does.
    pub fn before(line: &[u8], start: &str) -> Option<Self> {
        let line = shown(line);
        let front = &line[..memmem::find(&line, start.as_bytes())?];
        // With one thread and no capture a test's output begins on the line that names it.
        let opened = front.ends_with(b" ... ").then(|| memmem::rfind(front, b"test ")).flatten();
        let front = opened.map_or(front, |at| &front[..at]).trim_ascii_end();
        (!front.is_empty()).then(|| Shape(parts(front)))
    }

    /// What follows on a line that begins so.
    pub fn after<'l>(&self, line: &'l [u8]) -> Option<&'l [u8]> {
        let mut rest = line;
        for part in &self.0 {
            let length = match part {
                Part::Byte(byte) => usize::from(rest.first() == Some(byte)),
                Part::Number => run(rest, is_of_time),
                Part::Blanks => run(rest, is_blank),
            };
            if length == 0 {
                return None;
            }
            rest = &rest[length..];
        }
        rest.first().is_none_or(is_blank).then_some(rest)
    }

    /// Whether whatever has the other shape has this one as well, with more behind it.
    fn begins(&self, other: &Shape) -> bool {
        self.0.len() < other.0.len() && other.0.starts_with(&self.0) && other.0[self.0.len()] == Part::Blanks
    }
}

/// The log with what has one of the shapes put in a form that is known; lines keep their numbers. `None` where some of the
/// lines around tests stand without anything before them: then the shapes are of a text that somebody quotes.
pub fn known(bytes: &[u8], mut shapes: Vec<Shape>) -> Option<Vec<u8>> {
    shapes.truncate(MOST);
    let whole: Vec<&Shape> = shapes.iter().filter(|shape| !shapes.iter().any(|other| other.begins(shape))).collect();
    let place = |line: &[u8]| whole.iter().enumerate().find_map(|(at, shape)| Some((at, shape.after(line)?.len())));
    let mut gaps: Vec<Option<Vec<u8>>> = vec![None; whole.len()];
    for line in lines(bytes) {
        let line = shown(line);
        match place(&line) {
            Some((at, length)) => narrow(&mut gaps[at], &line[line.len() - length..]),
            None if is_around(&line) => return None,
            None => {}
        }
    }
    let mut text = Vec::with_capacity(bytes.len());
    for line in lines(bytes) {
        let own = shown(line);
        match place(&own) {
            Some((at, length)) => {
                let rest = &own[own.len() - length..];
                let gap = gaps[at].as_deref().unwrap_or_default();
                text.extend_from_slice(format!("{at} | ").as_bytes());
                text.extend_from_slice(rest.strip_prefix(gap).unwrap_or_default());
            }
            None => text.extend_from_slice(line),
        }
        text.push(b'\n');
    }
    Some(text)
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\n").unwrap_or(line))
}

/// Takes note of the blanks with which `rest` begins: those that all lines have belong to what stands before them.
fn narrow(gap: &mut Option<Vec<u8>>, rest: &[u8]) {
    let blanks = &rest[..run(rest, is_blank)];
    if blanks.len() == rest.len() {
        return;
    }
    match gap {
        None => *gap = Some(blanks.to_vec()),
        Some(gap) => gap.truncate(gap.iter().zip(blanks).take_while(|(one, other)| one == other).count()),
    }
}

/// Whether a line is one of those between tests.
fn is_around(line: &[u8]) -> bool {
    matches!(cargo_log::mark(&plain(line)), Some(Mark::Section(_) | Mark::Status(_) | Mark::Between))
}

fn parts(front: &[u8]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = front;
    while let Some(first) = rest.first() {
        let word = &rest[..run(rest, |byte| byte.is_ascii_alphanumeric() || b"_.-".contains(byte))];
        let length = if is_blank(first) {
            parts.push(Part::Blanks);
            run(rest, is_blank)
        } else if word.iter().all(is_of_time) && word.iter().any(u8::is_ascii_digit) {
            parts.push(Part::Number);
            word.len()
        } else {
            let bytes = if word.is_empty() { &rest[..1] } else { word };
            parts.extend(bytes.iter().copied().map(Part::Byte));
            bytes.len()
        };
        rest = &rest[length..];
    }
    parts
}

fn run(bytes: &[u8], is: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| is(byte)).count()
}

fn is_blank(byte: &u8) -> bool {
    b" \t".contains(byte)
}

/// Digits, and what stands between them in a date, a time or a fraction.
fn is_of_time(byte: &u8) -> bool {
    byte.is_ascii_digit() || b".-TZ".contains(byte)
}

#[cfg(test)]
mod tests {
    use super::{Shape, known};

    fn check(front: &str, line: &str, expected: Option<&str>) {
        let shape = Shape::before(format!("{front}thread 'a' panicked").as_bytes(), "thread '").unwrap();
        let after = shape.after(line.as_bytes()).map(|rest| String::from_utf8_lossy(rest).into_owned());
        assert_eq!(after.as_deref(), expected, "{front:?} {line:?}");
    }

    #[test]
    fn times_and_counts_may_differ_and_nothing_else() {
        check("Nov 30 03:12:07 host cargo[812]: ", "Nov  1 13:59:08 host cargo[9]:   x", Some("   x"));
        check("Nov 30 03:12:07 host cargo[812]: ", "Nov 30 03:12:07 host nginx[812]: x", None);
        check("2026-11-30T03:12:07.25Z stdout F ", "2026-11-30T03:12:08Z stdout F", Some(""));
        check("[night:7] ", "[night:12]     1,", Some("     1,"));
        check("[pod/night-7d9-x2/tests] ", "[pod/night-7d8-x2/tests] x", None);
        check("12:01:02  ", "12:01:03  x", Some("  x"));
        check("a-1 ", "a-1x", None);
        check("a-1 test t ... ", "a-1 test t ... x", Some(" test t ... x"));
        assert_eq!(Shape::before(b"   thread 'a'", "thread '"), None);
    }

    fn check_known(front: &str, log: &str, expected: Option<&str>) {
        let shapes = front.split('|').map(|front| Shape::before(format!("{front}thread '").as_bytes(), "thread '"));
        let found = known(log.as_bytes(), shapes.map(Option::unwrap).collect());
        assert_eq!(found.map(|text| String::from_utf8(text).unwrap()).as_deref(), expected, "{log}");
    }

    #[test]
    fn lines_lose_what_stands_before_them_and_nothing_of_their_own() {
        check_known("x 1: ", "x 1:  a\nx 2:   b\nx 3:\nx 4: x 5: c", Some("0 |  a\n0 |   b\n0 | \n0 | x 5: c\n"));
        check_known("x 1: ", "x 1:  a\nother\nx 2:  b\n", Some("0 | a\nother\n0 | b\n"));
        check_known("x: |y: ", "x: a\ny: b\n", Some("0 | a\n1 | b\n"));
        check_known("x: |x: > ", "x: > a\n", Some("0 | > a\n"));
    }

    #[test]
    fn a_quoted_log_stays_what_it_is() {
        check_known("> ", "> a\ntest result: FAILED. 0 passed\n", None);
        check_known("> ", "> a\n> test result: FAILED. 0 passed\n", Some("0 | a\n0 | test result: FAILED. 0 passed\n"));
    }
}
