//! The cargo commands that run pins: one a package, so that each is built once and each of its test binaries run once.

use std::ffi::OsString;
use std::path::Path;

use serde::Deserialize;

use super::preimage::locked_packages;
use super::{Proptest, outward};
use crate::carrier::cargo_command;
use crate::framework::{Building, Capturing};
use crate::invocation::Invocation;
use crate::language::rust::target::targets;
use crate::proof::{BuildLayout, Manner, PinCommand, StandingPin};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Where a repository that uses nextest says how.
const NEXTEST: &str = ".config/nextest.toml";

impl Building for Proptest {
    fn arguments(&self, command: &[&str]) -> Option<Vec<String>> {
        building(command)
    }

    fn files(&self) -> &'static [&'static str] {
        BUILD_FILES
    }

    fn layout_command(&self) -> &'static [&'static str] {
        LAYOUT
    }

    fn layout(&self, told: &[u8]) -> Option<BuildLayout> {
        layout(told)
    }

    fn packages(&self, tree: &dyn SourceTree, files: &[RepoPath]) -> Vec<(String, String)> {
        locked_packages(tree, files)
    }

    fn led_out(&self, file: &RepoPath, tree: &dyn SourceTree, top: &str) -> Option<String> {
        outward::led_out(file, tree, top)
    }
}

impl Capturing for Proptest {
    fn question(&self, command: &[OsString]) -> Option<Vec<OsString>> {
        cargo_command::question(command)
    }

    fn widen(&self, invocation: &mut Invocation, answer: Option<&str>, _folder: &Path) {
        cargo_command::widen(invocation, answer);
    }
}

