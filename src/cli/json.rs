//! Failures as programs see them: schema 1 of `list --json` and `show --json`. Keys are only ever added.

use serde::Serialize;

use crate::failure::{Argument, Caveat, Notice, Replay};
use crate::inbox::{Filed, State};
use crate::verdict::Verdict;

/// The version of every JSON answer.
pub(super) const SCHEMA: u32 = 1;

/// One failure.
#[derive(Serialize)]
pub(super) struct Row<'a> {
    id: &'a str,
    framework: &'a str,
    test: &'a str,
    package: Option<&'a str>,
    file: Option<&'a str>,
    line: Option<u32>,
    requirement: Option<&'a str>,
    message: &'a str,
    counterexample: CounterexampleRow<'a>,
    replay: &'a Replay,
    cause: &'a str,
    occurrences: Vec<OccurrenceRow<'a>>,
    state: State,
    verdict: Option<Verdict>,
    note: &'a str,
    pin: bool,
    caveats: &'a [Caveat],
    candidates: &'a [String],
}

#[derive(Serialize)]
struct CounterexampleRow<'a> {
    text: &'a str,
    arguments: &'a [Argument],
}

#[derive(Serialize)]
struct OccurrenceRow<'a> {
    run: &'a str,
    line: u64,
    #[serde(skip_serializing_if = "str::is_empty")]
    imported: &'a str,
}

/// What could not be read, or must be known.
#[derive(Serialize)]
pub(super) struct NoticeRow<'a> {
    file: &'a str,
    line: Option<u64>,
    text: &'a str,
}

impl<'a> From<&'a Filed> for Row<'a> {
    fn from(filed: &'a Filed) -> Self {
        let failure = &filed.failure;
        let printed = failure.location.as_ref();
        Row {
            id: &filed.id.0,
            framework: &failure.framework.0,
            test: &failure.test.0,
            package: failure.package.as_ref().map(|package| package.0.as_str()),
            file: filed.file.as_ref().map_or(printed.map(|place| place.file.0.as_str()), |file| Some(file.as_str())),
            line: if filed.file.is_some() {
                filed.line
            } else {
                printed.map(|place| place.line).filter(|line| *line > 0)
            },
            requirement: filed.requirement.as_ref().map(|id| id.0.as_str()),
            message: &failure.message,
            counterexample: CounterexampleRow {
                text: &failure.counterexample.text,
                arguments: &failure.counterexample.arguments,
            },
            replay: &failure.replay,
            cause: &filed.cause.0,
            occurrences: filed.occurrences.iter().map(OccurrenceRow::from).collect(),
            state: filed.state,
            verdict: filed.verdict,
            note: &filed.note,
            pin: filed.pin_failed,
            caveats: &failure.caveats,
            candidates: &filed.candidates,
        }
    }
}

impl<'a> From<&'a crate::inbox::Occurrence> for OccurrenceRow<'a> {
    fn from(occurrence: &'a crate::inbox::Occurrence) -> Self {
        OccurrenceRow { run: &occurrence.origin.run, line: occurrence.origin.line, imported: &occurrence.imported }
    }
}

impl<'a> From<&'a Notice> for NoticeRow<'a> {
    fn from(notice: &'a Notice) -> Self {
        NoticeRow { file: &notice.file, line: notice.line, text: &notice.text }
    }
}
