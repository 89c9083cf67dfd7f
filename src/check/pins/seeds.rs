//! Inputs that a framework keeps in files of its own, and that some property would not run any more which did.

use std::collections::{BTreeMap, BTreeSet};

use super::{About, Finding};
use crate::failure::{Failure, Replay, TestName};
use crate::framework::{CATALOGUE, ReplayFiles};
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::source_tree::{NoFiles, SourceTree};

/// What became of properties: of each test by the end of its name what it is called now, where it is still there.
pub(super) struct Fates<'w> {
    /// The tests in the files that differ.
    stood: BTreeSet<&'w str>,
    /// What those that are still there are called now.
    now: BTreeMap<&'w str, &'w str>,
}

impl<'w> Fates<'w> {
    pub(super) fn new(
        stood: impl IntoIterator<Item = &'w TestName>,
        followed: impl IntoIterator<Item = (&'w TestName, &'w TestName)>,
    ) -> Self {
        let pairs = followed.into_iter().map(|(then, now)| (then.function(), now.function()));
        Fates { stood: stood.into_iter().map(TestName::function).collect(), now: pairs.collect() }
    }

    /// What a test is called now; `None` where it is gone.
    fn now<'t>(&'t self, test: &'t TestName) -> Option<&'t str> {
        let name = test.function();
        if self.stood.contains(name) { self.now.get(name).copied() } else { Some(name) }
    }
}

/// A handle of a seed file.
struct Kept {
    handle: String,
    line: Option<u32>,
    tests: Vec<TestName>,
}

/// The handles of the base that a property ran which does not run them now. `files` are those that differ.
pub(super) fn gone(
    files: &[RepoPath],
    before: &dyn SourceTree,
    here: &dyn SourceTree,
    fates: &Fates<'_>,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for framework in CATALOGUE {
        let Some(replay_files) = framework.replay_files() else { continue };
        let is_own = |path: &str| replay_files.may_be(path);
        // A file of seeds that is as it was runs them as ever, unless a source went away.
        let is_moved = files.iter().any(|file| before.exists(file) && !here.exists(file)) || !fates.stood.is_empty();
        let own = |tree: &dyn SourceTree| match is_moved {
            true => tree.find(&is_own),
            false => files.iter().filter(|file| is_own(file.as_str())).cloned().collect(),
        };
        let then = own(before);
        if then.is_empty() {
            continue;
        }
        // Whatever its inputs are called now, a property runs all that its file holds.
        let now: Vec<Kept> = own(here).iter().flat_map(|file| kept(file, here, replay_files, bare)).collect();
        for file in then {
            for one in kept(&file, before, replay_files, str::to_owned) {
                let runs = |test: &str| {
                    let same = now.iter().filter(|other| other.handle == one.handle);
                    same.flat_map(|other| &other.tests).any(|other| other.function() == test)
                };
                let is_kept = now.iter().any(|other| other.handle == one.handle);
                let missing = one.tests.iter().find(|test| fates.now(test).is_some_and(|now| !runs(now)));
                let text = match missing {
                    None if is_kept => continue,
                    Some(test) if is_kept => {
                        format!(
                            "`{}` stands where {test}, which may have left it, does not run it any more",
                            one.handle
                        )
                    }
                    _ => format!("`{}` is gone, or stands where no property would run it", one.handle),
                };
                let about = About { tests: one.tests, framework: Some(framework.name()), requirement: None };
                let (file, line) = (file.clone(), one.line);
                found.push(Finding { kind: "seed-removed", file, line, is_gone: true, about, text });
            }
        }
    }
    found
}

/// The handles of a file, each with the properties that run it.
fn kept(file: &RepoPath, tree: &dyn SourceTree, replay_files: &dyn ReplayFiles, read: fn(&str) -> String) -> Vec<Kept> {
    let Some(bytes) = tree.read(file) else { return Vec::new() };
    let text = read(&String::from_utf8_lossy(&bytes));
    let replays = replay_files.replays(&RunOutput::new(file.as_str(), text.as_bytes()), tree, &NoFiles);
    let all = replays.map_or_else(Vec::new, |replays| replays.failures);
    let one = |failure: Failure, candidates: Vec<TestName>| {
        let Replay::NewSeed { handle, file: home } = &failure.replay else { return None };
        // A source of that name which keeps its seeds elsewhere does not run these.
        let is_home = home.as_ref().is_none_or(|home| home.0 == file.as_str());
        let tests = match candidates.is_empty() {
            _ if !is_home => Vec::new(),
            true => vec![failure.test.clone()],
            false => candidates,
        };
        Some(Kept { handle: handle.clone(), line: u32::try_from(failure.origin.line).ok(), tests })
    };
    all.into_iter().filter_map(|replay| one(replay.failure, replay.candidates)).collect()
}

/// The lines of a text without what is remarked behind them: the inputs that they stand for.
fn bare(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", line.split(" #").next().unwrap_or_default())).collect()
}
