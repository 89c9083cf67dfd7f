//! What test runners print around reports: which test one belongs to, and whether what looks like one was printed by the
//! test itself. Lines are taken in their order; a report is asked about where it begins.

use std::collections::HashMap;

use super::frames::place_of;
use super::title::{BETWEEN, is_file, untimed};
use crate::failure::{ForeignPath, Location};

/// How lines begin that tell something of tests, of those that begin with a letter.
pub(super) const MARKS: [&str; 9] =
    ["FAIL ", "test at ", "ok ", "not ok ", "location: '", "stdout | ", "stderr | ", "console.", "Unhandled "];

/// Whose report it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Owner {
    /// Suites and title, outermost first.
    pub(super) titles: Vec<String>,
    /// The file, where it is told.
    pub(super) file: Option<String>,
    /// Where the test stands in it, where that is told.
    pub(super) at: Option<Location>,
}

impl Owner {
    /// The owner whose parts are `parts`, the first of which may be a file with a place in it.
    pub(super) fn of<T: AsRef<str>>(parts: &[T]) -> Owner {
        let mut titles: Vec<String> = parts.iter().map(|part| part.as_ref().trim().to_owned()).collect();
        let place = titles.first().and_then(|first| place_of(first)).filter(|place| is_file(&place.file));
        let at = place.map(|place| Location { file: ForeignPath(place.file), line: place.line, column: place.column });
        let named = titles.first().is_some_and(|first| is_file(first));
        let first = (named || at.is_some()).then(|| titles.remove(0));
        let file = at.as_ref().map(|at| at.file.0.clone()).or(first);
        Owner { titles, file, at }
    }
}

/// What is known of a report that begins here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// It is of these tests: Vitest prints once what several have in common.
    Owners(Vec<Owner>),
    /// No test is named, though the runner shows it as an error.
    Unhandled,
    /// No test is named, and nothing says that a test printed it.
    Nobody,
    /// A test printed it.
    Output,
}

/// What the lines so far say.
#[derive(Default)]
pub(super) struct Marks {
    /// Tests named right before.
    owners: Vec<Owner>,
    /// They are named in TAP, where keys of YAML follow.
    in_tap: bool,
    /// The file that the runner is at.
    file: Option<String>,
    /// Open suites with their indentation.
    suites: Vec<(usize, String)>,
    /// Names of failed tests by what a later list calls them.
    known: HashMap<String, Vec<String>>,
    /// Where the next test of a list stands.
    at: Option<Location>,
    /// The last line opened a block of YAML.
    block: bool,
    /// What a test printed goes on.
    output: bool,
    /// The runner shows errors that no test is named for.
    unhandled: bool,
    /// A runner was seen that names every test that failed and does not tell output from its own.
    is_plain_runner: bool,
}

impl Marks {
    /// Takes the next line.
    pub(super) fn take(&mut self, line: &str) {
        let text = line.trim();
        if text.is_empty() {
            return;
        }
        self.block = false;
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let marked = self.failed(text)
            || self.listed(text)
            || self.jest(text)
            || self.spec(text, indent)
            || self.tap(text, indent);
        if marked || self.printed(text) || self.key(text) {
            return;
        }
        if let Some(name) = text.trim_matches(['⎯', ' ']).strip_prefix("Unhandled ") {
            self.unhandled = text.starts_with('⎯') && !name.is_empty();
            self.output = false;
        }
        self.owners.clear();
    }

    /// Takes a line that tells nothing; whether it could be taken without a look at it, as it cannot among keys of TAP.
    pub(super) fn pass_over(&mut self) -> bool {
        if !self.in_tap {
            self.block = false;
            self.owners.clear();
        }
        !self.in_tap
    }

    /// What is known of a report that begins on the next line.
    pub(super) fn before(&mut self) -> Before {
        let owners = std::mem::take(&mut self.owners);
        if !owners.is_empty() {
            return Before::Owners(owners);
        }
        match (self.output || self.is_plain_runner, self.unhandled) {
            (true, _) => Before::Output,
            (false, true) => Before::Unhandled,
            (false, false) => Before::Nobody,
        }
    }

    /// Whether the line before opened a block of YAML.
    pub(super) fn in_block(&self) -> bool {
        self.block
    }

    /// ` FAIL  file > suite > title`, and Jest's `FAIL file`.
    fn failed(&mut self, text: &str) -> bool {
        let Some(rest) = text.strip_prefix("FAIL ") else { return false };
        let rest = rest.trim_start();
        // The project of a workspace stands in front.
        let rest =
            rest.strip_prefix('|').and_then(|rest| rest.split_once("| ")).map_or(rest, |(_, rest)| rest.trim_start());
        if !rest.contains(BETWEEN) {
            let file = untimed(rest).split(' ').find(|word| is_file(word));
            self.file = file.map(str::to_owned).or_else(|| self.file.take());
            self.owners.clear();
            self.output = false;
            return file.is_some();
        }
        let owner = Owner::of(&rest.split(BETWEEN).collect::<Vec<_>>());
        if owner.file.is_none() {
            return false;
        }
        if self.in_tap {
            self.owners.clear();
        }
        (self.in_tap, self.output, self.unhandled) = (false, false, false);
        self.owners.push(owner);
        true
    }

