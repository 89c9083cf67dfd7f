//! Staging: an operation happens as a whole or not at all, can be taken back and done again, and one that a kill cut off
//! is settled at the next start.

use std::collections::HashMap;
use std::fs::File;
use std::path::PathBuf;

use crate::repo_path::RepoPath;

use super::carry::{self, Way};
use super::error::{GitError, GitErrorKind};
use super::index::{self, Stamp};
use super::journal::{Journal, Move, State};
use super::kept::Contents;
use super::lock;
use super::objects;
use super::operation::{Operation, OperationId, Recovered, Undone, Write};
use super::past::Past;
use super::place::Record;
use super::plan;
use super::repository::{Repository, Step};
use super::work_file;
use super::writing::Writing;

/// Files or folders that git keeps while it waits for the user, and what it is doing then.
const UNFINISHED: [(&str, &str); 5] = [
    ("MERGE_HEAD", "a merge"),
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
];

/// The repository held for one operation that is still being worked out: no other redpin writes into it meanwhile, and git
/// locks and reads the index already. Dropped, it is as if it had never been.
#[derive(Debug)]
pub struct Held {
    desk: Desk,
    writing: Option<Writing>,
}

/// The journal while nobody else writes into it.
#[derive(Debug)]
struct Desk {
    journal: Journal,
    lock: File,
}

impl Desk {
    fn take(repository: &Repository) -> Result<Desk, GitError> {
        let journal = Journal::of(repository.git_dir());
        let lock = lock::take(journal.make_folder()?)?;
        Ok(Desk { journal, lock })
    }
}

impl Repository {
    /// Does `operation`, in the index and in the work tree.
    ///
    /// # Errors
    /// Where it cannot be done as a whole. Then nothing has changed.
    pub fn stage(&self, operation: &Operation) -> Result<OperationId, GitError> {
        let writes_index = operation.files.iter().any(|change| change.index != Write::Keep);
        let held = self.held(writes_index)?;
        self.stage_held(held, operation)
    }

    /// Holds the repository for an operation that is worked out now. Staging is faster for it in a large repository, where
    /// git takes its time to read the index; others wait for it, so let it be short.
    ///
    /// # Errors
    /// Where somebody else holds the repository, or it is in the middle of a merge.
    pub fn hold(&self) -> Result<Held, GitError> {
        self.held(true)
    }

    fn held(&self, with_index: bool) -> Result<Held, GitError> {
        let desk = self.ready()?;
        self.refuse_unfinished()?;
        let writing = with_index.then(|| Writing::begin(self, &desk.lock)).transpose()?;
        Ok(Held { desk, writing })
    }

    /// Does `operation` as [`Repository::stage`] does, in a repository that is held already.
    ///
    /// # Errors
    /// Where it cannot be done as a whole. Then nothing has changed.
    pub fn stage_held(&self, held: Held, operation: &Operation) -> Result<OperationId, GitError> {
        let Held { desk, writing } = held;
        self.step(Step::Check)?;
        let stamp = plan::check(self, operation)?;
        self.step(Step::Keep)?;
        let (logged, contents) = plan::plan(self, operation)?;
        self.step(Step::Log)?;
        let id = desk.journal.begin(&logged, &contents)?;
        let way = Way { logged: &logged, token: id.to_string(), makes_folders: true };
        // Who held the repository did not know yet whether the index would change.
        let writes_index = logged.files.iter().any(|file| file.index.is_some());
        let writing = writing.filter(|_| writes_index).map(|writing| (writing, stamp));
        self.carry(&desk, &way, &contents, writing, || desk.journal.complete(id))?;
        // What should have been forgotten takes a little room and is passed over.
        drop(desk.journal.trim());
        Ok(id)
    }

    /// Takes the last operation back.
    ///
    /// # Errors
    /// Where there is none, or a file is no longer as that operation left it. Then nothing has changed.
    pub fn undo(&self) -> Result<Undone, GitError> {
        let desk = self.ready()?;
        let last = desk.journal.states()?.into_iter().rev().find(|(_, state)| *state == State::Done);
        let nothing = || GitError::new(GitErrorKind::NothingToUndo, "there is no operation to undo");
        self.walk(&desk, last.ok_or_else(nothing)?.0, &UNDO)
    }

