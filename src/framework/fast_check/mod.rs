//! fast-check, with Vitest, Jest, Node's own test runner or none: reads what it reports through each of their reporters, and
//! puts the inputs that its users would pin by hand among the examples of their properties.

use std::path::Path;

use crate::carrier::scan::{Found, Sought};
use crate::edit::Edits;
use crate::failure::{Counterexample, Failure, Location, Notice, Reading};
use crate::framework::{
    Auditing, Capturing, Case, Framework, Graft, Pinning, Properties, Proving, Recorder, Reports, Seeding, Starting,
    Stating, Sweeping,
};
use crate::invocation::{Capture, Invocation};
use crate::pin::{Part, PartKind, Pin, Refusal};
use crate::proof::{Manner, PinCommand, Proof, StandingPin};
use crate::property::Property;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;
use crate::sweep::Depth;

mod asked;
mod calls;
mod capture;
mod command;
mod find;
mod graft;
mod own;
mod pin;
mod place;
mod plain;
mod probe;
mod proof;
mod read;
mod replay;
mod seeding;
mod shared;
mod shown;
mod starting;
mod stating;
mod sweep;
mod switches;
#[cfg(test)]
mod tests;
mod twins;
mod value;

/// The framework's name.
const NAME: &str = "fast-check";

/// The framework's place in the catalogue.
pub struct FastCheck;

impl Framework for FastCheck {
    fn name(&self) -> &'static str {
        NAME
    }

    fn seeding(&self) -> Option<&dyn Seeding> {
        Some(self)
    }

    fn recorder(&self) -> Option<&dyn Recorder> {
        Some(self)
    }

    fn capturing(&self) -> Option<&dyn Capturing> {
        Some(self)
    }

    fn sweeping(&self) -> Option<&dyn Sweeping> {
        Some(self)
    }

    fn starting(&self) -> Option<&dyn Starting> {
        Some(self)
    }

    fn stating(&self) -> Option<&dyn Stating> {
        Some(self)
    }

    fn auditing(&self) -> Option<&dyn Auditing> {
        Some(self)
    }
}

impl Capturing for FastCheck {
    fn widen(&self, invocation: &mut Invocation, _answer: Option<&str>, folder: &Path) {
        capture::widen(invocation, folder);
    }
}

impl Sweeping for FastCheck {
    fn deepen(&self, invocation: &mut Invocation, depth: Depth, _answer: Option<&str>) -> Result<bool, String> {
        sweep::deepen(invocation, depth)
    }
}

impl Reports for FastCheck {
    fn sought(&self) -> Sought {
        read::SOUGHT
    }

    fn read_found(&self, run: &RunOutput<'_>, found: Found<'_>) -> Reading {
        read::read(run, found)
    }

    fn counterexample(&self, text: &str) -> Counterexample {
        read::counterexample(text)
    }
}

impl Properties for FastCheck {
    fn tell_apart(&self, failures: &mut [Failure], tree: &dyn SourceTree) -> Vec<Notice> {
        twins::tell_apart(failures, tree)
    }

    fn property(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<Property> {
        Some(shown::property(&find::find(failure, tree).ok()?, failure, tree))
    }

    fn names(&self, failure: &Failure, tree: &dyn SourceTree) -> Vec<String> {
        find::find(failure, tree).ok().and_then(|found| shown::names(&found, failure, tree)).unwrap_or_default()
    }

    fn failing_line(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<u32> {
        shown::failing_line(&find::find(failure, tree).ok()?, failure)
    }
}

impl Pinning for FastCheck {
    fn pin(&self, case: &Case<'_>) -> Result<Pin, Refusal> {
        pin::pin(case)
    }

    fn place(&self, pin: &Pin, part: &Part, text: &[u8]) -> Result<Edits, Refusal> {
        match (part.kind, &pin.test) {
            (PartKind::Example, _) => place::place(part, text),
            (PartKind::Test, Some(test)) => own::place(test, part, text),
            _ => Err(Refusal("a pin of fast-check is an example of its property or a test beside it".to_owned())),
        }
    }

    fn graft(&self, pin: &StandingPin, from: &dyn SourceTree, onto: &dyn SourceTree) -> Result<Graft, Refusal> {
        graft::graft(pin, from, onto)
    }
}

impl Proving for FastCheck {
    fn commands(&self, pins: &[StandingPin], tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
        command::commands(pins, tree, manner)
    }

    fn toolchain(&self, _folder: &str, _manner: &Manner) -> Vec<String> {
        ["node", "--version"].map(str::to_owned).to_vec()
    }

    fn proofs(&self, run: &RunOutput<'_>, pins: &[&StandingPin], tree: &dyn SourceTree) -> Vec<Proof> {
        proof::proofs(run, pins, tree)
    }

    fn capture(&self, folder: &Path) -> Capture {
        capture::in_folder(folder).unwrap_or_default()
    }

    fn said(&self, command: &[&str]) -> Option<Vec<String>> {
        switches::of_command(command)
    }

    fn is_unmet_assumption(&self, message: &str) -> bool {
        proof::is_unmet_assumption(message)
    }

    fn is_below(&self, pin: &StandingPin, at: &Location, _tree: &dyn SourceTree) -> bool {
        command::is_below(pin, at)
    }

    fn prints_recorded_values(&self, recorded: &[String], printed: &str) -> bool {
        value::prints(recorded, printed)
    }

    fn installed(&self) -> &'static [&'static str] {
        &["node_modules"]
    }
}