    /// Vitest's list: `❯ file (2 tests | 1 failed) 3ms`, and `× file > suite > title 3ms` or `× title 3ms` in it.
    fn listed(&mut self, text: &str) -> bool {
        if let Some((file, _)) = text.strip_prefix("❯ ").and_then(|rest| rest.split_once(" (")) {
            self.file = is_file(file).then(|| file.to_owned()).or_else(|| self.file.take());
            self.owners.clear();
            return true;
        }
        let Some(rest) = text.strip_prefix("× ") else { return false };
        let timed = rest
            .rsplit_once(' ')
            .filter(|(_, time)| time.ends_with('s') && time.starts_with(|c: char| c.is_ascii_digit()));
        let title = timed.map_or(rest, |(title, _)| title);
        let mut owner = Owner::of(&title.split(BETWEEN).collect::<Vec<_>>());
        owner.file = owner.file.or_else(|| self.file.clone());
        (self.in_tap, self.output) = (false, false);
        self.owners = vec![owner];
        true
    }

    /// `● suite › title`.
    fn jest(&mut self, text: &str) -> bool {
        let Some(rest) = text.strip_prefix("● ") else { return false };
        self.owners.clear();
        self.output = rest == "Console";
        if !self.output {
            let titles = rest.split(" › ").map(str::to_owned).collect();
            self.owners.push(Owner { titles, file: self.file.clone(), at: None });
            self.in_tap = false;
        }
        true
    }

    /// `▶ suite`, `✖ title (1.5ms)` and `test at file:1:2` of Node.
    fn spec(&mut self, text: &str, indent: usize) -> bool {
        if let Some(suite) = text.strip_prefix("▶ ") {
            self.open(indent, untimed(suite));
            return true;
        }
        if let Some(place) = text.strip_prefix("test at ").and_then(place_of) {
            self.at = Some(Location { file: ForeignPath(place.file), line: place.line, column: place.column });
            self.owners.clear();
            return true;
        }
        let Some(timed) = text.strip_prefix("✖ ") else { return false };
        let title = untimed(timed);
        if title == timed {
            return false;
        }
        let mut titles = self.around(indent);
        titles.push(title.to_owned());
        if titles.len() == 1
            && let Some(known) = self.known.get(timed)
        {
            titles.clone_from(known);
        }
        self.known.insert(timed.to_owned(), titles.clone());
        let at = self.at.take();
        let file = at.as_ref().map(|at| at.file.0.clone());
        self.owners = vec![Owner { titles, file, at }];
        (self.in_tap, self.is_plain_runner) = (false, true);
        true
    }

    /// `# Subtest: title` and `not ok 1 - title`.
    fn tap(&mut self, text: &str, indent: usize) -> bool {
        if let Some(title) = text.strip_prefix("# Subtest: ") {
            self.open(indent, &unescaped(title));
            self.is_plain_runner = true;
            return true;
        }
        let Some(rest) = text.strip_prefix("not ").unwrap_or(text).strip_prefix("ok ") else { return false };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Some(title) = rest[digits..].strip_prefix(" - ").filter(|_| digits > 0) else { return false };
        let opens = title.strip_suffix('{').map(str::trim_end);
        let title = opens.unwrap_or(title);
        let title = unescaped(title.rsplit_once(" # ").map_or(title, |(title, _)| title));
        self.owners.clear();
        if opens.is_some() {
            self.open(indent, &title);
        } else if text.starts_with("not ") {
            let mut parts = self.around(indent);
            parts.extend(title.split(BETWEEN).map(str::to_owned));
            self.owners.push(Owner::of(&parts));
            self.in_tap = true;
        }
        true
    }

