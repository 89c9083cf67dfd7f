//! What the sources around a framework's properties hold that these may call or copy, and how it is measured how many inputs
//! they throw away. Asked by whoever audits properties.

use std::path::Path;

use crate::audit::{Counted, Function, Page, Speech};
use crate::invocation::Capture;
use crate::proof::{Manner, PinCommand, Proof, StandingPin};
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

/// Reads what properties stand among.
pub trait Auditing: Sync {
    /// How the language of its properties is written in normal form.
    fn speech(&self) -> Speech;

    /// The files of `tree` in that language: of the code under test and of the tests.
    fn sources(&self, tree: &dyn SourceTree) -> Vec<RepoPath>;

    /// What `file` has; `None` where it cannot be read.
    fn page(&self, file: &RepoPath, tree: &dyn SourceTree) -> Option<Page>;

    /// The bodies that `function`, whose own is `body`, may have instead, each of which answers the same whatever it is given: what it is called by
    /// people, and its text. None where what it returns is not known.
    fn constants(&self, function: &Function, body: &str) -> Vec<(&'static str, String)>;

    /// A statement that fails, with what parts it from the one that it is put in front of.
    fn trip(&self) -> &'static str;

    /// The commands that run `tests`, each property itself with `cases` cases, so that their output tells how many inputs
    /// were thrown away.
    fn counting(&self, tests: &[StandingPin], cases: u64, tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand>;

    /// What these commands are given besides; files that are laid down for it lie in `folder`.
    fn counting_capture(&self, _folder: &Path) -> Capture {
        Capture::default()
    }

    /// What such a command, in which `tests` came out as `proofs` tell, says of each.
    fn counted(
        &self,
        run: &RunOutput<'_>,
        tests: &[&StandingPin],
        proofs: &[Proof],
        cases: u64,
    ) -> Vec<Option<Counted>>;
}
