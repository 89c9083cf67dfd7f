//! What tools for mutation testing leave in a work tree, wherever git ignores it: how many mutants were noticed.

use serde_json::Value;

use super::read;
use crate::evidence::Score;
use crate::source_tree::SourceTree;

/// How many mutants were noticed, and how many were tried; `None` where that is no such result.
type Counts = fn(&Value) -> Option<(u64, u64)>;

/// Where each tool leaves its results, with how they are read.
const PLACES: [(&str, &str, Counts); 4] = [
    ("cargo-mutants", "mutants.out/outcomes.json", cargo_mutants),
    ("Stryker", "reports/mutation/mutation.json", stryker),
    ("mutmut", "mutants/mutmut-cicd-stats.json", mutmut),
    ("mutmut", "python/mutants/mutmut-cicd-stats.json", mutmut),
];

/// The scores that are there.
pub(super) fn scores(tree: &dyn SourceTree) -> Vec<Score> {
    let of_place = |(tool, path, counts): &(&str, &str, Counts)| {
        let (path, value) = read(path, tree)?;
        let (noticed, tried) = counts(&value)?;
        Some(Score { tool: (*tool).to_owned(), file: path.to_string(), noticed, tried })
    };
    PLACES.iter().filter_map(of_place).collect()
}

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
    fn what_is_no_result_is_none() {
        let tree = Files::new([("mutants.out/outcomes.json", "{}"), ("reports/mutation/mutation.json", "[1]")]);
        assert_eq!(scores(&tree), []);
    }
}
