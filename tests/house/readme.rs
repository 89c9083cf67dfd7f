//! The README says what the program does: its tables are made from the program's own, and its commands are those that CI
//! runs.

use std::collections::BTreeSet;

const README: &str = include_str!("../../README.md");

/// The text between `<!-- name -->` and `<!-- /name -->`.
pub(super) fn part<'t>(page: &'t str, name: &str) -> &'t str {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let start = page.find(&open).unwrap_or_else(|| panic!("expected {open}")) + open.len();
    let end = page[start..].find(&close).unwrap_or_else(|| panic!("expected {close}"));
    &page[start..start + end]
}

/// The commands as a table: how each is called, and the first line of its help. `help` holds the help texts one after
/// another, each under `$ redpin COMMAND --help`.
fn commands(help: &str) -> String {
    let mut table = String::from("| command | does |\n| --- | --- |\n");
    for section in help.split("$ redpin ").skip(1) {
        let about = section.lines().nth(1).unwrap_or_default().trim_end_matches('.');
        let usage = section.lines().find_map(|line| line.strip_prefix("Usage: ")).unwrap_or_default();
        table += &format!(
            "| `{}` | {about} |\n",
            usage.replace(" [OPTIONS]", "").replace(" [COMMAND]", "").replace('|', "\\|")
        );
    }
    table
}

/// The keys that the first column of a table names.
fn first_column(table: &str) -> BTreeSet<&str> {
    let cells = table.lines().skip(2).filter_map(|line| line.split('|').nth(1));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect()
}

fn check(name: &str, expected: &str) {
    assert!(part(README, name) == expected, "put this between the marks `{name}` in README.md:\n{expected}");
}

#[test]
fn its_commands_are_those_of_the_help() {
    check("commands", &commands(include_str!("../cli/help.txt")));
}

#[test]
fn its_keys_are_those_of_the_workstation() {
    check("keys", &redpin::tui::markdown());
}

#[test]
fn it_tells_every_key_of_a_failure() {
    let row: serde_json::Value = serde_json::from_str(include_str!("../cli/row.json")).unwrap();
    let told: BTreeSet<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(first_column(part(README, "failure")), told);
}

#[test]
fn it_tells_every_key_of_a_decision_record() {
    let patch = include_str!("../cli/real_bug.patch");
    let key =
        |line: &'static str| line.strip_prefix("+  \"").or_else(|| line.strip_prefix("+    \""))?.split_once("\": ");
    let keys: BTreeSet<&str> = patch.lines().filter_map(key).map(|(key, _)| key).collect();
    let table = part(README, "record");
    let told = |key: &&&str| !table.contains(&format!("`{key}`"));
    assert_eq!(keys.iter().filter(told).collect::<Vec<_>>(), Vec::<&&str>::new());
    assert!(keys.len() > 15, "{keys:?}");
}

#[test]
fn its_test_command_is_the_one_that_ci_runs() {
    let ci = include_str!("../../.ci/run");
    let tests = |line: &&str| line.starts_with("cargo test");
    let command = README.lines().find(tests).expect("expected a line `cargo test …` in the README");
    assert!(ci.lines().any(|line| line == format!("step {command}")), ".ci/run does not run `{command}`");
}

#[test]
fn a_table_of_commands_is_made_of_usage_and_first_line() {
    let help = "$ redpin --help\nJudge.\n\nUsage: redpin [OPTIONS] [RUN]...\n\n$ redpin undo --help\nTake back.\nMore.\n\nUsage: redpin undo\n";
    let expected = "| command | does |\n| --- | --- |\n| `redpin [RUN]...` | Judge |\n| `redpin undo` | Take back |\n";
    assert_eq!(commands(help), expected);
}
