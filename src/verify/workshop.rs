//! Where pins are built before they are staged: a scratch copy of the work tree with what a staging would write in it.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::failure::TestName;
use crate::framework::{Building, CATALOGUE, Framework, Recording};
use crate::git::{Commit, Repository, apply_patch, check_patch, patched_files};
use crate::pin::Refusal;
use crate::proof::{BuildLayout, Manner, PinState, StandingPin};
use crate::repo_path::RepoPath;
use crate::scratch::{self, Mounted, Scratch};
use crate::source_tree::{Overlaid, SourceTree};
use crate::triage::{Triage, TriageError};

use super::allowance::Allowance;
use super::config::Config;
use super::elsewhere::Elsewhere;
use super::instrumented::Instrumented;
use super::{Aside, Desk, Onlooker, Proved, Ran, Stop, told};

/// What is asked for where all is to be built and nothing run.
const NO_TEST: &str = "redpin_runs_no_test";

/// How much longer a command with tests in it that may come to no end may take than others took: so many times, and so much
/// besides, as more is built.
const TIMES: u32 = 5;
const BESIDES: Duration = Duration::from_secs(120);

/// A scratch copy and what is run in it.
pub(super) struct Workshop<'a> {
    scratch: Scratch,
    tree: &'a dyn SourceTree,
    files: Vec<RepoPath>,
    desk: Desk,
    /// By framework, its library with a recorder in it, or why there is none.
    pub(super) copies: RefCell<BTreeMap<&'static str, Result<Instrumented, Refusal>>>,
    /// The work tree with packages in it, once it is asked for.
    with_packages: OnceCell<Mounted<'a>>,
    /// The longest that a command took here that built something and ran it; nothing where there was none.
    longest: Cell<Duration>,
    /// What is left of the time for expressions that are tried.
    allowance: Allowance,
}

impl<'a> Workshop<'a> {
    /// The workshop in `cache` for the work tree of `triage`, read by `tree`. Where another redpin is in it, `onlooker` is told,
    /// and it is waited for.
    ///
    /// # Errors
    /// Where the scratch copy cannot be made, and where the user ends the wait.
    pub(super) fn open(
        cache: &Path,
        triage: &Triage,
        tree: &'a dyn SourceTree,
        config: Config,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Workshop<'a>, TriageError> {
        scratch::sweep(cache);
        let keeps_replays = |path: &str| {
            CATALOGUE.iter().filter_map(|framework| framework.replay_files()).any(|files| files.may_be(path))
        };
        let files = files(tree);
        let led_out = led_out(tree, &files, triage.top());
        let scratch = opened(cache, triage.top(), onlooker)?
            .clearing(keeps_replays)
            .leading_to(installed(&files))
            .in_place_of(led_out);
        let mut config = config;
        config.manner.target = Some(scratch.target().to_string_lossy().into_owned());
        let (top, origin) = (scratch.tree(), Some(triage.top().to_owned()));
        let desk = Desk { top, origin, ..Desk::here(triage, config) };
        if !scratch.has_built() {
            for framework in CATALOGUE {
                if let Some(layout) = desk.layout(*framework, triage.top(), onlooker.stop())? {
                    scratch.seed(Path::new(&layout.target), &layout.own);
                }
            }
        }
        Ok(Workshop {
            files,
            scratch,
            tree,
            desk,
            copies: RefCell::default(),
            with_packages: OnceCell::new(),
            longest: Cell::default(),
            allowance: Allowance::default(),
        })
    }

    pub(super) fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    /// Whether something is built already that a build here can start from.
    pub(super) fn has_built(&self) -> bool {
        self.scratch.has_built()
    }

