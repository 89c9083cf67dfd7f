//! One failure on the ladder: the pins it may have, the one that is tried, and how that came out.

use std::collections::VecDeque;

use crate::framework::Candidate;
use crate::pin::{NOT_DETERMINISTIC, PartKind, Pin, Refusal, Rung};
use crate::proof::{Evidence, PinState, Proof};
use crate::triage::{Choice, Held, Planned};

use super::said;

/// A failure's way.
pub(super) struct Climb {
    /// The pin that is tried, and the test that prints what it binds.
    pin: Option<Pin>,
    value: Option<Pin>,
    /// What that test is to print.
    recorded: Vec<String>,
    /// Whether its value may be another that prints the same.
    doubtful: bool,
    /// What to try after it, likeliest first.
    left: VecDeque<Candidate>,
    end: Option<End>,
    /// What a guess takes the place of until it is proven.
    before: Option<Box<Before>>,
    evidence: Option<Evidence>,
    /// How the first pin came out that was run and not red, while weaker ones are tried.
    first: Option<Box<Tried>>,
    /// The pin that was planned, where it is a test that pins which hold the value take the place of.
    planned: Option<Pin>,
    /// Whether it was seen how the value is made.
    was_recorded: bool,
    /// Whether somebody wrote the pin.
    is_by_hand: bool,
    /// Whether the replay handle was looked for that the run did not name.
    was_sought: bool,
}

/// What was tried, or how it ended, before a guess.
struct Before {
    pin: Option<Pin>,
    value: Option<Pin>,
    recorded: Vec<String>,
    end: Option<End>,
}

/// A pin that was run, and how that ended.
struct Tried {
    pin: Option<Pin>,
    end: End,
    evidence: Option<Evidence>,
}

/// How it ended.
enum End {
    /// No pin can be planned: triage says why.
    Refused,
    /// The pin is red.
    Proven,
    /// It came out otherwise. Whether its assumption is not met, and how often it was red in how many runs.
    Otherwise { proof: Proof, unmet: bool, red: usize, runs: usize },
    /// No pin is left, for this reason.
    None(String),
    /// It could not be run: what is said of that.
    Unable(String),
    /// The guess does not hold; what comes of it waits for what else may.
    Wrong,
}

/// What is to know of a round besides how one pin came out.
#[derive(Clone, Copy)]
pub(super) struct Round {
    /// Whether some pin is the reason that the build failed.
    pub(super) blamed: bool,
    /// Whether there is no time for more candidates.
    pub(super) is_late: bool,
    /// Whether no round follows.
    pub(super) is_last: bool,
    /// Whether the code is known to build without any of the pins.
    pub(super) builds_without: bool,
}

impl Climb {
    /// From the pin as planned, and the candidates that hold its value as a test.
    pub(super) fn new(planned: Option<Planned>, candidates: Vec<Candidate>) -> Self {
        let mut climb = Climb {
            pin: planned.map(|planned| planned.pin),
            value: None,
            recorded: Vec::new(),
            doubtful: false,
            left: candidates.into(),
            end: None,
            before: None,
            evidence: None,
            first: None,
            planned: None,
            was_recorded: false,
            is_by_hand: false,
            was_sought: false,
        };
        climb.try_next();
        if climb.pin.is_none() {
            climb.refuse();
        }
        climb
    }

    /// From a pin that somebody wrote: no other takes its place, and what it holds is theirs.
    pub(super) fn by_hand(written: Option<Planned>) -> Self {
        Climb { was_recorded: true, is_by_hand: true, ..Climb::new(written, Vec::new()) }
    }

    /// Whether nothing holds its value, and nobody has looked yet how that is made.
    pub(super) fn is_to_be_recorded(&self) -> bool {
        let holds_value = self.pin.as_ref().is_some_and(|pin| pin.rung <= Rung::Constructed);
        let can_run = !matches!(self.end, Some(End::Unable(_)));
        !self.was_recorded && can_run && (!holds_value || matches!(self.end, Some(End::None(_))))
    }

