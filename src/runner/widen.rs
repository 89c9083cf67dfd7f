//! The user's test command, changed so that its output loses as little as possible: no stop at the first failing
//! binary, and a stream made for programs where there is one. A command that is not known is left as it is.

use std::ffi::OsString;
use std::path::Path;

/// A command to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// What is set in its environment besides our own.
    pub environment: Vec<(&'static str, String)>,
    /// Which of its streams is the run.
    pub kept: Kept,
}

/// Which streams of a command are kept as its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Both, as they come; both are shown.
    Both,
    /// Standard output, which is for programs and is not shown; after its end standard error, which is shown as it comes.
    /// It repeats what the other says, but of a test that was tried again it alone tells the first try.
    OutputFirst,
    /// Standard output alone, which is not shown. Standard error is.
    Output,
}

/// A version, as `0.9.66`.
pub(super) type Version = [u32; 3];

/// The first nextest that writes a stream for programs.
const STREAMING: Version = [0, 9, 66];

/// What a command runs, with the place of the subcommand that takes its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    /// `cargo test`.
    CargoTest(usize),
    /// `cargo nextest run`; the place is that of `run`.
    Nextest(usize),
}

/// What `command` runs, where it is known.
pub(super) fn tool(command: &[OsString]) -> Option<Tool> {
    let program = Path::new(command.first()?).file_name()?;
    let at = if program == "cargo" { subcommand(command)? } else { return None };
    let word = |at: usize| command.get(at).and_then(|word| word.to_str());
    match (word(at)?, word(at + 1)) {
        ("test" | "t", _) => Some(Tool::CargoTest(at)),
        ("nextest", Some("run" | "r")) => Some(Tool::Nextest(at + 1)),
        _ => None,
    }
}

/// The place of cargo's subcommand: past `+toolchain` and cargo's own options.
fn subcommand(command: &[OsString]) -> Option<usize> {
    let mut at = 1;
    loop {
        match command.get(at)?.to_str()? {
            "--color" | "--config" | "-C" | "-Z" => at += 2,
            word if word.starts_with(['+', '-']) => at += 1,
            _ => return Some(at),
        }
    }
}

/// The invocation for `command`. `nextest` is the version of nextest, where it is what the command runs.
pub(super) fn widen(command: &[OsString], nextest: Option<Version>) -> Invocation {
    let mut invocation = Invocation { command: command.to_vec(), environment: Vec::new(), kept: Kept::Both };
    match tool(command) {
        Some(Tool::CargoTest(at)) => invocation.keep_going(at, &["--no-fail-fast", "--no-run"]),
        Some(Tool::Nextest(at)) => invocation.widen_nextest(at, nextest),
        None => {}
    }
    invocation
}

impl Invocation {
    fn widen_nextest(&mut self, at: usize, version: Option<Version>) {
        let chosen = ["--message-format", "--no-capture", "--nocapture", "--no-run"];
        if version.is_some_and(|version| version >= STREAMING) && !self.has(at, &chosen) {
            self.add(at, &["--message-format", "libtest-json-plus"]);
            self.environment.push(("NEXTEST_EXPERIMENTAL_LIBTEST_JSON", "1".to_owned()));
            self.kept = Kept::OutputFirst;
        }
        self.keep_going(at, &["--no-fail-fast", "--nff", "--fail-fast", "--ff", "--max-fail", "--no-run"]);
    }

    /// Has all tests run, unless the user said something about it: one of `chosen`.
    fn keep_going(&mut self, at: usize, chosen: &[&str]) {
        if !self.has(at, chosen) {
            self.add(at, &["--no-fail-fast"]);
        }
    }

    /// Whether one of `options` stands after the subcommand at `at`, bare or with `=`, before any `--`.
    fn has(&self, at: usize, options: &[&str]) -> bool {
        let words = self.command[at + 1..].iter().filter_map(|word| word.to_str()).take_while(|word| *word != "--");
        words.map(|word| word.split_once('=').map_or(word, |(name, _)| name)).any(|name| options.contains(&name))
    }

    /// Puts `words` right after the subcommand at `at`.
    fn add(&mut self, at: usize, words: &[&str]) {
        self.command.splice(at + 1..at + 1, words.iter().map(OsString::from));
    }
}

#[cfg(test)]
mod tests {
    use super::{Kept, Version, widen};

    /// `expected` is the whole command, with the environment set in front of it, as a shell takes it.
    #[track_caller]
    fn check(command: &str, nextest: Option<Version>, expected: &str) {
        let words: Vec<_> = command.split(' ').map(Into::into).collect();
        let invocation = widen(&words, nextest);
        let set = invocation.environment.iter().map(|(name, value)| format!("{name}={value}"));
        let words = invocation.command.iter().map(|word| word.to_str().unwrap().to_owned());
        assert_eq!(set.chain(words).collect::<Vec<_>>().join(" "), expected);
        assert_eq!(invocation.kept == Kept::OutputFirst, expected.contains("libtest-json-plus"));
    }

    #[test]
    fn cargo_test_runs_every_binary() {
        check("cargo test", None, "cargo test --no-fail-fast");
        check("cargo t -p core -- --nocapture", None, "cargo t --no-fail-fast -p core -- --nocapture");
        check(
            "/usr/bin/cargo +nightly -q --config a=b test",
            None,
            "/usr/bin/cargo +nightly -q --config a=b test --no-fail-fast",
        );
        check("cargo test --no-fail-fast x", None, "cargo test --no-fail-fast x");
        check("cargo test -- --no-fail-fast", None, "cargo test --no-fail-fast -- --no-fail-fast");
    }

    #[test]
    fn nextest_writes_its_stream_for_programs() {
        let streams =
            "NEXTEST_EXPERIMENTAL_LIBTEST_JSON=1 cargo nextest run --no-fail-fast --message-format libtest-json-plus";
        check("cargo nextest run", Some([0, 9, 143]), streams);
        check("cargo nextest run -E test(a)", Some([0, 9, 66]), &format!("{streams} -E test(a)"));
        check("cargo nextest r", Some([0, 9, 65]), "cargo nextest r --no-fail-fast");
        check("cargo nextest run", None, "cargo nextest run --no-fail-fast");
    }

    #[test]
    fn what_the_user_chose_is_kept() {
        let new = Some([1, 0, 0]);
        check(
            "cargo nextest run --message-format=libtest-json --ff",
            new,
            "cargo nextest run --message-format=libtest-json --ff",
        );
        check("cargo nextest run --no-capture --max-fail 3", new, "cargo nextest run --no-capture --max-fail 3");
        check("cargo nextest run --no-run", new, "cargo nextest run --no-run");
        check("cargo test --no-run", None, "cargo test --no-run");
    }

    #[test]
    fn other_commands_are_left_as_they_are() {
        for command in
            ["make test", "cargo build", "cargo nextest list", "cargo", "cargo --version", "sh -c cargo", "cargo -C"]
        {
            check(command, None, command);
        }
    }
}
