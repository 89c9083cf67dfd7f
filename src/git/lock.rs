//! One redpin at a time writes into a repository: the second waits shortly, then says so.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use super::error::{GitError, GitErrorKind};

const PATIENCE: Duration = Duration::from_millis(1_000);
const PAUSE: Duration = Duration::from_millis(10);

/// Whether somebody holds the lock in `folder`. Makes nothing.
pub(super) fn is_held(folder: &Path) -> bool {
    let file = File::open(folder.join("lock"));
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Takes the lock in `folder`. It is held as long as the file, or a copy of it that a program was given, stays open: the
/// system lets go of it when a process dies.
pub(super) fn take(folder: &Path) -> Result<File, GitError> {
    let path = folder.join("lock");
    let file = OpenOptions::new().create(true).append(true).open(&path);
    let file = file.map_err(|error| GitError::file("open", &path, &error))?;
    let deadline = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                return Err(GitError::new(GitErrorKind::Busy, "another redpin is writing into this repository"));
            }
            Err(TryLockError::Error(error)) => return Err(GitError::file("lock", &path, &error)),
        }
    }
}
