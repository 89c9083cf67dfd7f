//! Gathers what is known of a change into one bundle: from the oracle and its guard, from records, from what running pins showed,
//! from the inbox, and from what mutation testing left.

mod mutation;

use std::collections::BTreeMap;

use crate::control::Control;
use crate::evidence::{Bundle, ControlRow, FailureRow, PinRow, RequirementRow, SweepRow, TakenRow};
use crate::failure::Notice;
use crate::git::Commit;
use crate::proof::{Evidence, PinState};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::store::evidence;
use crate::triage::{Triage, TriageError};

use super::nights::{self, Night, working_hours};
use super::pins::{self, Finding};
use super::trace::{self, Trace};

/// The folder of the records of controls.
const CONTROLS: &str = ".redpin/controls";

/// So many sweeps are told of, the newest first.
const SWEEPS: usize = 7;

/// No record is longer, in bytes.
const LARGEST: u64 = 1 << 20;

/// What is known of the change from the commit called `base` to the work tree, and what could not be read.
///
/// # Errors
/// Where there is no such commit, or git cannot compare.
pub fn bundle(triage: &Triage, base: &str) -> Result<(Bundle, Vec<Notice>), TriageError> {
    let guarded = pins::pins(triage, base)?;
    let trace = trace::trace(triage);
    let tree = triage.work_tree();
    let commit = triage.commit();
    let kept = evidence::kept(&triage.store_folder())?;
    let allowed =
        guarded.allowed.iter().map(|one| (&one.finding, Some(format!("{}, by {}: {}", one.record, one.who, one.why))));
    let taken = guarded.findings.iter().map(|one| (one, None)).chain(allowed);
    let bundle = Bundle {
        schema: 1,
        when: triage.now(),
        base: guarded.base.id.clone(),
        requirements: requirements(&trace),
        controls: controls(&tree),
        mutation: mutation::scores(&tree),
        pins: pins_run(triage, &kept, &guarded.base, &commit)?,
        taken: taken.map(|(finding, allowed)| row(finding, allowed)).collect(),
        sweeps: nights::nights(triage)?.iter().rev().take(SWEEPS).map(sweep).collect(),
        failures: failures(triage, &tree),
        commit,
        ..Bundle::default()
    };
    let unread = trace.notices.iter().map(|notice| format!("{}: {}", notice.file, notice.text)).collect();
    Ok((bundle.judged(unread), [guarded.notices, trace.notices].concat()))
}

fn requirements(trace: &Trace) -> Vec<RequirementRow> {
    let run = |one: &trace::Traced| {
        one.properties.iter().map(|at| &trace.properties[*at]).filter(|property| property.skipped.is_none()).collect()
    };
    let of_one = |one: &trace::Traced, run: Vec<&trace::Cited>| RequirementRow {
        id: one.requirement.id.0.clone(),
        title: one.requirement.headline(),
        at: format!("{}:{}", one.file, one.requirement.line),
        properties: run.iter().map(|property| property.test.0.clone()).collect(),
        places: run.iter().map(|property| format!("{}:{}", property.file, property.line)).collect(),
    };
    trace.requirements.iter().map(|one| of_one(one, run(one))).collect()
}

/// The last control of each property.
fn controls(tree: &dyn SourceTree) -> Vec<ControlRow> {
    let mut last: BTreeMap<String, ControlRow> = BTreeMap::new();
    for file in tree.files_in(CONTROLS, LARGEST).files {
        let Some(control) = tree.read(&file).and_then(|bytes| serde_json::from_slice::<Control>(&bytes).ok()) else {
            continue;
        };
        let row = ControlRow {
            property: control.property.clone(),
            outcome: control.outcome.word().to_owned(),
            when: control.when,
            record: file.to_string(),
        };
        if last.get(&control.property).is_none_or(|known| known.when < row.when) {
            last.insert(control.property, row);
        }
    }
    last.into_values().collect()
}

