//! Verdicts and what they stage, to the byte, and the way back.

use super::desk::Desk;

/// Gives `verdict` and expects `patch` in the index; then takes it back and expects everything as before.
fn check(failure: &str, verdict: &str, patch: &str) {
    let desk = Desk::new();
    assert_eq!(desk.redpin(&["import", desk.run()]).code, 0);
    let before = desk.state();
    let answer = desk.redpin(&["decide", failure, verdict, "--note", "who gets the cent?"]);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    assert_eq!(settled(&desk.git(&["diff", "--cached"])), patch);
    let undone = desk.redpin(&["undo"]);
    assert_eq!((undone.code, undone.err.as_str()), (0, ""));
    assert_eq!(desk.state(), before);
}

/// The patch with the day of the test as a fixed one, and without what git adds to it for readers.
fn settled(patch: &str) -> String {
    let today = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    let mut lines = Vec::new();
    for line in patch.lines().filter(|line| !line.starts_with("index ")) {
        let line = line.replace(&today, "2026-11-30");
        lines.push(match &line[..] {
            when if when.starts_with("+  \"when\"") => "+  \"when\": \"TIME\",".to_owned(),
            hunk if hunk.starts_with("@@ ") => hunk.split(" @@").next().unwrap().to_owned(),
            _ => line,
        });
    }
    lines.join("\n") + "\n"
}

#[test]
fn an_ambiguous_spec_gets_an_open_question_and_a_record() {
    check("spread_at_most_one_cent", "ambiguous-spec", include_str!("ambiguous.patch"));
}

#[test]
fn a_real_bug_gets_a_pin_and_a_record() {
    check("spread_at_most_one_cent", "real-bug", include_str!("real_bug.patch"));
}

#[test]
fn a_wrong_property_gets_a_record_and_loses_its_new_seed_in_the_work_tree_alone() {
    let desk = Desk::new();
    desk.replace("proptest-regressions/fees.txt", "cc 36df0d86", "cc 26df0d86");
    desk.git(&["add", "proptest-regressions/fees.txt"]);
    desk.git(&["commit", "-q", "-m", "other seeds"]);
    desk.replace("proptest-regressions/fees.txt", "cc 26df0d86", "cc 36df0d86");
    desk.redpin(&["import", desk.run()]);
    let seeds = || std::fs::read_to_string(desk.top().join("proptest-regressions/fees.txt")).unwrap();
    let before = seeds();
    assert_eq!(desk.redpin(&["decide", "fee_grows_every_day", "wrong-property"]).code, 0);
    let line = before.lines().find(|line| line.starts_with("cc 36df0d86")).unwrap();
    assert_eq!(seeds(), before.replace(&format!("{line}\n"), ""));
    assert_eq!(desk.git(&["diff", "--cached", "--name-only"]).lines().count(), 1);
    desk.redpin(&["undo"]);
    assert_eq!(seeds(), before);
}

/// What a wrong property is told of its seed, and that every seed stays where the user has put it.
#[track_caller]
fn check_kept(desk: &Desk, says: &str) {
    desk.redpin(&["import", desk.run()]);
    let file = "proptest-regressions/fees.txt";
    let seeds = || (std::fs::read_to_string(desk.top().join(file)).unwrap(), desk.git(&["show", &format!(":{file}")]));
    let before = seeds();
    let answer = desk.redpin(&["decide", "fee_grows_every_day", "wrong-property"]);
    assert_eq!((answer.code, seeds()), (0, before));
    assert!(answer.out.contains(says), "{}", answer.out);
}

