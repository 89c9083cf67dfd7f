//! Opening a decided failure again: it waits for a verdict as if nobody had given one, while its record stays what it is
//! until the next verdict on it is staged, which takes its place and keeps it as what was decided before.

use std::sync::Arc;

use crate::cause;
use crate::failure::{Caveat, Counterexample, Ending, Failure, FrameworkName, Origin, PackageName, Replay, TestName};
use crate::framework;
use crate::history::{Change, Event, Naming, Step};
use crate::inbox::{FailureId, Filed, Mark, State};
use crate::repo_path::RepoPath;
use crate::triage::records::record::{Records, records_of};
use crate::triage::records::{cut, fate};
use crate::triage::select;
use crate::triage::{Triage, TriageError};
use crate::verdict::Decision;

use super::reading::Reader;

impl Triage {
    /// Every decision on record in the work tree, newest first.
    pub fn decisions(&self) -> Vec<Decision> {
        Records::list(&self.work_tree()).all()
    }

    /// The failure that a user calls `text`, in the inbox or on record.
    ///
    /// # Errors
    /// Where it means none, or more than one.
    pub fn find_decided(&self, text: &str) -> Result<FailureId, TriageError> {
        match self.find(text) {
            Err(TriageError::Unknown(_)) => {
                select::among(&self.decisions(), text).map(|one| FailureId(one.failure.clone()))
            }
            found => found,
        }
    }

    /// Opens a decided failure again, as one step of the history. One that has left the inbox comes back as its record has
    /// it.
    ///
    /// # Errors
    /// Where nobody decided it, its consequence is staged, or the inbox cannot be written; nothing has changed then.
    pub fn reopen(&mut self, id: &FailureId) -> Result<Arc<Filed>, TriageError> {
        self.look_again()?;
        match self.inbox().get(id).cloned() {
            Some(filed) => self.reopen_filed(&filed)?,
            None => self.reopen_record(id)?,
        }
        self.inbox().get(id).cloned().ok_or_else(|| TriageError::Gone(id.clone()))
    }

    fn reopen_filed(&mut self, filed: &Filed) -> Result<(), TriageError> {
        if filed.state == State::Open {
            return Err(TriageError::NotDecided(filed.id.clone()));
        }
        let reopened = Records::list(&self.work_tree()).of(filed).is_some();
        let mut writing = self.store.lock()?;
        let known = writing.inbox().get(&filed.id).ok_or_else(|| TriageError::Gone(filed.id.clone()))?;
        fate::refuse_another(known, None, &self.repository)?;
        let was = known.mark();
        let now = Mark { state: State::Open, verdict: None, note: was.note.clone(), reopened };
        let changes = vec![Change { id: filed.id.clone(), was, now }];
        let title = title(filed.failure.test.function());
        writing.record(Event::Done(Step { title, changes, operation: None, naming: None }))?;
        Ok(())
    }

    fn reopen_record(&mut self, id: &FailureId) -> Result<(), TriageError> {
        let tree = self.work_tree();
        let mut records = records_of(&tree).into_iter();
        let found = records.find(|(_, one)| one.failure == id.0);
        let (file, decision) = found.ok_or_else(|| TriageError::Unknown(id.0.clone()))?;
        if is_without_failure(&decision) {
            let name = decision.requirement.unwrap_or(decision.property);
            return Err(TriageError::NoFailure(name));
        }
        let filed = as_filed(&decision, &file, &Reader::new(&tree, self.timestamp()));
        let title = title(filed.failure.test.function());
        let naming = Some(Naming { was: Vec::new(), now: vec![filed] });
        self.store.lock()?.record(Event::Done(Step { title, changes: Vec::new(), operation: None, naming }))?;
        Ok(())
    }
}

fn title(name: &str) -> String {
    format!("reopen {name}")
}

/// Whether a record only allows that the oracle asks less.
fn is_without_failure(decision: &Decision) -> bool {
    decision.run.is_empty() && decision.counterexample.is_empty() && decision.message.is_empty()
}

/// The failure of a record in `file`, as far as that tells of it.
fn as_filed(decision: &Decision, file: &RepoPath, reader: &Reader<'_>) -> Filed {
    let pin = decision.pin.as_ref();
    let handle = pin.and_then(|pin| pin.replay.clone());
    let is_cut = cut::is_cut(&decision.counterexample) || cut::is_cut(&decision.message);
    let failure = Failure {
        framework: FrameworkName(decision.framework.clone()),
        test: TestName(decision.property.clone()),
        package: decision.package.clone().map(PackageName),
        binary: None,
        location: None,
        site: None,
        panicked: false,
        ending: Ending::Falsified,
        message: decision.message.clone(),
        error: None,
        own_message: None,
        counterexample: input(decision),
        generated: Vec::new(),
        replay: handle.map_or(Replay::None, |handle| Replay::NewSeed { handle, file: None }),
        caveats: if is_cut { vec![Caveat::Truncated] } else { Vec::new() },
        origin: Origin { run: file.to_string(), line: 1 },
    };
    let cause = cause::cause_id(&failure);
    let named = reader.filed(failure, "");
    Filed { id: FailureId(decision.failure.clone()), cause, note: decision.why.clone(), reopened: true, ..named }
}

/// The input on record. One of which something was cut off cannot be taken apart.
fn input(decision: &Decision) -> Counterexample {
    let framework = framework::named(&FrameworkName(decision.framework.clone()));
    let text = &decision.counterexample;
    match framework.filter(|_| !cut::is_cut(text)) {
        Some(framework) => framework.counterexample(text),
        None => Counterexample { text: text.clone(), arguments: Vec::new() },
    }
}
