//! The tabs of the workstation: the inbox, and what is to be known around it. A number key leads to each.

/// A tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tab {
    /// The failures.
    Inbox,
    /// What the spec files ask for, and what holds it.
    Requirements,
    /// The tests that the patch contract sets aside.
    Quarantine,
    /// The sweeps that there were.
    Sweeps,
    /// What was decided.
    Decisions,
}

impl Tab {
    /// All of them, in the order of their keys.
    pub const ALL: [Tab; 5] = [Tab::Inbox, Tab::Requirements, Tab::Quarantine, Tab::Sweeps, Tab::Decisions];

    /// Its key: the place among all, from 1.
    pub(crate) fn number(self) -> usize {
        Tab::ALL.iter().position(|tab| *tab == self).map_or(0, |at| at + 1)
    }

    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Tab::Inbox => "inbox",
            Tab::Requirements => "requirements",
            Tab::Quarantine => "quarantine",
            Tab::Sweeps => "sweeps",
            Tab::Decisions => "decisions",
        }
    }
}
