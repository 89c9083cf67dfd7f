//! `redpin control`: whether a violation on purpose turns a property red.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::json::SCHEMA;
use super::page::Page;
use super::proving::Telling;
use super::verify::ProofRow;
use super::{Exit, Fault, World};
use crate::triage::{Recorded, TriageError};
use crate::verify::{Controlled, Trial, Violation, control};
use crate::visible;

/// Break a property on purpose and see that it turns red.
///
/// The patch, which puts a violation into the code, is applied to a scratch copy of the work tree; the property and its
/// pins are run without it and with it. The answer is yes where one that passes without it fails with it. What came of it
/// is staged as a record under .redpin/controls/, as one operation: `redpin undo` takes it back.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  redpin control fee_grows_every_day --patch violation.patch\n  \
                        git diff | redpin control fee_grows_every_day --patch -\n  \
                        redpin control fee_grows_every_day --mutate")]
pub(super) struct ControlProperty {
    /// The property: its test name or the end of one. It must be pinned or in the inbox.
    property: String,
    /// The violation, a patch as `git diff` prints it; `-` for standard input.
    #[arg(long, value_name = "FILE", required_unless_present = "mutate")]
    patch: Option<PathBuf>,
    /// Try small mutations of the code, as cargo-mutants lists them, until one is noticed.
    #[arg(long, conflicts_with = "patch")]
    mutate: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    /// `red`, `green` or `unknown`.
    outcome: &'static str,
    tests: Vec<Row<'a>>,
    /// How many violations were tried.
    tried: usize,
    /// What the mutation does that was tried last, or null.
    mutation: Option<&'a str>,
    /// The file of the record, or null.
    record: Option<&'a str>,
    /// Why there is none, or null.
    reason: Option<&'a str>,
}

#[derive(Serialize)]
struct Row<'a> {
    test: &'a str,
    before: ProofRow<'a>,
    after: Option<ProofRow<'a>>,
}

impl<'a> From<&'a Trial> for Row<'a> {
    fn from(trial: &'a Trial) -> Self {
        let (before, after) = ((&trial.before).into(), trial.after.as_ref().map(ProofRow::from));
        Row { test: &trial.test.runs().0, before, after }
    }
}

impl ControlProperty {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let violation = match &self.patch {
            Some(file) => read(file, &world.directory)
                .map(Violation::Patch)
                .map_err(|error| TriageError::Unreadable(file.clone(), error))?,
            None => Violation::Mutations,
        };
        let mut triage = world.open(page)?;
        let telling = &mut Telling::new(page, !self.json)?;
        let controlled = control(&mut triage, &self.property, &violation, &world.cache, telling)?;
        let outcome = outcome(&controlled);
        if self.json {
            let (record, reason) = match &controlled.recorded {
                Some(Recorded::Staged(file) | Recorded::Stood(file)) => (Some(file.as_str()), None),
                Some(Recorded::Refused(reason)) => (None, Some(reason.as_str())),
                None => (None, None),
            };
            let tests = controlled.trials.iter().map(Row::from).collect();
            page.json(&Answer {
                schema: SCHEMA,
                outcome,
                tests,
                tried: controlled.tried,
                mutation: controlled.mutation.as_deref(),
                record,
                reason,
            })?;
        } else {
            page.line(&format!("\n{}", sentence(outcome, &controlled)))?;
        }
        Ok(if outcome == "red" { Exit::Done } else { Exit::No })
    }
}

fn read(path: &Path, directory: &Path) -> std::io::Result<Vec<u8>> {
    if path == Path::new("-") {
        let mut patch = Vec::new();
        std::io::stdin().read_to_end(&mut patch)?;
        return Ok(patch);
    }
    std::fs::read(directory.join(path))
}

/// What the control came to.
fn outcome(controlled: &Controlled) -> &'static str {
    let any = |is_so: fn(&Trial) -> bool| controlled.trials.iter().any(is_so);
    match () {
        () if any(Trial::noticed) => "red",
        () if any(Trial::passed_over) => "green",
        () => "unknown",
    }
}

fn sentence(outcome: &str, controlled: &Controlled) -> String {
    let told = match outcome {
        "red" => "the violation is noticed",
        "green" if controlled.mutation.is_some() => {
            return format!(
                "none of {} is noticed: the property passes with each of them in the code",
                super::counted(controlled.tried, "mutation", "mutations")
            );
        }
        "green" => "the violation is not noticed: the property passes with it in the code",
        _ if controlled.trials.iter().all(|trial| trial.after.is_none()) => {
            "nothing can be told: no test of the property passes without the violation"
        }
        _ => "nothing can be told: with the violation in it the tests do not come to an end of their own",
    };
    match &controlled.recorded {
        Some(Recorded::Staged(file)) => format!("{told}; staged: {file}"),
        Some(Recorded::Stood(file)) => format!("{told}; on record already: {file}"),
        Some(Recorded::Refused(reason)) => format!("{told}; not recorded: {}", visible::line(reason)),
        None => told.to_owned(),
    }
}
