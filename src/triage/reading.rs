//! From runs to filed failures: every framework reads every run, each failure is tied to the repository and named, and
//! what one failure shows in several places becomes one.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::carrier::sign;
use crate::cause;
use crate::failure::{Ending, Failure, Notice, Reading, Replay};
use crate::framework::{CATALOGUE, Replays, Unassigned};
use crate::inbox::{Filed, Occurrence, State};
use crate::run_output::RunOutput;
use crate::source::{self, RunArgument, SourceError};
use crate::source_tree::SourceTree;
use crate::visible;

use super::filing::Filing;
use super::spec::Spec;

/// Bytes at either end of a run by which it is known again.
const SAMPLE: usize = 64 << 10;

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
}

/// Reads runs one after the other into one list of failures.
pub(super) struct Reader<'a> {
    tree: &'a dyn SourceTree,
    known: &'a dyn SourceTree,
    spec: Spec<'a>,
    imported: String,
    filing: Filing,
    runs: Vec<FoundIn>,
    notices: Vec<Notice>,
    /// Whether any of the runs is one.
    any_run: bool,
}

impl<'a> Reader<'a> {
    /// A reader that ties failures to the repository behind `tree`; `imported` is the time, as RFC 3339 in UTC.
    pub(super) fn new(tree: &'a dyn SourceTree, imported: String) -> Self {
        Reader {
            tree,
            known: tree,
            spec: Spec::new(tree),
            imported,
            filing: Filing::default(),
            runs: Vec::new(),
            notices: Vec::new(),
            any_run: false,
        }
    }

    /// The same, for replay files of the tree itself: their lines count that `known` does not have.
    pub(super) fn since(self, known: &'a dyn SourceTree) -> Self {
        Reader { known, ..self }
    }

    /// Opens and reads all of `runs`.
    pub(super) fn open(&mut self, runs: &[RunArgument], progress: &mut dyn FnMut(Progress)) -> Result<(), SourceError> {
        let notices = source::open(runs, &mut |opened| {
            let failures = self.read(&RunOutput { name: &opened.name, bytes: &opened.bytes });
            progress(Progress::Read { run: opened.name.clone(), failures });
        })?;
        self.notices.extend(notices);
        if !self.any_run && self.notices.is_empty() {
            self.notices.extend(runs.first().map(no_run));
        }
        Ok(())
    }

    /// Reads one run, and says how many failures it shows.
    pub(super) fn read(&mut self, run: &RunOutput<'_>) -> usize {
        let digest = digest(run.bytes);
        let mut number = 0;
        for framework in CATALOGUE {
            let replays = framework.replays(run, self.tree, self.known);
            self.any_run |= replays.is_some();
            number += match replays {
                Some(replays) => self.add_replays(replays, &digest),
                None => self.add_reading(framework.read(run), &digest),
            };
        }
        self.any_run = self.any_run || number > 0 || sign::shows_tests(run.bytes);
        self.runs.push(FoundIn { run: run.name.to_owned(), failures: number });
        number
    }

    /// Reads a file that may keep replay handles; where it does not, it is no run either.
    pub(super) fn read_replays(&mut self, file: &RunOutput<'_>) {
        let digest = digest(file.bytes);
        for replays in CATALOGUE.iter().filter_map(|framework| framework.replays(file, self.tree, self.known)) {
            let failures = self.add_replays(replays, &digest);
            if failures > 0 {
                self.runs.push(FoundIn { run: file.name.to_owned(), failures });
            }
        }
    }

    /// What was found in all runs.
    pub(super) fn finish(mut self) -> Found {
        let trouble = self.tree.trouble().map(|text| Notice { file: "git".to_owned(), line: None, text });
        self.notices.extend(trouble);
        Found { filed: self.filing.filed, notices: self.notices, runs: self.runs }
    }

    fn add_reading(&mut self, reading: Reading, digest: &str) -> usize {
        let number = reading.failures.len();
        for failure in reading.failures {
            let filed = self.filed(failure, digest);
            self.filing.add(filed);
        }
        self.notices.extend(reading.notices);
        number
    }

    fn add_replays(&mut self, replays: Replays, digest: &str) -> usize {
        let number = replays.failures.len();
        for Unassigned { failure, candidates } in replays.failures {
            let mut filed = self.filed(failure, digest);
            filed.only_replay = true;
            filed.candidates = candidates.into_iter().map(|test| test.0).collect();
            self.filing.add(filed);
        }
        self.notices.extend(replays.notices);
        number
    }

    /// A failure tied to the repository and named.
    pub(super) fn filed(&self, failure: Failure, digest: &str) -> Filed {
        let framework = CATALOGUE.iter().find(|framework| framework.name() == failure.framework.0);
        let property = framework.and_then(|framework| framework.property(&failure, self.tree));
        Filed {
            id: cause::failure_id(&failure, property.as_ref().and_then(|property| property.package.as_deref())),
            cause: cause::cause_id(&failure),
            file: property.as_ref().map(|property| property.file.clone()),
            line: property.as_ref().map(|property| property.line),
            requirement: self.spec.cited(&failure, property.as_ref()),
            occurrences: vec![self.occurrence(&failure, digest)],
            pin_failed: failure.ending == Ending::PinFailed,
            candidates: Vec::new(),
            only_replay: false,
            state: State::Open,
            verdict: None,
            note: String::new(),
            failure,
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
    hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}
