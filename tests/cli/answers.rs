//! Exit codes and complaints.

use super::desk::Desk;

fn check(arguments: &[&str], code: i32, err: &str) {
    let desk = Desk::new();
    let answer = desk.redpin(arguments);
    assert_eq!((answer.code, answer.out.as_str(), answer.err.as_str()), (code, "", err), "{arguments:?}");
}

#[test]
fn wrong_use_is_told_from_a_no_and_from_the_world() {
    check(
        &["list", "missing.log"],
        3,
        "redpin: expected a run (a file, a folder, a zip or gzip archive, or `-`), found nothing at `missing.log`: check \
         the path\n",
    );
    check(&["undo"], 1, "redpin: nothing to undo\n");
    check(&["redo"], 1, "redpin: nothing to redo\n");
    check(
        &["show", "nobody"],
        2,
        "redpin: expected the id of a failure, the beginning of one, or the end of a test name, found none that fits \
         \"nobody\"; `redpin list` shows them\n",
    );
    check(&["x.log", "list"], 2, "redpin: expected a command, found \"x.log\" before one\n");
    check(&["stage"], 1, "nothing to stage: no failure is waiting for it; `redpin list` shows how each stands\n");
}

#[test]
fn without_a_terminal_the_workstation_says_what_does_the_same() {
    let desk = Desk::new();
    let answer = desk.redpin(&[]);
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    assert!(
        answer.err.starts_with("redpin: the workstation needs a terminal; without one these commands do the same:\n")
    );
}

#[test]
fn an_ambiguous_name_names_all_that_it_may_mean() {
    let desk = Desk::new();
    desk.redpin(&["import", desk.run()]);
    let answer = desk.redpin(&["decide", "back", "real-bug"]);
    assert_eq!(answer.code, 2);
    assert_eq!(
        answer.err,
        "redpin: \"back\" may mean any of these; name one by its id, its full test name or FILE::NAME:\n  \
         2ec1f041c12d  csv_1_a_cell_reads_back  tests/text.rs\n  ded599a86b90  csv_1_every_table_reads_back  tests/text.rs\n"
    );
}
