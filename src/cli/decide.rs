//! `redpin decide`: one failure's verdict, and its consequence into the staged patch.

use clap::{Args, ValueEnum};

use super::page::Page;
use super::pin::Patched;
use super::proving::prover;
use super::staging::StagingSwitches;
use super::{Exit, Fault, World};
use crate::triage::{Staged, TriageError};
use crate::verdict::Verdict;
use crate::visible;

/// Give a failure its verdict and stage the consequence.
///
/// A real bug gets a pin, an ambiguous requirement an open question in the spec, a wrong property no trace of its seed; each
/// gets a decision record. One `redpin undo` takes all of it back.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  redpin decide 950ab3f real-bug\n  \
    redpin decide half_cent_goes_up ambiguous-spec --note \"which way do half cents go?\"")]
pub(super) struct Decide {
    /// The failure: its id, the beginning of one, or the end of its test name.
    #[arg(value_name = "FAILURE")]
    failure: String,
    /// What is at fault.
    #[arg(value_name = "VERDICT")]
    verdict: VerdictWord,
    /// Your reason, kept in the decision record.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    note: Option<String>,
    /// Only record the verdict in the inbox; `redpin stage` writes its consequence.
    #[arg(long)]
    no_stage: bool,
    #[command(flatten)]
    staging: StagingSwitches,
}

/// A verdict as typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum VerdictWord {
    /// The code is wrong: pin the input.
    RealBug,
    /// The spec does not say: ask.
    AmbiguousSpec,
    /// The property is wrong: record why.
    WrongProperty,
}

impl From<VerdictWord> for Verdict {
    fn from(word: VerdictWord) -> Self {
        match word {
            VerdictWord::RealBug => Verdict::RealBug,
            VerdictWord::AmbiguousSpec => Verdict::AmbiguousSpec,
            VerdictWord::WrongProperty => Verdict::WrongProperty,
        }
    }
}

impl Decide {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let mut triage = world.open(page)?;
        let id = triage.find(&self.failure)?;
        let note = self.note.as_deref();
        if self.no_stage {
            let filed = triage.decide(&id, Some(self.verdict.into()), note)?;
            if self.staging.json {
                Patched { staged: &Staged::default(), json: true }.print(page)?;
                return Ok(Exit::Done);
            }
            let test = visible::line(filed.failure.test.function());
            page.line(&format!("{} {test}: {}", filed.id.0, Verdict::from(self.verdict)))?;
            return Ok(Exit::Done);
        }
        let mut ladder = self.staging.ladder(world, page)?;
        let staged = triage.settle(&id, self.verdict.into(), note, self.staging.ignored(), prover(&mut ladder));
        drop(ladder);
        if matches!(staged, Err(TriageError::Stopped(_))) {
            page.remark("the verdict is kept, with your note: `redpin stage` stages its consequence")?;
        }
        let staged = staged?;
        Patched { staged: &staged, json: self.staging.json }.print(page)
    }
}
