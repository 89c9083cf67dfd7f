//! `redpin stage`: the consequences of all verdicts given so far into the staged patch.

use clap::Args;

use super::page::Page;
use super::pin::Patched;
use super::proving::{ladder, prover};
use super::{Exit, Fault, World};
use crate::inbox::State;
use crate::triage::Ignored;

/// Stage the consequence of every verdict that is not staged yet.
///
/// All of it is one operation: one `redpin undo` takes it back.
#[derive(Debug, Args)]
pub(super) struct Stage {
    /// Stage files as well that git ignores.
    #[arg(long)]
    include_ignored: bool,
    /// Build and run the pins first, in a scratch copy, and stage those that are red.
    #[arg(long)]
    verify: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Stage {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let mut triage = world.open(page)?;
        let decided = triage.inbox().filed().iter().filter(|filed| filed.state == State::Decided);
        let ids: Vec<_> = decided.map(|filed| filed.id.clone()).collect();
        let mut ladder = ladder(world, page, self.verify);
        let staged = triage.stage(&ids, Ignored::included(self.include_ignored), prover(&mut ladder))?;
        drop(ladder);
        Patched { staged: &staged, json: self.json }.print(page)
    }
}
