//! `redpin suggest`: takes in what somebody else says of a failure.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::json::SCHEMA;
use super::page::Page;
use super::{Exit, Fault, World};
use crate::suggestion::Suggestion;
use crate::triage::TriageError;
use crate::visible;

/// Take in what an agent suggests about a failure
///
/// The answer to `redpin prompt triage`: one JSON object with `schema` (1), `verdict`, `why` and `source`, perhaps with words
/// around it. It is shown beside the failure with its source, and applied by nobody but you.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  redpin suggest 950ab3f --from answer.json\n  agent < prompt.md | redpin suggest 950ab3f --from -"
)]
pub(super) struct Suggest {
    /// The failure: its id, the beginning of one, or the end of its test name.
    #[arg(value_name = "FAILURE")]
    failure: String,
    /// The answer; `-` for standard input.
    #[arg(long, value_name = "FILE")]
    from: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    suggestion: &'a Suggestion,
}

/// No more than this is read of an answer, in bytes: what is longer is none.
const MOST: u64 = 1 << 20;

impl Suggest {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let triage = world.open(page)?;
        let id = triage.find(&self.failure)?;
        let answer =
            read(&self.from, &world.directory).map_err(|error| TriageError::Unreadable(self.from.clone(), error))?;
        let suggestion = triage.suggest(&id, &answer)?;
        if self.json {
            page.json(&Answer { schema: SCHEMA, suggestion: &suggestion })?;
            return Ok(Exit::Done);
        }
        let source = visible::line(&suggestion.source);
        page.line(&format!("{}: {source} suggests {}; nothing is decided by that", id.0, suggestion.verdict))?;
        Ok(Exit::Done)
    }
}

fn read(path: &Path, directory: &Path) -> std::io::Result<Vec<u8>> {
    let mut answer = Vec::new();
    match path == Path::new("-") {
        true => std::io::stdin().take(MOST).read_to_end(&mut answer)?,
        false => std::fs::File::open(directory.join(path))?.take(MOST).read_to_end(&mut answer)?,
    };
    Ok(answer)
}
