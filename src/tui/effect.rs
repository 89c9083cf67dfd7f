//! What the workstation asks of the world. Effects are values: in the program workers carry them out, in a test the test
//! reads them.

use std::path::PathBuf;

use super::tab::Tab;
use crate::inbox::FailureId;
use crate::pin::Pin;
use crate::repo_path::RepoPath;
use crate::triage::{Choice, Draft, Ignored};
use crate::verdict::Verdict;

/// Something to be done outside the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Gather what is known of a failure. A newer request takes the place of one that waits; so for the next three.
    Detail(FailureId),
    /// Compute what staging this verdict would write.
    Preview(FailureId, Verdict),
    /// Colour a text by the syntax of files with this extension.
    Colour {
        /// Whose property it is.
        id: FailureId,
        /// The file name's extension.
        extension: String,
        /// The text.
        text: String,
    },
    /// Find the failures that hold these words.
    Find(String),
    /// Read what a tab beside the inbox shows.
    Survey(Tab),
    /// Change the inbox, the repository or both; never dropped, done in order.
    Order(Order),
    /// Run the pins of these failures, or all that stand where none is named; in a worker of their own.
    Verify(Vec<FailureId>),
    /// Run the pins of a staging before it; there as well.
    Prove(Staging),
    /// Ask what runs pins to end.
    Stop,
    /// Put a text into the clipboard.
    Copy(String),
    /// Open the editor, in the folder at the top of the work tree, at a file and line.
    Edit(PathBuf, RepoPath, u32),
    /// Write the test of a failure's pin down, for the editor.
    Draft(FailureId),
    /// Open the editor, in that folder, on the test of a pin.
    EditDraft(PathBuf, Draft),
    /// Give the terminal back to the shell until it continues.
    Suspend,
    /// See what became of what was staged: the user may have changed it outside.
    LookAgain,
    /// Draw everything anew.
    Redraw,
    /// End with this exit code, and print this.
    Quit(u8, Option<String>),
}

/// What is to be staged: failures, each with the verdict it had then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Staging {
    /// The failures.
    pub verdicts: Vec<(FailureId, Verdict)>,
    /// What becomes of files that git ignores.
    pub ignored: Ignored,
    /// The pin of the only one of them, where it was written by hand.
    pub by_hand: Option<Box<Pin>>,
}

/// A change that must be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Set the verdict of failures.
    Decide(Vec<FailureId>, Verdict),
    /// Set the note of a failure.
    Note(FailureId, String),
    /// Give a replay line to this one of its candidates.
    Choose(FailureId, String),
    /// Stage what was decided.
    Stage {
        /// What becomes of files that git ignores; `None` asks where there are any.
        ignored: Option<Ignored>,
    },
    /// Stage what was proven, with what is to become of each pin.
    StageProven(Staging, Vec<(FailureId, Choice)>),
    /// Stage the pin that was written by hand.
    StageByHand(Draft),
    /// Open a decided failure again.
    Reopen(FailureId),
    /// Take back the last step.
    Undo,
    /// Do it again.
    Redo,
}
