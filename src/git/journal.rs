//! The operations in order, one file each in a folder under the git directory. A file's name says what state its operation
//! is in, so that every step from one state to the next is one rename. The file holds every content that the operation
//! needs, there and back, since git throws away what only an undo would want.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::repo_path::RepoPath;

use super::error::{GitError, GitErrorKind};
use super::kept::{self, Contents};
use super::objects::ObjectId;
use super::operation::{OperationId, Undone};
use super::place::Record;

/// Operations that can be taken back; older ones are forgotten.
const KEPT: usize = 200;

/// An operation as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Logged {
    pub(super) title: String,
    pub(super) files: Vec<Move>,
    /// Folders it makes, outermost first.
    #[serde(default)]
    pub(super) folders: Vec<String>,
    #[serde(default)]
    pub(super) attachment: Value,
}

/// One file on its way from an old to a new state, in the index and in the work tree; a side that is missing stays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Move {
    pub(super) path: RepoPath,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) index: Option<Swap<Record>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) work: Option<Swap<Kept>>,
    /// Whether the last commit held the index's new state already, before the operation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) was_committed: bool,
}

/// What was and what is to be; `None` where there is no file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Swap<T> {
    pub(super) old: Option<T>,
    pub(super) new: Option<T>,
}

/// A file of the work tree, its bytes kept with the operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) id: ObjectId,
    /// The permission bits; `None` for those of any new file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) permissions: Option<u32>,
}

impl<T> Swap<T> {
    fn reversed(self) -> Self {
        Swap { old: self.new, new: self.old }
    }
}

impl Logged {
    /// The same operation the other way round.
    pub(super) fn reversed(mut self) -> Self {
        for file in &mut self.files {
            file.index = file.index.take().map(Swap::reversed);
            file.work = file.work.take().map(Swap::reversed);
        }
        self
    }

    /// What the caller is told of it.
    pub(super) fn told(&self, id: OperationId) -> Undone {
        Undone {
            id,
            title: self.title.clone(),
            attachment: self.attachment.clone(),
            files: self.files.iter().map(|file| file.path.clone()).collect(),
        }
    }
}

/// How far an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Being done for the first time.
    Staging,
    /// Done.
    Done,
    /// Being taken back.
    Undoing,
    /// Taken back.
    Undone,
    /// Being done again.
    Redoing,
}

const STATES: [(State, &str); 5] = [
    (State::Staging, "staging"),
    (State::Done, "done"),
    (State::Undoing, "undoing"),
    (State::Undone, "undone"),
    (State::Redoing, "redoing"),
];

impl State {
    fn word(self) -> &'static str {
        STATES.iter().find(|(state, _)| *state == self).map_or("", |(_, word)| word)
    }

    /// Whether the operation is on its way from one state to another.
    pub(super) fn is_underway(self) -> bool {
        matches!(self, State::Staging | State::Undoing | State::Redoing)
    }
}

/// The folder of operations.
#[derive(Debug)]
pub(super) struct Journal {
    folder: PathBuf,
}

impl Journal {
    /// The journal of the work tree with this git directory. Writes nothing.
    pub(super) fn of(git_dir: &Path) -> Self {
        Journal { folder: git_dir.join("redpin").join("staging") }
    }

    /// The folder, made where it is missing.
    pub(super) fn make_folder(&self) -> Result<&Path, GitError> {
        if !self.folder.is_dir() {
            let made = fs::create_dir_all(&self.folder);
            let made = made.and_then(|()| self.folder.ancestors().skip(1).take(2).try_for_each(sync_folder));
            made.map_err(|error| GitError::file("make", &self.folder, &error))?;
        }
        Ok(&self.folder)
    }

