//! Pins by pre-images: a value that no literal can hold was built by the property's own strategies out of plain values.
//! An instrumented copy of the library writes down what those were, and the pin puts them through the same construction.

mod anchors;
mod arguments;
mod attempts;
mod candidates;
mod captured;
mod derived;
mod expression;
mod form;
mod generics;
mod instrument;
mod layers;
mod rebuild;
mod replay;
mod run;
mod sources;
mod standing;
mod substitute;
mod trace;
mod value_fn;

pub(super) use captured::brought;

use super::{NAME, Proptest};
use crate::failure::Failure;
use crate::framework::{Attempt, Candidate, Case, CopyPlaces, Library, Recorder, Recording};
use crate::language::rust::tokens::apart;
use crate::pin::{Pin, Refusal};
use crate::proof::Manner;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

impl Recorder for Proptest {
    fn library(&self) -> Option<&dyn Library> {
        Some(self)
    }

    fn recording(
        &self,
        failure: &Failure,
        tree: &dyn SourceTree,
        manner: &Manner,
        places: &CopyPlaces<'_>,
        attempt: usize,
    ) -> Result<Recording, Refusal> {
        run::recording(failure, tree, manner, places, attempt)
    }

    fn recordings(
        &self,
        failures: &[&Failure],
        tree: &dyn SourceTree,
        manner: &Manner,
        places: &CopyPlaces<'_>,
    ) -> Vec<Recording> {
        apart(|| run::recordings(failures, tree, manner, places))
    }

    fn record_of(&self, failure: &Failure, record: &str) -> String {
        trace::of_test(record, &failure.test)
    }

    fn is_recorded(&self, failure: &Failure, record: &str, tree: &dyn SourceTree) -> bool {
        apart(|| candidates::is_recorded(failure, record, tree))
    }

    fn by_record(&self, failure: &Failure, record: &str, tree: &dyn SourceTree) -> Result<Pin, Refusal> {
        candidates::by_seed(failure, record, tree)
    }

    fn attempts(&self, case: &Case<'_>, record: &str, known: &[Attempt]) -> Result<Vec<Attempt>, Refusal> {
        apart(|| attempts::attempts(case.failure, case.requirement, record, known, case.tree, case.today))
    }

    fn constructed(&self, case: &Case<'_>, record: &str, attempts: &[Attempt]) -> Result<Vec<Candidate>, Refusal> {
        apart(|| candidates::constructed(case.failure, case.requirement, record, attempts, case.tree, case.today))
    }
}

impl Library for Proptest {
    fn package(&self) -> &'static str {
        NAME
    }

    fn releases(&self, tree: &dyn SourceTree, files: &[RepoPath]) -> Vec<String> {
        sources::releases(tree, files)
    }

    fn command(&self) -> &'static [&'static str] {
        sources::SOURCES
    }

    fn folder(&self, told: &[u8]) -> Option<String> {
        sources::folder(told)
    }

    fn inside(&self, tree: &dyn SourceTree, files: &[RepoPath], told: &[u8]) -> Result<String, Refusal> {
        let refused = |why| Refusal(format!("no copy can take the place of {NAME}: {why}"));
        sources::inside(tree, files, told).map_err(refused)
    }

    fn commits(&self, tree: &dyn SourceTree, files: &[RepoPath]) -> Vec<String> {
        sources::commits(tree, files)
    }

    fn within(&self, tree: &dyn SourceTree, files: &[RepoPath]) -> Option<String> {
        sources::stands_in(tree, files.iter()).ok()
    }

    fn outside_command(&self, tree: &dyn SourceTree, files: &[RepoPath]) -> Option<(&'static [&'static str], String)> {
        Some((sources::OUTSIDE, sources::outside_lock(tree, files)?))
    }

    fn outside(&self, told: &[u8]) -> Option<String> {
        sources::outside(told)
    }

    fn instrumented(&self, package: &dyn SourceTree) -> Result<Vec<(RepoPath, String)>, Refusal> {
        let refused = |why| Refusal(format!("this version of {NAME} cannot be instrumented: {why}"));
        instrument::instrumented(package).map_err(refused)
    }
}
