//! Properties that may assert nothing: what their source tells, held against the code that they test and the sentence that
//! they cite. Advice with its ground, never a verdict: whoever reads it decides.

mod claim;
mod copies;
mod flow;
mod known;
mod tripped;
mod words;

use crate::repo_path::RepoPath;
use crate::span::Span;

pub use known::{Known, Subject};
pub use tripped::tripped;

/// How the language of a framework's properties is written in normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speech {
    /// The signs that begin and end a text.
    pub quotes: &'static str,
    /// Whether conditions stand in brackets, with statements behind them that may have no braces.
    pub has_bracketed_conditions: bool,
}

/// What a source file has that properties may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The file.
    pub file: RepoPath,
    /// Its functions, in order, those of types and classes among them.
    pub functions: Vec<Function>,
    /// What else its code under test is called by: types, constants.
    pub names: Vec<String>,
    /// Names that it has from packages that are neither the framework's nor the test runner's nor come with the language;
    /// `*` where it has all of one.
    pub outside: Vec<String>,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The type or class that it is part of; empty where it is of none.
    pub owner: String,
    /// The names of its parameters; of a pattern nothing.
    pub parameters: Vec<String>,
    /// What its source says that it returns; empty where it says nothing.
    pub returns: String,
    /// Its body in normal form, without braces around it.
    pub body: String,
    /// The bytes of the body, with its braces where the language has some.
    pub span: Span,
    /// The line of its name, from 1.
    pub line: u32,
    /// Whether it is test code.
    pub is_test: bool,
    /// Whether its body asserts.
    pub asserts: bool,
}

/// How many inputs a run of a property kept, and how many it threw away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Those that it was asked about.
    pub kept: u64,
    /// Those that a filter or an assumption gave up, as far as the library counts them; `None` where it is only known that
    /// they were no more than those that were kept.
    pub discarded: Option<u64>,
}

impl Counted {
    /// Whether it threw away more than it kept.
    pub fn is_most(self) -> bool {
        self.discarded.is_some_and(|discarded| discarded > self.kept)
    }

    /// What several runs of a property come to, each with how many inputs it kept and threw away; `None` where there are none.
    pub fn sum(runs: impl IntoIterator<Item = (u64, u64)>) -> Option<Counted> {
        let add = |(kept, discarded): (u64, u64), run: (u64, u64)| {
            (kept.saturating_add(run.0), discarded.saturating_add(run.1))
        };
        let (kept, discarded) = runs.into_iter().reduce(add)?;
        Some(Counted { kept, discarded: Some(discarded) })
    }
}

/// What may be wrong with a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    /// Its assertions hold for every input there is.
    CannotFail,
    /// It calls nothing of the code under test.
    CallsNoCode,
    /// Neither it nor what it calls asserts.
    NoAssertion,
    /// It passes whatever constants the code under test answers.
    PassesConstants,
    /// Some way through it comes by no assertion.
    AssertionInBranch,
    /// What it holds the code under test against is that code once more.
    CopiesCode,
    /// What it is given reaches less far than the requirement says.
    NarrowGenerator,
    /// Most inputs are thrown away.
    DiscardsMost,
    /// It cites no requirement that there is.
    NoRequirement,
}

/// What is to be done with a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Advice {
    /// Nothing.
    Keep,
    /// It asserts less than it may.
    Strengthen,
    /// As it stands it says nothing.
    Delete,
}

impl Advice {
    /// The word for it that `--json` prints.
    pub fn word(self) -> &'static str {
        match self {
            Advice::Keep => "keep",
            Advice::Strengthen => "strengthen",
            Advice::Delete => "delete",
        }
    }

    /// What is advised of a property with these `doubts`.
    pub fn on(doubts: &[Doubt]) -> Advice {
        doubts.iter().map(|doubt| doubt.ground.advice()).max().unwrap_or(Advice::Keep)
    }
}

impl Ground {
    /// The word for it that `--json` prints.
    pub fn word(self) -> &'static str {
        match self {
            Ground::CannotFail => "cannot-fail",
            Ground::CallsNoCode => "calls-no-code",
            Ground::NoAssertion => "no-assertion",
            Ground::PassesConstants => "passes-constants",
            Ground::AssertionInBranch => "assertion-in-branch",
            Ground::CopiesCode => "copies-code",
            Ground::NarrowGenerator => "narrow-generator",
            Ground::DiscardsMost => "discards-most",
            Ground::NoRequirement => "no-requirement",
        }
    }

    /// What is advised where this is all that is known.
    pub fn advice(self) -> Advice {
        match self {
            Ground::CannotFail | Ground::CallsNoCode => Advice::Delete,
            _ => Advice::Strengthen,
        }
    }

    /// What to do about it.
    pub fn remedy(self) -> &'static str {
        match self {
            Ground::CannotFail => "assert what the requirement says of the result, or delete the property",
            Ground::CallsNoCode => "call the code that the requirement is about, or delete the property",
            Ground::NoAssertion => "assert what the requirement says of the result",
            Ground::PassesConstants => "assert what tells a right result from a constant one",
            Ground::AssertionInBranch => "assert on every way, or assume, so that what is left out is counted",
            Ground::CopiesCode => "assert what the requirement says, not what the code does",
            Ground::NarrowGenerator => "generate all that the requirement allows",
            Ground::DiscardsMost => "generate what is wanted instead of throwing away the rest",
            Ground::NoRequirement => "cite the requirement that it states, as [ID] in a comment",
        }
    }
}

/// One ground on which a property may assert nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// Which.
    pub ground: Ground,
    /// The line in the property's file, from 1.
    pub line: u32,
    /// What is the matter, as a sentence without its end.
    pub text: String,
}
