//! JUnit XML, as nextest, libtest and other runners write it, read in one pass. Entities are never expanded but for the
//! five of XML itself and numbers, so that a file cannot grow while it is read.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::carrier::Subject;
use crate::carrier::cargo_log;
use crate::failure::TestName;

/// One attempt of one test case that did not pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    /// The case's `classname`.
    pub class: String,
    /// The case's `name`.
    pub name: String,
    /// Whether nextest wrote the file: it keeps the binary in `classname`, where libtest keeps the modules.
    pub nextest: bool,
    /// The text of `<failure>` or `<error>`.
    pub failure: Stream,
    /// `<system-out>` and then `<system-err>`.
    pub output: Stream,
    /// Whether the file ends inside one of these texts.
    pub cut: bool,
}

/// A text out of the file, which remembers its lines there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stream {
    /// The text, entities decoded.
    pub text: String,
    /// Places in `text` with the file's line they stand on, in order.
    lines: Vec<(usize, u64)>,
}

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Junit {
    /// In the order of the file.
    pub attempts: Vec<Attempt>,
    /// Where the file stops being XML, and why; what follows is not read.
    pub broken: Option<(u64, String)>,
    /// The last line of a file that ends before its elements do.
    pub ends_early: Option<u64>,
}

impl Stream {
    /// The file's line on which the byte at `offset` of the text stands.
    pub fn line(&self, offset: usize) -> u64 {
        let before = self.lines.partition_point(|(start, _)| *start <= offset);
        let Some(&(start, line)) = before.checked_sub(1).and_then(|at| self.lines.get(at)) else { return 1 };
        let text = self.text.as_bytes().get(start..offset).unwrap_or_default();
        line + memchr::memchr_iter(b'\n', text).count() as u64
    }

    fn push(&mut self, text: &str, line: u64) {
        self.lines.push((self.text.len(), line));
        self.text.push_str(text);
    }
}

impl Attempt {
    fn stream(&mut self, place: Place) -> Option<&mut Stream> {
        match place {
            Place::Failure => Some(&mut self.failure),
            Place::Output => Some(&mut self.output),
            Place::Outside => None,
        }
    }

    /// The test as Rust's runners name it.
    pub fn subject(&self) -> Subject {
        if self.nextest {
            return cargo_log::named(&self.class, &self.name);
        }
        let test = match self.class.as_str() {
            "crate" | "integration" => self.name.clone(),
            modules => format!("{modules}::{}", self.name),
        };
        Subject { test: Some(TestName(test)), ..Subject::default() }
    }
}

/// Whether a run's bytes are such a file.
pub fn is_junit(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    [&b"<?xml"[..], b"<testsuite"].iter().any(|start| text.starts_with(start))
}

/// Reads a file. Bytes that are no UTF-8 become marks of replacement.
pub fn read(bytes: &[u8]) -> Junit {
    let text = String::from_utf8_lossy(bytes);
    let mut reader = Reader::from_str(&text);
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    config.check_end_names = false;
    let mut walk = Walk {
        text: &text,
        line: 1,
        counted: 0,
        depth: 0,
        nextest: false,
        suite: String::new(),
        place: Place::Outside,
        case: None,
        reruns: Vec::new(),
        junit: Junit::default(),
    };
    loop {
        walk.count_to(usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX));
        match reader.read_event() {
            Ok(Event::Eof) => {
                walk.junit.ends_early = (walk.depth > 0).then_some(walk.line);
                break;
            }
            Ok(event) => walk.take(&event),
            Err(error) => {
                walk.junit.broken = Some((walk.line, error.to_string()));
                break;
            }
        }
    }
    walk.break_off();
    walk.end_case();
    walk.junit
}

/// Which element's text is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Outside,
    Failure,
    Output,
}

struct Walk<'a> {
    text: &'a str,
    /// The line at `counted`.
    line: u64,
    counted: usize,
    /// How many elements are open.
    depth: usize,
    nextest: bool,
    /// The suite's name, where nextest may have given it: libtest names a package besides.
    suite: String,
    place: Place,
    /// The case being read, and whether it has failed so far.
    case: Option<(Attempt, bool)>,
    /// Further attempts of it; the last one is being read while its element is open.
    reruns: Vec<(Attempt, bool)>,
    junit: Junit,
}

