//! How a property is run with a seed that somebody chose, and what came of that. Asked by whoever checks a contract, which
//! names tests by their ids alone.

use std::path::Path;

use crate::failure::{FrameworkName, TestName};
use crate::invocation::Capture;
use crate::pin::Refusal;
use crate::proof::{Manner, PinCommand, Proof, StandingPin};
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

/// Has properties run with a seed.
pub trait Seeding: Sync {
    /// The tests of `tree` that `id` may mean, by its form or by where they are found: none where it is not this framework's.
    ///
    /// # Errors
    /// Where `id` has a form of this framework and names no test.
    fn meant(&self, id: &str, tree: &dyn SourceTree) -> Result<Vec<StandingPin>, Refusal>;

    /// The commands that run `tests` with `seed`, each in one of them.
    ///
    /// # Errors
    /// Where the framework takes no such seed.
    fn commands(
        &self,
        tests: &[StandingPin],
        seed: i128,
        tree: &dyn SourceTree,
        manner: &Manner,
    ) -> Result<Vec<PinCommand>, Refusal>;

    /// What these commands are given besides; files that are laid down for it lie in `folder`.
    fn capture(&self, _folder: &Path) -> Capture {
        Capture::default()
    }

    /// How `tests` came out in the output of a command that ran them, one each, in their order. Each state in which no test
    /// has passed and none has failed says that nothing was seen of it.
    fn outcomes(&self, run: &RunOutput<'_>, tests: &[&StandingPin], tree: &dyn SourceTree) -> Vec<Proof>;

    /// Why the seed had no effect on `test` in `run`, as the rest of a sentence, where that is known.
    fn without_effect(&self, test: &StandingPin, run: &RunOutput<'_>, tree: &dyn SourceTree) -> Option<String>;
}

/// The test called `test`, and its file, where that is known.
pub fn seeded_test(framework: &str, test: &str, file: Option<RepoPath>) -> StandingPin {
    StandingPin {
        failure: String::new(),
        framework: FrameworkName(framework.to_owned()),
        package: None,
        property: TestName(test.to_owned()),
        test: None,
        file,
        replay: None,
        files: Vec::new(),
        message: String::new(),
        counterexample: String::new(),
        makes_value: false,
    }
}
