//! A test command as it is started: the user's own, with what makes its run lose as little as possible.

use std::ffi::OsString;
use std::path::PathBuf;

/// The variable that tells a command's processes to which file they append what they hand over, a line a piece.
pub const HANDED: &str = "REDPIN_CAPTURE";

/// The variable that tells tests with how many cases a sweep runs each property.
pub const CASES: &str = "REDPIN_CASES";

/// The variable that tells tests which shard of a sweep this is, as `1/4`.
pub const SHARD: &str = "REDPIN_SHARD";

/// The variable that tells a command which is run in a copy of a repository where the repository itself stands: what is
/// installed beside it may lead back there.
pub const ORIGIN: &str = "REDPIN_ORIGIN";

/// A command to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// What is set in its environment besides our own.
    pub environment: Vec<(&'static str, String)>,
    /// Which of its streams is the run.
    pub kept: Kept,
    /// How it hands over what it knows, besides what it prints.
    pub capture: Capture,
}

/// Which streams of a command are kept as its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Both, as they come; both are shown.
    Both,
    /// Standard output, which is for programs and is not shown; after its end standard error, which is shown as it comes.
    /// It repeats what the other says, but of a test that was tried again it alone tells the first try.
    OutputFirst,
    /// Standard output alone, which is not shown. Standard error is.
    Output,
}

/// What has a command hand over what it knows: files of ours, and what leads to them. Where they cannot be laid down, the
/// command is started without either.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capture {
    /// The folder that the files lie in.
    pub folder: PathBuf,
    /// The files. Without any, nothing is handed over.
    pub files: Vec<File>,
    /// Variables that lead to them.
    pub variables: Vec<Variable>,
}

/// A file of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// Its path in the folder.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// A variable that may hold something already, to which more is added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What is added.
    pub value: String,
    /// What stands between that and what is there.
    pub between: char,
}

impl Invocation {
    /// The command as the user typed it.
    pub fn of(command: &[OsString]) -> Self {
        Invocation { command: command.to_vec(), environment: Vec::new(), kept: Kept::Both, capture: Capture::default() }
    }
}
