//! Pins before they are staged: all are built and run together, round by round, until each is red or it is known why not.
//! One that does not build gives way to the next best pin of its failure.

use std::path::PathBuf;

use crate::pin::{PartKind, Pin, Refusal, Rung};
use crate::proof::{PinState, Proof};
use crate::store::evidence;
use crate::triage::{Bench, Choice, Planned, Prover, TriageError};

use super::workshop::Workshop;
use super::{Onlooker, config};

/// Most rounds of building and running.
const ROUNDS: usize = 4;

/// Proves pins in a scratch copy of the work tree.
pub struct Ladder<O> {
    cache: PathBuf,
    onlooker: O,
}

impl<O: Onlooker> Ladder<O> {
    /// Builds in the folder `cache`, and has `onlooker` see it.
    pub fn new(cache: PathBuf, onlooker: O) -> Self {
        Ladder { cache, onlooker }
    }
}

impl<O: Onlooker> Prover for Ladder<O> {
    fn prove(&mut self, bench: &Bench<'_>) -> Result<Vec<Choice>, TriageError> {
        let triage = bench.triage();
        let tree = triage.work_tree();
        let config = config::of(triage, &tree, &mut Vec::new())?;
        let workshop = Workshop::open(&self.cache, triage, &tree, config)?;
        let mut choices = vec![Choice::Planned; bench.failures().count()];
        let mut settled = vec![false; choices.len()];
        for round in 1..=ROUNDS {
            let proposal = bench.proposal(&choices)?;
            let open: Vec<(usize, &Planned)> = proposal
                .pins
                .iter()
                .enumerate()
                .filter_map(|(at, pin)| Some((at, pin.as_ref().ok()?)))
                .filter(|(at, _)| !settled[*at])
                .collect();
            if open.is_empty() {
                break;
            }
            let pins: Vec<_> = open.iter().map(|(_, planned)| planned.standing.clone()).collect();
            let proved = workshop.prove(&pins, &proposal.files, &mut self.onlooker)?;
            evidence::keep(&triage.store_folder(), &proved.evidence)?;
            let blamed = proved.proofs.iter().any(|proof| proof.own_fault);
            for ((at, planned), proof) in open.into_iter().zip(proved.proofs) {
                let last = round == ROUNDS;
                (choices[at], settled[at]) = judged(&planned.pin, proof, blamed && !last);
            }
        }
        Ok(choices)
    }
}

/// What becomes of a pin after a round, and whether that is its end. `again`: the build failed because of a pin, and there
/// will be another round.
fn judged(pin: &Pin, proof: Proof, again: bool) -> (Choice, bool) {
    match proof.state {
        PinState::Red => (Choice::Pin(Box::new(pin.clone()), PinState::Red), true),
        PinState::DoesNotBuild if proof.own_fault => match without_test(pin, &proof) {
            Some(weaker) => (Choice::Pin(Box::new(weaker), PinState::DoesNotBuild), false),
            None => (held(&format!("its test does not compile: {}; write it by hand", told(&proof))), true),
        },
        PinState::DoesNotBuild if again => (Choice::Pin(Box::new(pin.clone()), PinState::DoesNotBuild), false),
        PinState::DoesNotBuild => (held(&format!("the code it stands in does not build: {}", told(&proof))), true),
        PinState::RedForAnotherReason => (held(&format!("it fails for another reason: {}", told(&proof))), true),
        PinState::Green => (held("it passes on this code: the bug does not show, or is mended already"), true),
        PinState::Missing => (held(&format!("its test was not run: {}", told(&proof))), true),
        PinState::TimedOut => (held("it did not come to its end in time"), true),
    }
}

fn held(why: &str) -> Choice {
    Choice::Held(why.to_owned())
}

fn told(proof: &Proof) -> String {
    let first = proof.message.lines().next().unwrap_or_default();
    match &proof.at {
        Some(at) => format!("{first} at {}:{}", at.file.0, at.line),
        None => first.to_owned(),
    }
}

/// The pin without a test that does not compile; `None` where nothing is left of it.
fn without_test(pin: &Pin, proof: &Proof) -> Option<Pin> {
    let mut weaker = pin.clone();
    weaker.parts.retain(|part| part.kind == PartKind::ReplayLine);
    let Refusal(reason) = Refusal(format!("its literal does not compile: {}", told(proof)));
    (!weaker.parts.is_empty()).then_some(Pin { rung: Rung::SeedOnly, test: None, reason: Some(reason), ..weaker })
}
