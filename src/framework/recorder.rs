//! Values that cannot be written down as they print are made again the way they were made: the property is run once more
//! against an instrumented copy of its library, or with instrumented sources, and a record is kept of what its generators make. Asked on the ladder, of
//! the failures that no literal holds.

use crate::failure::Failure;
use crate::pin::{Pin, Refusal};
use crate::proof::{Manner, PinCommand};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

use super::{Candidate, Case};

/// Has it recorded what generators make, and reads such records.
pub trait Recorder: Sync {
    /// The library of which an instrumented copy writes the records; `None` where the files of a recording do it alone.
    fn library(&self) -> Option<&dyn Library>;

    /// How the property of `failure` is run alone in a scratch copy of `tree` while its generators are recorded. Where the
    /// run named no replay handle, kept ones are run in the first `attempt` alone, counted from 0.
    ///
    /// # Errors
    /// Where it cannot be.
    fn recording(
        &self,
        failure: &Failure,
        tree: &dyn SourceTree,
        manner: &Manner,
        places: &CopyPlaces<'_>,
        attempt: usize,
    ) -> Result<Recording, Refusal>;

    /// How the properties of `failures` are run together while their generators are recorded, each from its own replay
    /// handle where its run named one: one recording a test program, whose pins are the places in `failures`. It may tell
    /// nothing of some, as where one of them ends the program of all.
    fn recordings(
        &self,
        failures: &[&Failure],
        tree: &dyn SourceTree,
        manner: &Manner,
        places: &CopyPlaces<'_>,
    ) -> Vec<Recording>;

    /// What the property of `failure` wrote of `record`, which a run of several left.
    fn record_of(&self, failure: &Failure, record: &str) -> String;

    /// Whether `record` tells of the very input of `failure`.
    fn is_recorded(&self, failure: &Failure, record: &str, tree: &dyn SourceTree) -> bool;

    /// The pin of `failure` that holds alone the replay handle which `record` tells of its very input.
    ///
    /// # Errors
    /// Where the record is of another input, or there is no place for a handle.
    fn by_record(&self, failure: &Failure, record: &str, tree: &dyn SourceTree) -> Result<Pin, Refusal>;

    /// Expressions that may give the values of such a record which have no literal, by what their types offer, but those
    /// that `known` gives, of which others may be made. Which of them do, only a build can tell.
    ///
    /// # Errors
    /// Where the record is of another input.
    fn attempts(&self, case: &Case<'_>, record: &str, known: &[Attempt]) -> Result<Vec<Attempt>, Refusal>;

    /// The pins of a failure that `record`, all that such a run left in the folder for records, allows, with the help of
    /// `attempts` that gave their values: the one that reads best first. Which of them holds, only a build can tell.
    ///
    /// # Errors
    /// Where the record is of another input, or tells too little.
    fn constructed(&self, case: &Case<'_>, record: &str, attempts: &[Attempt]) -> Result<Vec<Candidate>, Refusal>;
}

/// Knows the library that is instrumented, and where this machine has it.
pub trait Library: Sync {
    /// The package's name.
    fn package(&self) -> &'static str;

    /// What the registry's folders of that package are called, by those of `files` that say which versions of it are used,
    /// newest first. Where there is one, [`Library::command`] need not be asked, which takes a while; and that tells nothing
    /// where packages are missing that no build here needs.
    fn releases(&self, tree: &dyn SourceTree, files: &[RepoPath]) -> Vec<String>;

    /// The command whose output [`Library::folder`] reads.
    fn command(&self) -> &'static [&'static str];

    /// The folder on this machine of that package, as the repository uses it; `None` where it uses another than a
    /// registry's.
    fn folder(&self, told: &[u8]) -> Option<String>;

    /// The folder of that package in the repository, `""` for its top, where it is used from there; asked where no folder of
    /// a registry is used. `told` is what [`Library::command`] printed, nothing where it was not run.
    ///
    /// # Errors
    /// Why no copy can take the place of the package.
    fn inside(&self, tree: &dyn SourceTree, files: &[RepoPath], told: &[u8]) -> Result<String, Refusal>;

    /// The commits of other git repositories that the package is taken from, by those of `files` that say so.
    fn commits(&self, tree: &dyn SourceTree, files: &[RepoPath]) -> Vec<String>;

    /// The folder in `tree`, another repository whose files are `files`, that holds the package.
    fn within(&self, tree: &dyn SourceTree, files: &[RepoPath]) -> Option<String>;

    /// The command whose output [`Library::outside`] reads, and the folder of the repository in which it is started; asked
    /// where the package is from neither a registry nor git, nor stands in the repository.
    fn outside_command(&self, tree: &dyn SourceTree, files: &[RepoPath]) -> Option<(&'static [&'static str], String)>;

    /// The folder on this machine of a package that is used from there.
    fn outside(&self, told: &[u8]) -> Option<String>;

    /// The files that differ in the instrumented copy of that package, whose folder `package` is, with their whole text.
    ///
    /// # Errors
    /// Why this version of it cannot be instrumented.
    fn instrumented(&self, package: &dyn SourceTree) -> Result<Vec<(RepoPath, String)>, Refusal>;
}

/// An expression that may give one value of a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// A test that prints it.
    pub print: Pin,
    /// The value as it was recorded.
    pub recorded: String,
    /// The name of its type.
    pub name: String,
    /// The expression.
    pub code: String,
    /// Whether its type may hold more than it prints.
    pub doubtful: bool,
}

/// Absolute paths on this machine, outside the repository.
#[derive(Clone, Copy, Debug)]
pub struct CopyPlaces<'a> {
    /// The instrumented package; `None` where its files stand in the scratch copy of the repository, in the place of the
    /// originals, or no library is instrumented.
    pub copy: Option<LibraryCopy<'a>>,
    /// The folder that takes the records.
    pub records: &'a str,
}

/// An instrumented package.
#[derive(Clone, Copy, Debug)]
pub struct LibraryCopy<'a> {
    /// Its folder.
    pub folder: &'a str,
    /// Whether it takes the place of a registry's package, not of one from elsewhere.
    pub is_of_registry: bool,
}

/// How properties are run while what their generators make is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The command, to be started in the scratch tree. Where it runs several properties, their places stand for pins.
    pub run: PinCommand,
    /// Files of the scratch tree that must have this text when it starts.
    pub files: Vec<(RepoPath, String)>,
}
