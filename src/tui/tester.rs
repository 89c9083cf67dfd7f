//! The worker that runs pins: a thread for each time, with a look of its own at the repository, so that the clerk stays
//! free meanwhile. It stages nothing; what the pins showed is brought back.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use super::effect::Staging;
use super::event::{Arrival, Ended, TrialNews};
use super::feed::Feed;
use super::panics;
use super::post::{Letter, Post};
use crate::inbox::FailureId;
use crate::proof::{Proof, StandingPin};
use crate::triage::{Now, Triage, TriageError};
use crate::verify::{Ladder, Onlooker, Stop, verify};

/// How long a command may take to end when the workstation is left, before it is killed; and then.
const GRACE: Duration = Duration::from_millis(900);
const LAST_GRACE: Duration = Duration::from_millis(400);

/// Where pins are run.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// A folder in the repository.
    pub(super) directory: PathBuf,
    pub(super) now: Now,
    /// The folder for scratch builds.
    pub(super) cache: PathBuf,
}

/// What is to be run.
#[derive(Debug)]
pub(super) enum Job {
    /// The pins of these failures that stand; all that stand where none is named.
    Verify(Vec<FailureId>),
    /// The pins of a staging, before it.
    Prove(Staging),
}

/// Pins being run.
pub(super) struct Tester {
    stop: Stop,
    /// Is cut when the thread has ended.
    over: Receiver<()>,
}

impl Tester {
    /// Starts a thread that does `job` and tells of it.
    pub(super) fn start(job: Job, place: Place, post: Post, feed: Feed) -> io::Result<Tester> {
        let stop = Stop::default();
        let (running, over) = channel::<()>();
        let watching = Watching { post: post.clone(), feed: feed.clone(), stop: stop.clone() };
        let work = move || {
            let running = running;
            let stop = watching.stop.clone();
            let ended = catch_unwind(AssertUnwindSafe(|| carry_out(job, &place, watching)));
            let ended = match ended {
                _ if stop.asked().is_some() => Ended::Stopped,
                Ok(ended) => ended.unwrap_or_else(|error| Ended::Failed(error.to_string())),
                Err(_) => Ended::Failed(panics::last()),
            };
            let output = TrialNews::Output(feed.take());
            post.bring_together(vec![Arrival::Trial(output), Arrival::Trial(TrialNews::Ended(ended))]);
            drop(running);
        };
        thread::Builder::new().name("tester".to_owned()).spawn(work)?;
        Ok(Tester { stop, over })
    }

    /// Asks what runs to end; the third time it is killed.
    pub(super) fn stop(&self) {
        self.stop.ask();
    }

    /// Has it end, and waits for that as long as leaving may take.
    pub(super) fn end(self) {
        for grace in [GRACE, LAST_GRACE] {
            self.stop.ask();
            // Cut where it has ended.
            if self.over.recv_timeout(grace) == Err(std::sync::mpsc::RecvTimeoutError::Disconnected) {
                return;
            }
            self.stop.ask();
        }
    }
}

/// Carries the job out.
fn carry_out(job: Job, place: &Place, mut watching: Watching) -> Result<Ended, TriageError> {
    let triage = Triage::glance(&place.directory, place.now)?;
    match job {
        Job::Verify(ids) => {
            let standing = triage.standing_pins(&[])?;
            let wanted = |pin: &&StandingPin| ids.is_empty() || ids.iter().any(|id| id.0 == pin.failure);
            let names: Vec<String> = standing.iter().filter(wanted).map(|pin| pin.failure.clone()).collect();
            if names.is_empty() {
                return Ok(Ended::NoPins);
            }
            watching.bring(TrialNews::Pins(names.len()));
            verify(&triage, &names, &place.cache, &mut watching).map(Ended::Verified)
        }
        Job::Prove(staging) => {
            let ids: Vec<FailureId> = staging.verdicts.iter().map(|(id, _)| id.clone()).collect();
            let mut ladder = Ladder::new(place.cache.clone(), watching);
            let choices = triage.prove(&ids, staging.ignored, staging.by_hand.as_deref(), &mut ladder)?;
            Ok(Ended::Proven(staging, choices))
        }
    }
}

/// Tells the screen what it sees.
struct Watching {
    post: Post,
    feed: Feed,
    stop: Stop,
}

impl Watching {
    fn bring(&self, news: TrialNews) {
        self.post.bring(Arrival::Trial(news));
    }
}

impl Onlooker for Watching {
    fn stop(&self) -> &Stop {
        &self.stop
    }

    fn starts(&mut self, command: &str, _: usize) {
        self.bring(TrialNews::Command(command.to_owned()));
    }

    fn output(&mut self, bytes: &[u8]) {
        if self.feed.add(bytes) {
            self.post.send(Letter::Output);
        }
    }

    fn proved(&mut self, pin: &StandingPin, proof: &Proof) {
        let id = FailureId(pin.failure.clone());
        self.bring(TrialNews::CameOut(id, pin.runs().clone(), proof.clone()));
    }
}
