//! How the terminal is left behind: as it was, whatever ends or stops the program.

use rustix::process::Signal;

use super::pty::Pty;

fn open() -> Pty {
    let pty = Pty::start(&["demo"], "true");
    pty.wait_for_text(" open");
    pty
}

#[test]
fn signals_that_end_it_leave_the_terminal_as_it_was() {
    for signal in [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT] {
        let mut pty = open();
        pty.signal(signal);
        assert_eq!(pty.end(), 0, "{signal:?}");
        assert_eq!(pty.left_on(), Vec::<&str>::new(), "{signal:?}");
    }
}

#[test]
fn keys_that_leave_it_leave_the_terminal_as_it_was() {
    for key in ["q", "\u{3}"] {
        let mut pty = open();
        pty.send(key);
        assert_eq!(pty.end(), 0, "{key:?}");
        assert_eq!(pty.left_on(), Vec::<&str>::new(), "{key:?}");
    }
}

#[test]
fn ctrl_z_gives_the_terminal_back_and_going_on_redraws() {
    let mut pty = open();
    pty.wait_for_text("patch");
    // Back on the failure it opened on, whose page is there already.
    pty.send("gj");
    pty.wait_for("no message, and the whole page", |screen| {
        !screen.contents().contains("known before") && screen.contents().contains("@@")
    });
    let before = pty.text();
    pty.send("\u{1a}");
    pty.wait_until_stopped();
    pty.wait_for("the main screen", |screen| !screen.alternate_screen());
    assert_eq!(pty.left_on(), Vec::<&str>::new());
    pty.signal(Signal::CONT);
    pty.wait_for_screen(&before);
    pty.send("q");
    assert_eq!(pty.end(), 0);
}

#[test]
fn a_terminal_that_tells_no_size_is_taken_to_have_the_usual_one_until_it_does() {
    let mut pty = Pty::start_shell("stty cols 0 rows 0; exec $REDPIN demo", "");
    pty.wait_for_text("12 of 12 open");
    pty.send("G");
    pty.wait_for("the last row marked", |screen| screen.contents().contains("›  ✗ …3_balance"));
    pty.resize(30, 110);
    pty.wait_for_text("│ stmt_3");
    pty.send("q");
    assert_eq!(pty.end(), 0);
    assert_eq!(pty.left_on(), Vec::<&str>::new());
}

#[test]
fn where_there_is_no_repository_it_says_so_and_leaves_the_terminal_as_it_was() {
    let mut pty = Pty::start(&[], "true");
    assert_eq!(pty.end(), 3);
    assert_eq!(pty.left_on(), Vec::<&str>::new());
    assert!(pty.text().starts_with("redpin: "), "{}", pty.text());
}

/// An editor on the terminal that has it raw and a screen of its own until redpin is gone, when it heeds signals as `trap`
/// says; redpin gets the signal.
#[track_caller]
fn check_with_editor(signal: Signal, trap: &str) {
    let take = "old=$(stty -g); stty raw -echo; printf \"\\033[?1049h\\033[?2004h\\033[?25lediting\"";
    let stay = "while kill -0 $PPID; do sleep 0.1; done 2>/dev/null";
    let mut pty = Pty::start(&["demo"], &format!("sh -c '{trap} {take}; {stay}' editor"));
    pty.wait_for_text("patch");
    pty.send("e");
    pty.wait_for_text("editing");
    pty.signal(signal);
    assert_eq!(pty.end(), 0, "{signal:?} {trap}");
    assert_eq!(pty.left_on(), Vec::<&str>::new(), "{signal:?} {trap}");
}

#[test]
fn signals_that_end_it_while_an_editor_has_the_terminal_end_both_and_leave_it_as_it_was() {
    let orderly = r#"trap "printf \"\\033[?1049l\\033[?2004l\\033[?25h\"; stty \$old; exit" TERM HUP;"#;
    for signal in [Signal::TERM, Signal::HUP] {
        check_with_editor(signal, "");
        check_with_editor(signal, orderly);
    }
}

#[test]
fn a_run_that_is_ended_from_outside_ends_and_one_whose_tests_are_stopped_opens_the_workstation() {
    let run = || {
        let pty =
            Pty::start_shell("git init -q . && exec \"$REDPIN\" run -- sh -c 'echo under way; exec sleep 60'", "");
        pty.wait_for_text("under way");
        pty
    };
    let mut pty = run();
    pty.signal(Signal::TERM);
    assert_eq!(pty.end(), 1);
    assert!(!pty.sent(b"\x1b[?1049h"));
    assert!(pty.text().contains("0 failures"), "{}", pty.text());
    let mut pty = run();
    pty.send("\x03");
    pty.wait_for("the workstation", |screen| screen.alternate_screen());
    pty.send("q");
    assert_eq!(pty.end(), 0);
}

#[test]
fn an_editor_that_does_not_heed_a_signal_is_not_waited_for() {
    check_with_editor(Signal::TERM, "trap \"\" TERM;");
}
