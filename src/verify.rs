//! The use case that proves pins: runs those of the work tree with the user's own test command, tells how each came out,
//! and keeps the evidence. Frameworks only through the catalogue.

mod allowance;
mod audit;
mod base;
mod bisect;
mod config;
mod control;
mod elsewhere;
mod instrumented;
mod ladder;
mod recorder;
mod seeded;
mod seeds;
mod short;
mod values;
mod workshop;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::failure::Notice;
use crate::framework::{CATALOGUE, Framework};
use crate::hex::hex;
use crate::invocation::{Capture, Invocation, Kept, ORIGIN};
use crate::proof::{Evidence, PinCommand, PinState, Proof, Shown, StandingPin};
use crate::run_output::RunOutput;
use crate::runner::{RunError, Running, TimeLimit, Watch};
use crate::source::Bytes;
use crate::source_tree::SourceTree;
use crate::store::evidence;
use crate::threads::apart;
use crate::triage::{OF_RECORD, Triage, TriageError, cut};

pub use crate::runner::Stop;

pub use crate::git::Commit;

pub use audit::{Constant, Measure, Probe, measure};
pub use base::verify_against;
pub use bisect::{Bisected, Ending, Search, Step, bisect};
pub use control::{Controlled, Trial, Violation, control};
pub use ladder::Ladder;
pub use seeded::{Came, run_seeded, run_seeded_at, test_called};

use allowance::{Allowance, Clock};
use config::Config;
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

/// Where pins are run, and what is written of it.
#[derive(Clone)]
struct Desk {
    top: PathBuf,
    /// Of a copy the top of the repository.
    origin: Option<PathBuf>,
    /// Where a command's output is kept meanwhile.
    spool: PathBuf,
    /// Where lies what has tests hand over.
    handing: PathBuf,
    commit: String,
    /// Whether that is another commit than the one that is checked out.
    elsewhere: bool,
    when: String,
    config: Config,
    /// The time that is left for tests of expressions, where such are among what is run.
    allowance: Option<Allowance>,
    /// What the toolchain calls itself, by folder and framework: it is asked once.
    toolchains: RefCell<BTreeMap<(PathBuf, &'static str), String>>,
}

/// How pins came out, one each in their order, and what is kept of it.
struct Proved {
    proofs: Vec<Proof>,
    evidence: Vec<Evidence>,
}

/// A command that came to its end.
struct Ran {
    output: Bytes,
    code: i32,
    milliseconds: u64,
    late: bool,
}

impl Desk {
    /// The desk in the work tree.
    fn here(triage: &Triage, config: Config) -> Desk {
        Desk {
            top: triage.top().to_owned(),
            origin: None,
            spool: triage.spool_folder().to_owned(),
            handing: triage.capture_folder(),
            commit: triage.commit(),
            elsewhere: false,
            when: triage.now(),
            config,
            allowance: None,
            toolchains: RefCell::default(),
        }
    }

    /// The same desk where no command may take longer than `limit`.
    fn within(&self, limit: Duration) -> Desk {
        let mut desk = self.clone();
        desk.config.limit = desk.config.limit.min(limit);
        desk
    }

    /// The same desk where tests may not take longer than is left of `allowance`, once they are built.
    fn trying(self, allowance: Allowance) -> Desk {
        Desk { allowance: Some(allowance), ..self }
    }