impl Walk<'_> {
    fn count_to(&mut self, position: usize) {
        let passed = self.text.as_bytes().get(self.counted..position).unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', passed).count() as u64;
        self.counted = position.max(self.counted);
    }

    fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(start) => {
                self.depth += 1;
                self.start(start);
            }
            Event::Empty(start) => {
                self.start(start);
                self.end(start.local_name().as_ref());
            }
            Event::End(end) => {
                self.depth = self.depth.saturating_sub(1);
                self.end(end.local_name().as_ref());
            }
            Event::Text(text) => self.push(text),
            Event::CData(text) => self.push(text),
            Event::GeneralRef(name) => self.push(&resolved(name, name.resolve_char_ref().ok().flatten())),
            _ => {}
        }
    }

    fn start(&mut self, start: &BytesStart<'_>) {
        match start.local_name().as_ref() {
            "testsuites" => self.nextest = attribute(start, "name").is_some_and(|name| name == "nextest-run"),
            "testsuite" => {
                let name = attribute(start, "name").filter(|_| attribute(start, "package").is_none());
                self.suite = name.unwrap_or_default();
            }
            "testcase" => {
                self.end_case();
                self.case = Some((self.attempt(start), false));
            }
            "failure" | "error" => {
                self.place = Place::Failure;
                self.fail();
            }
            "rerunFailure" | "rerunError" | "flakyFailure" | "flakyError" => {
                let Some((case, _)) = &self.case else { return };
                let again = Attempt { failure: Stream::default(), output: Stream::default(), ..case.clone() };
                self.reruns.push((again, true));
                self.place = Place::Failure;
            }
            "system-out" | "system-err" => self.place = Place::Output,
            _ => {}
        }
    }

    fn attempt(&self, start: &BytesStart<'_>) -> Attempt {
        let class = attribute(start, "classname").unwrap_or_default();
        Attempt {
            // A file whose first line is cut off shows by this who wrote it.
            nextest: self.nextest || !class.is_empty() && class == self.suite,
            class,
            name: attribute(start, "name").unwrap_or_default(),
            ..Attempt::default()
        }
    }

    fn fail(&mut self) {
        if let Some((_, failed)) = &mut self.case {
            *failed = true;
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "testcase" => self.end_case(),
            "rerunFailure" | "rerunError" | "flakyFailure" | "flakyError" => {
                if let Some((_, open)) = self.reruns.last_mut() {
                    *open = false;
                }
                self.place = Place::Outside;
            }
            "failure" | "error" | "system-out" | "system-err" => self.place = Place::Outside,
            _ => {}
        }
    }

    fn end_case(&mut self) {
        self.place = Place::Outside;
        let case = self.case.take().filter(|(_, failed)| *failed).map(|(case, _)| case);
        self.junit.attempts.extend(case);
        self.junit.attempts.extend(self.reruns.drain(..).map(|(again, _)| again));
    }

    fn push(&mut self, text: &str) {
        let line = self.line;
        if let Some(stream) = self.current().and_then(|(attempt, place)| attempt.stream(place)) {
            stream.push(text, line);
        }
    }

    /// The attempt being read, and which of its texts.
    fn current(&mut self) -> Option<(&mut Attempt, Place)> {
        let rerun = self.reruns.last_mut().filter(|(_, open)| *open);
        let (attempt, _) = rerun.or(self.case.as_mut())?;
        Some((attempt, self.place))
    }

    /// Takes note of a text that the file ends in, and takes from it the entity that it ends in.
    fn break_off(&mut self) {
        let Some((attempt, place)) = self.current() else { return };
        let Some(stream) = attempt.stream(place) else { return };
        let whole = stream
            .text
            .rfind('&')
            .filter(|&at| stream.text[at + 1..].bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'#'));
        stream.text.truncate(whole.unwrap_or(stream.text.len()));
        attempt.cut = true;
    }
}

/// An attribute's value, entities decoded.
fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = start.attributes().with_checks(false).flatten().find(|one| one.key.local_name().as_ref() == name)?;
    let raw: &str = &found.value;
    Some(quick_xml::escape::unescape(raw).unwrap_or(Cow::Borrowed(raw)).into_owned())
}

