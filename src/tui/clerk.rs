//! The worker that has the triage: opens it, reads the runs, carries orders out and looks failures up, one after the
//! other, and brings back what came of it.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use super::desk::{Desk, Next};
use super::effect::{Order, Staging};
use super::event::Arrival;
use super::panics;
use super::post::Post;
use super::reader::Shared;
use super::text::counted;
use super::words;
use crate::inbox::{FailureId, Inbox, State};
use crate::proof::PinState;
use crate::triage::{
    Blame, Choice, Chosen, Draft, Ignored, Now, Outcome, RunArgument, Staged, StagedFailure, Triage, TriageError,
};
use crate::verdict::Verdict;
use crate::verify;

/// What the clerk can be told to do.
#[derive(Debug)]
pub(super) enum Task {
    /// Open the inbox and read these runs into it.
    Open(Vec<RunArgument>),
    /// Carry out an order of the user.
    Order(Order),
}

/// What the clerk can be asked to look up.
#[derive(Debug)]
pub(super) enum Look {
    Detail(FailureId),
    Preview(FailureId, Verdict),
    /// What became of what was staged.
    Again,
    Draft(FailureId),
}

/// The clerk's desk.
pub(super) type ClerkDesk = Desk<Task, Look>;

/// Where the clerk works, and what with.
pub(super) struct Clerk {
    directory: PathBuf,
    now: Now,
    /// Whether pins are proven before they are staged.
    proves: bool,
    post: Post,
    shared: Shared,
    /// How long the evidence of pins was when it was last read.
    evidence: Cell<u64>,
    /// The triage, where it could be opened at once, and whether its inbox was shown.
    opened: Option<(Triage, bool)>,
}

impl Clerk {
    /// Opens what can be opened at once and brings it, so that the first frame shows it.
    pub(super) fn new(directory: PathBuf, now: Now, proves: bool, post: Post, shared: Shared) -> Self {
        let mut clerk = Clerk { directory, now, proves, post, shared, evidence: Cell::new(0), opened: None };
        clerk.opened = Triage::at_once(&clerk.directory, now).map(|triage| {
            let shown = clerk.bring_first(&triage);
            (triage, shown)
        });
        clerk
    }

    /// Whether the first frame can show what is there.
    pub(super) fn has_opened(&self) -> bool {
        self.opened.is_some()
    }

    /// Works in a thread of its own until the desk is closed.
    pub(super) fn start(mut self, desk: Arc<ClerkDesk>) -> std::io::Result<JoinHandle<()>> {
        thread::Builder::new().name("clerk".to_owned()).spawn(move || {
            let (mut triage, shown) = self.opened.take().unzip();
            while let Some(next) = desk.next() {
                let is_order = matches!(next, Next::Order(_));
                if catch_unwind(AssertUnwindSafe(|| self.serve(&mut triage, shown, next))).is_err() {
                    // Half a step may be in memory; what is on disk is whole.
                    triage = None;
                    self.fail(panics::last(), is_order);
                }
            }
        })
    }

    fn serve(&self, slot: &mut Option<Triage>, shown: Option<bool>, next: Next<Task, Look>) {
        let triage = match slot {
            Some(triage) => triage,
            None => match Triage::glance(&self.directory, self.now) {
                Ok(triage) => slot.insert(triage),
                Err(error) => return self.post.bring(Arrival::Fatal(exit_code(&error), error.to_string())),
            },
        };
        match next {
            Next::Order(Task::Open(runs)) => {
                let shown = shown.unwrap_or_else(|| self.bring_first(triage));
                self.open(triage, shown, &runs);
            }
            Next::Order(Task::Order(order)) => self.carry_out(triage, order),
            Next::Look(Look::Again) => self.look_again(triage),
            Next::Look(Look::Detail(id)) => {
                match triage.has_moved(&id) {
                    Ok(true) => self.look_again(triage),
                    Ok(false) => {}
                    Err(error) => self.post.bring(Arrival::Trouble(error.to_string())),
                }
                let mut found = vec![Arrival::Detail(id.clone(), Arc::new(triage.detail(&id)))];
                found.extend(self.shown(triage));
                self.post.bring_together(found);
            }
            Next::Look(Look::Draft(id)) => {
                let draft = triage.draft(&id);
                self.post.bring(draft.map_or_else(|error| Arrival::Trouble(error.to_string()), Arrival::Draft));
            }
            Next::Look(Look::Preview(id, verdict)) => {
                let preview = triage.preview(&id, verdict);
                self.post.bring(Arrival::Preview(id, verdict, Arc::new(preview)));
            }
        }
    }