#[test]
fn a_seed_that_the_user_staged_or_committed_stays_and_is_told() {
    let desk = Desk::new();
    desk.git(&["add", "proptest-regressions/fees.txt"]);
    check_kept(
        &desk,
        "the line that replays it is staged already, and stays in proptest-regressions/fees.txt; to be rid of it, `git \
         restore --staged proptest-regressions/fees.txt` and decide again",
    );
    // As it says.
    desk.git(&["restore", "--staged", "proptest-regressions/fees.txt"]);
    assert_eq!(desk.redpin(&["decide", "fee_grows_every_day", "wrong-property"]).code, 0);
    assert!(!desk.top().join("proptest-regressions/fees.txt").exists());
    let desk = Desk::new();
    desk.git(&["add", "proptest-regressions/fees.txt"]);
    desk.git(&["commit", "-q", "-m", "a seed"]);
    check_kept(
        &desk,
        "the line that replays it is in the last commit, and stays in proptest-regressions/fees.txt; to be rid of it, \
         delete it from proptest-regressions/fees.txt and stage that",
    );
}

#[test]
fn a_new_seed_file_goes_with_its_only_seed_unless_it_holds_a_word_of_the_users() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    let file = desk.top().join("proptest-regressions/fees.txt");
    let before = desk.state();
    assert_eq!(desk.redpin(&["decide", "fee_grows_every_day", "wrong-property"]).code, 0);
    assert!(!file.exists());
    assert_eq!(desk.redpin(&["undo"]).code, 0);
    assert_eq!(desk.state(), before);
    desk.replace("proptest-regressions/fees.txt", "cc 36df0d86", "# see the minutes of May\ncc 36df0d86");
    assert_eq!(desk.redpin(&["decide", "fee_grows_every_day", "wrong-property"]).code, 0);
    assert!(std::fs::read_to_string(file).unwrap().ends_with("# see the minutes of May\n"));
}

#[test]
fn a_pin_in_the_index_has_the_body_that_is_staged_there() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    desk.replace("src/instalments.rs", "\"spread {} in {:?}\"", "\"uneven by {} in {:?}\"");
    assert_eq!(desk.redpin(&["decide", "spread_at_most_one_cent", "real-bug"]).code, 0);
    let staged = desk.git(&["diff", "--cached", "src"]);
    assert!(staged.contains("+        assert!(max - min <= 1, \"spread {} in {:?}\", max - min, out);"), "{staged}");
    let text = std::fs::read_to_string(desk.top().join("src/instalments.rs")).unwrap();
    assert_eq!(text.matches("uneven by").count(), 2);
    assert_eq!(text.matches("spread {}").count(), 0);
}

#[test]
fn undo_and_redo_go_through_decisions_and_stagings_across_restarts() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    let states = || -> Vec<String> {
        let told = desk.redpin(&["list", "--json"]).out;
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        let row = told["failures"].as_array().unwrap().iter().find(|row| row["requirement"] == "BILL-9").unwrap();
        vec![row["state"].to_string(), row["verdict"].to_string()]
    };
    let steps: [&[&str]; 2] = [&["decide", "fee_grows_every_day", "real-bug", "--no-stage"], &["stage"]];
    let mut seen = vec![(states(), desk.state())];
    for step in steps {
        assert_eq!(desk.redpin(step).code, 0);
        seen.push((states(), desk.state()));
    }
    for back in [1, 0] {
        assert_eq!(desk.redpin(&["undo"]).code, 0);
        assert_eq!((states(), desk.state()), seen[back]);
    }
    assert_eq!(desk.redpin(&["undo"]).code, 1);
    for forth in [1, 2] {
        assert_eq!(desk.redpin(&["redo"]).code, 0);
        assert_eq!((states(), desk.state()), seen[forth]);
    }
}

#[test]
fn what_the_inbox_cannot_keep_of_an_undo_or_a_redo_is_not_done_in_git_either() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    let long = "n".repeat(100_000);
    desk.redpin(&["decide", "half_a_cent_goes_up", "wrong-property", "--no-stage", "--note", &long]);
    let check = |act: &str| {
        let before = (desk.state(), desk.redpin(&["list"]).out);
        let refused = desk.redpin_within(128, &[act]);
        let journal = desk.top().join(".git/redpin/journal.jsonl");
        let said = format!("redpin: could not write {}: File too large (os error 27)\n", journal.display());
        assert_eq!((refused.code, refused.err), (3, said));
        assert_eq!((desk.state(), desk.redpin(&["list"]).out), before);
        let done = desk.redpin(&[act]);
        assert_eq!((done.code, done.err.as_str()), (0, ""));
        assert_ne!(desk.state(), before.0);
    };
    desk.redpin(&["pin", "fee_grows_every_day"]);
    check("undo");
    check("redo");
}

