//! `redpin run`: the tests themselves, their failures into the inbox.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::list::{clip, standing};
use super::page::Page;
use super::staging::ProvingSwitch;
use super::{Exit, Fault, Next, World, print_notices};
use crate::inbox::Filed;
use crate::triage::Witness;
use crate::value::one_line;
use crate::visible;

/// How it is used.
const EXAMPLES: &str = "Examples:
  redpin run -- cargo test
  redpin run -- cargo nextest run -p billing
  redpin run -- uv run pytest -n 4
  redpin run -- npx vitest run
  redpin run --keep night.log -- npm test   # and elsewhere: redpin import night.log";

/// Run the tests and collect their failures as they come.
///
/// Then the workstation opens on what failed; without a terminal the failures are listed. `cargo test` and `cargo nextest
/// run` are given the switches that lose least. Runs of pytest and of Node's test runners hand over what they know of failing
/// properties, whatever they print; their code, output and exit status stay as they are. Ends with 1 where the tests failed
/// and there is no terminal.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RunTests {
    /// Write the run to FILE as well, for `redpin import FILE`: its output, and what the tests handed over
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// The command, as you would type it.
    #[arg(value_name = "CMD", required = true, last = true)]
    command: Vec<OsString>,
    #[command(flatten)]
    pub(super) proving: ProvingSwitch,
}

impl RunTests {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Next, Fault> {
        let mut triage = world.open(page)?;
        let ran = triage.run_tests(&self.command, self.keep.as_deref(), &mut Telling { page })?;
        if world.terminal && !ran.ends_us {
            return Ok(Next::Workstation { directory: world.directory.clone(), runs: Vec::new() });
        }
        print_notices(&ran.imported.notices, page)?;
        let found = ran.imported.failures.iter().filter_map(|id| triage.inbox().get(id));
        let found: Vec<_> = found.cloned().collect();
        super::list::print_inbox(&crate::inbox::Inbox::new(found), page)?;
        Ok(if ran.code == 0 { Exit::Done.into() } else { Exit::No.into() })
    }
}

/// Tells the run on the remarks' stream, so that the answer stays an answer.
pub(super) struct Telling<'a, 'p> {
    pub(super) page: &'a mut Page<'p>,
}

impl Witness for Telling<'_, '_> {
    fn output(&mut self, bytes: &[u8]) {
        self.page.pass_on(bytes);
    }

    fn failure(&mut self, filed: &Filed) {
        let (_, word) = standing(filed);
        let counterexample = clip(&one_line(&filed.failure.counterexample.text), 60);
        let line = format!("redpin: {word}  {}  {counterexample}", filed.failure.test);
        // A reader that is gone ends nobody's tests.
        let _ = self.page.remark(&visible::line(&line));
    }
}
