//! Whole sessions: from the run to the staged patch, to the editor and back, into the clipboard.

use std::path::PathBuf;

use super::pty::{Pty, git};

/// The folder of the demo's repository.
pub(super) fn repository(pty: &Pty) -> PathBuf {
    let find = |folder: PathBuf| -> Option<PathBuf> {
        let mut folders = vec![folder];
        while let Some(folder) = folders.pop() {
            if folder.join(".git").exists() {
                return Some(folder);
            }
            let inside = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            folders.extend(inside.filter(|path| path.is_dir()));
        }
        None
    };
    find(pty.home.path().to_owned()).unwrap()
}

/// A run with one failing property.
pub(super) const LOG: &str = "running 1 test\ntest one ... FAILED\n\nfailures:\n\n---- one stdout ----\n\n\
    thread 'one' (1) panicked at src/lib.rs:1:1:\nTest failed: too much.\nminimal failing input: v = 7\n\
    \tsuccesses: 0\n\tlocal rejects: 0\n\tglobal rejects: 0\n\n";

#[test]
fn three_verdicts_are_staged_as_one_patch_and_undone_as_one() {
    let mut pty = Pty::start(&["demo"], "true");
    pty.wait_for_text(" open");
    let repository = repository(&pty);
    let before = git(&repository, &["status", "--porcelain"]);
    pty.send("w");
    pty.wait_for_text("1 decided");
    pty.send("a");
    pty.wait_for_text("2 decided");
    pty.send("nthe spec does not say\r");
    pty.wait_for_text("noted");
    pty.send("b");
    pty.wait_for_text("3 decided");
    pty.send("s");
    pty.wait_for_text("staged");
    pty.wait_for("nothing decided is left", |screen| !screen.contents().contains("decided"));
    let staged = git(&repository, &["diff", "--cached", "--name-only"]);
    let records = staged.lines().filter(|file| file.starts_with(".redpin/decisions/")).count();
    assert_eq!(records, 3, "{staged}\n{}", pty.text());
    pty.send("u");
    pty.wait_for_text("undone");
    assert_eq!(git(&repository, &["diff", "--cached", "--name-only"]), "");
    assert_eq!(git(&repository, &["status", "--porcelain"]), before);
    pty.send("q");
    assert_eq!(pty.end(), 0);
}

#[test]
fn what_was_decided_is_there_the_next_time() {
    let mut pty = Pty::start(&["demo"], "true");
    pty.wait_for_text(" open");
    pty.send("bq");
    assert_eq!(pty.end(), 0);
    let repository = repository(&pty);
    let mut again = Pty::start(&["-C", &repository.display().to_string()], "true");
    again.wait_for_text("1 decided");
    again.send("q");
    assert_eq!(again.end(), 0);
}

#[test]
fn a_decision_outlasts_the_terminal() {
    // Where the shell that holds the terminal dies, the terminal goes with it.
    let mut pty = Pty::start_shell("$REDPIN demo; true", "");
    pty.wait_for_text(" open");
    let journal = repository(&pty).join(".git/redpin/journal.jsonl");
    pty.send("b");
    pty.wait_for_text("1 decided");
    pty.signal(rustix::process::Signal::KILL);
    pty.end();
    pty.wait_until("the decision", || std::fs::read_to_string(&journal).is_ok_and(|text| text.contains("real-bug")));
}

#[test]
fn an_inbox_or_repository_taken_away_is_told_and_not_made_anew() {
    for (gone, told) in [(".git/redpin", "is no longer in the inbox"), ("", "could not create")] {
        let mut pty = Pty::start(&["demo"], "true");
        pty.wait_for_text("patch");
        let folder = repository(&pty).join(gone);
        std::fs::remove_dir_all(&folder).unwrap();
        pty.send("b");
        pty.wait_for_text(told);
        assert!(!folder.join(".git").exists());
        pty.send("q");
        assert_eq!(pty.end(), 0);
        assert_eq!(pty.left_on(), Vec::<&str>::new());
    }
}

#[test]
fn what_another_redpin_decided_last_is_what_is_staged() {
    let mut pty = Pty::start(&["demo"], "true");
    pty.wait_for_text(" open");
    let repository = repository(&pty);
    let mut other = Pty::start(&["-C", &repository.display().to_string()], "true");
    other.wait_for_text("12 of 12 open");
    pty.send("b");
    pty.wait_for_text("1 decided");
    let journal = || std::fs::read_to_string(repository.join(".git/redpin/journal.jsonl")).unwrap_or_default();
    pty.wait_until("the first decision", || journal().contains("real-bug"));
    other.send("w");
    other.wait_until("the second decision", || journal().contains("wrong-property"));
    pty.send("s");
    pty.wait_for_text("staged 1 verdict");
    assert!(git(&repository, &["diff", "--cached"]).contains("+  \"verdict\": \"wrong-property\""));
    pty.send("q");
    assert_eq!(pty.end(), 0);
}