#[test]
fn a_verdict_that_is_not_staged_answers_programs_and_a_note_begins_as_it_likes() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    let arguments = ["decide", "fee_grows_every_day", "real-bug", "--no-stage", "--json", "--note", "-1 is no fee"];
    let answer = desk.redpin(&arguments);
    let told: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!((answer.code, told), (0, serde_json::json!({ "schema": 1, "pins": [] })));
    let shown = desk.redpin(&["show", "fee_grows_every_day", "--json"]).out;
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["failure"]["note"], "-1 is no fee");
}

#[test]
fn pinning_again_changes_nothing_and_is_no_operation() {
    let desk = Desk::new();
    let before = desk.state();
    let first = desk.redpin(&["pin", "--all", "--run", desk.run(), "--json"]);
    let pinned = desk.state();
    let again = desk.redpin(&["pin", "--all", "--run", desk.run(), "--json"]);
    assert_eq!((first.code, again.code), (0, 0));
    assert_eq!(again.out, first.out.replace("\"staged\"", "\"already-pinned\""));
    assert_eq!(desk.state(), pinned);
    assert_eq!(desk.redpin(&["undo"]).code, 0);
    assert_eq!(desk.state(), before);
}

#[test]
fn a_dry_run_prints_the_patch_and_touches_nothing() {
    let desk = Desk::new();
    let before = desk.state();
    let dry = desk.redpin(&["pin", "--all", "--run", desk.run(), "--dry-run"]);
    assert_eq!(dry.code, 0);
    assert!(dry.err.lines().all(|line| !line.contains("staged")), "{}", dry.err);
    assert_eq!(desk.state(), before);
    assert!(!desk.top().join(".git/redpin").exists());
    desk.redpin(&["pin", "--all", "--run", desk.run()]);
    assert_eq!(settled(&dry.out), settled(&desk.git(&["diff", "--cached"])));
}

#[test]
fn a_staging_that_was_killed_before_the_inbox_knew_is_known_at_the_next_start() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    let before = desk.state();
    desk.redpin(&["pin", "fee_grows_every_day"]);
    let staged = desk.redpin(&["list"]).out;
    let journal = desk.top().join(".git/redpin/journal.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    let shorter = text.trim_end().rfind('\n').unwrap() + 1;
    std::fs::File::options().write(true).open(&journal).unwrap().set_len(shorter as u64).unwrap();
    assert_eq!(desk.redpin(&["list"]).out, staged);
    assert_eq!(desk.redpin(&["stage"]).code, 1);
    assert_eq!(desk.redpin(&["list"]).out, staged);
    assert_eq!(desk.redpin(&["undo"]).code, 0);
    assert_eq!(desk.state(), before);
}

#[test]
fn an_undo_after_a_kill_says_what_was_settled_and_does_nothing_else() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    let before = desk.state();
    desk.redpin(&["pin", "fee_grows_every_day"]);
    let pinned = desk.state();
    let journal = |state| desk.top().join(format!(".git/redpin/staging/00000001.{state}.json"));
    std::fs::rename(journal("done"), journal("staging")).unwrap();
    let file = std::fs::canonicalize(journal("staging")).unwrap();
    let note = format!(
        "note: {}: redpin was stopped during the staging of “stage real-bug on bill_9_fee_grows_every_day”; until it is \
         settled, index and work tree may hold a part of it: `redpin undo` settles it and does nothing else\n",
        file.display()
    );
    for look in [&["list"][..], &["show", "fee_grows_every_day"]] {
        assert_eq!(desk.redpin(look).err, note);
        assert_eq!(desk.state(), pinned);
    }
    let answer = desk.redpin(&["undo"]);
    let said = "note: redpin was stopped during the staging of “stage real-bug on bill_9_fee_grows_every_day”; it has \
                been completed\nnothing else was done; look at the result and run the command again\n";
    assert_eq!((answer.code, answer.out.as_str(), answer.err.as_str()), (3, "", said));
    assert_eq!(desk.state(), pinned);
    assert_eq!(desk.redpin(&["undo"]).err, "");
    assert_eq!(desk.state(), before);
}

