//! Staging and the way back: a plan becomes one operation of git and one step of the history. Git's journal is written
//! first and carries the step, so that a redpin killed between the two finds it there at the next start.

use std::collections::HashSet;
use std::sync::Arc;

use crate::git::{GitError, GitErrorKind, Held, Operation, OperationId, Past, Repository, Undone};
use crate::history::{Change, Event, History, Step};
use crate::inbox::{FailureId, Filed, Inbox, Mark, State};
use crate::pin::Rung;
use crate::repo_path::RepoPath;
use crate::store::Writing;
use crate::threads::apart;
use crate::triage::records::fate;
use crate::triage::records::record::Hand;
use crate::triage::spec::Spec;
use crate::triage::{Triage, TriageError, rfc3339};
use crate::verdict::Verdict;

use super::consequence::Desk;
use super::plan::{Outcome, Plan, StagedFailure, plan};
use super::prove::Prover;
use super::wish::{Choice, Ignored, Wish};

/// What a staging came to.
#[derive(Clone, Debug, Default)]
pub struct Staged {
    /// The failures in the order asked for.
    pub failures: Vec<StagedFailure>,
    /// What was done, as one line; `None` where nothing changed.
    pub operation: Option<String>,
}

impl Triage {
    /// Stages the consequences of the verdicts on these failures, as one operation. Those without a verdict are left out.
    ///
    /// # Errors
    /// Where git, the disk or the inbox refuses; nothing has changed then.
    pub fn stage(
        &mut self,
        ids: &[FailureId],
        ignored: Ignored,
        prover: Option<&mut dyn Prover>,
    ) -> Result<Staged, TriageError> {
        // What another redpin decided since goes before what was seen here.
        drop(self.store.lock()?);
        let wishes = self.decided(ids);
        self.carry_out(&wishes, ignored, prover)
    }

    /// What `done` says. Where that is that git settled what a killed redpin left, the history takes that in first.
    fn caught_up<T>(&mut self, done: Result<T, TriageError>) -> Result<T, TriageError> {
        if matches!(&done, Err(TriageError::Git(error)) if error.kind == GitErrorKind::Settled) {
            self.catch_up()?;
        }
        done
    }

    /// Gives a failure its verdict and stages the consequence, as one step. Where that is refused, or the user ends it while
    /// the pin is proven, the verdict alone is kept.
    ///
    /// # Errors
    /// As [`Triage::decide`] and [`Triage::stage`].
    pub fn settle(
        &mut self,
        id: &FailureId,
        verdict: Verdict,
        note: Option<&str>,
        ignored: Ignored,
        prover: Option<&mut dyn Prover>,
    ) -> Result<Staged, TriageError> {
        let known = self.inbox().get(id).ok_or_else(|| TriageError::Unknown(id.0.clone()))?;
        fate::refuse_another(known, Some(verdict), &self.repository)?;
        let mut filed = known.as_ref().clone();
        filed.note = note.unwrap_or(&filed.note).to_owned();
        let wishes = [Wish { filed: Arc::new(filed), verdict, choice: Choice::default() }];
        let seen = self.judged(id);
        let staged = self.carry_out(&wishes, ignored, prover);
        let is_kept_alone = match &staged {
            Ok(staged) => staged.failures.iter().any(|one| one.outcome == Outcome::Refused),
            Err(error) => matches!(error, TriageError::Stopped(_)),
        };
        if is_kept_alone && self.judged(id) == seen {
            self.decide(id, Some(verdict), note)?;
        }
        staged
    }

    /// The failures whose verdict waits to be staged. With what git ignores, also those that were staged without it.
    ///
    /// # Errors
    /// Where git or the disk refuses.
    pub fn waiting(&self, ignored: Ignored) -> Result<Vec<FailureId>, TriageError> {
        let mut waiting = self.inbox().decided();
        if ignored == Ignored::Include {
            for filed in self.inbox().filed().iter().filter(|filed| filed.state == State::Staged) {
                if !self.left_out(std::slice::from_ref(&filed.id))?.is_empty() {
                    waiting.push(filed.id.clone());
                }
            }
        }
        Ok(waiting)
    }

    /// The files that git ignores and that staging these failures would leave out.
    ///
    /// # Errors
    /// Where git or the disk refuses.
    pub fn left_out(&self, ids: &[FailureId]) -> Result<Vec<RepoPath>, TriageError> {
        Ok(self.plan(&self.decided(ids), Ignored::LeaveOut)?.texts.left_out())
    }

