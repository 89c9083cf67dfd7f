//! Which test a report is of. pytest's headings leave out the file, JUnit XML runs file and classes together, and some
//! reports have no heading at all: the summary at the end of the run, the calls that were shown and the object that a
//! method was called on tell the rest.

use crate::carrier::line::plain;
use crate::failure::{ForeignPath, TestName};
use crate::locate::is_absolute;
use crate::run_output::{RunOutput, line_after, line_at};

use super::frames::Frame;
use super::section::Told;

/// What stands over a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Heading {
    /// Classes and function with dots between them: `TestRates.test_rises[3]`.
    Dotted(String),
    /// Module and classes with dots between them, and the function.
    Module(String, String),
    /// All of it: `tests/test_rates.py::TestRates::test_rises[3]`.
    Node(String),
    /// Nothing; it is this one of so many.
    None(usize, usize),
}

/// A test, as far as a report and its surroundings tell it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::framework::hypothesis) struct Test {
    /// Its file, as printed.
    pub(in crate::framework::hypothesis) file: Option<String>,
    /// Classes and function, the outermost first.
    pub(in crate::framework::hypothesis) parts: Vec<String>,
}

impl Test {
    /// Its full name.
    pub(super) fn name(&self) -> TestName {
        TestName(self.file.iter().chain(&self.parts).map(String::as_str).collect::<Vec<_>>().join("::"))
    }

    /// The test that pytest names so.
    pub(in crate::framework::hypothesis) fn of_node(id: &str) -> Test {
        let (plain, parameters) = id.split_at(id.find('[').unwrap_or(id.len()));
        let mut parts = plain.split("::").map(str::to_owned);
        let file = parts.next();
        let mut parts: Vec<String> = parts.collect();
        if let Some(last) = parts.last_mut() {
            last.push_str(parameters);
        }
        Test { file, parts }
    }
}

/// What the text around reports tells of tests.
#[derive(Debug, Default)]
pub(super) struct Surroundings {
    /// The folders that pytest was run for, by where the log names them.
    roots: Vec<(usize, String)>,
    /// The tests of each summary, by where it begins.
    summaries: Vec<(usize, Vec<String>)>,
}

/// How pytest names the folder it was run for.
pub(super) const ROOT: &str = "rootdir: ";

/// What stands over its summary.
pub(super) const SUMMARY: &str = "short test summary info ";

impl Surroundings {
    /// What the text of a log tells where [`ROOT`] and [`SUMMARY`] stand in it.
    pub(super) fn of(
        run: &RunOutput<'_>,
        roots: impl Iterator<Item = usize>,
        summaries: impl Iterator<Item = usize>,
    ) -> Self {
        let root = |at: usize| {
            let line = plain(&run.bytes[at + ROOT.len()..line_at(run.bytes, at).end]).into_owned();
            (at, line.split(',').next().unwrap_or_default().trim_end().to_owned())
        };
        Surroundings {
            roots: roots.map(root).collect(),
            summaries: summaries.map(|at| (at, failed(run.bytes, at))).collect(),
        }
    }

    /// The test of a report that begins at `at`.
    pub(super) fn test(&self, heading: &Heading, told: &[Told], at: usize) -> Test {
        let frames = told.iter().flat_map(|told| &told.frames);
        match heading {
            Heading::Node(id) => Test::of_node(id),
            Heading::Module(class, name) => of_module(class, name, &frames.collect::<Vec<_>>()),
            Heading::Dotted(name) => {
                let parts = dotted(name);
                let own = parts.last().map_or("", |last| function(last));
                let file = self.file(at, first_own(frames, own));
                let mut known = self.summary(at).iter().map(|id| Test::of_node(id)).filter(|test| test.parts == parts);
                let alike = known.clone().find(|test| is_same(test.file.as_deref(), file.as_deref()));
                alike.or_else(|| known.next()).unwrap_or(Test { file, parts })
            }
            Heading::None(nth, all) => {
                let tests = self.summary(at);
                let listed = tests.get(*nth).filter(|_| tests.len() == *all);
                listed.map_or_else(|| self.headless(told, at), |id| Test::of_node(id))
            }
        }
    }

    /// The test that is called in a report without a heading.
    fn headless(&self, told: &[Told], at: usize) -> Test {
        let Some(input) = told.iter().find_map(|told| told.input.as_ref()) else { return Test::default() };
        let class = input.arguments.first().filter(|one| one.name == "self").and_then(|one| class_of(&one.text));
        let parts: Vec<String> = class.into_iter().chain([input.function.clone()]).collect();
        let frames = told.iter().flat_map(|told| &told.frames);
        let file = self.file(at, first_own(frames, &input.function));
        let is_called = |test: &Test| {
            let mut named = test.parts.clone();
            if let Some(last) = named.last_mut() {
                last.truncate(function(last).len());
            }
            named.ends_with(&parts)
        };
        let mut known = self.summary(at).iter().map(|id| Test::of_node(id)).filter(is_called);
        let alike = known.clone().find(|test| is_same(test.file.as_deref(), file.as_deref()));
        alike.or_else(|| known.next()).unwrap_or(Test { file, parts })
    }

