//! What tools for mutation testing leave in a work tree, wherever git ignores it: how many mutants were noticed.

use std::collections::BTreeSet;

use serde_json::Value;

use super::read;
use crate::evidence::Score;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// How many mutants were noticed, and how many were tried; `None` where that is no such result.
type Counts = fn(&Value) -> Option<(u64, u64)>;

/// Where each tool leaves its results in the folder of what it tests, which manifests tell that it may be one, and how they
/// are read.
const PLACES: [(&str, &str, &[&str], Counts); 3] = [
    ("cargo-mutants", "mutants.out/outcomes.json", &["Cargo.toml"], cargo_mutants),
    ("Stryker", "reports/mutation/mutation.json", &["package.json"], stryker),
    ("mutmut", "mutants/mutmut-cicd-stats.json", PYTHON, mutmut),
];

/// What tells that a folder may be a package of Python.
const PYTHON: &[&str] = &["pyproject.toml", "setup.cfg", "setup.py"];

/// The scores that are there.
pub(super) fn scores(tree: &dyn SourceTree) -> Vec<Score> {
    let of_place = |(tool, path, manifests, counts): &(&str, &str, &[&str], Counts)| {
        folders(manifests, tree)
            .into_iter()
            .filter_map(|folder| {
                let (path, value) = read(&format!("{folder}{path}"), tree)?;
                let (noticed, tried) = counts(&value)?;
                Some(Score { tool: (*tool).to_owned(), file: path.to_string(), noticed, tried })
            })
            .collect::<Vec<Score>>()
    };
    let mut scores: Vec<Score> = PLACES.iter().flat_map(of_place).collect();
    for folder in folders(PYTHON, tree) {
        let has_statistics =
            |one: &Score| one.file.strip_prefix(&folder).is_some_and(|rest| rest.starts_with("mutants/"));
        if !scores.iter().any(has_statistics) {
            scores.extend(mutmut_metas(&folder, tree));
        }
    }
    scores
}

/// The top, and each folder below it with one of these manifests, as the beginning of a path.
fn folders(manifests: &[&str], tree: &dyn SourceTree) -> BTreeSet<String> {
    let of_file = |file: &RepoPath| {
        let (folder, name) = file.as_str().rsplit_once('/')?;
        manifests.contains(&name).then(|| format!("{folder}/"))
    };
    let found = tree.find(&|path| manifests.iter().any(|name| path.ends_with(name)));
    found.iter().filter_map(of_file).chain([String::new()]).collect()
}

/// What mutmut keeps of each file in `folder` that it changed, where nobody had it write its statistics: the exit code of the
/// tests for each mutant.
fn mutmut_metas(folder: &str, tree: &dyn SourceTree) -> Option<Score> {
    let place = format!("{folder}mutants");
    let own = |path: &str| path.starts_with(folder) && path.ends_with(".py") && !path.starts_with(&place);
    let (mut noticed, mut tried) = (0, 0);
    for file in tree.find(&own) {
        let Some((_, value)) = read(&format!("{place}/{}.meta", &file.as_str()[folder.len()..]), tree) else {
            continue;
        };
        let Some(codes) = value.get("exit_code_by_key").and_then(Value::as_object) else { continue };
        for code in codes.values().filter_map(Value::as_i64) {
            noticed += u64::from(MUTMUT_NOTICED.contains(&code));
            tried += u64::from(!MUTMUT_NOT_TRIED.contains(&code));
        }
    }
    (tried > 0).then_some(Score { tool: "mutmut".to_owned(), file: place, noticed, tried })
}

/// Exit codes of the tests as mutmut keeps them: those of red tests, and those for a time-out.
const MUTMUT_NOTICED: &[i64] = &[1, 3, 24, 36, 152, 255, -24];

/// Those for a mutant that no test was tried on: interrupted, skipped, or no code that passes a check of its types.
const MUTMUT_NOT_TRIED: &[i64] = &[2, 34, 37];

fn number(value: &Value, key: &str) -> Option<u64> {
    value.get(key)?.as_u64()
}

