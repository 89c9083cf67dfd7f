//! `redpin pin`: failures that are real bugs, and their pins into the staged patch.

use std::ffi::OsString;

use clap::Args;
use serde::Serialize;

use super::json::SCHEMA;
use super::page::{Page, Style};
use super::proving::prover;
use super::staging::StagingSwitches;
use super::{Exit, Fault, World, arguments};
use crate::pin::{Pin, Rung};
use crate::proof::PinState;
use crate::triage::{Outcome, PinWish, Staged, StagedFailure, Triage, TriageError};
use crate::visible;

/// Call failures real bugs and stage their pins.
///
/// All of them are one operation: one `redpin undo` takes it back. What is pinned already stays as it is.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  redpin pin 950ab3f\n  redpin pin --all --run nightly.log --dry-run | git apply --cached --check"
)]
pub(super) struct PinFailures {
    /// Failures of the inbox: an id, the beginning of one, or the end of a test name.
    #[arg(value_name = "FAILURE", required_unless_present = "all")]
    failures: Vec<String>,
    /// Pin every failure: of the runs where some are named, else of the inbox.
    #[arg(long, conflicts_with = "failures")]
    all: bool,
    /// Read this run into the inbox first.
    #[arg(long = "run", value_name = "RUN")]
    runs: Vec<OsString>,
    /// Print the patch and touch nothing.
    #[arg(long)]
    dry_run: bool,
    /// Finish the pin's test in your editor first; what comes back is built and run like any other.
    #[arg(long, conflicts_with_all = ["all", "dry_run"])]
    edit: bool,
    #[command(flatten)]
    staging: StagingSwitches,
}

impl PinFailures {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let mut triage = world.open(page)?;
        let wish = PinWish {
            failures: if self.all { None } else { Some(self.failures.clone()) },
            runs: arguments(&self.runs),
            ignored: self.staging.ignored(),
            by_hand: None,
        };
        if self.dry_run {
            let preview = triage.preview_pins(&wish)?;
            super::print_notices(&preview.notices, page)?;
            if self.staging.json {
                return Patched { staged: &preview.staged, json: true }.print(page);
            }
            page.patch(&preview.patch)?;
            return Patched { staged: &preview.staged, json: false }.remark(page);
        }
        let mut wish = wish;
        if self.edit {
            let Some(pin) = self.edited(&mut triage, &mut wish, world, page)? else {
                page.remark("the test was left as it was: nothing is staged; `redpin pin` stages it as it is")?;
                return Ok(Exit::No);
            };
            wish.by_hand = Some(pin);
        }
        let mut ladder = self.staging.ladder(world, page)?;
        let (staged, notices) = triage.pin(&wish, prover(&mut ladder))?;
        drop(ladder);
        super::print_notices(&notices, page)?;
        Patched { staged: &staged, json: self.staging.json }.print(page)
    }
}

impl PinFailures {
    /// The pin of the one failure that is named, as the user's editor leaves it; `None` where that changed nothing.
    fn edited(
        &self,
        triage: &mut Triage,
        wish: &mut PinWish,
        world: &World,
        page: &mut Page<'_>,
    ) -> Result<Option<Pin>, Fault> {
        let [name] = self.failures.as_slice() else {
            return Err(TriageError::NoDraft("name one failure; one pin is written at a time".to_owned()).into());
        };
        if !wish.runs.is_empty() {
            let imported = triage.import(&std::mem::take(&mut wish.runs), &mut |_| {})?;
            super::print_notices(&imported.notices, page)?;
        }
        let draft = triage.draft(&triage.find(name)?)?;
        (world.edit)(triage.top(), &draft.path, draft.line).map_err(TriageError::Editor)?;
        Ok(triage.edited(&draft)?)
    }
}

/// What a staging came to, to be printed.
pub(super) struct Patched<'a> {
    pub(super) staged: &'a Staged,
    pub(super) json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    pins: Vec<PinRow<'a>>,
}

#[derive(Serialize)]
struct PinRow<'a> {
    id: &'a str,
    outcome: &'a str,
    rung: Option<Rung>,
    test: Option<&'a str>,
    files: Vec<&'a str>,
    reason: Option<&'a str>,
    warnings: &'a [String],
    proof: Option<PinState>,
}

impl<'a> From<&'a StagedFailure> for PinRow<'a> {
    fn from(one: &'a StagedFailure) -> Self {
        PinRow {
            id: &one.id.0,
            outcome: one.word(),
            rung: one.rung,
            test: one.test.as_ref().map(|test| test.0.as_str()),
            files: one.files.iter().map(|file| file.as_str()).collect(),
            reason: one.reason.as_deref(),
            warnings: &one.warnings,
            proof: one.proof,
        }
    }
}

impl Patched<'_> {
    /// Prints the answer; the exit code is 1 where nothing could be staged and nothing stood already.
    pub(super) fn print(&self, page: &mut Page<'_>) -> Result<Exit, Fault> {
        if self.json {
            page.json(&Answer { schema: SCHEMA, pins: self.staged.failures.iter().map(PinRow::from).collect() })?;
            return Ok(self.exit());
        }
        for one in &self.staged.failures {
            let line = sentence(one, one.word(), page);
            page.line(&line)?;
        }
        if let Some(title) = &self.staged.operation {
            let title = visible::line(title);
            page.line(&format!("\n{title}; `git diff --cached` shows it, `redpin undo` takes it back"))?;
        } else if self.staged.failures.is_empty() {
            page.remark("nothing to stage: no failure is waiting for it; `redpin list` shows how each stands")?;
        }
        Ok(self.exit())
    }

    /// Prints the same as remarks, beside an answer that is a patch and staged nothing.
    pub(super) fn remark(&self, page: &mut Page<'_>) -> Result<Exit, Fault> {
        for one in &self.staged.failures {
            let word = if one.outcome == Outcome::Staged { "in the patch" } else { one.word() };
            let line = sentence(one, word, page);
            page.remark(&line)?;
        }
        Ok(self.exit())
    }

    fn exit(&self) -> Exit {
        let done = self.staged.failures.iter().any(|one| one.outcome != Outcome::Refused);
        if done { Exit::Done } else { Exit::No }
    }
}

/// What the user may do about a pin that is held back.
const ALL_THE_SAME: &str = "with `--stage-unproven` it is staged all the same";

/// How it came out for one failure, with what to know.
fn sentence(one: &StagedFailure, word: &str, page: &Page<'_>) -> String {
    let (style, glyph) = match one.outcome {
        Outcome::Staged => (Style::Good, "✓"),
        Outcome::Already => (Style::Quiet, "="),
        Outcome::Refused => (Style::Failing, "✗"),
    };
    let head = page.styled(style, &format!("{glyph} {word:<14}"));
    let mut line = format!("{head} {}  {}", one.id.0, visible::line(&one.property.0));
    if let Some(rung) = one.rung {
        line.push_str(&format!("  {}", rung.word()));
    }
    let advice = one.held.then_some(ALL_THE_SAME);
    let remarks = one.reason.iter().chain(&one.warnings).map(String::as_str).chain(advice);
    remarks.for_each(|text| line.push_str(&format!("\n                 {}", visible::line(text))));
    line
}
