//! Whether the pin of a record stands already. One that running its property gave cannot be planned anew without running
//! it again, which may then give another; and what somebody wrote by hand nobody plans.

use crate::failure::TestName;
use crate::git::{Repository, Versions};
use crate::inbox::Filed;
use crate::pin::Rung;
use crate::repo_path::RepoPath;
use crate::triage::TriageError;
use crate::verdict::{Decision, Verdict};

use super::record;

/// A pin that stands.
pub(crate) struct Stands {
    pub(crate) test: TestName,
    pub(crate) rung: Rung,
    pub(crate) files: Vec<RepoPath>,
}

/// The pin that `decision` has of the very input of `filed`, or of one in its place, where its test is in the index and in
/// the work tree.
///
/// # Errors
/// Where git cannot tell.
pub(crate) fn stands(
    decision: Decision,
    filed: &Filed,
    repository: &Repository,
) -> Result<Option<Stands>, TriageError> {
    let is_of_input = decision.counterexample == record::counterexample(filed);
    let Some(pin) = decision.pin.filter(|_| decision.verdict == Verdict::RealBug && is_of_input) else {
        return Ok(None);
    };
    let rung = Rung::called(&pin.rung).filter(|rung| *rung != Rung::Literal || pin.instead.is_some());
    let (Some(rung), Some(test), Some(path)) = (rung, pin.test.map(TestName), record::path(filed)) else {
        return Ok(None);
    };
    let files: Vec<RepoPath> = pin.files.iter().filter_map(|file| RepoPath::new(file)).chain([path]).collect();
    let versions = repository.versions(&files)?;
    let has_test = |bytes: Option<&[u8]>| {
        bytes.is_some_and(|bytes| memchr::memmem::find(bytes, test.function().as_bytes()).is_some())
    };
    let holds = |one: &Versions| has_test(one.index_bytes()) && has_test(one.work_bytes());
    // The record names the test as well.
    let (of_record, sources) = match versions.split_last() {
        Some((record, sources)) => (holds(record), sources),
        None => return Ok(None),
    };
    Ok((of_record && sources.iter().any(holds)).then_some(Stands { test, rung, files }))
}
