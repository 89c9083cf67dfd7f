//! A panic in a worker: said on the screen, and the terminal is as it was when the workstation is left.

use redpin::tui::{self, Settings, Start};

use super::pty::Pty;

/// A workstation whose clock fails the worker that reads runs; the program of the test below.
#[test]
#[ignore = "it is the program of the test below, and needs its terminal"]
fn a_workstation_with_a_broken_clock() {
    let settings = Settings { colour: true, ..Settings::default() };
    let start = Start {
        directory: ".".into(),
        runs: vec![std::ffi::OsString::from("run.log").into()],
        cache: std::env::temp_dir(),
        now: || panic!("no time"),
        settings,
    };
    std::process::exit(tui::run(start).into());
}

#[test]
fn a_panic_in_a_worker_is_said_and_leaves_the_terminal_as_it_was() {
    const SCRIPT: &str = "git init -q . && printf '%s' \"$0\" > run.log && exec $TESTS --ignored --nocapture \
        --test-threads 1 terminal::panics::a_workstation_with_a_broken_clock";
    let tests = std::env::current_exe().unwrap();
    let mut pty = Pty::start_shell(&SCRIPT.replace("$TESTS", tests.to_str().unwrap()), super::session::LOG);
    pty.wait_for_text("redpin itself failed here");
    pty.wait_for_text("no time");
    pty.send("?");
    pty.wait_for_text("search:");
    pty.send("\u{3}");
    assert_eq!(pty.end(), 0);
    assert_eq!(pty.left_on(), Vec::<&str>::new());
    assert!(pty.text().contains("panicked at"), "{}", pty.text());
}
