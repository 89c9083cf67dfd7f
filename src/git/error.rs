//! Why git or the disk said no. One type for the room, since every door of it can meet each of these; the message says
//! what was expected and what was found, the advice what to do.

use std::fmt;
use std::io;
use std::path::Path;

/// What stood in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GitErrorKind {
    /// No repository with a work tree here.
    NoRepository,
    /// The git program is not installed.
    NoProgram,
    /// The repository is somebody else's, and the user has not told git to trust it.
    Untrusted,
    /// Another program holds the index.
    IndexLocked,
    /// Another redpin is writing.
    Busy,
    /// A merge, rebase, cherry-pick or revert is not finished.
    Merging,
    /// The file has a conflict.
    Unmerged,
    /// The file or its folder may not be written.
    ReadOnly,
    /// The path cannot be written safely: a link, a submodule, outside the sparse checkout, not a regular file.
    Unwritable,
    /// A file is no longer what the change was made for.
    Changed,
    /// The operation is in a commit by now.
    Committed,
    /// There is no operation to take back.
    NothingToUndo,
    /// There is no operation to do again.
    NothingToRedo,
    /// An earlier redpin was stopped half way; that has been settled, and nothing else was done.
    Settled,
    /// The disk is full.
    DiskFull,
    /// Anything else that reading or writing met.
    Failed,
}

/// Why git or the disk said no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitError {
    /// What stood in the way.
    pub kind: GitErrorKind,
    message: String,
    advice: &'static str,
}

impl fmt::Display for GitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.advice.is_empty() { Ok(()) } else { write!(f, "; {}", self.advice) }
    }
}

impl std::error::Error for GitError {}

impl GitError {
    pub(super) fn new(kind: GitErrorKind, message: impl Into<String>) -> Self {
        GitError { kind, message: message.into(), advice: advice(kind) }
    }

    /// The failure of `doing` (a phrase as "write") with the file at `path`.
    pub(super) fn file(doing: &str, path: &Path, error: &io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                GitErrorKind::DiskFull
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => GitErrorKind::ReadOnly,
            _ => GitErrorKind::Failed,
        };
        GitError::new(kind, format!("cannot {doing} {}: {error}", path.display()))
    }

    /// The failure of a call into libgit2.
    pub(super) fn library(doing: &str, error: &git2::Error) -> Self {
        let kind = match error.code() {
            git2::ErrorCode::Locked => GitErrorKind::IndexLocked,
            _ => kind_of(error.message()),
        };
        GitError::new(kind, format!("cannot {doing}: {}", error.message()))
    }

    /// This error with `more` said after its message.
    pub(super) fn and(mut self, more: &str) -> Self {
        self.message = format!("{}; {more}", self.message);
        self
    }
}

/// The kind of an error of which there are only words, git's or the system's.
pub(super) fn kind_of(text: &str) -> GitErrorKind {
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
    match () {
        () if says(&[".lock': File exists"]) => GitErrorKind::IndexLocked,
        () if says(&["No space left", "Out of diskspace", "quota exceeded"]) => GitErrorKind::DiskFull,
        () if says(&["Permission denied", "Read-only file system"]) => GitErrorKind::ReadOnly,
        () if says(&["dubious ownership"]) => GitErrorKind::Untrusted,
        () if says(&["not a git repository"]) => GitErrorKind::NoRepository,
        () => GitErrorKind::Failed,
    }
}

fn advice(kind: GitErrorKind) -> &'static str {
    match kind {
        GitErrorKind::NoRepository => "start redpin in a git work tree, or name one with -C",
        GitErrorKind::NoProgram => "install git, or put it on the PATH",
        GitErrorKind::Untrusted => "if you trust its owner: git config --global --add safe.directory FOLDER",
        GitErrorKind::IndexLocked => {
            "end the git command that holds it; where none runs, one that was killed left the file behind: remove it"
        }
        GitErrorKind::Busy => "try again when it is done",
        GitErrorKind::Merging => "finish or abort it first",
        GitErrorKind::Unmerged => "resolve the conflict first",
        GitErrorKind::ReadOnly => "make it writable first",
        GitErrorKind::Changed => "look at it and try again, or change the patch with git",
        GitErrorKind::Committed => {
            "`git revert` takes a commit back, `git reset --soft HEAD~1` opens the last one again"
        }
        GitErrorKind::DiskFull => "make room first; nothing was changed",
        GitErrorKind::Settled => "look at the result and run the command again",
        GitErrorKind::Unwritable | GitErrorKind::NothingToUndo | GitErrorKind::NothingToRedo | GitErrorKind::Failed => {
            ""
        }
    }
}
