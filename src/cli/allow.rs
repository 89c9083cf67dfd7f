//! `redpin allow`: the reason why the oracle may ask less, on record.

use std::collections::BTreeMap;

use clap::Args;
use serde::Serialize;

use super::json::SCHEMA;
use super::page::Page;
use super::{Exit, Fault, World};
use crate::check::{self, Finding};
use crate::repo_path::RepoPath;
use crate::triage::{Recorded, Subject, TriageError, is_called};
use crate::visible;

/// Put on record why the oracle may ask less
///
/// Of what `redpin check pins` finds, each property, pin, requirement or file that is named gets a decision record with your reason,
/// which allows it; a file where the finding is about no test. The records are staged; `redpin undo` takes them back one by one.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  redpin allow spread_at_most_one_cent --base origin/main --note \"the law has changed\"\n  \
                        redpin allow BILL-4 --base origin/main --note \"half cents go up\""
)]
pub(super) struct Allow {
    /// What may ask less: the end of a test name, the id of a requirement, or the end of a file's path.
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// The commit that the work tree is held against.
    #[arg(long, value_name = "REV")]
    base: String,
    /// The reason, in your own words.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    note: String,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    records: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    record: Option<&'a str>,
    /// Why there is none, or null.
    reason: Option<&'a str>,
}

impl Allow {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        if self.note.trim().is_empty() {
            return Err(TriageError::NoReason.into());
        }
        let mut triage = world.open(page)?;
        let found = check::pins(&triage, &self.base)?.findings;
        let mut subjects = BTreeMap::new();
        for name in &self.names {
            let meant: Vec<Subject> =
                found.iter().flat_map(subjects_of).filter(|one| !name.is_empty() && is_meant(one, name)).collect();
            if meant.is_empty() {
                return Err(TriageError::NoFinding(name.clone()).into());
            }
            subjects.extend(meant.into_iter().map(|one| (label(&one).to_owned(), one)));
        }
        let mut records = Vec::new();
        for (name, subject) in &subjects {
            records.push((name.as_str(), triage.allow(subject, self.note.trim())?));
        }
        self.tell(&records, page)
    }

    fn tell(&self, records: &[(&str, Recorded)], page: &mut Page<'_>) -> Result<Exit, Fault> {
        let row = |(name, recorded): &(&str, Recorded)| match recorded {
            Recorded::Staged(file) | Recorded::Stood(file) => (name.to_string(), Some(file.to_string()), None),
            Recorded::Refused(reason) => (name.to_string(), None, Some(reason.clone())),
        };
        let told: Vec<(String, Option<String>, Option<String>)> = records.iter().map(row).collect();
        if self.json {
            let rows = told.iter().map(|(name, record, reason)| Row {
                name,
                record: record.as_deref(),
                reason: reason.as_deref(),
            });
            page.json(&Answer { schema: SCHEMA, records: rows.collect() })?;
        }
        for (name, record, reason) in told.iter().filter(|_| !self.json) {
            let said = record.as_deref().or(reason.as_deref()).unwrap_or_default();
            let what = if record.is_some() { "staged" } else { "not recorded" };
            page.line(&format!("{}: {what}: {}", visible::line(name), visible::line(said)))?;
        }
        Ok(if told.iter().all(|(_, record, _)| record.is_some()) { Exit::Done } else { Exit::No })
    }
}

/// What a finding is about, each of it.
fn subjects_of(finding: &Finding) -> Vec<Subject> {
    let about = &finding.about;
    let file = Some(finding.file.clone());
    if let Some(id) = &about.requirement {
        return vec![Subject { requirement: Some(id.0.clone()), file, ..Subject::default() }];
    }
    let framework = about.framework.unwrap_or_default().to_owned();
    let of_test = |test: &crate::failure::TestName| Subject {
        framework: framework.clone(),
        property: test.0.clone(),
        file: file.clone(),
        requirement: None,
    };
    match finding.kind {
        // It ends with what it comes of.
        "oracle-and-code" => Vec::new(),
        _ if about.tests.is_empty() => vec![Subject { framework, file, ..Subject::default() }],
        _ => about.tests.iter().map(of_test).collect(),
    }
}

/// Whether `name` means the subject: a test may be named after its file.
fn is_meant(subject: &Subject, name: &str) -> bool {
    let file = subject.file.as_ref().filter(|_| !subject.property.is_empty());
    is_called(label(subject), file.map(RepoPath::as_str), name)
}

fn label(subject: &Subject) -> &str {
    subject.name()
}
