//! What the screen knows of pins: those being run, how they came out and what they printed, and what was kept of earlier
//! times.

use std::collections::HashMap;
use std::time::Duration;

use super::effect::Staging;
use super::tail::Tail;
use super::text::{counted, grouped, one_line};
use crate::failure::TestName;
use crate::inbox::{FailureId, Filed};
use crate::proof::{PinState, Proof, Shown};
use crate::triage::Choice;
use crate::verdict::Verdict;

/// Nothing is said before this has passed.
const PATIENCE: Duration = Duration::from_millis(100);

/// Lines among which the last one that says something is looked for.
const LATEST: usize = 8;

/// All of it.
#[derive(Debug, Default)]
pub(crate) struct Trial {
    /// What is under way.
    under_way: Option<UnderWay>,
    /// How the pins of the last time came out, in order.
    pub(crate) outcomes: Vec<CameOut>,
    /// The command that ran last.
    pub(crate) command: String,
    /// What it and those before it printed.
    pub(crate) output: Tail,
    /// The last line of what the command under way printed that says something; empty before there is one.
    saying: String,
    /// What running pins showed, by failure, as it is kept.
    shown: HashMap<FailureId, Shown>,
    /// Pins that were not proven and wait for what the user says.
    pub(crate) held: Vec<Held>,
    /// What was to be staged with them.
    pub(crate) staging: Option<Staging>,
}

/// How a pin came out.
#[derive(Debug)]
pub(crate) struct CameOut {
    id: FailureId,
    pub(crate) test: TestName,
    pub(crate) proof: Proof,
}

/// A pin that was not proven.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) id: FailureId,
    pub(crate) reason: String,
    /// What was chosen for it.
    pub(crate) choice: Choice,
    /// Whether it is to be staged all the same.
    pub(crate) wanted: bool,
}

/// What pins are run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To see how they come out.
    Verify,
    /// To see it before they are staged.
    Stage,
}

/// Pins being run.
#[derive(Debug)]
struct UnderWay {
    purpose: Purpose,
    since: Duration,
    /// How many, once that is known.
    pins: Option<usize>,
    /// How often it was asked to end.
    stops: usize,
}

impl Trial {
    /// Pins are run from now on.
    pub(crate) fn begin(&mut self, purpose: Purpose, pins: Option<usize>, now: Duration) {
        self.under_way = Some(UnderWay { purpose, since: now, pins, stops: 0 });
        self.outcomes.clear();
        self.command.clear();
        self.saying.clear();
        self.output = Tail::default();
        self.held.clear();
    }

    /// A command starts.
    pub(crate) fn starts(&mut self, command: String) {
        self.command = command;
        self.saying.clear();
    }

    /// The command prints.
    pub(crate) fn prints(&mut self, bytes: &[u8]) {
        self.output.add(bytes);
        if let Some(line) = self.output.lines().rev().take(LATEST).find(|line| !line.trim().is_empty()) {
            line.trim().clone_into(&mut self.saying);
        }
    }

    /// They are done: what they were run for.
    pub(crate) fn end(&mut self) -> Option<Purpose> {
        self.under_way.take().map(|under_way| under_way.purpose)
    }

    /// What pins are being run for, where they are.
    pub(crate) fn purpose(&self) -> Option<Purpose> {
        self.under_way.as_ref().map(|under_way| under_way.purpose)
    }

    /// So many are run.
    pub(crate) fn set_pins(&mut self, pins: usize) {
        if let Some(under_way) = &mut self.under_way {
            under_way.pins = Some(pins);
        }
    }

    /// It was asked to end: how often so far; `None` where nothing is under way.
    pub(crate) fn stop(&mut self) -> Option<usize> {
        let under_way = self.under_way.as_mut()?;
        under_way.stops += 1;
        Some(under_way.stops)
    }

    /// A pin came out, perhaps not for the first time.
    pub(crate) fn came_out(&mut self, id: FailureId, test: TestName, proof: Proof) {
        match self.outcomes.iter_mut().find(|known| known.id == id) {
            Some(known) => *known = CameOut { id, test, proof },
            None => self.outcomes.push(CameOut { id, test, proof }),
        }
    }

    /// Takes over what is kept.
    pub(crate) fn take_shown(&mut self, shown: Vec<Shown>) {
        self.shown = shown.into_iter().map(|one| (FailureId(one.last.failure.clone()), one)).collect();
    }

    /// Whether anything is known of any pin.
    pub(crate) fn knows_pins(&self) -> bool {
        !self.shown.is_empty() || !self.outcomes.is_empty()
    }

    /// What is kept of the pin of a failure. Only a real bug has one.
    pub(crate) fn shown(&self, filed: &Filed) -> Option<&Shown> {
        self.shown.get(&filed.id).filter(|_| filed.verdict == Some(Verdict::RealBug))
    }

    /// How the pin of a failure came out last, and whether a build failed in the pin itself.
    pub(crate) fn state(&self, filed: &Filed) -> Option<(PinState, bool)> {
        let judged_so = filed.verdict == Some(Verdict::RealBug);
        let mut now = self.outcomes.iter().filter(|_| judged_so && self.under_way.is_some());
        let now = now.find(|known| known.id == filed.id);
        match now {
            Some(known) => Some((known.proof.state, known.proof.own_fault)),
            None => self.shown(filed).map(|shown| (shown.last.state, shown.last.own_fault)),
        }
    }

