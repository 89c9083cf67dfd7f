//! The use case that proves pins: runs those of the work tree with the user's own test command, tells how each came out,
//! and keeps the evidence. Frameworks only through the catalogue.

mod allowance;
mod audit;
mod base;
mod bisect;
mod config;
mod control;
mod desk;
mod elsewhere;
mod instrumented;
mod ladder;
mod recorder;
mod seeded;
mod seeds;
mod short;
mod values;
mod workshop;

use std::path::Path;

use crate::failure::Notice;
use crate::proof::{PinState, Proof, Shown, StandingPin};
use crate::store::evidence;
use crate::triage::{Triage, TriageError};

pub use crate::runner::Stop;

pub use crate::git::Commit;

pub use audit::{Constant, Measure, Probe, measure};
pub use base::verify_against;
pub use bisect::{Bisected, Ending, Search, Step, bisect};
pub use control::{Controlled, Trial, Violation, control};
pub use ladder::Ladder;
pub use seeded::{Came, run_seeded, run_seeded_at, test_called};

use desk::{Desk, Proved, Ran, told};
use values::Here;
use workshop::Workshop;

/// Sees pins being run.
pub trait Onlooker {
    /// Whether all of it is to end; asked before each command, and told what ends one.
    fn stop(&self) -> &Stop;

    /// A command starts, as a shell takes it, for so many pins.
    fn starts(&mut self, command: &str, pins: usize);

    /// Output of the command, as it comes.
    fn output(&mut self, bytes: &[u8]);

    /// A pin came out.
    fn proved(&mut self, pin: &StandingPin, proof: &Proof);

    /// What is run from here on is run on this code.
    fn stands_on(&mut self, _ground: Ground<'_>) {}
}

/// The code that pins are run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground<'a> {
    /// The work tree.
    WorkTree,
    /// Another commit.
    Commit(&'a Commit),
    /// The work tree with a violation in it.
    Violated,
    /// The work tree with this mutation in it.
    Mutated(&'a str),
}

/// Sees what runs, and not how it comes out: that tells of no pin.
struct Aside<'a>(&'a mut dyn Onlooker);

impl Onlooker for Aside<'_> {
    fn stop(&self) -> &Stop {
        self.0.stop()
    }

    fn starts(&mut self, command: &str, pins: usize) {
        self.0.starts(command, pins);
    }

    fn output(&mut self, bytes: &[u8]) {
        self.0.output(bytes);
    }

    fn proved(&mut self, _: &StandingPin, _: &Proof) {}
}

/// A pin and how it came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The pin.
    pub pin: StandingPin,
    /// How it came out.
    pub proof: Proof,
    /// How it came out at another commit, where it was run there as well.
    pub base: Option<Proof>,
    /// What is to know where its value is not the one that it was: at that commit, or where it was run at none, on record.
    pub other: Option<OtherValue>,
    /// What is wrong with its replay handle.
    pub handle: Option<HandleFault>,
}

/// What is wrong with the replay handle of a pin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandleFault {
    /// It stands in no file from which it would be run.
    NotKept,
    /// It breaks nothing, and whether it still stands for the input that failed is not known.
    Unsure,
    /// What came of it at the other commit does not break the property there.
    DeadThere,
    /// The test that replays it from there reaches another input.
    Astray {
        /// That input.
        here: String,
    },
    /// It stands for another input.
    Dead {
        /// The input at the other commit.
        before: String,
        /// The input here.
        here: String,
    },
}

impl HandleFault {
    /// The word `--json` prints.
    pub fn word(&self) -> &'static str {
        match self {
            HandleFault::NotKept => "not-kept",
            HandleFault::Unsure => "unsure",
            HandleFault::DeadThere | HandleFault::Astray { .. } | HandleFault::Dead { .. } => "dead",
        }
    }
}

/// The value of a pin that makes another one here than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherValue {
    /// As it printed before, an argument a line.
    pub before: String,
    /// As it prints here; `None` where it cannot be made any more.
    pub here: Option<String>,
    /// What was said then.
    pub message: String,
}

