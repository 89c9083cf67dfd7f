//! proptest, with the macros built on it (`proptest-state-machine`, `test-strategy`, `#[property_test]`): reads what its
//! runner prints and persists, and writes the pin its users would write by hand.

use crate::edit::Edits;
use crate::failure::{Failure, Location, Reading};
use crate::framework::{Attempt, Candidate, CopyPlaces, Forget, Framework, Graft, Mutation, Recording, Replays};
use crate::language::rust::tokens::apart;
use crate::pin::{Part, PartKind, Pin, Refusal};
use crate::proof::{BuildLayout, Manner, PinCommand, Proof, StandingPin};
use crate::property::Property;
use crate::repo_path::RepoPath;
use crate::requirement::RequirementId;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

mod alike;
mod arguments;
mod body;
mod by_hand;
mod by_name;
mod choose;
mod command;
mod failing;
mod find;
mod found;
mod generators;
mod graft;
mod mutants;
mod names;
mod own_message;
mod pin;
mod pin_name;
mod pin_place;
mod place;
mod plain_test;
mod preimage;
mod printed;
mod proof;
mod read;
mod reason;
mod regression;
mod remembered;
mod setup;
mod unfold;

/// The framework's name.
const NAME: &str = "proptest";

/// The framework's place in the catalogue.
pub struct Proptest;

