//! What is still made of the replay handles of pins that stand: a handle stands for an input only as long as the generators
//! and their library are what they were. Asked by `redpin verify`.

use crate::pin::Refusal;
use crate::proof::{Manner, StandingPin};
use crate::source_tree::SourceTree;

use super::Recording;

/// Knows what comes of replay handles.
pub trait Handles: Sync {
    /// Whether the handle of `pin` stands in a file from which it is run; also where that cannot be told.
    fn is_kept(&self, pin: &StandingPin, tree: &dyn SourceTree) -> bool;

    /// How the property of `pin` is run in a scratch copy of `tree` so that it tells what its handle comes to.
    ///
    /// # Errors
    /// Where it cannot be.
    fn run(&self, pin: &StandingPin, tree: &dyn SourceTree, manner: &Manner) -> Result<Recording, Refusal>;

    /// What the output of such a run tells; `None` where it tells nothing.
    fn told(&self, output: &[u8]) -> Option<Generated>;
}

/// What a replay handle comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The input that is made of it, as it prints.
    pub input: String,
    /// Whether that breaks the property.
    pub fails: bool,
}
