//! What a framework's runs say: the failures in their output. Asked of every run that is imported, listed or followed as it
//! goes.

use crate::failure::Reading;
use crate::run_output::RunOutput;

/// Reads what a framework reports.
pub trait Reports {
    /// The failures in a run's output. Never fails: what is not understood becomes a notice.
    fn read(&self, run: &RunOutput<'_>) -> Reading;
}
