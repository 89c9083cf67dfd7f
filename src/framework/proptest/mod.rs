//! proptest, with the macros built on it (`proptest-state-machine`, `test-strategy`, `#[property_test]`): reads what its
//! runner prints and persists, and writes the pin its users would write by hand.

use crate::carrier::scan::{Found, Sought};
use crate::edit::Edits;
use crate::failure::{Counterexample, Failure, Location, Reading};
use crate::framework::rust::cargo::Cargo;
use crate::framework::{
    Auditing, Building, ByHand, Candidate, Capturing, Case, Framework, Graft, Handles, Mutator, Pinning, Properties,
    Proving, Recorder, ReplayFiles, Reports, Seeding, Starting, Stating, Sweeping, Values, rust,
};
use crate::language::rust::tokens::apart;
use crate::pin::{Part, PartKind, Pin, Refusal};
use crate::proof::{Manner, PinCommand, Proof, StandingPin};
use crate::property::Property;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

mod arguments;
mod body;
mod by_hand;
mod failing;
mod find;
mod fixture;
mod found;
mod generators;
mod graft;
mod mutants;
mod names;
mod own_message;
mod patient;
mod pin;
mod place;
mod plain_test;
mod preimage;
mod read;
mod reason;
mod regression;
mod remembered;
mod seed_run;
mod seeding;
mod setup;
mod standing_value;
mod starting;
mod stating;
mod sweep;
mod unfold;

/// The framework's name.
const NAME: &str = "proptest";

/// The framework's place in the catalogue.
pub struct Proptest;

impl Framework for Proptest {
    fn name(&self) -> &'static str {
        NAME
    }

    fn seeding(&self) -> Option<&dyn Seeding> {
        Some(self)
    }

    fn replay_files(&self) -> Option<&dyn ReplayFiles> {
        Some(self)
    }

    fn handles(&self) -> Option<&dyn Handles> {
        Some(self)
    }

    fn by_hand(&self) -> Option<&dyn ByHand> {
        Some(self)
    }

    fn capturing(&self) -> Option<&dyn Capturing> {
        Some(&Cargo)
    }

    fn sweeping(&self) -> Option<&dyn Sweeping> {
        Some(self)
    }

    fn starting(&self) -> Option<&dyn Starting> {
        Some(self)
    }

    fn building(&self) -> Option<&dyn Building> {
        Some(&Cargo)
    }

    fn recorder(&self) -> Option<&dyn Recorder> {
        Some(self)
    }

    fn values(&self) -> Option<&dyn Values> {
        Some(self)
    }

    fn stating(&self) -> Option<&dyn Stating> {
        Some(self)
    }

    fn auditing(&self) -> Option<&dyn Auditing> {
        Some(self)
    }

    fn mutator(&self) -> Option<&dyn Mutator> {
        Some(self)
    }
}

impl Reports for Proptest {
    fn sought(&self) -> Sought {
        read::SOUGHT
    }

    fn read_found(&self, run: &RunOutput<'_>, found: Found<'_>) -> Reading {
        read::read(run, found)
    }

    fn counterexample(&self, text: &str) -> Counterexample {
        Counterexample { text: text.to_owned(), arguments: read::split(text) }
    }
}

impl Properties for Proptest {
    fn property(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<Property> {
        let found = found::find(failure, tree).ok()?;
        let own_message = own_message::own_message(&found, failure);
        Some(Property { own_message: Some(own_message), ..found::shown(found) })
    }

    fn has_pin(&self, failure: &Failure, tree: &dyn SourceTree) -> bool {
        found::has_pin(failure, tree)
    }

    fn package(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<String> {
        rust::file::package(failure, tree)
    }

    fn failing_line(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<u32> {
        failing::line(&found::find(failure, tree).ok()?, failure)
    }
}

impl Pinning for Proptest {
    fn pin(&self, case: &Case<'_>) -> Result<Pin, Refusal> {
        pin::pin(case.failure, case.requirement, case.tree, case.today)
    }

    fn literals(&self, case: &Case<'_>) -> Vec<Candidate> {
        // Here and where else much code is read in a row, one thread does all of it.
        apart(|| pin::literals(case.failure, case.requirement, case.tree, case.today))
    }

    fn place(&self, pin: &Pin, part: &Part, text: &[u8]) -> Result<Edits, Refusal> {
        match part.kind {
            PartKind::ReplayLine => Ok(regression::add(text, &part.text)),
            PartKind::Test | PartKind::Value | PartKind::Fixture | PartKind::Example => {
                rust::place::place(pin, part, text, place::spot)
            }
        }
    }

    fn graft(&self, pin: &StandingPin, from: &dyn SourceTree, onto: &dyn SourceTree) -> Result<Graft, Refusal> {
        graft::graft(pin, from, onto)
    }
}

impl Proving for Proptest {
    fn commands(&self, pins: &[StandingPin], tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
        rust::cargo::commands(pins, tree, manner)
    }

    fn toolchain(&self, _folder: &str, _manner: &Manner) -> Vec<String> {
        rust::cargo::toolchain()
    }

    fn proofs(&self, run: &RunOutput<'_>, pins: &[&StandingPin], tree: &dyn SourceTree) -> Vec<Proof> {
        let judge = rust::proof::Judge { failures: self.read(run).failures, is_same: reason::is_same };
        rust::proof::proofs(run, pins, tree, &judge)
    }

    fn starts_tests(&self, line: &str) -> bool {
        rust::proof::starts_tests(line)
    }

    fn is_below(&self, pin: &StandingPin, at: &Location, tree: &dyn SourceTree) -> bool {
        rust::proof::is_below(pin, at, tree)
    }

    fn is_unmet_assumption(&self, message: &str) -> bool {
        message.contains(body::NO_LONGER)
    }

    fn reached_instead<'m>(&self, message: &'m str) -> Option<&'m str> {
        rust::astray::reached(message)
    }

    fn prints_recorded_values(&self, recorded: &[String], printed: &str) -> bool {
        rust::printed::shows(printed, recorded)
    }
}
