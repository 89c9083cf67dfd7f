//! Writing the index at some paths in one go: by the git program, which keeps every kind of index and its extensions; by
//! libgit2 where that program is missing.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Stdio};
use std::time::{Duration, Instant};

use crate::repo_path::RepoPath;

use super::error::{GitError, GitErrorKind};
use super::index::Stamp;
use super::library_index;
use super::place::{Change, Record};
use super::program;
use super::repository::{Repository, Step};

/// How long to wait for another git to let go of the index.
const PATIENCE: Duration = Duration::from_millis(500);
const PAUSE: Duration = Duration::from_millis(10);

/// A git program that has been started to write the index and waits for what to write. It takes the index's own lock and
/// reads the index while the caller prepares the rest. Dropped, it changes nothing.
#[derive(Debug)]
pub(super) struct Writing {
    child: Option<Child>,
}

impl Writing {
    /// Starts the program. It holds `lock` as long as it runs, so that no other redpin looks at an index that is still
    /// being written for one that was killed.
    pub(super) fn begin(repository: &Repository, lock: &File) -> Result<Self, GitError> {
        wait_for_index(repository)?;
        let mut command = repository.program().writer(&["update-index", "-z", "--index-info"]);
        // It prints nothing, and an open file is what keeps the lock.
        let held = lock.try_clone().map_err(|error| GitError::file("lock", repository.git_dir(), &error))?;
        command.stdin(Stdio::piped()).stdout(Stdio::from(held));
        match program::start(command) {
            Ok(child) => Ok(Writing { child: Some(child) }),
            Err(error) if error.kind == GitErrorKind::NoProgram => Ok(Writing { child: None }),
            Err(error) => Err(error),
        }
    }

    /// Writes `changes`: what each path is to hold, or that it is to hold nothing. All of them or none, and none where the
    /// index was written since it had `stamp`.
    pub(super) fn finish(
        mut self,
        repository: &Repository,
        changes: &[(&RepoPath, Change<'_>)],
        stamp: &Stamp,
    ) -> Result<(), GitError> {
        // From here on the index stays as it is; what was written between its reading and the lock shows in the stamp.
        if let Some(child) = &mut self.child {
            wait_until_held(repository, child);
        }
        if Stamp::of(repository) != *stamp {
            return Err(GitError::new(GitErrorKind::Changed, "the index was changed meanwhile"));
        }
        match self.child.take() {
            Some(child) => feed(repository, child, changes),
            None => library_index::write(repository, changes),
        }
    }
}

/// Waits until the program holds the index. Where it does not get the lock it writes nothing, and says so at its end.
fn wait_until_held(repository: &Repository, child: &mut Child) {
    let lock = lock_file(repository);
    let deadline = Instant::now() + PATIENCE;
    while !lock.exists() && Instant::now() < deadline && matches!(child.try_wait(), Ok(None)) {
        std::thread::sleep(PAUSE / 50);
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            drop(child.stdin.take());
            // With nothing to write it ends by itself; how is of no interest.
            drop(child.wait());
        }
    }
}

fn feed(repository: &Repository, mut child: Child, changes: &[(&RepoPath, Change<'_>)]) -> Result<(), GitError> {
    let told = child.stdin.take().map_or(Ok(()), |stdin| tell(repository, stdin, changes));
    let output = child.wait_with_output();
    let output = output.map_err(|error| GitError::new(GitErrorKind::Failed, format!("cannot run git: {error}")))?;
    if output.status.success() { told } else { Err(program::said(&output)) }
}

fn tell(repository: &Repository, mut stdin: ChildStdin, changes: &[(&RepoPath, Change<'_>)]) -> Result<(), GitError> {
    for (path, change) in changes {
        repository.step(Step::Tell)?;
        let line = match *change {
            Change::Put(record) if !record.intent_to_add => format!("{} {} 0\t{path}\0", record.mode, record.id.0),
            Change::Put(Record { id, .. }) | Change::Remove(id) => format!("0 {} 0\t{path}\0", id.null()),
        };
        // Line by line, each in one write: a line cut short by our death would name another path.
        stdin.write_all(line.as_bytes()).map_err(|error| program::untold(&error))?;
    }
    Ok(())
}

fn lock_file(repository: &Repository) -> PathBuf {
    repository.index_file().with_extension("lock")
}

/// Waits shortly where another git holds the index.
fn wait_for_index(repository: &Repository) -> Result<(), GitError> {
    let lock = lock_file(repository);
    let deadline = Instant::now() + PATIENCE;
    while lock.exists() {
        if Instant::now() > deadline {
            let message = format!("expected to write the index, found it locked by {}", lock.display());
            return Err(GitError::new(GitErrorKind::IndexLocked, message));
        }
        std::thread::sleep(PAUSE);
    }
    Ok(())
}

/// Gives back what [`Writing`] cannot write: the promise to add a file, and the order not to look at it.
pub(super) fn restore_flags(repository: &Repository, records: &[(&RepoPath, &Record)]) -> Result<(), GitError> {
    let paths = |wanted: fn(&Record) -> bool| -> Vec<&str> {
        records.iter().filter(|(_, record)| wanted(record)).map(|(path, _)| path.as_str()).collect()
    };
    let promised = paths(|record| record.intent_to_add);
    if !promised.is_empty() {
        let command = [&["add", "--intent-to-add", "--force", "--sparse", "--"][..], &promised].concat();
        flagged(program::printed(repository.program().writer(&command), b""))?;
    }
    let assumed = paths(|record| record.assume_unchanged);
    if !assumed.is_empty() {
        let command = ["update-index", "-z", "--assume-unchanged", "--stdin"];
        flagged(program::printed(repository.program().writer(&command), (assumed.join("\0") + "\0").as_bytes()))?;
    }
    Ok(())
}

/// Without the git program, the flags were written together with the rest.
fn flagged(done: Result<Vec<u8>, GitError>) -> Result<(), GitError> {
    match done {
        Err(error) if error.kind != GitErrorKind::NoProgram => Err(error),
        _ => Ok(()),
    }
}
