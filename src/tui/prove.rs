//! Pins being run, as the model takes part in it: what starts and stops them, what is said of it, and what becomes of pins
//! that were not proven.

use std::collections::HashSet;
use std::time::Duration;

use super::effect::{Effect, Order, Staging};
use super::event::{Ended, TrialNews};
use super::list::Row;
use super::model::Model;
use super::overlay::Overlay;
use super::text::counted;
use super::trial::{Held, Purpose};
use crate::inbox::{FailureId, Filed, State};
use crate::triage::{Choice, Draft, Ignored};
use crate::verdict::Verdict;

/// What is said where pins cannot be run because some are.
const BUSY: &str = "pins are being run already; x stops them";

impl Model {
    /// Runs the pins of the failure in question, or of the selected cause.
    pub(super) fn verify(&mut self) -> Vec<Effect> {
        let in_question: Vec<&Filed> = match self.list.row() {
            Some(Row::Cause(number)) => {
                let places = self.inbox.causes().get(number).map_or(&[][..], |cause| &cause.failures);
                places.iter().filter_map(|&at| self.inbox.filed().get(at)).map(|filed| &**filed).collect()
            }
            _ => self.filed().into_iter().collect(),
        };
        let ids: Vec<FailureId> =
            in_question.iter().filter(|filed| has_pin(filed)).map(|filed| filed.id.clone()).collect();
        if ids.is_empty() {
            let why = in_question.first().map_or("there is no failure here", |filed| without_pin(filed));
            self.say(why);
            return Vec::new();
        }
        self.run_pins(Some(ids.len()), Effect::Verify(ids))
    }

    /// Runs all pins that stand.
    pub(super) fn verify_all(&mut self) -> Vec<Effect> {
        self.run_pins(None, Effect::Verify(Vec::new()))
    }

    fn run_pins(&mut self, pins: Option<usize>, effect: Effect) -> Vec<Effect> {
        if self.trial.purpose().is_some() {
            self.say(BUSY);
            return Vec::new();
        }
        self.trial.begin(Purpose::Verify, pins, self.now);
        vec![effect]
    }

    /// The clerk has what is to be staged, and its pins are to be proven first.
    pub(super) fn prove(&mut self, staging: Staging) -> Vec<Effect> {
        self.waiting.done();
        if self.leaving {
            return vec![self.end()];
        }
        if self.trial.purpose().is_some() {
            self.fail(format!("nothing was staged: {BUSY}"));
            return Vec::new();
        }
        let pins = staging.verdicts.iter().filter(|(_, verdict)| *verdict == Verdict::RealBug).count();
        self.trial.begin(Purpose::Stage, Some(pins), self.now);
        vec![Effect::Prove(staging)]
    }

    /// The user is back from the editor: a pin that was written there is proven and staged like any other.
    pub fn wrote_pin(&mut self, draft: Draft, now: Duration, trouble: Option<String>) -> Vec<Effect> {
        let failed = trouble.is_some();
        let mut effects = self.returned(now, trouble);
        if !failed {
            effects.extend(self.order("staging", Order::StageByHand(draft)));
        }
        effects
    }

    /// Asks what runs pins to end.
    pub(super) fn stop(&mut self) -> Vec<Effect> {
        match self.trial.stop() {
            Some(1) => self.say("asked the tests to end; x twice more kills them"),
            Some(_) => self.say("asked the tests again to end"),
            None => {
                self.say("no pins are being run; v runs that of this failure, V all");
                return Vec::new();
            }
        }
        vec![Effect::Stop]
    }

    /// Shows what the tests print.
    pub(super) fn show_output(&mut self) -> Vec<Effect> {
        if self.trial.purpose().is_none()
            && self.trial.outcomes.is_empty()
            && self.trial.output.lines().next().is_none()
        {
            self.say("no pins were run yet; v runs that of this failure, V all");
            return Vec::new();
        }
        // While they run the end is followed; later how they came out is read first.
        let first = self.trial.purpose().is_none().then_some(0);
        self.lay_over(Overlay::Output(first))
    }

    /// Takes in how pins come along.
    pub(super) fn take_news(&mut self, news: TrialNews) -> Vec<Effect> {
        match news {
            TrialNews::Pins(pins) => self.trial.set_pins(pins),
            TrialNews::Command(command) => self.trial.starts(command),
            TrialNews::Output(bytes) => self.trial.prints(&bytes),
            TrialNews::CameOut(id, test, proof) => self.trial.came_out(id, test, proof),
            TrialNews::Ended(ended) => return self.take_end(ended),
        }
        Vec::new()
    }