#[test]
fn what_git_ignores_is_said_and_left_out_unless_the_user_agrees() {
    let desk = Desk::new();
    desk.exclude("proptest-regressions");
    let pin = |more: &[&str]| {
        let answer = desk.redpin(&[&["pin", "fee_grows_every_day", "--json"], more].concat());
        let told: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
        let staged = desk.git(&["diff", "--cached", "--name-only", "--", "proptest-regressions"]);
        (told["pins"][0]["outcome"].as_str().unwrap().to_owned(), told["pins"][0]["warnings"].to_string(), staged)
    };
    desk.redpin(&["import", desk.run()]);
    let said = "[\"git ignores proptest-regressions/fees.txt; left out, `--include-ignored` stages it\"]";
    assert_eq!(pin(&[]), ("staged".to_owned(), said.to_owned(), String::new()));
    let record = desk.git(&["ls-files", ".redpin"]);
    let record = desk.git(&["show", &format!(":{}", record.trim_end())]);
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["pin"]["files"], serde_json::json!(["src/fees.rs"]));
    assert_eq!(pin(&[]), ("already-pinned".to_owned(), said.to_owned(), String::new()));
    let staged = ("staged".to_owned(), "[]".to_owned(), "proptest-regressions/fees.txt\n".to_owned());
    assert_eq!(pin(&["--include-ignored"]), staged);
}

#[test]
fn a_verdict_of_which_git_ignores_all_stays_decided() {
    let desk = Desk::new();
    desk.exclude(".redpin");
    desk.redpin(&["import", desk.run()]);
    // Without the line that the run left there is nothing to take out.
    desk.git(&["checkout", "-q", "."]);
    desk.git(&["clean", "-qfd"]);
    let record = desk.redpin(&["decide", "fee_grows_every_day", "wrong-property", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&record.out).unwrap();
    assert_eq!((record.code, &told["pins"][0]["outcome"]), (1, &"refused".into()));
    let reason = told["pins"][0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("git ignores .redpin/decisions/"), "{reason}");
    assert!(
        reason.ends_with("-bill_9_fee_grows_every_day.json; `--include-ignored` stages it all the same"),
        "{reason}"
    );
    let decided = Some(["decided", "wrong-property"].map(str::to_owned));
    assert_eq!(standing(&desk), decided);
    assert_eq!(desk.redpin(&["stage"]).code, 1);
    assert_eq!(standing(&desk), decided);
    assert_eq!(desk.redpin(&["stage", "--include-ignored"]).code, 0);
    assert_eq!(standing(&desk), Some(["staged", "wrong-property"].map(str::to_owned)));
}

#[test]
fn what_git_ignores_can_be_staged_after_the_rest() {
    let desk = Desk::new();
    desk.exclude(".redpin");
    desk.redpin(&["import", desk.run()]);
    assert_eq!(desk.redpin(&["decide", "fee_grows_every_day", "real-bug"]).code, 0);
    let records = || desk.git(&["diff", "--cached", "--name-only", "--", ".redpin"]).lines().count();
    assert_eq!((desk.redpin(&["stage"]).code, records()), (1, 0));
    assert_eq!((desk.redpin(&["stage", "--include-ignored"]).code, records()), (0, 1));
    let again = desk.redpin(&["stage", "--include-ignored"]);
    assert_eq!((again.code, again.err.starts_with("nothing to stage")), (1, true), "{again:?}");
}

#[test]
fn a_failure_that_was_decided_comes_back_as_known() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    desk.redpin(&["decide", "fee_grows_every_day", "wrong-property", "--note", "caps are fine"]);
    desk.git(&["commit", "-q", "-m", "decide"]);
    std::fs::rename(desk.top().join(".git/redpin"), desk.top().join(".git/elsewhere")).unwrap();
    let answer = desk.redpin(&["list", "--json", desk.run()]);
    let told: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    let row = told["failures"].as_array().unwrap().iter().find(|row| row["requirement"] == "BILL-9").unwrap();
    let known = ["state", "verdict", "note"].map(|key| row[key].as_str().unwrap().to_owned());
    assert_eq!(known, ["known", "wrong-property", "caps are fine"]);
}

