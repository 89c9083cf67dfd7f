//! Before pins are staged they are proven: somebody who can build and run them says of each whether it stands, which other
//! pin takes its place, or why it is held back. Who that is, is no matter of triage.

use std::collections::HashMap;

use crate::failure::Failure;
use crate::framework::{self, Candidate, Framework};
use crate::git::Write;
use crate::inbox::FailureId;
use crate::pin::{Instead, Pin, Refusal};
use crate::proof::StandingPin;
use crate::repo_path::RepoPath;
use crate::requirement::RequirementId;
use crate::source_tree::SourceTree;
use crate::triage::case::case;
use crate::triage::records::record::Hand;
use crate::triage::{Triage, TriageError};
use crate::verdict::Verdict;

use super::plan::Outcome;
use super::wish::{Choice, Ignored, Wish};

/// Proves pins before they are staged. Without one, every pin is staged as it is planned.
pub trait Prover {
    /// What is to become of each pin that `bench` is about, in their order.
    ///
    /// # Errors
    /// Where nothing can be said, so that nothing is to be staged either.
    fn prove(&mut self, bench: &Bench<'_>) -> Result<Vec<Choice>, TriageError>;
}

/// Says what was chosen before.
pub struct Chosen(HashMap<FailureId, Choice>);

impl Chosen {
    /// What is to become of the pin of each of these failures; those of others are staged as planned.
    pub fn new(choices: impl IntoIterator<Item = (FailureId, Choice)>) -> Self {
        Chosen(choices.into_iter().collect())
    }
}

impl Prover for Chosen {
    fn prove(&mut self, bench: &Bench<'_>) -> Result<Vec<Choice>, TriageError> {
        Ok(bench.ids().map(|id| self.0.get(id).cloned().unwrap_or_default()).collect())
    }
}

/// The pins of one staging, before it, and what they would write.
pub struct Bench<'a> {
    pub(super) triage: &'a Triage,
    pub(super) wishes: &'a [Wish],
    pub(super) hand: &'a Hand<'a>,
    /// The places of the wishes that are about pins which do not stand yet.
    pub(super) places: Vec<usize>,
    pub(super) ignored: Ignored,
}

/// A pin that would be staged.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The pin.
    pub pin: Pin,
    /// The same as it would stand.
    pub standing: StandingPin,
}

/// What a staging would write into the work tree.
#[derive(Clone, Debug, Default)]
pub struct Proposal {
    /// The pins, in the bench's order; `None` where one is refused, with the reason.
    pub pins: Vec<Result<Planned, Refusal>>,
    /// The files that would change, each with its new content.
    pub files: Vec<(RepoPath, Vec<u8>)>,
}

impl Bench<'_> {
    /// The failures to be pinned.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.places.iter().map(|at| &*self.wishes[*at].filed.failure)
    }

    /// The ids of the failures.
    pub fn ids(&self) -> impl Iterator<Item = &FailureId> {
        self.places.iter().map(|at| &self.wishes[*at].filed.id)
    }

    /// The repository with its inbox.
    pub fn triage(&self) -> &Triage {
        self.triage
    }

    /// What is wanted of each pin before any of them is proven: one written by hand is chosen already.
    pub fn choices(&self) -> Vec<Choice> {
        self.places.iter().map(|at| self.wishes[*at].choice.clone()).collect()
    }

    /// The framework of the failure at a place.
    pub fn framework(&self, at: usize) -> Option<&'static dyn Framework> {
        framework::named(&self.wishes[*self.places.get(at)?].filed.failure.framework)
    }

    /// What the property of the failure at a place cites.
    pub fn requirement(&self, at: usize) -> Option<&RequirementId> {
        self.wishes[*self.places.get(at)?].filed.requirement.as_ref()
    }

    /// A pin of the failure at a place, whose test is yet to be written.
    pub fn blank(&self, at: usize) -> StandingPin {
        standing(&self.wishes[self.places[at]], None)
    }

    /// The date, as `2026-11-30`.
    pub fn today(&self) -> &str {
        self.hand.today()
    }

    /// The pins that hold the value of the failure at a place by its text, likeliest first.
    pub fn literals(&self, at: usize, tree: &dyn SourceTree) -> Vec<Candidate> {
        let Some(framework) = self.framework(at) else { return Vec::new() };
        let filed = &self.wishes[self.places[at]].filed;
        framework.literals(&case(filed, tree, self.hand.today()))
    }

    /// What would be written if `choices` were taken, one for each failure of the bench.
    ///
    /// # Errors
    /// Where git or the disk refuses.
    pub fn proposal(&self, choices: &[Choice]) -> Result<Proposal, TriageError> {
        let mut wishes: Vec<Wish> = self.places.iter().map(|at| self.wishes[*at].clone()).collect();
        wishes.iter_mut().zip(choices).for_each(|(wish, choice)| wish.choice = choice.clone());
        let plan = self.triage.plan_by(&wishes, self.hand, self.ignored)?;
        let pins = wishes.iter().zip(plan.failures).zip(plan.pins).map(|((wish, one), pin)| match (one.outcome, pin) {
            (Outcome::Refused, _) | (_, None) => Err(Refusal(one.reason.unwrap_or_default())),
            (_, Some(pin)) => Ok(Planned { standing: standing(wish, Some(&pin)), pin }),
        });
        let pins = pins.collect();
        let content = |change: crate::git::Change| match change.work {
            Write::Content(bytes) => Some((change.from.path.clone(), bytes)),
            Write::Keep | Write::Remove => None,
        };
        Ok(Proposal { pins, files: plan.texts.changes().into_iter().filter_map(content).collect() })
    }
}

