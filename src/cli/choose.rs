//! `redpin choose`: the property of a replay line that fits more than one.

use clap::Args;

use super::page::Page;
use super::{Exit, Fault, World};
use crate::visible;

/// Say which property a replay line belongs to.
///
/// A line of a regression file names no test. Where its values fit more than one property, `redpin show` lists them, and
/// nothing is staged for it before one is chosen.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  redpin choose 950ab3f half_cent_goes_up")]
pub(super) struct Choose {
    /// The failure: its id, the beginning of one, or the end of its test name.
    #[arg(value_name = "FAILURE")]
    failure: String,
    /// One of the properties that it fits: the full test name, or its end.
    #[arg(value_name = "PROPERTY")]
    property: String,
}

impl Choose {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let mut triage = world.open(page)?;
        let id = triage.find(&self.failure)?;
        let chosen = triage.choose(&id, &self.property)?;
        page.line(&format!("{}  {}", chosen.id.0, visible::line(&chosen.failure.test.0)))?;
        Ok(Exit::Done)
    }
}
