//! Starts the git program, always with the same clean surroundings: this repository whatever the caller's environment
//! says, English messages, no hook, no pager, no prompt. Paths are given literally, after `--` or on standard input.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use super::error::{self, GitError, GitErrorKind};

/// Left in the environment by a hook or an alias, these would aim a command at another repository, at the half made index
/// of a commit in progress, or change how paths are read. What the user sets about themselves and their configuration
/// stays.
const REMOVED: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_ATTR_SOURCE",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DEFAULT_HASH",
    "GIT_DIFF_OPTS",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_GLOB_PATHSPECS",
    "GIT_GRAFT_FILE",
    "GIT_ICASE_PATHSPECS",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_LITERAL_PATHSPECS",
    "GIT_NAMESPACE",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_TRACE",
    "GIT_TRACE2",
    "GIT_TRACE2_EVENT",
    "GIT_TRACE2_PERF",
    "GIT_TRACE_SETUP",
    "GIT_WORK_TREE",
];

/// The git program at work on one repository.
#[derive(Clone, Debug)]
pub(super) struct Program {
    top: PathBuf,
    git_dir: PathBuf,
}

impl Program {
    pub(super) fn new(top: &Path, git_dir: &Path) -> Self {
        Program { top: top.to_owned(), git_dir: git_dir.to_owned() }
    }

    /// A command that only reads: it takes no lock and starts no file system monitor.
    pub(super) fn reader(&self, arguments: &[&str]) -> Command {
        let mut command = self.command();
        command.env("GIT_OPTIONAL_LOCKS", "0").args(["-c", "core.fsmonitor=false"]).args(arguments);
        command
    }

    /// A command that writes the index. The monitor setting stays, since git drops the index extension of one that is off.
    pub(super) fn writer(&self, arguments: &[&str]) -> Command {
        let mut command = self.command();
        command.args(arguments);
        command
    }

    fn command(&self) -> Command {
        let mut command = clean(&self.top);
        command.env("GIT_DIR", &self.git_dir).env("GIT_WORK_TREE", &self.top).env("GIT_LITERAL_PATHSPECS", "1");
        command
    }
}

/// The git program in `folder`, finding the repository by itself.
#[expect(clippy::disallowed_methods, reason = "the one place where git is started")]
pub(super) fn clean(folder: &Path) -> Command {
    let mut command = Command::new("git");
    REMOVED.iter().for_each(|name| {
        command.env_remove(name);
    });
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.envs([("LC_ALL", "C"), ("GIT_TERMINAL_PROMPT", "0"), ("GIT_PAGER", "cat")]);
    command.args(["--no-pager", "-c", "core.hooksPath=/dev/null"]);
    command
}

/// Starts `command`, which must come from this file.
pub(super) fn start(mut command: Command) -> Result<Child, GitError> {
    command.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => GitError::new(GitErrorKind::NoProgram, "the git program was not found"),
        _ => GitError::new(GitErrorKind::Failed, format!("cannot start git: {error}")),
    })
}

/// Runs `command` to its end with `input` on its standard input.
pub(super) fn run(mut command: Command, input: &[u8]) -> Result<Output, GitError> {
    if !input.is_empty() {
        command.stdin(Stdio::piped());
    }
    let mut child = start(command)?;
    let stdin = child.stdin.take();
    // Fed beside the reading of its output, or both sides could wait for each other on full pipes.
    let (told, output) = std::thread::scope(|scope| {
        let told = stdin.map(|mut stdin| scope.spawn(move || stdin.write_all(input)));
        let output = child.wait_with_output();
        (told.map_or(Ok(()), |told| told.join().unwrap_or(Ok(()))), output)
    });
    let output = output.map_err(|error| GitError::new(GitErrorKind::Failed, format!("cannot run git: {error}")))?;
    match told {
        Err(error) if output.status.success() => Err(untold(&error)),
        _ => Ok(output),
    }
}

/// The error of a git that could not be told everything; one that ended early with an error of its own says more.
pub(super) fn untold(error: &io::Error) -> GitError {
    GitError::new(GitErrorKind::Failed, format!("cannot tell git all that it is to do: {error}"))
}

/// What `command` prints.
pub(super) fn printed(command: Command, input: &[u8]) -> Result<Vec<u8>, GitError> {
    let output = run(command, input)?;
    if output.status.success() { Ok(output.stdout) } else { Err(said(&output)) }
}

/// The error in what git said at its end.
pub(super) fn said(output: &Output) -> GitError {
    let text = String::from_utf8_lossy(&output.stderr);
    let lines = text.lines().filter_map(|line| line.strip_prefix("fatal: ").or_else(|| line.strip_prefix("error: ")));
    let told: Vec<&str> = lines.take(3).collect();
    let told =
        if told.is_empty() { text.trim().lines().next().unwrap_or_default().to_owned() } else { told.join(": ") };
    let kind = error::kind_of(&text);
    match output.status.code() {
        _ if !told.is_empty() => GitError::new(kind, format!("git says: {told}")),
        Some(code) => GitError::new(kind, format!("git ended with exit code {code} and no word")),
        None => GitError::new(kind, "git was stopped by a signal"),
    }
}

#[cfg(test)]
mod tests {
    use super::{clean, run};

    #[test]
    fn a_git_that_was_not_told_everything_has_not_done_it() {
        let version = |input: &[u8]| {
            let mut command = clean(std::path::Path::new("."));
            command.arg("version");
            run(command, input)
        };
        assert!(version(b"").unwrap().status.success());
        let error = version(&[b'x'; 1 << 20]).unwrap_err().to_string();
        assert_eq!(error, "cannot tell git all that it is to do: Broken pipe (os error 32)");
    }
}
