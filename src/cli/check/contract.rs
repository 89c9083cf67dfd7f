//! `redpin check contract`: whether the patch contract is kept. Standard output is one JSON object that programs have read since
//! before there was redpin; all that people want to know besides goes with the remarks.

use std::io;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::check::contract::{Blocking, Compared, Held, Kept, contract, path};
use crate::cli::json::SCHEMA;
use crate::cli::page::Page;
use crate::cli::proving::{Telling, named};
use crate::cli::{Exit, Fault, World, counted};
use crate::contract::Outcome;
use crate::triage::{Triage, TriageError};
use crate::visible;

/// See that the patch contract is kept: fixtures, quarantines and seeded properties.
///
/// The contract is patch-contract.json at the top of the repository. Its fixtures must have the bytes that they had, none of
/// its quarantines may be over on the day that it takes for today, and each of its properties must hold with its seed, run by
/// its own test runner. What cannot be seen to be so is a failure. Standard output is the object {"ok": ..., "failures": [...]}
/// and nothing else; what the tests print goes to standard error.
///
/// With --base the same is run at that commit, twice, in a scratch copy: what fails there already, and what comes out one way
/// and the other there, is told and blocks nothing.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  redpin check contract                      exit status 0: it is kept\n  \
                        redpin check contract --base origin/main   only what the change broke counts\n  \
                        redpin check contract --json               the same object with more keys")]
pub(super) struct CheckContract {
    /// The contract's file.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Run it at this commit as well, and count only what the change broke.
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// Print the object with more keys.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    ok: bool,
    failures: Vec<&'a str>,
    schema: u32,
    /// Why, of those failures that do not say it themselves.
    reasons: Vec<ReasonRow<'a>>,
    properties: Vec<PropertyRow<'a>>,
    warnings: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<BaseRow<'a>>,
}

#[derive(Serialize)]
struct ReasonRow<'a> {
    failure: &'a str,
    reason: &'a str,
}

#[derive(Serialize)]
struct PropertyRow<'a> {
    test: &'a str,
    seed: i128,
    /// `held`, `failed` or `untold`.
    outcome: &'static str,
    /// What was said, or null.
    reason: Option<&'a str>,
    /// Whether it says something for the change.
    evidence: bool,
    /// The quarantine that sets it aside, or null.
    quarantine: Option<AsideRow>,
}

#[derive(Serialize)]
struct AsideRow {
    expires: String,
    days_left: i64,
}

#[derive(Serialize)]
struct BaseRow<'a> {
    commit: &'a str,
    date: &'a str,
    title: &'a str,
    already: &'a [String],
    flaky: &'a [String],
}

impl<'a> From<&'a Held> for PropertyRow<'a> {
    fn from(one: &'a Held) -> Self {
        PropertyRow {
            test: &one.test,
            seed: one.seed,
            outcome: one.outcome.word(),
            reason: one.outcome.reason(),
            evidence: one.is_evidence(),
            quarantine: one
                .aside
                .as_ref()
                .map(|(aside, days_left)| AsideRow { expires: aside.expires.to_string(), days_left: *days_left }),
        }
    }
}

impl<'a> From<&'a Compared> for BaseRow<'a> {
    fn from(Compared { commit, already, flaky }: &'a Compared) -> Self {
        BaseRow { commit: &commit.id, date: &commit.date, title: &commit.title, already, flaky }
    }
}

impl CheckContract {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let kept = match self.kept(world, page) {
            Ok(kept) => kept,
            Err(Fault::Triage(error)) if !matches!(error, TriageError::Stopped(_)) => {
                let line = format!("contract cannot be checked: {error}");
                Kept { breaches: vec![Blocking { line, reason: None }], ..Kept::default() }
            }
            Err(fault) => return Err(fault),
        };
        remarks(&kept, page)?;
        let ok = kept.breaches.is_empty();
        let failures: Vec<&str> = kept.breaches.iter().map(|one| one.line.as_str()).collect();
        match self.json {
            true => page.json(&answer(&kept, failures))?,
            false => page.line(&object(ok, &failures))?,
        }
        Ok(if ok { Exit::Done } else { Exit::No })
    }

    fn kept(&self, world: &World, page: &mut Page<'_>) -> Result<Kept, Fault> {
        // Whatever a killed redpin left stays as it is: to settle it is no matter of a check.
        let triage = Triage::open(&world.directory, world.now)?;
        let path = path(&triage, &world.directory, self.file.as_deref());
        let onlooker = &mut Telling::new(page, false)?;
        Ok(contract(&triage, &path, self.base.as_deref(), &world.cache, onlooker)?)
    }
}

