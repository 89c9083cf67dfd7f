//! Runs into the inbox: what is new is added, what is known gets an occurrence more, what was decided stays decided.

use std::collections::HashSet;
use std::sync::Arc;

use crate::failure::Notice;
use crate::git::Repository;
use crate::inbox::{FailureId, Filed, Inbox, Mark, State};
use crate::repo_path::RepoPath;
use crate::source::RunArgument;
use crate::triage::records::fate::fates;
use crate::triage::records::record::{self, Records};
use crate::triage::{Triage, TriageError};

use super::changed;
use super::filing::{Added, Filing};
use super::pinned;
use super::reading::{Found, FoundIn, Progress, Reader};

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
        self.take_in(reader.finish(), &Records::list(&tree).with(&self.evidence()))
    }

    /// Reads the lines into the inbox that replay files of the work tree have and the last commit has not.
    ///
    /// # Errors
    /// Where git cannot read them, or the inbox cannot be written; nothing has changed then.
    pub fn import_changed(&mut self) -> Result<Imported, TriageError> {
        let tree = self.repository.work_tree();
        let found = changed::read(&self.repository, &tree, self.timestamp())?;
        if found.filed.is_empty() {
            self.look_again()?;
            let notices = [found.notices, Records::list(&tree).notices()].concat();
            return Ok(Imported { notices, ..Imported::default() });
        }
        self.take_in_of(Origin::Lines, found, &Records::list(&tree).with(&self.evidence()))
    }

    /// Puts what was found in runs into the inbox on disk.
    pub(super) fn take_in(&mut self, found: Found, records: &Records<'_>) -> Result<Imported, TriageError> {
        self.take_in_of(Origin::Runs, found, records)
    }

    fn take_in_of(&mut self, origin: Origin, found: Found, records: &Records<'_>) -> Result<Imported, TriageError> {
        let label = super::sweep::label(&found.sweeps, found.runs.len()).unwrap_or_else(|| label(&found.runs));
        let now = self.timestamp();
        let shown: Vec<_> = match &found.sweeps[..] {
            [] => Vec::new(),
            _ => found.filed.iter().map(|filed| (filed.id.clone(), super::sweep::runs_of(filed))).collect(),
        };
        let mut writing = self.store.lock()?;
        let Merged { filed, failures, new, changed } =
            merged(writing.inbox(), (found.filed, origin), records, &self.repository)?;
        if changed {
            writing.replace(filed, &label, &now)?;
        }
        drop(writing);
        let told = super::sweep::note(&found.sweeps, &shown, &new, &self.store_folder())?;
        let (new, known) = (new.len(), failures.len() - new.len());
        let notices = [found.notices, told, records.notices()].concat();
        Ok(Imported { runs: found.runs, failures, new, known, notices })
    }
}

/// Where failures were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// In runs: what they do not show any more is over.
    Runs,
    /// In lines that runs have left, which tell of nothing else.
    Lines,
}

/// The inbox's failures together with those found.
struct Merged {
    filed: Vec<Arc<Filed>>,
    /// Those found.
    failures: Vec<FailureId>,
    /// Those of them that are new.
    new: HashSet<FailureId>,
    /// Whether anything differs from before.
    changed: bool,
}

fn merged(
    inbox: &Inbox,
    (found, origin): (Vec<Arc<Filed>>, Origin),
    records: &Records<'_>,
    repository: &Repository,
) -> Result<Merged, TriageError> {
    let mut filing = Filing::of(inbox.filed(), records.tree());
    let (mut failures, mut new) = (Vec::new(), HashSet::new());
    let mut shown = HashSet::new();
    for one in found {
        let (at, added) = filing.add(records.under_its_name(Arc::unwrap_or_clone(one)));
        let id = filing.filed[at].id.clone();
        if added == Added::New {
            new.insert(id.clone());
        }
        if shown.insert(id.clone()) {
            failures.push(id);
        }
    }
    let mut filed = filing.filed;
    let fates = fates(filed.iter().map(AsRef::as_ref), repository)?;
    for one in &mut filed {
        let mark = match fates.get(&one.id) {
            Some(state) => Mark { state: *state, ..one.mark() },
            None if shown.contains(&one.id) => records.mark_again(one),
            None => continue,
        };
        if mark != one.mark() {
            Arc::make_mut(one).set_mark(mark);
        }
    }
    if origin == Origin::Runs {
        let over = over(&filed, &shown, repository)?;
        filed.retain(|one| !over.contains(&one.id));
    }
    pinned::tie(&mut filed, records);
    let changed = filed != inbox.filed();
    Ok(Merged { filed, failures, new, changed })
}

/// The failures that are over: no run shows them any more, and their decision is in the last commit.
fn over(
    filed: &[Arc<Filed>],
    shown: &HashSet<FailureId>,
    repository: &Repository,
) -> Result<HashSet<FailureId>, TriageError> {
    let settled = |filed: &&Arc<Filed>| filed.state == State::Known && !shown.contains(&filed.id);
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