    /// Those of the failures that have a verdict, each once, with it.
    pub(super) fn decided(&self, ids: &[FailureId]) -> Vec<Wish> {
        let mut known = HashSet::new();
        let filed = ids.iter().filter(|id| known.insert(*id)).filter_map(|id| self.inbox().get(id));
        filed
            .filter_map(|filed| Some(Wish { verdict: filed.verdict?, filed: filed.clone(), choice: Choice::default() }))
            .collect()
    }

    /// Works out what staging `wishes` would write.
    pub(crate) fn plan(&self, wishes: &[Wish], ignored: Ignored) -> Result<Plan, TriageError> {
        planned(&self.hand(), wishes, ignored)
    }

    /// The same, by a hand that is known already.
    pub(super) fn plan_by(&self, wishes: &[Wish], hand: &Hand<'_>, ignored: Ignored) -> Result<Plan, TriageError> {
        planned(hand, wishes, ignored)
    }

    /// The verdict on a failure and the note on it, as far as they are known here.
    fn judged(&self, id: &FailureId) -> Option<(Option<Verdict>, String)> {
        self.inbox().get(id).map(|filed| (filed.verdict, filed.note.clone()))
    }

    /// Has the prover say what becomes of the pins, works out what staging `wishes` writes, and writes it. To prove takes a
    /// while: what another redpin judged anew meanwhile stays as it is there.
    pub(super) fn carry_out(
        &mut self,
        wishes: &[Wish],
        ignored: Ignored,
        prover: Option<&mut dyn Prover>,
    ) -> Result<Staged, TriageError> {
        let Some(prover) = prover else { return self.written(wishes, ignored) };
        let seen: Vec<_> = wishes.iter().map(|wish| self.judged(&wish.filed.id)).collect();
        let proven = self.proven(wishes, ignored, Some(prover))?;
        drop(self.store.lock()?);
        let is_anew = |(wish, seen): (&Wish, _)| self.judged(&wish.filed.id) != seen;
        let anew: Vec<bool> = proven.iter().zip(seen).map(is_anew).collect();
        let standing = proven.iter().zip(&anew).filter(|(_, anew)| !**anew).map(|(wish, _)| wish.clone());
        let mut staged = self.written(&standing.collect::<Vec<_>>(), ignored)?;
        for (at, wish) in proven.iter().enumerate().filter(|(at, _)| anew[*at]) {
            staged.failures.insert(at, StagedFailure::refused(&wish.filed, wish.verdict, JUDGED_ANEW.to_owned()));
        }
        Ok(staged)
    }

    /// Works out what staging `wishes` writes, and writes it.
    fn written(&mut self, wishes: &[Wish], ignored: Ignored) -> Result<Staged, TriageError> {
        let mut tries = 1;
        let staged = loop {
            match self.write_plan(wishes, ignored) {
                // Somebody wrote one of the files or the index meanwhile; what is there now is as good to work with.
                Err(TriageError::Git(error)) if error.kind == GitErrorKind::Changed && tries < TRIES => tries += 1,
                staged => break staged,
            }
        };
        let staged = self.caught_up(staged)?;
        let by_hand = staged.failures.iter().filter(|one| one.rung == Some(Rung::ByHand));
        by_hand.filter(|one| one.outcome != Outcome::Refused).for_each(|one| self.drop_draft(&one.id));
        Ok(staged)
    }

    fn write_plan(&mut self, wishes: &[Wish], ignored: Ignored) -> Result<Staged, TriageError> {
        // Not by `hand()`, which would borrow the store as well.
        let hand = Hand { who: &self.who, repository: &self.repository, when: rfc3339(self.now) };
        if wishes.len() > FEW {
            let plan = planned(&hand, wishes, ignored)?;
            return write(&self.repository, &mut self.store.lock()?, wishes, plan, None);
        }
        let mut writing = self.store.lock()?;
        // Where the repository cannot be held, the plan may say that nothing has to be written; else writing says why.
        let held = match self.repository.hold() {
            Err(settled) if settled.kind == GitErrorKind::Settled => return Err(settled.into()),
            held => held.ok(),
        };
        let plan = planned(&hand, wishes, ignored)?;
        write(&self.repository, &mut writing, wishes, plan, held)
    }

