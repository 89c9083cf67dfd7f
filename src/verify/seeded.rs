//! Properties run with seeds that somebody chose, in the work tree and at another commit: what a contract names by the ids of
//! tests alone.

use std::path::Path;

use crate::contract::{Outcome, Seeded};
use crate::failure::Notice;
use crate::framework::{CATALOGUE, Framework, Seeding};
use crate::git::Commit;
use crate::proof::{PinCommand, PinState, Proof, StandingPin};
use crate::run_output::RunOutput;
use crate::runner::RunError;
use crate::source_tree::SourceTree;
use crate::threads::apart;
use crate::triage::{Triage, TriageError};

use super::elsewhere::Elsewhere;
use super::short::short;
use super::workshop::Workshop;
use super::{Desk, Ground, Onlooker, config};

/// How a property came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Came {
    /// How.
    pub outcome: Outcome,
    /// Why the seed had no effect on it, as the rest of a sentence, where it had none.
    pub unseeded: Option<String>,
}

impl Came {
    fn untold(reason: impl Into<String>) -> Came {
        Came { outcome: Outcome::Untold(reason.into()), unseeded: None }
    }

    /// Whether it was seen to pass or to fail.
    fn is_told(&self) -> bool {
        !matches!(self.outcome, Outcome::Untold(_))
    }
}

/// How `properties` come out in the work tree, one each.
///
/// # Errors
/// Where somebody ends it, or what it needs cannot be read or written. A runner that cannot be started is none.
pub fn run_seeded(
    triage: &Triage,
    properties: &[Seeded],
    notices: &mut Vec<Notice>,
    onlooker: &mut dyn Onlooker,
) -> Result<Vec<Came>, TriageError> {
    let tree = triage.work_tree();
    let desk = Desk::here(triage, config::of(triage, &tree, notices)?);
    onlooker.stands_on(Ground::WorkTree);
    desk.run_seeded(properties, &tree, onlooker)
}

/// The same at `commit`, whose files are built in the scratch copy in `cache`, as often as `times` says.
///
/// # Errors
/// As [`run_seeded`], and where the commit's files cannot be written.
pub fn run_seeded_at(
    triage: &Triage,
    (commit, times): (&Commit, usize),
    properties: &[Seeded],
    cache: &Path,
    onlooker: &mut dyn Onlooker,
) -> Result<(Vec<Vec<Came>>, Vec<Notice>), TriageError> {
    let tree = triage.work_tree();
    let config = config::of(triage, &tree, &mut Vec::new())?;
    let workshop = Workshop::open(cache, triage, &tree, config, onlooker)?;
    let there = Elsewhere::stand(&workshop, commit, &[], triage.repository())?;
    let mut runs = Vec::new();
    for _ in 0..times {
        onlooker.stands_on(Ground::Commit(commit));
        runs.push(there.run_seeded(properties, onlooker)?);
    }
    Ok((runs, there.notices))
}

/// The test that an id means, and the name of its framework; `None` where it means none, or more than one.
pub fn test_called(id: &str, tree: &dyn SourceTree) -> Option<(&'static str, StandingPin)> {
    meant(id, tree).ok().map(|meant| (meant.framework.name(), meant.test))
}

/// A test that a property's id means, with the framework that runs it.
struct Meant {
    framework: &'static dyn Framework,
    test: StandingPin,
}