    /// The operations and their states in order.
    pub(super) fn states(&self) -> Result<Vec<(OperationId, State)>, GitError> {
        let unreadable = |error: io::Error| GitError::file("read", &self.folder, &error);
        let mut states = Vec::new();
        match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(states),
            files => {
                for file in files.map_err(unreadable)? {
                    states.extend(file.map_err(unreadable)?.file_name().to_str().and_then(parse));
                }
            }
        }
        states.sort_by_key(|(id, _)| *id);
        Ok(states)
    }

    /// Reads an operation.
    pub(super) fn read(&self, id: OperationId, state: State) -> Result<Logged, GitError> {
        let path = self.path(id, state);
        let read = |file| read_line(&mut BufReader::new(file));
        File::open(&path).and_then(read).map_err(|error| unreadable(&path, &error))
    }

    /// Reads the contents of an operation.
    pub(super) fn contents(&self, id: OperationId, state: State) -> Result<Contents, GitError> {
        let path = self.path(id, state);
        let read = |file| {
            let mut file = BufReader::new(file);
            file.skip_until(b'\n')?;
            kept::read(&mut file)
        };
        File::open(&path).and_then(read).map_err(|error| unreadable(&path, &error))
    }

    /// Writes a new operation, to be done now, after all others, and sees that it outlasts a power cut; a kill leaves no
    /// half of it.
    pub(super) fn begin(&self, logged: &Logged, contents: &Contents) -> Result<OperationId, GitError> {
        let last = self.states()?.last().map_or(0, |(id, _)| id.0);
        let id = OperationId(last + 1);
        let (path, temporary) = (self.path(id, State::Staging), self.folder.join("new.tmp"));
        let write = || {
            let mut file = File::create(&temporary)?;
            let mut line = serde_json::to_vec(logged)?;
            line.push(b'\n');
            file.write_all(&line)?;
            kept::write(&mut file, contents)?;
            file.sync_data()?;
            fs::rename(&temporary, &path)?;
            sync_folder(&self.folder)
        };
        write().map_err(|error| GitError::file("write", &path, &error))?;
        Ok(id)
    }

    /// Notes that a new operation is done. Those that were taken back cannot be done again after it and are forgotten
    /// first: one that a kill left behind would be taken for what this one's undo took back.
    pub(super) fn complete(&self, id: OperationId) -> Result<(), GitError> {
        for (undone, state) in self.states()?.into_iter().filter(|(_, state)| *state == State::Undone) {
            self.forget(undone, state)?;
        }
        self.turn(id, State::Staging, State::Done)
    }

    /// Brings an operation into its next state.
    pub(super) fn turn(&self, id: OperationId, from: State, to: State) -> Result<(), GitError> {
        let path = self.path(id, from);
        fs::rename(&path, self.path(id, to)).map_err(|error| GitError::file("rename", &path, &error))
    }

    /// Forgets an operation.
    #[expect(clippy::disallowed_methods, reason = "the journal's own file")]
    pub(super) fn forget(&self, id: OperationId, state: State) -> Result<(), GitError> {
        let path = self.path(id, state);
        fs::remove_file(&path).map_err(|error| GitError::file("remove", &path, &error))
    }

    /// Forgets the oldest operations.
    pub(super) fn trim(&self) -> Result<(), GitError> {
        let states = self.states()?;
        let old = states.len().saturating_sub(KEPT);
        let done = states.into_iter().take(old).filter(|(_, state)| *state == State::Done);
        done.into_iter().try_for_each(|(id, state)| self.forget(id, state))
    }

    /// The folder, which may be missing.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of an operation.
    pub(super) fn path(&self, id: OperationId, state: State) -> PathBuf {
        self.folder.join(format!("{:08}.{}.json", id.0, state.word()))
    }
}

fn read_line(file: &mut impl BufRead) -> io::Result<Logged> {
    let mut line = Vec::new();
    file.read_until(b'\n', &mut line)?;
    Ok(serde_json::from_slice(&line)?)
}

fn unreadable(path: &Path, error: &io::Error) -> GitError {
    match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput => {
            let message = format!("expected an operation in {}, found {error}; move the file away", path.display());
            GitError::new(GitErrorKind::Failed, message)
        }
        _ => GitError::file("read", path, error),
    }
}

/// Makes a rename in `folder` outlast a power cut.
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

fn parse(name: &str) -> Option<(OperationId, State)> {
    let (number, word) = name.strip_suffix(".json")?.split_once('.')?;
    let (state, _) = STATES.into_iter().find(|(_, known)| *known == word)?;
    Some((OperationId(number.parse().ok()?), state))
}
