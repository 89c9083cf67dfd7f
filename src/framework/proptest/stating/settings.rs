//! What settings files say of which tests cargo runs, and with how many cases.

use crate::keys::{Key, commands, switches, toml, variables};
use crate::oracle::{Named, Oracle, Setting};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// The crates that properties are made with.
const CRATES: [&str; 5] = ["proptest", "proptest-derive", "proptest-macro", "proptest-state-machine", "test-strategy"];

/// What of a dependency says which code it is.
const ORIGINS: [&str; 7] = ["path", "git", "branch", "rev", "tag", "package", "registry"];

/// Programs that run the tests.
const PROGRAMS: [&[&str]; 5] = [
    &["cargo", "test"],
    &["cargo", "t"],
    &["cargo", "nextest", "run"],
    &["cargo", "nextest", "r"],
    &["cargo-nextest", "run"],
];

/// What they are told that leaves out no test.
const HARMLESS: [&str; 14] = [
    "--locked",
    "--offline",
    "--frozen",
    "-v",
    "-vv",
    "-q",
    "--verbose",
    "--quiet",
    "--no-fail-fast",
    "--color",
    "--message-format",
    "--nocapture",
    "--no-capture",
    "--timings",
];

/// What nextest's profiles say that leaves out no test.
const OF_NEXTEST: [&str; 12] = [
    "slow-timeout",
    "leak-timeout",
    "junit",
    "status-level",
    "final-status-level",
    "failure-output",
    "success-output",
    "fail-fast",
    "test-threads",
    "threads-required",
    "run-extra-args",
    "store-failure-output",
];

/// What `file` says, where it is one of those.
pub(super) fn of_file(file: &RepoPath, tree: &dyn SourceTree) -> Oracle {
    let name = file.file_name();
    let folder = file.folder();
    let is_text =
        [".yml", ".yaml", ".toml", ".sh", ".mk", ".env", ".json", ".ini"].iter().any(|end| name.ends_with(end))
            || ["Makefile", "justfile", "Justfile", ".env", "Dockerfile"].contains(&name);
    let is_cargo = matches!(folder.rsplit('/').next(), Some(".cargo")) && matches!(name, "config.toml" | "config");
    let Some(bytes) = tree.read(file).filter(|_| is_text || is_cargo) else { return Oracle::default() };
    let text = String::from_utf8_lossy(&bytes);
    let outer = folder.rsplit_once('/').map_or("", |(outer, _)| outer);
    let mut settings: Vec<Setting> = match name {
        "Cargo.toml" => toml(&text).into_iter().filter_map(|key| of_manifest(key, folder)).collect(),
        _ if is_cargo => {
            toml(&text).into_iter().filter(|key| is_of_cargo(&key.path)).map(|key| setting(key, outer)).collect()
        }
        "nextest.toml" => {
            toml(&text).into_iter().filter(|key| is_of_nextest(&key.path)).map(|key| setting(key, outer)).collect()
        }
        _ => variables(&text, is_of_library).into_iter().map(|key| setting(key, "")).collect(),
    };
    let is_of_others = [".toml", ".json"].iter().any(|end| name.ends_with(end));
    let started = if is_of_others { Vec::new() } else { commands(&text, &PROGRAMS) };
    let named = |key: Key| Named::command(key.path, &key.value, &HARMLESS, key.line);
    let commands: Vec<Named> = started.into_iter().map(named).collect();
    if !commands.is_empty() {
        settings.extend(switches(&text).into_iter().map(|key| setting(key, "")));
    }
    settings.dedup();
    let rest = if settings.is_empty() && commands.is_empty() { String::new() } else { text.into_owned() };
    Oracle { settings, commands, rest, ..Oracle::default() }
}

fn setting(key: Key, scope: &str) -> Setting {
    Setting { name: key.path, text: key.value, line: key.line, scope: scope.to_owned() }
}

