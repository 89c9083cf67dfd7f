//! From runs to filed failures: every framework reads every run, each failure is tied to the repository and named, and
//! what one failure shows in several places becomes one.

use std::collections::HashSet;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::carrier::{scan, sign};
use crate::cause::{self, CauseId, FailureId};
use crate::failure::{Ending, Failure, FrameworkName, Notice, Reading, Replay, TestName};
use crate::framework::{self, CATALOGUE, Framework, Replays, Unassigned};
use crate::hex::hex;
use crate::inbox::{Filed, Occurrence, State};
use crate::repo_path::RepoPath;
use crate::requirement::RequirementId;
use crate::run_output::RunOutput;
use crate::source::{self, Opened, RunArgument, SourceError};
use crate::source_tree::SourceTree;
use crate::sweep::{self, Sweep};
use crate::threads::{self, apart};
use crate::triage::spec::Spec;
use crate::visible;

use super::filing::Filing;
use super::sweep::Part;

/// Bytes at either end of a run by which it is known again.
const SAMPLE: usize = 64 << 10;

/// Failures that a thread is begun for to tie them to the repository.
const FEWEST: usize = 256;

/// To read a run from this size on, and to give back its bytes, takes a while.
const LARGE: usize = 64 << 20;

/// What reading says while it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A run was read.
    Read {
        /// Its name.
        run: String,
        /// Failures in it.
        failures: usize,
    },
}

/// How many failures one run showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundIn {
    /// The run.
    pub run: String,
    /// Failures in it.
    pub failures: usize,
}

/// What runs hold.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) filed: Vec<Arc<Filed>>,
    pub(super) notices: Vec<Notice>,
    pub(super) runs: Vec<FoundIn>,
    pub(super) sweeps: Vec<Part>,
}

/// Reads runs one after the other into one list of failures.
pub(super) struct Reader<'a> {
    tree: &'a dyn SourceTree,
    known: &'a dyn SourceTree,
    spec: Spec<'a>,
    imported: String,
    filing: Filing<'a>,
    runs: Vec<FoundIn>,
    /// What run files of sweeps tell in their first lines.
    sweeps: Vec<Part>,
    notices: Vec<Notice>,
    /// Whether any of the runs is one.
    any_run: bool,
    last_file: LastFile,
}

/// What the replay file told that was read last.
#[derive(Default)]
struct LastFile {
    /// Where its notices begin.
    notices: usize,
    /// Where its failures stand among all.
    failures: HashSet<usize>,
}

impl<'a> Reader<'a> {
    /// A reader that ties failures to the repository behind `tree`; `imported` is the time, as RFC 3339 in UTC.
    pub(super) fn new(tree: &'a dyn SourceTree, imported: String) -> Self {
        Reader {
            tree,
            known: tree,
            spec: Spec::new(tree),
            imported,
            filing: Filing::new(tree),
            runs: Vec::new(),
            sweeps: Vec::new(),
            notices: Vec::new(),
            any_run: false,
            last_file: LastFile::default(),
        }
    }

    /// The same, for replay files of the tree itself: their lines count that `known` does not have.
    pub(super) fn since(self, known: &'a dyn SourceTree) -> Self {
        Reader { known, ..self }
    }

    /// Opens and reads all of `runs`.
    pub(super) fn open(&mut self, runs: &[RunArgument], progress: &mut dyn FnMut(Progress)) -> Result<(), SourceError> {
        let notices = source::open(runs, &mut |Opened { name, bytes }| {
            let run = RunOutput::new(&name, &bytes);
            let told = if bytes.len() < LARGE { self.told(&run) } else { self.told_beside_the_list(&run) };
            if bytes.is_cut() {
                self.notices.push(cut(&name));
            }
            if bytes.len() >= LARGE {
                // Nobody waits for it; where there is no thread for it, they are given back whole.
                let _ = std::thread::Builder::new().spawn(move || bytes.give_back());
            }
            let failures = self.take(&name, told);
            progress(Progress::Read { run: name, failures });
        })?;
        self.notices.extend(notices);
        if !self.any_run && self.notices.is_empty() {
            self.notices.extend(runs.first().map(no_run));
        }
        Ok(())
    }

