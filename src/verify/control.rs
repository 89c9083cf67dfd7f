//! A negative control: a patch that breaks a property on purpose is put into the scratch copy, and the property and its
//! pins, which must pass without it, are run with it. One of them has to turn red. Where nobody wrote such a patch, small
//! mutations of the code are tried one after the other.

use std::path::Path;
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::control::Control;
use crate::framework::{self, Mutation};
use crate::hex::hex;
use crate::proof::{Evidence, PinState, Proof, StandingPin};
use crate::source_tree::SourceTree;
use crate::store::evidence;
use crate::triage::{Recorded, Triage, TriageError};

use super::workshop::Workshop;
use super::{Ground, Onlooker, Stop, config, told};

/// What a control showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Controlled {
    /// The tests of the property, its own first.
    pub trials: Vec<Trial>,
    /// The record; `None` where nothing could be told.
    pub recorded: Option<Recorded>,
    /// What the mutation does that was tried last; `None` for a patch of the user's.
    pub mutation: Option<String>,
    /// How many violations were tried.
    pub tried: usize,
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

/// A violation.
#[derive(Clone, Debug)]
pub enum Violation {
    /// This patch.
    Patch(Vec<u8>),
    /// The first of many small mutations that is noticed.
    Mutations,
}

/// Mutations that are tried at the most: each is a build.
const MOST: usize = 40;

/// How much longer tests may take with a mutation in the code than without, and how long in any case.
const TIMES: u32 = 5;
const SHORTEST: Duration = Duration::from_secs(20);

/// Runs the property called `name` and its pins with a violation in the code, and records what they showed.
///
/// # Errors
/// Where the name means no property, the patch does not fit the work tree, or nothing can be run.
pub fn control(
    triage: &mut Triage,
    name: &str,
    violation: &Violation,
    cache: &Path,
    onlooker: &mut dyn Onlooker,
) -> Result<Controlled, TriageError> {
    let tests = triage.tests_of(name)?;
    let tried = tried(triage, tests, violation, cache, onlooker)?;
    let trials = tried.trials;
    let noticed = trials.iter().find(|trial| trial.noticed());
    let told = noticed.or_else(|| trials.iter().find(|trial| trial.passed_over()).filter(|_| tried.is_whole));
    let (Some(told), Some(patch)) = (told, &tried.patch) else {
        return Ok(Controlled { trials, recorded: None, mutation: tried.mutation, tried: tried.number });
    };
    let control = record(triage, told, patch);
    let recorded = Some(triage.record_control(control)?);
    Ok(Controlled { trials, recorded, mutation: tried.mutation, tried: tried.number })
}

/// What was tried, and how the tests came out with the last of it.
struct Tried {
    trials: Vec<Trial>,
    patch: Option<Vec<u8>>,
    /// What the last mutation does.
    mutation: Option<String>,
    number: usize,
    /// Whether what was tried is all of the violation, so that it says something also where nobody noticed it.
    is_whole: bool,
}

/// Each test without the violation, and those that any can be told of with it.
fn tried(
    triage: &Triage,
    tests: Vec<StandingPin>,
    violation: &Violation,
    cache: &Path,
    onlooker: &mut dyn Onlooker,
) -> Result<Tried, TriageError> {
    let tree = triage.work_tree();
    let is_whole = matches!(violation, Violation::Patch(_));
    let patches = match violation {
        Violation::Patch(patch) => vec![Mutation { title: String::new(), patch: patch.clone() }],
        Violation::Mutations => mutations(triage, &tests, &tree, onlooker.stop())?,
    };
    let config = config::told(triage, &tree, onlooker)?;
    let workshop = Workshop::open(cache, triage, &tree, config, onlooker)?;
    if let Violation::Patch(patch) = violation {
        workshop.fits(patch)?;
    }
    onlooker.stands_on(Ground::WorkTree);
    if !is_whole {
        // How long the tests take without a mutation is to be known, and not how long their build takes.
        workshop.builds(tests.iter(), onlooker)?;
    }
    let before = workshop.prove(&tests, &[], onlooker)?;
    let limit = (!is_whole).then(|| limit(&before.evidence));
    evidence::keep(&triage.store_folder(), &pinned(before.evidence, &tests))?;
    let trials = tests.into_iter().zip(before.proofs).map(|(test, before)| Trial { test, before, after: None });
    let mut tried = Tried { trials: trials.collect(), patch: None, mutation: None, number: 0, is_whole };
    if tried.trials.iter().all(|trial| trial.before.state != PinState::Green) {
        return Ok(tried);
    }
    let tests: Vec<StandingPin> = tried.trials.iter().map(|trial| trial.test.clone()).collect();
    for Mutation { title, patch } in patches {
        onlooker.stands_on(if is_whole { Ground::Violated } else { Ground::Mutated(&title) });
        let after = workshop.prove_with(&tests, &patch, limit, onlooker)?;
        tried.trials.iter_mut().zip(after.proofs).for_each(|(trial, proof)| trial.after = Some(proof));
        tried.number += 1;
        (tried.patch, tried.mutation) = (Some(patch), (!is_whole).then_some(title));
        if tried.trials.iter().any(Trial::noticed) {
            break;
        }
    }
    Ok(tried)
}

/// How long tests may take with a mutation in the code that took as long as `evidence` says without: one that makes the code
/// run without end shows nothing, and is not waited for as long as the user's own commands are.
fn limit(evidence: &[Evidence]) -> Duration {
    let longest = evidence.iter().map(|one| Duration::from_millis(one.milliseconds)).max();
    (longest.unwrap_or_default() * TIMES).max(SHORTEST)
}

/// The mutations of the code that `tests` are about.
fn mutations(
    triage: &Triage,
    tests: &[StandingPin],
    tree: &dyn SourceTree,
    stop: &Stop,
) -> Result<Vec<Mutation>, TriageError> {
    let named = tests.first().and_then(|test| Some((framework::named(&test.framework)?, test.file.as_ref()?)));
    let Some((framework, file)) = named else {
        return Err(TriageError::NoMutations("the source of the property was not found in this repository".to_owned()));
    };
    let Some(mutator) = framework.mutator() else {
        let name = framework.name();
        return Err(TriageError::NoMutations(format!(
            "no program is known that lists mutations of code that {name} tests; name a violation of your own with --patch"
        )));
    };
    let (folder, command) = mutator.command(file, tree);
    let words: Vec<&str> = command.iter().map(String::as_str).collect();
    let listed = told(&words, &triage.top().join(folder), triage.spool_folder(), stop)?;
    let Some(mut found) = mutator.mutations(&listed, file, tree) else {
        let program = mutator.program();
        return Err(TriageError::NoMutations(format!(
            "`{}` lists none; install {program}, or name a violation of your own with --patch",
            words.join(" ")
        )));
    };
    found.truncate(MOST);
    Ok(found)
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::limit;
    use crate::proof::testing::blank_evidence;
    use crate::proof::{Evidence, PinState};

    #[test]
    fn tests_may_take_some_times_as_long_as_without_a_mutation() {
        let took = |milliseconds| Evidence { milliseconds, ..blank_evidence("t", PinState::Green) };
        assert_eq!(limit(&[]), Duration::from_secs(20));
        assert_eq!(limit(&[took(900), took(3_000)]), Duration::from_secs(20));
        assert_eq!(limit(&[took(7_000), took(3_000)]), Duration::from_secs(35));
    }
}
