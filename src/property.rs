//! A property as it stands in the repository: what the screen shows beside the counterexample, whatever its language.

use crate::repo_path::RepoPath;
use crate::span::Span;

/// The test function that states the rule, found in the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its file.
    pub file: RepoPath,
    /// The line of its `fn` (or of the call that states it), from 1.
    pub line: u32,
    /// The bytes of the function with its comments and attributes, in the file as read.
    pub span: Span,
    /// Line of the first byte of `span`, from 1.
    pub first_line: u32,
    /// The text of `span`.
    pub text: String,
    /// Comments and names in which a requirement may be cited: doc comments of the function and what encloses it.
    pub citations: Vec<String>,
    /// The folder of the package it belongs to, `""` for the top.
    pub package_folder: String,
    /// The package's name as its manifest has it, where it was found.
    pub package: Option<String>,
    /// Of the message with which it failed, what it says itself whatever the input, which may be nothing; `None` where the
    /// source does not tell that.
    pub own_message: Option<String>,
}