#[test]
fn a_pin_is_written_by_hand_in_the_editor_and_staged() {
    let mut pty = Pty::start(&["demo"], "sh -c 'sed -i \"s/let /let by_hand = 0; let /\" \"$2\"' editor");
    pty.wait_for_text("12 of 12 open");
    pty.send("/fee_grows\r");
    pty.wait_for_text("filtered 1/1");
    pty.wait_for_text("if decided");
    pty.send("\r");
    pty.send("G");
    pty.send("e");
    pty.wait_for_text("staged 1 verdict");
    let patch = git(&repository(&pty), &["diff", "--cached"]);
    assert!(patch.contains("let by_hand = 0; let ") && patch.contains("\"rung\": \"by-hand\""), "{patch}");
    pty.send("q");
    assert_eq!(pty.end(), 0);
}

#[test]
fn a_pin_that_is_left_as_it_was_is_no_verdict() {
    let mut pty = Pty::start(&["demo"], "true");
    pty.wait_for_text("12 of 12 open");
    pty.send("/fee_grows\r");
    pty.wait_for_text("filtered 1/1");
    pty.wait_for_text("if decided");
    pty.send("\r");
    pty.send("G");
    pty.send("e");
    pty.wait_for_text("the test was left as it was");
    let journal = std::fs::read_to_string(repository(&pty).join(".git/redpin/journal.jsonl")).unwrap_or_default();
    assert_eq!(journal.matches("real-bug").count(), 0, "{journal}");
    pty.send("q");
    assert_eq!(pty.end(), 0);
}

#[test]
fn the_editor_has_the_terminal_and_gives_it_back() {
    let mut pty = Pty::start(&["demo"], "sh -c 'echo \"$@\" > HOME/opened; printf edited; read line' editor");
    pty.wait_for_text(" open");
    pty.wait_for_text("patch");
    pty.send("gj");
    pty.wait_for("no message, and the whole page", |screen| {
        !screen.contents().contains("known before") && screen.contents().contains("@@")
    });
    let before = pty.text();
    pty.send("e");
    pty.wait_for("the editor", |screen| !screen.alternate_screen() && screen.contents().contains("edited"));
    pty.send("\n");
    pty.wait_for_screen(&before);
    let opened = std::fs::read_to_string(pty.home.path().join("opened")).unwrap();
    assert!(opened.starts_with('+') && opened.contains(".rs"), "{opened}");
    pty.send("q");
    assert_eq!(pty.end(), 0);
    assert_eq!(pty.left_on(), Vec::<&str>::new());
}

#[test]
fn the_editor_of_gits_configuration_goes_before_the_shells() {
    let mut pty = Pty::start(&["demo"], "false");
    pty.wait_for_text(" open");
    pty.wait_for_text("patch");
    let repository = repository(&pty);
    git(&repository, &["config", "core.editor", "sh -c 'printf configured; read line' editor"]);
    pty.send("e");
    pty.wait_for("the editor", |screen| !screen.alternate_screen() && screen.contents().contains("configured"));
    pty.send("\n");
    pty.wait_for("the workstation", |screen| screen.alternate_screen() && screen.contents().contains(" open"));
    pty.send("q");
    assert_eq!(pty.end(), 0);
}

#[test]
fn what_was_typed_ahead_of_the_editor_decides_nothing() {
    let mut pty = Pty::start(&["demo"], "sh -c 'printf edited; read line' editor");
    pty.wait_for_text("patch");
    pty.send("ewww");
    pty.wait_for("the editor", |screen| !screen.alternate_screen() && screen.contents().contains("edited"));
    pty.send("\n");
    pty.wait_for("the workstation", |screen| screen.alternate_screen() && screen.contents().contains("12 of 12 open"));
    pty.send("q");
    assert_eq!(pty.end(), 0);
}

#[test]
fn a_whole_causes_verdict_is_undone_as_one() {
    let mut pty = Pty::start(&["demo"], "true");
    pty.wait_for_text(" open");
    pty.send("g\u{1b}2jb");
    pty.wait_for_text("give all 3 open failures");
    pty.send("y");
    pty.wait_for_text("3 decided");
    pty.send("u");
    pty.wait_for_text("undone: decide real-bug on 3 failures");
    pty.wait_for_text("12 of 12 open");
    pty.send("q");
    assert_eq!(pty.end(), 0);
}

#[test]
fn a_run_on_standard_input_leaves_the_keys_to_the_terminal() {
    let mut pty = Pty::start_shell("git init -q . && printf '%s' \"$0\" | $REDPIN -", LOG);
    pty.wait_for_text("too much");
    pty.send("q");
    assert_eq!(pty.end(), 0);
    assert_eq!(pty.left_on(), Vec::<&str>::new());
}

#[test]
fn half_a_key_holds_nothing_up() {
    let mut pty = Pty::start(&["demo"], "true");
    pty.wait_for_text("patch");
    pty.send("gj\u{1b}[");
    pty.wait_for_text("q leaves");
    pty.send("b");
    pty.wait_for_text("1 decided");
    pty.send("\u{1b}[");
    pty.signal(rustix::process::Signal::TERM);
    assert_eq!(pty.end(), 0);
    assert_eq!(pty.left_on(), Vec::<&str>::new());
}

