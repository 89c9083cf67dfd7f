//! What is asked of a staging: which failures, each with its verdict and what becomes of its pin, and whether files that git
//! ignores go in.

use std::sync::Arc;

use crate::inbox::Filed;
use crate::pin::Pin;
use crate::proof::PinState;
use crate::verdict::Verdict;

/// A failure and the verdict whose consequence is wanted.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    pub(super) filed: Arc<Filed>,
    pub(super) verdict: Verdict,
    /// For a real bug, what becomes of its pin.
    pub(super) choice: Choice,
}

/// What becomes of a pin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// It is staged as planned; nobody has run it.
    #[default]
    Planned,
    /// This one is staged; it came out so.
    Pin(Box<Pin>, PinState),
    /// None is staged, for this reason.
    Held(String),
}

/// Whether files that git ignores are staged as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ignored {
    /// They are left out, and said.
    #[default]
    LeaveOut,
    /// They are staged.
    Include,
}

impl Ignored {
    /// What a user says who was asked, or sets a switch.
    pub fn included(yes: bool) -> Self {
        if yes { Ignored::Include } else { Ignored::LeaveOut }
    }
}