    pub(super) fn hand(&self) -> Hand<'_> {
        Hand { who: &self.who, repository: &self.repository, when: self.timestamp() }
    }

    /// Brings the history up to what git's journal says: a redpin killed between the two writes left them apart.
    pub(crate) fn catch_up(&mut self) -> Result<(), TriageError> {
        let past = self.repository.past()?;
        if missing_event(self.store.history(), &past, &self.repository)?.is_none() {
            return Ok(());
        }
        let mut writing = self.store.lock()?;
        while let Some(event) = missing_event(writing.history(), &past, &self.repository)? {
            writing.record(event)?;
        }
        Ok(())
    }

    /// Whether the history says already what git's journal says.
    pub(crate) fn is_caught_up(&self) -> Result<bool, TriageError> {
        Ok(missing_event(self.store.history(), &self.repository.past()?, &self.repository)?.is_none())
    }

    /// Takes the last step back, a decision or a staging, and says in one line what that was.
    ///
    /// # Errors
    /// Where there is none, it is committed by now, or git refuses because a file has changed since; nothing has changed
    /// then.
    pub fn undo(&mut self) -> Result<String, TriageError> {
        let undone = self.undo_last();
        self.caught_up(undone)
    }

    fn undo_last(&mut self) -> Result<String, TriageError> {
        let mut writing = self.store.lock()?;
        let step = writing.history().last().cloned().ok_or(TriageError::NothingToUndo)?;
        if let Some(operation) = step.operation {
            let past = self.repository.past()?;
            let Some(last) = past.iter().rfind(|past| past.stands).filter(|past| past.id.0 == operation) else {
                return Err(TriageError::Forgotten(step.title));
            };
            self.repository.refuse_committed(*last)?;
        }
        refuse_missing(&step, writing.inbox())?;
        if step.operation.is_some() {
            self.repository.undo()?;
        }
        record_or(&mut writing, Event::Undone, step.operation.map(|_| || self.repository.redo()))?;
        Ok(format!("undone: {}", step.title))
    }

    /// Does again what was taken back last, and says in one line what that was.
    ///
    /// # Errors
    /// Where there is none, or git refuses because a file has changed since; nothing has changed then.
    pub fn redo(&mut self) -> Result<String, TriageError> {
        let redone = self.redo_last();
        self.caught_up(redone)
    }

    fn redo_last(&mut self) -> Result<String, TriageError> {
        let mut writing = self.store.lock()?;
        let step = writing.history().next().cloned().ok_or(TriageError::NothingToRedo)?;
        if let Some(operation) = step.operation {
            let past = self.repository.past()?;
            if past.iter().find(|past| !past.stands).is_none_or(|past| past.id.0 != operation) {
                return Err(TriageError::Forgotten(step.title));
            }
        }
        refuse_missing(&step, writing.inbox())?;
        if step.operation.is_some() {
            self.repository.redo()?;
        }
        record_or(&mut writing, Event::Redone, step.operation.map(|_| || self.repository.undo()))?;
        Ok(format!("redone: {}", step.title))
    }
}

/// Why nothing is staged for a verdict that is another by now.
const JUDGED_ANEW: &str = "it was judged anew, or left the inbox, while pins were proven: nothing is staged for it";

/// How often a staging is worked out before it is left to the user that the files do not keep still.
const TRIES: u32 = 5;

/// So many are worked out quickly enough to hold the repository meanwhile.
const FEW: usize = 8;

fn planned(hand: &Hand<'_>, wishes: &[Wish], ignored: Ignored) -> Result<Plan, TriageError> {
    let tree = hand.repository.work_tree();
    std::thread::scope(|scope| {
        // Git takes a moment to say who this is, which only the records at the end want to know.
        if !wishes.is_empty() && hand.who.get().is_none() {
            scope.spawn(|| _ = hand.who());
        }
        apart(|| {
            let spec = Spec::new(&tree);
            plan(wishes, &Desk { tree: &tree, spec: &spec, hand }, hand.repository, ignored)
        })
    })
}

/// Sees that the failures of a step are there to be marked: git and the inbox go back and forth together or not at all.
fn refuse_missing(step: &Step, inbox: &Inbox) -> Result<(), TriageError> {
    let missing = step.changes.iter().filter(|change| inbox.place(&change.id).is_none()).count();
    if missing == 0 { Ok(()) } else { Err(TriageError::Left { title: step.title.clone(), missing }) }
}

