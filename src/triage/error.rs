//! Why a triage step could not be done, and whose matter it is.

use std::fmt;

use crate::git::{GitError, GitErrorKind};
use crate::inbox::FailureId;
use crate::runner::RunError;
use crate::scratch::ScratchError;
use crate::source::SourceError;
use crate::store::StoreError;

/// Why a triage step could not be done.
#[derive(Debug)]
pub enum TriageError {
    /// Git or the work tree refused.
    Git(GitError),
    /// The inbox on disk refused.
    Store(StoreError),
    /// A run cannot be opened.
    Source(SourceError),
    /// The tests cannot be run.
    Run(RunError),
    /// The tests were run, and what they showed cannot be kept.
    AfterRun {
        /// The exit status of their command.
        code: i32,
        /// What stood in the way.
        cause: Box<TriageError>,
    },
    /// Pins cannot be proven.
    Scratch(ScratchError),
    /// The user ended it, by this signal.
    Stopped(i32),
    /// No property is called that.
    NoProperty(String),
    /// No property of the work tree is called that.
    NotStated(String),
    /// The patch that is to break a property does not fit the work tree, for this reason.
    NoViolation(GitError),
    /// Nothing can be mutated, for this reason.
    NoMutations(String),
    /// There is no test to be finished by hand, for this reason.
    NoDraft(String),
    /// What was written by hand is no test, for this reason; the file that holds it.
    NotByHand(String, std::path::PathBuf),
    /// The editor did not do its part.
    Editor(String),
    /// A file of the user's cannot be read.
    Unreadable(std::path::PathBuf, std::io::Error),
    /// A part of the tests cannot be run, for this reason.
    NoShard(String),
    /// No commit is called that.
    NoCommit(String),
    /// Of two commits, the first is none that the second was made from.
    NotBefore(String, String),
    /// No failure is called that.
    Unknown(String),
    /// No pin is called that.
    NoPin(String),
    /// What was to be taken in is no suggestion, for this reason.
    NoSuggestion(String),
    /// Between a commit and the one that is checked out there is none from which both come.
    NotBranched(String),
    /// No reason was given where one is needed.
    NoReason,
    /// Nothing that the oracle asks less is called that.
    NoFinding(String),
    /// A failure was there when it was chosen, and is no longer.
    Gone(FailureId),
    /// More than one failure may be meant.
    Ambiguous {
        /// What was typed.
        text: String,
        /// Those it may mean, each as id and test name.
        meant: Vec<String>,
    },
    /// A replay line fits no property of that name.
    NoCandidate {
        /// What was typed.
        text: String,
        /// Those it fits, where it fits more than one.
        candidates: Vec<String>,
    },
    /// A failure has a verdict whose consequence is staged, so that it is neither changed nor taken away.
    Staged(FailureId),
    /// Git's journal does not hold the operation (any more) that a step names by its title.
    Forgotten(String),
    /// Failures of the step of this title have left the inbox.
    Left {
        /// The step.
        title: String,
        /// How many.
        missing: usize,
    },
    /// A failure has no verdict that could be taken away.
    NotDecided(FailureId),
    /// Of a decision no failure led to, of this property or requirement, nothing can be opened again.
    NoFailure(String),
    /// Nothing to take back.
    NothingToUndo,
    /// Nothing was taken back.
    NothingToRedo,
}

/// Whose matter an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The command was wrong.
    Use,
    /// The answer is no.
    Answer,
    /// Git, the disk or a run.
    World,
}

impl TriageError {
    /// Whose matter it is.
    pub fn blame(&self) -> Blame {
        match self {
            TriageError::Git(error) if error.kind == GitErrorKind::Committed => Blame::Answer,
            TriageError::Git(_)
            | TriageError::Store(_)
            | TriageError::Source(_)
            | TriageError::Run(_)
            | TriageError::AfterRun { .. }
            | TriageError::Scratch(_)
            | TriageError::Stopped(_)
            | TriageError::Gone(_)
            | TriageError::Editor(_)
            | TriageError::NoMutations(_)
            | TriageError::NoViolation(_)
            | TriageError::Forgotten(_) => Blame::World,
            TriageError::Unknown(_)
            | TriageError::NoPin(_)
            | TriageError::NoShard(_)
            | TriageError::NoCommit(_)
            | TriageError::NoProperty(_)
            | TriageError::NotStated(_)
            | TriageError::Unreadable(..)
            | TriageError::NotBefore(..)
            | TriageError::Ambiguous { .. }
            | TriageError::NoSuggestion(_)
            | TriageError::NoReason
            | TriageError::NotBranched(_)
            | TriageError::NoFinding(_)
            | TriageError::NoCandidate { .. } => Blame::Use,
            TriageError::Staged(_)
            | TriageError::NotDecided(_)
            | TriageError::NoFailure(_)
            | TriageError::Left { .. }
            | TriageError::NoDraft(_)
            | TriageError::NotByHand(..)
            | TriageError::NothingToUndo
            | TriageError::NothingToRedo => Blame::Answer,
        }
    }
}