    /// Brings what others did to what was decided.
    fn look_again(&self, triage: &mut Triage) {
        let before = triage.inbox().clone();
        match triage.look_again() {
            Ok(()) => self.bring_marks(&before, triage, false),
            Err(error) => self.post.bring(Arrival::Trouble(error.to_string())),
        }
    }

    /// What pins showed when they were run, where that is more by now.
    fn shown(&self, triage: &Triage) -> Option<Arrival> {
        let mut known = self.evidence.get();
        let shown = verify::shown(triage, &mut known);
        self.evidence.set(known);
        match shown {
            Ok(shown) => shown.map(Arrival::Shown),
            Err(error) => Some(Arrival::Trouble(error.to_string())),
        }
    }

    fn fail(&self, text: String, is_order: bool) {
        self.post.bring(if is_order { Arrival::Failed(text) } else { Arrival::Trouble(text) });
    }

    fn bring_inbox(&self, triage: &Triage) {
        self.post.bring(self.inbox(triage));
    }

    fn inbox(&self, triage: &Triage) -> Arrival {
        let inbox = triage.inbox().clone();
        self.shared.replace(inbox.clone());
        Arrival::Inbox(Box::new(inbox))
    }

    fn heading(triage: &Triage) -> Arrival {
        Arrival::Heading(triage.heading(), triage.top().to_owned())
    }

    /// Brings what was there before, so that it shows at once; whether that were any failures.
    fn bring_first(&self, triage: &Triage) -> bool {
        let shown = !triage.inbox().filed().is_empty();
        let mut first = vec![Self::heading(triage)];
        first.extend(shown.then(|| self.inbox(triage)));
        self.post.bring_together(first);
        shown
    }

    /// Brings what is read besides.
    fn open(&self, triage: &mut Triage, shown: bool, runs: &[RunArgument]) {
        let before = triage.inbox().clone();
        let read = if runs.is_empty() { triage.import_changed() } else { triage.import(runs, &mut |_| {}) };
        let settled = triage.settled().map(str::to_owned);
        match read {
            Ok(imported) => {
                if !shown || !imported.failures.is_empty() {
                    self.post.bring_together(vec![self.inbox(triage), Self::heading(triage)]);
                } else {
                    self.bring_marks(&before, triage, false);
                }
                let told = format!("{}, {} known before", counted(imported.new, "new failure"), imported.known);
                let worth_telling = imported.new > 0 || !runs.is_empty();
                self.post.bring(Arrival::Done(settled.or_else(|| worth_telling.then_some(told))));
                self.post.bring(Arrival::Notices(imported.notices));
            }
            Err(error) => {
                self.bring_inbox(triage);
                self.post.bring(Arrival::Failed(error.to_string()));
            }
        }
        if let Err(error) = triage.check() {
            self.post.bring(Arrival::Fatal(exit_code(&error), error.to_string()));
        }
    }

    fn carry_out(&self, triage: &mut Triage, order: Order) {
        let done = match order {
            Order::Decide(ids, verdict) => self.decide(triage, &ids, verdict),
            Order::Note(id, note) => self.note(triage, &id, &note),
            Order::Stage { ignored } => return self.stage(triage, ignored),
            Order::StageProven(staging, choices) => return self.stage_proven(triage, &staging, choices),
            Order::StageByHand(draft) => return self.stage_by_hand(triage, &draft),
            Order::Choose(id, test) => self.choose(triage, &id, &test),
            Order::Reopen(id) => self.reopen(triage, &id),
            Order::Undo => self.back_or_forth(triage, Triage::undo),
            Order::Redo => self.back_or_forth(triage, Triage::redo),
        };
        match done {
            Ok(text) => self.post.bring(Arrival::Done(text)),
            Err(error) => {
                self.bring_inbox(triage);
                self.post.bring(Arrival::Failed(error.to_string()));
            }
        }
    }

    fn choose(&self, triage: &mut Triage, id: &FailureId, test: &str) -> Result<Option<String>, TriageError> {
        let chosen = triage.choose(id, test)?;
        self.bring_inbox(triage);
        Ok(Some(format!("the replay line belongs to {}", chosen.failure.test)))
    }

