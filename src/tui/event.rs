//! What reaches the workstation: keys, sizes, signals, and what the workers bring back.

use std::path::PathBuf;
use std::sync::Arc;

use super::highlight::Coloured;
use super::keys::Key;
use crate::detail::{Detail, Preview};
use crate::failure::Notice;
use crate::inbox::{FailureId, Inbox, Mark};
use crate::triage::Heading;
use crate::verdict::Verdict;

/// Something that happened.
#[derive(Debug)]
pub enum Event {
    /// A key was pressed.
    Key {
        /// Which.
        key: Key,
        /// Whether it may repeat itself.
        repeat: Repeat,
    },
    /// Text was pasted.
    Paste(String),
    /// The screen has this many columns and rows.
    Resize(u16, u16),
    /// Time passed while something is awaited.
    Tick,
    /// A signal asks to end.
    Terminate,
    /// The shell wants the terminal back.
    Suspend,
    /// A worker is done.
    Arrived(Arrival),
}

/// Whether a key repeats itself because it is held down, as far as its time can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// It was pressed.
    No,
    /// The same key came so soon before that it may be held.
    Perhaps,
    /// It came sooner than a finger can press it again.
    Surely,
}

/// What a worker brings.
#[derive(Debug)]
pub enum Arrival {
    /// What stands above the inbox, and the folder at the top of the work tree.
    Heading(Heading, PathBuf),
    /// The inbox, anew.
    Inbox(Box<Inbox>),
    /// What became of these failures; the first is what the user wants to see, where told so.
    Marks {
        /// Each with what was decided of it.
        marks: Vec<(FailureId, Mark)>,
        /// Whether to go to the first.
        show: bool,
    },
    /// What could not be read in the runs.
    Notices(Vec<Notice>),
    /// All that is known of a failure.
    Detail(FailureId, Arc<Detail>),
    /// What staging a verdict would write.
    Preview(FailureId, Verdict, Arc<Preview>),
    /// The colours of a property's source.
    Coloured(FailureId, Coloured),
    /// For each place of the inbox whether it holds the words sought.
    Found(String, Vec<bool>),
    /// Staging would include these files, which git ignores.
    Ignored(Vec<String>),
    /// An order is done; what to say of it.
    Done(Option<String>),
    /// An order failed: what happened and what to do.
    Failed(String),
    /// Something else went wrong.
    Trouble(String),
    /// There is no inbox to work on: the exit code, and why.
    Fatal(u8, String),
}
