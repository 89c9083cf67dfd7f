//! Where pins are built before they are staged: a scratch copy of the work tree with what a staging would write in it.

use std::path::Path;

use crate::framework::CATALOGUE;
use crate::proof::StandingPin;
use crate::repo_path::RepoPath;
use crate::runner;
use crate::scratch::{self, Scratch, ScratchError};
use crate::source_tree::{Overlaid, SourceTree};
use crate::triage::{Triage, TriageError};

use super::config::Config;
use super::{Desk, Onlooker, Proved};

/// A scratch copy and what is run in it.
pub(super) struct Workshop<'a> {
    scratch: Scratch,
    tree: &'a dyn SourceTree,
    files: Vec<RepoPath>,
    desk: Desk,
}

impl<'a> Workshop<'a> {
    /// The workshop in `cache` for the work tree of `triage`, read by `tree`.
    ///
    /// # Errors
    /// Where the scratch copy cannot be made.
    pub(super) fn open(
        cache: &Path,
        triage: &Triage,
        tree: &'a dyn SourceTree,
        config: Config,
    ) -> Result<Workshop<'a>, ScratchError> {
        scratch::sweep(cache);
        let scratch = Scratch::open(cache, triage.top())?;
        for framework in CATALOGUE {
            if let Some(layout) = framework.layout(&runner::printed(framework.layout_command(), triage.top())) {
                scratch.seed(Path::new(&layout.target), &layout.own);
            }
        }
        let mut config = config;
        config.manner.target = Some(scratch.target().to_string_lossy().into_owned());
        let spool = triage.spool_folder().to_owned();
        let desk = Desk { top: scratch.tree(), spool, commit: triage.commit(), when: triage.now(), config };
        Ok(Workshop { files: files(tree), scratch, tree, desk })
    }

    /// How `pins` come out where the work tree holds `changed` besides.
    ///
    /// # Errors
    /// Where the copy cannot be written or a command cannot be started.
    pub(super) fn prove(
        &self,
        pins: &[StandingPin],
        changed: &[(RepoPath, Vec<u8>)],
        onlooker: &mut dyn Onlooker,
    ) -> Result<Proved, TriageError> {
        self.scratch.mirror(&self.files, changed)?;
        let tree = Overlaid { tree: self.tree, files: changed };
        self.desk.prove(pins, &tree, onlooker)
    }
}

/// The files that a build may need: all that git knows or would add, and those that builds go by all the same.
fn files(tree: &dyn SourceTree) -> Vec<RepoPath> {
    let mut files = tree.find(&|_| true);
    let mut folders: Vec<String> = files.iter().flat_map(|file| file.folders().map(str::to_owned)).collect();
    folders.push(String::new());
    folders.sort();
    folders.dedup();
    let build_files = CATALOGUE.iter().flat_map(|framework| framework.build_files());
    let hidden: Vec<RepoPath> = build_files
        .flat_map(|name| folders.iter().filter_map(|folder| RepoPath::in_folder(folder, name)))
        .filter(|file| tree.exists(file))
        .collect();
    files.extend(hidden);
    files.sort();
    files.dedup();
    files
}