    fn reopen(&self, triage: &mut Triage, id: &FailureId) -> Result<Option<String>, TriageError> {
        let before = triage.inbox().clone();
        let filed = triage.reopen(id)?;
        self.bring_marks(&before, triage, true);
        let name = super::text::one_line(filed.failure.test.function(), 80);
        Ok(Some(format!("{name} is open again; 1 shows the inbox, u takes it back")))
    }

    fn back_or_forth(
        &self,
        triage: &mut Triage,
        go: fn(&mut Triage) -> Result<String, TriageError>,
    ) -> Result<Option<String>, TriageError> {
        let before = triage.inbox().clone();
        let told = go(triage)?;
        self.bring_marks(&before, triage, true);
        Ok(Some(told))
    }

    /// Brings only what became of failures: a whole inbox is as much work for the screen as it is long.
    fn bring_marks(&self, before: &Inbox, triage: &Triage, show: bool) {
        let after = triage.inbox();
        if before.filed().len() != after.filed().len() {
            return self.bring_inbox(triage);
        }
        self.shared.replace(after.clone());
        let changed = before.filed().iter().zip(after.filed()).filter(|(old, new)| !Arc::ptr_eq(old, new));
        let marks = changed.map(|(_, new)| (new.id.clone(), new.mark())).collect();
        self.post.bring(Arrival::Marks { marks, show });
    }

    /// The screen shows the verdicts already, unless an inbox that was under way took them back, or it was to be seen first
    /// whether another verdict is staged.
    fn decide(&self, triage: &mut Triage, ids: &[FailureId], verdict: Verdict) -> Result<Option<String>, TriageError> {
        let is_staged = |id| triage.inbox().get(id).is_some_and(|filed| filed.state == State::Staged);
        let was_staged = ids.iter().any(is_staged);
        triage.decide_all(ids, Some(verdict), None)?;
        self.bring_marks_of(triage, ids);
        let name = words::verdict(verdict);
        Ok(was_staged.then(|| format!("{name}: what was staged before is not staged any more; u undoes")))
    }

    fn bring_marks_of(&self, triage: &Triage, ids: &[FailureId]) {
        let marks = ids.iter().filter_map(|id| Some((id.clone(), triage.inbox().get(id)?.mark()))).collect();
        self.post.bring(Arrival::Marks { marks, show: false });
    }

    fn note(&self, triage: &mut Triage, id: &FailureId, note: &str) -> Result<Option<String>, TriageError> {
        let verdict = triage.inbox().get(id).and_then(|filed| filed.verdict);
        triage.decide(id, verdict, Some(note))?;
        self.shared.replace(triage.inbox().clone());
        self.bring_marks_of(triage, std::slice::from_ref(id));
        Ok(None)
    }

    fn stage(&self, triage: &mut Triage, ignored: Option<Ignored>) {
        let before = triage.inbox().clone();
        let told = self.stage_or_ask(triage, ignored);
        self.bring_marks(&before, triage, false);
        self.post.bring(told.unwrap_or_else(|error| Arrival::Failed(error.to_string())));
    }

    /// Stages what was decided, unless there is a question to be answered or a pin to be proven first.
    fn stage_or_ask(&self, triage: &mut Triage, ignored: Option<Ignored>) -> Result<Arrival, TriageError> {
        // What another redpin decided meanwhile counts, and what the user threw away is to be staged anew.
        triage.look_again()?;
        let verdicts = decided(triage.inbox());
        let ids: Vec<FailureId> = verdicts.iter().map(|(id, _)| id.clone()).collect();
        let ignored = match ignored {
            Some(ignored) => ignored,
            None => {
                let files = triage.left_out(&ids)?;
                if !files.is_empty() {
                    return Ok(Arrival::Ignored(files.iter().map(|file| file.as_str().to_owned()).collect()));
                }
                Ignored::LeaveOut
            }
        };
        if self.proves && verdicts.iter().any(|(_, verdict)| *verdict == Verdict::RealBug) {
            return Ok(Arrival::Prove(Staging { verdicts, ignored, by_hand: None }));
        }
        triage.stage(&ids, ignored, None).map(|staged| said(&staged, 0))
    }