/// The pin of a failure as it would stand.
fn standing(wish: &Wish, pin: Option<&Pin>) -> StandingPin {
    let failure = &wish.filed.failure;
    let own = || Instead {
        counterexample: crate::value::one_line(&failure.counterexample.text),
        message: failure.message.clone(),
    };
    let Instead { counterexample, message } = pin.and_then(|pin| pin.instead.as_deref().cloned()).unwrap_or_else(own);
    StandingPin {
        failure: wish.filed.id.0.clone(),
        framework: failure.framework.clone(),
        package: failure.package.clone(),
        property: failure.test.clone(),
        test: pin.and_then(|pin| pin.test.clone()),
        file: wish.filed.file.clone(),
        replay: pin.and_then(|pin| pin.replay.clone()),
        files: pin.iter().flat_map(|pin| &pin.parts).map(|part| part.file.clone()).collect(),
        message,
        counterexample,
        makes_value: false,
    }
}

impl Triage {
    /// What `prover` says of each of these failures that has a verdict. Stages nothing. `by_hand` is the pin of the only
    /// one, where somebody wrote it.
    ///
    /// # Errors
    /// Where git or the disk refuses, or nothing can be said.
    pub fn prove(
        &self,
        ids: &[FailureId],
        ignored: Ignored,
        by_hand: Option<&Pin>,
        prover: &mut dyn Prover,
    ) -> Result<Vec<(FailureId, Choice)>, TriageError> {
        let mut wishes = self.decided(ids);
        if let ([one], Some(pin)) = (wishes.as_mut_slice(), by_hand) {
            one.choice = Choice::Pin(Box::new(pin.clone()), None);
        }
        let proven = self.proven(&wishes, ignored, Some(prover))?;
        Ok(proven.into_iter().map(|wish| (wish.filed.id.clone(), wish.choice)).collect())
    }

    /// `wishes` with what the prover says of those that are about pins which do not stand yet.
    pub(super) fn proven(
        &self,
        wishes: &[Wish],
        ignored: Ignored,
        prover: Option<&mut dyn Prover>,
    ) -> Result<Vec<Wish>, TriageError> {
        let mut wishes = wishes.to_vec();
        let Some(prover) = prover else { return Ok(wishes) };
        if wishes.iter().all(|wish| wish.verdict != Verdict::RealBug) {
            return Ok(wishes);
        }
        let hand = self.hand();
        let plan = self.plan_by(&wishes, &hand, ignored)?;
        let is_new =
            |at: &usize| wishes[*at].verdict == Verdict::RealBug && plan.failures[*at].outcome != Outcome::Already;
        let places: Vec<usize> = (0..wishes.len()).filter(is_new).collect();
        if places.is_empty() {
            return Ok(wishes);
        }
        let bench = Bench { triage: self, wishes: &wishes, hand: &hand, places: places.clone(), ignored };
        let choices = prover.prove(&bench)?;
        places.into_iter().zip(choices).for_each(|(at, choice)| wishes[at].choice = choice);
        Ok(wishes)
    }
}
