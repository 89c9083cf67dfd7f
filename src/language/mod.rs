//! The languages properties are written in: finding a test in its source, and rendering a value as an expression. A room
//! per language; knowledge only, the text comes from a [`crate::source_tree::SourceTree`].

pub mod python;
pub mod rust;

/// Runs `work` on a thread on which parsers remember what they have read as long as it lives: for much work on the same
/// few files.
pub fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rust::tokens::apart(work)
}
