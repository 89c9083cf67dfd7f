//! The commands that run tests by their names, of cargo and of nextest: one a package, so that each is built once and each
//! of its test binaries run once.

use super::cargo_build::without_target_folder;
use crate::failure::TestName;
use crate::proof::{Manner, PinCommand, StandingPin};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Where a repository that uses nextest says how.
const NEXTEST: &str = ".config/nextest.toml";

/// What a source file is built into.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// The folder of its package, `""` for the top.
    pub folder: String,
    /// Cargo's switches for the targets that hold it, such as `--lib` or `--test week`.
    pub switches: Vec<Vec<String>>,
}

/// The commands for `pins`. `built` tells what the file of each is built into.
pub fn commands(
    pins: &[StandingPin],
    tree: &dyn SourceTree,
    manner: &Manner,
    built: &dyn Fn(&RepoPath) -> Built,
) -> Vec<PinCommand> {
    let mut packages: Vec<(String, Vec<Vec<String>>, Vec<usize>)> = Vec::new();
    for (place, pin) in pins.iter().enumerate() {
        let Built { folder, switches } = pin.file.as_ref().map(built).unwrap_or_default();
        let at = packages.iter().position(|(known, ..)| *known == folder).unwrap_or_else(|| {
            packages.push((folder, Vec::new(), Vec::new()));
            packages.len() - 1
        });
        let (_, known, places) = &mut packages[at];
        switches.into_iter().for_each(|switch| {
            if !known.contains(&switch) {
                known.push(switch);
            }
        });
        places.push(place);
    }
    let by_nextest = uses_nextest(tree, manner);
    let of_package = |(folder, mut switches, places): (String, Vec<Vec<String>>, Vec<usize>)| {
        switches.sort();
        let of_some = |places: &[usize]| {
            let tests: Vec<&str> = places.iter().map(|place| named(pins[*place].runs())).collect();
            let command = match by_nextest {
                true => nextest(&switches.concat(), &tests, manner),
                false => cargo_test(&switches.concat(), &tests, manner),
            };
            PinCommand { command, folder: folder.clone(), environment: environment(manner), pins: places.to_vec() }
        };
        places.chunks(MOST_AT_ONCE).map(of_some).collect::<Vec<_>>()
    };
    packages.into_iter().flat_map(of_package).collect()
}

/// Most tests that one command names: a word of a command line has an end, and nextest takes all names in one.
const MOST_AT_ONCE: usize = 1_000;

/// The name by which a test is asked for: one that a runner could take for something else, which no test of Rust has, is
/// that of no test.
fn named(test: &TestName) -> &str {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '#');
    let is_test = !test.0.is_empty() && test.0.len() <= LONGEST_NAME && test.0.chars().all(is_plain);
    if is_test { &test.0 } else { NO_TEST }
}

/// No test's name is longer.
const LONGEST_NAME: usize = 2_000;

/// What is asked for where there is no such test.
const NO_TEST: &str = "redpin_finds_no_such_test";

/// What is set in the environment of every command.
pub fn environment(manner: &Manner) -> Vec<(&'static str, String)> {
    let target = manner.target.iter().map(|target| ("CARGO_TARGET_DIR", target.clone()));
    target.chain(TELLING.map(|(name, value)| (name, value.to_owned()))).collect()
}

/// Has runners say of each test how it came out, and why it failed, whatever their configuration has them leave out.
const TELLING: [(&str, &str); 5] = [
    ("CARGO_TERM_QUIET", "false"),
    ("RUST_TEST_NOCAPTURE", "0"),
    ("NEXTEST_STATUS_LEVEL", "pass"),
    ("NEXTEST_FAILURE_OUTPUT", "immediate"),
    ("NEXTEST_SUCCESS_OUTPUT", "never"),
];

fn uses_nextest(tree: &dyn SourceTree, manner: &Manner) -> bool {
    match manner.runner.as_deref() {
        Some(runner) => runner == "nextest",
        None => RepoPath::new(NEXTEST).is_some_and(|path| tree.exists(&path)),
    }
}

/// The command of `cargo test` that runs `tests` alone, of the targets that `switches` choose.
pub fn cargo_test(switches: &[String], tests: &[&str], manner: &Manner) -> Vec<String> {
    let (toolchain, arguments) = split(manner);
    let arguments = arguments.iter().map(|argument| match argument.strip_prefix("--cargo-profile") {
        Some(rest) => format!("--profile{rest}"),
        None => argument.clone(),
    });
    let front = ["test", "--no-fail-fast"].map(str::to_owned);
    let filter = ["--", "--exact"].into_iter().chain(tests.iter().copied()).map(str::to_owned);
    let rest = front.into_iter().chain(switches.iter().cloned()).chain(arguments).chain(filter);
    std::iter::once("cargo".to_owned()).chain(toolchain).chain(rest).collect()
}

fn nextest(switches: &[String], tests: &[&str], manner: &Manner) -> Vec<String> {
    let (toolchain, arguments) = split(manner);
    let front = ["nextest", "run", "--no-fail-fast", "--retries", "0"].map(str::to_owned);
    let filter: Vec<String> = tests.iter().map(|test| format!("test(={test})")).collect();
    let filter = ["-E".to_owned(), filter.join(" | ")];
    let rest = front.into_iter().chain(switches.iter().cloned()).chain(arguments).chain(filter);
    std::iter::once("cargo".to_owned()).chain(toolchain).chain(rest).collect()
}

/// The toolchain among the arguments for every command, which stands right after `cargo`, and the others. Where builds go
/// somewhere else than the user's own do, nothing the user says of that counts.
pub fn split(manner: &Manner) -> (Vec<String>, Vec<String>) {
    let arguments = manner.arguments.clone();
    let arguments = if manner.target.is_some() { without_target_folder(arguments) } else { arguments };
    arguments.into_iter().partition(|argument| argument.starts_with('+'))
}

#[cfg(test)]
mod tests {
    use super::{Built, MOST_AT_ONCE, commands};
    use crate::failure::TestName;
    use crate::proof::testing::blank_pin;
    use crate::proof::{Manner, StandingPin};
    use crate::source_tree::NoFiles;

    fn told(tests: &[&str], runner: &str) -> Vec<String> {
        let pin = |test: &&str| StandingPin { test: Some(TestName((*test).to_owned())), ..blank_pin("any", "x") };
        let pins: Vec<StandingPin> = tests.iter().map(pin).collect();
        let manner = Manner { runner: Some(runner.to_owned()), ..Manner::default() };
        let commands = commands(&pins, &NoFiles, &manner, &|_| Built::default());
        commands.iter().map(|one| one.command.join(" ")).collect()
    }

    #[test]
    fn a_name_is_never_a_switch_or_a_filter() {
        let names = ["a::r#type", "--logfile=/tmp/x", "", "a) | all(", "groß::case_1"];
        let none = "redpin_finds_no_such_test";
        assert_eq!(
            told(&names, "cargo"),
            [format!("cargo test --no-fail-fast -- --exact a::r#type {none} {none} {none} groß::case_1")]
        );
        let filter = format!("test(=a::r#type) | test(={none}) | test(={none}) | test(={none}) | test(=groß::case_1)");
        assert_eq!(told(&names, "nextest"), [format!("cargo nextest run --no-fail-fast --retries 0 -E {filter}")]);
    }

    #[test]
    fn many_tests_are_named_by_several_commands() {
        let told = told(&vec!["a"; 2 * MOST_AT_ONCE + 1], "cargo");
        assert_eq!(told.iter().map(|command| command.matches(" a").count()).collect::<Vec<_>>(), [1_000, 1_000, 1]);
    }
}
