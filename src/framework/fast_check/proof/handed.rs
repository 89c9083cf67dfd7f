//! What the file that Node loads first for us hands over of pins: how each example came out that was run alone, and with which
//! input a test began that is a pin itself.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::read;
use crate::failure::Failure;
use crate::run_output::RunOutput;

/// How a line begins that tells of a pin.
const PINNED: &str = "{\"redpin\":\"pinned\"";

/// The line of a process in which the library was loaded, so that pins would have been told of.
const ASKED: &str = "{\"redpin\":\"pins-asked\"}";

/// How all these lines begin.
const HANDED: &str = "{\"redpin\":\"pin";

/// How a run came out that a test with a pin asked for. What is graver comes later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Outcome {
    /// The example is none of those that the run was given.
    Absent,
    Passed,
    /// The property asks for other inputs.
    Skipped,
    /// It ran out of time.
    Stopped,
    Failed,
}

/// What was handed over of one run.
pub(super) struct Told {
    /// The how manieth run of its test it was.
    pub(super) nth: usize,
    pub(super) outcome: Outcome,
    /// Whether it may have been a run of another test of the same title.
    pub(super) unsure: bool,
    /// The first input, as printed before and after it was run.
    pub(super) first: Option<(String, String)>,
    /// What broke the property.
    pub(super) failure: Option<Failure>,
}

/// What was handed over.
pub(super) struct Handed {
    /// By the place of the pin among those of the command.
    pub(super) of: BTreeMap<usize, Vec<Told>>,
    /// Whether pins would have been told of.
    pub(super) is_asked: bool,
}

#[derive(Deserialize)]
struct Line {
    pin: usize,
    nth: usize,
    #[serde(default)]
    unsure: bool,
    outcome: Outcome,
    first: Option<First>,
    run: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct First {
    before: Option<String>,
    after: Option<String>,
}

/// Reads the lines, and gives back the text without them.
pub(super) fn read(run: &RunOutput<'_>) -> (Handed, String) {
    let text = String::from_utf8_lossy(run.bytes);
    let mut handed = Handed { of: BTreeMap::new(), is_asked: false };
    let mut rest = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if !line.starts_with(HANDED) {
            rest.push_str(line);
            continue;
        }
        handed.is_asked |= line.trim_end() == ASKED;
        if line.starts_with(PINNED)
            && let Ok(line) = serde_json::from_str::<Line>(line)
        {
            handed.of.entry(line.pin).or_default().push(told(line, run.name));
        }
    }
    (handed, rest)
}

fn told(line: Line, run: &str) -> Told {
    Told {
        nth: line.nth,
        outcome: line.outcome,
        unsure: line.unsure,
        first: line.first.and_then(|first| first.before.zip(first.after)),
        failure: line.run.and_then(|json| read::handed_over(json, run)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, read};
    use crate::run_output::RunOutput;

    #[test]
    fn each_run_is_told_of_its_pin_and_the_text_is_left() {
        let text = "a\n{\"redpin\":\"pins-asked\"}\n{\"redpin\":\"pinned\",\"pin\":1,\"nth\":0,\"outcome\":\"passed\",\
            \"first\":{\"before\":\"[1]\",\"after\":\"[2]\"},\"run\":null}\n{\"redpin\":\"pinned\",\"pin\":1,\"nth\":1,\
            \"outcome\":\"new\"}\n{\"redpin\":\"pinned\",\"pin\":1,\"nth\":2,\"outcome\":\"skipped\",\"first\":null,\"run\":null}\nb\n";
        let (handed, rest) = read(&RunOutput::new("run", text.as_bytes()));
        let told: Vec<_> = handed.of[&1].iter().map(|one| (one.nth, one.outcome, one.first.clone())).collect();
        let first = Some(("[1]".to_owned(), "[2]".to_owned()));
        assert_eq!(told, [(0, Outcome::Passed, first), (2, Outcome::Skipped, None)]);
        assert_eq!((handed.is_asked, rest.as_str()), (true, "a\nb\n"));
    }
}