impl Desk {
    /// How `properties` come out, one each: those of one framework and one seed together, and those of which that tells
    /// nothing each alone.
    pub(super) fn run_seeded(
        &self,
        properties: &[Seeded],
        tree: &dyn SourceTree,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Vec<Came>, TriageError> {
        let meant: Vec<Result<Meant, String>> = properties.iter().map(|one| meant(&one.test, tree)).collect();
        let untold = |meant: &Result<Meant, String>| match meant {
            Ok(_) => Came::untold("nothing was run"),
            Err(reason) => Came::untold(reason.clone()),
        };
        let mut came: Vec<Came> = meant.iter().map(untold).collect();
        for group in groups(properties, &meant) {
            self.run_group(&group, &mut came, tree, onlooker)?;
            for at in 0..group.places.len() {
                if group.places.len() > 1 && !came[group.places[at]].is_told() {
                    self.run_group(&group.alone(at), &mut came, tree, onlooker)?;
                }
            }
        }
        Ok(came)
    }

    fn run_group(
        &self,
        group: &Group,
        came: &mut [Came],
        tree: &dyn SourceTree,
        onlooker: &mut dyn Onlooker,
    ) -> Result<(), TriageError> {
        let commands = match group.seeding.commands(&group.tests, group.seed, tree, &self.config.manner) {
            Ok(commands) => commands,
            Err(refusal) => {
                group.places.iter().for_each(|at| came[*at] = Came::untold(refusal.0.clone()));
                return Ok(());
            }
        };
        for command in commands {
            let tests: Vec<&StandingPin> = command.pins.iter().map(|at| &group.tests[*at]).collect();
            let found = self.run_with_seed(group.seeding, &command, &tests, tree, onlooker)?;
            for (at, one) in command.pins.iter().zip(found) {
                came[group.places[*at]] = one;
            }
        }
        Ok(())
    }

    fn run_with_seed(
        &self,
        seeding: &dyn Seeding,
        command: &PinCommand,
        tests: &[&StandingPin],
        tree: &dyn SourceTree,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Vec<Came>, TriageError> {
        let (folder, line) = (self.top.join(&command.folder), command.command.join(" "));
        let capture = seeding.capture(&self.handing);
        let ran = match self.start_handing(command, capture, &folder, &line, onlooker) {
            Ok(ran) => ran,
            Err(TriageError::Run(error @ (RunError::NotStarted { .. } | RunError::NoCommand))) => {
                return Ok(vec![Came::untold(error.to_string()); tests.len()]);
            }
            Err(error) => return Err(error),
        };
        let run = RunOutput::new(&line, &ran.output);
        let (late, limit) = (ran.late, self.config.limit.as_secs());
        Ok(apart(|| {
            let proofs = seeding.outcomes(&run, tests, tree);
            let came = |(proof, test): (Proof, &&StandingPin)| {
                let outcome = outcome(proof, late, limit);
                let unseeded = match outcome {
                    Outcome::Untold(_) => None,
                    _ => seeding.without_effect(test, &run, tree),
                };
                Came { outcome, unseeded }
            };
            proofs.into_iter().zip(tests).map(came).collect()
        }))
    }
}

/// What a proof says of a property, of which nobody knows a reason to fail. What failed at no place in a command that had to
/// be ended did so as it was ended.
fn outcome(proof: Proof, late: bool, limit: u64) -> Outcome {
    let message = short(&proof.message);
    match proof.state {
        PinState::Red | PinState::RedForAnotherReason if !late || proof.at.is_some() => Outcome::Failed(message),
        PinState::Green => Outcome::Held,
        _ if late || proof.state == PinState::TimedOut => {
            Outcome::Untold(format!("it did not come to an end within {limit} seconds"))
        }
        PinState::DoesNotBuild => Outcome::Untold(format!("it could not be run: {message}")),
        _ if message.is_empty() => Outcome::Untold("no test of that name was run".to_owned()),
        _ => Outcome::Untold(message),
    }
}

/// Properties of one framework with one seed.
struct Group {
    seeding: &'static dyn Seeding,
    seed: i128,
    /// Their places among all.
    places: Vec<usize>,
    tests: Vec<StandingPin>,
}

impl Group {
    fn alone(&self, at: usize) -> Group {
        Group { places: vec![self.places[at]], tests: vec![self.tests[at].clone()], ..*self }
    }
}

fn groups(properties: &[Seeded], meant: &[Result<Meant, String>]) -> Vec<Group> {
    let mut groups: Vec<(&str, Group)> = Vec::new();
    for (place, (one, meant)) in properties.iter().zip(meant).enumerate() {
        let Ok(Meant { framework, test }) = meant else { continue };
        let Some(seeding) = framework.seeding() else { continue };
        let name = framework.name();
        match groups.iter_mut().find(|(known, group)| *known == name && group.seed == one.seed) {
            Some((_, group)) => {
                group.places.push(place);
                group.tests.push(test.clone());
            }
            None => {
                let (places, tests) = (vec![place], vec![test.clone()]);
                groups.push((name, Group { seeding, seed: one.seed, places, tests }));
            }
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The test that `id` means, of whichever framework.
///
/// # Errors
/// Why it means none, or which it may mean.
fn meant(id: &str, tree: &dyn SourceTree) -> Result<Meant, String> {
    let mut found: Vec<Meant> = Vec::new();
    let mut reason = None;
    for framework in CATALOGUE {
        match framework.seeding().map(|seeding| apart(|| seeding.meant(id, tree))) {
            Some(Ok(tests)) => found.extend(tests.into_iter().map(|test| Meant { framework: *framework, test })),
            Some(Err(refusal)) => reason = reason.or(Some(refusal.0)),
            None => {}
        }
    }
    let named = |one: &Meant| {
        let file = one.test.file.as_ref().map_or(String::new(), ToString::to_string);
        format!("{} in {file}", one.framework.name())
    };
    match found.as_slice() {
        [_] => found.pop().ok_or_else(String::new),
        [] => Err(reason.unwrap_or_else(|| "no test of that name is in this repository".to_owned())),
        several => {
            let names: Vec<String> = several.iter().map(named).collect();
            Err(format!("it may mean any of {}; name it with its file in front", names.join(", ")))
        }
    }
}
