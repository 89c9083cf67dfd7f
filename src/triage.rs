//! The use case both faces call: reads runs into the inbox, takes verdicts, works out their consequences and stages them,
//! and goes back and forth in the history of all that. Frameworks only through the catalogue.
//! Runs come in by `intake/`, verdicts go out by `staging/`, and `records/` tells what became of them in the repository.

mod case;
mod detail;
mod error;
mod hints;
mod intake;
mod records;
mod select;
mod spec;
mod staging;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use crate::git::{Commit, Repository, User, WorkTree};
use crate::history::{Change, Event, Step};
use crate::inbox::{FailureId, Filed, Inbox, Mark, State};
use crate::proof::Evidence;
use crate::store::{Store, StoreError};
use crate::verdict::Verdict;

pub use crate::source::RunArgument;
pub use detail::is_seed;
pub use error::{Blame, TriageError};
pub use intake::import::Imported;
pub use intake::look::{Listing, look, look_for};
pub use intake::reading::{FoundIn, Progress};
pub use intake::run_tests::{Ran, Witness};
pub use intake::sweep::{SweepWish, Swept};
pub(crate) use records::cut::{OF_RECORD, cut};
pub use records::record::records_of;
pub use select::is_called;
pub use staging::allow::Subject;
pub use staging::by_hand::Draft;
pub use staging::files::Recorded;
pub use staging::pins::{PinWish, PinsPreview};
pub use staging::plan::{Outcome, StagedFailure};
pub use staging::prove::{Bench, Chosen, Planned, Proposal, Prover};
pub use staging::stage::Staged;
pub use staging::wish::{Choice, Held, Ignored};

/// Reads the clock: handed in, so that this use case knows none.
pub type Now = fn() -> jiff::Timestamp;

/// A repository with its inbox.
pub struct Triage {
    directory: PathBuf,
    repository: Repository,
    store: Store,
    now: Now,
    who: OnceLock<User>,
    settled: Option<String>,
    /// What running pins showed, and how long its file was when it was read.
    evidence: Mutex<(u64, Arc<Vec<Evidence>>)>,
}

/// What stands above the inbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// The repository's folder name.
    pub repository: String,
    /// The branch, or the short id of a commit where none is checked out.
    pub branch: String,
    /// The runs imported last; empty where none were.
    pub run: String,
    /// When they were imported, as `2026-11-30 03:17` in UTC; empty where none were.
    pub date: String,
}

impl Triage {
    /// Opens the repository that `dir` is in, and its inbox. Reads no index and no source.
    ///
    /// # Errors
    /// Where there is no repository, or its inbox cannot be read.
    pub fn open(dir: &Path, now: Now) -> Result<Triage, TriageError> {
        Triage::with(dir, now, Store::open)
    }

    /// The same for whoever shows the list first: failures are read as they are looked at, and [`Triage::check`] tells
    /// whether all of them can be.
    ///
    /// # Errors
    /// As [`Triage::open`].
    pub fn glance(dir: &Path, now: Now) -> Result<Triage, TriageError> {
        Triage::with(dir, now, Store::glance)
    }

    fn with(
        dir: &Path,
        now: Now,
        open: impl FnOnce(&Path) -> Result<Store, StoreError>,
    ) -> Result<Triage, TriageError> {
        let repository = Repository::discover(dir)?;
        let settled = repository.recover()?.map(|recovered| recovered.message);
        let store = open(&store_folder(&repository))?;
        let mut triage = Triage {
            directory: dir.to_owned(),
            repository,
            store,
            now,
            who: OnceLock::new(),
            settled,
            evidence: Mutex::default(),
        };
        triage.catch_up()?;
        Ok(triage)
    }

    /// [`Triage::glance`] where that takes a few milliseconds at the most, so that a screen need not be shown without it.
    /// `None` where it would take longer, or where something is wrong.
    pub fn at_once(dir: &Path, now: Now) -> Option<Triage> {
        let repository = Repository::discover_at_once(dir)?;
        let store = Store::at_once(&store_folder(&repository))?;
        let directory = dir.to_owned();
        let triage = Triage {
            directory,
            repository,
            store,
            now,
            who: OnceLock::new(),
            settled: None,
            evidence: Mutex::default(),
        };
        triage.is_caught_up().ok()?.then_some(triage)
    }

    /// Sees that all failures can be read.
    ///
    /// # Errors
    /// Where the inbox is damaged.
    pub fn check(&mut self) -> Result<(), TriageError> {
        Ok(self.store.check()?)
    }

    /// What an earlier redpin, killed half way, left to settle, and what became of it: one line for the user.
    pub fn settled(&self) -> Option<&str> {
        self.settled.as_deref()
    }

    /// The folder at the top of the work tree.
    pub fn top(&self) -> &Path {
        self.repository.top()
    }

    /// The failures. A clone is cheap.
    pub fn inbox(&self) -> &Inbox {
        self.store.inbox()
    }

