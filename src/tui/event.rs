//! What reaches the workstation: keys, sizes, signals, and what the workers bring back.

use std::path::PathBuf;
use std::sync::Arc;

use super::effect::Staging;
use super::highlight::Coloured;
use super::keys::Key;
use super::sheet::{DaysLeft, Sheet};
use super::tab::Tab;
use crate::detail::{Detail, Preview};
use crate::failure::{Notice, TestName};
use crate::inbox::{FailureId, Inbox, Mark};
use crate::proof::{Proof, Shown};
use crate::triage::{Choice, Draft, Heading};
use crate::verdict::Verdict;
use crate::verify::Verification;

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
    /// The test of a pin is written down, for the editor.
    Draft(Draft),
    /// Staging would include these files, which git ignores.
    Ignored(Vec<String>),
    /// The pins of this staging are to be proven first.
    Prove(Staging),
    /// How pins that are being run come along.
    Trial(TrialNews),
    /// What is kept of pins from when they were run.
    Shown(Vec<Shown>),
    /// What a tab beside the inbox shows.
    Sheet(Tab, Box<Sheet>),
    /// The failures whose test is set aside.
    Asides(DaysLeft),
    /// An order is done; what to say of it.
    Done(Option<String>),
    /// An order failed: what happened and what to do.
    Failed(String),
    /// Something else went wrong.
    Trouble(String),
    /// There is no inbox to work on: the exit code, and why.
    Fatal(u8, String),
}

/// How pins that are being run come along.
#[derive(Debug)]
pub enum TrialNews {
    /// So many are run.
    Pins(usize),
    /// This command runs them, as a shell takes it.
    Command(String),
    /// It printed this.
    Output(Vec<u8>),
    /// The pin of a failure came out, by its test.
    CameOut(FailureId, TestName, Proof),
    /// It is over.
    Ended(Ended),
}

/// How running pins ended.
#[derive(Debug)]
pub enum Ended {
    /// All came out.
    Verified(Verification),
    /// It is known what is to become of each pin of a staging.
    Proven(Staging, Vec<(FailureId, Choice)>),
    /// There was none to run.
    NoPins,
    /// The user stopped it.
    Stopped,
    /// It failed: what happened and what to do.
    Failed(String),
}
