//! How a repository's tests are built by cargo: what a test command that somebody typed says of it, the files that a build
//! goes by, and what cargo tells of the user's own builds.

use serde::Deserialize;

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

/// What `cargo metadata` tells of the user's builds.
pub fn layout(told: &[u8]) -> Option<BuildLayout> {
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

/// What `command` says of the way things are built: toolchain, features and profile, the profile by nextest's word for it.
/// `None` where it runs no tests by cargo.
pub fn arguments(command: &[&str]) -> Option<Vec<String>> {
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
    use super::{arguments, layout};

    #[test]
    fn a_test_command_says_how_things_are_built() {
        let told = |command: &str| {
            let words: Vec<&str> = command.split(' ').collect();
            arguments(&words).map(|kept| kept.join(" "))
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
    fn programs_are_not_named_among_what_is_the_repositorys_own() {
        let target = |name: &str, kind: &str| format!("{{\"name\":\"{name}\",\"crate_types\":[\"{kind}\"]}}");
        let targets = [target("my-lib", "lib"), target("serde", "bin"), target("build-script-build", "bin")].join(",");
        let told = format!("{{\"target_directory\":\"t\",\"packages\":[{{\"name\":\"my\",\"targets\":[{targets}]}}]}}");
        assert_eq!(layout(told.as_bytes()).unwrap().own, ["my", "my_lib"]);
    }
}
