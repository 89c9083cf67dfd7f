//! Consequences that were staged and are gone again: thrown away with the user's changes, or left on another branch. Every
//! consequence has a decision record, so the record's file tells; where git ignores that file, nothing can be told.

use std::collections::HashSet;

use crate::git::Repository;
use crate::inbox::{FailureId, Filed, State};
use crate::repo_path::RepoPath;
use crate::triage::TriageError;
use crate::verdict::Verdict;

use super::record::{self, Records};

/// Those of `filed` whose consequence was staged and is gone again.
pub(crate) fn gone<'f>(
    filed: impl IntoIterator<Item = &'f Filed>,
    records: &Records<'_>,
    repository: &Repository,
) -> Result<HashSet<FailureId>, TriageError> {
    let missing = |one: &&Filed| one.state == State::Staged && !records.have(one);
    let missing = filed.into_iter().filter(missing);
    let (ids, paths): (Vec<FailureId>, Vec<RepoPath>) =
        missing.filter_map(|one| Some((one.id.clone(), record::path(one)?))).unzip();
    if paths.is_empty() {
        return Ok(HashSet::new());
    }
    let versions = repository.versions(&paths)?;
    Ok(ids.into_iter().zip(versions).filter(|(_, versions)| !versions.ignored).map(|(id, _)| id).collect())
}

/// Sees that `verdict` can be given: where the consequence of another one stands, that has to be taken back first.
///
/// # Errors
/// Where it stands, or git cannot tell.
pub(crate) fn refuse_another(
    filed: &Filed,
    verdict: Option<Verdict>,
    repository: &Repository,
) -> Result<(), TriageError> {
    if filed.state != State::Staged || filed.verdict == verdict {
        return Ok(());
    }
    let tree = repository.work_tree();
    let gone = gone([filed], &Records::list(&tree), repository)?;
    if gone.is_empty() { Err(TriageError::Staged(filed.id.clone())) } else { Ok(()) }
}
