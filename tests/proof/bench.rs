//! The sample repository at a place that stays the same, so that what was built for it is found again.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use redpin::demo;
use serde_json::Value;

/// The sample at its place; one test at a time may have it.
pub(super) struct Bench {
    folder: PathBuf,
    log: PathBuf,
    /// Two runs of the tests at a time would take each other's sample away.
    _lock: File,
}

impl Bench {
    /// Unpacks the sample into the folder `name` of what tests may keep.
    pub(super) fn new(name: &str) -> Bench {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("proof").join(name);
        fs::create_dir_all(&folder).unwrap();
        let lock = File::create(folder.join("lock")).unwrap();
        lock.lock().unwrap();
        let (top, log) = (folder.join("ledger"), folder.join("nightly.log"));
        let _ = fs::remove_dir_all(&top);
        let fresh = demo::unpack(&folder).unwrap();
        fs::rename(&fresh.repository, &top).unwrap();
        fs::rename(fresh.night.join("cargo.log"), &log).unwrap();
        fs::remove_dir_all(fresh.night.parent().unwrap()).unwrap();
        let bench = Bench { folder, log, _lock: lock };
        bench.run("git", &["config", "user.name", "Ada"]);
        bench.run("git", &["config", "user.email", "ada@example.org"]);
        bench.be_told_apart(name);
        bench
    }

    /// Gives the sample a version of its own. Cargo tells the packages of one target directory apart by name and version,
    /// not by where they stand, so that two of the same would take each other's builds for fresh.
    fn be_told_apart(&self, name: &str) {
        let number: u32 = name.bytes().map(u32::from).sum();
        for file in ["Cargo.toml", "Cargo.lock"] {
            self.edit(file, "version = \"0.3.0\"", &format!("version = \"0.3.{number}\""));
        }
        self.commit("Take a version of its own");
    }

    pub(super) fn log(&self) -> &str {
        self.log.to_str().unwrap()
    }

    /// The text of a file of the sample.
    pub(super) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join("ledger").join(file)).unwrap()
    }

    /// Puts `new` in the place of `old`, which must stand in the file once.
    pub(super) fn edit(&self, file: &str, old: &str, new: &str) {
        let path = self.top().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(old).count(), 1, "{file}: {old}");
        #[expect(clippy::disallowed_methods, reason = "the test plays the user")]
        fs::write(path, text.replace(old, new)).unwrap();
    }

    /// Commits all changes of tracked files, and says by what id.
    pub(super) fn commit(&self, title: &str) -> String {
        self.git(&["commit", "-q", "-a", "-m", title]);
        self.git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    /// What git prints; it must succeed.
    pub(super) fn git(&self, arguments: &[&str]) -> String {
        let (code, out) = self.run("git", arguments);
        assert_eq!(code, 0, "git {arguments:?}");
        out
    }

    /// What cargo prints; it must succeed.
    pub(super) fn cargo(&self, arguments: &[&str]) -> String {
        let (code, out) = self.run("cargo", arguments);
        assert_eq!(code, 0, "cargo {arguments:?}");
        out
    }

    /// Writes a file beside the repository, and says where.
    #[expect(clippy::disallowed_methods, reason = "the test plays the user")]
    pub(super) fn write_beside(&self, name: &str, text: &str) -> String {
        let path = self.folder.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// The text of a file that was written beside the repository.
    pub(super) fn read_beside(&self, path: &str) -> String {
        fs::read_to_string(path).unwrap()
    }

    /// The exit code of redpin and its answer, where the program that mutates lists `mutants`.
    #[expect(clippy::disallowed_methods, reason = "the other programs are found where the test's own are")]
    pub(super) fn mutated(&self, arguments: &[&str], mutants: &str) -> (i32, Value) {
        use std::os::unix::fs::PermissionsExt;

        let programs = self.folder.join("programs");
        fs::create_dir_all(&programs).unwrap();
        let program = programs.join("cargo-mutants");
        fs::write(programs.join("mutants.json"), mutants).unwrap();
        fs::write(&program, format!("#!/bin/sh\ncat '{}'\n", programs.join("mutants.json").display())).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let paths = std::env::var_os("PATH").unwrap();
        let paths = std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(&paths))).unwrap();
        let output = self.command(arguments).env("PATH", paths).output().unwrap();
        (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap())
    }

    /// The exit code of redpin and what it printed.
    pub(super) fn tried(&self, arguments: &[&str]) -> (i32, String) {
        self.run(env!("CARGO_BIN_EXE_redpin"), arguments)
    }

    /// What git says of the repository itself: references, index, worktrees and files, also ignored ones.
    pub(super) fn repository(&self) -> String {
        let asked: [&[&str]; 4] = [
            &["for-each-ref"],
            &["ls-files", "--stage"],
            &["worktree", "list"],
            &["status", "--porcelain", "--ignored"],
        ];
        asked.iter().map(|asked| self.git(asked)).collect()
    }

    /// Writes a file that was not there.
    pub(super) fn write(&self, file: &str, text: &str) {
        let path = self.top().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        #[expect(clippy::disallowed_methods, reason = "the test plays the user")]
        fs::write(path, text).unwrap();
    }

    /// Removes a file.
    pub(super) fn remove(&self, file: &str) {
        #[expect(clippy::disallowed_methods, reason = "the test plays the user")]
        fs::remove_file(self.top().join(file)).unwrap();
    }

    /// The folder at its top.
    pub(super) fn top(&self) -> PathBuf {
        self.folder.join("ledger")
    }

    /// The exit code of redpin and its answer as JSON.
    pub(super) fn redpin(&self, arguments: &[&str]) -> (i32, Value) {
        let (code, out) = self.run(env!("CARGO_BIN_EXE_redpin"), arguments);
        (code, serde_json::from_str(&out).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {out}")))
    }

    /// Where all that is built here goes, and that nothing is fetched.
    pub(super) fn environment(&self) -> [(&'static str, OsString); 3] {
        let beside = |name: &str| self.folder.parent().unwrap().join(name).into();
        [
            ("CARGO_NET_OFFLINE", "true".into()),
            ("XDG_CACHE_HOME", beside("cache")),
            ("CARGO_TARGET_DIR", beside("target")),
        ]
    }

    /// The scratch folder of this very repository.
    pub(super) fn scratch(&self) -> PathBuf {
        let cache = self.folder.parent().unwrap().join("cache/redpin");
        let top = self.top();
        let is_own = |folder: &PathBuf| {
            fs::read(folder.join("origin")).is_ok_and(|origin| origin == top.as_os_str().as_encoded_bytes())
        };
        fs::read_dir(cache).unwrap().map(|folder| folder.unwrap().path()).find(is_own).unwrap()
    }

    /// redpin, to be started.
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        self.prepared(env!("CARGO_BIN_EXE_redpin"), arguments)
    }

    fn run(&self, program: &str, arguments: &[&str]) -> (i32, String) {
        let output = self.prepared(program, arguments).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    }

    #[expect(clippy::disallowed_methods, reason = "the binary itself is tested")]
    fn prepared(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.top()).stdin(Stdio::null());
        command.envs(self.environment());
        command.env_remove("NEXTEST").env_remove("PROPTEST_CASES");
        command
    }
}