    /// Reads one run, and says how many failures it shows.
    pub(super) fn read(&mut self, run: &RunOutput<'_>) -> usize {
        let told = self.told(run);
        self.take(run.name, told)
    }

    /// The same of a large run, while git lists the files that will be asked for: to wait for it afterwards takes longer.
    fn told_beside_the_list(&self, run: &RunOutput<'_>) -> Told {
        let tree = self.tree;
        std::thread::scope(|scope| {
            // Where there is no thread for it, they are listed when they are asked for.
            let _ = std::thread::Builder::new().spawn_scoped(scope, || tree.find(&|_| false));
            self.told(run)
        })
    }

    /// What one run tells; its bytes are not needed any more after it.
    fn told(&self, file: &RunOutput<'_>) -> Told {
        let (sweep, bytes) = sweep::apart(file.bytes);
        let run = &file.with(bytes);
        let mut told = self.told_of_run(run);
        if sweep.is_some() {
            told.by_framework.iter_mut().for_each(ByFramework::move_down);
        }
        Told { sweep, ..told }
    }

    /// What the run itself tells.
    fn told_of_run(&self, run: &RunOutput<'_>) -> Told {
        let sought: Vec<_> = CATALOGUE.iter().map(|framework| framework.sought()).collect();
        let found = scan::find_all(run, &sought);
        let read = |(framework, found): (&&dyn Framework, _)| match self.replays(*framework, run) {
            Some(replays) => ByFramework::Replays(replays),
            None => ByFramework::Reading(self.told_apart(*framework, framework.read_found(run, found))),
        };
        let all = CATALOGUE.iter().zip(found);
        // A thread has its price, which a small run is not worth.
        let by_framework =
            settled(if run.bytes.len() < LARGE { all.map(read).collect() } else { threads::each(all, read) });
        let is_run = self.any_run || by_framework.iter().any(ByFramework::is_of_run) || sign::shows_tests(run.bytes);
        Told { digest: digest(run.bytes), by_framework, is_run, sweep: None }
    }

    /// The same with names that tell tests apart which the run calls the same.
    fn told_apart(&self, framework: &dyn Framework, mut reading: Reading) -> Reading {
        let notices = framework.tell_apart(&mut reading.failures, self.tree);
        if !notices.is_empty() {
            reading.notices.extend(notices);
            reading.notices.sort_by_key(|notice| notice.line);
        }
        reading
    }

    /// Takes in what a run tells, and says how many failures that is.
    fn take(&mut self, run: &str, told: Told) -> usize {
        let mut number = 0;
        for one in told.by_framework {
            number += match one {
                ByFramework::Replays(replays) => self.add_replays(replays, &told.digest).len(),
                ByFramework::Reading(reading) => self.add_reading(reading, &told.digest),
            };
        }
        self.any_run |= told.is_run || told.sweep.is_some();
        self.sweeps.extend(told.sweep.map(|sweep| Part { run: run.to_owned(), sweep }));
        self.runs.push(FoundIn { run: run.to_owned(), failures: number });
        number
    }

    /// Reads a file that may keep replay handles; where it does not, it is no run either.
    pub(super) fn read_replays(&mut self, file: &RunOutput<'_>) {
        let digest = digest(file.bytes);
        self.last_file = LastFile { notices: self.notices.len(), failures: HashSet::new() };
        for replays in self.all_replays(file) {
            let places = self.add_replays(replays, &digest);
            if !places.is_empty() {
                self.runs.push(FoundIn { run: file.name.to_owned(), failures: places.len() });
            }
            self.last_file.failures.extend(places);
        }
    }

