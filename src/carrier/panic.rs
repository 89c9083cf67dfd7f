//! The first line of a Rust panic as the standard library prints it, old form and new.

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

#[cfg(test)]
mod tests {
    use super::{Header, location};
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
}