/// The state of the failure that cites BILL-9, with its verdict.
fn standing(desk: &Desk) -> Option<[String; 2]> {
    let told: serde_json::Value = serde_json::from_str(&desk.redpin(&["list", "--json"]).out).unwrap();
    let row = told["failures"].as_array().unwrap().iter().find(|row| row["requirement"] == "BILL-9")?;
    Some(["state", "verdict"].map(|key| row[key].as_str().unwrap_or_default().to_owned()))
}

fn expected(state: &str, verdict: &str) -> Option<[String; 2]> {
    Some([state.to_owned(), verdict.to_owned()])
}

#[test]
fn what_is_committed_is_not_taken_back_and_git_and_inbox_agree() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    let before = desk.state();
    desk.redpin(&["pin", "fee_grows_every_day"]);
    let staged = desk.state();
    desk.git(&["commit", "-q", "-m", "pin"]);
    let refused = |says: &str| {
        let known = (desk.state(), standing(&desk));
        let answer = desk.redpin(&["undo"]);
        assert_eq!((answer.code, answer.out.as_str()), (1, ""));
        assert!(answer.err.contains(says), "{}", answer.err);
        assert_eq!((desk.state(), standing(&desk)), known);
    };
    let committed = "“stage real-bug on bill_9_fee_grows_every_day” is committed by now";
    refused(committed);
    assert_eq!(standing(&desk), expected("known", "real-bug"));
    // The lines that the run left in replay files tell nothing of others.
    desk.redpin(&["import"]);
    assert_eq!(standing(&desk), expected("known", "real-bug"));
    // A run that does not show it any more: it leaves the inbox.
    let log = std::fs::read_to_string(desk.run()).unwrap().replace("bill_9_fee_grows_every_day", "bill_9_fee_is_odd");
    desk.redpin(&["import", &desk.log(&log)]);
    refused(committed);
    desk.git(&["reset", "-q", "--soft", "HEAD~1"]);
    refused("1 failure has left the inbox since “stage real-bug on bill_9_fee_grows_every_day”; read the run again");
    desk.redpin(&["import", desk.run()]);
    assert_eq!(desk.state(), staged);
    assert_eq!(desk.redpin(&["undo"]).code, 0);
    assert_eq!((desk.state(), standing(&desk)), (before, expected("open", "")));
}

#[test]
fn what_is_committed_can_be_judged_anew() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    desk.redpin(&["decide", "fee_grows_every_day", "wrong-property"]);
    assert_eq!(standing(&desk), expected("staged", "wrong-property"));
    assert_eq!(desk.redpin(&["decide", "fee_grows_every_day", "real-bug"]).code, 1);
    desk.git(&["commit", "-q", "-m", "decide"]);
    assert_eq!(desk.redpin(&["decide", "fee_grows_every_day", "real-bug"]).code, 0);
    assert_eq!(standing(&desk), expected("staged", "real-bug"));
    let record = std::fs::read_dir(desk.top().join(".redpin/decisions")).unwrap().next().unwrap().unwrap().path();
    let record: serde_json::Value = serde_json::from_slice(&std::fs::read(record).unwrap()).unwrap();
    assert_eq!(
        (&record["before"][0]["verdict"], record["before"].as_array().unwrap().len()),
        (&"wrong-property".into(), 1)
    );
    // The record of the last commit is back, and it says something else.
    desk.git(&["reset", "-q", "--hard"]);
    assert_eq!(standing(&desk), expected("decided", "real-bug"));
}