    /// The work tree.
    pub(super) fn tree(&self) -> &'a dyn SourceTree {
        self.tree
    }

    /// The same with the sources of the packages that it uses, as far as this machine has them.
    pub(super) fn tree_with_packages(&self) -> &Mounted<'a> {
        let of_one = |building: &dyn Building| building.packages(self.tree, &self.files);
        let packages = || CATALOGUE.iter().filter_map(|framework| framework.building()).flat_map(of_one).collect();
        self.with_packages.get_or_init(|| Mounted::new(self.tree, packages()))
    }

    /// The files that a build may need.
    pub(super) fn files(&self) -> &[RepoPath] {
        &self.files
    }

    pub(super) fn desk(&self) -> &Desk {
        &self.desk
    }

    pub(super) fn manner(&self) -> &Manner {
        &self.desk.config.manner
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
        self.proved(&self.desk, pins, changed, onlooker)
    }

    /// Whether no time is left for expressions that are tried.
    pub(super) fn tries_no_more(&self) -> bool {
        self.allowance.is_spent()
    }

    /// Gives as much time again, for expressions that are known to make values: they have done so once.
    pub(super) fn tries_again(&self) {
        self.allowance.renew();
    }

    /// The same where `tried` of the tests try expressions and may come to no end: what was not told by then is late.
    ///
    /// # Errors
    /// As there.
    pub(super) fn prove_soon(
        &self,
        pins: &[StandingPin],
        tried: usize,
        changed: &[(RepoPath, Vec<u8>)],
        onlooker: &mut dyn Onlooker,
    ) -> Result<Proved, TriageError> {
        let longest = self.longest.get();
        let desk = if longest.is_zero() { self.desk.clone() } else { self.desk.within(longest * TIMES + BESIDES) };
        let seconds = self.allowance.left().as_secs().max(1);
        onlooker.output(trying(tried, seconds).as_bytes());
        let proved = self.proved(&desk.trying(self.allowance.clone()), pins, changed, onlooker)?;
        if self.tries_no_more() {
            onlooker.output(ENDED.as_bytes());
        }
        Ok(proved)
    }

    fn proved(
        &self,
        desk: &Desk,
        pins: &[StandingPin],
        changed: &[(RepoPath, Vec<u8>)],
        onlooker: &mut dyn Onlooker,
    ) -> Result<Proved, TriageError> {
        self.scratch.mirror(&self.files, changed)?;
        let tree = Overlaid { tree: self.tree, files: changed };
        let proved = desk.prove(pins, &tree, onlooker)?;
        let in_time = proved.evidence.iter().filter(|one| one.state != PinState::TimedOut);
        let longest = in_time.map(|one| Duration::from_millis(one.milliseconds)).max();
        self.longest.set(self.longest.get().max(longest.unwrap_or_default()));
        Ok(proved)
    }

    /// Whether the code builds in which `pins` stand, with none of them in it.
    ///
    /// # Errors
    /// As there.
    pub(super) fn builds<'p>(
        &self,
        pins: impl Iterator<Item = &'p StandingPin>,
        onlooker: &mut dyn Onlooker,
    ) -> Result<bool, TriageError> {
        let asked: Vec<StandingPin> = pins.map(no_test).collect();
        let proved = self.prove(&asked, &[], &mut Aside(onlooker))?;
        Ok(proved.proofs.iter().all(|proof| proof.state != PinState::DoesNotBuild))
    }

    /// Has the copy hold the work tree and nothing else.
    ///
    /// # Errors
    /// Where the copy cannot be written.
    pub(super) fn clear(&self) -> Result<(), TriageError> {
        Ok(self.scratch.mirror(&self.files, &[])?)
    }

    /// Runs the command of `recording` on the work tree with its files in it.
    ///
    /// # Errors
    /// Where the copy cannot be written or the command cannot be started.
    pub(super) fn start(&self, recording: &Recording, onlooker: &mut dyn Onlooker) -> Result<Ran, TriageError> {
        let own = recording.files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes()));
        self.scratch.mirror(&self.files, &own.collect::<Vec<_>>())?;
        self.desk.start_in_folder(&recording.run, onlooker)
    }

    /// Sees that `patch` fits the work tree.
    ///
    /// # Errors
    /// Where it does not, or the copy cannot be written.
    pub(super) fn fits(&self, patch: &[u8]) -> Result<(), TriageError> {
        self.scratch.mirror(&self.files, &[])?;
        check_patch(&self.scratch.tree(), patch).map_err(TriageError::NoViolation)
    }

    /// How `tests` come out in the work tree with `patch` in it, which is not there any more when this returns; where there
    /// is a `limit`, they are built before it begins.
    ///
    /// # Errors
    /// Where the patch does not fit, the copy cannot be written or a command cannot be started.
    pub(super) fn prove_with(
        &self,
        tests: &[StandingPin],
        patch: &[u8],
        limit: Option<Duration>,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Proved, TriageError> {
        self.scratch.mirror(&self.files, &[])?;
        let names = patched_files(&self.scratch.tree(), patch)?;
        self.scratch.alter(&names, |tree| apply_patch(tree, patch))??;
        let proved = match limit {
            Some(limit) => self.prove_mutated(tests, limit, onlooker),
            None => self.desk.prove(tests, self.tree, onlooker),
        };
        self.scratch.mirror(&self.files, &[])?;
        proved
    }

    /// How `tests` come out in the copy as it stands, within `limit`, which the build does not count for.
    fn prove_mutated(
        &self,
        tests: &[StandingPin],
        limit: Duration,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Proved, TriageError> {
        let none: Vec<StandingPin> = tests.iter().map(no_test).collect();
        let built = self.desk.prove(&none, self.tree, &mut Aside(onlooker))?;
        match built.proofs.iter().any(|proof| proof.state == PinState::DoesNotBuild) {
            true => Ok(built),
            false => self.desk.within(limit).prove(tests, self.tree, onlooker),
        }
    }

    /// How `pins` come out at another commit, put in there.
    ///
    /// # Errors
    /// Where the commit's files cannot be written or a command cannot be started.
    pub(super) fn prove_at(
        &self,
        commit: &Commit,
        pins: &[StandingPin],
        repository: &Repository,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Proved, TriageError> {
        Elsewhere::stand(self, commit, pins, repository)?.prove(pins, onlooker)
    }
}

/// A test of which there is none where the pin stands.
fn no_test(pin: &StandingPin) -> StandingPin {
    StandingPin { test: Some(TestName(NO_TEST.to_owned())), ..pin.clone() }
}

/// What is said before expressions are tried.
fn trying(number: usize, seconds: u64) -> String {
    let expressions = if number == 1 { "expression" } else { "expressions" };
    format!("trying {number} {expressions} that may make values, for at most {seconds} s once they are built\n")
}

/// What is said where not all of them came out in time.
const ENDED: &str = "trying expressions was ended, as they took all the time that they have together; what did not come \
                     out by then is left, and all else goes on\n";

/// What is said where another redpin is at work there.
const BUSY: &[u8] = b"another redpin builds in the scratch copy of this repository; waiting until it is done\n";

/// The scratch copy, once nobody else is in it or the user ends the wait.
fn opened(cache: &Path, top: &Path, onlooker: &mut dyn Onlooker) -> Result<Scratch, TriageError> {
    let (stop, mut told) = (onlooker.stop().clone(), false);
    let waits = || {
        if !std::mem::replace(&mut told, true) {
            onlooker.output(BUSY);
        }
        stop.asked().is_none()
    };
    let scratch = Scratch::open(cache, top, waits)?;
    scratch.ok_or_else(|| TriageError::Stopped(stop.asked().unwrap_or_default()))
}

impl Desk {
    /// How the user builds what stands in the folder `top`.
    ///
    /// # Errors
    /// Where the user ends it.
    pub(super) fn layout(
        &self,
        framework: &dyn Framework,
        top: &Path,
        stop: &Stop,
    ) -> Result<Option<BuildLayout>, TriageError> {
        let Some(building) = framework.building() else { return Ok(None) };
        let told = told(building.layout_command(), top, &self.spool, stop)?;
        let layout = building.layout(&told, &self.config.manner.arguments);
        // A folder may be named from the top.
        let from_top = |target: String| top.join(target).to_string_lossy().into_owned();
        Ok(layout.map(|layout| BuildLayout { target: from_top(layout.target), ..layout }))
    }
}

/// The files that builds go by all the same, of every framework.
pub(super) fn build_files() -> impl Iterator<Item = &'static str> {
    CATALOGUE.iter().filter_map(|framework| framework.building()).flat_map(|building| building.files()).copied()
}

/// Those of `files` whose paths lead out of the repository at `top`, with what they must say elsewhere.
pub(super) fn led_out(tree: &dyn SourceTree, files: &[RepoPath], top: &Path) -> Vec<(RepoPath, Vec<u8>)> {
    let Some(top) = top.to_str() else { return Vec::new() };
    let of_one = |file: &RepoPath| {
        let buildings = CATALOGUE.iter().filter_map(|framework| framework.building());
        buildings.filter_map(|building| building.led_out(file, tree, top)).next()
    };
    files.iter().filter_map(|file| Some((file.clone(), of_one(file)?.into_bytes()))).collect()
}

/// Where packages may be installed that tests use: in any folder that has a file.
fn installed(files: &[RepoPath]) -> Vec<PathBuf> {
    let mut folders: Vec<&str> = files.iter().flat_map(RepoPath::folders).chain([""]).collect();
    folders.sort_unstable();
    folders.dedup();
    let names = || CATALOGUE.iter().flat_map(|framework| framework.installed());
    folders.iter().flat_map(|folder| names().map(move |name| Path::new(folder).join(name))).collect()
}

/// The files that a build may need: all that git knows or would add, and those that builds go by all the same.
fn files(tree: &dyn SourceTree) -> Vec<RepoPath> {
    let mut files = tree.find(&|_| true);
    let mut folders: Vec<String> = files.iter().flat_map(|file| file.folders().map(str::to_owned)).collect();
    folders.push(String::new());
    folders.sort();
    folders.dedup();
    let hidden: Vec<RepoPath> = build_files()
        .flat_map(|name| folders.iter().filter_map(|folder| RepoPath::in_folder(folder, name)))
        .filter(|file| tree.exists(file))
        .collect();
    files.extend(hidden);
    files.sort();
    files.dedup();
    files
}
