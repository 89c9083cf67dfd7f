//! What the faces show of one failure beyond the inbox's row: values only, gathered by [`crate::triage`].

use crate::pin::Rung;
use crate::property::Property;
use crate::repo_path::RepoPath;
use crate::requirement::Requirement;
use crate::suggestion::Suggestion;
use crate::value::Value;

/// All that is known of one failure.
#[derive(Clone, Debug, Default)]
pub struct Detail {
    /// The property's source, where the repository still has it.
    pub property: Option<Property>,
    /// The line of the property's file, from 1, at which it failed, where that is in the property and can still be told.
    pub failing_line: Option<u32>,
    /// The requirement it cites, and the spec file that holds it.
    pub requirement: Option<(RepoPath, Requirement)>,
    /// The counterexample's arguments, each a name and a value.
    pub arguments: Vec<(String, Value)>,
    /// What is known from before: earlier decisions on this property, the last change of its file; newest first.
    pub history: Vec<String>,
    /// What may help to judge; never a verdict.
    pub hints: Vec<Hint>,
    /// What somebody else suggests; newest first.
    pub suggestions: Vec<Suggestion>,
}

/// A remark on a failure, with what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The remark.
    pub text: String,
    /// Its ground: the line, range or file that shows it.
    pub ground: String,
}

/// What staging a verdict would write.
#[derive(Clone, Debug, Default)]
pub struct Preview {
    /// The unified diff.
    pub patch: String,
    /// Each file with lines added and removed.
    pub files: Vec<(RepoPath, usize, usize)>,
    /// The pin's rung, for a real bug.
    pub rung: Option<Rung>,
    /// Why it stands on no better rung.
    pub reason: Option<String>,
    /// Why nothing can be written, where that is so.
    pub refusal: Option<String>,
    /// What to know before staging, each a sentence: an ignored file, a value that is not minimal.
    pub warnings: Vec<String>,
    /// Whether all of it stands already.
    pub already: bool,
}