    /// Whether its pin would have a replay line besides if the run had named a handle, and nobody has looked for one yet.
    pub(super) fn is_to_be_sought(&self) -> bool {
        let can_run = !matches!(self.end, Some(End::Unable(_) | End::Refused));
        !self.was_sought && !self.is_by_hand && can_run && self.pin.as_ref().is_some_and(Pin::lacks_line)
    }

    /// A replay handle was looked for: the pin that is its line and nothing else, where one was found.
    pub(super) fn was_sought(&mut self, found: Option<&Pin>) {
        self.was_sought = true;
        let before = self.before.iter_mut().filter_map(|before| before.pin.as_mut());
        let pins = self.pin.iter_mut().chain(self.left.iter_mut().map(|candidate| &mut candidate.pin)).chain(before);
        match found {
            Some(found) => pins.for_each(|pin| pin.take_line(found)),
            None => pins.flat_map(|pin| &mut pin.warnings).for_each(said::not_found),
        }
    }

    /// It was looked how its value is made: the pins that make it again, or why there are none.
    pub(super) fn was_recorded(&mut self, candidates: Result<Vec<Candidate>, Refusal>) {
        self.was_recorded = true;
        match candidates {
            Ok(candidates) => {
                self.left = candidates.into();
                self.planned = self.pin.clone().filter(|pin| pin.test.is_some() && pin.rung > Rung::Constructed);
                if self.try_next() {
                    self.end = None;
                }
            }
            Err(refusal) => {
                if let Some(reason) = self.pin.as_mut().and_then(|pin| pin.reason.as_mut()) {
                    match refusal.0 == NOT_DETERMINISTIC {
                        // What else there is to say is no ground then.
                        true => *reason = refusal.0,
                        false => reason.push_str(&format!("; nor can it be made again: {}", refusal.0)),
                    }
                }
            }
        }
    }

    /// Tries `candidate` before it is known what else may hold. It must be settled by [`Climb::guessed`].
    pub(super) fn guess(&mut self, candidate: Candidate) {
        let Candidate { pin, value, recorded, .. } = candidate;
        let before = Before {
            pin: self.pin.replace(pin),
            value: std::mem::replace(&mut self.value, value),
            recorded: std::mem::replace(&mut self.recorded, recorded),
            end: self.end.take(),
        };
        self.before = Some(Box::new(before));
        self.was_recorded = true;
    }

    /// Waits until it is known what may hold. It must be settled by [`Climb::guessed`].
    pub(super) fn wait(&mut self) {
        let (pin, value, recorded) = (self.pin.clone(), self.value.clone(), self.recorded.clone());
        self.before = Some(Box::new(Before { pin, value, recorded, end: self.end.take() }));
        self.end = Some(End::Wrong);
        self.was_recorded = true;
    }

    pub(super) fn is_guess(&self) -> bool {
        self.before.is_some()
    }

    /// The guess is not to be tried any longer, unless it is proven.
    pub(super) fn drop_guess(&mut self) {
        if self.is_guess() && self.is_open() {
            self.end = Some(End::Wrong);
        }
    }

    /// Settles a guess: whether it is proven; else all is as it was before it.
    pub(super) fn guessed(&mut self) -> bool {
        let Some(before) = self.before.take() else { return false };
        if matches!(self.end, Some(End::Proven)) {
            return true;
        }
        let Before { pin, value, recorded, end } = *before;
        (self.pin, self.value, self.recorded, self.end, self.evidence) = (pin, value, recorded, end, None);
        false
    }

