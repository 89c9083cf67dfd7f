//! A negative control: a patch that breaks a property on purpose is put into the scratch copy, and the property and its
//! pins, which must pass without it, are run with it. One of them has to turn red.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::control::Control;
use crate::hex::hex;
use crate::proof::{Evidence, PinState, Proof, StandingPin};
use crate::store::evidence;
use crate::triage::{Recorded, Triage, TriageError};

use super::workshop::Workshop;
use super::{Ground, Onlooker, config};

/// What a control showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Controlled {
    /// The tests of the property, its own first.
    pub trials: Vec<Trial>,
    /// The record; `None` where nothing could be told.
    pub recorded: Option<Recorded>,
}

/// A test without the violation and with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The test.
    pub test: StandingPin,
    /// How it came out without the violation.
    pub before: Proof,
    /// How it came out with it; `None` where that was not tried.
    pub after: Option<Proof>,
}

impl Trial {
    /// Whether the test noticed the violation.
    pub fn noticed(&self) -> bool {
        self.before.state == PinState::Green && self.after.as_ref().is_some_and(is_red)
    }

    /// Whether it had the chance to, and did not.
    pub fn passed_over(&self) -> bool {
        let after = self.after.as_ref().map(|proof| proof.state);
        self.before.state == PinState::Green && after == Some(PinState::Green)
    }
}

/// Red, whatever the reason: nobody foretold what a violation makes a test say.
fn is_red(proof: &Proof) -> bool {
    matches!(proof.state, PinState::Red | PinState::RedForAnotherReason)
}

/// Runs the property called `name` and its pins with `patch` in the code, and records what they showed.
///
/// # Errors
/// Where the name means no property, the patch does not fit the work tree, or nothing can be run.
pub fn control(
    triage: &mut Triage,
    name: &str,
    patch: &[u8],
    cache: &Path,
    onlooker: &mut dyn Onlooker,
) -> Result<Controlled, TriageError> {
    let tests = triage.tests_of(name)?;
    let trials = tried(triage, tests, patch, cache, onlooker)?;
    let noticed = trials.iter().find(|trial| trial.noticed());
    let told = noticed.or_else(|| trials.iter().find(|trial| trial.passed_over()));
    let Some(told) = told else { return Ok(Controlled { trials, recorded: None }) };
    let control = record(triage, told, patch);
    let recorded = Some(triage.record_control(control)?);
    Ok(Controlled { trials, recorded })
}

/// Each test without the patch, and those that any can be told of with it.
fn tried(
    triage: &Triage,
    tests: Vec<StandingPin>,
    patch: &[u8],
    cache: &Path,
    onlooker: &mut dyn Onlooker,
) -> Result<Vec<Trial>, TriageError> {
    let tree = triage.work_tree();
    let config = config::of(triage, &tree, &mut Vec::new())?;
    let workshop = Workshop::open(cache, triage, &tree, config)?;
    onlooker.stands_on(Ground::WorkTree);
    let before = workshop.prove(&tests, &[], onlooker)?;
    evidence::keep(&triage.store_folder(), &pinned(before.evidence, &tests))?;
    let mut trials: Vec<Trial> =
        tests.into_iter().zip(before.proofs).map(|(test, before)| Trial { test, before, after: None }).collect();
    if trials.iter().all(|trial| trial.before.state != PinState::Green) {
        return Ok(trials);
    }
    onlooker.stands_on(Ground::Violated);
    let tests: Vec<StandingPin> = trials.iter().map(|trial| trial.test.clone()).collect();
    let after = workshop.prove_with(&tests, patch, onlooker)?;
    trials.iter_mut().zip(after.proofs).for_each(|(trial, proof)| trial.after = Some(proof));
    Ok(trials)
}

/// What is kept of a run without the violation: that of pins. Of a property itself there is no other record.
fn pinned(evidence: Vec<Evidence>, tests: &[StandingPin]) -> Vec<Evidence> {
    let is_pin = |test: &str| tests.iter().any(|pin| pin.test.is_some() && pin.runs().0 == test);
    evidence.into_iter().filter(|one| is_pin(&one.test)).collect()
}

fn record(triage: &Triage, trial: &Trial, patch: &[u8]) -> Control {
    let (test, after) = (&trial.test, trial.after.as_ref().filter(|_| trial.noticed()));
    Control {
        schema: 1,
        property: test.property.0.clone(),
        framework: test.framework.0.clone(),
        package: test.package.as_ref().map(|package| package.0.clone()),
        file: test.file.as_ref().map(|file| file.as_str().to_owned()),
        who: String::new(),
        when: triage.now(),
        commit: triage.commit(),
        digest: hex(&Sha256::digest(patch)),
        patch: String::from_utf8_lossy(patch).into_owned(),
        outcome: if after.is_some() { PinState::Red } else { PinState::Green },
        test: after.map_or(String::new(), |_| test.runs().0.clone()),
        message: after.map_or(String::new(), |proof| proof.message.clone()),
        at: after.and_then(|proof| proof.at.as_ref()).map_or(String::new(), |at| format!("{}:{}", at.file.0, at.line)),
    }
}