    /// The line that tells how it goes, once it has taken a while: what, how much of it, how long, and what is said there,
    /// such as what is being fetched or waited for, or else by which command.
    pub(crate) fn progress(&self, now: Duration) -> Option<String> {
        self.told(now, if self.saying.is_empty() { &self.command } else { &self.saying })
    }

    /// The same where what is said there stands below it.
    pub(crate) fn heading(&self, now: Duration) -> Option<String> {
        self.told(now, &self.command)
    }

    fn told(&self, now: Duration, doing: &str) -> Option<String> {
        let under_way = self.under_way.as_ref()?;
        let passed = now.saturating_sub(under_way.since);
        if passed < PATIENCE {
            return None;
        }
        let what = match (under_way.stops, under_way.purpose) {
            (1.., _) => "stopping",
            (0, Purpose::Verify) => "running pins",
            (0, Purpose::Stage) => "proving pins",
        };
        let mut parts = vec![what.to_owned()];
        if let Some(pins) = under_way.pins {
            parts.push(format!("{} of {}", grouped(self.outcomes.len().min(pins)), grouped(pins)));
        }
        parts.push(format!("{} s", grouped(usize::try_from(passed.as_secs()).unwrap_or(usize::MAX))));
        parts.push(if doing.is_empty() { "preparing".to_owned() } else { one_line(doing, 400) });
        Some(parts.join("  "))
    }

    /// How long until that line changes by itself; `None` where nothing is under way.
    pub(crate) fn next(&self, now: Duration) -> Option<Duration> {
        let passed = now.saturating_sub(self.under_way.as_ref()?.since);
        match PATIENCE.checked_sub(passed) {
            Some(left) if !left.is_zero() => Some(left),
            _ => Some(Duration::from_secs(passed.as_secs() + 1) - passed),
        }
    }

    /// How the pins came out, in numbers.
    pub(crate) fn summary(&self) -> String {
        const ORDER: [(PinState, &str); 6] = [
            (PinState::Red, "red"),
            (PinState::Green, "green"),
            (PinState::RedForAnotherReason, "red for another reason"),
            (PinState::DoesNotBuild, "not built"),
            (PinState::Missing, "missing"),
            (PinState::TimedOut, "timed out"),
        ];
        let count = |state: PinState| self.outcomes.iter().filter(|one| one.proof.state == state).count();
        let parts = ORDER.iter().map(|(state, word)| (count(*state), word)).filter(|(number, _)| *number > 0);
        let parts: Vec<String> = parts.map(|(number, word)| format!("{} {word}", grouped(number))).collect();
        format!("{}: {}", counted(self.outcomes.len(), "pin"), parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Purpose, Trial};
    use crate::failure::TestName;
    use crate::inbox::FailureId;
    use crate::proof::{PinState, Proof};

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn a_line_tells_how_it_goes_once_that_takes_a_while_and_changes_by_the_second() {
        let mut trial = Trial::default();
        assert_eq!((trial.progress(MS(0)), trial.next(MS(0))), (None, None));
        trial.begin(Purpose::Stage, Some(2), MS(500));
        assert_eq!((trial.progress(MS(540)), trial.next(MS(540))), (None, Some(MS(60))));
        assert_eq!(trial.progress(MS(600)).as_deref(), Some("proving pins  0 of 2  0 s  preparing"));
        assert_eq!(trial.next(MS(1_800)), Some(MS(700)));
        trial.prints(b"another redpin builds\n");
        assert_eq!(trial.progress(MS(600)).as_deref(), Some("proving pins  0 of 2  0 s  another redpin builds"));
        trial.starts("cargo test\u{1b}[2J".to_owned());
        trial.came_out(FailureId("a".to_owned()), TestName("t".to_owned()), Proof::plain(PinState::Red));
        let told = trial.progress(MS(2_600));
        assert_eq!(told.as_deref(), Some("proving pins  1 of 2  2 s  cargo test\\u{1b}[2J"));
        trial.prints(b"    Updating index\n  Downloading crates ...\n\n");
        assert_eq!(trial.progress(MS(2_600)).as_deref(), Some("proving pins  1 of 2  2 s  Downloading crates ..."));
        assert_eq!(trial.stop(), Some(1));
        assert!(trial.progress(MS(2_600)).is_some_and(|told| told.starts_with("stopping  ")));
        assert_eq!((trial.end(), trial.progress(MS(9_000)), trial.stop()), (Some(Purpose::Stage), None, None));
    }

    #[test]
    fn a_pin_that_comes_out_again_counts_once() {
        let mut trial = Trial::default();
        trial.begin(Purpose::Verify, None, MS(0));
        let mut came_out =
            |id: &str, state| trial.came_out(FailureId(id.to_owned()), TestName(id.to_owned()), Proof::plain(state));
        came_out("a", PinState::DoesNotBuild);
        came_out("b", PinState::Green);
        came_out("a", PinState::Red);
        assert_eq!(trial.summary(), "2 pins: 1 red, 1 green");
    }
}