/// Writes what a plan says.
fn write(
    repository: &Repository,
    writing: &mut Writing<'_>,
    wishes: &[Wish],
    plan: Plan,
    held: Option<Held>,
) -> Result<Staged, TriageError> {
    let marks = wishes.iter().zip(&plan.failures);
    let changes =
        marks.filter_map(|(wish, one)| marked(one, &wish.filed.note, writing.inbox().get(&one.id)?)).collect();
    let mut step = Step { title: title(wishes, &plan), changes, operation: None, naming: None };
    let files = plan.texts.changes();
    if files.is_empty() && step.changes.is_empty() {
        return Ok(Staged { failures: plan.failures, operation: None });
    }
    let written = !files.is_empty();
    if written {
        let attachment = serde_json::to_value(&step).unwrap_or_default();
        let operation = Operation { title: step.title.clone(), files, attachment };
        let staged = match held {
            Some(held) => repository.stage_held(held, &operation),
            None => repository.stage(&operation),
        };
        step.operation = Some(staged?.0);
    }
    let operation = written.then(|| step.title.clone());
    record_or(writing, Event::Done(step), written.then_some(|| repository.undo()))?;
    Ok(Staged { failures: plan.failures, operation })
}

/// Brings an inbox that is only looked at up to what git's journal says, as [`Triage::catch_up`] does with the one on disk.
pub(crate) fn catch_up(inbox: &mut Inbox, history: &History, repository: &Repository) -> Result<(), TriageError> {
    let (past, mut history) = (repository.past()?, history.clone());
    while let Some(event) = missing_event(&history, &past, repository)? {
        history.add(event).marks.into_iter().for_each(|(id, mark)| inbox.mark(&id, mark));
    }
    Ok(())
}

/// The next event that git's journal knows and the history does not.
fn missing_event(history: &History, past: &[Past], repository: &Repository) -> Result<Option<Event>, TriageError> {
    let stands = |step: Option<&Step>| {
        let id = OperationId(step?.operation?);
        past.iter().find(|past| past.id == id).map(|past| past.stands)
    };
    if stands(history.last()) == Some(false) {
        return Ok(Some(Event::Undone));
    }
    if stands(history.next()) == Some(true) {
        return Ok(Some(Event::Redone));
    }
    let newest = history.steps().filter_map(|step| step.operation).max().unwrap_or(0);
    let Some(missing) = past.iter().find(|past| past.stands && past.id.0 > newest) else { return Ok(None) };
    let known = repository.recall(*missing)?;
    let step: Option<Step> = serde_json::from_value(known.attachment).ok();
    let step = step.unwrap_or_else(|| Step { title: known.title, changes: Vec::new(), operation: None, naming: None });
    Ok(Some(Event::Done(Step { operation: Some(missing.id.0), ..step })))
}

/// Writes an event of the inbox. Without it the inbox would not know what git did, so that `back` takes that back where it
/// cannot be written.
pub(super) fn record_or(
    writing: &mut Writing<'_>,
    event: Event,
    back: Option<impl FnOnce() -> Result<Undone, GitError>>,
) -> Result<(), TriageError> {
    if let Err(error) = writing.record(event) {
        back.map(|back| back()).transpose()?;
        return Err(error.into());
    }
    Ok(())
}

/// The change of a failure's mark that a staging brings; `None` where the mark stays.
fn marked(one: &StagedFailure, note: &str, filed: &Filed) -> Option<Change> {
    let was = filed.mark();
    let state = match one.outcome {
        Outcome::Refused => return None,
        Outcome::Already if matches!(was.state, State::Staged | State::Known) && was.verdict == Some(one.verdict) => {
            return None;
        }
        Outcome::Already => State::Known,
        Outcome::Staged => State::Staged,
    };
    let now = Mark { state, verdict: Some(one.verdict), note: note.to_owned(), reopened: false };
    (now != was).then(|| Change { id: filed.id.clone(), was, now })
}

fn title(wishes: &[Wish], plan: &Plan) -> String {
    let done: Vec<&StagedFailure> = plan.failures.iter().filter(|one| one.outcome == Outcome::Staged).collect();
    match done[..] {
        [one] => format!("stage {} on {}", one.verdict, one.property.function()),
        _ if wishes.iter().all(|wish| wish.verdict == Verdict::RealBug) => format!("stage {} pins", done.len()),
        _ => format!("stage {} verdicts", done.len()),
    }
}