    /// Reads another version of the replay file that was read last: what that had too is not told a second time.
    pub(super) fn read_other_version(&mut self, file: &RunOutput<'_>) {
        let digest = digest(file.bytes);
        for mut replays in self.all_replays(file) {
            replays.notices.retain(|notice| !self.notices[self.last_file.notices..].contains(notice));
            let places = self.add_replays(replays, &digest);
            let more = places.iter().filter(|place| !self.last_file.failures.contains(place)).count();
            match self.runs.last_mut().filter(|run| run.run == file.name) {
                Some(run) => run.failures += more,
                None if more > 0 => self.runs.push(FoundIn { run: file.name.to_owned(), failures: more }),
                None => {}
            }
        }
    }

    fn all_replays(&self, file: &RunOutput<'_>) -> Vec<Replays> {
        CATALOGUE.iter().filter_map(|framework| self.replays(*framework, file)).collect()
    }

    /// What replay handles tell, where the run is a file that keeps them.
    fn replays(&self, framework: &dyn Framework, run: &RunOutput<'_>) -> Option<Replays> {
        framework.replay_files()?.replays(run, self.tree, self.known)
    }

    /// What was found in all runs.
    pub(super) fn finish(mut self) -> Found {
        self.notices.extend(self.tree.trouble());
        Found { filed: self.filing.filed, notices: self.notices, runs: self.runs, sweeps: self.sweeps }
    }

    fn add_reading(&mut self, mut reading: Reading, digest: &str) -> usize {
        let number = reading.failures.len();
        let parts = reading.failures.chunks_mut(number.div_ceil(threads::most()).max(FEWEST));
        let ties =
            threads::each(parts, |part| apart(|| part.iter_mut().map(|failure| self.tie(failure)).collect::<Vec<_>>()));
        let ties = ties.into_iter().flatten();
        self.filing.reserve(number);
        for (failure, tie) in reading.failures.into_iter().zip(ties) {
            let filed = self.tied(failure, tie, digest);
            self.filing.add(filed);
        }
        self.notices.extend(reading.notices);
        number
    }

    /// Files what replay lines tell of: where each stands among all.
    fn add_replays(&mut self, replays: Replays, digest: &str) -> Vec<usize> {
        let mut places = Vec::new();
        for Unassigned { failure, candidates } in replays.failures {
            let mut filed = self.filed(failure, digest);
            filed.only_replay = true;
            filed.candidates = candidates.into_iter().map(|test| test.0).collect();
            places.push(self.filing.add(filed).0);
        }
        self.notices.extend(replays.notices);
        places
    }

    /// A failure tied to the repository and named.
    pub(super) fn filed(&self, mut failure: Failure, digest: &str) -> Filed {
        let tie = self.tie(&mut failure);
        self.tied(failure, tie, digest)
    }

    /// What ties a failure to the repository, and its names. Adds to it what the property says itself.
    fn tie(&self, failure: &mut Failure) -> Tie {
        if failure.ending == Ending::PinFailed
            && let Some(owner) = framework::owner(failure, self.tree)
        {
            failure.framework = FrameworkName(owner.name().to_owned());
        }
        let framework = framework::named(&failure.framework);
        let property = framework.and_then(|framework| framework.property(failure, self.tree));
        let package = match &property {
            Some(property) => property.package.clone(),
            None if failure.package.is_some() => None,
            None => framework.and_then(|framework| framework.package(failure, self.tree)),
        };
        let own_message =
            property.as_ref().filter(|_| !failure.panicked).and_then(|property| property.own_message.clone());
        if own_message.is_some() {
            failure.own_message.clone_from(&own_message);
        }
        Tie {
            id: cause::failure_id(failure, package.as_deref()),
            cause: cause::cause_id(failure),
            own_message,
            requirement: self.spec.cited(failure, property.as_ref()),
            line: property.as_ref().map(|property| property.line),
            file: property.map(|property| property.file),
        }
    }

    fn tied(&self, mut failure: Failure, tie: Tie, digest: &str) -> Filed {
        failure.own_message = tie.own_message;
        Filed {
            id: tie.id,
            cause: tie.cause,
            file: tie.file,
            line: tie.line,
            requirement: tie.requirement,
            occurrences: vec![self.occurrence(&failure, digest)].into(),
            pin_failed: failure.ending == Ending::PinFailed,
            candidates: Vec::new(),
            only_replay: false,
            state: State::Open,
            verdict: None,
            note: String::new(),
            reopened: false,
            failure: failure.into(),
        }
    }

