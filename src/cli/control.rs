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
use crate::proof::{PinState, Proof};
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
    /// The property: its test name, the end of one, FILE::NAME, or the id of a failure of it. It must be pinned or in the
    /// inbox.
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
    reason: Option<String>,
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
                Some(Recorded::Refused(reason)) => (None, Some(reason.clone())),
                None => (None, (outcome == "unknown").then(|| untold(&controlled))),
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

/// Why nothing can be told, and what to do.
fn untold(controlled: &Controlled) -> String {
    let before = controlled.trials.iter().map(|trial| &trial.before);
    let after: Vec<&Proof> = controlled.trials.iter().filter_map(|trial| trial.after.as_ref()).collect();
    let is_unbuilt = |proof: &&Proof| proof.state == PinState::DoesNotBuild;
    if after.is_empty() {
        return match before.into_iter().find(is_unbuilt) {
            Some(proof) => format!(
                "nothing can be told: expected code that builds without the violation, and it does not: {}; mend it first",
                said(proof)
            ),
            None => {
                "nothing can be told: expected a test of the property that passes without the violation, found none; \
                     mend the code first"
                    .to_owned()
            }
        };
    }
    if let Some(proof) = after.iter().copied().find(is_unbuilt) {
        return format!(
            "nothing can be told: expected a violation with which the code builds, and with this one it does not: {}; mend the \
             patch",
            said(proof)
        );
    }
    match after.iter().find(|proof| proof.state == PinState::Missing) {
        Some(proof) => {
            format!("nothing can be told: with the violation in it a test did not come out: {}", said(proof))
        }
        None => "nothing can be told: with the violation in it the tests do not come to an end of their own".to_owned(),
    }
}

/// What was said first, and where.
fn said(proof: &Proof) -> String {
    let line = proof.message.lines().next().unwrap_or_default();
    proof.at.as_ref().map_or(line.to_owned(), |at| format!("{line} at {}:{}", at.file.0, at.line))
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
        _ => return visible::line(&untold(controlled)).into_owned(),
    };
    match &controlled.recorded {
        Some(Recorded::Staged(file)) => format!("{told}; staged: {file}"),
        Some(Recorded::Stood(file)) => format!("{told}; on record already: {file}"),
        Some(Recorded::Refused(reason)) => format!("{told}; not recorded: {}", visible::line(reason)),
        None => told.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::untold;
    use crate::failure::{ForeignPath, Location};
    use crate::proof::testing::blank_pin;
    use crate::proof::{PinState, Proof};
    use crate::verify::{Controlled, Trial};

    #[test]
    fn why_nothing_can_be_told_is_said_with_what_to_do() {
        let at = Some(Location { file: ForeignPath("src/fees.rs".to_owned()), line: 3, column: None });
        let unbuilt = Proof {
            message: "cannot find value `x` in this scope\nmore".to_owned(),
            at,
            ..Proof::plain(PinState::DoesNotBuild)
        };
        let check = |before: Proof, after: Option<Proof>, expected: &str| {
            let trial = Trial { test: blank_pin("any", "p"), before, after };
            let controlled = Controlled { trials: vec![trial], recorded: None, mutation: None, tried: 1 };
            assert_eq!(untold(&controlled), format!("nothing can be told: {expected}"));
        };
        let fault = "cannot find value `x` in this scope at src/fees.rs:3";
        check(
            Proof::plain(PinState::Green),
            Some(unbuilt.clone()),
            &format!(
                "expected a violation with which the code builds, and with this one it does not: {fault}; mend the patch"
            ),
        );
        check(
            unbuilt,
            None,
            &format!("expected code that builds without the violation, and it does not: {fault}; mend it first"),
        );
        check(
            Proof::plain(PinState::Red),
            None,
            "expected a test of the property that passes without the violation, found none; mend the code first",
        );
        check(
            Proof::plain(PinState::Green),
            Some(Proof::plain(PinState::TimedOut)),
            "with the violation in it the tests do not come to an end of their own",
        );
    }
}