    /// A key of the YAML that follows a test in TAP.
    fn key(&mut self, text: &str) -> bool {
        if !self.in_tap || self.owners.is_empty() {
            return false;
        }
        if let Some(place) = text.strip_prefix("location: '").and_then(|rest| place_of(rest.strip_suffix('\'')?)) {
            let owner = &mut self.owners[0];
            owner.file.get_or_insert_with(|| place.file.clone());
            owner.at = Some(Location { file: ForeignPath(place.file), line: place.line, column: place.column });
        }
        self.block = text.ends_with(": |-");
        let word = text.bytes().take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'_').count();
        text == "---" || word > 0 && text[word..].starts_with(':')
    }

    /// What runners write above the output of a test.
    fn printed(&mut self, text: &str) -> bool {
        let heads =
            ["stdout | ", "stderr | ", "console.log", "console.error", "console.warn", "console.info", "console.debug"];
        let is_head = |head: &&str| text.starts_with(*head) && (head.ends_with(' ') || text.len() == head.len());
        let found = heads.iter().any(is_head);
        if found {
            self.output = true;
            self.owners.clear();
        }
        found
    }

    fn open(&mut self, indent: usize, suite: &str) {
        self.suites.retain(|(other, _)| *other < indent);
        self.suites.push((indent, suite.to_owned()));
        self.owners.clear();
    }

    /// The suites around what stands at `indent`.
    fn around(&self, indent: usize) -> Vec<String> {
        self.suites.iter().filter(|(other, _)| *other < indent).map(|(_, suite)| suite.clone()).collect()
    }
}

/// A title without the escapes of TAP.
fn unescaped(title: &str) -> String {
    title.replace("\\#", "#").replace("\\\\", "\\")
}

#[cfg(test)]
mod tests {
    use super::{Before, Marks};

    #[track_caller]
    fn check(text: &str, expected: &[(&[&str], Option<&str>, Option<u32>)]) {
        let mut marks = Marks::default();
        text.lines().for_each(|line| marks.take(line));
        let Before::Owners(owners) = marks.before() else { panic!("nobody: {text}") };
        let found: Vec<_> = owners
            .iter()
            .map(|one| {
                let titles: Vec<&str> = one.titles.iter().map(String::as_str).collect();
                (titles, one.file.as_deref(), one.at.as_ref().map(|at| at.line))
            })
            .collect();
        let expected: Vec<_> = expected.iter().map(|(titles, file, line)| (titles.to_vec(), *file, *line)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn vitest_names_file_suites_and_title() {
        check(" FAIL  tests/a.test.ts:19:3 > s > t", &[(&["s", "t"], Some("tests/a.test.ts"), Some(19))]);
        check(" FAIL  |unit| tests/a.test.ts > t", &[(&["t"], Some("tests/a.test.ts"), None)]);
        let both: &[(&[&str], _, _)] = &[(&["t"], Some("a.ts"), None), (&["u"], Some("a.ts"), None)];
        check(" FAIL  a.ts > t\n FAIL  a.ts > u", both);
        check(" × a.ts > s > t 19ms", &[(&["s", "t"], Some("a.ts"), None)]);
        check(" ❯ a.ts (2 tests | 1 failed) 3ms\n     × t (1) 1ms", &[(&["t (1)"], Some("a.ts"), None)]);
    }

    #[test]
    fn jest_names_the_file_long_before() {
        check("FAIL test/a.js (5.1 s)\n  ✕ u\n\n  ● s › t\n", &[(&["s", "t"], Some("test/a.js"), None)]);
    }

    #[test]
    fn node_names_suites_around_and_again_without() {
        check("▶ s\n  ▶ r\n  ✔ r (1ms)\n  ✖ t (1.5ms)", &[(&["s", "t"], None, None)]);
        let list = "▶ s\n  ✖ t (1.5ms)\n✖ s (2ms)\n\n✖ failing tests:\n\ntest at a.mjs:5:3\n✖ t (1.5ms)";
        check(list, &[(&["s", "t"], Some("a.mjs"), Some(5))]);
        let tap = "# Subtest: s\n    # Subtest: t\n    not ok 1 - t\n      ---\n      location: '/w/a.mjs:5:3'\n      error: |-";
        check(tap, &[(&["s", "t"], Some("/w/a.mjs"), Some(5))]);
    }

    #[test]
    fn vitests_tap_nests_or_not() {
        let tap = "not ok 1 - a.ts # time=1ms {\n  not ok 1 - s # time=1ms {\n    not ok 2 - t # time=1ms\n      ---\n      error:\n";
        check(tap, &[(&["s", "t"], Some("a.ts"), None)]);
        check("not ok 1 - a.ts > s > t # time=1ms\n  ---", &[(&["s", "t"], Some("a.ts"), None)]);
    }

    #[test]
    fn what_a_test_prints_is_nobodys_report() {
        let check = |text: &str, expected: Before| {
            let mut marks = Marks::default();
            text.lines().for_each(|line| marks.take(line));
            assert_eq!(marks.before(), expected, "{text}");
        };
        check("stdout | a.ts > t", Before::Output);
        check(" FAIL  a.ts > t\nAssertionError: no", Before::Nobody);
        check("  console.log", Before::Output);
        check("# Subtest: t\nhello", Before::Output);
        check("stdout | a.ts > t\nx\n⎯⎯⎯⎯ Unhandled Rejection ⎯⎯⎯⎯⎯", Before::Unhandled);
        check("node:internal\n", Before::Nobody);
    }
}
