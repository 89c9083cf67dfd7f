//! Runs into the inbox: what is new is added, what is known gets an occurrence more, what was decided stays decided.

use std::collections::HashSet;
use std::sync::Arc;

use crate::failure::Notice;
use crate::git::Repository;
use crate::inbox::{FailureId, Filed, Inbox, State};
use crate::repo_path::RepoPath;
use crate::source::RunArgument;

use super::reading::{Found, FoundIn, Progress, Reader};
use super::record::{self, Records};
use super::{Triage, TriageError};

/// What an import came to.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// Run by run what was found.
    pub runs: Vec<FoundIn>,
    /// Every failure found, each once.
    pub failures: Vec<FailureId>,
    /// How many of them the inbox did not know.
    pub new: usize,
    /// How many it knew.
    pub known: usize,
    /// What could not be read, or must be known.
    pub notices: Vec<Notice>,
}

impl Triage {
    /// Reads `runs` into the inbox.
    ///
    /// # Errors
    /// Where a run cannot be opened, or the inbox cannot be written; nothing has changed then.
    pub fn import(
        &mut self,
        runs: &[RunArgument],
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Imported, TriageError> {
        let tree = self.repository.work_tree();
        let mut reader = Reader::new(&tree, self.timestamp());
        reader.open(runs, progress)?;
        self.take_in(reader.finish(), &Records::list(&tree))
    }

    /// Puts what was found into the inbox on disk.
    pub(super) fn take_in(&mut self, found: Found, records: &Records<'_>) -> Result<Imported, TriageError> {
        let (label, now) = (label(&found.runs), self.timestamp());
        let failures = found.filed.iter().map(|filed| filed.id.clone()).collect();
        let mut writing = self.store.lock()?;
        let known = found.filed.iter().filter(|filed| writing.inbox().place(&filed.id).is_some()).count();
        let new = found.filed.len() - known;
        if let Some(filed) = merged(writing.inbox(), found.filed, records, &self.repository)? {
            writing.replace(filed, &label, &now)?;
        }
        Ok(Imported { runs: found.runs, failures, new, known, notices: found.notices })
    }
}

/// The inbox's failures with those found; `None` where that changes nothing.
fn merged(
    inbox: &Inbox,
    found: Vec<Filed>,
    records: &Records<'_>,
    repository: &Repository,
) -> Result<Option<Vec<Arc<Filed>>>, TriageError> {
    let shown: HashSet<FailureId> = found.iter().map(|filed| filed.id.clone()).collect();
    let mut filed = inbox.filed().to_vec();
    let mut changed = false;
    for mut one in found {
        match inbox.place(&one.id) {
            Some(at) => changed |= absorb(&mut filed[at], one, records),
            None => {
                one.set_mark(records.mark(&one));
                filed.push(Arc::new(one));
                changed = true;
            }
        }
    }
    let done = committed(&filed, &shown, repository)?;
    changed |= !done.is_empty();
    filed.retain(|one| !done.contains(&one.id));
    Ok(changed.then_some(filed))
}

/// Takes in what a run shows of a failure that the inbox knows.
fn absorb(known: &mut Arc<Filed>, found: Filed, records: &Records<'_>) -> bool {
    let mut merged = known.as_ref().clone();
    (merged.file, merged.line, merged.requirement) = (found.file.clone(), found.line, found.requirement.clone());
    merged.absorb(found);
    merged.set_mark(records.mark_again(&merged));
    if merged == **known {
        return false;
    }
    *known = Arc::new(merged);
    true
}

/// The failures that are over: no run shows them any more, and their decision is in the last commit.
fn committed(
    filed: &[Arc<Filed>],
    shown: &HashSet<FailureId>,
    repository: &Repository,
) -> Result<HashSet<FailureId>, TriageError> {
    let settled =
        |filed: &&Arc<Filed>| matches!(filed.state, State::Staged | State::Known) && !shown.contains(&filed.id);
    let (ids, paths): (Vec<FailureId>, Vec<RepoPath>) =
        filed.iter().filter(settled).filter_map(|filed| Some((filed.id.clone(), record::path(filed)?))).unzip();
    if paths.is_empty() {
        return Ok(HashSet::new());
    }
    let versions = repository.versions(&paths)?;
    let over = ids.into_iter().zip(versions).filter(|(_, versions)| versions.head.is_some());
    Ok(over.map(|(id, _)| id).collect())
}

/// The runs as one line.
fn label(runs: &[FoundIn]) -> String {
    match runs {
        [] => String::new(),
        [one] => one.run.clone(),
        [first, rest @ ..] => format!("{} and {} more", first.run, rest.len()),
    }
}