fn is_of_library(name: &str) -> bool {
    matches!(
        name,
        "PROPTEST_CASES" | "PROPTEST_DISABLE_FAILURE_PERSISTENCE" | "PROPTEST_RNG_SEED" | "PROPTEST_RNG_ALGORITHM"
    )
}

fn is_of_cargo(path: &str) -> bool {
    let parts: Vec<&str> = path.split('.').collect();
    match parts.as_slice() {
        ["env", name, ..] => is_of_library(name),
        ["build", "rustflags" | "target" | "rustc" | "rustc-wrapper"] | ["alias", ..] | ["paths" | "patch", ..] => true,
        ["target", ..] => ["runner", "rustflags"].iter().any(|end| path.ends_with(end)),
        _ => false,
    }
}

fn is_of_nextest(path: &str) -> bool {
    let mut parts = path.split('.');
    let is_profile = parts.next() == Some("profile");
    is_profile && parts.nth(1).is_some_and(|key| !OF_NEXTEST.contains(&key))
}

/// What a manifest says, with the files whose tests it means.
fn of_manifest(key: Key, folder: &str) -> Option<Setting> {
    let parts: Vec<&str> = key.path.split('.').collect();
    let below = |path: &str| if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") };
    let scope = match parts.as_slice() {
        ["package", "autotests"]
        | ["profile", "test" | "dev", "debug-assertions" | "overflow-checks"]
        | ["patch" | "replace", ..] => folder.to_owned(),
        ["lib", "test" | "harness" | "path"] => below("src"),
        ["bin", _, "test" | "harness" | "path"] => below("src"),
        ["test", name, "name" | "test" | "harness" | "path" | "required-features"] => below(&format!("tests/{name}")),
        ["workspace", "exclude" | "members" | "default-members"] => folder.to_owned(),
        [.., table, name, what]
            if table.ends_with("dependencies") && CRATES.contains(name) && ORIGINS.contains(what) =>
        {
            folder.to_owned()
        }
        _ => return None,
    };
    Some(Setting { name: key.path, text: key.value, line: key.line, scope })
}

#[cfg(test)]
mod tests {
    use super::of_file;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    #[track_caller]
    fn check(file: &str, text: &str, expected: &[(&str, &str, &str)]) {
        let oracle = of_file(&RepoPath::new(file).unwrap(), &Files::new([(file, text)]));
        let told: Vec<_> =
            oracle.settings.iter().map(|one| (one.name.as_str(), one.text.as_str(), one.scope.as_str())).collect();
        assert_eq!(told, expected, "{file}");
    }

    #[test]
    fn what_says_which_tests_are_run_is_told() {
        let manifest = "[package]\nname = \"a\"\nautotests = false\n[dev-dependencies]\nproptest = { path = \"fake\" }\nrand = \"1\"\n";
        check(
            "a/Cargo.toml",
            manifest,
            &[("dev-dependencies.proptest.path", "fake", "a"), ("package.autotests", "false", "a")],
        );
        check(
            "Cargo.toml",
            "[[test]]\nname = \"all\"\nharness = false\n",
            &[("test.all.harness", "false", "tests/all"), ("test.all.name", "all", "tests/all")],
        );
        check(
            "a/.cargo/config.toml",
            "[env]\nPROPTEST_CASES = \"1\"\nOTHER = \"2\"\n",
            &[("env.PROPTEST_CASES", "1", "a")],
        );
        let nextest = "[profile.default]\ndefault-filter = \"not test(x)\"\nfail-fast = false\n";
        check(".config/nextest.toml", nextest, &[("profile.default.default-filter", "not test(x)", "")]);
        check(".github/workflows/ci.yml", "env:\n  PROPTEST_CASES: 4\n", &[("PROPTEST_CASES", "4", "")]);
        check("Cargo.toml", "[package]\nname = \"a\"\n[dependencies]\nproptest = \"1\"\n", &[]);
        check("notes.txt", "PROPTEST_CASES=1", &[]);
    }
}
