//! What became of consequences that were staged: committed since, thrown away with the user's changes, or left on another
//! branch. Every consequence has a decision record, so the record's file tells; where git ignores that file, nothing can be
//! told.

use std::collections::HashMap;

use crate::git::{InIndex, Repository, Versions};
use crate::inbox::{FailureId, Filed, Inbox, Mark, State};
use crate::repo_path::RepoPath;
use crate::verdict::Verdict;

use super::record;
use crate::triage::{Triage, TriageError};

/// Of those of `filed` that are kept as staged and are not any more, how far they really are.
pub(crate) fn fates<'f>(
    filed: impl IntoIterator<Item = &'f Filed>,
    repository: &Repository,
) -> Result<HashMap<FailureId, State>, TriageError> {
    let staged = filed.into_iter().filter(|one| one.state == State::Staged);
    let (staged, paths): (Vec<&Filed>, Vec<RepoPath>) =
        staged.filter_map(|one| Some((one, record::path(one)?))).unzip();
    if paths.is_empty() {
        return Ok(HashMap::new());
    }
    let versions = repository.versions(&paths)?;
    let fates = staged.into_iter().zip(&versions);
    Ok(fates.filter_map(|(one, versions)| Some((one.id.clone(), fate(one, versions)?))).collect())
}

fn fate(filed: &Filed, record: &Versions) -> Option<State> {
    match &record.index {
        InIndex::Missing | InIndex::Promised if !record.ignored => Some(State::Decided),
        InIndex::File(staged) => match record::read(&staged.bytes) {
            Ok(decision) if Some(decision.verdict) != filed.verdict => Some(State::Decided),
            _ => (record.head_bytes() == Some(&staged.bytes)).then_some(State::Known),
        },
        _ => None,
    }
}

/// Brings the marks of an inbox up to what became of them.
pub(crate) fn bring_up(inbox: &mut Inbox, fates: HashMap<FailureId, State>) {
    for (id, state) in fates {
        if let Some(mark) = inbox.get(&id).map(|filed| filed.mark()) {
            inbox.mark(&id, Mark { state, ..mark });
        }
    }
}

/// Sees that `verdict` can be given: where the consequence of another one is staged, that has to be taken back first.
///
/// # Errors
/// Where it is, or git cannot tell.
pub(crate) fn refuse_another(
    filed: &Filed,
    verdict: Option<Verdict>,
    repository: &Repository,
) -> Result<(), TriageError> {
    if filed.state != State::Staged || filed.verdict == verdict {
        return Ok(());
    }
    if fates([filed], repository)?.is_empty() { Err(TriageError::Staged(filed.id.clone())) } else { Ok(()) }
}

impl Triage {
    /// Whether a failure is kept as staged and is not any more. Only its own file is asked.
    ///
    /// # Errors
    /// Where git cannot tell.
    pub fn has_moved(&self, id: &FailureId) -> Result<bool, TriageError> {
        let filed = self.inbox().get(id).map(AsRef::as_ref);
        Ok(!fates(filed, &self.repository)?.is_empty())
    }

    /// Takes in what another redpin decided since, and what became of what was staged.
    ///
    /// # Errors
    /// Where the inbox cannot be read or written, or git cannot tell.
    pub fn look_again(&mut self) -> Result<(), TriageError> {
        let mut writing = self.store.lock()?;
        let fates = fates(writing.inbox().filed().iter().map(AsRef::as_ref), &self.repository)?;
        if !fates.is_empty() {
            let mut inbox = writing.inbox().clone();
            bring_up(&mut inbox, fates);
            writing.change(inbox.filed().to_vec())?;
        }
        Ok(())
    }
}
