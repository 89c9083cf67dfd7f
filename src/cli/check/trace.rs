//! `redpin check trace`: whether requirements and properties are each other's.

use clap::Args;
use serde::Serialize;

use crate::check::{self, Cited, Trace, Traced, Unmet};
use crate::cli::json::SCHEMA;
use crate::cli::page::Page;
use crate::cli::{Exit, Fault, World, counted, print_notices};
use crate::failure::Notice;
use crate::visible;

/// See that every requirement has a property, and every property a requirement.
///
/// A requirement is a heading with an id in a Markdown file, as `### BILL-4: Instalments`; a property cites it by its name,
/// in a comment, or as `[BILL-4]`. A property that its runner passes over meets none.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  redpin check trace\n  redpin check trace --json")]
pub(super) struct CheckTrace {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    ok: bool,
    requirements: Vec<RequirementRow<'a>>,
    properties: Vec<PropertyRow<'a>>,
    findings: Vec<FindingRow<'a>>,
    notices: &'a [Notice],
}

#[derive(Serialize)]
struct RequirementRow<'a> {
    id: &'a str,
    title: String,
    file: &'a str,
    line: u32,
    /// The full names of the properties that cite it.
    properties: Vec<&'a str>,
}

#[derive(Serialize)]
struct PropertyRow<'a> {
    framework: &'a str,
    test: &'a str,
    file: &'a str,
    line: u32,
    requirement: Option<&'a str>,
    skipped: Option<&'a str>,
    pins: &'a [String],
    decision: Option<DecisionRow<'a>>,
}

#[derive(Serialize)]
struct DecisionRow<'a> {
    failure: &'a str,
    verdict: &'a str,
    who: &'a str,
    when: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
struct FindingRow<'a> {
    /// `no-property`, `cites-nothing` or `no-requirement`.
    kind: &'static str,
    file: &'a str,
    line: u32,
    text: String,
    advice: &'static str,
}

impl CheckTrace {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let triage = world.open(page)?;
        let trace = check::trace(&triage);
        let findings: Vec<FindingRow<'_>> = trace.unmet.iter().map(|one| finding(one, &trace)).collect();
        let ok = findings.is_empty();
        if self.json {
            page.json(&Answer {
                schema: SCHEMA,
                ok,
                requirements: trace.requirements.iter().map(|one| requirement(one, &trace)).collect(),
                properties: trace.properties.iter().map(property).collect(),
                findings,
                notices: &trace.notices,
            })?;
        } else {
            tell(&trace, &findings, page)?;
        }
        Ok(if ok { Exit::Done } else { Exit::No })
    }
}

/// The table for people, and what is missing.
pub(in crate::cli) fn print_trace(trace: &Trace, page: &mut Page<'_>) -> Result<(), Fault> {
    let findings: Vec<FindingRow<'_>> = trace.unmet.iter().map(|one| finding(one, trace)).collect();
    tell(trace, &findings, page)
}

fn requirement<'a>(one: &'a Traced, trace: &'a Trace) -> RequirementRow<'a> {
    RequirementRow {
        id: &one.requirement.id.0,
        title: one.requirement.headline(),
        file: one.file.as_str(),
        line: one.requirement.line,
        properties: one.properties.iter().map(|at| trace.properties[*at].test.0.as_str()).collect(),
    }
}

fn property(one: &Cited) -> PropertyRow<'_> {
    PropertyRow {
        framework: one.framework,
        test: &one.test.0,
        file: one.file.as_str(),
        line: one.line,
        requirement: one.requirement.as_ref().map(|id| id.0.as_str()),
        skipped: one.skipped.as_deref(),
        pins: &one.pins,
        decision: one.decision.as_ref().map(|decision| DecisionRow {
            failure: &decision.failure,
            verdict: decision.verdict.word(),
            who: &decision.who,
            when: &decision.when,
            why: &decision.why,
        }),
    }
}

fn finding<'a>(unmet: &Unmet, trace: &'a Trace) -> FindingRow<'a> {
    let of_property = |at: usize, kind, text: String, advice| {
        let one = &trace.properties[at];
        FindingRow { kind, file: one.file.as_str(), line: one.line, text, advice }
    };
    match *unmet {
        Unmet::NoProperty(at) => {
            let one = &trace.requirements[at];
            let id = &one.requirement.id;
            let text = match one.properties.first() {
                None => format!("{id} has no property"),
                Some(_) => format!("{id} has no property that is run"),
            };
            let advice = "write a property that cites it, or have those run that do";
            FindingRow { kind: "no-property", file: one.file.as_str(), line: one.requirement.line, text, advice }
        }
        Unmet::CitesNothing(at) => {
            let text = format!("{} cites no requirement", trace.properties[at].test);
            of_property(at, "cites-nothing", text, "cite the requirement that it states, as [ID] in a comment")
        }
        Unmet::NoRequirement(at) => {
            let one = &trace.properties[at];
            let id = one.requirement.as_ref().map_or("", |id| id.0.as_str());
            let text = format!("{} cites {id}, which no spec file has", one.test);
            of_property(at, "no-requirement", text, "write the requirement, or cite the one that is meant")
        }
    }
}

fn tell(trace: &Trace, findings: &[FindingRow<'_>], page: &mut Page<'_>) -> Result<(), Fault> {
    print_notices(&trace.notices, page)?;
    for one in &trace.requirements {
        let id = visible::line(&one.requirement.id.0);
        page.line(&format!("{id}  {}", visible::line(&one.requirement.headline())))?;
        for property in one.properties.iter().map(|at| &trace.properties[*at]) {
            page.line(&format!("    {}", line(property)))?;
        }
    }
    let none: Vec<&Cited> = trace.properties.iter().filter(|one| one.requirement.is_none()).collect();
    if !none.is_empty() {
        page.line("-  no requirement")?;
    }
    for property in none {
        page.line(&format!("    {}", line(property)))?;
    }
    if !findings.is_empty() {
        page.line("")?;
    }
    for one in findings {
        page.line(&format!("{}:{}: {}", visible::line(one.file), one.line, visible::line(&one.text)))?;
        page.line(&format!("    {}: {}", one.kind, one.advice))?;
    }
    let requirements = counted(trace.requirements.len(), "requirement", "requirements");
    let properties = counted(trace.properties.len(), "property", "properties");
    let faults =
        if findings.is_empty() { "each has its other".to_owned() } else { format!("{} missing", findings.len()) };
    Ok(page.line(&format!("{requirements}, {properties}: {faults}"))?)
}

/// A property and where it stands, whether it is run, its pins and the last decision.
fn line(property: &Cited) -> String {
    let place = format!("{}:{}", property.file, property.line);
    let mut line = format!("{}  {}", visible::line(&property.test.0), visible::line(&place));
    if let Some(how) = &property.skipped {
        line.push_str(&format!(", passed over ({})", visible::line(how)));
    }
    if !property.pins.is_empty() {
        line.push_str(&format!(", {}", counted(property.pins.len(), "pin", "pins")));
    }
    if let Some(decision) = &property.decision {
        let date = decision.when.get(..10).unwrap_or_default();
        line.push_str(&format!(", {} {}", decision.verdict.word(), visible::line(date)));
    }
    line
}