/// The totals that cargo-mutants writes beside its outcomes. Mutants that do not build are no trial.
fn cargo_mutants(value: &Value) -> Option<(u64, u64)> {
    let (caught, missed, timeout) = (number(value, "caught")?, number(value, "missed")?, number(value, "timeout")?);
    let noticed = caught.saturating_add(timeout);
    Some((noticed, noticed.saturating_add(missed)))
}

/// The report format that the Stryker family shares: files, each with mutants, each with a status.
fn stryker(value: &Value) -> Option<(u64, u64)> {
    let files = value.get("files")?.as_object()?;
    let mutants = files.values().filter_map(|file| file.get("mutants")?.as_array()).flatten();
    let (mut noticed, mut tried) = (0, 0);
    for status in mutants.filter_map(|mutant| mutant.get("status")?.as_str()) {
        noticed += u64::from(matches!(status, "Killed" | "Timeout"));
        tried += u64::from(matches!(status, "Killed" | "Timeout" | "Survived" | "NoCoverage"));
    }
    Some((noticed, tried))
}

/// What `mutmut export-cicd-stats` writes.
fn mutmut(value: &Value) -> Option<(u64, u64)> {
    let noticed = number(value, "killed")?.saturating_add(number(value, "timeout").unwrap_or(0));
    let tried = number(value, "total")?.saturating_sub(number(value, "skipped").unwrap_or(0));
    Some((noticed, tried))
}

#[cfg(test)]
mod tests {
    use super::scores;
    use crate::source_tree::testing::Files;

    #[test]
    fn the_results_of_each_tool_are_counted() {
        let tree = Files::new([
            (
                "mutants.out/outcomes.json",
                r#"{"outcomes":[],"total_mutants":9,"missed":2,"caught":5,"timeout":1,"unviable":1,"success":0}"#,
            ),
            (
                "reports/mutation/mutation.json",
                r#"{"schemaVersion":"2","files":{"a.js":{"mutants":[{"status":"Killed"},{"status":"Survived"},{"status":"NoCoverage"},
                    {"status":"CompileError"},{"status":"Timeout"}]}}}"#,
            ),
            (
                "mutants/mutmut-cicd-stats.json",
                r#"{"killed":7,"survived":2,"total":11,"no_tests":1,"skipped":1,"suspicious":0,"timeout":0,"segfault":0}"#,
            ),
        ]);
        let told: Vec<_> = scores(&tree).into_iter().map(|one| (one.tool, one.noticed, one.tried)).collect();
        let expected = [("cargo-mutants", 6, 8), ("Stryker", 2, 4), ("mutmut", 7, 10)];
        assert_eq!(told, expected.map(|(tool, noticed, tried)| (tool.to_owned(), noticed, tried)));
    }

    #[test]
    fn each_package_of_a_repository_has_results_of_its_own() {
        let outcomes = r#"{"missed":1,"caught":3,"timeout":0}"#;
        let meta = r#"{"exit_code_by_key":{"a":1,"b":0,"c":33,"d":null,"e":34,"f":36,"g":2}}"#;
        let tree = Files::new([
            ("crates/rate/Cargo.toml", ""),
            ("crates/rate/mutants.out/outcomes.json", outcomes),
            ("target/mutants.out/outcomes.json", outcomes),
            ("python/pyproject.toml", ""),
            ("python/src/fees.py", ""),
            ("python/src/none.py", ""),
            ("python/mutants/src/fees.py.meta", meta),
            ("python/mutants/src/gone.py.meta", meta),
        ]);
        let told: Vec<_> = scores(&tree).into_iter().map(|one| (one.file, one.noticed, one.tried)).collect();
        let expected = [("crates/rate/mutants.out/outcomes.json", 3, 4), ("python/mutants", 2, 4)];
        assert_eq!(told, expected.map(|(file, noticed, tried)| (file.to_owned(), noticed, tried)));
    }

    #[test]
    fn what_is_no_result_is_none() {
        let tree = Files::new([("mutants.out/outcomes.json", "{}"), ("reports/mutation/mutation.json", "[1]")]);
        assert_eq!(scores(&tree), []);
    }
}