/// The text of an entity; one that XML does not define stays as written.
fn resolved(name: &str, char: Option<char>) -> String {
    match (name, char) {
        (_, Some(char)) => char.to_string(),
        ("lt", _) => "<".to_owned(),
        ("gt", _) => ">".to_owned(),
        ("amp", _) => "&".to_owned(),
        ("apos", _) => "'".to_owned(),
        ("quot", _) => "\"".to_owned(),
        _ => format!("&{name};"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Attempt, Junit, is_junit, read};

    /// Class, name, failure text, output, and the file's line of the output's last byte.
    type Row<'a> = (&'a str, &'a str, &'a str, &'a str, u64);

    fn check(xml: &str, expected: &[Row<'_>], broken: Option<u64>) {
        let junit = read(xml.as_bytes());
        assert_eq!(junit.ends_early, None, "{xml}");
        check_attempts(xml, &junit, expected, broken);
    }

    fn check_attempts(xml: &str, junit: &Junit, expected: &[Row<'_>], broken: Option<u64>) {
        let row = |one: &Attempt| {
            let line = one.output.line(one.output.text.len().saturating_sub(1));
            (one.class.clone(), one.name.clone(), one.failure.text.clone(), one.output.text.clone(), line)
        };
        let found: Vec<_> = junit.attempts.iter().map(row).collect();
        let own = |&(class, name, failure, output, line): &Row<'_>| {
            (class.to_owned(), name.to_owned(), failure.to_owned(), output.to_owned(), line)
        };
        assert_eq!(found, expected.iter().map(own).collect::<Vec<_>>(), "{xml}");
        assert_eq!(junit.broken.as_ref().map(|(line, _)| *line), broken, "{xml}");
    }

    #[test]
    fn only_what_did_not_pass_is_read() {
        let xml = "<testsuite>\n<testcase classname='a' name='ok'><system-out>x</system-out></testcase>\n\
                   <testcase classname='a' name='b&lt;'><failure>f &amp;&#xA;g</failure>\n<system-out>o\n</system-out>\
                   <system-err><![CDATA[e<]]></system-err></testcase>\n</testsuite>";
        check(xml, &[("a", "b<", "f &\ng", "o\ne<", 5)], None);
    }

    #[test]
    fn every_attempt_counts_on_its_own() {
        let xml = "<testcase classname='a' name='b'><failure>1</failure><rerunFailure>2\n<system-out>two</system-out>\
                   </rerunFailure><system-out>one</system-out></testcase>\
                   <testcase classname='a' name='c'><flakyFailure>3<system-err>three</system-err></flakyFailure></testcase>";
        check(xml, &[("a", "b", "1", "one", 2), ("a", "b", "2\n", "two", 2), ("a", "c", "3", "three", 2)], None);
    }

    #[test]
    fn nextests_files_are_known_without_their_first_line() {
        let check = |xml: &str, expected: &str| {
            let subject = read(xml.as_bytes()).attempts[0].subject();
            let package = subject.package.map_or(String::new(), |package| package.0);
            assert_eq!(format!("{package} {}", subject.test.unwrap()), expected, "{xml}");
        };
        let case = "<testcase classname='geo::api' name='a::b'><failure>f</failure></testcase></testsuite>";
        check(&format!("<testsuite name='geo::api'>{case}"), "geo a::b");
        check(&format!("<testsuites name='nextest-run'><testsuite name='x'>{case}</testsuites>"), "geo a::b");
        check(&format!("<testsuite name='geo::api' package='geo::api'>{case}"), " geo::api::a::b");
        check(&format!("<testsuite name='test'>{case}"), " geo::api::a::b");
    }

    #[test]
    fn entities_are_not_expanded() {
        let xml = "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'b'><!ENTITY c '&a;&a;'>]>\n\
                   <testcase name='t'><failure>&c; & &#0;</failure></testcase>";
        check(xml, &[("", "t", "&c; & &#0;", "", 1)], None);
    }

    #[test]
    fn a_file_cut_off_gives_what_it_had() {
        let cut = |xml: &str, text: &str, inside: bool, line: u64| {
            let junit = read(xml.as_bytes());
            check_attempts(xml, &junit, &[("", "t", text, "", 1)], None);
            assert_eq!((junit.attempts[0].cut, junit.ends_early), (inside, Some(line)), "{xml}");
        };
        cut("<testcase name='t'><failure>\nf", "\nf", true, 2);
        cut("<testcase name='t'><failure>f &amp; g &#x", "f & g ", true, 1);
        cut("<testcase name='t'><failure>f</failure>\n", "f", false, 2);
        check("<testcase name='t'><failure>f</failure>\n<system-out", &[("", "t", "f", "", 1)], Some(2));
        assert!(!is_junit(b"test a ... ok"));
        assert!(is_junit(b"\xef\xbb\xbf <?xml"));
    }
}