impl Framework for Proptest {
    fn name(&self) -> &'static str {
        NAME
    }

    fn read(&self, run: &RunOutput<'_>) -> Reading {
        read::read(run)
    }

    fn may_keep_replays(&self, path: &str) -> bool {
        regression::may_be_named(path)
    }

    fn replay_files(&self, tree: &dyn SourceTree) -> Vec<RepoPath> {
        regression::files(tree)
    }

    fn replays(&self, run: &RunOutput<'_>, tree: &dyn SourceTree, known: &dyn SourceTree) -> Option<Replays> {
        regression::replays(run, tree, known)
    }

    fn property(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<Property> {
        let found = found::find(failure, tree).ok()?;
        let own_message = own_message::own_message(&found, failure);
        Some(Property { own_message, ..found::shown(found) })
    }

    fn package(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<String> {
        found::package(failure, tree)
    }

    fn failing_line(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<u32> {
        failing::line(&found::find(failure, tree).ok()?, failure)
    }

    fn pin(
        &self,
        failure: &Failure,
        requirement: Option<&RequirementId>,
        tree: &dyn SourceTree,
        today: &str,
    ) -> Result<Pin, Refusal> {
        pin::pin(failure, requirement, tree, today)
    }

    fn place(&self, pin: &Pin, part: &Part, text: &[u8]) -> Result<Edits, Refusal> {
        match part.kind {
            PartKind::ReplayLine => Ok(regression::add(text, &part.text)),
            PartKind::Test => place::place_test(pin, part, text),
            PartKind::Value => place::place_value(part, text),
        }
    }

    fn head_of_replays<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        regression::head(text)
    }

    fn is_bare(&self, text: &[u8]) -> bool {
        regression::is_bare(text)
    }

    fn forget(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<(RepoPath, Forget)> {
        regression::forget(failure, tree)
    }

    fn commands(&self, pins: &[StandingPin], tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
        command::commands(pins, tree, manner)
    }

    fn building(&self, command: &[&str]) -> Option<Vec<String>> {
        command::building(command)
    }

    fn build_files(&self) -> &'static [&'static str] {
        command::BUILD_FILES
    }

    fn layout_command(&self) -> &'static [&'static str] {
        command::LAYOUT
    }

    fn layout(&self, told: &[u8]) -> Option<BuildLayout> {
        command::layout(told)
    }

    fn graft(&self, pin: &StandingPin, from: &dyn SourceTree, onto: &dyn SourceTree) -> Result<Graft, Refusal> {
        graft::graft(pin, from, onto)
    }

    fn toolchain(&self) -> &'static [&'static str] {
        &["rustc", "--version"]
    }

    fn proofs(&self, run: &RunOutput<'_>, pins: &[&StandingPin], tree: &dyn SourceTree) -> Vec<Proof> {
        proof::proofs(run, pins, tree)
    }

    fn is_below(&self, pin: &StandingPin, at: &Location, tree: &dyn SourceTree) -> bool {
        proof::is_below(pin, at, tree)
    }

    fn recorder_command(&self) -> &'static [&'static str] {
        preimage::SOURCES
    }

    fn recorder_folder(&self, told: &[u8]) -> Option<String> {
        preimage::folder(told)
    }

    fn recorder_releases(&self, tree: &dyn SourceTree, files: &[RepoPath]) -> Vec<String> {
        preimage::releases(tree, files)
    }

    fn recorder(&self) -> Option<&'static str> {
        Some(NAME)
    }

    fn instrumented(&self, package: &dyn SourceTree) -> Result<Vec<(RepoPath, String)>, Refusal> {
        let refused = |why| Refusal(format!("this version of {NAME} cannot be instrumented: {why}"));
        preimage::instrumented(package).map_err(refused)
    }

    fn recording(
        &self,
        failure: &Failure,
        tree: &dyn SourceTree,
        manner: &Manner,
        places: &CopyPlaces<'_>,
        attempt: usize,
    ) -> Result<Recording, Refusal> {
        preimage::recording(failure, tree, manner, places, attempt)
    }

    fn recordings(
        &self,
        failures: &[&Failure],
        tree: &dyn SourceTree,
        manner: &Manner,
        places: &CopyPlaces<'_>,
    ) -> Vec<Recording> {
        // Here and where else much code is read in a row, one thread does all of it.
        apart(|| preimage::recordings(failures, tree, manner, places))
    }

    fn record_of(&self, failure: &Failure, record: &str) -> String {
        preimage::of_test(record, &failure.test)
    }

    fn is_recorded(&self, failure: &Failure, record: &str, tree: &dyn SourceTree) -> bool {
        apart(|| preimage::is_recorded(failure, record, tree))
    }

    fn by_record(&self, failure: &Failure, record: &str, tree: &dyn SourceTree) -> Result<Pin, Refusal> {
        preimage::by_seed(failure, record, tree)
    }

    fn attempts(
        &self,
        failure: &Failure,
        requirement: Option<&RequirementId>,
        record: &str,
        known: &[Attempt],
        tree: &dyn SourceTree,
        today: &str,
    ) -> Result<Vec<Attempt>, Refusal> {
        apart(|| preimage::attempts(failure, requirement, record, known, tree, today))
    }

    fn constructed(
        &self,
        failure: &Failure,
        requirement: Option<&RequirementId>,
        record: &str,
        attempts: &[Attempt],
        tree: &dyn SourceTree,
        today: &str,
    ) -> Result<Vec<Candidate>, Refusal> {
        apart(|| preimage::constructed(failure, requirement, record, attempts, tree, today))
    }

    fn literals(
        &self,
        failure: &Failure,
        requirement: Option<&RequirementId>,
        tree: &dyn SourceTree,
        today: &str,
    ) -> Vec<Candidate> {
        apart(|| pin::literals(failure, requirement, tree, today))
    }

    fn draft(
        &self,
        failure: &Failure,
        requirement: Option<&RequirementId>,
        tree: &dyn SourceTree,
        today: &str,
    ) -> Result<Pin, Refusal> {
        pin::draft(failure, requirement, tree, today)
    }

    fn by_hand(&self, draft: &Pin, text: &str) -> Result<Pin, Refusal> {
        by_hand::with_text(draft, text)
    }

    fn mutator(&self) -> Option<&'static str> {
        Some("cargo-mutants")
    }

    fn mutations_command(&self, file: &RepoPath, tree: &dyn SourceTree) -> (String, Vec<String>) {
        mutants::command(file, tree)
    }

    fn mutations(&self, told: &[u8], file: &RepoPath, tree: &dyn SourceTree) -> Option<Vec<Mutation>> {
        mutants::mutations(told, file, tree)
    }

    fn prints_recorded_values(&self, recorded: &[String], printed: &str) -> bool {
        printed::shows(printed, recorded)
    }

    fn is_unmet_assumption(&self, message: &str) -> bool {
        message.contains(body::NO_LONGER)
    }
}