/// How each pin that stands came out at the base and on this very code, the last time.
fn pins_run(triage: &Triage, kept: &[Evidence], base: &Commit, commit: &str) -> Result<Vec<PinRow>, TriageError> {
    let rows = triage.standing_pins(&[])?.into_iter().map(|pin| {
        let test = &pin.runs().0;
        let last = |wanted: &dyn Fn(&Evidence) -> bool| {
            let mut own = kept.iter().rev().filter(|one| one.failure == pin.failure && one.test == *test);
            own.find(|one| wanted(one)).map(|one| word(one.state))
        };
        PinRow {
            base: last(&|one| one.elsewhere && one.commit.trim_end_matches('+') == base.id),
            // Of a tree that differs from its commit nobody can tell whether it still differs in the same way.
            here: last(&|one| !one.elsewhere && one.commit == commit && !commit.ends_with('+')),
            test: test.clone(),
            property: pin.property.0.clone(),
            file: pin.file.map(|file| file.to_string()),
        }
    });
    Ok(rows.collect())
}

fn word(state: PinState) -> String {
    state.word().to_owned()
}

fn row(finding: &Finding, allowed: Option<String>) -> TakenRow {
    let line = finding.line.map_or_else(String::new, |line| format!(":{line}"));
    TakenRow { text: finding.text.clone(), at: format!("{}{line}", finding.file), allowed }
}

fn sweep(night: &Night) -> SweepRow {
    let sweep = &night.sweep;
    SweepRow {
        name: sweep.name.clone(),
        when: sweep.when.clone(),
        commit: sweep.commit.clone(),
        cases: sweep.cases,
        properties: sweep.properties,
        shards: format!("{} of {}", sweep.shards.len(), sweep.of),
        missing: sweep.missing(),
        exit: sweep.exit,
        failures: sweep.failures,
        open: night.open,
        hours: night.hours,
    }
}

/// The failures of the inbox, and how long each waited for its verdict.
fn failures(triage: &Triage, tree: &dyn SourceTree) -> Vec<FailureRow> {
    let records = nights::decided(tree);
    let now = triage.now();
    let of_one = |filed: &std::sync::Arc<crate::inbox::Filed>| {
        let first = filed.occurrences.first().map_or(now.as_str(), |first| first.imported.as_str());
        let decided = filed.verdict.map(|verdict| verdict.word().to_owned());
        // What was decided and is not on record yet was decided by now.
        let end = records.get(&filed.id.0).filter(|_| decided.is_some()).unwrap_or(&now);
        FailureRow {
            id: filed.id.0.clone(),
            property: filed.failure.test.0.clone(),
            at: filed
                .file
                .as_ref()
                .map(|file| format!("{file}{}", filed.line.map_or(String::new(), |line| format!(":{line}")))),
            verdict: decided,
            hours: working_hours(first, end),
        }
    };
    triage.inbox().filed().iter().map(of_one).collect()
}

/// A file of the repository, as far as it may be read.
fn read(path: &str, tree: &dyn SourceTree) -> Option<(RepoPath, serde_json::Value)> {
    let path = RepoPath::new(path)?;
    let value = serde_json::from_slice(&tree.read(&path)?).ok()?;
    Some((path, value))
}

#[cfg(test)]
mod tests {
    use super::controls;
    use crate::source_tree::testing::Files;

    #[test]
    fn the_last_control_of_a_property_counts() {
        let record = |when: &str, outcome: &str| {
            format!(
                r#"{{"schema":1,"property":"p","framework":"f","package":null,"file":null,"who":"","when":"{when}","commit":"",
                    "digest":"","patch":"","outcome":"{outcome}","test":"","message":"","at":""}}"#
            )
        };
        let (old, new) = (record("2026-11-29", "green"), record("2026-11-30", "red"));
        let tree = Files::new([
            (".redpin/controls/1-p.json", new.as_str()),
            (".redpin/controls/2-p.json", old.as_str()),
            (".redpin/controls/note.txt", "no record"),
        ]);
        let told: Vec<_> = controls(&tree).into_iter().map(|one| (one.property, one.outcome, one.record)).collect();
        assert_eq!(told, [("p".to_owned(), "red".to_owned(), ".redpin/controls/1-p.json".to_owned())]);
    }
}
