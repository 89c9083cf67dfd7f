//! `redpin sweep`: the tests run deep, their failures into the inbox, and a run file for another machine.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, value_parser};
use serde::Serialize;

use super::json::{NoticeRow, Row, SCHEMA};
use super::page::Page;
use super::run::Telling;
use super::staging::ProvingSwitch;
use super::{Exit, Fault, Next, World, counted, print_notices};
use crate::sweep::{Shard, Sweep};
use crate::triage::{SweepWish, Swept, Triage};
use crate::visible;

/// How it is used.
const EXAMPLES: &str = "Examples:
  redpin sweep -- cargo nextest run
  redpin sweep --cases 100000 --out night.run -- uv run pytest
  redpin sweep --shard 2/4 --out night-2.run -- npx vitest run   # and elsewhere: redpin import night-*.run";

/// Run the tests deep and collect their failures.
///
/// Each property that does not set its own number of cases is run with 10,000, or as many as `--cases` or `[sweep]` in
/// `.redpin/config.toml` say, and with other inputs than the last time. What fails goes into the inbox as it comes, as with
/// `redpin run`. The run files of all shards, imported together, are one run. Ends with 1 where the tests failed and there is
/// no terminal.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SweepTests {
    /// Cases of each property
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=u64::from(u32::MAX)))]
    cases: Option<u64>,
    /// Run one of N parts of the tests: cargo nextest, pytest, Vitest, Jest and `node --test` can
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Write the run to FILE as well, for `redpin import FILE`
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// What the sweep is called: shards of one have one name.
    #[arg(long, value_name = "NAME", default_value = "sweep")]
    name: String,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// The command, as you would type it.
    #[arg(value_name = "CMD", required = true, last = true)]
    command: Vec<OsString>,
    #[command(flatten)]
    pub(super) proving: ProvingSwitch,
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    sweep: &'a Sweep,
    failures: Vec<Row<'a>>,
    notices: Vec<NoticeRow<'a>>,
}

impl SweepTests {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Next, Fault> {
        let mut triage = world.open(page)?;
        let wish = SweepWish {
            name: self.name.clone(),
            cases: self.cases,
            shard: self.shard,
            out: self.out.clone(),
            command: self.command.clone(),
        };
        let swept = triage.sweep(&wish, &mut Telling { page })?;
        let is_lost = self.out.is_some() && !swept.is_written;
        if self.json {
            self.print_json(&swept, &triage, page)?;
        } else {
            print_notices(&swept.ran.imported.notices, page)?;
            if world.terminal && !swept.ran.ends_us && !is_lost {
                return Ok(Next::Workstation { directory: world.directory.clone(), runs: Vec::new() });
            }
            self.print(&swept, &triage, page)?;
        }
        Ok(match swept.ran.code {
            _ if is_lost => Exit::World.into(),
            0 => Exit::Done.into(),
            _ => Exit::No.into(),
        })
    }

    fn print_json(&self, swept: &Swept, triage: &Triage, page: &mut Page<'_>) -> Result<(), Fault> {
        let found = found(swept, triage);
        Ok(page.json(&Answer {
            schema: SCHEMA,
            sweep: &swept.sweep,
            failures: found.filed().iter().map(|filed| Row::from(filed.as_ref())).collect(),
            notices: swept.ran.imported.notices.iter().map(NoticeRow::from).collect(),
        })?)
    }

    fn print(&self, swept: &Swept, triage: &Triage, page: &mut Page<'_>) -> Result<(), Fault> {
        super::list::print_inbox(&found(swept, triage), page)?;
        let Sweep { cases, properties, new, known, .. } = &swept.sweep;
        let shard = self.shard.map_or_else(String::new, |shard| format!("shard {shard}, "));
        let properties = properties.map_or_else(String::new, |many| {
            format!("{}, ", counted(usize::try_from(many).unwrap_or(usize::MAX), "property", "properties"))
        });
        page.line(&format!("{shard}{cases} cases each, {properties}{new} new, {known} known from before"))?;
        if let Some(path) = self.out.as_ref().filter(|_| swept.is_written) {
            page.line(&format!("the run is in {}", visible::line(&path.to_string_lossy())))?;
        }
        Ok(())
    }
}

/// What the sweep showed.
fn found(swept: &Swept, triage: &Triage) -> crate::inbox::Inbox {
    let filed = swept.ran.imported.failures.iter().filter_map(|id| triage.inbox().get(id));
    crate::inbox::Inbox::new(filed.cloned().collect())
}
