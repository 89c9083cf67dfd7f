//! Replay files of the work tree that have lines the last commit has not: a red run left them behind, whoever ran it. Also
//! told is what is wrong with any of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::framework::CATALOGUE;
use crate::git::{Repository, Versions};
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;
use crate::triage::TriageError;

use super::reading::{Found, Reader};

/// The failures that these lines tell of.
pub(super) fn read(repository: &Repository, tree: &dyn SourceTree, imported: String) -> Result<Found, TriageError> {
    let files = CATALOGUE.iter().filter_map(|framework| framework.replay_files());
    let paths: BTreeSet<_> = files.flat_map(|files| files.all(tree)).collect();
    let paths: Vec<_> = paths.into_iter().collect();
    let versions = if paths.is_empty() { Vec::new() } else { repository.versions(&paths)? };
    let committed = Committed::of(&versions);
    let mut reader = Reader::new(tree, imported).since(&committed);
    for file in &versions {
        // The work tree's text is read even where nothing is new in it: what the framework would misread is told.
        let staged =
            file.index_bytes().filter(|staged| ![file.work_bytes(), file.head_bytes()].contains(&Some(staged)));
        let version = |bytes| RunOutput::new(file.path.as_str(), bytes);
        match (file.work_bytes(), staged) {
            (Some(work), staged) => {
                reader.read_replays(&version(work));
                staged.into_iter().for_each(|staged| reader.read_other_version(&version(staged)));
            }
            (None, Some(staged)) => reader.read_replays(&version(staged)),
            (None, None) => {}
        }
    }
    Ok(reader.finish())
}

/// The files as the last commit has them.
struct Committed(BTreeMap<RepoPath, Arc<[u8]>>);

impl Committed {
    fn of(versions: &[Versions]) -> Self {
        let file = |file: &Versions| Some((file.path.clone(), file.head.as_ref()?.bytes.clone()));
        Committed(versions.iter().filter_map(file).collect())
    }
}

impl SourceTree for Committed {
    fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        self.0.get(path).cloned()
    }

    fn find(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
        self.0.keys().filter(|path| wanted(path.as_str())).cloned().collect()
    }
}