impl fmt::Display for TriageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TriageError::Git(error) => error.fmt(f),
            TriageError::NotBranched(name) => write!(
                f,
                "{name} and what is checked out have no commit in common here: fetch the whole history, as with `fetch-depth: 0`"
            ),
            TriageError::NoReason => {
                f.write_str("expected a reason in your own words, found none: give one with --note")
            }
            TriageError::NoFinding(name) => write!(
                f,
                "expected the end of a property's name or the id of a requirement that `redpin check pins` tells of, found {name:?}"
            ),
            TriageError::NoSuggestion(why) => write!(f, "this is no suggestion: {why}"),
            TriageError::Store(error) => error.fmt(f),
            TriageError::Source(error) => error.fmt(f),
            TriageError::Run(error) => error.fmt(f),
            TriageError::AfterRun { code, cause } => {
                write!(f, "the tests ended with exit code {code}, and their failures are not in the inbox: {cause}")
            }
            TriageError::Scratch(error) => error.fmt(f),
            TriageError::Stopped(_) => f.write_str("the pins were stopped before they came out; nothing is kept of it"),
            TriageError::NoProperty(text) => write!(
                f,
                "expected the test name of a property that is pinned or in the inbox, found none called {text:?}; `redpin list` \
                 shows them"
            ),
            TriageError::NotStated(text) => write!(
                f,
                "expected the test name of a property, or the end of one, found none called {text:?}; `redpin check trace` \
                 shows them"
            ),
            TriageError::NoViolation(error) => write!(
                f,
                "expected a patch that fits the work tree, found one that does not: {}; make it of the code as it stands now, as \
                 `git diff` prints it from the top of the repository",
                error
            ),
            TriageError::NoMutations(reason) => write!(f, "there are no mutations to try: {reason}"),
            TriageError::NoDraft(reason) => write!(f, "there is nothing to write by hand: {reason}"),
            TriageError::NotByHand(reason, file) => write!(
                f,
                "nothing was staged: {reason}. What you wrote is in {}, and the next time starts from it",
                file.display()
            ),
            TriageError::Editor(text) => f.write_str(text),
            TriageError::Unreadable(file, error) => write!(f, "cannot read {}: {error}", file.display()),
            TriageError::NoShard(reason) => write!(f, "cannot run a shard of these tests: {reason}"),
            TriageError::NoCommit(text) => {
                write!(f, "expected a commit, found none called {text:?}; `git log` shows them")
            }
            TriageError::NotBefore(first, second) => {
                write!(
                    f,
                    "expected {second:?} to be made from {first:?}, and it is not; name a commit that it is made from"
                )
            }
            TriageError::Unknown(text) => {
                write!(
                    f,
                    "expected the id of a failure, the beginning of one, or the end of a test name, found none that fits \
                     {text:?}; `redpin list` shows them"
                )
            }
            TriageError::NoPin(text) => write!(
                f,
                "expected the id or test name of a pin, found none called {text:?}; `redpin verify` without a name runs all"
            ),
            TriageError::Gone(id) => write!(
                f,
                "failure {} is no longer in the inbox: somebody took it away meanwhile; read the run again",
                id.0
            ),
            TriageError::Ambiguous { text, meant } => {
                write!(
                    f,
                    "{text:?} may mean any of these; name one by its id, its full test name or FILE::NAME:\n  {}",
                    meant.join("\n  ")
                )
            }
            TriageError::NoCandidate { candidates, .. } if candidates.is_empty() => {
                f.write_str("the run names the property of this failure; there is nothing to choose")
            }
            TriageError::NoCandidate { text, candidates } => {
                write!(
                    f,
                    "expected one of the properties it fits, found {text:?}; name one of:\n  {}",
                    candidates.join("\n  ")
                )
            }
            TriageError::Staged(id) => write!(
                f,
                "the verdict on {} is staged: take that staging back first, with `redpin undo` or u; then it can be changed or opened \
                 again",
                id.0
            ),
            TriageError::Forgotten(title) => {
                write!(f, "the journal of stagings no longer holds {title:?}; change the patch back with git")
            }
            TriageError::Left { title, missing } => {
                let they = if *missing == 1 { "1 failure has" } else { &format!("{missing} failures have") };
                write!(
                    f,
                    "{they} left the inbox since “{title}”; read the run again that showed them, then repeat this"
                )
            }
            TriageError::NotDecided(id) => {
                write!(f, "{} is open: there is no verdict to reopen; `redpin decide` gives it one", id.0)
            }
            TriageError::NoFailure(name) => write!(
                f,
                "the record on {name} allows that the oracle asks less, and no failure led to it: there is nothing to judge \
                 anew; take the record back with git"
            ),
            TriageError::NothingToUndo => f.write_str("nothing to undo"),
            TriageError::NothingToRedo => f.write_str("nothing to redo"),
        }
    }
}

impl std::error::Error for TriageError {}

impl From<GitError> for TriageError {
    fn from(error: GitError) -> Self {
        TriageError::Git(error)
    }
}

impl From<StoreError> for TriageError {
    fn from(error: StoreError) -> Self {
        TriageError::Store(error)
    }
}

impl From<RunError> for TriageError {
    fn from(error: RunError) -> Self {
        TriageError::Run(error)
    }
}

impl From<ScratchError> for TriageError {
    fn from(error: ScratchError) -> Self {
        TriageError::Scratch(error)
    }
}

impl From<SourceError> for TriageError {
    fn from(error: SourceError) -> Self {
        TriageError::Source(error)
    }
}