    /// Takes a pin without a test where there is none at all.
    pub(super) fn fall_back(&mut self, pin: Pin) {
        if self.pin.as_ref().is_none_or(|known| known.parts.iter().all(|part| part.kind != PartKind::ReplayLine)) {
            (self.pin, self.value, self.end) = (Some(pin), None, None);
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.end.is_none()
    }

    /// Takes the next candidate, where there is one.
    fn try_next(&mut self) -> bool {
        let Some(Candidate { pin, value, recorded, doubtful }) = self.left.pop_front() else { return false };
        (self.pin, self.value, self.recorded, self.doubtful) = (Some(pin), value, recorded, doubtful);
        true
    }

    /// What the test is to print that prints what the pin binds.
    pub(super) fn recorded(&self) -> &[String] {
        &self.recorded
    }

    /// The test that prints what the pin binds.
    pub(super) fn value(&self) -> Option<Pin> {
        self.value.clone()
    }

    /// Its pin is red, and the test that prints what it binds told nothing.
    pub(super) fn was_not_seen(&mut self) {
        let pin = self.pin.as_mut().filter(|_| self.value.is_some());
        pin.into_iter().for_each(|pin| pin.warnings.push(said::NOT_SEEN.to_owned()));
    }

    pub(super) fn evidence(&self) -> Option<&Evidence> {
        self.evidence.as_ref()
    }

    /// No pin of it can be placed: triage says why.
    pub(super) fn refuse(&mut self) {
        self.end = Some(End::Refused);
    }

    /// What is chosen while others are still tried: what is out of the way is not in theirs.
    pub(super) fn choice(&self) -> Choice {
        match (&self.end, &self.pin) {
            (None | Some(End::Proven), Some(pin)) => Choice::Pin(Box::new(pin.clone()), None),
            (Some(End::Refused), _) => Choice::Planned,
            _ => held(String::new(), None, None),
        }
    }

    /// The same with pins that are to be run again.
    pub(super) fn choice_to_run(&self) -> Choice {
        match &self.pin {
            Some(pin) if self.may_be_flaky() => Choice::Pin(Box::new(pin.clone()), None),
            _ => self.choice(),
        }
    }

    /// Whether it may come out red when it is run again.
    pub(super) fn may_be_flaky(&self) -> bool {
        let states = [PinState::Green, PinState::RedForAnotherReason];
        matches!(&self.end, Some(End::Otherwise { proof, unmet: false, .. }) if states.contains(&proof.state))
    }

    /// It was run again.
    pub(super) fn ran_again(&mut self, proof: &Proof) {
        if let Some(End::Otherwise { red, runs, .. }) = &mut self.end {
            *red += usize::from(proof.state == PinState::Red);
            *runs += 1;
        }
    }

    /// Nothing can be run.
    pub(super) fn unable(&mut self, why: &str) {
        self.guessed();
        if self.is_open() {
            self.end = Some(End::Unable(said::unable(why)));
        }
    }

    /// The pin that is tried does not hold: the next best takes its place, at last what needs no test.
    pub(super) fn give_way(&mut self, why: &str, round: Round) {
        if self.is_guess() {
            return self.drop_guess();
        }
        let before = self.pin.as_ref().map(|pin| pin.rung);
        if !round.is_late && self.try_next() {
            // What stands on a lower rung tells why.
            if let Some(pin) = self.pin.as_mut().filter(|pin| before.is_some_and(|before| before < pin.rung)) {
                pin.reason = Some(said::weaker(why));
            }
            return;
        }
        self.left.clear();
        self.value = None;
        if self.back_to_planned(why) {
            return;
        }
        if self.is_by_hand {
            self.end = Some(End::None(why.to_owned()));
            return;
        }
        let weaker = self.pin.as_ref().and_then(|pin| without_test(pin, why));
        if weaker.is_none() && self.back_to_first() {
            return;
        }
        match weaker {
            Some(weaker) => self.pin = Some(weaker),
            None => self.end = Some(End::None(said::nothing_left(why))),
        }
    }

    /// The pin was run, or the build failed and it is not at fault.
    pub(super) fn came_out(&mut self, proof: Proof, evidence: Option<Evidence>, unmet: bool, round: Round) {
        if proof.state == PinState::DoesNotBuild {
            return self.did_not_build(&proof, round);
        }
        let holds_other = matches!(proof.state, PinState::Green | PinState::RedForAnotherReason);
        // What prints the same need not be the same.
        if holds_other && self.doubtful && !self.is_guess() && !self.left.is_empty() {
            return self.give_way(&said::not_the_input(&proof), round);
        }
        if holds_other && !self.is_guess() && self.back_to_planned(&said::not_the_input(&proof)) {
            return;
        }
        self.evidence = evidence;
        let end = match proof.state {
            PinState::Red => End::Proven,
            _ if self.is_guess() => End::Wrong,
            _ => End::Otherwise { proof, unmet, red: 0, runs: 1 },
        };
        match end {
            End::Otherwise { .. } if self.value.is_none() && self.climbs_on(&end, round) => {}
            End::Otherwise { .. } if self.back_to_first() => {}
            end => self.end = Some(end),
        }
    }

    /// Whether a weaker pin is tried, as nothing shows whether this one holds the value but how it came out.
    fn climbs_on(&mut self, end: &End, round: Round) -> bool {
        let End::Otherwise { proof, unmet, red, runs } = end else { return false };
        if round.is_late || self.left.is_empty() {
            return false;
        }
        let why = said::came_out(proof);
        if self.first.is_none() {
            let end = End::Otherwise { proof: proof.clone(), unmet: *unmet, red: *red, runs: *runs };
            self.first = Some(Box::new(Tried { pin: self.pin.clone(), end, evidence: self.evidence.take() }));
        }
        self.give_way(&why, round);
        true
    }

    /// Takes up again the first pin that was run, where none of those after it is red.
    fn back_to_first(&mut self) -> bool {
        let Some(first) = self.first.take() else { return false };
        let Tried { pin, end, evidence } = *first;
        (self.pin, self.end, self.evidence) = (pin, Some(end), evidence);
        true
    }

    /// Takes the pin that was planned again, where one that was to hold the value took its place.
    fn back_to_planned(&mut self, why: &str) -> bool {
        let Some(mut planned) = self.planned.take() else { return false };
        let reason = planned.reason.take().map_or(String::new(), |reason| format!("{reason}; "));
        planned.reason = Some(format!("{reason}a pin with the value was tried: {why}"));
        self.left.clear();
        (self.pin, self.value, self.recorded) = (Some(planned), None, Vec::new());
        true
    }

    /// The build failed, and the compiler does not complain about this pin.
    fn did_not_build(&mut self, proof: &Proof, round: Round) {
        if round.blamed && !round.is_last {
            return;
        }
        if round.builds_without || self.is_guess() {
            return self.give_way(&said::no_build(proof), round);
        }
        // That nothing can be built says nothing against the pin.
        self.end = Some(End::Unable(match proof.is_of_repository() {
            true => said::own_code(proof),
            false => said::unable(&proof.message),
        }));
    }

    /// What becomes of the pin. `recorded` is what the run said.
    pub(super) fn settled(self, recorded: &str) -> Choice {
        let Climb { pin, end, evidence, .. } = self;
        match (end, pin) {
            (Some(End::Proven), Some(pin)) => Choice::Pin(Box::new(pin), evidence.map(Box::new)),
            (Some(End::Unable(why)), Some(mut pin)) => {
                pin.warnings.push(why);
                Choice::Pin(Box::new(pin), None)
            }
            (Some(End::None(why)), _) => held(why, None, None),
            (Some(End::Otherwise { proof, unmet, red, runs }), pin) => {
                let is_seed = pin.as_ref().is_some_and(|pin| pin.test.is_none() && pin.replay.is_some());
                let dead = if is_seed { said::dead_seed(&proof, (red, runs)) } else { None };
                held(dead.unwrap_or_else(|| said::not_red(&proof, unmet, recorded, (red, runs))), pin, evidence)
            }
            (Some(End::Refused), _) | (_, None) => Choice::Planned,
            (None | Some(End::Wrong), pin) => {
                held("it did not come out in so many rounds of building".to_owned(), pin, evidence)
            }
        }
    }
}

fn held(reason: String, pin: Option<Pin>, evidence: Option<Evidence>) -> Choice {
    Choice::Held(Box::new(Held { reason, pin, evidence }))
}

/// The pin without its test; `None` where nothing is left of it.
fn without_test(pin: &Pin, why: &str) -> Option<Pin> {
    let mut weaker = pin.clone();
    weaker.parts.retain(|part| part.kind == PartKind::ReplayLine);
    let reason = Some(format!("a test with the value was tried: {why}"));
    let has_test = pin.test.is_some();
    (has_test && !weaker.parts.is_empty()).then_some(Pin { rung: Rung::SeedOnly, test: None, reason, ..weaker })
}

#[cfg(test)]
mod tests;
