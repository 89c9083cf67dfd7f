//! Cargo as all need it whose tests it builds: what a build goes by, how commands are changed, and how pins are run.

use std::ffi::OsString;
use std::path::Path;

use crate::carrier::cargo_tests::Built;
use crate::carrier::{cargo_build, cargo_command, cargo_lock, cargo_tests, outward};
use crate::framework::{Building, Capturing};
use crate::invocation::Invocation;
use crate::language::rust::package::Package;
use crate::language::rust::target::targets;
use crate::proof::{BuildLayout, Manner, PinCommand, StandingPin};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// How tests are built that cargo builds, and how the commands that run them are changed.
pub(crate) struct Cargo;

impl Building for Cargo {
    fn arguments(&self, command: &[&str], folder: &Path) -> Option<Vec<String>> {
        cargo_build::arguments(command, folder)
    }

    fn files(&self) -> &'static [&'static str] {
        cargo_build::FILES
    }

    fn layout_command(&self) -> &'static [&'static str] {
        cargo_build::LAYOUT
    }

    fn layout(&self, told: &[u8], arguments: &[String]) -> Option<BuildLayout> {
        cargo_build::layout(told, arguments)
    }

    fn packages(&self, tree: &dyn SourceTree, files: &[RepoPath]) -> Vec<(String, String)> {
        cargo_lock::packages(tree, files)
    }

    fn led_out(&self, file: &RepoPath, tree: &dyn SourceTree, top: &str) -> Option<String> {
        outward::led_out(file, tree, top)
    }
}

impl Capturing for Cargo {
    fn question(&self, command: &[OsString]) -> Option<Vec<OsString>> {
        cargo_command::question(command)
    }

    fn widen(&self, invocation: &mut Invocation, answer: Option<&str>, _folder: &Path) {
        cargo_command::widen(invocation, answer);
    }
}

/// The command whose first line names the toolchain.
pub(crate) fn toolchain() -> Vec<String> {
    ["rustc", "--version"].map(str::to_owned).to_vec()
}

/// The commands for `pins`.
pub(crate) fn commands(pins: &[StandingPin], tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
    cargo_tests::commands(pins, tree, manner, &|file| {
        let found = targets(file, tree);
        let mut switches = found.switches();
        switches.extend(alone(&found.package, tree));
        Built { switches, folder: found.package.folder }
    })
}

/// The switch that leaves out the packages which cargo builds as well where it is started in the folder of this one.
fn alone(package: &Package, tree: &dyn SourceTree) -> Option<Vec<String>> {
    let manifest = tree.read(&RepoPath::in_folder(&package.folder, "Cargo.toml")?)?;
    let has_others = String::from_utf8_lossy(&manifest).contains("default-members");
    let name = package.name.clone().filter(|_| has_others)?;
    Some(vec!["--package".to_owned(), name])
}

#[cfg(test)]
mod tests {
    use super::commands;
    use crate::failure::TestName;
    use crate::proof::testing::blank_pin;
    use crate::proof::{Manner, StandingPin};
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    fn pin(file: &str, test: &str) -> StandingPin {
        let test_name = Some(TestName(format!("{test}_pin")));
        StandingPin { test: test_name, file: RepoPath::new(file), ..blank_pin("any", test) }
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
    fn runners_tell_of_each_test_whatever_is_configured() {
        let manner = Manner { target: Some("/t".to_owned()), ..Manner::default() };
        let tree = Files::new([("Cargo.toml", "[package]\nname = \"top\"\n"), ("src/lib.rs", "")]);
        let own = Manner { arguments: vec!["--target-dir=/own".to_owned()], ..Manner::default() };
        let command = |manner: &Manner| commands(&[pin("src/lib.rs", "x")], &tree, manner)[0].command.join(" ");
        assert_eq!(command(&own), "cargo test --no-fail-fast --lib --target-dir=/own -- --exact x_pin");
        assert_eq!(
            command(&Manner { target: manner.target.clone(), ..own }),
            "cargo test --no-fail-fast --lib -- --exact x_pin"
        );
        let told = &commands(&[pin("src/lib.rs", "x")], &tree, &manner)[0].environment;
        let told: Vec<String> = told.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(
            told,
            [
                "CARGO_TARGET_DIR=/t",
                "CARGO_TERM_QUIET=false",
                "RUST_TEST_NOCAPTURE=0",
                "NEXTEST_STATUS_LEVEL=pass",
                "NEXTEST_FAILURE_OUTPUT=immediate",
                "NEXTEST_SUCCESS_OUTPUT=never"
            ]
        );
    }

    #[test]
    fn packages_that_are_built_by_default_are_left_out() {
        let manifest = "[package]\nname = \"top\"\n[workspace]\ndefault-members = [\".\", \"b\"]\n";
        let tree = Files::new([("Cargo.toml", manifest), ("src/lib.rs", "")]);
        let commands = commands(&[pin("src/lib.rs", "x")], &tree, &Manner::default());
        assert_eq!(commands[0].command.join(" "), "cargo test --no-fail-fast --lib --package top -- --exact x_pin");
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
}
