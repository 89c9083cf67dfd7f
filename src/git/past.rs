//! What the journal still knows of operations: for callers that keep a history of their own and were killed beside it.

use super::error::GitError;
use super::journal::{Journal, State};
use super::operation::{OperationId, Undone};
use super::repository::Repository;

/// An operation of the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Past {
    /// The operation.
    pub id: OperationId,
    /// Whether it stands; else it was taken back.
    pub stands: bool,
}

impl Repository {
    /// The operations that can be taken back or done again, oldest first. Reads names of files only.
    ///
    /// # Errors
    /// Where the journal's folder cannot be read.
    pub fn past(&self) -> Result<Vec<Past>, GitError> {
        let past = |(id, state)| match state {
            State::Done => Some(Past { id, stands: true }),
            State::Undone => Some(Past { id, stands: false }),
            _ => None,
        };
        Ok(Journal::of(self.git_dir()).states()?.into_iter().filter_map(past).collect())
    }

    /// What one of them was.
    ///
    /// # Errors
    /// Where the journal does not hold it (any more).
    pub fn recall(&self, past: Past) -> Result<Undone, GitError> {
        Ok(Journal::of(self.git_dir()).read(past.id, past.state())?.told(past.id))
    }
}

impl Past {
    pub(super) fn state(self) -> State {
        if self.stands { State::Done } else { State::Undone }
    }
}
