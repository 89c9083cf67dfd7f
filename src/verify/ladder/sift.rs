//! Which of many expressions give a recorded value: the tests that print them are built together in the work tree as it
//! is, those that do not compile are taken out, and what the others print is looked at.

use std::collections::BTreeMap;

use crate::framework::Framework;
use crate::pin::{PartKind, Pin};
use crate::proof::{PinState, Proof, StandingPin};
use crate::repo_path::RepoPath;
use crate::triage::TriageError;

use super::super::Onlooker;
use super::super::workshop::Workshop;
use super::said;

/// Builds of which each takes out what did not compile in the one before.
const BUILDS: usize = 4;

/// A test that prints a value.
pub(super) struct Sample<'a> {
    /// The pin it is tried for, as it would stand.
    pub(super) standing: &'a StandingPin,
    pub(super) framework: &'static dyn Framework,
    pub(super) value: &'a Pin,
    /// What it is to print.
    pub(super) recorded: &'a [String],
}

/// Most tests that one command names: a command line has an end.
const MOST_AT_ONCE: usize = 400;

/// Of each sample, whether it printed what was recorded; else why not.
pub(super) fn sift(
    samples: &[Sample<'_>],
    workshop: &Workshop<'_>,
    onlooker: &mut dyn Onlooker,
) -> Result<Vec<Result<(), String>>, TriageError> {
    let mut outcomes = Vec::new();
    for some in samples.chunks(MOST_AT_ONCE) {
        outcomes.extend(sift_some(some, workshop, onlooker)?);
    }
    Ok(outcomes)
}

fn sift_some(
    samples: &[Sample<'_>],
    workshop: &Workshop<'_>,
    onlooker: &mut dyn Onlooker,
) -> Result<Vec<Result<(), String>>, TriageError> {
    let mut outcome: Vec<Result<(), String>> = vec![Err("it was not built in time".to_owned()); samples.len()];
    let mut open: Vec<usize> = (0..samples.len()).collect();
    for _ in 0..BUILDS {
        let (files, left_out) = placed(samples, &open, workshop);
        open.retain(|at| !left_out.contains(at));
        if open.is_empty() {
            break;
        }
        let asked: Vec<StandingPin> = open.iter().map(|at| asked(&samples[*at])).collect();
        let proofs = workshop.prove(&asked, &files, onlooker)?.proofs;
        let mut left = Vec::new();
        for (at, proof) in open.into_iter().zip(proofs) {
            outcome[at] = told(&samples[at], &proof);
            if proof.state == PinState::DoesNotBuild && !proof.own_fault {
                left.push(at);
            }
        }
        let is_stuck = left.len() == asked.len();
        open = left;
        if is_stuck {
            break;
        }
    }
    Ok(outcome)
}

/// The files with the samples `open` in them, and those that have no place there.
fn placed(samples: &[Sample<'_>], open: &[usize], workshop: &Workshop<'_>) -> (Vec<(RepoPath, Vec<u8>)>, Vec<usize>) {
    let (mut files, mut left_out) = (BTreeMap::<RepoPath, Vec<u8>>::new(), Vec::new());
    for at in open {
        let Sample { framework, value, .. } = &samples[*at];
        for part in value.parts.iter().filter(|part| part.kind != PartKind::ReplayLine) {
            let before = || workshop.tree().read(&part.file).unwrap_or_default().to_vec();
            let text = files.entry(part.file.clone()).or_insert_with(before);
            match framework.place(value, part, text) {
                Ok(edits) => *text = edits.apply(text),
                Err(_) => left_out.push(*at),
            }
        }
    }
    (files.into_iter().collect(), left_out)
}

fn asked(sample: &Sample<'_>) -> StandingPin {
    StandingPin { test: sample.value.test.clone(), ..sample.standing.clone() }
}

fn told(sample: &Sample<'_>, proof: &Proof) -> Result<(), String> {
    match proof.state {
        PinState::DoesNotBuild => Err(said::no_build(proof)),
        state if state.has_failed() && sample.framework.prints_recorded_values(sample.recorded, &proof.message) => {
            Ok(())
        }
        _ => Err(said::other_value(&proof.message)),
    }
}
