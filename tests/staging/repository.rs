//! A repository for one test, apart from the settings of whoever runs it.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use redpin::git::{Change, Operation, Repository, Write};
use redpin::repo_path::RepoPath;
use serde_json::json;
use tempfile::TempDir;

/// A repository in a folder of its own.
pub(super) struct Sample {
    folder: TempDir,
    top: PathBuf,
}

impl Sample {
    /// An empty repository, made by `git init` with `options`.
    pub(super) fn empty(options: &[&str]) -> Sample {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().join("sample");
        git_in(folder.path(), &[&["init", "-q", "-b", "main"], options, &["sample"]].concat());
        let sample = Sample { folder, top };
        sample.configure();
        sample
    }

    /// A repository whose last commit holds `files`.
    pub(super) fn with(files: &[(&str, &[u8])]) -> Sample {
        let sample = Sample::empty(&[]);
        sample.commit(files);
        sample
    }

    fn configure(&self) {
        for (name, value) in [("user.name", "Ada"), ("user.email", "ada@example.org"), ("core.autocrlf", "false")] {
            self.git(&["config", name, value]);
        }
    }

    /// A place beside the repository.
    pub(super) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn top(&self) -> &Path {
        &self.top
    }

    pub(super) fn commit(&self, files: &[(&str, &[u8])]) {
        files.iter().for_each(|(path, bytes)| self.write(path, bytes));
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "a commit"]);
    }

    #[expect(clippy::disallowed_methods, reason = "a test makes its files")]
    pub(super) fn write(&self, path: &str, bytes: &[u8]) {
        let file = self.top.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }

    pub(super) fn set_mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.top.join(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    /// What git prints; it must succeed.
    pub(super) fn git(&self, arguments: &[&str]) -> String {
        git_in(&self.top, arguments)
    }

    /// Runs git with `input` on its standard input; it must succeed.
    #[expect(clippy::disallowed_methods, reason = "a test makes its repository with git itself")]
    pub(super) fn git_fed(&self, arguments: &[&str], input: &[u8]) {
        let mut git = Command::new("git").current_dir(&self.top).args(arguments).stdin(Stdio::piped()).spawn().unwrap();
        git.stdin.take().unwrap().write_all(input).unwrap();
        assert!(git.wait().unwrap().success());
    }

    pub(super) fn open(&self) -> Repository {
        Repository::discover(&self.top).unwrap()
    }

    pub(super) fn snapshot(&self) -> String {
        snapshot(&self.top)
    }

    /// An operation that changes each path as told, computed from what is there now.
    pub(super) fn operation(&self, changes: &[(&str, Write, Write)]) -> Operation {
        operation(&self.open(), changes)
    }
}

/// As [`Sample::operation`], in any repository.
pub(super) fn operation(repository: &Repository, changes: &[(&str, Write, Write)]) -> Operation {
    let paths: Vec<RepoPath> = changes.iter().map(|(path, _, _)| RepoPath::new(path).unwrap()).collect();
    let versions = repository.versions(&paths).unwrap();
    let files = versions
        .into_iter()
        .zip(changes)
        .map(|(from, (_, index, work))| Change { from, index: index.clone(), work: work.clone() })
        .collect();
    Operation { title: "pin 1 failure".into(), files, attachment: json!({"pins": [1, 2]}) }
}

pub(super) fn content(bytes: &[u8]) -> Write {
    Write::Content(bytes.to_vec())
}

/// Every side of the work tree at `top` that staging touches, to compare what was with what is: files with their
/// permissions, folders, and the index with its flags.
pub(super) fn snapshot(top: &Path) -> String {
    let mut lines = Vec::new();
    walk(top, top, &mut lines);
    lines.sort();
    let told = |arguments: &[&str]| git_in(top, arguments);
    let (index, status) = (told(&["ls-files", "-s", "-v"]), told(&["status", "--porcelain=v2"]));
    format!("{}\n{index}\n{status}", lines.join("\n"))
}

fn walk(top: &Path, folder: &Path, lines: &mut Vec<String>) {
    for found in fs::read_dir(folder).unwrap() {
        let path = found.unwrap().path();
        let name = path.strip_prefix(top).unwrap();
        if name.starts_with(".git") && name != Path::new(".gitignore") && name != Path::new(".gitmodules") {
            continue;
        }
        let about = path.symlink_metadata().unwrap();
        if about.is_dir() {
            lines.push(format!("{}/", name.display()));
            walk(top, &path, lines);
        } else {
            let bytes = fs::read(&path).unwrap_or_default();
            lines.push(format!(
                "{} {:o} {}",
                name.display(),
                about.permissions().mode() & 0o7777,
                bytes.escape_ascii()
            ));
        }
    }
}

/// A file that can be started.
#[expect(clippy::disallowed_methods, reason = "a test makes its files")]
pub(super) fn write_program(path: &Path, text: &[u8]) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// What git prints in `folder`; it must succeed.
pub(super) fn git_in(folder: &Path, arguments: &[&str]) -> String {
    let output = git_tries(folder, arguments);
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs git in `folder` apart from the settings of whoever runs the test.
#[expect(clippy::disallowed_methods, reason = "a test looks at the result with git itself")]
pub(super) fn git_tries(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("git");
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_OPTIONAL_LOCKS", "0");
    command.output().unwrap()
}
