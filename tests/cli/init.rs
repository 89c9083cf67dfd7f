//! `redpin init`: what it writes, what it leaves alone, and that a second time changes nothing.

use super::desk::{Answer, Desk};

/// What `init` says of each step: the word and the file.
fn steps(answer: &Answer) -> Vec<(String, String)> {
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    let told: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    told["steps"].as_array().unwrap().iter().map(|step| (text(&step["state"]), text(&step["file"]))).collect()
}

fn file(desk: &Desk, path: &str) -> String {
    std::fs::read_to_string(desk.top().join(path)).unwrap()
}

#[test]
fn a_dry_run_shows_all_and_writes_nothing() {
    let desk = Desk::new();
    let before = desk.state();
    let answer = desk.redpin(&["init", "--dry-run", "--owner", "@acme/qa"]);
    assert_eq!((answer.code, desk.state()), (0, before));
    assert!(answer.out.contains("\n+++ b/.github/workflows/redpin-nightly.yml\n"), "{}", answer.out);
}

#[test]
fn a_second_time_changes_nothing() {
    let desk = Desk::new();
    for (service, workflow) in
        [("github", ".github/workflows/redpin-nightly.yml"), ("gitlab", ".gitlab/redpin-nightly.yml")]
    {
        let switches = ["init", "--json", "--yes", "--ci", service, "--owner", "@acme/qa", "--deny", "claude"];
        let first = steps(&desk.redpin(&switches));
        assert!(first.contains(&("written".to_owned(), workflow.to_owned())), "{first:?}");
        let after = desk.state();
        let again = steps(&desk.redpin(&switches));
        assert!(again.iter().all(|(state, _)| ["there", "yours"].contains(&state.as_str())), "{again:?}");
        assert_eq!(desk.state(), after);
        let text = file(&desk, workflow);
        for job in ["rust", "python", "node"] {
            assert!(text.contains(&format!("redpin sweep --name {job} --shard ")), "{text}");
        }
    }
    let owners = file(&desk, ".github/CODEOWNERS");
    for line in
        ["**/proptest-regressions/** @acme/qa", "/tests/text.rs @acme/qa", "/spec.md @acme/qa", "/src/card.rs @acme/qa"]
    {
        assert!(owners.lines().any(|own| own == line), "{line}: {owners}");
    }
    let rules = file(&desk, ".claude/settings.json");
    assert!(rules.contains("\"Edit(/tests/text.rs)\"") && !rules.contains("/src/"), "{rules}");
}

#[test]
fn what_is_there_is_shown_and_gets_what_it_lacks_where_the_user_says_so() {
    let desk = Desk::new();
    desk.create(".gitattributes", "*.png binary\n");
    desk.create(".github/workflows/redpin-nightly.yml", "name: mine\n");
    desk.create(".redpin/config.toml", "[verify]\n");
    let answer = desk.redpin(&["init"]);
    assert!(answer.out.contains("\nlacking  .gitattributes: "), "{}", answer.out);
    assert!(answer.out.contains("\n *.png binary\n+\n+# The oracle, by `redpin init`.\n"), "{}", answer.out);
    assert!(answer.out.contains("differs  .github/workflows/redpin-nightly.yml: "), "{}", answer.out);
    assert_eq!(file(&desk, ".gitattributes"), "*.png binary\n");
    let told = steps(&desk.redpin(&["init", "--json", "--yes"]));
    assert!(told.contains(&("added".to_owned(), ".gitattributes".to_owned())), "{told:?}");
    assert!(file(&desk, ".gitattributes").contains("\n**/proptest-regressions/** text eol=lf merge=union\n"));
    assert_eq!(file(&desk, ".github/workflows/redpin-nightly.yml"), "name: mine\n");
    assert_eq!(file(&desk, ".redpin/config.toml"), "[verify]\n");
    let merged = desk.git(&["check-attr", "merge", "proptest-regressions/fees.txt", ".redpin/decisions/a.json"]);
    assert_eq!(merged, "proptest-regressions/fees.txt: merge: union\n.redpin/decisions/a.json: merge: unset\n");
}