#[test]
fn a_run_that_names_no_seed_changes_no_record() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    desk.redpin(&["pin", "fee_grows_every_day"]);
    desk.git(&["commit", "-q", "-m", "pin"]);
    let state = desk.state();
    let log = std::fs::read_to_string(desk.run()).unwrap();
    // Once it has left the inbox, nothing but the record knows its seed.
    desk.redpin(&["import", &desk.log(&log.replace("bill_9_fee_grows_every_day", "bill_9_fee_is_odd"))]);
    let without: String = log.lines().filter(|line| !line.starts_with("cc ")).map(|line| format!("{line}\n")).collect();
    desk.redpin(&["import", &desk.log(&without)]);
    let answer = desk.redpin(&["pin", "fee_grows_every_day"]);
    assert_eq!((answer.code, desk.state()), (0, state), "{}", answer.out);
}

#[test]
fn what_was_staged_and_thrown_away_is_staged_anew() {
    for reset in [&["reset", "-q"][..], &["reset", "-q", "--hard"]] {
        let desk = Desk::new();
        desk.redpin(&["import", desk.run()]);
        desk.redpin(&["pin", "fee_grows_every_day"]);
        let patch = || desk.git(&["diff", "--cached", "--name-only"]) + &desk.git(&["diff", "--cached", "src"]);
        let staged = patch();
        desk.git(reset);
        assert_eq!(standing(&desk), expected("decided", "real-bug"));
        let again = desk.redpin(&["stage"]);
        assert_eq!((again.code, standing(&desk)), (0, expected("staged", "real-bug")), "{}", again.err);
        assert_eq!(patch(), staged);
    }
}

#[test]
fn a_real_bug_without_an_input_goes_on_record_and_is_no_pin() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    let before = desk.state();
    let refused = desk.redpin(&["pin", "digits_are_masked"]);
    assert_eq!((refused.code, desk.state()), (1, before));
    assert!(refused.out.contains("there is nothing to pin: the run was given up"), "{}", refused.out);
    desk.redpin(&["decide", "digits_are_masked", "real-bug", "--no-stage"]);
    let staged = desk.redpin(&["stage"]);
    assert_eq!(staged.code, 0, "{}", staged.out);
    assert!(staged.out.contains("it is on record without a pin"), "{}", staged.out);
    let files = desk.git(&["diff", "--cached", "--name-only"]);
    assert!(files.lines().count() == 1 && files.starts_with(".redpin/decisions/"), "{files}");
    let record = desk.git(&["show", &format!(":{}", files.trim_end())]);
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert_eq!((record["verdict"].as_str(), record["pin"].is_null()), (Some("real-bug"), true));
    // What is staged is told by its verdict, also while tests run; a run that ends at once is told at its end alone.
    let listed = desk.redpin(&["list"]).out;
    assert!(listed.contains("✓ real-bug, staged "), "{listed}");
    let run = desk.redpin(&["run", "--", "cat", desk.run()]);
    for (word, test) in [
        ("✓ real-bug, staged", "card::tests::card_2_all_but_four_digits_are_masked"),
        ("✗ open", "fees::tests::bill_9_fee_grows_every_day"),
    ] {
        let mut told = run.err.lines().filter(|line| line.starts_with("redpin: ") && line.contains(test));
        assert!(told.all(|line| line.starts_with(&format!("redpin: {word}  {test}"))), "{}", run.err);
        assert!(run.out.lines().any(|line| line.contains(word) && line.contains(test)), "{}", run.out);
    }
}

