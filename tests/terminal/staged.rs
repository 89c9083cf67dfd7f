//! The main job, to the byte: a red run is triaged with all three verdicts, and what git would commit is read.

use super::pty::{Pty, git};
use super::session::repository;

/// The staged patch with the day of the test as a fixed one, without times of day and what git adds for readers.
fn settled(patch: &str) -> String {
    let today = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    let line = |line: &str| match line.replace(&today, "2026-11-30") {
        when if when.starts_with("+  \"when\"") => "+  \"when\": \"TIME\",\n".to_owned(),
        hunk if hunk.starts_with("@@ ") => hunk.split(" @@").next().unwrap().to_owned() + "\n",
        line => line + "\n",
    };
    patch.lines().filter(|line| !line.starts_with("index ")).map(line).collect()
}

#[test]
fn a_session_with_all_three_verdicts_stages_exactly_this() {
    let mut pty = Pty::start(&["demo"], "true");
    pty.wait_for_text("12 of 12 open");
    pty.send("b");
    pty.wait_for_text("11 of 12 open");
    pty.send("nwhich instalment may be smaller?\r");
    pty.wait_for_text("noted");
    pty.send("a");
    pty.wait_for_text("10 of 12 open");
    pty.send("nthe bound is one cent too tight\r");
    pty.wait_for_text("note: the bound");
    pty.send("w");
    pty.wait_for_text("3 decided");
    pty.send("s");
    pty.wait_for_text("staged 3 verdicts");
    pty.send("q");
    assert_eq!(pty.end(), 0);
    let patch = settled(&git(&repository(&pty), &["diff", "--cached"]));
    assert_eq!(patch, include_str!("staged.patch"));
}
