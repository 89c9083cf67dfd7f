//! A Rust panic as the standard library prints it, old form and new: its first line, and its message.

use std::borrow::Cow;

use super::cargo_log::{self, Mark};
use crate::failure::{ForeignPath, Location};

/// A panic's first line, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The thread's name.
    pub thread: String,
    /// Its number, which rustc prints since 1.91.
    pub number: Option<u64>,
    /// Where the panic was raised. Before rustc 1.73 it stands after the message.
    pub location: Option<Location>,
    /// What of the message stands on this very line: before rustc 1.73 all or its first line, without the open quote.
    pub message: Option<String>,
}

/// How every header begins.
pub const START: &str = "thread '";

/// What every header holds.
pub const ANCHOR: &str = "panicked at";

impl Header {
    /// Takes a line apart that begins with [`START`]; `None` where it is no panic's first line.
    pub fn parse(line: &str) -> Option<Self> {
        let (thread, rest) = line.strip_prefix(START)?.split_once("' ")?;
        let (number, rest) = match rest.strip_prefix('(').and_then(|rest| rest.split_once(") ")) {
            Some((digits, rest)) => (Some(digits.parse().ok()?), rest),
            None => (None, rest),
        };
        let rest = rest.strip_prefix(ANCHOR)?.strip_prefix(' ')?;
        let header = |location, message| Header { thread: thread.to_owned(), number, location, message };
        if let Some(message) = rest.strip_prefix('\'') {
            return Some(match message.rsplit_once("', ").and_then(|(text, place)| Some((text, location(place)?))) {
                Some((text, place)) => header(Some(place), Some(text.to_owned())),
                None => header(None, Some(message.to_owned())),
            });
        }
        Some(header(Some(location(rest.strip_suffix(':')?)?), None))
    }

    /// Whether both are of one thread, as far as is told.
    pub fn same_thread(&self, other: &Header) -> bool {
        self.thread == other.thread && (self.number == other.number || self.number.is_none() || other.number.is_none())
    }
}

/// `file:line` or `file:line:column`.
pub fn location(text: &str) -> Option<Location> {
    let (front, last) = text.rsplit_once(':')?;
    let last = last.parse().ok()?;
    let three = front.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    let (file, line, column) = match three {
        Some((file, line)) => (file, line, Some(last)),
        None => (front, last, None),
    };
    let fits = !file.is_empty() && !file.contains(['\n', '\'', '"']);
    fits.then(|| Location { file: ForeignPath(file.to_owned()), line, column })
}

/// No more of a message than this is read.
const MOST_MESSAGE: usize = 16 << 20;

impl Header {
    /// The message, and where the panic was raised. `lines` are those of the message, with what of it stands on the first
    /// line; it ends where one of them `ends` it.
    pub fn message<'l>(
        &self,
        lines: impl Iterator<Item = Cow<'l, str>>,
        ends: impl Fn(&str) -> bool,
    ) -> (String, Option<Location>) {
        let mut message = String::new();
        let mut place = self.location.clone();
        for line in lines {
            if ends(&line) || message.len() > MOST_MESSAGE {
                break;
            }
            // Before rustc 1.73 the place stands after a message of several lines.
            if place.is_none()
                && let Some((end, old_place)) = line.rsplit_once("', ")
                && let Some(old_place) = location(old_place)
            {
                message.push_str(end);
                place = Some(old_place);
                break;
            }
            message.push_str(&line);
            message.push('\n');
        }
        message.truncate(message.trim_end().len());
        (message, place)
    }
}

/// Whether a line follows a panic's message and is no part of it.
pub fn ends_message(line: &str) -> bool {
    line.starts_with("note: ")
        || line.starts_with(START) && Header::parse(line).is_some()
        || line == "stack backtrace:"
        || cargo_log::mark(line).is_some()
}

