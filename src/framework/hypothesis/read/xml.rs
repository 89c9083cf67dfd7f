//! Reads JUnit XML as pytest writes it: a case's failure holds the report that the terminal shows.

use crate::carrier::junit;
use crate::failure::Reading;
use crate::run_output::RunOutput;

use super::names::{Heading, Surroundings};
use super::report;
use super::section::{self, Line, NEEDLES};

/// The failures in such a file.
pub(super) fn read(run: &RunOutput<'_>) -> Reading {
    let file = junit::read(run.bytes);
    let mut reading = Reading::default();
    let around = Surroundings::default();
    for attempt in &file.attempts {
        let text = &attempt.failure.text;
        if !NEEDLES.iter().any(|needle| text.contains(needle)) {
            continue;
        }
        let mut offset = 0;
        let mut lines = Vec::new();
        for line in text.split('\n') {
            lines.push(Line { number: attempt.failure.line(offset), text: line.trim_end_matches('\r').to_owned() });
            offset += line.len() + 1;
        }
        let heading = Heading::Module(attempt.class.clone(), attempt.name.clone());
        let told = section::read(&lines, Some(super::names::function(&attempt.name)));
        reading.failures.extend(report::failures(run, &around, &heading, 0, told));
    }
    if let Some((line, why)) = &file.broken {
        reading.notices.push(run.notice(*line, format!("expected XML, found {why}; what follows was not read")));
    }
    if let Some(line) = file.ends_early {
        reading.notices.push(run.notice(line, "the XML ends early, so that failures may be missing"));
    }
    reading
}