    /// Does the operation again that was taken back last.
    ///
    /// # Errors
    /// Where there is none, or a file is no longer as the undo left it. Then nothing has changed.
    pub fn redo(&self) -> Result<Undone, GitError> {
        let desk = self.ready()?;
        let states = desk.journal.states()?;
        let after_done = states.rsplit(|(_, state)| *state == State::Done).next().unwrap_or_default();
        let nothing = || GitError::new(GitErrorKind::NothingToRedo, "there is no operation to redo");
        let (id, _) = after_done.first().ok_or_else(nothing)?;
        self.walk(&desk, *id, &REDO)
    }

    /// Settles what a killed redpin left half way: walks to the end where the index is written, else back to the start.
    /// `None` where there is nothing to settle.
    ///
    /// # Errors
    /// Where git or the disk says no; the next call tries again.
    pub fn recover(&self) -> Result<Option<Recovered>, GitError> {
        if self.is_settled()? {
            return Ok(None);
        }
        self.settle(&Desk::take(self)?, false)
    }

    /// Whether nothing is left half way.
    pub(super) fn is_settled(&self) -> Result<bool, GitError> {
        Ok(!Journal::of(self.git_dir()).states()?.iter().any(|(_, state)| state.is_underway()))
    }

    /// What a killed redpin left half way: the operation's file in the journal, and what happened. `None` where there is
    /// nothing, or where a redpin is still at it. Settles and writes nothing.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn left_half_way(&self) -> Result<Option<(PathBuf, String)>, GitError> {
        let journal = Journal::of(self.git_dir());
        let underway = || Ok(journal.states()?.into_iter().find(|(_, state)| state.is_underway()));
        let Some((id, state)) = underway()? else { return Ok(None) };
        // One that ended while the lock was looked at is not half way.
        if lock::is_held(journal.folder()) || underway()? != Some((id, state)) {
            return Ok(None);
        }
        let title = journal.read(id, state)?.title;
        let what = format!("redpin was stopped during {}", named(&title, state));
        Ok(Some((journal.path(id, state), what)))
    }

    /// The journal, locked, once nothing is left half way.
    fn ready(&self) -> Result<Desk, GitError> {
        let desk = Desk::take(self)?;
        if let Some(recovered) = self.settle(&desk, false)? {
            return Err(GitError::new(GitErrorKind::Settled, recovered.message));
        }
        Ok(desk)
    }

    /// Ends the operation that is under way: to where it is closer to, or back in any case.
    fn settle(&self, desk: &Desk, give_up: bool) -> Result<Option<Recovered>, GitError> {
        let journal = &desk.journal;
        let Some((id, state)) = journal.states()?.into_iter().find(|(_, state)| state.is_underway()) else {
            return Ok(None);
        };
        let written = journal.read(id, state)?;
        let contents = journal.contents(id, state)?;
        let operation = written.told(id);
        let forward = state != State::Undoing;
        let logged = if forward { written } else { written.reversed() };
        let way = Way { logged: &logged, token: id.to_string(), makes_folders: forward };
        let found = carry::look(self, &way, &contents)?;
        let onwards = found.onwards && !give_up;
        let left = match onwards {
            true => carry::onwards(self, &way, &found, &contents)?,
            false => carry::back(self, &way, &found, &contents, &desk.lock)?,
        };
        match (state, onwards) {
            (State::Staging, true) => journal.complete(id)?,
            (State::Redoing, true) | (State::Undoing, false) => journal.turn(id, state, State::Done)?,
            (State::Undoing, true) | (State::Redoing, false) => journal.turn(id, state, State::Undone)?,
            (_, _) => journal.forget(id, state)?,
        }
        let message = message(&operation.title, state, onwards, &left);
        Ok(Some(Recovered { stands: forward == onwards, operation, message }))
    }

    fn refuse_unfinished(&self) -> Result<(), GitError> {
        let found = UNFINISHED.iter().find(|(name, _)| self.git_dir().join(name).exists());
        match found {
            Some((_, what)) => Err(GitError::new(GitErrorKind::Merging, format!("{what} is in progress"))),
            None => Ok(()),
        }
    }

    /// Refuses an operation that is in a commit by now. That is what it was for: to take it out again would be a change of
    /// its own.
    ///
    /// # Errors
    /// Where it is, or git cannot tell.
    pub fn refuse_committed(&self, past: Past) -> Result<(), GitError> {
        let written = Journal::of(self.git_dir()).read(past.id, past.state())?;
        let new = |file: &Move| Some((file.path.clone(), file.index.as_ref()?.new.clone()?));
        let staged: Vec<(RepoPath, Record)> =
            written.files.iter().filter(|file| !file.was_committed).filter_map(new).collect();
        let paths: Vec<&RepoPath> = staged.iter().map(|(path, _)| path).collect();
        let head = objects::at_head(self, &paths)?;
        let is_there = |(path, new): &&(RepoPath, Record)| {
            head.get(path).is_some_and(|file| file.id == new.id && file.mode == new.mode)
        };
        match staged.iter().find(is_there) {
            Some((path, _)) => {
                let message = format!("“{}” is committed by now, as {path} shows", written.title);
                Err(GitError::new(GitErrorKind::Committed, message))
            }
            None => Ok(()),
        }
    }

    /// Walks an operation of the journal one way or the other.
    fn walk(&self, desk: &Desk, id: OperationId, turn: &Turn) -> Result<Undone, GitError> {
        self.step(Step::Check)?;
        self.refuse_unfinished()?;
        let written = desk.journal.read(id, turn.from)?;
        let told = written.told(id);
        let forward = turn.to == State::Done;
        let logged = if forward { written } else { written.reversed() };
        let writes_index = logged.files.iter().any(|file| file.index.is_some());
        let writing = writes_index.then(|| Writing::begin(self, &desk.lock)).transpose()?;
        let contents = desk.journal.contents(id, turn.from)?;
        let way = Way { logged: &logged, token: id.to_string(), makes_folders: forward };
        let stamp = self.check_old(&way, &contents)?;
        self.step(Step::Keep)?;
        carry::keep(self, &way, &contents)?;
        self.step(Step::Log)?;
        desk.journal.turn(id, turn.from, turn.over)?;
        let writing = writing.map(|writing| (writing, stamp));
        self.carry(desk, &way, &contents, writing, || desk.journal.turn(id, turn.over, turn.to))?;
        Ok(told)
    }

    /// Carries an operation out that the journal has as under way until it is `settled` there; after an error, everything
    /// is as before.
    fn carry(
        &self,
        desk: &Desk,
        way: &Way<'_>,
        contents: &Contents,
        writing: Option<(Writing, Stamp)>,
        settled: impl FnOnce() -> Result<(), GitError>,
    ) -> Result<(), GitError> {
        let carried = carry::forth(self, way, contents, writing).and_then(|()| self.step(Step::Settle));
        carried.and_then(|()| settled()).map_err(|error| self.give_up(desk, error))
    }

    /// Sees that every file is in the old state of the way; returns the stamp of the index that was seen.
    fn check_old(&self, way: &Way<'_>, contents: &Contents) -> Result<Stamp, GitError> {
        let stamp = Stamp::of(self);
        let paths: Vec<&RepoPath> = way.index().map(|(path, _)| path).collect();
        let places = if paths.is_empty() { HashMap::new() } else { index::read(self, &paths)? };
        for file in &way.logged.files {
            if let Some(swap) = &file.index
                && !carry::holds(places.get(&file.path), swap.old.as_ref())
            {
                return Err(plan::changed(&file.path, "in the index"));
            }
            if let Some(swap) = &file.work {
                carry::expect_old(self, &file.path, swap, contents)?;
                work_file::check_writable(self.top(), &file.path)?;
            }
        }
        Ok(stamp)
    }

    /// Takes back what was done before `error`; the error says so where that fails as well.
    fn give_up(&self, desk: &Desk, error: GitError) -> GitError {
        match self.settle(desk, true) {
            Ok(_) => error,
            Err(second) => {
                error.and(&format!("and taking back what was done failed ({second}); the next start tries again"))
            }
        }
    }
}

/// The states of an operation before, during and after it is walked.
struct Turn {
    from: State,
    over: State,
    to: State,
}

const UNDO: Turn = Turn { from: State::Done, over: State::Undoing, to: State::Undone };
const REDO: Turn = Turn { from: State::Undone, over: State::Redoing, to: State::Done };

/// An operation that is under way.
fn named(title: &str, state: State) -> String {
    let what = if state == State::Undoing { "the undo of" } else { "the staging of" };
    format!("{what} “{title}”")
}

fn message(title: &str, state: State, onwards: bool, left: &[RepoPath]) -> String {
    let how = if onwards { "completed" } else { "rolled back" };
    let mut message = format!("redpin was stopped during {}; it has been {how}", named(title, state));
    for path in left {
        message.push_str(&format!("; {path} was changed meanwhile and left as it is"));
    }
    message
}
