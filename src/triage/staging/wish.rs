//! What is asked of a staging: which failures, each with its verdict and what becomes of its pin, and whether files that git
//! ignores go in.

use std::sync::Arc;

use crate::inbox::Filed;
use crate::pin::Pin;
use crate::proof::Evidence;
use crate::verdict::Verdict;

/// A failure and the verdict whose consequence is wanted.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    pub(crate) filed: Arc<Filed>,
    pub(crate) verdict: Verdict,
    /// For a real bug, what becomes of its pin.
    pub(crate) choice: Choice,
}

/// What becomes of a pin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// It is staged as planned; nobody has run it.
    #[default]
    Planned,
    /// This one is staged. What running it showed last, where it was run.
    Pin(Box<Pin>, Option<Box<Evidence>>),
    /// None is staged: running it did not prove it.
    Held(Box<Held>),
}

/// A pin that is held back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Why, in one sentence.
    pub reason: String,
    /// The pin, as far as there is one to be staged all the same.
    pub pin: Option<Pin>,
    /// What running it showed last.
    pub evidence: Option<Evidence>,
}

impl Choice {
    /// The pin, with a warning of its own where it is held back. What has no pin stays held.
    #[must_use]
    pub fn all_the_same(self) -> Choice {
        let Choice::Held(held) = self else { return self };
        let Held { reason, pin, evidence } = *held;
        let Some(mut pin) = pin else { return Choice::Held(Box::new(Held { reason, pin, evidence })) };
        pin.warnings.push(format!("it is staged all the same, and not proven: {reason}"));
        Choice::Pin(Box::new(pin), evidence.map(Box::new))
    }

    /// What running the pin showed, where it was run.
    pub(super) fn evidence(&self) -> Option<&Evidence> {
        if let Choice::Pin(_, evidence) = self { evidence.as_deref() } else { None }
    }
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
