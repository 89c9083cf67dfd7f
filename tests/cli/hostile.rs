//! A log that tries to steer the terminal: whatever a command prints of it, no control character is in it.

use super::desk::Desk;

/// Control characters that no reader of logs takes for colour: of the C1 set, a direction mark, a bell.
const HOSTILE: &str = "---- ev\u{9b}31mil\u{202e} stdout ----\n\n\
    thread 'ev\u{9b}31mil\u{202e}' (7) panicked at src/\u{9d}0;x\u{7}.rs:4:5:\n\
    Test failed: [B\u{9b}2J-1]\u{7} no\u{8}.\nminimal failing input: \u{9b}n = \"\u{90}\u{202e}\"\n\tsuccesses: 3\n\
    \tlocal rejects: 0\n\tglobal rejects: 0\n\n";

fn check(desk: &Desk, arguments: &[&str]) {
    let answer = desk.redpin(arguments);
    for said in [&answer.out, &answer.err] {
        let steers = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        assert!(!said.contains(steers), "{arguments:?}: {said:?}");
    }
    assert!(answer.out.contains("31m") || answer.err.contains("31m"), "{arguments:?} names the test: {answer:?}");
}

#[test]
fn no_command_hands_control_characters_to_the_terminal() {
    let desk = Desk::new();
    let log = desk.log(HOSTILE);
    check(&desk, &["list", &log]);
    desk.redpin(&["import", &log]);
    let told: serde_json::Value = serde_json::from_str(&desk.redpin(&["list", &log, "--json"]).out).unwrap();
    let id = told["failures"][0]["id"].as_str().unwrap();
    check(&desk, &["show", id]);
    check(&desk, &["pin", id]);
    check(&desk, &["decide", id, "real-bug", "--no-stage"]);
    check(&desk, &["decide", id, "wrong-property"]);
    check(&desk, &["undo"]);
    check(&desk, &["redo"]);
    check(&desk, &["list"]);
}
