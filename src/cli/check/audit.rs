//! `redpin check audit`: which properties may assert nothing.

use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::audit::{Advice, Doubt};
use crate::check::{self, Audit, Audited};
use crate::cli::json::SCHEMA;
use crate::cli::page::{Page, Style};
use crate::cli::proving::Telling;
use crate::cli::{Exit, Fault, World, counted, print_notices};
use crate::failure::Notice;
use crate::triage::TriageError;
use crate::verify::Measure;
use crate::visible;

/// See that properties can fail: each with advice to keep, strengthen or delete it, and why
///
/// Looked for are properties that cite no requirement, that assert nothing or nothing that can fail, that assert on some ways
/// only, that name nothing of the code under test or compute what they expect as it does, and those that generate less than
/// their requirement says. It is advice, and no verdict: what is not plain to see is not told.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  redpin check audit\n  redpin check audit fee_grows_every_day --run\n  \
                        redpin check audit --json")]
pub(super) struct CheckAudit {
    /// The properties: test names, ends of some, FILE::NAME, or ids of failures of theirs. All where none is named.
    #[arg(value_name = "PROPERTY")]
    properties: Vec<String>,
    /// Run them in a scratch copy as well: how many inputs each throws away, whether it comes by an assertion, and whether it
    /// passes where the code under test answers constants. Each constant is a build; ctrl-c ends it.
    #[arg(long)]
    run: bool,
    /// Start nothing more once so many seconds have passed with `--run`.
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, requires = "run")]
    limit: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    ok: bool,
    properties: Vec<Row<'a>>,
    /// Whether the time for runs was over before all of them were made.
    cut_off: bool,
    notices: &'a [Notice],
}

#[derive(Serialize)]
struct Row<'a> {
    framework: &'a str,
    test: &'a str,
    file: &'a str,
    line: u32,
    requirement: Option<&'a str>,
    /// `keep`, `strengthen` or `delete`.
    advice: &'static str,
    grounds: Vec<GroundRow<'a>>,
    /// What its runs showed; null where it was not run.
    measured: Option<MeasureRow>,
}

#[derive(Serialize)]
struct MeasureRow {
    /// How many inputs it was asked about, or null where that was not seen.
    kept: Option<u64>,
    /// How many were thrown away, or null where that is not told: some libraries tell it only where it is
    /// more than was kept.
    discarded: Option<u64>,
    /// Whether a run comes by one of its assertions; null where that was not seen.
    reaches_assertions: Option<bool>,
    /// Whether it fails where the code under test answers constants; null where that was not seen.
    notices_constants: Option<bool>,
}

impl From<&Measure> for MeasureRow {
    fn from(measure: &Measure) -> Self {
        MeasureRow {
            kept: measure.counted.map(|counted| counted.kept),
            discarded: measure.counted.and_then(|counted| counted.discarded),
            reaches_assertions: measure.reaches,
            notices_constants: measure.notices,
        }
    }
}

#[derive(Serialize)]
struct GroundRow<'a> {
    kind: &'static str,
    file: &'a str,
    line: u32,
    text: &'a str,
    /// What to do.
    advice: &'static str,
}

impl<'a> From<&'a Audited> for Row<'a> {
    fn from(one: &'a Audited) -> Self {
        let file = one.file.as_str();
        let ground = |doubt: &'a Doubt| GroundRow {
            kind: doubt.ground.word(),
            file,
            line: doubt.line,
            text: &doubt.text,
            advice: doubt.ground.remedy(),
        };
        Row {
            framework: one.framework,
            test: &one.test.0,
            file,
            line: one.line,
            requirement: one.requirement.as_ref().map(|id| id.0.as_str()),
            advice: one.advice().word(),
            grounds: one.doubts.iter().map(ground).collect(),
            measured: one.measure.as_ref().map(MeasureRow::from),
        }
    }
}

impl CheckAudit {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let triage = world.open(page)?;
        let asked = self.properties.iter().map(|name| triage.property_called(name)).collect::<Result<Vec<_>, _>>()?;
        let audit = match self.run {
            true => {
                let telling = &mut Telling::new(page, false)?;
                let limit = Duration::from_secs(self.limit);
                check::audit_by_running(&triage, &asked, limit, &world.cache, telling)?
            }
            false => check::audit(&triage, &asked),
        };
        if let Some(name) = audit.unknown.first() {
            return Err(TriageError::NotStated(name.clone()).into());
        }
        let ok = audit.properties.iter().all(|one| one.doubts.is_empty());
        match self.json {
            true => page.json(&Answer {
                schema: SCHEMA,
                ok,
                properties: audit.properties.iter().map(Row::from).collect(),
                cut_off: audit.is_cut_off,
                notices: &audit.notices,
            })?,
            false => tell(&audit, self.run, page)?,
        }
        Ok(if ok { Exit::Done } else { Exit::No })
    }
}

fn tell(audit: &Audit, was_run: bool, page: &mut Page<'_>) -> Result<(), Fault> {
    print_notices(&audit.notices, page)?;
    let mut counts = [0; 3];
    for one in &audit.properties {
        let advice = one.advice();
        counts[advice as usize] += 1;
        let style = match advice {
            Advice::Keep => Style::Good,
            Advice::Strengthen => Style::Open,
            Advice::Delete => Style::Failing,
        };
        let word = page.styled(style, &format!("{:<10}", advice.word()));
        let cited = one.requirement.as_ref().map_or("-", |id| id.0.as_str());
        page.line(&format!("{word}  {}  {}", visible::line(cited), visible::line(&one.test.0)))?;
        for doubt in &one.doubts {
            let place = format!("{}:{}", visible::line(one.file.as_str()), doubt.line);
            page.line(&format!("    {place}: {}", visible::line(&doubt.text)))?;
            page.line(&format!("        {}: {}", doubt.ground.word(), doubt.ground.remedy()))?;
        }
        for unseen in unseen(one).iter().filter(|_| was_run) {
            page.line(&format!("    not measured: {unseen}"))?;
        }
    }
    if audit.is_cut_off {
        page.remark("redpin: the time for runs is over, so that not all was measured; --limit SECONDS gives more")?;
    }
    let [keep, strengthen, delete] = counts;
    let all = counted(audit.properties.len(), "property", "properties");
    if !was_run {
        page.line("not measured without --run: whether inputs are thrown away, and whether constants pass")?;
    }
    Ok(page.line(&format!("{all}: keep {keep}, strengthen {strengthen}, delete {delete}"))?)
}

/// What runs did not show of a property.
fn unseen(one: &Audited) -> Vec<&'static str> {
    let Some(measure) = &one.measure else { return vec!["its runner passes it over"] };
    let mut unseen = Vec::new();
    if measure.counted.is_none() {
        unseen.push("how many inputs it throws away");
    }
    if measure.reaches.is_none() {
        unseen.push("whether a run comes by one of its assertions");
    }
    if measure.notices.is_none() {
        unseen.push("whether it passes where the code under test answers constants");
    }
    unseen
}
