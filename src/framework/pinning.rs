//! The pins of a framework, and where they stand. Asked by whoever plans a staging, by the ladder on which pins are proven
//! before it, and by `redpin verify --base` for a pin that stands.

use crate::edit::Edits;
use crate::failure::Failure;
use crate::pin::{Part, PartKind, Pin, Refusal, Rung};
use crate::proof::StandingPin;
use crate::repo_path::RepoPath;
use crate::requirement::RequirementId;
use crate::source_tree::SourceTree;

/// Writes pins.
pub trait Pinning {
    /// The pin for a failure.
    ///
    /// # Errors
    /// The reason where none can be written, not even the weakest.
    fn pin(&self, case: &Case<'_>) -> Result<Pin, Refusal>;

    /// The pins of a failure that hold the values as they print, likeliest first; the first is that of [`Pinning::pin`],
    /// where that holds them so. Which of them holds, only a run can tell. None where [`Pinning::pin`] is all there is to try.
    fn literals(&self, _case: &Case<'_>) -> Vec<Candidate> {
        Vec::new()
    }

    /// The changes that put `part` of `pin` into a file that now holds `text` (empty: there is none yet). No change where
    /// it stands already.
    ///
    /// # Errors
    /// The reason where the place for it cannot be found in this text.
    fn place(&self, pin: &Pin, part: &Part, text: &[u8]) -> Result<Edits, Refusal>;

    /// What puts `pin`, as it stands in `from`, into `onto`, which holds another version of the repository: its test where
    /// its property is there, and what replays it.
    ///
    /// # Errors
    /// The reason where that version has no place for it.
    fn graft(&self, pin: &StandingPin, from: &dyn SourceTree, onto: &dyn SourceTree) -> Result<Graft, Refusal>;
}

/// A failure to be pinned, and what its pin is made from.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    /// The failure.
    pub failure: &'a Failure,
    /// The requirement that its property cites.
    pub requirement: Option<&'a RequirementId>,
    /// The repository.
    pub tree: &'a dyn SourceTree,
    /// The date, as `2026-11-30`.
    pub today: &'a str,
}

/// A pin that may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The pin.
    pub pin: Pin,
    /// A test that always fails with the values it binds as its message, to be run once beside it and not left there; `None`
    /// where what the pin itself says is all that can be seen of them.
    pub value: Option<Pin>,
    /// The values as they were recorded.
    pub recorded: Vec<String>,
    /// Whether it may hold other values that print the same.
    pub doubtful: bool,
}

impl Candidate {
    /// Its place among others, best first: what is replayed last, then by whether it is the very value, by its rung, by how
    /// little it adds besides its test, and by how short that is.
    pub fn weight(&self) -> (bool, bool, Rung, usize, usize) {
        let tests = self.pin.parts.iter().filter(|part| part.kind != PartKind::ReplayLine);
        (
            self.pin.rung > Rung::Constructed,
            self.doubtful,
            self.pin.rung,
            tests.clone().count(),
            tests.map(|part| part.text.len()).sum(),
        )
    }
}

/// A pin on its way into another version of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graft {
    /// The file that has the property there.
    pub file: RepoPath,
    /// The changes of files, each made for the text that the file has in that version.
    pub edits: Vec<(RepoPath, Edits)>,
}