    /// What stands above them.
    pub fn heading(&self) -> Heading {
        let name = self.repository.top().file_name().unwrap_or_default();
        let imported = self.store.imported();
        Heading {
            repository: name.to_string_lossy().into_owned(),
            branch: self.repository.branch().unwrap_or_default(),
            run: self.store.run().to_owned(),
            date: imported.get(..16).unwrap_or(imported).replace('T', " "),
        }
    }

    /// The failure that a user calls `text`: by id, by the beginning of one, or by the end of a test name.
    ///
    /// # Errors
    /// Where it means none, or more than one.
    pub fn find(&self, text: &str) -> Result<FailureId, TriageError> {
        select::select(self.inbox(), text).map(|filed| filed.id.clone())
    }

    /// Gives a failure its verdict (`None` opens it again) and, where given, its note. Nothing is staged by this.
    ///
    /// # Errors
    /// Where there is no such failure, another verdict on it is staged, or the inbox cannot be written.
    pub fn decide(
        &mut self,
        id: &FailureId,
        verdict: Option<Verdict>,
        note: Option<&str>,
    ) -> Result<Arc<Filed>, TriageError> {
        self.decide_all(std::slice::from_ref(id), verdict, note)?;
        self.inbox().get(id).cloned().ok_or_else(|| TriageError::Gone(id.clone()))
    }

    /// The same for several failures, as one step of the history: one undo takes all of it back.
    ///
    /// # Errors
    /// As [`Triage::decide`], for any of them; nothing has changed then.
    pub fn decide_all(
        &mut self,
        ids: &[FailureId],
        verdict: Option<Verdict>,
        note: Option<&str>,
    ) -> Result<(), TriageError> {
        let mut writing = self.store.lock()?;
        let mut changes = Vec::new();
        for id in ids {
            let filed = writing.inbox().get(id).ok_or_else(|| TriageError::Gone(id.clone()))?;
            records::fate::refuse_another(filed, verdict, &self.repository)?;
            let was = filed.mark();
            let now = decided(&was, verdict, note);
            if now != was {
                changes.push(Change { id: id.clone(), was, now });
            }
        }
        if !changes.is_empty() {
            let title = decision_title(writing.inbox(), &changes, verdict);
            writing.record(Event::Done(Step { title, changes, operation: None, naming: None }))?;
        }
        Ok(())
    }

    /// The repository's files as they are in the work tree.
    pub fn work_tree(&self) -> WorkTree {
        self.repository.work_tree()
    }

    /// The repository itself.
    pub fn repository(&self) -> &Repository {
        &self.repository
    }

    /// The commit that a user calls `name`.
    ///
    /// # Errors
    /// Where that names none.
    pub fn commit_called(&self, name: &str) -> Result<Commit, TriageError> {
        self.repository.commit_called(name)?.ok_or_else(|| TriageError::NoCommit(name.to_owned()))
    }

    /// The commit that is checked out, with a `+` where the work tree differs from it; empty before the first.
    pub fn commit(&self) -> String {
        self.repository.commit().unwrap_or_default()
    }

    /// The folder in which redpin keeps what is no matter of the repository.
    pub fn store_folder(&self) -> PathBuf {
        store_folder(&self.repository)
    }

    /// A folder on the repository's own disk, for what is kept while a command runs.
    pub fn spool_folder(&self) -> &Path {
        self.repository.git_dir()
    }

    /// The folder beside the inbox in which lies what has tests hand over what they know.
    pub fn capture_folder(&self) -> PathBuf {
        self.store_folder().join("capture")
    }

    /// The time in UTC as RFC 3339, without fractions of seconds.
    pub fn now(&self) -> String {
        self.timestamp()
    }

    fn timestamp(&self) -> String {
        rfc3339(self.now)
    }
}

/// The editor that git's configuration names for the repository that `dir` is in.
pub fn configured_editor(dir: &Path) -> Option<String> {
    Repository::discover(dir).ok()?.configured_editor()
}

/// The time in UTC, without fractions of seconds.
fn rfc3339(now: Now) -> String {
    now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The mark after a decision. The verdict that stands already, with the note that stands already, changes nothing.
fn decided(was: &Mark, verdict: Option<Verdict>, note: Option<&str>) -> Mark {
    let note = note.unwrap_or(&was.note).to_owned();
    if was.verdict == verdict && was.note == note {
        return was.clone();
    }
    let state = if verdict.is_some() { State::Decided } else { State::Open };
    Mark { state, verdict, note, reopened: was.reopened && verdict.is_none() }
}

fn decision_title(inbox: &Inbox, changes: &[Change], verdict: Option<Verdict>) -> String {
    let word = verdict.map_or("no verdict", Verdict::word);
    let of_one = |change: &Change| inbox.get(&change.id).map(|filed| filed.failure.test.function().to_owned());
    match changes {
        [one] => format!("decide {word} on {}", of_one(one).unwrap_or_default()),
        _ => format!("decide {word} on {} failures", changes.len()),
    }
}

fn store_folder(repository: &Repository) -> PathBuf {
    repository.git_dir().join("redpin")
}
