//! `redpin stage`: the consequences of all verdicts given so far into the staged patch.

use clap::Args;

use super::page::Page;
use super::pin::Patched;
use super::proving::prover;
use super::staging::StagingSwitches;
use super::{Exit, Fault, World};

/// Stage the consequence of every verdict that is not staged yet.
///
/// All of it is one operation: one `redpin undo` takes it back.
#[derive(Debug, Args)]
pub(super) struct Stage {
    #[command(flatten)]
    staging: StagingSwitches,
}

impl Stage {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let mut triage = world.open(page)?;
        triage.look_again()?;
        let ids = triage.waiting(self.staging.ignored())?;
        let mut ladder = self.staging.ladder(world, page)?;
        let staged = triage.stage(&ids, self.staging.ignored(), prover(&mut ladder))?;
        drop(ladder);
        Patched { staged: &staged, json: self.staging.json }.print(page)
    }
}
