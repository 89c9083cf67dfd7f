//! The desk at which pins are run: commands started with what the user's configuration says, their output read, and what they
//! showed written down.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::framework::{CATALOGUE, Framework};
use crate::hex::hex;
use crate::invocation::{Capture, Invocation, Kept, ORIGIN};
use crate::proof::{Evidence, PinCommand, PinState, Proof, StandingPin};
use crate::run_output::RunOutput;
use crate::runner::{RunError, Running, Stop, TimeLimit, Watch};
use crate::source::Bytes;
use crate::source_tree::SourceTree;
use crate::threads::apart;
use crate::triage::{OF_RECORD, Triage, TriageError, cut};

use super::Onlooker;
use super::allowance::{Allowance, Clock};
use super::config::Config;

/// Where pins are run, and what is written of it.
#[derive(Clone)]
pub(super) struct Desk {
    pub(super) top: PathBuf,
    /// Of a copy the top of the repository.
    pub(super) origin: Option<PathBuf>,
    /// Where a command's output is kept meanwhile.
    pub(super) spool: PathBuf,
    /// Where lies what has tests hand over.
    pub(super) handing: PathBuf,
    pub(super) commit: String,
    /// Whether that is another commit than the one that is checked out.
    pub(super) elsewhere: bool,
    pub(super) when: String,
    pub(super) config: Config,
    /// The time that is left for tests of expressions, where such are among what is run.
    pub(super) allowance: Option<Allowance>,
    /// What the toolchain calls itself, by folder and framework: it is asked once.
    pub(super) toolchains: RefCell<BTreeMap<(PathBuf, &'static str), String>>,
}

/// How pins came out, one each in their order, and what is kept of it.
pub(super) struct Proved {
    pub(super) proofs: Vec<Proof>,
    pub(super) evidence: Vec<Evidence>,
}

/// A command that came to its end.
pub(super) struct Ran {
    pub(super) output: Bytes,
    pub(super) code: i32,
    pub(super) milliseconds: u64,
    pub(super) late: bool,
}

impl Desk {
    /// The desk in the work tree.
    pub(super) fn here(triage: &Triage, config: Config) -> Desk {
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
    pub(super) fn within(&self, limit: Duration) -> Desk {
        let mut desk = self.clone();
        desk.config.limit = desk.config.limit.min(limit);
        desk
    }

    /// The same desk where tests may not take longer than is left of `allowance`, once they are built.
    pub(super) fn trying(self, allowance: Allowance) -> Desk {
        Desk { allowance: Some(allowance), ..self }
    }

    /// Runs `pins`, framework by framework, with a command a package. Of a command that somebody stops nothing is told; one
    /// that cannot be started says nothing of its pins, and of the others' it does not matter.
    pub(super) fn prove(
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

    pub(super) fn toolchain(
        &self,
        framework: &dyn Framework,
        folder: &str,
        stop: &Stop,
    ) -> Result<String, TriageError> {
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

    pub(super) fn start(
        &self,
        command: &PinCommand,
        folder: &Path,
        line: &str,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Ran, TriageError> {
        self.start_handing(command, Capture::default(), folder, line, onlooker)
    }

    /// The same of a command that hands over what it knows.
    pub(super) fn start_handing(
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
    pub(super) fn start_in_folder(
        &self,
        command: &PinCommand,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Ran, TriageError> {
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
pub(super) fn told(words: &[&str], folder: &Path, spool: &Path, stop: &Stop) -> Result<Vec<u8>, TriageError> {
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
