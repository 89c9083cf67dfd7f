//! The time that tests of expressions have in all of one staging: nobody knows which of them come to an end. It passes while
//! they run, and not while they are built.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::framework::CATALOGUE;
use crate::runner::{Stopper, TimeLimit};

/// All of it.
pub(super) const ALL: Duration = Duration::from_secs(30);

/// What is left of it.
#[derive(Clone, Debug)]
pub(super) struct Allowance(Rc<Cell<Duration>>);

impl Default for Allowance {
    fn default() -> Self {
        Allowance(Rc::new(Cell::new(ALL)))
    }
}

impl Allowance {
    pub(super) fn left(&self) -> Duration {
        self.0.get()
    }

    /// Whether nothing is left.
    pub(super) fn is_spent(&self) -> bool {
        self.left().is_zero()
    }

    /// A clock for a command that `stopper` stops when nothing is left.
    pub(super) fn clock(&self, stopper: Stopper) -> Clock {
        Clock { allowance: self.clone(), stopper, line: Vec::new(), running: None }
    }

    /// Begins anew.
    pub(super) fn renew(&self) {
        self.0.set(ALL);
    }

    fn spend(&self, time: Duration) {
        self.0.set(self.left().saturating_sub(time));
    }
}

/// Measures how long the tests of one command take.
pub(super) struct Clock {
    allowance: Allowance,
    stopper: Stopper,
    /// The beginning of a line that has not come to its end.
    line: Vec<u8>,
    running: Option<(Instant, TimeLimit)>,
}

/// No line that tells of tests is longer.
const LONGEST_LINE: usize = 1_000;

impl Clock {
    /// Hears what the command says: time passes from the line on by which its first test program starts.
    pub(super) fn hear(&mut self, bytes: &[u8]) {
        if self.running.is_some() {
            return;
        }
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend(part.iter().take(LONGEST_LINE.saturating_sub(self.line.len())));
            if part.ends_with(b"\n") {
                if starts_tests(&String::from_utf8_lossy(&self.line)) {
                    let limit = TimeLimit::start(self.stopper.clone(), self.allowance.left());
                    self.running = Some((Instant::now(), limit));
                    return;
                }
                self.line.clear();
            }
        }
    }

    /// The command has ended: whether for this.
    pub(super) fn stop(self) -> bool {
        let Some((begun, limit)) = self.running else { return false };
        let passed = limit.passed();
        self.allowance.spend(if passed { self.allowance.left() } else { begun.elapsed() });
        passed
    }
}

fn starts_tests(line: &str) -> bool {
    CATALOGUE.iter().any(|framework| framework.starts_tests(line.trim()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{ALL, Allowance, starts_tests};

    #[test]
    fn it_is_one_for_all_commands_and_ends() {
        let allowance = Allowance::default();
        let same = allowance.clone();
        same.spend(Duration::from_secs(20));
        assert_eq!((allowance.left(), allowance.is_spent()), (ALL - Duration::from_secs(20), false));
        allowance.spend(Duration::from_secs(20));
        assert!(same.is_spent());
        same.renew();
        assert_eq!(allowance.left(), ALL);
    }

    #[test]
    fn the_first_test_program_tells_that_tests_begin() {
        for (line, expected) in [
            ("running 12 tests\n", true),
            ("running 1 test", true),
            ("    Starting 12 tests across 2 binaries (3 tests skipped)\n", true),
            ("   Compiling running v0.1.0\n", false),
            ("     Running unittests src/lib.rs (target/debug/deps/x-0)\n", false),
            ("Starting the server\n", false),
        ] {
            assert_eq!(starts_tests(line), expected, "{line}");
        }
    }
}
