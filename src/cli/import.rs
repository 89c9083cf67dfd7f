//! `redpin import`: runs into the inbox.

use std::ffi::OsString;

use clap::Args;
use serde::Serialize;

use super::json::{NoticeRow, SCHEMA};
use super::page::Page;
use super::{Exit, Fault, World, arguments, counted, print_notices};
use crate::triage::Imported;
use crate::visible;

/// Read runs into the inbox and say what was found.
///
/// What was decided before stays decided; the same run read again adds nothing.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  redpin import nightly.log junit.xml\n  gh run view --log-failed | redpin import -"
)]
pub(super) struct Import {
    /// Files, folders, zip or gzip archives, or `-`. Without one the regression lines are read that are new in the work
    /// tree.
    #[arg(value_name = "RUN")]
    runs: Vec<OsString>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    runs: Vec<RunRow<'a>>,
    new: usize,
    known: usize,
    notices: Vec<NoticeRow<'a>>,
}

#[derive(Serialize)]
struct RunRow<'a> {
    run: &'a str,
    failures: usize,
}

impl Import {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let mut triage = world.open(page)?;
        let imported = match &arguments(&self.runs)[..] {
            [] => triage.import_changed()?,
            runs => triage.import(runs, &mut |_| {})?,
        };
        if self.json {
            print_json(&imported, page)?
        } else {
            print(&imported, page)?
        }
        Ok(Exit::Done)
    }
}

fn print_json(imported: &Imported, page: &mut Page<'_>) -> Result<(), Fault> {
    let runs = imported.runs.iter().map(|found| RunRow { run: &found.run, failures: found.failures });
    Ok(page.json(&Answer {
        schema: SCHEMA,
        runs: runs.collect(),
        new: imported.new,
        known: imported.known,
        notices: imported.notices.iter().map(NoticeRow::from).collect(),
    })?)
}

pub(super) fn print(imported: &Imported, page: &mut Page<'_>) -> Result<(), Fault> {
    let width = imported.runs.iter().map(|found| found.run.chars().count()).max().unwrap_or(0).min(60);
    for found in &imported.runs {
        let failures = counted(found.failures, "failure", "failures");
        page.line(&format!("{:<width$}  {failures}", visible::line(&found.run)))?;
    }
    print_notices(&imported.notices, page)?;
    page.line(&format!("{} new, {} known from before", imported.new, imported.known))?;
    Ok(())
}
