//! Pins before they are staged: all are built and run together, round by round, until each is red or it is known why not.
//! One that does not build, or that holds another value than the recorded one, gives way to the next best pin of its failure.

mod climb;
mod making;
mod said;
mod sift;

use std::path::PathBuf;

use crate::pin::{Part, PartKind, Pin};
use crate::proof::{Evidence, PinState, Proof, StandingPin};
use crate::repo_path::RepoPath;
use crate::store::evidence;
use crate::threads::apart;
use crate::triage::{Bench, Choice, Proposal, Prover, TriageError};

use super::workshop::Workshop;
use super::{Onlooker, Proved, config};
use climb::{Climb, Round};
use making::see;
use sift::{Sieve, sift};

/// Rounds of building in which a pin that fails gives way to another that holds the same value.
const ROUNDS: usize = 4;

/// Rounds after those: in each, what does not build is taken out, so that the others come out.
const LAST_ROUNDS: usize = 3;

/// How often a pin that is not red is run again.
const AGAIN: usize = 5;

/// Most samples that are tried beside pins: what goes wrong with one is then soon found.
const MOST_BESIDE: usize = 300;

/// Rounds in which what is tried beside pins may be taken out without one of theirs being counted.
const BESIDE: usize = 4;

/// Proves pins in a scratch copy of the work tree.
pub struct Ladder<O> {
    cache: PathBuf,
    onlooker: O,
    all_the_same: bool,
}

impl<O: Onlooker> Ladder<O> {
    /// Builds in the folder `cache`, and has `onlooker` see it.
    pub fn new(cache: PathBuf, onlooker: O) -> Self {
        Ladder { cache, onlooker, all_the_same: false }
    }

    /// The same where pins that are not proven are staged too, with what was seen of them in their records.
    #[must_use]
    pub fn all_the_same(self, all_the_same: bool) -> Self {
        Ladder { all_the_same, ..self }
    }

    /// All of the way: what needs no other construction first, then what is left with no test.
    fn climbed(&mut self, bench: &Bench<'_>, climbs: &mut [Climb], workshop: &Workshop<'_>) -> Result<(), TriageError> {
        // Where nothing is built yet, what both copies need is built once, by the first round.
        match workshop.has_built() {
            true => self.making(bench, climbs, workshop)?,
            false => self.rounds(bench, climbs, workshop, &mut Sieve::new(Vec::new()))?,
        }
        self.making(bench, climbs, workshop)?;
        for _ in 0..AGAIN {
            self.again(bench, climbs, workshop)?;
        }
        Ok(())
    }

    /// Sees values being made, and then climbs, with what may give those values tried in the same builds.
    fn making(&mut self, bench: &Bench<'_>, climbs: &mut [Climb], workshop: &Workshop<'_>) -> Result<(), TriageError> {
        let making = see(bench, climbs, workshop, &mut self.onlooker)?;
        let samples = making.samples();
        let outcomes = if samples.len() <= MOST_BESIDE {
            let mut sieve = Sieve::new(samples);
            self.rounds(bench, climbs, workshop, &mut sieve)?;
            sieve.outcomes(workshop, &mut self.onlooker)?
        } else {
            self.rounds(bench, climbs, workshop, &mut Sieve::new(Vec::new()))?;
            sift(samples, workshop, &mut self.onlooker)?
        };
        if making.made(outcomes, climbs, workshop, &mut self.onlooker)? {
            self.rounds(bench, climbs, workshop, &mut Sieve::new(Vec::new()))?;
        }
        Ok(())
    }

    /// Rounds until every pin is settled. What is tried beside them, the samples of `sieve` and guesses, must not fall on
    /// them: a round in which it may have done so is none, and the next is without.
    fn rounds(
        &mut self,
        bench: &Bench<'_>,
        climbs: &mut [Climb],
        workshop: &Workshop<'_>,
        sieve: &mut Sieve,
    ) -> Result<(), TriageError> {
        let (mut number, mut beside) = (1, BESIDE);
        while number <= ROUNDS + LAST_ROUNDS {
            let with_guesses = climbs.iter().any(|climb| climb.is_guess() && climb.is_open());
            let is_beside = beside > 0 && (with_guesses || !sieve.is_done());
            if !is_beside {
                climbs.iter_mut().for_each(Climb::drop_guess);
            }
            let Some(Came { ran: run, blamed: sample_blamed }) =
                self.round(bench, climbs, workshop, is_beside.then_some(&mut *sieve))?
            else {
                break;
            };
            let is_guess = |one: &Ran| climbs[one.at].is_guess();
            let ours = sample_blamed || run.iter().any(|one| one.is_at_fault() && is_guess(one));
            let blamed = ours || run.iter().any(|one| one.is_at_fault());
            if is_beside && !blamed && run.iter().any(|one| one.is_untold() && !is_guess(one)) {
                beside = 0;
                continue;
            }
            let unclear: Vec<&Ran> = run.iter().filter(|one| !blamed && one.is_unclear()).collect();
            let standing = unclear.iter().map(|one| &one.standing);
            let builds_without = !unclear.is_empty() && workshop.builds(standing, &mut self.onlooker)?;
            let is_last = number == ROUNDS + LAST_ROUNDS;
            let round = Round { blamed, is_late: number >= ROUNDS, is_last, builds_without };
            run.into_iter().for_each(|one| one.judged(bench, climbs, round));
            if ours && beside > 0 {
                beside -= 1;
            } else {
                number += 1;
            }
        }
        climbs.iter_mut().for_each(Climb::drop_guess);
        Ok(())
    }