    /// Stages a pin that was written by hand, once it is proven. Who writes one calls the failure a real bug; who leaves the
    /// editor with nothing written says nothing.
    fn stage_by_hand(&self, triage: &mut Triage, draft: &Draft) {
        let before = triage.inbox().clone();
        let written = triage.look_again().and_then(|()| {
            let pin = triage.edited(draft)?;
            if pin.is_some() {
                triage.decide(&draft.id, Some(Verdict::RealBug), None)?;
            }
            Ok(pin)
        });
        self.bring_marks(&before, triage, false);
        let told = match written {
            Ok(Some(pin)) => {
                let (verdicts, by_hand) = (vec![(draft.id.clone(), Verdict::RealBug)], Some(Box::new(pin.clone())));
                let staging = Staging { verdicts, ignored: Ignored::LeaveOut, by_hand };
                if !self.proves {
                    let choice = Choice::Pin(Box::new(pin), None);
                    return self.stage_proven(triage, &staging, vec![(draft.id.clone(), choice)]);
                }
                Arrival::Prove(staging)
            }
            Ok(None) => {
                Arrival::Done(Some("the test was left as it was: nothing is decided or staged by it".to_owned()))
            }
            Err(error) => Arrival::Failed(error.to_string()),
        };
        self.post.bring(told);
    }

    /// Stages what was proven, as one operation. What was judged anew since is left for the next.
    fn stage_proven(&self, triage: &mut Triage, staging: &Staging, choices: Vec<(FailureId, Choice)>) {
        let before = triage.inbox().clone();
        let staged = triage.look_again().and_then(|()| {
            let stands = |(id, verdict): &&(FailureId, Verdict)| {
                let filed = triage.inbox().get(id);
                filed.is_some_and(|filed| filed.state == State::Decided && filed.verdict == Some(*verdict))
            };
            let ids: Vec<FailureId> = staging.verdicts.iter().filter(stands).map(|(id, _)| id.clone()).collect();
            let changed = staging.verdicts.len() - ids.len();
            let staged = triage.stage(&ids, staging.ignored, Some(&mut Chosen::new(choices)))?;
            Ok(said(&staged, changed))
        });
        self.bring_marks(&before, triage, false);
        self.post.bring(staged.unwrap_or_else(|error| Arrival::Failed(error.to_string())));
    }
}

/// The failures that are decided and not yet staged, each with its verdict.
fn decided(inbox: &Inbox) -> Vec<(FailureId, Verdict)> {
    let decided = inbox.filed().iter().filter(|filed| filed.state == State::Decided);
    decided.filter_map(|filed| Some((filed.id.clone(), filed.verdict?))).collect()
}

/// What a staging came to, in a line; so many were judged anew before it.
fn said(staged: &Staged, changed: usize) -> Arrival {
    let count = |outcome| staged.failures.iter().filter(|one| one.outcome == outcome).count();
    let (done, already, refused) = (count(Outcome::Staged), count(Outcome::Already), count(Outcome::Refused));
    let mut parts = Vec::new();
    if done > 0 {
        let proven = staged.failures.iter().filter(|one| one.proof == Some(PinState::Red)).count();
        let proven = if proven > 0 { format!(", {} proven red", counted(proven, "pin")) } else { String::new() };
        let staged = counted(done, "verdict");
        parts.push(format!("staged {staged}{proven}; git diff --cached shows the patch, u takes it back"));
    }
    let warned = |one: &&StagedFailure| one.outcome == Outcome::Staged && !one.warnings.is_empty();
    if let Some(first) = staged.failures.iter().find(warned).and_then(|one| one.warnings.first()) {
        let number = staged.failures.iter().filter(warned).count();
        parts.push(format!("{number} with a warning: {first}"));
    }
    if changed > 0 {
        parts.push(format!("{} judged anew meanwhile and not staged", counted(changed, "failure")));
    }
    if already > 0 {
        parts.push(format!("{} stood already", counted(already, "verdict")));
    }
    let reasons = staged.failures.iter().filter(|one| one.outcome == Outcome::Refused);
    match reasons.filter_map(|one| one.reason.as_deref()).next() {
        Some(reason) => {
            parts.push(format!("{} not staged: {reason}", counted(refused, "verdict")));
            Arrival::Failed(parts.join("; "))
        }
        None => Arrival::Done(Some(parts.join("; "))),
    }
}

fn exit_code(error: &TriageError) -> u8 {
    match error.blame() {
        Blame::Use => 2,
        Blame::Answer => 1,
        Blame::World => 3,
    }
}