    fn take_end(&mut self, ended: Ended) -> Vec<Effect> {
        let purpose = self.trial.end();
        // What is kept of the pins is more by now.
        self.forget();
        match ended {
            Ended::Verified(verification) => {
                self.say(format!("{}; t shows what the tests printed", self.trial.summary()));
                self.take_notices(verification.notices);
            }
            Ended::Proven(..) if self.leaving => {}
            Ended::Proven(staging, choices) => return self.stage_proven(staging, choices),
            Ended::NoPins => self.say("no pin stands here: b, then s stages one"),
            Ended::Stopped if purpose == Some(Purpose::Stage) => self.say("stopped: nothing was staged"),
            Ended::Stopped => self.say("stopped: nothing is kept of it"),
            Ended::Failed(text) => self.fail(text),
        }
        Vec::new()
    }

    /// Stages what was proven, and whatever needs no proof; the others wait for what the user says.
    fn stage_proven(&mut self, staging: Staging, choices: Vec<(FailureId, Choice)>) -> Vec<Effect> {
        let Staging { verdicts, ignored, .. } = staging;
        let (held, choices): (Vec<_>, Vec<_>) =
            choices.into_iter().partition(|(_, choice)| matches!(choice, Choice::Held(_)));
        let ids: HashSet<&FailureId> = held.iter().map(|(id, _)| id).collect();
        let (waiting, verdicts): (Vec<_>, Vec<_>) = verdicts.into_iter().partition(|(id, _)| ids.contains(id));
        self.trial.held = held.into_iter().filter_map(waits).collect();
        self.trial.staging = Some(Staging { verdicts: waiting, ignored, by_hand: None });
        if verdicts.is_empty() {
            return Vec::new();
        }
        self.order("staging", Order::StageProven(Staging { verdicts, ignored, by_hand: None }, choices))
    }

    /// Whether pins wait for what the user says, and nothing else lies over the panes.
    pub(super) fn offer_held(&mut self) {
        if self.overlay.is_none() && !self.leaving && !self.trial.held.is_empty() {
            self.overlay = Some(Overlay::Held(0));
        }
    }

    /// Stages the pins that the user wants all the same. The others stay decided.
    pub(super) fn stage_held(&mut self) -> Vec<Effect> {
        let held = std::mem::take(&mut self.trial.held);
        let (ignored, verdicts) = match self.trial.staging.take() {
            Some(Staging { verdicts, ignored, .. }) => (ignored, verdicts),
            None => (Ignored::LeaveOut, Vec::new()),
        };
        let wanted: HashSet<&FailureId> = held.iter().filter(|one| one.wanted).map(|one| &one.id).collect();
        let verdicts: Vec<_> = verdicts.into_iter().filter(|(id, _)| wanted.contains(id)).collect();
        if verdicts.is_empty() {
            self.say(left(held.len()));
            return Vec::new();
        }
        let choices = held.into_iter().filter(|one| one.wanted).filter_map(all_the_same).collect();
        self.order("staging", Order::StageProven(Staging { verdicts, ignored, by_hand: None }, choices))
    }

    /// Leaves all pins that were not proven.
    pub(super) fn leave_held(&mut self) {
        let held = std::mem::take(&mut self.trial.held);
        self.trial.staging = None;
        self.say(left(held.len()));
    }
}

fn left(number: usize) -> String {
    format!("{} not staged; the verdict stays, and s proves it again", counted(number, "pin"))
}

fn waits((id, choice): (FailureId, Choice)) -> Option<Held> {
    let Choice::Held(held) = &choice else { return None };
    Some(Held { id, reason: held.reason.clone(), choice, wanted: false })
}

/// The choice of one that is wanted all the same, where there is a pin to choose; else it is staged as planned.
fn all_the_same(held: Held) -> Option<(FailureId, Choice)> {
    let choice = held.choice.all_the_same();
    matches!(choice, Choice::Pin(..)).then_some((held.id, choice))
}

/// Whether a pin of the failure stands, as far as the inbox knows.
fn has_pin(filed: &Filed) -> bool {
    matches!(filed.state, State::Staged | State::Known) && filed.verdict == Some(Verdict::RealBug)
}

/// Why a failure has no pin that could be run.
fn without_pin(filed: &Filed) -> &'static str {
    match (filed.state, filed.verdict) {
        (State::Open, _) if filed.pin_failed => "this failure is a pin itself; V runs all pins",
        (State::Open, _) | (_, None) => "no pin of this failure stands yet: b, then s stages one; V runs all pins",
        (State::Decided, Some(Verdict::RealBug)) => "the pin of this failure is not staged yet: s stages it",
        _ => "this verdict has no pin to run; V runs all pins",
    }
}