    /// The file of a call, from the folder that the run was for.
    pub(super) fn file(&self, at: usize, frame: Option<&Frame>) -> Option<String> {
        frame.map(|frame| self.within(at, &frame.file))
    }

    /// A path as it is from the folder that the run was for.
    pub(super) fn within(&self, at: usize, path: &str) -> String {
        let root = self.roots.iter().rfind(|(place, _)| *place <= at).map_or("", |(_, root)| root);
        let path = path.replace('\\', "/");
        let inside = path.strip_prefix(&root.replace('\\', "/")).and_then(|rest| rest.strip_prefix('/'));
        inside.filter(|_| !root.is_empty()).map_or_else(|| end(&path).to_owned(), str::to_owned)
    }

    /// The tests of the summary that follows.
    fn summary(&self, at: usize) -> &[String] {
        self.summaries.iter().find(|(place, _)| *place > at).map_or(&[], |(_, tests)| tests)
    }
}

/// Of a path from the root of some machine what is the same on all: the file and its folder.
fn end(path: &str) -> &str {
    if !is_absolute(&ForeignPath(path.to_owned())) {
        return path;
    }
    path.rmatch_indices('/').nth(1).map_or(path, |(at, _)| &path[at + 1..])
}

/// The tests that a summary names as failed.
fn failed(bytes: &[u8], at: usize) -> Vec<String> {
    let mut line = line_at(bytes, at);
    let (mut tests, mut others) = (Vec::new(), 0);
    while let Some(next) = line_after(bytes, line).filter(|_| others < MOST_OTHERS) {
        line = next;
        let text = plain(&bytes[line.range()]);
        if text.starts_with("==") {
            break;
        }
        let told = ["FAILED ", "ERROR "].iter().find_map(|word| text.strip_prefix(word));
        others = if told.is_some() { 0 } else { others + 1 };
        tests.extend(told.map(|told| node(told).to_owned()));
    }
    tests
}

/// Lines in a row after which a summary is over that names no test any more: where it has no last line, a log goes on.
const MOST_OTHERS: usize = 10_000;

/// The test in a line of the summary: what stands before the dash that is in none of its brackets.
pub(in crate::framework::hypothesis) fn node(told: &str) -> &str {
    let is_whole = |text: &str| text.matches('[').count() == text.matches(']').count();
    let mut dashes = told.match_indices(" - ").map(|(at, _)| &told[..at]);
    dashes.find(|text| is_whole(text)).unwrap_or(told).trim_end()
}

/// The parts of a name with dots between them; those in brackets are a parameter's.
fn dotted(name: &str) -> Vec<String> {
    let (plain, parameters) = name.split_at(name.find('[').unwrap_or(name.len()));
    let mut parts: Vec<String> = plain.split('.').map(str::to_owned).collect();
    if let Some(last) = parts.last_mut() {
        last.push_str(parameters);
    }
    parts
}

/// A test's function without its parameters.
pub(super) fn function(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

/// The first call that is the test's own, else the first of the user's code.
pub(super) fn first_own<'f>(frames: impl Iterator<Item = &'f Frame> + Clone, function: &str) -> Option<&'f Frame> {
    let mut own = frames.filter(|frame| !frame.is_foreign());
    own.clone().find(|frame| frame.function.as_deref() == Some(function)).or_else(|| own.next())
}

/// Whether two paths may be of one file: one ends as the other does.
pub(in crate::framework::hypothesis) fn is_same(one: Option<&str>, other: Option<&str>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short.trim_start_matches("./")).is_some_and(|front| front.is_empty() || front.ends_with('/'))
    };
    ends(one, other) || ends(other, one)
}

/// A test by its module and classes. Where the one ends and the others begin the files of the calls tell, else how they are
/// written.
fn of_module(class: &str, name: &str, frames: &[&Frame]) -> Test {
    let parts: Vec<&str> = class.split('.').filter(|part| !part.is_empty()).collect();
    let own: Vec<&&Frame> = frames.iter().filter(|frame| !frame.is_foreign()).collect();
    let modules = own.iter().filter_map(|frame| {
        let path = frame.file.replace('\\', "/");
        let path: Vec<&str> = path.strip_suffix(".py")?.split('/').collect();
        (1..=parts.len()).rev().find(|&length| path.ends_with(&parts[..length]))
    });
    let is_class = |part: &&str| part.starts_with(|char: char| char.is_uppercase());
    let length = modules.max().or_else(|| parts.iter().position(is_class)).unwrap_or(parts.len());
    let file = match parts[..length].join("/").as_str() {
        "" => None,
        // The module that makes tests of state machines.
        "hypothesis/stateful" => own.first().map(|frame| end(&frame.file).to_owned()),
        module => Some(format!("{module}.py")),
    };
    Test { file, parts: parts[length..].iter().copied().chain([name]).map(str::to_owned).collect() }
}

/// The class in what is printed for one of its objects.
fn class_of(printed: &str) -> Option<String> {
    let path = printed.strip_prefix('<')?.split([' ', '>']).next()?;
    path.rsplit('.').next().filter(|name| crate::language::python::marks::is_name(name)).map(str::to_owned)
}
