//! A repository with a work tree: where it is, which branch it is on, and the two ways to speak with it. Opening it reads
//! no index and starts no program, unless libgit2 refuses this kind of repository.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::error::{GitError, GitErrorKind};
use super::plain::{self, Plain};
use super::program::{self, Program};

/// A repository with a work tree.
pub struct Repository {
    top: PathBuf,
    git_dir: PathBuf,
    program: Program,
    /// `None` where libgit2 refuses the repository: SHA-256, reftable, another owner than the user's settings allow.
    /// Empty until it is first asked for, where the repository was found without it.
    library: OnceLock<Option<Mutex<git2::Repository>>>,
    watch: Option<Box<Watch>>,
}

type Watch = dyn Fn(Step) -> io::Result<()> + Send + Sync;

/// A step on the way of an operation, about to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Seeing that the files are as expected.
    Check,
    /// Keeping contents in the object store.
    Keep,
    /// Writing the operation into the journal.
    Log,
    /// Making a folder.
    MakeFolder,
    /// Writing new bytes beside a file.
    Prepare,
    /// Writing the index.
    WriteIndex,
    /// Telling git the new state of one path of the index.
    Tell,
    /// Putting the new bytes in the file's place, or removing it.
    Replace,
    /// Flags of the index, and folders that are no longer needed.
    Finish,
    /// Noting that the operation is done.
    Settle,
}

impl std::fmt::Debug for Repository {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repository").field("top", &self.top).field("git_dir", &self.git_dir).finish_non_exhaustive()
    }
}

impl Repository {
    /// Finds the repository that `dir` is in.
    ///
    /// # Errors
    /// Where there is none, it has no work tree, or git refuses it.
    pub fn discover(dir: &Path) -> Result<Repository, GitError> {
        match open(dir, git2::RepositoryOpenFlags::empty()) {
            Ok(library) => Repository::of_library(library),
            Err(error) if error.code() == git2::ErrorCode::NotFound => {
                Err(GitError::new(GitErrorKind::NoRepository, format!("no git repository at {}", dir.display())))
            }
            Err(_) => discover_by_program(dir),
        }
    }

    /// The same where that takes no time: its files show where it is, a branch is checked out, and no operation was left
    /// half way. `None` anywhere else, also where something is wrong.
    pub fn discover_at_once(dir: &Path) -> Option<Repository> {
        let Plain { top, git_dir } = plain::find(dir)?;
        let repository = Repository::new(top, git_dir, OnceLock::new());
        repository.branch_by_file()?;
        repository.is_settled().ok()?.then_some(repository)
    }

    fn of_library(library: git2::Repository) -> Result<Repository, GitError> {
        let Some(top) = library.workdir().map(Path::to_owned) else { return Err(no_work_tree(library.path())) };
        let git_dir = library.path().to_owned();
        Ok(Repository::new(top, git_dir, Some(Mutex::new(library)).into()))
    }

    fn new(top: PathBuf, git_dir: PathBuf, library: OnceLock<Option<Mutex<git2::Repository>>>) -> Repository {
        // libgit2 ends folders with a slash.
        let (top, git_dir): (PathBuf, PathBuf) = (top.components().collect(), git_dir.components().collect());
        let program = Program::new(&top, &git_dir);
        Repository { top, git_dir, program, library, watch: None }
    }

    /// The same repository with `watch` told of each step before it is taken. An error it returns is the step's own. This
    /// is how the tests kill redpin at every moment and let the disk be full.
    #[must_use]
    pub fn watched(mut self, watch: impl Fn(Step) -> io::Result<()> + Send + Sync + 'static) -> Self {
        self.watch = Some(Box::new(watch));
        self
    }

    pub(super) fn step(&self, step: Step) -> Result<(), GitError> {
        let Some(watch) = &self.watch else { return Ok(()) };
        watch(step).map_err(|error| GitError::file("write into", &self.top, &error))
    }

    /// The folder at the top of the work tree.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// The git directory of this very work tree, a linked one included.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// The branch, also before its first commit; the short id of the commit where no branch is checked out.
    pub fn branch(&self) -> Option<String> {
        self.branch_by_file().or_else(|| self.branch_by_program())
    }

    /// A branch, where references are files.
    fn branch_by_file(&self) -> Option<String> {
        let head = std::fs::read_to_string(self.git_dir.join("HEAD")).ok()?;
        let branch = head.trim_end().strip_prefix("ref: refs/heads/")?;
        (branch != ".invalid").then(|| branch.to_owned())
    }

    /// What git prints when it is asked something that changes nothing; `None` where it fails.
    pub(super) fn printed(&self, arguments: &[&str]) -> Option<String> {
        let told = program::printed(self.program.reader(arguments), b"").ok()?;
        Some(String::from_utf8_lossy(&told).into_owned())
    }

    /// For a commit without a branch, and for repositories that keep their references elsewhere.
    fn branch_by_program(&self) -> Option<String> {
        let ask =
            |arguments: &[&str]| Some(self.printed(arguments)?.trim_end().to_owned()).filter(|name| !name.is_empty());
        ask(&["symbolic-ref", "-q", "--short", "HEAD"]).or_else(|| ask(&["rev-parse", "--short", "HEAD"]))
    }

    /// Whether the permission to run a file means something on this file system.
    pub(super) fn trusts_modes(&self) -> bool {
        match self.library() {
            Some(library) => library.config().and_then(|config| config.get_bool("core.filemode")).unwrap_or(true),
            None => {
                let ask = self.program.reader(&["config", "--type=bool", "--get", "core.fileMode"]);
                program::printed(ask, b"").map_or(true, |told| told != b"false\n")
            }
        }
    }

    pub(super) fn program(&self) -> &Program {
        &self.program
    }

    pub(super) fn library(&self) -> Option<MutexGuard<'_, git2::Repository>> {
        let own = || open(&self.top, git2::RepositoryOpenFlags::NO_SEARCH).ok().map(Mutex::new);
        let library = self.library.get_or_init(own).as_ref()?;
        Some(library.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The index file of this work tree.
    pub(super) fn index_file(&self) -> PathBuf {
        self.git_dir.join("index")
    }
}

/// libgit2's view of a repository. Not by its `discover`, which loses the way from a `.git` file to the work tree that the file
/// stands in.
fn open(dir: &Path, how: git2::RepositoryOpenFlags) -> Result<git2::Repository, git2::Error> {
    let nowhere: [&OsStr; 0] = [];
    git2::Repository::open_ext(dir, how, nowhere)
}

/// Asks the git program, which knows every kind of repository and the user's rules for other owners.
fn discover_by_program(dir: &Path) -> Result<Repository, GitError> {
    let ask = |what: &str| {
        let mut command = program::clean(dir);
        command.args(["rev-parse", what]);
        program::printed(command, b"").map(path_of)
    };
    let git_dir = ask("--absolute-git-dir")?;
    let top = ask("--show-toplevel").map_err(|_| no_work_tree(&git_dir))?;
    Ok(Repository::new(top, git_dir, None.into()))
}

fn path_of(mut printed: Vec<u8>) -> PathBuf {
    if printed.last() == Some(&b'\n') {
        printed.pop();
    }
    PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(printed))
}

fn no_work_tree(git_dir: &Path) -> GitError {
    let message = format!("expected a work tree, found a bare repository at {}", git_dir.display());
    GitError::new(GitErrorKind::NoRepository, message)
}
