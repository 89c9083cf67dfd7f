//! The user's cargo command, changed so that its output loses as little as possible: no stop at the first failing
//! binary, and a stream made for programs where there is one. A command that is no cargo's is left as it is.

use std::ffi::OsString;
use std::path::Path;

use crate::invocation::{Invocation, Kept};
use crate::sweep::Shard;

/// A version, as `0.9.66`.
type Version = [u32; 3];

/// The first nextest that writes a stream for programs.
const STREAMING: Version = [0, 9, 66];

/// The first nextest that fails where no test is left to run.
const FAILS_WITHOUT_TESTS: Version = [0, 9, 85];

/// What a command runs, with the place of the subcommand that takes its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    /// `cargo test`.
    CargoTest(usize),
    /// `cargo nextest run`; the place is that of `run`.
    Nextest(usize),
}

/// What `command` runs, where it is known.
fn tool(command: &[OsString]) -> Option<Tool> {
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
pub(super) fn subcommand(command: &[OsString]) -> Option<usize> {
    let mut at = 1;
    loop {
        match command.get(at)?.to_str()? {
            "--color" | "--config" | "-C" | "-Z" => at += 2,
            word if word.starts_with(['+', '-']) => at += 1,
            _ => return Some(at),
        }
    }
}

/// The command that tells the version of nextest, where `command` runs it.
pub fn question(command: &[OsString]) -> Option<Vec<OsString>> {
    match tool(command)? {
        Tool::Nextest(at) => Some(command[..at].iter().cloned().chain(["--version".into()]).collect()),
        Tool::CargoTest(_) => None,
    }
}

/// Widens the command of `invocation`. `answer` is what the command of [`question`] printed.
pub fn widen(invocation: &mut Invocation, answer: Option<&str>) {
    match tool(&invocation.command) {
        Some(Tool::CargoTest(at)) => keep_going(invocation, at, &["--no-fail-fast", "--no-run"]),
        Some(Tool::Nextest(at)) => widen_nextest(invocation, at, answer.and_then(version_in)),
        None => {}
    }
}

/// Has the command of `invocation` run the tests of `shard` alone. Says whether it is one that runs tests. `answer` as above.
///
/// # Errors
/// Why it cannot.
pub fn part(invocation: &mut Invocation, shard: Option<Shard>, answer: Option<&str>) -> Result<bool, String> {
    match (tool(&invocation.command), shard) {
        (None, _) => Ok(false),
        (Some(_), None) => Ok(true),
        (Some(Tool::CargoTest(_)), Some(_)) => {
            Err("`cargo test` cannot run a part of the tests; name `cargo nextest run`, which can".to_owned())
        }
        (Some(Tool::Nextest(at)), Some(_)) if has(&invocation.command, at, &["--partition"]) => {
            Err("the command names a `--partition` of its own; leave that out, or `--shard`".to_owned())
        }
        (Some(Tool::Nextest(at)), Some(shard)) => {
            add(invocation, at, &["--partition", &format!("hash:{shard}")]);
            let fails = answer.and_then(version_in).is_some_and(|version| version >= FAILS_WITHOUT_TESTS);
            if fails && !has(&invocation.command, at, &["--no-tests"]) {
                add(invocation, at, &["--no-tests", "pass"]);
            }
            Ok(true)
        }
    }
}

/// The version in `cargo-nextest 0.9.143 (60fa45f63 2026-08-04)`.
fn version_in(told: &str) -> Option<Version> {
    let mut numbers = told.split_whitespace().nth(1)?.split('.').map(|part| {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        part[..digits].parse().ok()
    });
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

fn widen_nextest(invocation: &mut Invocation, at: usize, version: Option<Version>) {
    let chosen = ["--message-format", "--no-capture", "--nocapture", "--no-run"];
    if version.is_some_and(|version| version >= STREAMING) && !has(&invocation.command, at, &chosen) {
        add(invocation, at, &["--message-format", "libtest-json-plus"]);
        invocation.environment.push(("NEXTEST_EXPERIMENTAL_LIBTEST_JSON", "1".to_owned()));
        invocation.kept = Kept::OutputFirst;
    }
    keep_going(invocation, at, &["--no-fail-fast", "--nff", "--fail-fast", "--ff", "--max-fail", "--no-run"]);
}

/// Has all tests run, unless the user said something about it: one of `chosen`.
fn keep_going(invocation: &mut Invocation, at: usize, chosen: &[&str]) {
    if !has(&invocation.command, at, chosen) {
        add(invocation, at, &["--no-fail-fast"]);
    }
}

/// Whether one of `options` stands after the subcommand at `at`, bare or with `=`, before any `--`.
fn has(command: &[OsString], at: usize, options: &[&str]) -> bool {
    let words = command[at + 1..].iter().filter_map(|word| word.to_str()).take_while(|word| *word != "--");
    words.map(|word| word.split_once('=').map_or(word, |(name, _)| name)).any(|name| options.contains(&name))
}

/// Puts `words` right after the subcommand at `at`.
fn add(invocation: &mut Invocation, at: usize, words: &[&str]) {
    invocation.command.splice(at + 1..at + 1, words.iter().map(OsString::from));
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::{part, question, version_in, widen};
    use crate::invocation::{Invocation, Kept};

    fn words(command: &str) -> Vec<OsString> {
        command.split(' ').map(Into::into).collect()
    }

    /// `expected` is the whole command, with the environment set in front of it, as a shell takes it.
    #[track_caller]
    fn check(command: &str, nextest: Option<&str>, expected: &str) {
        let mut invocation = Invocation::of(&words(command));
        let told = nextest.map(|version| format!("cargo-nextest {version} (60fa45f63 2026-08-04)\n"));
        widen(&mut invocation, told.as_deref());
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
        check("cargo nextest run", Some("0.9.143"), streams);
        check("cargo nextest run -E test(a)", Some("0.9.66"), &format!("{streams} -E test(a)"));
        check("cargo nextest r", Some("0.9.65"), "cargo nextest r --no-fail-fast");
        check("cargo nextest run", None, "cargo nextest run --no-fail-fast");
    }

    #[test]
    fn what_the_user_chose_is_kept() {
        let new = Some("1.0.0");
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

    /// `expected` is the command, or the beginning of why it cannot be.
    #[track_caller]
    fn check_part(command: &str, shard: Option<&str>, expected: (bool, &str)) {
        let mut invocation = Invocation::of(&words(command));
        let answer = "cargo-nextest 0.9.143 (60fa45f63 2026-08-04)\n";
        match part(&mut invocation, shard.map(|shard| shard.parse().unwrap()), Some(answer)) {
            Ok(is_ours) => assert_eq!((is_ours, invocation.command), (expected.0, words(expected.1))),
            Err(why) => assert!(!expected.0 && why.starts_with(expected.1), "{why}"),
        }
    }

    #[test]
    fn nextest_runs_a_part_of_the_tests_and_cargo_cannot() {
        let partition = "--no-tests pass --partition hash:2/3";
        check_part("cargo nextest run -p a", Some("2/3"), (true, &format!("cargo nextest run {partition} -p a")));
        check_part(
            "cargo nextest run --no-tests=warn",
            Some("1/2"),
            (true, "cargo nextest run --partition hash:1/2 --no-tests=warn"),
        );
        check_part(
            "cargo nextest run --partition count:1/2",
            Some("2/3"),
            (false, "the command names a `--partition`"),
        );
        check_part("cargo test", Some("2/3"), (false, "`cargo test` cannot run a part of the tests"));
        check_part("cargo test", None, (true, "cargo test"));
        check_part("make test", Some("2/3"), (false, "make test"));
    }

    #[test]
    fn nextest_is_asked_for_its_version() {
        let asked = |command: &str| question(&words(command));
        assert_eq!(asked("cargo +nightly nextest run -p a"), Some(words("cargo +nightly nextest --version")));
        assert_eq!((asked("cargo test"), asked("make test")), (None, None));
        assert_eq!(version_in("cargo-nextest 0.9.143 (60fa45f63 2026-08-04)\nrelease: 0.9.143\n"), Some([0, 9, 143]));
        assert_eq!(version_in("cargo-nextest 0.9.66-b.2"), Some([0, 9, 66]));
        assert_eq!(version_in("error: no such command: `nextest`"), None);
        assert_eq!(version_in(""), None);
    }
}