fn answer<'a>(kept: &'a Kept, failures: Vec<&'a str>) -> Answer<'a> {
    let reason = |one: &'a Blocking| Some(ReasonRow { failure: &one.line, reason: one.reason.as_deref()? });
    Answer {
        ok: kept.breaches.is_empty(),
        failures,
        schema: SCHEMA,
        reasons: kept.breaches.iter().filter_map(reason).collect(),
        properties: kept.properties.iter().map(PropertyRow::from).collect(),
        warnings: &kept.warnings,
        base: kept.base.as_ref().map(BaseRow::from),
    }
}

/// What people want to know: each failure with why, what is set aside, what the base says, and how much of it is evidence.
fn remarks(kept: &Kept, page: &mut Page<'_>) -> io::Result<()> {
    for one in &kept.breaches {
        let reason = one.reason.as_ref().map_or(String::new(), |reason| format!(": {}", visible::line(reason)));
        page.remark(&format!("{}{reason}", visible::line(&one.line)))?;
    }
    for one in &kept.properties {
        if let Some((aside, days_left)) = &one.aside {
            let how = match &one.outcome {
                Outcome::Held => "it holds".to_owned(),
                Outcome::Failed(reason) => format!("it fails: {}", visible::line(reason)),
                Outcome::Untold(reason) => format!("nothing was seen of it: {}", visible::line(reason)),
            };
            let (test, left) = (visible::line(&one.test), counted_days(*days_left));
            page.remark(&format!("set aside until {} ({left}), and no evidence: {test}: {how}", aside.expires))?;
        }
    }
    if let Some(base) = &kept.base {
        let commit = named(&base.commit);
        for line in &base.already {
            page.remark(&format!("already at {commit}, and not counted: {}", visible::line(line)))?;
        }
        for line in &base.flaky {
            page.remark(&format!("flaky at {commit}, and not counted: {}", visible::line(line)))?;
        }
    }
    for warning in &kept.warnings {
        page.remark(&format!("note: {}", visible::line(warning)))?;
    }
    let evidence = kept.properties.iter().filter(|one| one.is_evidence()).count();
    let all = counted(kept.properties.len(), "property", "properties");
    page.remark(&format!("evidence: {evidence} of {all}"))
}

fn counted_days(days: i64) -> String {
    match days {
        0 => "its last day".to_owned(),
        1 => "1 day left".to_owned(),
        days => format!("{days} days left"),
    }
}

/// The object in the form that its readers know: one line, in ASCII.
fn object(ok: bool, failures: &[&str]) -> String {
    let failures: Vec<String> = failures.iter().map(|line| quoted(line)).collect();
    format!("{{\"ok\": {ok}, \"failures\": [{}]}}", failures.join(", "))
}

/// A text as JSON in ASCII.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(b'"') => quoted.push_str("\\\""),
            Ok(b'\\') => quoted.push_str("\\\\"),
            Ok(b'\n') => quoted.push_str("\\n"),
            Ok(b'\r') => quoted.push_str("\\r"),
            Ok(b'\t') => quoted.push_str("\\t"),
            Ok(8) => quoted.push_str("\\b"),
            Ok(12) => quoted.push_str("\\f"),
            Ok(byte @ b' '..=b'~') => quoted.push(char::from(byte)),
            _ => quoted.push_str(&format!("\\u{unit:04x}")),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::object;

    #[test]
    fn the_object_is_one_line_in_ascii() {
        assert_eq!(object(true, &[]), r#"{"ok": true, "failures": []}"#);
        let failures = ["fixture drift: ä\"\\.json 0 -> 1", "a\n\u{1b}\u{7f}\u{1f600}"];
        let told = object(false, &failures);
        assert_eq!(
            told,
            r#"{"ok": false, "failures": ["fixture drift: \u00e4\"\\.json 0 -> 1", "a\n\u001b\u007f\ud83d\ude00"]}"#
        );
        let read: serde_json::Value = serde_json::from_str(&told).unwrap();
        assert_eq!(read["failures"][1], failures[1]);
    }
}
