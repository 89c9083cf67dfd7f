//! What a run of Vitest, Jest or Node's runner is given to be a deep run: our file, which Node loads already, has the library
//! run more cases; the runner itself is told its part of the tests, and not to end one that takes long.

use std::ffi::OsString;

use crate::carrier::command::may_start;
use crate::invocation::{CASES, Invocation};
use crate::sweep::{Depth, Shard};

use super::capture::PROGRAMS;

/// A test runner, with the place of its name among the words of a command; of Node's own that of `--test`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runner {
    Vitest(usize),
    Jest(usize),
    Node(usize),
}

/// Makes the command of `invocation` a deep run where it runs Node.
///
/// # Errors
/// Why it cannot run a shard.
pub(super) fn deepen(invocation: &mut Invocation, depth: Depth) -> Result<bool, String> {
    if !may_start(&invocation.command, &PROGRAMS) {
        return Ok(false);
    }
    invocation.environment.push((CASES, depth.cases.to_string()));
    let command = &mut invocation.command;
    let runner = runner(command);
    match runner {
        Some(Runner::Vitest(at)) => add(command, at, "--testTimeout", "0"),
        // As long as it can be.
        Some(Runner::Jest(at)) => add(command, at, "--testTimeout", "2147483647"),
        Some(Runner::Node(_)) | None => {}
    }
    match (runner, depth.shard) {
        (_, None) => {}
        (Some(runner), Some(shard)) => part(command, runner, shard)?,
        (None, Some(_)) => {
            return Err(
                "the command does not tell which test runner it starts; name that one, as `npx vitest run`, `npx \
                        jest` or `node --test`"
                    .to_owned(),
            );
        }
    }
    Ok(true)
}

/// The runner that a word of the command names.
fn runner(command: &[OsString]) -> Option<Runner> {
    let named = command.iter().enumerate().find_map(|(at, word)| match word.to_str()?.rsplit('/').next()? {
        "vitest" | "vitest.mjs" => Some(Runner::Vitest(at)),
        "jest" | "jest.js" => Some(Runner::Jest(at)),
        _ => None,
    });
    named.or_else(|| Some(Runner::Node(command.iter().position(|word| word == "--test")?)))
}

/// Has a runner run the tests of `shard` alone.
fn part(command: &mut Vec<OsString>, runner: Runner, shard: Shard) -> Result<(), String> {
    let (at, option) = match runner {
        Runner::Vitest(at) | Runner::Jest(at) => (at, "--shard"),
        Runner::Node(at) => (at, "--test-shard"),
    };
    if has(command, at, option) {
        return Err(format!("the command names a `{option}` of its own; leave that out, or that of the sweep"));
    }
    if let Runner::Node(at) = runner {
        // Before the files: what comes after them is theirs.
        command.insert(at + 1, format!("{option}={shard}").into());
        return Ok(());
    }
    add(command, at, option, &shard.to_string());
    if !has(command, at, "--passWithNoTests") {
        insert(command, at, "--passWithNoTests".to_owned());
    }
    Ok(())
}

/// Whether `option` stands after the word at `at`, bare or with `=`.
fn has(command: &[OsString], at: usize, option: &str) -> bool {
    let words = command[at..].iter().filter_map(|word| word.to_str());
    words.map(|word| word.split_once('=').map_or(word, |(name, _)| name)).any(|name| name == option)
}

/// Adds an option that the user has not given.
fn add(command: &mut Vec<OsString>, at: usize, option: &str, value: &str) {
    if !has(command, at, option) {
        insert(command, at, format!("{option}={value}"));
    }
}

/// Puts a word at the end of the options of the program at `at`.
fn insert(command: &mut Vec<OsString>, at: usize, word: String) {
    let end = command[at..].iter().position(|word| word == "--").map_or(command.len(), |place| at + place);
    command.insert(end, word.into());
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::deepen;
    use crate::invocation::Invocation;
    use crate::sweep::Depth;

    /// The command as it is started.
    #[track_caller]
    fn check(command: &str, shard: Option<&str>, expected: &str) {
        let words: Vec<OsString> = command.split(' ').map(Into::into).collect();
        let mut invocation = Invocation::of(&words);
        let depth = Depth { cases: 9, shard: shard.map(|shard| shard.parse().unwrap()) };
        match deepen(&mut invocation, depth) {
            Ok(is_ours) => {
                let set = vec![("REDPIN_CASES", "9".to_owned())];
                assert_eq!(invocation.environment, if is_ours { set } else { Vec::new() });
                let words: Vec<&str> = invocation.command.iter().map(|word| word.to_str().unwrap()).collect();
                assert_eq!(words.join(" "), expected);
            }
            Err(why) => assert!(why.starts_with(expected), "{why}"),
        }
    }

    #[test]
    fn each_runner_is_told_its_shard_its_own_way() {
        let shard = Some("2/3");
        check("npx vitest run", shard, "npx vitest run --testTimeout=0 --shard=2/3 --passWithNoTests");
        check("yarn jest a", shard, "yarn jest a --testTimeout=2147483647 --shard=2/3 --passWithNoTests");
        check("node --test --import tsx test/", shard, "node --test --test-shard=2/3 --import tsx test/");
        check("node --test --test-shard 1/2", shard, "the command names a `--test-shard` of its own");
        check("npx vitest run --shard=1/2", shard, "the command names a `--shard` of its own");
    }

    #[test]
    fn a_runner_that_no_word_names_is_told_no_shard() {
        for command in ["npm test", "make test", "pnpm run check"] {
            check(command, Some("2/3"), "the command does not tell which test runner it starts");
            check(command, None, command);
        }
    }

    #[test]
    fn what_the_user_chose_is_kept() {
        check("npx vitest run --testTimeout 9000", None, "npx vitest run --testTimeout 9000");
        check("npx vitest run -- a", None, "npx vitest run --testTimeout=0 -- a");
        check("node --test", None, "node --test");
        check("cargo test", None, "cargo test");
    }
}
