//! The decisions that are on record, each with how far its file has come in git.

use std::collections::HashSet;

use crate::git::{InIndex, InWorkTree, Versions};
use crate::repo_path::RepoPath;
use crate::triage::{Triage, TriageError, records_of};
use crate::verdict::Decision;

/// A decision and its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnRecord {
    /// The file.
    pub file: RepoPath,
    /// What it says.
    pub decision: Decision,
    /// How far it has come.
    pub standing: Standing,
    /// Whether the failure is open again in the inbox.
    pub is_reopened: bool,
}

/// How far a record has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is in the last commit as it is here.
    Committed,
    /// It is in the index, and not in the last commit.
    Staged,
    /// It is in the work tree alone, or otherwise than in the index.
    NotStaged,
    /// Git ignores it.
    Ignored,
}

impl Standing {
    /// A word or two for people.
    pub fn word(self) -> &'static str {
        match self {
            Standing::Committed => "committed",
            Standing::Staged => "staged",
            Standing::NotStaged => "not staged",
            Standing::Ignored => "ignored by git",
        }
    }
}

/// Every decision on record in the work tree, newest first.
///
/// # Errors
/// Where git cannot read its versions.
pub fn on_record(triage: &Triage) -> Result<Vec<OnRecord>, TriageError> {
    let (files, decisions): (Vec<RepoPath>, Vec<Decision>) = records_of(&triage.work_tree()).into_iter().unzip();
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let versions = triage.repository().versions(&files)?;
    let reopened = triage.inbox().filed().iter().filter(|filed| filed.reopened);
    let reopened: HashSet<&str> = reopened.map(|filed| filed.id.0.as_str()).collect();
    let of_one = |((file, decision), versions): ((RepoPath, Decision), &Versions)| OnRecord {
        file,
        is_reopened: reopened.contains(decision.failure.as_str()),
        decision,
        standing: standing(versions),
    };
    let mut all: Vec<OnRecord> = files.into_iter().zip(decisions).zip(&versions).map(of_one).collect();
    all.sort_by(|a, b| (&b.decision.when, &a.file).cmp(&(&a.decision.when, &b.file)));
    Ok(all)
}

fn standing(versions: &Versions) -> Standing {
    let work = match &versions.work {
        InWorkTree::File(version) => Some(&version.bytes),
        InWorkTree::Missing | InWorkTree::Unwritable(_) => None,
    };
    match &versions.index {
        _ if versions.ignored => Standing::Ignored,
        InIndex::File(staged) if work.is_some_and(|work| *work != staged.bytes) => Standing::NotStaged,
        InIndex::File(staged) if versions.head_bytes() == Some(&staged.bytes) => Standing::Committed,
        InIndex::File(_) => Standing::Staged,
        _ => Standing::NotStaged,
    }
}
