//! The sample repository of `redpin demo` with its recorded red run, and the binary on it, apart from the settings and the
//! environment of whoever runs the tests.

use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use redpin::demo::{self, Demo};
use tempfile::TempDir;

/// A sample for one test.
pub(crate) struct Desk {
    folder: TempDir,
    demo: Demo,
    log: PathBuf,
}

#[expect(clippy::disallowed_methods, reason = "the binary itself is tested")]
fn redpin(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_redpin"));
    command.arg("-C").arg(folder).args(unproven(arguments));
    command
}

/// The same arguments, and pins are not built before they are staged: that has tests of its own.
fn unproven<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let stages = |word: &&str| ["pin", "stage", "decide", "--plain"].contains(word);
    let switch = arguments.first().filter(|word| stages(word)).map(|_| "--no-verify");
    arguments.iter().copied().chain(switch).collect()
}

/// What a command answered.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Its exit code.
    pub(crate) code: i32,
    /// What it said on standard output.
    pub(crate) out: String,
    /// What it said on standard error.
    pub(crate) err: String,
}

impl Desk {
    pub(crate) fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        let demo = demo::unpack(folder.path()).unwrap();
        let log = folder.path().join("nightly.log");
        std::fs::rename(demo.night.join("cargo.log"), &log).unwrap();
        let desk = Desk { folder, demo, log };
        desk.git(&["config", "user.name", "Ada"]);
        desk.git(&["config", "user.email", "ada@example.org"]);
        desk
    }

    /// The log of the red run of the crate.
    pub(crate) fn run(&self) -> &str {
        self.log.to_str().unwrap()
    }

    /// The top of the repository.
    pub(crate) fn top(&self) -> &Path {
        &self.demo.repository
    }

    /// The binary in the repository. In its answer `LOG` stands for the log's path.
    pub(crate) fn redpin(&self, arguments: &[&str]) -> Answer {
        self.redpin_in(self.top(), arguments)
    }

    /// The binary in the repository with other surroundings; of what it sees otherwise only the path to programs and a
    /// home folder are set.
    pub(crate) fn redpin_under(&self, environment: &[(&str, &str)], arguments: &[&str]) -> Answer {
        let mut command = redpin(self.top(), arguments);
        command.stdin(Stdio::null());
        self.surround(&mut command);
        command.envs(environment.iter().copied());
        self.answered(command)
    }

    /// The binary in a folder that is no repository.
    pub(crate) fn redpin_outside(&self, arguments: &[&str]) -> Answer {
        self.redpin_in(self.folder.path(), arguments)
    }

    fn redpin_in(&self, folder: &Path, arguments: &[&str]) -> Answer {
        let mut command = redpin(folder, arguments);
        command.stdin(Stdio::null());
        self.answer(command)
    }

    /// The binary in the repository with `lines` on its standard input.
    pub(crate) fn redpin_answered(&self, arguments: &[&str], lines: &str) -> Answer {
        let mut input = tempfile::tempfile().unwrap();
        input.write_all(lines.as_bytes()).unwrap();
        input.rewind().unwrap();
        let mut command = redpin(self.top(), arguments);
        command.stdin(input);
        self.answer(command)
    }

    /// The binary in the repository with NO_COLOR set.
    #[expect(clippy::disallowed_methods, reason = "the binary itself is tested")]
    pub(crate) fn redpin_without_colour(&self, arguments: &[&str]) -> Answer {
        let mut command = Command::new("env");
        command.arg("NO_COLOR=1").arg(env!("CARGO_BIN_EXE_redpin")).arg("-C").arg(self.top()).args(unproven(arguments));
        self.answer(command)
    }

    /// The binary in the repository where no file may grow beyond `limit` times 512 bytes.
    #[expect(clippy::disallowed_methods, reason = "the binary itself is tested")]
    pub(crate) fn redpin_within(&self, limit: u32, arguments: &[&str]) -> Answer {
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\"", &limit.to_string()]);
        command.arg(env!("CARGO_BIN_EXE_redpin")).arg("-C").arg(self.top()).args(unproven(arguments));
        self.answer(command)
    }

    fn answer(&self, mut command: Command) -> Answer {
        self.surround(&mut command);
        self.answered(command)
    }

    #[expect(clippy::disallowed_methods, reason = "the programs are found where the tests' own are")]
    fn surround(&self, command: &mut Command) {
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", self.folder.path());
    }

    fn answered(&self, mut command: Command) -> Answer {
        let Output { status, stdout, stderr } = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(self.run(), "LOG");
        Answer { code: status.code().unwrap(), out: text(stdout), err: text(stderr) }
    }

    /// What git prints in the repository; it must succeed.
    #[expect(clippy::disallowed_methods, reason = "git itself tells what was left behind")]
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.current_dir(self.top()).args(arguments);
        let answer = self.answer(command);
        assert_eq!(answer.code, 0, "git {arguments:?}: {}", answer.err);
        answer.out
    }

    /// Makes git ignore `pattern`.
    #[expect(clippy::disallowed_methods, reason = "a test makes its files")]
    pub(crate) fn exclude(&self, pattern: &str) {
        std::fs::create_dir_all(self.top().join(".git/info")).unwrap();
        std::fs::write(self.top().join(".git/info/exclude"), format!("{pattern}\n")).unwrap();
    }

    /// Changes a text of the work tree.
    #[expect(clippy::disallowed_methods, reason = "a test makes its files")]
    pub(crate) fn replace(&self, file: &str, old: &str, new: &str) {
        let text = std::fs::read_to_string(self.top().join(file)).unwrap();
        assert!(text.contains(old), "{file} holds no {old:?}");
        std::fs::write(self.top().join(file), text.replace(old, new)).unwrap();
    }

    /// Writes a file of the work tree that is not there yet, with the folders it lies in.
    #[expect(clippy::disallowed_methods, reason = "a test makes its files")]
    pub(crate) fn create(&self, file: &str, text: &str) {
        let path = self.top().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Writes a log of another run beside the repository, and gives its path.
    #[expect(clippy::disallowed_methods, reason = "a test makes its files")]
    pub(crate) fn log(&self, text: &str) -> String {
        let path = self.folder.path().join("other.log");
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Everything that must be as it was: the index, and the files of the work tree with their changes.
    pub(crate) fn state(&self) -> String {
        let index = self.git(&["ls-files", "-s"]);
        let changes = self.git(&["diff", "--binary"]);
        let strangers = self.git(&["ls-files", "--others"]);
        let texts = strangers.lines().map(|name| std::fs::read_to_string(self.top().join(name)).unwrap());
        format!("{index}{changes}{strangers}{}", texts.collect::<String>())
    }
}