    /// Builds and runs what is not settled, and beside it the samples of `sieve`; nothing where all is settled.
    fn round(
        &mut self,
        bench: &Bench<'_>,
        climbs: &mut [Climb],
        workshop: &Workshop<'_>,
        sieve: Option<&mut Sieve>,
    ) -> Result<Option<Came>, TriageError> {
        let choices: Vec<Choice> = climbs.iter().map(Climb::choice).collect();
        let mut proposal = bench.proposal(&choices)?;
        let (mut asked, owners) = apart(|| asked(bench, climbs, &mut proposal));
        if asked.is_empty() {
            return Ok(None);
        }
        let pins = asked.len();
        let mut sieve = sieve;
        if let Some(sieve) = &mut sieve {
            asked.extend(sieve.placed(&mut proposal.files, workshop));
        }
        let Proved { proofs, evidence } = match asked.len() > pins {
            true => workshop.prove_soon(&asked, asked.len() - pins, &proposal.files, &mut self.onlooker)?,
            false => workshop.prove(&asked, &proposal.files, &mut self.onlooker)?,
        };
        let blamed = sieve.is_some_and(|sieve| sieve.came_out(&proofs[pins..], workshop));
        let ran = owners.into_iter().map(|(at, first, has_value)| Ran {
            at,
            standing: asked[first].clone(),
            pin: proofs[first].clone(),
            value: has_value.then(|| proofs[first + 1].clone()),
            evidence: evidence.iter().find(|one| tells_of(one, &asked[first])).cloned(),
        });
        Ok(Some(Came { ran: ran.collect(), blamed }))
    }

    /// Runs once more those that were not red, and counts.
    fn again(&mut self, bench: &Bench<'_>, climbs: &mut [Climb], workshop: &Workshop<'_>) -> Result<(), TriageError> {
        let places: Vec<usize> = (0..climbs.len()).filter(|at| climbs[*at].may_be_flaky()).collect();
        if places.is_empty() {
            return Ok(());
        }
        let choices: Vec<Choice> = climbs.iter().map(Climb::choice_to_run).collect();
        let proposal = bench.proposal(&choices)?;
        let told = |at: &usize| Some((*at, proposal.pins.get(*at)?.as_ref().ok()?.standing.clone()));
        let (places, asked): (Vec<usize>, Vec<StandingPin>) = places.iter().filter_map(told).unzip();
        let proved = workshop.prove(&asked, &proposal.files, &mut self.onlooker)?;
        places.into_iter().zip(proved.proofs).for_each(|(at, proof)| climbs[at].ran_again(&proof));
        Ok(())
    }
}

impl<O: Onlooker> Prover for Ladder<O> {
    fn prove(&mut self, bench: &Bench<'_>) -> Result<Vec<Choice>, TriageError> {
        let triage = bench.triage();
        let tree = triage.work_tree();
        let config = config::told(triage, &tree, &mut self.onlooker)?;
        let choices = bench.choices();
        let planned = bench.proposal(&choices)?;
        let climb = |(at, pin): (usize, Result<_, _>)| match choices[at] {
            Choice::Pin(..) => Climb::by_hand(pin.ok()),
            _ => Climb::new(pin.ok(), bench.literals(at, &tree)),
        };
        let mut climbs: Vec<Climb> = apart(|| planned.pins.into_iter().enumerate().map(climb).collect());
        let climbed = match Workshop::open(&self.cache, triage, &tree, config, &mut self.onlooker) {
            Ok(workshop) => self.climbed(bench, &mut climbs, &workshop),
            Err(error) => Err(error),
        };
        match climbed {
            // That nothing can be run here says nothing against the pins.
            Err(error @ (TriageError::Run(_) | TriageError::Scratch(_))) => {
                climbs.iter_mut().for_each(|climb| climb.unable(&error.to_string()));
            }
            climbed => climbed?,
        }
        let kept: Vec<_> = climbs.iter().filter_map(|climb| climb.evidence().cloned()).collect();
        evidence::keep(&triage.store_folder(), &kept)?;
        let recorded: Vec<String> = bench.failures().map(|failure| failure.message.clone()).collect();
        let choices = climbs.into_iter().zip(recorded).map(|(climb, recorded)| climb.settled(&recorded));
        Ok(choices.map(|choice| if self.all_the_same { choice.all_the_same() } else { choice }).collect())
    }
}

