//! `redpin sweep`: a deep run whole and in shards, whose run files are one run on another machine, and what it refuses.

use super::desk::Desk;

/// A stand-in for pytest that hands over what a recorded run told: of a shard every other line.
fn pytest() -> String {
    let recorded = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/hypothesis/handed.txt");
    let mark = "{\"redpin\"";
    format!(
        "grep '^{mark}' {recorded} | awk -v s=\"${{REDPIN_SHARD%/*}}\" 's == \"\" || NR % 2 == s - 1' >> \"$REDPIN_CAPTURE\"; \
         echo \"$REDPIN_CASES cases\"; echo '{mark}:\"swept\",\"test\":\"'$$'\"}}' >> \"$REDPIN_CAPTURE\"; exit 3 # pytest"
    )
}

/// Sweeps in `desk` with `switches`, and gives the answer's last lines.
fn sweep(desk: &Desk, switches: &[&str]) -> Vec<String> {
    let script = pytest();
    let answer = desk.redpin(&[&["sweep"], switches, &["--", "sh", "-c", &script]].concat());
    assert_eq!(answer.code, 1, "{}", answer.err);
    answer.out.lines().map(str::to_owned).collect()
}

/// Ids of the failures in the inbox, and the run that they are of.
fn inbox(desk: &Desk) -> Vec<String> {
    let told: serde_json::Value = serde_json::from_str(&desk.redpin(&["list", "--json"]).out).unwrap();
    let id = |failure: &serde_json::Value| failure["id"].as_str().unwrap().to_owned();
    let mut ids: Vec<String> = told["failures"].as_array().unwrap().iter().map(id).collect();
    ids.sort();
    ids
}

/// The record of sweeps.
fn sweeps(desk: &Desk) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(desk.top().join(".git/redpin/sweeps.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_run_files_of_all_shards_are_one_run() {
    let (whole, machine, other) = (Desk::new(), Desk::new(), Desk::new());
    let told = sweep(&whole, &["--cases", "77"]);
    let expected = inbox(&whole);
    // The list also has what the sample's own run left in replay files.
    let all = 8;
    assert!(expected.len() > all);
    assert_eq!(told.last(), Some(&format!("77 cases each, 1 property, {all} new, 0 known from before")));

    let files = [1, 2].map(|number| machine.top().join(format!("night-{number}.run")).to_str().unwrap().to_owned());
    for (number, file) in (1..).zip(&files) {
        let shard = format!("{number}/2");
        let told = sweep(&machine, &["--cases", "77", "--shard", &shard, "--out", file]);
        assert_eq!(told.last(), Some(&format!("the run is in {file}")));
        assert!(std::fs::read_to_string(file).unwrap().lines().nth(1).is_some_and(|line| line == "77 cases"));
    }
    assert_eq!((inbox(&machine), sweeps(&machine).len()), (expected.clone(), 2));

    for expected_new in [all, 0] {
        let answer = other.redpin(&["import", &files[1], &files[0]]);
        let known = all - expected_new;
        let last = format!("{expected_new} new, {known} known from before");
        assert_eq!((answer.out.lines().last(), answer.err.as_str()), (Some(last.as_str()), ""));
        assert_eq!(inbox(&other), expected);
    }
    let noted = sweeps(&other);
    assert_eq!(noted.len(), 1, "{noted:?}");
    let (one, of_whole) = (&noted[0], &sweeps(&whole)[0]);
    for key in ["schema", "name", "command", "cases", "failures", "new", "known", "exit"] {
        assert_eq!(one[key], of_whole[key], "{key}");
    }
    // Repositories that were made in different seconds have different commits.
    assert_eq!(one["commit"], sweeps(&machine)[0]["commit"]);
    assert_eq!(one["shards"].as_object().unwrap().keys().collect::<Vec<_>>(), ["1", "2"]);
    assert_eq!((&one["properties"], &one["of"]), (&2.into(), &2.into()));
}

#[test]
fn a_shard_that_is_missing_is_told() {
    let (machine, other) = (Desk::new(), Desk::new());
    let file = machine.top().join("night.run").to_str().unwrap().to_owned();
    sweep(&machine, &["--shard", "1/2", "--out", &file]);
    let answer = other.redpin(&["import", &file]);
    assert!(answer.err.contains("not all shards were read; missing here: 2/2"), "{}", answer.err);
}

#[test]
fn what_cannot_be_split_is_refused_before_anything_runs() {
    let desk = Desk::new();
    for (command, why) in [
        (&["cargo", "test"][..], "name `cargo nextest run`, which can"),
        (&["npm", "test"], "name that one, as `npx vitest run`"),
        (&["true"], "name the runner's own command"),
    ] {
        let answer = desk.redpin(&[&["sweep", "--shard", "1/2", "--"], command].concat());
        assert_eq!((answer.code, answer.out.as_str()), (2, ""));
        assert!(answer.err.contains(why), "{}", answer.err);
    }
    assert!(!desk.top().join(".git/redpin/sweeps.jsonl").exists());
}

#[test]
fn settings_say_how_deep_a_sweep_is() {
    let desk = Desk::new();
    let deep = |switches: &[&str]| {
        let command = ["--json", "--", "sh", "-c", "echo \"$PROPTEST_CASES\""];
        let answer = desk.redpin(&[&["sweep"], switches, &command].concat());
        let told: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
        (answer.code, told["sweep"]["cases"].as_u64().unwrap(), answer.err.lines().next().unwrap().to_owned())
    };
    assert_eq!(deep(&[]), (0, 10_000, "10000".to_owned()));
    desk.create(".redpin/config.toml", "[sweep]\ncases = 12\n");
    assert_eq!(deep(&[]), (0, 12, "12".to_owned()));
    assert_eq!(deep(&["--cases", "9"]), (0, 9, "9".to_owned()));
}
