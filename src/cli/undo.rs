//! `redpin undo` and `redpin redo`: back and forth in the history of verdicts and stagings.

use clap::Args;

use super::page::Page;
use super::{Exit, Fault, World};
use crate::triage::Triage;
use crate::visible;

/// Take the last operation back, a verdict or a staging.
///
/// Index, work tree and inbox are then as they were before it; where a file has changed since, nothing is done.
#[derive(Debug, Args)]
pub(super) struct Undo {}

/// Do again what `redpin undo` took back last.
#[derive(Debug, Args)]
pub(super) struct Redo {}

impl Undo {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let undone = Triage::open(&world.directory, world.now)?.undo()?;
        page.line(&visible::line(&undone))?;
        Ok(Exit::Done)
    }
}

impl Redo {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let redone = Triage::open(&world.directory, world.now)?.redo()?;
        page.line(&visible::line(&redone))?;
        Ok(Exit::Done)
    }
}
