//! The failures waiting for a verdict, in order, folded by cause, each with its state. A value: whoever changes it on
//! disk is elsewhere.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Origin};
use crate::repo_path::RepoPath;
use crate::requirement::RequirementId;
use crate::verdict::Verdict;

/// A failure's name: a short digest of property and cause, the same in every run that shows it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FailureId(pub String);

/// A cause's name: the same for all failures that share the root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CauseId(pub String);

/// How far a failure has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// No verdict yet.
    #[default]
    Open,
    /// A verdict, its consequence not yet in the patch.
    Decided,
    /// Its consequence is staged.
    Staged,
    /// A decision record of it was in the repository already when it came (again).
    Known,
}

/// Once that a run showed a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Occurrence {
    /// Where it was read.
    pub origin: Origin,
    /// When it was imported, as RFC 3339 in UTC.
    pub imported: String,
}

/// A failure as the inbox keeps it: tied to the repository, named, with what was decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filed {
    /// Its name.
    pub id: FailureId,
    /// Which failures share its root.
    pub cause: CauseId,
    /// What the run told; of several occurrences the one with the smallest counterexample.
    pub failure: Failure,
    /// The property's source file in the repository, where found.
    pub file: Option<RepoPath>,
    /// The property's line in it, from 1.
    pub line: Option<u32>,
    /// The requirement it cites, where the spec has it.
    pub requirement: Option<RequirementId>,
    /// Every time a run showed it, oldest first.
    pub occurrences: Vec<Occurrence>,
    /// Whether the failing test is itself a pin: a bug that came back, not a new one.
    pub pin_failed: bool,
    /// The test names it may belong to, where a replay line fits more than one property; empty otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// How far it has come.
    pub state: State,
    /// The verdict, where there is one.
    pub verdict: Option<Verdict>,
    /// The reviewer's note; empty where none.
    pub note: String,
}

/// Failures that share a root, as one row of the inbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Its name.
    pub id: CauseId,
    /// What went wrong, in one line, out of the smallest failure's message.
    pub title: String,
    /// The requirement its failures cite, where they agree on one.
    pub requirement: Option<RequirementId>,
    /// Places in [`Inbox::filed`], smallest counterexample first.
    pub failures: Vec<usize>,
}

/// All filed failures and how they fold.
#[derive(Clone, Debug, Default)]
pub struct Inbox {
    filed: Vec<Arc<Filed>>,
    causes: Vec<Cause>,
}

impl Inbox {
    /// Folds `filed` into causes: causes by requirement and then by first appearance, those without one last.
    pub fn new(filed: Vec<Arc<Filed>>) -> Self {
        let causes = fold(&filed);
        Inbox { filed, causes }
    }

    /// Every failure, in the order filed.
    pub fn filed(&self) -> &[Arc<Filed>] {
        &self.filed
    }

    /// The causes in the order shown.
    pub fn causes(&self) -> &[Cause] {
        &self.causes
    }

    /// The failure of that name.
    pub fn get(&self, id: &FailureId) -> Option<&Arc<Filed>> {
        self.filed.iter().find(|filed| filed.id == *id)
    }

    /// Sets a failure's verdict (`None` opens it again) and, where given, its note. The fold stays as it is.
    pub fn decide(&mut self, at: usize, verdict: Option<Verdict>, note: Option<&str>) {
        let Some(filed) = self.filed.get_mut(at) else { return };
        let filed = Arc::make_mut(filed);
        filed.verdict = verdict;
        filed.state = if verdict.is_some() { State::Decided } else { State::Open };
        if let Some(note) = note {
            filed.note = note.to_owned();
        }
    }
}

fn fold(filed: &[Arc<Filed>]) -> Vec<Cause> {
    let mut places = std::collections::HashMap::<&CauseId, usize>::new();
    let mut causes: Vec<Cause> = Vec::new();
    for (at, one) in filed.iter().enumerate() {
        let place = *places.entry(&one.cause).or_insert(causes.len());
        if place == causes.len() {
            causes.push(Cause { id: one.cause.clone(), title: String::new(), requirement: None, failures: Vec::new() });
        }
        causes[place].failures.push(at);
    }
    for cause in &mut causes {
        cause.failures.sort_by_key(|&at| filed[at].failure.counterexample.text.len());
        let smallest = &filed[cause.failures[0]];
        cause.title = smallest.failure.message.lines().next().unwrap_or_default().trim().to_owned();
        let shared = smallest.requirement.as_ref();
        if cause.failures.iter().all(|&at| filed[at].requirement.as_ref() == shared) {
            cause.requirement = shared.cloned();
        }
    }
    causes.sort_by(|a, b| (a.requirement.is_none(), &a.requirement).cmp(&(b.requirement.is_none(), &b.requirement)));
    causes
}
