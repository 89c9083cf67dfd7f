//! `redpin check pins`: whether a change takes something from the oracle.

use clap::Args;
use serde::Serialize;

use crate::check::{self, Allowance, Finding, Guarded};
use crate::cli::json::SCHEMA;
use crate::cli::page::Page;
use crate::cli::{Exit, Fault, World, counted, print_notices};
use crate::failure::Notice;
use crate::visible;

/// See that a change keeps every property, pin, seed, requirement and decision.
///
/// The work tree is held against a commit. What is only added is passed in silence; what is gone, asks less or reads otherwise
/// is told, unless a decision record gives a person's reason for it. A property that is renamed or moved is followed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  redpin check pins --base origin/main\n  redpin check pins --base HEAD~1 --json")]
pub(super) struct CheckPins {
    /// The commit to hold the work tree against: of a pull request that where it branched off.
    #[arg(long, value_name = "REV")]
    base: String,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    ok: bool,
    /// The whole id of the commit.
    base: &'a str,
    findings: Vec<Row<'a>>,
    allowed: Vec<AllowedRow<'a>>,
    notices: &'a [Notice],
}

#[derive(Serialize)]
struct Row<'a> {
    kind: &'a str,
    file: &'a str,
    line: Option<u32>,
    /// `here`, or `base` where file and line are those of the base.
    side: &'static str,
    text: &'a str,
    /// What to do.
    advice: &'static str,
}

#[derive(Serialize)]
struct AllowedRow<'a> {
    #[serde(flatten)]
    row: Row<'a>,
    record: &'a str,
    who: &'a str,
    why: &'a str,
}

impl<'a> From<&'a Finding> for Row<'a> {
    fn from(finding: &'a Finding) -> Self {
        Row {
            kind: finding.kind,
            file: finding.file.as_str(),
            line: finding.line,
            side: if finding.is_gone { "base" } else { "here" },
            text: &finding.text,
            advice: advice(finding.kind),
        }
    }
}

impl<'a> From<&'a Allowance> for AllowedRow<'a> {
    fn from(allowance: &'a Allowance) -> Self {
        let Allowance { finding, record, why, who } = allowance;
        AllowedRow { row: finding.into(), record: record.as_str(), who, why }
    }
}

/// What to do about a finding of that kind.
fn advice(kind: &str) -> &'static str {
    match kind {
        "decision-removed" | "decision-changed" => "put the record back, or decide again with a note",
        "not-read" => "mend the file, so that what it states can be told",
        "file-changed" => "put it back, or have a person allow it: redpin allow FILE --base REV --note WHY",
        "oracle-and-code" => "change the code without the oracle, or have a person decide on the oracle first",
        "requirement-removed" | "requirement-changed" => {
            "put it back, or have a person allow it: redpin allow ID --base REV --note WHY"
        }
        "support-changed" | "run-changed" => {
            "put it back, or have a person allow it: redpin allow FILE --base REV --note WHY"
        }
        _ => "put it back, or have a person allow it: redpin allow PROPERTY --base REV --note WHY",
    }
}

impl CheckPins {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let triage = world.open(page)?;
        let guarded = check::pins(&triage, &self.base)?;
        if self.json {
            page.json(&Answer {
                schema: SCHEMA,
                ok: guarded.findings.is_empty(),
                base: &guarded.base.id,
                findings: guarded.findings.iter().map(Row::from).collect(),
                allowed: guarded.allowed.iter().map(AllowedRow::from).collect(),
                notices: &guarded.notices,
            })?;
        } else {
            tell(&guarded, page)?;
        }
        Ok(if guarded.findings.is_empty() { Exit::Done } else { Exit::No })
    }
}

fn tell(guarded: &Guarded, page: &mut Page<'_>) -> Result<(), Fault> {
    print_notices(&guarded.notices, page)?;
    for finding in &guarded.findings {
        page.line(&format!("{}: {}", place(finding, guarded), visible::line(&finding.text)))?;
        page.line(&format!("    {}: {}", finding.kind, advice(finding.kind)))?;
    }
    for Allowance { finding, record, why, who } in &guarded.allowed {
        let who = visible::line(who);
        page.line(&format!("{}: allowed by {who}: {}", place(finding, guarded), visible::line(&finding.text)))?;
        page.line(&format!("    {}: {}", visible::line(record.as_str()), visible::line(why)))?;
    }
    let short = visible::line(&guarded.base.short);
    let told = match guarded.findings.len() {
        0 => format!("nothing is taken from the oracle since {short}"),
        many => format!(
            "{} since {short}",
            counted(many, "thing is taken from the oracle", "things are taken from the oracle")
        ),
    };
    Ok(page.line(&told)?)
}

/// Where it is, with the base's short id before what stood there alone.
fn place(finding: &Finding, guarded: &Guarded) -> String {
    let file = visible::line(finding.file.as_str());
    let line = finding.line.map_or_else(String::new, |line| format!(":{line}"));
    if finding.is_gone { format!("{}:{file}{line}", guarded.base.short) } else { format!("{file}{line}") }
}