/// What a verification came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// The pins, in the order asked for.
    pub pins: Vec<Verified>,
    /// What the user should know besides.
    pub notices: Vec<Notice>,
    /// The other commit.
    pub base: Option<Commit>,
}

/// Runs the pins of the work tree, all or those called `names`, and keeps what they showed. Of those that are not red for
/// the reason on record and make their values by other code, it is seen in the scratch copy in `cache` whether that still
/// makes those.
///
/// # Errors
/// Where a name means no pin, a command cannot be started, or the evidence cannot be kept.
pub fn verify(
    triage: &Triage,
    names: &[String],
    cache: &Path,
    onlooker: &mut dyn Onlooker,
) -> Result<Verification, TriageError> {
    let mut verification = verify_here(triage, names, onlooker)?;
    let in_doubt = |one: &Verified| is_in_doubt(&one.proof);
    if !verification.pins.iter().any(|one| one.pin.makes_value && in_doubt(one)) {
        verification.compared(Ok(()), None)?;
        return Ok(verification);
    }
    let tree = triage.work_tree();
    let config = config::of(triage, &tree, &mut Vec::new())?;
    let seen = match Workshop::open(cache, triage, &tree, config, onlooker) {
        Ok(workshop) => {
            let mut here = Here::default();
            let seen = here.ask(&verification.pins, in_doubt, &workshop, onlooker);
            values::compare(&mut verification.pins, &[], &here, &tree);
            seen
        }
        Err(error) => Err(error),
    };
    verification.compared(seen, None)?;
    Ok(verification)
}

/// Whether a pin that came out so may hold another value than it did: one that is red for the reason on record asks what it
/// asked.
fn is_in_doubt(proof: &Proof) -> bool {
    matches!(proof.state, PinState::Green | PinState::RedForAnotherReason)
}

/// The same without a look at the values.
fn verify_here(triage: &Triage, names: &[String], onlooker: &mut dyn Onlooker) -> Result<Verification, TriageError> {
    let pins = triage.standing_pins(names)?;
    let tree = triage.work_tree();
    let mut notices = Vec::new();
    let config = config::of(triage, &tree, &mut notices)?;
    let desk = Desk::here(triage, config);
    let proved = desk.prove(&pins, &tree, onlooker)?;
    evidence::keep(&triage.store_folder(), &proved.evidence)?;
    let mut pins: Vec<Verified> = pins
        .into_iter()
        .zip(proved.proofs)
        .map(|(pin, proof)| Verified { pin, proof, base: None, other: None, handle: None })
        .collect();
    seeds::look(&mut pins, triage);
    Ok(Verification { pins, notices, base: None })
}

impl Verification {
    /// Tells of the handles that have a fault, of the values that are others now, seen before at `place`; and where they could
    /// not be seen, of that.
    fn compared(&mut self, seen: Result<(), TriageError>, place: Option<&str>) -> Result<(), TriageError> {
        let told = |one: &Verified| Some(values::notice(&one.pin, one.other.as_ref()?, place));
        let others: Vec<Notice> = self.pins.iter().filter_map(told).collect();
        self.notices.extend(others);
        let told = |one: &Verified| Some(seeds::notice(&one.pin, one.handle.as_ref()?, place));
        let faults: Vec<Notice> = self.pins.iter().filter_map(told).collect();
        self.notices.extend(faults);
        match seen {
            Err(error @ (TriageError::Run(_) | TriageError::Scratch(_))) => {
                let text = format!("whether pins still make the values they made cannot be seen: {error}");
                self.notices.push(Notice { file: "scratch copy".to_owned(), line: None, text });
                Ok(())
            }
            seen => seen,
        }
    }
}

/// What running each pin showed, as far as it is kept and the last running is concerned. `known` is the length that the
/// evidence had when it was last read: nothing comes of it where that is its length still.
///
/// # Errors
/// Where it cannot be read.
pub fn shown(triage: &Triage, known: &mut u64) -> Result<Option<Vec<Shown>>, TriageError> {
    let folder = triage.store_folder();
    let length = evidence::length(&folder);
    if std::mem::replace(known, length) == length {
        return Ok(None);
    }
    Ok(Some(Shown::of(evidence::newest(&folder)?)))
}
