//! `redpin evidence`: what is known of a change, for whoever reviews it.

use clap::{Args, ValueEnum};

use super::page::Page;
use super::{Exit, Fault, World, print_notices};
use crate::check;

/// Print what is known of a change, for its pull request
///
/// Requirements and their properties, negative controls, mutation scores where a tool left them, pins at the base and here, what
/// the change takes from the oracle, and the failures of the last runs with how long each waited. What is missing is said. Run
/// `redpin verify --base REV` first: what it showed is kept and told here.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  redpin evidence --base origin/main > evidence.md\n  \
                        redpin evidence --base origin/main --format json")]
pub(super) struct PrintEvidence {
    /// The commit that the change is held against: of a pull request that where it branched off.
    #[arg(long, value_name = "REV")]
    base: String,
    /// For people, or for programs.
    #[arg(long, value_name = "FORM", default_value = "md")]
    format: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Markdown.
    Md,
    /// One JSON object.
    Json,
}

impl PrintEvidence {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let triage = world.open(page)?;
        let (bundle, notices) = check::bundle(&triage, &self.base)?;
        print_notices(&notices, page)?;
        match self.format {
            Form::Md => page.line(bundle.markdown().trim_end())?,
            Form::Json => page.json(&bundle)?,
        }
        Ok(Exit::Done)
    }
}
