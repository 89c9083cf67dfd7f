//! The frameworks redpin knows, each in a room of its own, and the one catalogue that names them. Nothing outside this
//! folder names a framework: everyone else goes through [`CATALOGUE`].

use crate::edit::Edits;
use crate::failure::{Failure, FrameworkName, Location, Notice, Reading, TestName};
use crate::pin::{Part, PartKind, Pin, Refusal, Rung};
use crate::proof::{BuildLayout, Manner, PinCommand, Proof, StandingPin};
use crate::property::Property;
use crate::repo_path::RepoPath;
use crate::requirement::RequirementId;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

pub mod proptest;

/// All that redpin knows of one framework: how it reports, and what its users would write by hand.
pub trait Framework: Sync {
    /// Its name, as users and `--json` see it.
    fn name(&self) -> &'static str;

    /// The failures in a run's output. Never fails: what is not understood becomes a notice.
    fn read(&self, run: &RunOutput<'_>) -> Reading;

    /// Whether a file of that path may be one in which this framework keeps replay handles.
    fn may_keep_replays(&self, path: &str) -> bool;

    /// The files of `tree` that may be such ones: those that their paths tell, and those that the sources name.
    fn replay_files(&self, tree: &dyn SourceTree) -> Vec<RepoPath>;

    /// The failures that a file of replay handles tells of; `None` where the run is no such file. Handles that the same
    /// file has in `known` are left out: for a file of the work tree that is the last commit, for one of a run the work
    /// tree. The properties are looked up in `tree`.
    fn replays(&self, run: &RunOutput<'_>, tree: &dyn SourceTree, known: &dyn SourceTree) -> Option<Replays>;

    /// The property that failed, found in the repository; `None` where it is not there (any more).
    fn property(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<Property>;

    /// The package of a failure of which neither the run nor its property tell it: that of the file which the run names, where
    /// the repository has it.
    fn package(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<String>;

    /// The line of the property's file, from 1, at which it failed, in the source as it is now; `None` where that is not in
    /// the property itself or cannot be told any more. Asked for one failure at a time: it reads the property's tokens.
    fn failing_line(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<u32>;

    /// The pin for a failure. `requirement` is what its property cites, `today` a date as `2026-11-30`.
    ///
    /// # Errors
    /// The reason where none can be written, not even the replay line.
    fn pin(
        &self,
        failure: &Failure,
        requirement: Option<&RequirementId>,
        tree: &dyn SourceTree,
        today: &str,
    ) -> Result<Pin, Refusal>;

    /// The changes that put `part` of `pin` into a file that now holds `text` (empty: there is none yet). No change where
    /// it stands already.
    ///
    /// # Errors
    /// The reason where the place for it cannot be found in this text.
    fn place(&self, pin: &Pin, part: &Part, text: &[u8]) -> Result<Edits, Refusal>;

    /// What a replay file opens with before its first handle. A file that is new to the index gets there what the work
    /// tree's has.
    fn head_of_replays<'t>(&self, text: &'t [u8]) -> &'t [u8];

    /// Whether `text` is what a replay file opens with and nothing else, not even a word of the user's.
    fn is_bare(&self, text: &[u8]) -> bool;

    /// For a failure that is not to be pinned: the framework's own replay file, and how to take the line that the run
    /// added for it out of the text it now holds. A line that is committed already is no longer the run's: whoever edits
    /// leaves a text alone whose committed version has it.
    fn forget(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<(RepoPath, Forget)>;

    /// The commands that run `pins`, all of this framework's, each in one of them: one build a package.
    fn commands(&self, pins: &[StandingPin], tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand>;

    /// What a test command that the user typed says of the way things are built, as arguments of [`Manner`]; `None` where it
    /// runs none of this framework's tests.
    fn building(&self, command: &[&str]) -> Option<Vec<String>>;

    /// Files that a build goes by even where git ignores them, in the folder of a command or one above it.
    fn build_files(&self) -> &'static [&'static str];

    /// The command whose output [`Framework::layout`] reads.
    fn layout_command(&self) -> &'static [&'static str];

    /// What is known of the user's own builds; `None` where `told` is not what the command prints.
    fn layout(&self, told: &[u8]) -> Option<BuildLayout>;

    /// What puts `pin`, as it stands in `from`, into `onto`, which holds another version of the repository: its test where
    /// its property is there, and its replay line.
    ///
    /// # Errors
    /// The reason where that version has no place for it.
    fn graft(&self, pin: &StandingPin, from: &dyn SourceTree, onto: &dyn SourceTree) -> Result<Graft, Refusal>;

    /// The command whose first line names the toolchain that builds this framework's tests.
    fn toolchain(&self) -> &'static [&'static str];

    /// How `pins` came out in the output of a command that ran them, one each, in their order. Pins that the output does
    /// not tell of are missing.
    fn proofs(&self, run: &RunOutput<'_>, pins: &[&StandingPin], tree: &dyn SourceTree) -> Vec<Proof>;

    /// Whether `at`, where `pin` failed, is none of its own lines but one of the code that it tests.
    fn is_below(&self, pin: &StandingPin, at: &Location, tree: &dyn SourceTree) -> bool;

    /// The package of which an instrumented copy writes down what the generators of a property make; `None` where there
    /// is no such copy.
    fn recorder(&self) -> Option<&'static str>;

    /// The command whose output [`Framework::recorder_folder`] reads.
    fn recorder_command(&self) -> &'static [&'static str];

    /// The folder on this machine of that package, as the repository uses it; `None` where it uses another than a
    /// registry's.
    fn recorder_folder(&self, told: &[u8]) -> Option<String>;

    /// What the registry's folders of that package are called, by those of `files` that say which versions of it are used,
    /// newest first. Where there is one, the command need not be asked, which takes a while; and it tells nothing where
    /// packages are missing that no build here needs.
    fn recorder_releases(&self, tree: &dyn SourceTree, files: &[RepoPath]) -> Vec<String>;

    /// The files that differ in the instrumented copy of that package, whose folder `package` is, with their whole text.
    ///
    /// # Errors
    /// Why this version of it cannot be instrumented.
    fn instrumented(&self, package: &dyn SourceTree) -> Result<Vec<(RepoPath, String)>, Refusal>;

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
    fn attempts(
        &self,
        failure: &Failure,
        requirement: Option<&RequirementId>,
        record: &str,
        known: &[Attempt],
        tree: &dyn SourceTree,
        today: &str,
    ) -> Result<Vec<Attempt>, Refusal>;

    /// The pins of `failure` that `record`, all that such a run left in the folder for records, allows, with the help of
    /// `attempts` that gave their values: the one that reads best first. Which of them holds, only a build can tell.
    ///
    /// # Errors
    /// Where the record is of another input, or tells too little.
    fn constructed(
        &self,
        failure: &Failure,
        requirement: Option<&RequirementId>,
        record: &str,
        attempts: &[Attempt],
        tree: &dyn SourceTree,
        today: &str,
    ) -> Result<Vec<Candidate>, Refusal>;

    /// The pins of `failure` whose test holds the values as they print, likeliest first; the first is that of
    /// [`Framework::pin`], where that has such a test. Which of them holds, only a build can tell.
    fn literals(
        &self,
        failure: &Failure,
        requirement: Option<&RequirementId>,
        tree: &dyn SourceTree,
        today: &str,
    ) -> Vec<Candidate>;

    /// The pin of `failure` as somebody starts from who finishes its test by hand: that of [`Framework::pin`] where it has
    /// a test, else one whose values are left open.
    ///
    /// # Errors
    /// Why not even that can be written.
    fn draft(
        &self,
        failure: &Failure,
        requirement: Option<&RequirementId>,
        tree: &dyn SourceTree,
        today: &str,
    ) -> Result<Pin, Refusal>;

    /// `draft` with `text` as its test.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn by_hand(&self, draft: &Pin, text: &str) -> Result<Pin, Refusal>;

    /// The program that lists small mutations of code, as its users know it; `None` where there is no such program.
    fn mutator(&self) -> Option<&'static str>;

    /// The folder and the command whose output [`Framework::mutations`] reads: it lists small mutations of the code that
    /// the property in `file` tests.
    fn mutations_command(&self, file: &RepoPath, tree: &dyn SourceTree) -> (String, Vec<String>);

    /// The mutations of the code that the property in `file` tests, the likeliest to break it first; `None` where `told`
    /// is not what the command prints.
    fn mutations(&self, told: &[u8], file: &RepoPath, tree: &dyn SourceTree) -> Option<Vec<Mutation>>;

    /// Whether `printed`, with which the test of [`Candidate::value`] failed, shows the values of
    /// [`Candidate::recorded`].
    fn prints_recorded_values(&self, recorded: &[String], printed: &str) -> bool;

    /// Whether a pin that failed with `message` says that its input no longer meets what the property assumes of it.
    fn is_unmet_assumption(&self, message: &str) -> bool;
}

/// A pin that may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The pin.
    pub pin: Pin,
    /// A test that always fails with the values it binds as its message, to be run once beside it and not left there.
    pub value: Pin,
    /// The values as they were recorded.
    pub recorded: Vec<String>,
    /// Whether it may hold other values that print the same.
    pub doubtful: bool,
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

/// A small change of the code under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutation {
    /// What it does, in a few words.
    pub title: String,
    /// The same as a patch.
    pub patch: Vec<u8>,
}

/// Absolute paths on this machine, outside the repository.
#[derive(Clone, Copy, Debug)]
pub struct CopyPlaces<'a> {
    /// The folder of the instrumented package.
    pub copy: &'a str,
    /// The folder that takes the records.
    pub records: &'a str,
}

/// How properties are run while what their generators make is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The command, to be started in the scratch tree. Where it runs several properties, their places stand for pins.
    pub run: PinCommand,
    /// Files of the scratch tree that must have this text when it starts.
    pub files: Vec<(RepoPath, String)>,
}

/// A pin on its way into another version of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graft {
    /// The file that has the property there.
    pub file: RepoPath,
    /// The changes of files, each made for the text that the file has in that version.
    pub edits: Vec<(RepoPath, Edits)>,
}

/// What a file of replay handles tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replays {
    /// In the order of the file.
    pub failures: Vec<Unassigned>,
    /// Likewise; also what the framework itself would misread.
    pub notices: Vec<Notice>,
}

/// A failure told by a replay handle, which does not name its test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unassigned {
    /// The failure, of the first property that it fits.
    pub failure: Failure,
    /// All that it fits, where it is more than one.
    pub candidates: Vec<TestName>,
}

/// Takes one failure's replay line out of a replay file's text.
pub type Forget = Box<dyn Fn(&[u8]) -> Edits + Send>;

/// Every framework redpin knows. A new one is a room and a line here.
pub const CATALOGUE: &[&dyn Framework] = &[&proptest::Proptest];

/// The framework of that name; `None` where this redpin does not know it.
pub fn named(name: &FrameworkName) -> Option<&'static dyn Framework> {
    CATALOGUE.iter().copied().find(|framework| framework.name() == name.0)
}