/// A run of a property that the repository does not have, with a word on the package or without.
fn strange(desk: &Desk, opening: &str) -> String {
    desk.log(&format!(
        "{opening}running 1 test\ntest far::away ... FAILED\n\nfailures:\n\n---- far::away stdout ----\n\n\
         thread 'far::away' (7) panicked at lib/far.rs:9:1:\nTest failed: too much.\nminimal failing input: x = 1\n\
         \tsuccesses: 0\n\tlocal rejects: 0\n\tglobal rejects: 0\n\n\nfailures:\n    far::away\n\n\
         test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n"
    ))
}

#[test]
fn a_decision_is_known_again_whether_a_run_tells_the_package_or_not() {
    let openings = ["     Running unittests src/lib.rs (target/debug/deps/far-0123456789abcdef)\n\n", ""];
    for (first, second) in [(openings[0], openings[1]), (openings[1], openings[0])] {
        let desk = Desk::new();
        desk.redpin(&["import", &strange(&desk, first)]);
        assert_eq!(desk.redpin(&["decide", "far::away", "wrong-property"]).code, 0);
        let again = strange(&desk, second);
        let told = |state: &str| {
            let told: serde_json::Value = serde_json::from_str(&desk.redpin(&["list", "--json", &again]).out).unwrap();
            assert_eq!(told["failures"][0]["state"], state, "{first:?} {second:?} {told}");
            told["failures"][0]["id"].clone()
        };
        let id = told("staged");
        std::fs::rename(desk.top().join(".git/redpin"), desk.top().join(".git/elsewhere")).unwrap();
        assert_eq!(told("known"), id);
        assert!(desk.redpin(&["import", &again]).out.contains("1 new, 0 known from before"));
        assert_eq!(desk.git(&["ls-files", ".redpin"]).lines().count(), 1);
        assert!(desk.redpin(&["show", id.as_str().unwrap()]).out.contains("wrong-property"));
    }
}

#[test]
fn a_seed_that_fits_two_properties_is_pinned_once_one_is_chosen() {
    let desk = Desk::new();
    assert_eq!(desk.redpin(&["import"]).code, 0);
    let row = |requirement: &str| {
        let told: serde_json::Value = serde_json::from_str(&desk.redpin(&["list", "--json"]).out).unwrap();
        told["failures"].as_array().unwrap().iter().find(|row| row["requirement"] == requirement).unwrap().clone()
    };
    let id = row("BILL-9")["id"].as_str().unwrap().to_owned();
    let before = desk.redpin(&["list"]).out;
    let refused = desk.redpin(&["pin", &id]);
    assert_eq!(refused.code, 1);
    let reason = "it fits more than one property (fees::tests::bill_9_fee_grows_every_day, \
                  fees::tests::bill_9_fee_is_capped)";
    assert!(refused.out.contains(&format!("{reason}; `redpin choose {id} PROPERTY` says which it is of")));
    assert_eq!(desk.redpin(&["choose", &id, "bill_9_nothing"]).code, 2);
    assert_eq!(desk.redpin(&["choose", &id, "bill_9_fee_is_capped"]).code, 0);
    let chosen = row("BILL-9");
    assert_eq!(
        (chosen["test"].as_str(), chosen["line"].as_u64()),
        (Some("fees::tests::bill_9_fee_is_capped"), Some(25))
    );
    assert_eq!(chosen["candidates"], serde_json::json!([]));
    let listed = desk.redpin(&["list"]).out;
    assert_eq!(desk.redpin(&["undo"]).out, format!("undone: choose bill_9_fee_is_capped for {id}\n"));
    assert_eq!(desk.redpin(&["list"]).out, before);
    assert_eq!(desk.redpin(&["redo"]).code, 0);
    assert_eq!(desk.redpin(&["list"]).out, listed);
    assert_eq!(desk.redpin(&["pin", "bill_9_fee_is_capped"]).code, 0);
    let staged = desk.git(&["diff", "--cached", "--name-only", "--", "src", "proptest-regressions"]);
    assert_eq!(staged, "proptest-regressions/fees.txt\nsrc/fees.rs\n");
}

