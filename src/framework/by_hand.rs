//! Tests that a person finishes where no pin holds the value: the text to start from, and what may come back from an
//! editor. Asked when somebody wants to write a pin by hand.

use crate::pin::{Pin, Refusal};

use super::Case;

/// Has pins finished by hand.
pub trait ByHand: Sync {
    /// The pin that somebody starts from: that of [`Pinning::pin`] where it has a test, else one whose values are left open.
    ///
    /// # Errors
    /// Why not even that can be written.
    ///
    /// [`Pinning::pin`]: super::Pinning::pin
    fn draft(&self, case: &Case<'_>) -> Result<Pin, Refusal>;

    /// `draft` with `text` as its test.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn with_text(&self, draft: &Pin, text: &str) -> Result<Pin, Refusal>;

    /// What the name of a file ends in that holds such a test, without the dot: editors go by it.
    fn extension(&self) -> &'static str;

    /// The line of the first statement in `test`, from 1: where an editor opens it.
    fn first_statement(&self, test: &str) -> usize;
}