/// The commands for `pins`.
pub(super) fn commands(pins: &[StandingPin], tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
    let mut packages: Vec<(String, Vec<Vec<String>>, Vec<usize>)> = Vec::new();
    for (place, pin) in pins.iter().enumerate() {
        let found = pin.file.as_ref().map(|file| targets(file, tree));
        let (folder, switches) = found.map_or_else(Default::default, |found| (found.package.folder, found.switches));
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
    packages
        .into_iter()
        .map(|(folder, mut switches, places)| {
            switches.sort();
            let tests: Vec<&str> = places.iter().map(|place| pins[*place].runs().0.as_str()).collect();
            let command = match by_nextest {
                true => nextest(&switches.concat(), &tests, manner),
                false => cargo_test(&switches.concat(), &tests, manner),
            };
            PinCommand { command, folder, environment: environment(manner), pins: places }
        })
        .collect()
}

/// Files that a build goes by even where git ignores them, in a package's folder or one above it.
const BUILD_FILES: &[&str] =
    &["Cargo.lock", ".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain"];

/// The command that tells [`layout`].
const LAYOUT: &[&str] = &["cargo", "metadata", "--no-deps", "--offline", "--format-version", "1"];

#[derive(Deserialize)]
struct Metadata {
    target_directory: String,
    packages: Vec<PackageOf>,
}

#[derive(Deserialize)]
struct PackageOf {
    name: String,
    targets: Vec<TargetOf>,
}

#[derive(Deserialize)]
struct TargetOf {
    name: String,
    crate_types: Vec<String>,
}

/// What `cargo metadata` tells of the user's builds.
fn layout(told: &[u8]) -> Option<BuildLayout> {
    let metadata: Metadata = serde_json::from_slice(told).ok()?;
    let is_library = |target: &TargetOf| target.crate_types.iter().any(|kind| kind != "bin");
    let names = metadata.packages.into_iter().flat_map(|package| {
        // A program may be called what a package from elsewhere is: `tests/serde.rs`.
        let targets = package.targets.into_iter().filter(is_library).map(|target| target.name);
        std::iter::once(package.name).chain(targets)
    });
    let mut own: Vec<String> = names.map(|name| name.replace('-', "_")).collect();
    own.sort();
    own.dedup();
    Some(BuildLayout { target: metadata.target_directory, own })
}

/// What is set in the environment of every command.
pub(super) fn environment(manner: &Manner) -> Vec<(&'static str, String)> {
    manner.target.iter().map(|target| ("CARGO_TARGET_DIR", target.clone())).collect()
}

fn uses_nextest(tree: &dyn SourceTree, manner: &Manner) -> bool {
    match manner.runner.as_deref() {
        Some(runner) => runner == "nextest",
        None => RepoPath::new(NEXTEST).is_some_and(|path| tree.exists(&path)),
    }
}

pub(super) fn cargo_test(switches: &[String], tests: &[&str], manner: &Manner) -> Vec<String> {
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

/// The toolchain among the arguments for every command, which stands right after `cargo`, and the others.
pub(super) fn split(manner: &Manner) -> (Vec<String>, Vec<String>) {
    manner.arguments.iter().cloned().partition(|argument| argument.starts_with('+'))
}

/// What `command` says of the way things are built: toolchain, features and profile, the profile by nextest's word for it.
/// `None` where it runs no tests by cargo.
fn building(command: &[&str]) -> Option<Vec<String>> {
    let (program, rest) = command.split_first()?;
    if program.rsplit('/').next() != Some("cargo") {
        return None;
    }
    let toolchain = rest.first().filter(|word| word.starts_with('+')).map(|word| (*word).to_owned());
    let at = rest.iter().position(|word| matches!(*word, "test" | "t" | "nextest"))?;
    let profile = if rest[at] == "nextest" { "--cargo-profile" } else { "--profile" };
    let mut kept: Vec<String> = toolchain.into_iter().collect();
    let mut words = rest[at + 1..].iter().take_while(|word| **word != "--");
    while let Some(word) = words.next() {
        let (name, value) = word.split_once('=').map_or((*word, None), |(name, value)| (name, Some(value)));
        match name {
            "--all-features" | "--no-default-features" | "--release" | "-r" => kept.push(name.to_owned()),
            "--features" | "-F" | "--profile" | "--cargo-profile" => {
                let Some(value) = value.or_else(|| words.next().copied()) else { break };
                match name {
                    "--features" | "-F" => kept.push(format!("--features={value}")),
                    name if name == profile => kept.push(format!("--cargo-profile={value}")),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::{building, commands, layout};
    use crate::failure::{FrameworkName, TestName};
    use crate::proof::{Manner, StandingPin};
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    fn pin(file: &str, test: &str) -> StandingPin {
        StandingPin {
            failure: String::new(),
            framework: FrameworkName("proptest".to_owned()),
            package: None,
            property: TestName(test.to_owned()),
            test: Some(TestName(format!("{test}_pin"))),
            file: RepoPath::new(file),
            replay: None,
            files: Vec::new(),
            message: String::new(),
            counterexample: String::new(),
            makes_value: false,
        }
    }

    fn told(nextest: bool, manner: &Manner) -> Vec<String> {
        let mut files = vec![
            ("Cargo.toml", "[package]\nname = \"top\"\n"),
            ("src/lib.rs", ""),
            ("tests/week.rs", ""),
            ("b/Cargo.toml", "[package]\nname = \"b\"\n"),
            ("b/src/lib.rs", ""),
        ];
        files.extend(nextest.then_some((".config/nextest.toml", "")));
        let seed = StandingPin { test: None, ..pin("src/lib.rs", "s") };
        let pins = [pin("tests/week.rs", "w"), pin("b/src/lib.rs", "x::y"), pin("src/lib.rs", "t::u"), seed];
        let commands = commands(&pins, &Files::new(files), manner);
        commands.iter().map(|one| format!("{:?} {}: {}", one.pins, one.folder, one.command.join(" "))).collect()
    }

    #[test]
    fn each_package_has_one_command() {
        assert_eq!(
            told(false, &Manner::default()),
            [
                "[0, 2, 3] : cargo test --no-fail-fast --lib --test week -- --exact w_pin t::u_pin s",
                "[1] b: cargo test --no-fail-fast --lib -- --exact x::y_pin"
            ]
        );
    }

    #[test]
    fn a_test_command_says_how_things_are_built() {
        let told = |command: &str| {
            let words: Vec<&str> = command.split(' ').collect();
            building(&words).map(|kept| kept.join(" "))
        };
        let check = |command, expected: Option<&str>| assert_eq!(told(command).as_deref(), expected, "{command}");
        check("cargo test", Some(""));
        check(
            "cargo +nightly test -p b --release --features slow,fast -- -F x",
            Some("+nightly --release --features=slow,fast"),
        );
        check(
            "/bin/cargo test --no-default-features -F=a --profile ci",
            Some("--no-default-features --features=a --cargo-profile=ci"),
        );
        check(
            "cargo nextest run --profile ci --cargo-profile=ci --all-features",
            Some("--cargo-profile=ci --all-features"),
        );
        check("cargo build", None);
        check("make test", None);
    }

    #[test]
    fn a_toolchain_and_a_profile_stand_where_each_runner_wants_them() {
        let arguments = ["--cargo-profile=ci", "+nightly"].map(str::to_owned).to_vec();
        let manner = Manner { arguments, ..Manner::default() };
        assert_eq!(
            told(false, &manner)[1],
            "[1] b: cargo +nightly test --no-fail-fast --lib --profile=ci -- --exact x::y_pin"
        );
        assert!(
            told(true, &manner)[1]
                .starts_with("[1] b: cargo +nightly nextest run --no-fail-fast --retries 0 --lib --cargo-profile=ci ")
        );
    }

    #[test]
    fn a_repository_with_nextest_runs_them_with_it() {
        let manner = Manner { arguments: vec!["--release".to_owned()], ..Manner::default() };
        assert_eq!(
            told(true, &manner)[1],
            "[1] b: cargo nextest run --no-fail-fast --retries 0 --lib --release -E test(=x::y_pin)"
        );
        let manner = Manner { runner: Some("cargo".to_owned()), ..Manner::default() };
        assert_eq!(told(true, &manner)[1], "[1] b: cargo test --no-fail-fast --lib -- --exact x::y_pin");
    }

    #[test]
    fn programs_are_not_named_among_what_is_the_repositorys_own() {
        let target = |name: &str, kind: &str| format!("{{\"name\":\"{name}\",\"crate_types\":[\"{kind}\"]}}");
        let targets = [target("my-lib", "lib"), target("serde", "bin"), target("build-script-build", "bin")].join(",");
        let told = format!("{{\"target_directory\":\"t\",\"packages\":[{{\"name\":\"my\",\"targets\":[{targets}]}}]}}");
        assert_eq!(layout(told.as_bytes()).unwrap().own, ["my", "my_lib"]);
    }
}
