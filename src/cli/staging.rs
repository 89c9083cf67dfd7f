//! What every command that stages can be told: which files go in, whether pins are proven first, and how it answers.

use clap::Args;

use crate::triage::Ignored;

/// The switches of a command that stages.
#[derive(Debug, Args)]
pub(super) struct StagingSwitches {
    /// Stage files as well that git ignores.
    #[arg(long)]
    include_ignored: bool,
    /// Build and run the pins first, in a scratch copy, and stage those that are red.
    #[arg(long)]
    pub(super) verify: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
}

impl StagingSwitches {
    /// Whether files that git ignores are staged as well.
    pub(super) fn ignored(&self) -> Ignored {
        Ignored::included(self.include_ignored)
    }
}
