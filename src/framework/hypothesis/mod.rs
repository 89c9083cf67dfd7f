//! Hypothesis, run by pytest, unittest or on its own: reads what it reports, and writes the example its users would write by
//! hand.

use std::ffi::OsString;
use std::path::Path;

use crate::carrier::scan::{Found, Sought};
use crate::edit::Edits;
use crate::failure::{Counterexample, Failure, Location, Reading};
use crate::framework::{
    Auditing, Candidate, Capturing, Case, Framework, Graft, Pinning, Properties, Proving, Reports, Seeding, Starting,
    Stating, Sweeping,
};
use crate::invocation::Invocation;
use crate::locate;
use crate::oracle::{Known, Oracle};
use crate::pin::{Part, Pin, Refusal};
use crate::proof::{Manner, PinCommand, Proof, StandingPin};
use crate::property::Property;
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;
use crate::sweep::Depth;

mod capture;
mod command;
mod find;
mod given;
mod graft;
mod ground;
mod lineage;
mod load;
mod machine;
mod modules;
mod names;
mod pin;
mod place;
mod plain;
mod proof;
mod read;
mod replay;
mod seeding;
mod standalone;
mod standing;
mod starting;
mod stating;
mod sweep;

/// The framework's name.
const NAME: &str = "hypothesis";

/// The framework's place in the catalogue.
pub struct Hypothesis;

impl Framework for Hypothesis {
    fn name(&self) -> &'static str {
        NAME
    }

    fn seeding(&self) -> Option<&dyn Seeding> {
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

impl Stating for Hypothesis {
    fn stating(&self, tree: &dyn SourceTree) -> Vec<RepoPath> {
        stating::stating(tree)
    }

    fn known(&self) -> Known {
        stating::KNOWN
    }

    fn is_test_file(&self, path: &str) -> bool {
        stating::is_test_file(path)
    }

    fn is_collected(&self, file: &RepoPath, tree: &dyn SourceTree) -> bool {
        stating::is_collected(file, tree)
    }

    fn folder_of_tests<'p>(&self, path: &'p str) -> Option<&'p str> {
        stating::folder_of_tests(path)
    }

    fn oracle(&self, file: &RepoPath, tree: &dyn SourceTree) -> Result<Oracle, String> {
        stating::oracle(file, tree)
    }
}

impl Capturing for Hypothesis {
    fn widen(&self, invocation: &mut Invocation, _answer: Option<&str>, folder: &Path) {
        capture::widen(invocation, folder);
    }

    fn ran_by(&self, command: &[OsString], run: &RunOutput<'_>) -> Option<Vec<String>> {
        capture::python(command, run).map(|python| vec![python])
    }
}

impl Sweeping for Hypothesis {
    fn deepen(&self, invocation: &mut Invocation, depth: Depth, _answer: Option<&str>) -> Result<bool, String> {
        sweep::deepen(invocation, depth)
    }
}

impl Reports for Hypothesis {
    fn sought(&self) -> Sought {
        read::SOUGHT
    }

    fn is_seed(&self, handle: &str) -> bool {
        // A decorator is none.
        !handle.starts_with('@')
    }

    fn read_found(&self, run: &RunOutput<'_>, found: Found<'_>) -> Reading {
        read::read(run, found)
    }

    fn counterexample(&self, text: &str) -> Counterexample {
        read::counterexample(text)
    }

    fn report_key(&self, failure: &Failure) -> Option<String> {
        read::report_key(failure)
    }
}

impl Properties for Hypothesis {
    fn property(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<Property> {
        Some(find::find(failure, tree).ok()?.property(failure, tree))
    }

    fn failing_line(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<u32> {
        find::find(failure, tree).ok()?.failing_line(failure)
    }
}

impl Pinning for Hypothesis {
    fn pin(&self, case: &Case<'_>) -> Result<Pin, Refusal> {
        pin::pin(case)
    }

    fn literals(&self, case: &Case<'_>) -> Vec<Candidate> {
        pin::candidates(case)
    }

    fn place(&self, pin: &Pin, part: &Part, text: &[u8]) -> Result<Edits, Refusal> {
        place::place(pin, part, text)
    }

    fn graft(&self, pin: &StandingPin, from: &dyn SourceTree, onto: &dyn SourceTree) -> Result<Graft, Refusal> {
        graft::graft(pin, from, onto)
    }
}

impl Proving for Hypothesis {
    fn commands(&self, pins: &[StandingPin], tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
        command::commands(pins, tree, manner)
    }

    fn toolchain(&self, folder: &str, manner: &Manner) -> Vec<String> {
        command::python(folder, manner).into_iter().chain(["--version".to_owned()]).collect()
    }

    fn proofs(&self, run: &RunOutput<'_>, pins: &[&StandingPin], tree: &dyn SourceTree) -> Vec<Proof> {
        proof::proofs(run, pins, tree)
    }

    fn is_below(&self, pin: &StandingPin, at: &Location, _tree: &dyn SourceTree) -> bool {
        pin.file.as_ref().is_some_and(|file| !locate::means(&at.file, file))
    }

    fn installed(&self) -> &'static [&'static str] {
        command::INSTALLED
    }
}
