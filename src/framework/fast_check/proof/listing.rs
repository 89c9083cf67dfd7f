//! How tests came out, as their runner lists them: Vitest names file and suites on the line of each test, Jest the file above
//! them and suites by indentation, Node's runner suites alone.

use super::super::read::{BETWEEN, bare_title, is_file};
use crate::failure::ForeignPath;
use crate::locate;
use crate::proof::StandingPin;

/// A line that says how a test came out.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Its file, as far as that is told.
    file: Option<String>,
    /// Suites and title.
    title: String,
    /// Whether it passed.
    pub(super) passed: bool,
}

/// What stands above what Node's runner says once more of the tests that failed.
const AGAIN: &str = "✖ failing tests:";

/// The lines of `text` that say how a test came out.
pub(super) fn listing(text: &str) -> Vec<Line> {
    let mut list = List::default();
    text.lines().take_while(|line| *line != AGAIN).for_each(|line| list.take(line));
    list.lines
}

#[derive(Default)]
struct List {
    lines: Vec<Line>,
    /// The file that tests are listed of.
    file: Option<String>,
    /// Suites around the next line, each with its indentation.
    suites: Vec<(usize, String)>,
    /// Whether lines without a mark are suites.
    in_file: bool,
}

impl List {
    fn take(&mut self, line: &str) {
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        match text.chars().next() {
            None => {
                self.in_file = false;
                return;
            }
            Some(mark @ ('✓' | '✔' | '√')) => return self.test(indent, &text[mark.len_utf8()..], true),
            Some(mark @ ('×' | '✕' | '✖')) => return self.test(indent, &text[mark.len_utf8()..], false),
            Some(mark @ '▶') => return self.suite(indent, &text[mark.len_utf8()..]),
            Some(_) => {}
        }
        if let Some(file) = ["PASS ", "FAIL "].iter().find_map(|word| file_after(line.strip_prefix(word)?)) {
            self.file = Some(file.to_owned());
            self.suites.clear();
            self.in_file = true;
        } else if self.in_file && indent > 0 {
            self.suite(indent, text);
        }
    }

    fn suite(&mut self, indent: usize, title: &str) {
        self.suites.retain(|(outer, _)| *outer < indent);
        self.suites.push((indent, bare_title(title.trim()).to_owned()));
    }

    fn test(&mut self, indent: usize, text: &str, passed: bool) {
        let text = text.trim();
        let is_time = |time: &str| time.ends_with("ms") && time.starts_with(|c: char| c.is_ascii_digit());
        let timed = text.rsplit_once(' ').filter(|(_, time)| is_time(time));
        let title = bare_title(timed.map_or(text, |(title, _)| title));
        if title.is_empty() {
            return;
        }
        let named = title.split_once(BETWEEN).and_then(|(first, rest)| Some((file_after(first)?, rest)));
        let (file, title) = match named {
            Some((file, rest)) => (Some(file.to_owned()), rest.to_owned()),
            None => {
                self.suites.retain(|(outer, _)| *outer < indent);
                let parts = self.suites.iter().map(|(_, suite)| suite.as_str()).chain([title]);
                (self.file.clone(), parts.collect::<Vec<_>>().join(BETWEEN))
            }
        };
        self.lines.push(Line { file, title, passed });
    }
}

/// The file that `text` names, perhaps with its project in front and how long it took after it.
fn file_after(text: &str) -> Option<&str> {
    if text.contains(BETWEEN) { None } else { text.split_whitespace().find(|word| is_file(word)) }
}

/// The lines of the test of `pin`, which its runner calls `name`: those of that very name, else those that may be its.
pub(super) fn lines_of<'l>(lines: &'l [Line], pin: &StandingPin, name: &str) -> Vec<&'l Line> {
    let may_be = |line: &&Line| is_in_file(line.file.as_deref(), pin) && is_named(&line.title, name);
    let mut own: Vec<&Line> = lines.iter().filter(may_be).collect();
    if own.iter().any(|line| line.title == name) {
        own.retain(|line| line.title == name);
    }
    own
}

/// Whether `file`, as far as it is told, may be that of `pin`.
pub(super) fn is_in_file(file: Option<&str>, pin: &StandingPin) -> bool {
    let told = file.map(|file| ForeignPath(file.to_owned())).zip(pin.file.as_ref());
    told.is_none_or(|(file, own)| locate::means(&file, own))
}

/// Whether two names may be of one test: one of them perhaps leaves out suites.
pub(super) fn is_named(one: &str, other: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|front| front.is_empty() || front.ends_with(BETWEEN))
    };
    ends(one, other) || ends(other, one)
}

#[cfg(test)]
mod tests {
    use super::{lines_of, listing};
    use crate::proof::StandingPin;
    use crate::proof::testing::blank_pin;
    use crate::repo_path::RepoPath;

    #[track_caller]
    fn check(text: &str, expected: &[(Option<&str>, &str, bool)]) {
        let found = listing(text);
        let found: Vec<_> = found.iter().map(|line| (line.file.as_deref(), line.title.as_str(), line.passed)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn vitest_names_file_and_suites_of_each_test() {
        check(
            " ✓ test/a.test.js > s > t (with seed=4) 3ms\n × |web| test/b.test.js > t 12ms\n   → no\n FAIL  c.js > x\n",
            &[(Some("test/a.test.js"), "s > t", true), (Some("test/b.test.js"), "t", false)],
        );
    }

    #[test]
    fn jest_names_the_file_and_suites_above_their_tests() {
        check(
            "FAIL test/a.test.js (5.1 s)\n  s\n    in s\n      ✕ t (3 ms)\n    ✓ u\n  ✓ v\n\n  ● s › in s › t\n\n    no\n\
             PASS web test/b.test.js\n  ✓ t (1 ms)\n",
            &[
                (Some("test/a.test.js"), "s > in s > t", false),
                (Some("test/a.test.js"), "s > u", true),
                (Some("test/a.test.js"), "v", true),
                (Some("test/b.test.js"), "t", true),
            ],
        );
    }

    #[test]
    fn node_names_suites_alone_and_says_once_more_what_failed() {
        check(
            "▶ s\n  ✖ t (1.5ms)\n▶ s (2.1ms)\n▶ r\n  ✔ t (0.2ms)\n✔ u (3ms)\n✖ failing tests:\n\ntest at a.js:1:2\n✖ t (1.5ms)\n",
            &[(None, "s > t", false), (None, "r > t", true), (None, "u", true)],
        );
    }

    #[test]
    fn a_test_is_told_by_its_file_and_its_whole_name() {
        let lines =
            listing(" ✓ test/a.test.js > s > t 3ms\n × test/b.test.js > s > t 3ms\n × test/a.test.js > t 3ms\n");
        let passed = |file: &str, name: &str| {
            let pin = StandingPin { file: RepoPath::new(file), ..blank_pin("fast-check", name) };
            lines_of(&lines, &pin, name).iter().map(|line| line.passed).collect::<Vec<_>>()
        };
        assert_eq!(passed("test/a.test.js", "s > t"), [true]);
        assert_eq!(passed("test/b.test.js", "t"), [false]);
        assert_eq!(passed("test/a.test.js", "t"), [false]);
        assert_eq!(passed("pay/test/a.test.js", "q > s > t"), [true, false]);
    }
}
