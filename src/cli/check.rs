//! `redpin check`: the guard of the oracle, for CI.

mod audit;
mod contract;
mod pins;
mod trace;

use clap::{Args, Subcommand};
pub(in crate::cli) use trace::print_trace;

use super::page::Page;
use super::{Exit, Fault, World};

/// Guard the oracle: see that a change keeps properties and pins
///
/// Each check answers yes or no by its exit status, 0 or 1, and names what is wrong by file and line.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  redpin check pins --base origin/main\n  redpin check trace --json\n  redpin check audit\n  \
                        redpin check contract --base origin/main"
)]
pub(super) struct Check {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    Audit(audit::CheckAudit),
    Contract(contract::CheckContract),
    Pins(pins::CheckPins),
    Trace(trace::CheckTrace),
}

impl Check {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        match &self.which {
            Which::Audit(audit) => audit.run(world, page),
            Which::Contract(contract) => contract.run(world, page),
            Which::Pins(pins) => pins.run(world, page),
            Which::Trace(trace) => trace.run(world, page),
        }
    }
}