    /// Runs `pins`, framework by framework, with a command a package. Of a command that somebody stops nothing is told; one
    /// that cannot be started says nothing of its pins, and of the others' it does not matter.
    fn prove(
        &self,
        pins: &[StandingPin],
        tree: &dyn SourceTree,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Proved, TriageError> {
        let mut proofs = vec![Proof::plain(PinState::Missing); pins.len()];
        let (mut evidence, mut refused) = (Vec::new(), None);
        for framework in CATALOGUE {
            let places: Vec<usize> = (0..pins.len()).filter(|at| pins[*at].framework.0 == framework.name()).collect();
            let own: Vec<StandingPin> = places.iter().map(|at| pins[*at].clone()).collect();
            for command in framework.commands(&own, tree, &self.config.manner) {
                let places: Vec<usize> = command.pins.iter().map(|at| places[*at]).collect();
                let run: Vec<&StandingPin> = places.iter().map(|at| &pins[*at]).collect();
                let (found, kept) = match self.run(*framework, &command, &run, tree, onlooker) {
                    Err(TriageError::Run(error @ (RunError::NotStarted { .. } | RunError::NoCommand))) => {
                        let message = error.to_string();
                        refused = refused.or(Some(error));
                        let proof = Proof { message, ..Proof::plain(PinState::DoesNotBuild) };
                        (vec![proof; run.len()], Vec::new())
                    }
                    first => self.alone(*framework, first?, &run, tree, onlooker)?,
                };
                for ((at, pin), proof) in places.into_iter().zip(run).zip(found) {
                    onlooker.proved(pin, &proof);
                    proofs[at] = proof;
                }
                evidence.extend(kept);
            }
        }
        // Where nothing could be started, that is all there is to tell.
        match refused.filter(|_| evidence.is_empty()) {
            Some(error) => Err(error.into()),
            None => Ok(Proved { proofs, evidence }),
        }
    }

    /// What a run of `pins` showed, with those that it told nothing of run again, each alone: where one of them ends the
    /// test program, the program tells nothing of the others either. Those of which it told that they failed, and not why, come
    /// to an end, and are run together first with those whose program had not begun.
    fn alone(
        &self,
        framework: &dyn Framework,
        (mut proofs, mut evidence): (Vec<Proof>, Vec<Evidence>),
        pins: &[&StandingPin],
        tree: &dyn SourceTree,
        onlooker: &mut dyn Onlooker,
    ) -> Result<(Vec<Proof>, Vec<Evidence>), TriageError> {
        let waiting: Vec<usize> = (0..pins.len()).filter(|at| proofs[*at].may_tell_more).collect();
        let desk = Desk { allowance: None, ..self.clone() };
        let mut again = |places: &[usize], proofs: &mut [Proof]| {
            let own: Vec<StandingPin> = places.iter().map(|at| pins[*at].clone()).collect();
            for command in framework.commands(&own, tree, &desk.config.manner) {
                let places: Vec<usize> = command.pins.iter().map(|at| places[*at]).collect();
                let run: Vec<&StandingPin> = places.iter().map(|at| pins[*at]).collect();
                let (found, kept) = desk.run(framework, &command, &run, tree, onlooker)?;
                places.iter().zip(found).for_each(|(at, proof)| proofs[*at] = proof);
                places.iter().zip(kept).for_each(|(at, one)| evidence[*at] = one);
            }
            Ok::<(), TriageError>(())
        };
        if waiting.len() > 1 && waiting.len() < pins.len() {
            again(&waiting, &mut proofs)?;
        }
        let untold = |at: &usize| proofs[*at].state == PinState::Missing;
        let untold: Vec<usize> = (0..pins.len()).filter(|at| pins.len() > 1 && untold(at)).collect();
        for at in untold {
            again(&[at], &mut proofs)?;
        }
        Ok((proofs, evidence))
    }

    fn run(
        &self,
        framework: &dyn Framework,
        command: &PinCommand,
        pins: &[&StandingPin],
        tree: &dyn SourceTree,
        onlooker: &mut dyn Onlooker,
    ) -> Result<(Vec<Proof>, Vec<Evidence>), TriageError> {
        let folder = self.top.join(&command.folder);
        let line = command.command.join(" ");
        let ran = self.start_handing(command, framework.capture(&self.handing), &folder, &line, onlooker)?;
        let name = RunOutput::new(&line, &ran.output);
        let (mut proofs, below) = apart(|| {
            let proofs = framework.proofs(&name, pins, tree);
            let is_below = |(pin, proof): (&&StandingPin, &Proof)| {
                let failed_at = proof.at.as_ref().filter(|_| proof.state.has_failed());
                failed_at.is_some_and(|at| framework.is_below(pin, at, tree))
            };
            let below: Vec<bool> = pins.iter().zip(&proofs).map(is_below).collect();
            (proofs, below)
        });
        if ran.late {
            proofs.iter_mut().filter(|proof| is_unfinished(proof)).for_each(|proof| {
                *proof = Proof::plain(PinState::TimedOut);
            });
        }
        let toolchain = self.toolchain(framework, &command.folder, onlooker.stop())?;
        let of_run = |((pin, proof), below): ((&&StandingPin, &Proof), bool)| Evidence {
            below,
            ..self.evidence(pin, proof, &line, &toolchain, &ran)
        };
        let evidence = pins.iter().zip(&proofs).zip(below).map(of_run).collect();
        Ok((proofs, evidence))
    }

    fn toolchain(&self, framework: &dyn Framework, folder: &str, stop: &Stop) -> Result<String, TriageError> {
        let asked = (self.top.join(folder), framework.name());
        if let Some(known) = self.toolchains.borrow().get(&asked) {
            return Ok(known.clone());
        }
        let command = framework.toolchain(folder, &self.config.manner);
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let named = first_line(&told(&words, &asked.0, &self.spool, stop)?);
        self.toolchains.borrow_mut().insert(asked, named.clone());
        Ok(named)
    }

    fn start(
        &self,
        command: &PinCommand,
        folder: &Path,
        line: &str,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Ran, TriageError> {
        self.start_handing(command, Capture::default(), folder, line, onlooker)
    }

    /// The same of a command that hands over what it knows.
    fn start_handing(
        &self,
        command: &PinCommand,
        capture: Capture,
        folder: &Path,
        line: &str,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Ran, TriageError> {
        let words: Vec<OsString> = command.command.iter().map(OsString::from).collect();
        let origin = self.origin.as_ref().map(|origin| (ORIGIN, origin.to_string_lossy().into_owned()));
        let environment = command.environment.iter().cloned().chain(origin).collect();
        let invocation = Invocation { environment, capture, ..Invocation::of(&words) };
        if let Some(signal) = onlooker.stop().asked() {
            return Err(TriageError::Stopped(signal));
        }
        let begun = Instant::now();
        let running = Running::start(&invocation, folder, &self.spool)?;
        onlooker.stop().started(running.stopper());
        onlooker.starts(line, command.pins.len());
        let limit = TimeLimit::start(running.stopper(), self.config.limit);
        let clock = self.allowance.as_ref().map(|allowance| allowance.clock(running.stopper()));
        let mut following = Following { onlooker, clock };
        let finished = running.follow(&mut following)?;
        let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        // What its tests took is spent, whichever limit has ended it.
        let is_spent = following.clock.is_some_and(Clock::stop);
        let late = limit.passed() || is_spent;
        if let Some(signal) = finished.stopped.filter(|_| !late) {
            return Err(TriageError::Stopped(signal));
        }
        Ok(Ran { output: finished.bytes, code: finished.code, milliseconds, late })
    }

    /// The same of a command that runs no pins, in its own folder.
    fn start_in_folder(&self, command: &PinCommand, onlooker: &mut dyn Onlooker) -> Result<Ran, TriageError> {
        self.start(command, &self.top.join(&command.folder), &command.command.join(" "), onlooker)
    }

    fn evidence(&self, pin: &StandingPin, proof: &Proof, command: &str, toolchain: &str, ran: &Ran) -> Evidence {
        let digest = Sha256::digest(&*ran.output);
        Evidence {
            schema: 1,
            failure: pin.failure.clone(),
            test: pin.runs().0.clone(),
            state: proof.state,
            when: self.when.clone(),
            commit: self.commit.clone(),
            command: command.to_owned(),
            toolchain: toolchain.to_owned(),
            milliseconds: ran.milliseconds,
            exit: ran.code,
            output: hex(&digest[..8]),
            own_fault: proof.own_fault,
            elsewhere: self.elsewhere,
            message: cut(proof.message.clone(), OF_RECORD),
            at: proof.at.as_ref().map_or(String::new(), |at| format!("{}:{}", at.file.0, at.line)),
            below: false,
        }
    }
}

/// Whether a test had not come out when its command was ended for taking too long. What failed at no place did so as it was
/// made to end, unless it was told before that it had failed.
fn is_unfinished(proof: &Proof) -> bool {
    let is_ended = proof.state.has_failed() && proof.at.is_none();
    is_ended || proof.state == PinState::Missing && !proof.may_tell_more
}

/// What a command prints on its standard output; nothing where it cannot be started. What it complains of is not shown: the
/// build will say it.
///
/// # Errors
/// Where the user ends it.
fn told(words: &[&str], folder: &Path, spool: &Path, stop: &Stop) -> Result<Vec<u8>, TriageError> {
    if let Some(signal) = stop.asked() {
        return Err(TriageError::Stopped(signal));
    }
    let command: Vec<OsString> = words.iter().map(OsString::from).collect();
    let invocation = Invocation { kept: Kept::Output, ..Invocation::of(&command) };
    let told = Running::start(&invocation, folder, spool).and_then(|running| {
        stop.started(running.stopper());
        running.follow(&mut Unseen)
    });
    match told {
        Ok(finished) => match finished.stopped {
            Some(signal) => Err(TriageError::Stopped(signal)),
            None => Ok(finished.bytes.to_vec()),
        },
        Err(RunError::NotStarted { .. } | RunError::NoCommand) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// Shows nothing.
struct Unseen;

impl Watch for Unseen {
    fn show(&mut self, _: &[u8]) {}

    fn kept(&mut self, _: &[u8]) {}
}

fn first_line(printed: &[u8]) -> String {
    String::from_utf8_lossy(printed).lines().next().unwrap_or_default().to_owned()
}

/// Hands a command's output on, and has the clock hear it.
struct Following<'a> {
    onlooker: &'a mut dyn Onlooker,
    clock: Option<Clock>,
}

impl Watch for Following<'_> {
    fn show(&mut self, bytes: &[u8]) {
        if let Some(clock) = &mut self.clock {
            clock.hear(bytes);
        }
        self.onlooker.output(bytes);
    }

    fn kept(&mut self, _: &[u8]) {}
}

#[cfg(test)]
mod tests {
    use super::is_unfinished;
    use crate::failure::{ForeignPath, Location};
    use crate::proof::{PinState, Proof};

    #[test]
    fn what_had_failed_before_its_command_was_ended_is_not_called_late() {
        let at = Some(Location { file: ForeignPath("src/x.rs".to_owned()), line: 1, column: None });
        let proof = |state| Proof { may_tell_more: false, ..Proof::plain(state) };
        assert!(is_unfinished(&proof(PinState::Missing)));
        assert!(is_unfinished(&proof(PinState::RedForAnotherReason)));
        assert!(!is_unfinished(&Proof { at, ..proof(PinState::Red) }));
        assert!(!is_unfinished(&Proof { may_tell_more: true, ..proof(PinState::Missing) }));
        assert!(!is_unfinished(&proof(PinState::Green)));
    }
}
