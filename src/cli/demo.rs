//! `redpin demo`: a sample repository, unpacked for this one use.

use clap::Args;

use super::page::Page;
use super::staging::ProvingSwitch;
use super::{Fault, Next, World, workstation};
use crate::demo;
use crate::triage::RunArgument;

/// Open the workstation on a sample repository of its own.
///
/// A small ledger in Rust, Python and JavaScript, with the recorded red runs of a night, is unpacked into a new folder,
/// where it can be triaged, staged and looked at with git. The folder stays.
#[derive(Debug, Args)]
pub(super) struct Demo {
    #[command(flatten)]
    pub(super) proving: ProvingSwitch,
}

impl Demo {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Next, Fault> {
        if !world.terminal {
            return workstation(world, &[], page);
        }
        let demo = demo::unpack(&world.temporary)?;
        page.remark(&format!("the sample is in {}", demo.repository.display()))?;
        Ok(Next::Workstation { directory: demo.repository, runs: vec![RunArgument::Path(demo.night)] })
    }
}
