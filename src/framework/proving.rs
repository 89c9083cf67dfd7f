//! How pins are run, and what the output of such a run says of them. Asked by whoever verifies pins, whether they stand or
//! are tried before a staging.

use std::path::Path;

use crate::failure::Location;
use crate::invocation::Capture;
use crate::proof::{Manner, PinCommand, Proof, StandingPin};
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

/// Has pins run.
pub trait Proving {
    /// The commands that run `pins`, all of this framework's, each in one of them: one build a package.
    fn commands(&self, pins: &[StandingPin], tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand>;

    /// What these commands are given besides, so that they hand over how pins came out; files that are laid down for it lie in
    /// `folder`.
    fn capture(&self, _folder: &Path) -> Capture {
        Capture::default()
    }

    /// What a test command that the user typed says to the program that runs the tests, to be said again where pins are
    /// run, as [`Manner::said`]; `None` where it starts none of this framework's.
    fn said(&self, _command: &[&str]) -> Option<Vec<String>> {
        None
    }

    /// The command whose first line names the toolchain that runs this framework's tests in `folder`.
    fn toolchain(&self, folder: &str, manner: &Manner) -> Vec<String>;

    /// How `pins` came out in the output of a command that ran them, one each, in their order. Pins that the output does
    /// not tell of are missing.
    fn proofs(&self, run: &RunOutput<'_>, pins: &[&StandingPin], tree: &dyn SourceTree) -> Vec<Proof>;

    /// Whether a line of a command's output, without what is blank around it, says that a test program starts.
    fn starts_tests(&self, _line: &str) -> bool {
        false
    }

    /// Whether `at`, where `pin` failed, is none of its own lines but one of the code that it tests.
    fn is_below(&self, _pin: &StandingPin, _at: &Location, _tree: &dyn SourceTree) -> bool {
        false
    }

    /// Whether a pin that failed with `message` says that its input no longer meets what the property assumes of it.
    fn is_unmet_assumption(&self, _message: &str) -> bool {
        false
    }

    /// The input that a pin reached instead of the one on record, where `message`, with which it failed, says so.
    fn reached_instead<'m>(&self, _message: &'m str) -> Option<&'m str> {
        None
    }

    /// Whether `printed`, with which the test of [`Candidate::value`] failed, shows the values of
    /// [`Candidate::recorded`]. Never asked of a framework that has no candidates.
    ///
    /// [`Candidate::value`]: super::Candidate::value
    /// [`Candidate::recorded`]: super::Candidate::recorded
    fn prints_recorded_values(&self, _recorded: &[String], _printed: &str) -> bool {
        false
    }

    /// Folders in which the packages that tests use are installed, which git does not know: in a scratch copy their names
    /// lead to those of the checkout.
    fn installed(&self) -> &'static [&'static str] {
        &[]
    }
}