/// How a round came out.
struct Came {
    ran: Vec<Ran>,
    /// Whether samples beside the pins do not compile.
    blamed: bool,
}

/// How one failure's pin came out in a round.
struct Ran {
    at: usize,
    standing: StandingPin,
    pin: Proof,
    /// What the test said that prints its value.
    value: Option<Proof>,
    evidence: Option<Evidence>,
}

impl Ran {
    /// The compiler's complaint about this pin, where it has one.
    fn fault(&self) -> Option<&Proof> {
        [Some(&self.pin), self.value.as_ref()].into_iter().flatten().find(|proof| proof.own_fault)
    }

    fn is_at_fault(&self) -> bool {
        self.fault().is_some()
    }

    /// Whether it did not come out, be it for itself or for what else was built and run.
    fn is_untold(&self) -> bool {
        matches!(self.pin.state, PinState::DoesNotBuild | PinState::Missing | PinState::TimedOut)
    }

    /// Whether the build failed in the repository, be it for the pins or for the code that they stand in.
    fn is_unclear(&self) -> bool {
        self.pin.state == PinState::DoesNotBuild && self.pin.is_of_repository()
    }

    fn judged(self, bench: &Bench<'_>, climbs: &mut [Climb], round: Round) {
        let Some(framework) = bench.framework(self.at) else { return };
        let climb = &mut climbs[self.at];
        if let Some(fault) = self.fault() {
            return climb.give_way(&said::no_build(fault), round);
        }
        let printed = self.value.as_ref().filter(|value| value.state.has_failed()).map(|value| value.message.as_str());
        if let Some(printed) = printed.filter(|printed| !framework.prints_recorded_values(climb.recorded(), printed)) {
            return climb.give_way(&said::other_value(printed), round);
        }
        if printed.is_none() && self.pin.state == PinState::Red {
            climb.was_not_seen();
        }
        let unmet = self.pin.state.has_failed() && framework.is_unmet_assumption(&self.pin.message);
        climb.came_out(self.pin, self.evidence, unmet, round);
    }
}

fn tells_of(evidence: &Evidence, pin: &StandingPin) -> bool {
    evidence.failure == pin.failure && evidence.test == pin.runs().0
}

/// The tests of what is not settled, those that print values put into the files of `proposal`; and of each failure its place
/// on the bench, that of its pin among the tests, and whether the next one prints its value.
fn asked(
    bench: &Bench<'_>,
    climbs: &mut [Climb],
    proposal: &mut Proposal,
) -> (Vec<StandingPin>, Vec<(usize, usize, bool)>) {
    let Proposal { pins, files } = proposal;
    let (mut asked, mut owners) = (Vec::new(), Vec::new());
    for (at, (climb, planned)) in climbs.iter_mut().zip(pins).enumerate() {
        if !climb.is_open() {
            continue;
        }
        let Ok(planned) = planned else {
            climb.refuse();
            continue;
        };
        let value = climb.value().filter(|value| placed(bench, at, value, files).is_some());
        owners.push((at, asked.len(), value.is_some()));
        asked.push(planned.standing.clone());
        asked.extend(value.map(|value| StandingPin { test: value.test.clone(), ..planned.standing.clone() }));
    }
    (asked, owners)
}

/// Puts the test that prints a value into the files that hold its pin; `None` where it has no place there.
fn placed(bench: &Bench<'_>, at: usize, value: &Pin, files: &mut [(RepoPath, Vec<u8>)]) -> Option<()> {
    let framework = bench.framework(at)?;
    let tests: Vec<&Part> = value.parts.iter().filter(|part| part.kind == PartKind::Test).collect();
    for part in tests {
        let (_, text) = files.iter_mut().find(|(file, _)| *file == part.file)?;
        *text = framework.place(value, part, text).ok()?.apply(text);
    }
    Some(())
}