#[test]
fn a_copy_goes_to_the_terminals_clipboard() {
    let mut pty = Pty::start(&["demo"], "true");
    pty.wait_for_text(" open");
    pty.send("yt");
    pty.wait_for_text("copied the test name");
    pty.wait_for_bytes(b"\x1b]52;c;");
    pty.send("q");
    assert_eq!(pty.end(), 0);
}

#[test]
fn a_tmux_that_takes_its_time_holds_nothing_up_and_what_it_refuses_goes_to_the_terminal() {
    // Stands for tmux: waits until it is let go, then refuses.
    const TMUX: &str = "mkfifo go; printf '#!/bin/sh\\nread line < %s/go\\nexit 1\\n' \"$PWD\" > tmux; chmod +x tmux; \
        TMUX=x PATH=$PWD:$PATH $REDPIN demo";
    let mut pty = Pty::start_shell(TMUX, "");
    pty.wait_for_text(" open");
    pty.send("yt");
    pty.wait_for_text("copied the test name");
    pty.send("b");
    pty.wait_for_text("1 decided");
    std::fs::OpenOptions::new().write(true).open(pty.home.path().join("go")).unwrap();
    pty.wait_for_bytes(b"\x1bPtmux;\x1b\x1b]52;c;");
    pty.wait_for_bytes(b"\x1b]52;c;");
    pty.send("q");
    assert_eq!(pty.end(), 0);
}

#[test]
fn what_tmux_takes_is_copied_though_the_next_key_leaves() {
    const TMUX: &str = "printf '#!/bin/sh\\ncat > %s/copied\\n' \"$PWD\" > tmux; chmod +x tmux; \
        TMUX=x PATH=$PWD:$PATH $REDPIN demo";
    let mut pty = Pty::start_shell(TMUX, "");
    pty.wait_for_text(" open");
    pty.send("ytq");
    assert_eq!(pty.end(), 0);
    let copied = std::fs::read_to_string(pty.home.path().join("copied")).unwrap();
    assert!(copied.contains("amt_1_any_text_is_read_or_refused"), "{copied}");
}

#[test]
fn colour_is_as_the_switch_says_whatever_the_environment_says() {
    for (start, coloured) in [
        ("$REDPIN demo", true),
        ("NO_COLOR=1 $REDPIN demo", false),
        ("NO_COLOR=1 $REDPIN --color always demo", true),
        ("$REDPIN --color never demo", false),
    ] {
        let mut pty = Pty::start_shell(start, "");
        pty.wait_for_text("patch");
        assert_eq!(pty.sent(b"\x1b[38;5;1;49m"), coloured, "{start}");
        assert!(!pty.sent(b"\x1b[?1000h") && !pty.sent(b"\x1b[?1003h"), "the mouse stays the terminal's");
        pty.send("q");
        assert_eq!(pty.end(), 0);
    }
}

#[test]
fn the_screen_has_only_ascii_signs_of_its_own_where_that_is_asked_for() {
    let mut pty = Pty::start(&["demo", "--ascii"], "true");
    pty.wait_for_text("patch");
    pty.send("/csv\r");
    pty.wait_for_text("filtered 1/2");
    assert!(pty.text().is_ascii(), "{}", pty.text());
    pty.send("q");
    assert_eq!(pty.end(), 0);
}

#[test]
fn the_workstation_in_lines_asks_on_the_terminal() {
    let mut pty = Pty::start(&["demo", "--plain"], "true");
    pty.wait_for_text("redpin> ");
    pty.send("b\n");
    pty.wait_for_text("11 of 12 open");
    pty.send("q\n");
    assert_eq!(pty.end(), 0);
    assert!(!pty.sent(b"\x1b[?1049h"));
}

#[test]
fn a_terminal_that_shows_no_screen_is_told_what_does_the_same() {
    let mut pty = Pty::start_shell("git init -q .; TERM=dumb $REDPIN", "");
    assert_eq!(pty.end(), 2);
    assert!(pty.text().contains("redpin --plain"), "{}", pty.text());
}

#[test]
fn keys_typed_ahead_are_all_taken() {
    let mut pty = Pty::start(&["demo"], "true");
    pty.wait_for_text(" open");
    pty.send(&format!("{}{}b", "j".repeat(300), "k".repeat(300)));
    pty.send("u");
    pty.wait_for_text("undone");
    pty.send("q");
    assert_eq!(pty.end(), 0);
}

#[test]
fn the_tabs_are_read_while_the_inbox_waits() {
    let mut pty = Pty::start(&["demo"], "true");
    pty.wait_for_text(" open");
    pty.send("2");
    pty.wait_for_text("Late fees");
    pty.send("4");
    pty.wait_for_text("no sweep is on record here");
    pty.send("3");
    pty.wait_for_text("there is no patch-contract.json");
    pty.send("5");
    pty.wait_for_text("nothing was decided yet");
    pty.send("1bs");
    pty.wait_for_text("1 staged");
    pty.send("5");
    pty.wait_for_text("real bug");
    pty.send("r");
    pty.wait_for_text("is staged: take that");
    pty.send("q");
    assert_eq!(pty.end(), 0);
}
