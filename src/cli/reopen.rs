//! `redpin reopen`: a decided failure waits for a verdict again.

use clap::Args;
use serde::Serialize;

use super::json::SCHEMA;
use super::page::Page;
use super::{Exit, Fault, World};
use crate::visible;

/// Open a decided failure again
///
/// It waits for a verdict as if nobody had given one. Its decision record stays in the repository; the next verdict that is
/// staged takes its place and keeps it as what was decided before. A failure that has left the inbox comes back as its record
/// has it. `redpin undo` takes it back. What is staged is not reopened: `redpin undo` takes the staging back.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  redpin reopen 950ab3f\n  redpin reopen half_cent_goes_up --json")]
pub(super) struct Reopen {
    /// The failure: its id, the beginning of one, or the end of its test name.
    #[arg(value_name = "FAILURE")]
    failure: String,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    id: &'a str,
    test: &'a str,
    state: &'static str,
}

impl Reopen {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let mut triage = world.open(page)?;
        let id = triage.find_decided(&self.failure)?;
        let filed = triage.reopen(&id)?;
        let test = &filed.failure.test.0;
        if self.json {
            page.json(&Answer { schema: SCHEMA, id: &filed.id.0, test, state: "open" })?;
        } else {
            page.line(&format!("{}  {}: open again", filed.id.0, visible::line(test)))?;
        }
        Ok(Exit::Done)
    }
}