#[test]
fn a_pin_that_fails_again_is_judged_as_what_it_is() {
    let desk = Desk::new();
    let answer = desk.redpin(&["pin", "spread_at_most_one_cent", "--run", desk.run(), "--json"]);
    let told: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    let test = told["pins"][0]["test"].as_str().unwrap().to_owned();
    desk.git(&["commit", "-q", "-m", "pin"]);
    let log = desk.log(&format!(
        "running 1 test\ntest {test} ... FAILED\n\nfailures:\n\n---- {test} stdout ----\n\n\
         thread '{test}' (1) panicked at src/instalments.rs:60:5:\nspread 2\n\n\nfailures:\n    {test}\n\n\
         test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
    ));
    desk.redpin(&["import", &log]);
    let listed: serde_json::Value = serde_json::from_str(&desk.redpin(&["list", "--json", &log]).out).unwrap();
    let row = &listed["failures"][0];
    let source = "src/instalments.rs";
    assert_eq!((row["pin"].as_bool(), row["requirement"].as_str()), (Some(true), Some("BILL-4")));
    assert_eq!(row["file"], source);
    for (verdict, said) in [
        ("real-bug", "it is a pin itself: it stays, and the bug it holds is back or was never mended"),
        (
            "wrong-property",
            "the pin stays in its source: whoever corrects the property corrects it too, or takes it out",
        ),
    ] {
        let answer = desk.redpin(&["decide", row["id"].as_str().unwrap(), verdict]);
        assert_eq!((answer.code, answer.out.contains(said)), (0, true), "{}", answer.out);
        let staged = desk.git(&["diff", "--cached", "--name-only"]);
        assert!(staged.lines().all(|file| file.starts_with(".redpin/decisions/")), "{staged}");
        assert_eq!(desk.redpin(&["undo"]).code, 0);
    }
}

/// An editor that runs `script` on the file.
fn editor(script: &str) -> String {
    format!("sh -c '{script}' editor")
}

#[test]
fn a_pin_written_by_hand_is_staged_as_it_comes_back_and_nothing_else_is() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    let before = desk.state();
    let pin = |script: &str| {
        let editor = editor(script);
        desk.redpin_under(&[("EDITOR", editor.as_str())], &["pin", "fee_grows_every_day", "--edit", "--json"])
    };
    let untouched = pin("true");
    assert_eq!((untouched.code, untouched.out.as_str()), (1, ""));
    assert!(untouched.err.contains("the test was left as it was: nothing is staged"), "{}", untouched.err);
    let failed = pin("exit 3");
    assert_eq!(failed.code, 3, "{}", failed.err);
    let broken = pin("sed -i \"s/fn /fun /\" \"$2\"");
    assert_eq!(broken.code, 1);
    assert!(broken.err.contains("nothing was staged: it is no Rust: "), "{}", broken.err);
    assert!(broken.err.contains("the next time starts from it"), "{}", broken.err);
    assert_eq!(desk.state(), before);

    let done = pin("sed -i \"s/fun /fn /; s/let /let by_hand = 0; let /\" \"$2\"");
    assert_eq!(done.code, 0, "{}", done.err);
    let answer: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!((&answer["pins"][0]["outcome"], &answer["pins"][0]["rung"]), (&"staged".into(), &"by-hand".into()));
    let patch = desk.git(&["diff", "--cached"]);
    assert!(patch.contains("let by_hand = 0; let "), "{patch}");
    assert!(patch.contains("\"rung\": \"by-hand\""), "{patch}");
    let again = pin("sed -i \"s/let /let by_foot = 0; let /\" \"$2\"");
    let answer: serde_json::Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!(answer["pins"][0]["outcome"], "already-pinned", "{}", again.err);
    let preview = desk.redpin_answered(&["--plain"], "g fee_grows_every_day\np\nq\n");
    let said = "what real-bug stages\nall of it stands already; staging changes nothing\n";
    assert!(preview.out.contains(said), "{}", preview.out);
}
