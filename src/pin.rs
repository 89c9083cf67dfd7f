//! The permanent regression case for a real bug, before it is placed in any file, and the reason where there can be none.

use serde::{Deserialize, Serialize};

use crate::failure::TestName;
use crate::repo_path::RepoPath;

/// How firmly a pin holds its value, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rung {
    /// The value written down as an expression.
    Literal,
    /// The value built again through public constructors.
    Constructed,
    /// Reached by a seed and its recorded shrink path.
    Replayed,
    /// A test that somebody wrote by hand.
    ByHand,
    /// The framework's own replay line alone.
    SeedOnly,
}

impl Rung {
    /// The word `--json` prints.
    pub fn word(self) -> &'static str {
        match self {
            Rung::Literal => "literal",
            Rung::Constructed => "constructed",
            Rung::Replayed => "replayed",
            Rung::ByHand => "by-hand",
            Rung::SeedOnly => "seed-only",
        }
    }

    /// The rung of that word.
    pub fn called(word: &str) -> Option<Rung> {
        let all = [Rung::Literal, Rung::Constructed, Rung::Replayed, Rung::ByHand, Rung::SeedOnly];
        all.into_iter().find(|rung| rung.word() == word)
    }
}

/// One text that a pin puts into one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The file.
    pub file: RepoPath,
    /// What kind of text.
    pub kind: PartKind,
    /// For [`PartKind::Value`], the modules inside the file that it goes into, outermost first; for other kinds what the
    /// framework goes by when it places it, in its own words.
    pub modules: Vec<String>,
    /// The text: `\n` between lines, no indentation of its place, no newline at its end.
    pub text: String,
}

/// What a part is; where it goes in its file is the framework's knowledge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// A test function that stands by the property.
    Test,
    /// A line in the framework's own replay file, which is created where missing.
    ReplayLine,
    /// A function that gives a value of the counterexample, beside the generator that built it.
    Value,
    /// A file that a test includes: a value that is too long to stand in it.
    Fixture,
    /// An input among those that the property itself runs first.
    Example,
}

/// The permanent regression case for a real bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The property it pins.
    pub property: TestName,
    /// The rung it stands on.
    pub rung: Rung,
    /// Full name of the test it adds; `None` where it adds none, as the property itself runs it.
    pub test: Option<TestName>,
    /// The replay line without its comment, where the run named one.
    pub replay: Option<String>,
    /// What is written, at most one part a file and kind.
    pub parts: Vec<Part>,
    /// Why it stands on no better rung.
    pub reason: Option<String>,
    /// What the user should know before staging it, each a sentence.
    pub warnings: Vec<String>,
    /// The input it holds, where that is not the failure's own.
    pub instead: Option<Box<Instead>>,
}

/// What a warning begins with that tells why a pin has no replay line.
pub const NO_LINE: &str = "no seed is pinned: ";

/// Why no test holds the value of a property that fails another way each time.
pub const NOT_DETERMINISTIC: &str =
    "the same seed led to another smallest input each time it was run: the property is not deterministic";

impl Pin {
    /// Whether it holds its value in a test, and would have a replay line besides if the run had named a handle.
    pub fn lacks_line(&self) -> bool {
        let has_line = self.parts.iter().any(|part| part.kind == PartKind::ReplayLine);
        self.test.is_some() && !has_line && self.warnings.iter().any(|warning| warning.starts_with(NO_LINE))
    }

    /// Takes the replay line of `other`, which pins the same input.
    pub fn take_line(&mut self, other: &Pin) {
        if !self.lacks_line() {
            return;
        }
        self.parts.extend(other.parts.iter().filter(|part| part.kind == PartKind::ReplayLine).cloned());
        self.replay.clone_from(&other.replay);
        self.warnings.retain(|warning| !warning.starts_with(NO_LINE));
    }
}

/// An input that a pin holds in the place of its failure's own, of the same cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instead {
    /// The input as one line of text.
    pub counterexample: String,
    /// What was said when the property failed on it.
    pub message: String,
}

/// Why a pin cannot be written: one sentence that names what to do instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);
