//! What a framework's runs say: the failures in their output. Asked of every run that is imported, listed or followed as it
//! goes.

use crate::carrier::scan::{self, Found, Sought};
use crate::failure::Reading;
use crate::run_output::RunOutput;

/// Reads what a framework reports.
pub trait Reports {
    /// What a run is searched for. A large one that holds none of it tells nothing. One search does for all frameworks, so
    /// that one more of them costs no pass of its own.
    fn sought(&self) -> Sought;

    /// The failures in a run's output, in which `found` was found of what is sought. Never fails: what is not understood
    /// becomes a notice.
    fn read_found(&self, run: &RunOutput<'_>, found: Found<'_>) -> Reading;

    /// The failures in a run's output that nobody has searched yet.
    fn read(&self, run: &RunOutput<'_>) -> Reading {
        self.read_found(run, scan::find(run, self.sought()))
    }
}