    fn occurrence(&self, failure: &Failure, digest: &str) -> Occurrence {
        let handle = match &failure.replay {
            Replay::NewSeed { handle, .. } => Some(handle.clone()),
            Replay::Replayed | Replay::None => None,
        };
        Occurrence {
            origin: failure.origin.clone(),
            imported: self.imported.clone(),
            digest: digest.to_owned(),
            handle,
        }
    }
}

/// What one run tells.
struct Told {
    digest: String,
    by_framework: Vec<ByFramework>,
    /// Whether it is a run at all.
    is_run: bool,
    /// What its first line tells, where it is a sweep's.
    sweep: Option<Sweep>,
}

/// What one framework finds in a run.
enum ByFramework {
    Replays(Replays),
    Reading(Reading),
}

impl ByFramework {
    fn reading(&self) -> Option<&Reading> {
        match self {
            ByFramework::Reading(reading) => Some(reading),
            ByFramework::Replays(_) => None,
        }
    }

    /// Counts lines as the file does in which one stands before the run.
    fn move_down(&mut self) {
        let (failures, notices): (Vec<&mut Failure>, _) = match self {
            ByFramework::Replays(replays) => {
                (replays.failures.iter_mut().map(|one| &mut one.failure).collect(), &mut replays.notices)
            }
            ByFramework::Reading(reading) => (reading.failures.iter_mut().collect(), &mut reading.notices),
        };
        failures.into_iter().for_each(|failure| failure.origin.line += 1);
        notices.iter_mut().filter_map(|notice| notice.line.as_mut()).for_each(|line| *line += 1);
    }

    /// Whether what was found shows that it is a run.
    fn is_of_run(&self) -> bool {
        match self {
            ByFramework::Replays(_) => true,
            ByFramework::Reading(reading) => !reading.failures.is_empty(),
        }
    }
}

/// The same with doubts as notices that nothing any framework told has settled.
fn settled(by_framework: Vec<ByFramework>) -> Vec<ByFramework> {
    let readings = || by_framework.iter().filter_map(ByFramework::reading);
    if readings().all(|reading| reading.doubts.is_empty()) {
        return by_framework;
    }
    let told: HashSet<TestName> =
        readings().flat_map(|reading| &reading.failures).map(|failure| failure.test.clone()).collect();
    let settle = |one| match one {
        ByFramework::Reading(reading) => ByFramework::Reading(reading.settled(|test| told.contains(test))),
        replays => replays,
    };
    by_framework.into_iter().map(settle).collect()
}

/// What ties a failure to the repository.
struct Tie {
    id: FailureId,
    cause: CauseId,
    own_message: Option<String>,
    file: Option<RepoPath>,
    line: Option<u32>,
    requirement: Option<RequirementId>,
}

/// What to say of a run whose file was shortened while it was read.
fn cut(run: &str) -> Notice {
    let text =
        "it became shorter while it was read, so that failures may be missing; read it again when it is complete";
    Notice { file: visible::line(run).into_owned(), line: None, text: text.to_owned() }
}

/// What to say where nothing that the user named is a run: no failures in the wrong file is not the same as none at all.
fn no_run(named: &RunArgument) -> Notice {
    let file = match named {
        RunArgument::StandardInput => "-".to_owned(),
        RunArgument::Path(path) => visible::line(&path.to_string_lossy()).into_owned(),
    };
    let text = "expected the output of a test run or a regression file, found no sign of either: is it the right file?";
    Notice { file, line: None, text: text.to_owned() }
}

/// A short digest of a run: of its length and of both its ends, so that a log of a gigabyte costs no pass of its own. Ends
/// hold times and thread numbers, which differ from run to run.
fn digest(bytes: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(&bytes[..bytes.len().min(SAMPLE)]);
    hash.update(&bytes[bytes.len().saturating_sub(SAMPLE)..]);
    hex(&hash.finalize()[..8])
}