/// What the last panic of the test called `test` says, and where it was, in the plain output of a command that ran it. Where
/// threads have no names of tests, the heading before it says whose it is.
pub fn last_of(test: &str, text: &str) -> Option<(String, Option<Location>)> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut section, mut last) = (None, None);
    for (at, line) in lines.iter().enumerate() {
        if let Some(Mark::Section(heading) | Mark::Open { test: heading, .. }) = cargo_log::mark(line) {
            section = Some(heading);
        }
        let Some(header) = Header::parse(line.trim_start()) else { continue };
        let is_headed = || header.thread == "main" && section.as_ref().is_some_and(|heading| heading.0 == test);
        if header.thread == test || is_headed() {
            last = Some((at, header));
        }
    }
    let (at, header) = last?;
    // What it says stands as far in as its first line.
    let indent = lines[at].len() - lines[at].trim_start().len();
    let rest = lines[at + 1..].iter().map(|line| match line.split_at_checked(indent) {
        Some((blank, own)) if blank.trim().is_empty() => own,
        _ => line.trim_start(),
    });
    let first = header.message.as_deref().into_iter();
    let (message, place) = header.message(first.chain(rest).map(Cow::from), ends_message);
    Some((message, place))
}

#[cfg(test)]
mod tests {
    use super::{Header, last_of, location};
    use crate::failure::{ForeignPath, Location};

    fn place(file: &str, line: u32, column: Option<u32>) -> Location {
        Location { file: ForeignPath(file.to_owned()), line, column }
    }

    fn check(line: &str, number: Option<u64>, location: Option<Location>, message: Option<&str>) {
        let expected = Header { thread: "a::b".to_owned(), number, location, message: message.map(str::to_owned) };
        assert_eq!(Header::parse(line), Some(expected), "{line}");
    }

    #[test]
    fn headers_of_all_compilers_are_read() {
        check("thread 'a::b' (12) panicked at src/x.rs:3:1:", Some(12), Some(place("src/x.rs", 3, Some(1))), None);
        check("thread 'a::b' panicked at src/x.rs:3:1:", None, Some(place("src/x.rs", 3, Some(1))), None);
        let old = "thread 'a::b' panicked at 'it's, no', src/x.rs:3:1";
        check(old, None, Some(place("src/x.rs", 3, Some(1))), Some("it's, no"));
        check("thread 'a::b' panicked at 'first line", None, None, Some("first line"));
    }

    #[test]
    fn other_lines_are_no_headers() {
        for line in
            ["", "thread 'a", "thread 'a' has overflowed its stack", "thread 'a' panicked at noon", "the thread 'a'"]
        {
            assert_eq!(Header::parse(line), None, "{line}");
        }
    }

    #[test]
    fn a_location_may_lack_its_column() {
        assert_eq!(location("src/x.rs:80"), Some(place("src/x.rs", 80, None)));
        assert_eq!(location("C:\\x\\y.rs:80:2"), Some(place("C:\\x\\y.rs", 80, Some(2))));
        assert_eq!(location("src/x.rs"), None);
        assert_eq!(location(":1:2"), None);
    }

    #[test]
    fn a_test_says_what_its_last_panic_said() {
        let text = "thread 'a::b' (1) panicked at src/x.rs:3:1:\nfirst\n\nthread 'a::b' (1) panicked at src/x.rs:4:1:\nsecond\n  of two\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\n---- c stdout ----\n\nthread 'main' panicked at 'it's\nno', src/y.rs:5:2\n\n\nfailures:\n    c\n";
        let check = |test: &str, expected: Option<(&str, Location)>| {
            let expected = expected.map(|(message, place)| (message.to_owned(), Some(place)));
            assert_eq!(last_of(test, text), expected, "{test}");
        };
        check("a::b", Some(("second\n  of two", place("src/x.rs", 4, Some(1)))));
        check("c", Some(("it's\nno", place("src/y.rs", 5, Some(2)))));
        check("b", None);
        let indented = format!("    {}", text.replace('\n', "\n    "));
        assert_eq!(last_of("a::b", &indented).unwrap().0, "second\n  of two");
    }
}
