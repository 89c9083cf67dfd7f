//! One case: a repository with a bug, the log of its red run, and what the test runner said of the pins while they were
//! tried. The folder `repo` of a case is its repository, `run` holds the log (`log.txt`), what the runner said of the pins
//! (`pins.txt`), of the tests that print their values (`value.txt`) and of the run in which notes were taken (`probe.txt`,
//! the notes being `made.jsonl`); `pins.patch` is what must be staged.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// What stands in the place of `npx` and `node`: it looks at the files it is to test, and says what was said of them.
const RUNNER: &str = r#"#!/bin/sh
case "$*" in *--version*) echo v20.20.2; exit 0 ;; esac
if grep -rq __redpinWrite --exclude-dir=node_modules .; then
  notes=$(grep -rho --exclude-dir=node_modules '__redpinWrite("[^"]*"' . | head -n 1)
  notes=${notes#*\"}
  [ ! -f RUN/made.jsonl ] || cp RUN/made.jsonl "${notes%\"}"
  cat RUN/probe.txt
elif grep -rq "'redpin (value" --exclude-dir=node_modules .; then
  cat RUN/value.txt
else
  cat RUN/pins.txt
fi
exit 1
"#;

/// A case on its stage.
pub(super) struct Stage {
    folder: TempDir,
    case: PathBuf,
}

impl Stage {
    pub(super) fn new(name: &str) -> Stage {
        let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/played").join(name);
        let stage = Stage { folder: tempfile::tempdir().unwrap(), case };
        copy(&stage.case.join("repo"), &stage.top());
        let programs = stage.folder.path().join("programs");
        fs::create_dir(&programs).unwrap();
        let runner = RUNNER.replace("RUN", stage.case.join("run").to_str().unwrap());
        for program in ["npx", "node"] {
            write(&programs.join(program), runner.as_bytes());
            fs::set_permissions(programs.join(program), fs::Permissions::from_mode(0o755)).unwrap();
        }
        stage.git(&["init", "-q", "-b", "main"]);
        for (name, value) in [("user.name", "Ada"), ("user.email", "ada@example.org"), ("core.autocrlf", "false")] {
            stage.git(&["config", name, value]);
        }
        stage.git(&["add", "-A"]);
        stage.git(&["commit", "-q", "-m", "a bug"]);
        stage
    }

    fn top(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    /// The log of the red run.
    pub(super) fn log(&self) -> String {
        self.case.join("run/log.txt").to_str().unwrap().to_owned()
    }

    /// What must be staged.
    pub(super) fn patch(&self) -> String {
        without_digests(&fs::read_to_string(self.case.join("pins.patch")).unwrap())
    }

    /// What is staged, records aside, the day of the pins being that of the case.
    pub(super) fn staged(&self) -> String {
        let told = self.git(&["diff", "--cached", "--", ".", ":!.redpin"]);
        let told = without_digests(&told);
        let mut parts = told.split("// Pinned ");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| format!("{text}// Pinned 2026-12-01{}", &part["2026-12-01".len()..]))
    }

    /// What git says of index and work tree.
    pub(super) fn status(&self) -> String {
        self.git(&["status", "--porcelain"])
    }

    pub(super) fn git(&self, arguments: &[&str]) -> String {
        let mut command = program("git", &self.top(), arguments);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        let output = command.output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The answer of redpin.
    pub(super) fn redpin(&self, arguments: &[&str]) -> Value {
        let output = self.started(arguments);
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", said(&output)))
    }

    /// The exit code of redpin.
    pub(super) fn code(&self, arguments: &[&str]) -> Option<i32> {
        self.started(arguments).status.code()
    }

    #[expect(clippy::disallowed_methods, reason = "the runner is found where the test's own programs are")]
    fn started(&self, arguments: &[&str]) -> Output {
        let own = std::env::var_os("PATH").unwrap();
        let paths = std::iter::once(self.folder.path().join("programs")).chain(std::env::split_paths(&own));
        let mut command = program(env!("CARGO_BIN_EXE_redpin"), &self.top(), arguments);
        command.env("PATH", std::env::join_paths(paths).unwrap());
        command.env("XDG_CACHE_HOME", self.folder.path().join("cache"));
        command.output().unwrap()
    }
}

#[expect(clippy::disallowed_methods, reason = "the binary itself is tested, and git says what it did")]
fn program(name: &str, folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(name);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

/// The patch without the lines that name digests, which tell the day as well.
fn without_digests(patch: &str) -> String {
    patch.split_inclusive('\n').filter(|line| !line.starts_with("index ")).collect()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[expect(clippy::disallowed_methods, reason = "a test makes its files")]
fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let there = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &there) } else { write(&there, &fs::read(&path).unwrap()) }
    }
}
