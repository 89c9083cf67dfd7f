//! `redpin undo` and `redpin redo`: back and forth in the history of verdicts and stagings.

use clap::Args;

use super::page::Page;
use super::{Exit, Fault, World};
use crate::triage::{Triage, TriageError};
use crate::visible;

/// Take the last operation back, a verdict or a staging.
///
/// Index, work tree and inbox are then as they were before it; where a file has changed since, or it is committed by now,
/// nothing is done.
#[derive(Debug, Args)]
pub(super) struct Undo {}

/// Do again what `redpin undo` took back last.
#[derive(Debug, Args)]
pub(super) struct Redo {}

impl Undo {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        walk(world, page, Triage::undo)
    }
}

impl Redo {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        walk(world, page, Triage::redo)
    }
}

/// Goes one step. Where a killed redpin left one half way, settling that was step enough: the user was told of it only now.
fn walk(
    world: &World,
    page: &mut Page<'_>,
    step: fn(&mut Triage) -> Result<String, TriageError>,
) -> Result<Exit, Fault> {
    let mut triage = world.open(page)?;
    if triage.settled().is_some() {
        page.remark("nothing else was done; look at the result and run the command again")?;
        return Ok(Exit::World);
    }
    let done = step(&mut triage)?;
    page.line(&visible::line(&done))?;
    Ok(Exit::Done)
}
