//! What every command that stages can be told: which files go in, whether pins are proven first, and how it answers.

use std::io;

use clap::Args;

use super::World;
use super::page::Page;
use super::proving::{self, Telling};
use crate::triage::Ignored;
use crate::verify::Ladder;

/// The switches of a command that stages.
#[derive(Debug, Args)]
pub(super) struct StagingSwitches {
    /// Stage files as well that git ignores.
    #[arg(long)]
    include_ignored: bool,
    #[command(flatten)]
    proving: ProvingSwitch,
    /// Stage pins as well that did not come out red; their records say how they did.
    #[arg(long, conflicts_with = "no_verify")]
    stage_unproven: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
}

/// Whether pins are proven.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct ProvingSwitch {
    /// Stage pins as they are written. Else each is built and run first, in a scratch copy, and staged where it is red.
    #[arg(long)]
    no_verify: bool,
}

impl ProvingSwitch {
    /// Whether pins are built and run before they are staged.
    pub(super) fn proves(self) -> bool {
        !self.no_verify
    }
}

impl StagingSwitches {
    /// Whether files that git ignores are staged as well.
    pub(super) fn ignored(&self) -> Ignored {
        Ignored::included(self.include_ignored)
    }

    /// What proves pins before they are staged; nothing where they are not to be proven.
    pub(super) fn ladder<'a, 'p>(
        &self,
        world: &World,
        page: &'a mut Page<'p>,
    ) -> io::Result<Option<Ladder<Telling<'a, 'p>>>> {
        self.proving.proves().then(|| proving::ladder(world, page, self.stage_unproven)).transpose()
    }
}
