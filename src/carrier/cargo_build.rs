//! How a repository's tests are built by cargo: what a test command that somebody typed says of it, the files that a build
//! goes by, and what cargo tells of the user's own builds.

use std::ffi::OsString;
use std::path::Path;

use serde::Deserialize;

use super::cargo_command;
use crate::proof::BuildLayout;

/// Files that a build goes by even where git ignores them, in a package's folder or one above it.
pub const FILES: &[&str] =
    &["Cargo.lock", ".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain"];

/// The command that tells [`layout`].
pub const LAYOUT: &[&str] = &["cargo", "metadata", "--no-deps", "--offline", "--format-version", "1"];

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

/// What `cargo metadata` tells of the user's builds. They go where `arguments`, which every command of theirs gets, say
/// instead.
pub fn layout(told: &[u8], arguments: &[String]) -> Option<BuildLayout> {
    let metadata: Metadata = serde_json::from_slice(told).ok()?;
    let target = target_folder(arguments).map_or(metadata.target_directory, str::to_owned);
    let is_library = |target: &TargetOf| target.crate_types.iter().any(|kind| kind != "bin");
    let names = metadata.packages.into_iter().flat_map(|package| {
        // A program may be called what a package from elsewhere is: `tests/serde.rs`.
        let targets = package.targets.into_iter().filter(is_library).map(|target| target.name);
        std::iter::once(package.name).chain(targets)
    });
    let mut own: Vec<String> = names.map(|name| name.replace('-', "_")).collect();
    own.sort();
    own.dedup();
    Some(BuildLayout { target, own })
}

/// The switch that says where builds go.
const TARGET_FOLDER: &str = "--target-dir";

/// Where `arguments` have builds go.
fn target_folder(arguments: &[String]) -> Option<&str> {
    let following = arguments.iter().skip(1).map(String::as_str).chain([""]);
    let named = arguments.iter().zip(following).filter_map(|(word, next)| match word.strip_prefix(TARGET_FOLDER)? {
        "" => Some(next),
        rest => rest.strip_prefix('='),
    });
    named.last().filter(|folder| !folder.is_empty())
}

/// `arguments` without what they say of where builds go.
pub fn without_target_folder(arguments: Vec<String>) -> Vec<String> {
    let mut words = arguments.into_iter();
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        match word.strip_prefix(TARGET_FOLDER) {
            Some("") => drop(words.next()),
            Some(rest) if rest.starts_with('=') => {}
            _ => kept.push(word),
        }
    }
    kept
}

/// What `command`, started in `folder`, says of the way things are built: toolchain, features, profile by nextest's word for
/// it, target, the folder that builds go to and settings. `None` where it runs no tests by cargo.
pub fn arguments(command: &[&str], folder: &Path) -> Option<Vec<String>> {
    let (program, rest) = command.split_first()?;
    if program.rsplit('/').next() != Some("cargo") {
        return None;
    }
    let words: Vec<OsString> = command.iter().map(OsString::from).collect();
    let at = cargo_command::subcommand(&words)? - 1;
    let profile = match rest[at] {
        "test" | "t" => "--profile",
        "nextest" => "--cargo-profile",
        _ => return None,
    };
    let toolchain = rest[0].starts_with('+').then(|| rest[0].to_owned());
    let mut kept: Vec<String> = toolchain.into_iter().collect();
    let own = rest[at + 1..].iter().take_while(|word| **word != "--");
    let mut words = rest[..at].iter().chain(own).copied();
    while let Some(word) = words.next() {
        let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        match name {
            "--all-features" | "--no-default-features" | "--release" | "-r" => kept.push(name.to_owned()),
            TARGET_FOLDER => {
                let Some(value) = value.or_else(|| words.next()) else { break };
                // It is named from where the command is started.
                kept.extend(folder.join(value).to_str().map(|folder| format!("{TARGET_FOLDER}={folder}")));
            }
            "--features" | "-F" | "--profile" | "--cargo-profile" | "--target" | "--config" | "-Z" => {
                let Some(value) = value.or_else(|| words.next()) else { break };
                kept.extend(option(name, value, profile));
            }
            name if name.starts_with("-Z") => kept.push(word.to_owned()),
            _ => {}
        }
    }
    Some(kept)
}

/// An option with a value as it is kept. A file of settings is named from where the command was started, which is no longer
/// known.
fn option(name: &str, value: &str, profile: &str) -> Option<String> {
    match name {
        "--features" | "-F" => Some(format!("--features={value}")),
        "--target" => Some(format!("--target={value}")),
        "--config" => value.contains('=').then(|| format!("--config={value}")),
        "-Z" => Some(format!("-Z{value}")),
        name => (name == profile).then(|| format!("--cargo-profile={value}")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{arguments, layout, without_target_folder};

    #[test]
    fn a_test_command_says_how_things_are_built() {
        let told = |command: &str| {
            let words: Vec<&str> = command.split(' ').collect();
            arguments(&words, Path::new("/r/b")).map(|kept| kept.join(" "))
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
        check(
            "cargo --config net.offline=true test --target x86_64-unknown-linux-musl -Z build-std -Zunstable --config a.toml",
            Some("--config=net.offline=true --target=x86_64-unknown-linux-musl -Zbuild-std -Zunstable"),
        );
        check("cargo test --target-dir ../t --target x", Some("--target-dir=/r/b/../t --target=x"));
        check("cargo nextest run --target-dir=/t", Some("--target-dir=/t"));
        check("cargo --config test.x=1 build", None);
        check("cargo build", None);
        check("make test", None);
    }

    #[test]
    fn programs_are_not_named_among_what_is_the_repositorys_own() {
        let target = |name: &str, kind: &str| format!("{{\"name\":\"{name}\",\"crate_types\":[\"{kind}\"]}}");
        let targets = [target("my-lib", "lib"), target("serde", "bin"), target("build-script-build", "bin")].join(",");
        let told = format!("{{\"target_directory\":\"t\",\"packages\":[{{\"name\":\"my\",\"targets\":[{targets}]}}]}}");
        let layout = |arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
            layout(told.as_bytes(), &arguments).unwrap()
        };
        assert_eq!(layout(&[]).own, ["my", "my_lib"]);
        assert_eq!(layout(&["--release"]).target, "t");
        assert_eq!(layout(&["--target-dir=/a", "--release"]).target, "/a");
        assert_eq!(layout(&["--target-dir=/a", "--target-dir", "/b", "--release"]).target, "/b");
    }

    #[test]
    fn what_is_built_in_a_copy_does_not_go_where_the_users_own_builds_go() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let told = |line: &str| without_target_folder(words(line)).join(" ");
        assert_eq!(told("--release --target-dir=/a --target=x"), "--release --target=x");
        assert_eq!(told("--target-dir /a --release --target-dir"), "--release");
    }
}
