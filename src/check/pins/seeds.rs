//! Inputs that a framework keeps in files of its own, and would not run any more.

use super::{About, Finding};
use crate::failure::{Failure, Replay};
use crate::framework::CATALOGUE;
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::source_tree::{NoFiles, SourceTree};

/// The handles in `files` that were there and are in none of them now.
pub(super) fn gone(files: &[RepoPath], before: &dyn SourceTree, here: &dyn SourceTree) -> Vec<Finding> {
    let mut found = Vec::new();
    for framework in CATALOGUE {
        let Some(replay_files) = framework.replay_files() else { continue };
        let own: Vec<&RepoPath> = files.iter().filter(|file| replay_files.may_be(file.as_str())).collect();
        let kept = |file: &RepoPath, tree: &dyn SourceTree| {
            let bytes = tree.read(file)?;
            replay_files.replays(&RunOutput::new(file.as_str(), &bytes), tree, &NoFiles)
        };
        let now: Vec<String> = own
            .iter()
            .filter_map(|file| kept(file, here))
            .flat_map(|replays| replays.failures)
            .filter_map(|one| handle(&one.failure))
            .collect();
        for file in own {
            for one in kept(file, before).into_iter().flat_map(|replays| replays.failures) {
                let Some(handle) = handle(&one.failure).filter(|handle| !now.contains(handle)) else { continue };
                let tests = std::iter::once(one.failure.test.clone()).chain(one.candidates).collect();
                found.push(Finding {
                    kind: "seed-removed",
                    file: file.clone(),
                    line: u32::try_from(one.failure.origin.line).ok(),
                    is_gone: true,
                    about: About { tests, framework: Some(framework.name()), requirement: None },
                    text: format!("`{handle}` is gone, or stands where no property would run it"),
                });
            }
        }
    }
    found
}

fn handle(failure: &Failure) -> Option<String> {
    if let Replay::NewSeed { handle, .. } = &failure.replay { Some(handle.clone()) } else { None }
}
