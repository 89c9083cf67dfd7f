//! Real commands, run to their end: what was shown and kept, how they ended, and that none of them is left.

use std::ffi::OsString;
use std::path::Path;

use super::{RunError, Running, Stopper, Watch};
use crate::invocation::{Capture, File, Invocation, Kept, Variable};

/// Notes what it sees.
#[derive(Default)]
struct Notes {
    shown: String,
    told: Vec<String>,
    /// Stops the run whenever something is shown.
    stop_on_show: Option<Stopper>,
    /// Stops the run whenever something is told.
    stop_on_tell: Option<Stopper>,
}

impl Watch for Notes {
    fn show(&mut self, bytes: &[u8]) {
        self.shown.push_str(&String::from_utf8_lossy(bytes));
        self.stop_on_show.iter().for_each(Stopper::stop);
    }

    fn kept(&mut self, so_far: &[u8]) {
        self.told.push(String::from_utf8_lossy(so_far).into_owned());
        self.stop_on_tell.iter().for_each(Stopper::stop);
    }
}

fn start(script: &str, kept: Kept) -> Running {
    Running::start(&shell(script, kept), Path::new("/"), &std::env::temp_dir()).unwrap()
}

fn shell(script: &str, kept: Kept) -> Invocation {
    let command = ["sh", "-c", script].map(OsString::from).to_vec();
    let environment = vec![("REDPIN_TEST", "set".to_owned())];
    Invocation { environment, kept, ..Invocation::of(&command) }
}

#[track_caller]
fn check(script: &str, kept: Kept, bytes: &str, shown: &str, code: i32) {
    let mut notes = Notes::default();
    let finished = start(script, kept).follow(&mut notes).unwrap();
    assert_eq!((String::from_utf8_lossy(&finished.bytes).as_ref(), finished.code), (bytes, code));
    assert_eq!(notes.shown, shown);
    assert!(notes.told.iter().all(|told| bytes.starts_with(told.as_str())), "{:?}", notes.told);
}

#[test]
fn both_streams_keep_their_order() {
    let script = "for n in 1 2 3; do echo out $n; echo err $n >&2; done; printf end";
    let all = "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\nend";
    check(script, Kept::Both, all, all, 0);
}

#[test]
fn a_stream_for_programs_is_not_shown_and_the_other_kept_after_it() {
    check("echo human >&2; echo '{}'; exit 100", Kept::OutputFirst, "{}\nhuman\n", "human\n", 100);
}

#[test]
fn folder_and_environment_are_as_asked() {
    check("pwd; echo $REDPIN_TEST", Kept::Both, "/\nset\n", "/\nset\n", 0);
}

#[test]
fn the_exit_status_is_the_commands_own() {
    check("exit 3", Kept::Both, "", "", 3);
    check("kill -s KILL $$", Kept::Both, "", "", 137);
}

#[test]
fn what_was_kept_is_told_before_the_end() {
    let running = start("echo first; exec sleep 1000", Kept::Both);
    let mut notes = Notes { stop_on_tell: Some(running.stopper()), ..Notes::default() };
    let finished = running.follow(&mut notes).unwrap();
    assert_eq!((notes.told, finished.code), (vec!["first\n".to_owned()], 143));
}

#[test]
fn the_beginning_of_a_line_is_shown_where_the_rest_takes_its_time() {
    let running = start("printf ..; exec sleep 1000", Kept::Both);
    let mut notes = Notes { stop_on_show: Some(running.stopper()), ..Notes::default() };
    assert_eq!(&*running.follow(&mut notes).unwrap().bytes, b"..");
    assert_eq!(notes.shown, "..");
}

#[test]
fn much_output_is_kept_whole() {
    let script = "seq 1 400000; seq 1 200000 >&2; exit 7";
    let count = |top: u32| (1..=top).map(|n| format!("{n}\n")).collect::<String>();
    let (output, errors) = (count(400_000), count(200_000));
    for (kept, shown) in [(Kept::Both, output.clone() + &errors), (Kept::OutputFirst, errors.clone())] {
        let mut notes = Shown::default();
        let finished = start(script, kept).follow(&mut notes).unwrap();
        assert_eq!(finished.code, 7);
        assert!(finished.cut.is_none());
        assert!(*finished.bytes == *(output.clone() + &errors).as_bytes(), "{} bytes", finished.bytes.len());
        assert!(notes.0 == shown.as_bytes(), "{} bytes", notes.0.len());
    }
}

/// Takes its time to show.
#[derive(Default)]
struct Slow(Shown);

impl Watch for Slow {
    fn show(&mut self, bytes: &[u8]) {
        self.0.show(bytes);
        std::thread::sleep(std::time::Duration::from_millis(60));
    }

    fn kept(&mut self, _: &[u8]) {}
}

#[test]
fn what_was_printed_before_the_end_is_waited_for_however_slowly_it_is_shown() {
    let script = "i=0; while [ $i -lt 20 ]; do echo $i; i=$((i + 1)); sleep 0.001; done";
    let mut slow = Slow::default();
    let finished = start(script, Kept::Both).follow(&mut slow).unwrap();
    let expected = (0..20).map(|n| format!("{n}\n")).collect::<String>();
    assert_eq!((&*finished.bytes, slow.0.0.as_slice()), (expected.as_bytes(), expected.as_bytes()));
}

/// Notes what is shown alone.
#[derive(Default)]
struct Shown(Vec<u8>);

impl Watch for Shown {
    fn show(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn kept(&mut self, _: &[u8]) {}
}

#[test]
fn who_does_not_heed_is_killed_at_the_third_time() {
    let running = start("trap 'echo no' TERM; echo ready; while :; do sleep 1000 & wait; done", Kept::Both);
    let mut notes = Notes { stop_on_show: Some(running.stopper()), ..Notes::default() };
    let finished = running.follow(&mut notes).unwrap();
    assert_eq!((notes.shown.as_str(), finished.code, finished.stopped), ("ready\nno\nno\n", 137, Some(15)));
}

#[test]
fn what_cannot_be_started_is_named() {
    let start = |words: &[&str]| {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        Running::start(&Invocation::of(&words), Path::new("/"), &std::env::temp_dir())
            .map(|_| ())
            .map_err(|error: RunError| error.to_string())
    };
    assert_eq!(start(&[]), Err("expected a command, found none: name one after `--`".to_owned()));
    let missing = start(&["no-such-program"]).unwrap_err();
    assert!(missing.starts_with("cannot start `no-such-program`: "), "{missing}");
    assert!(missing.ends_with(": check that it is installed and can be run"), "{missing}");
}

/// A command that hands over: it sources a file of ours that a variable leads to.
fn handing(script: &str, folder: &Path) -> Invocation {
    let text = "hand() { echo \"$1\" >> \"$REDPIN_CAPTURE\"; }\n";
    let value = folder.join("sub/hand.sh").to_str().unwrap().to_owned();
    let capture = Capture {
        folder: folder.to_owned(),
        files: vec![File { path: "sub/hand.sh", text }],
        variables: vec![Variable { name: "REDPIN_TEST_HAND", value, between: ':' }],
    };
    Invocation { capture, ..shell(&format!(". $REDPIN_TEST_HAND; {script}"), Kept::Both) }
}

#[test]
fn what_is_handed_over_is_told_as_it_comes_and_kept_after_the_output() {
    let folder = tempfile::tempdir().unwrap();
    let script = "printf a; hand one; sleep 0.5; hand two; printf b; printf torn >> $REDPIN_CAPTURE; exit 4";
    let mut notes = Notes::default();
    let invocation = handing(script, folder.path());
    let running = Running::start(&invocation, Path::new("/"), &std::env::temp_dir()).unwrap();
    let finished = running.follow(&mut notes).unwrap();
    assert_eq!((&*finished.bytes, finished.code), (&b"ab\none\ntwo\n"[..], 4));
    assert_eq!(notes.shown, "ab");
    assert!(notes.told.contains(&"one\n".to_owned()), "{:?}", notes.told);
}

#[test]
fn what_cannot_hand_over_runs_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let mut invocation = handing("", folder.path());
    invocation.command = shell("echo ${REDPIN_CAPTURE-none}${REDPIN_TEST_HAND-none}", Kept::Both).command;
    invocation.capture.folder = Path::new("/dev/null").to_owned();
    let running = Running::start(&invocation, Path::new("/"), &std::env::temp_dir()).unwrap();
    assert_eq!(&*running.follow(&mut Notes::default()).unwrap().bytes, b"nonenone\n");
}

#[test]
fn a_run_can_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    let finished = start("echo out", Kept::Both).follow(&mut Notes::default()).unwrap();
    let path = folder.path().join("run.log");
    finished.keep(&path, b"").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"out\n");
    assert!(finished.keep(&folder.path().join("none/run.log"), b"").is_err());
}

/// Processes are looked up where Linux lists them.
#[cfg(target_os = "linux")]
mod left_over {
    use std::time::{Duration, Instant};

    use super::{Kept, Notes, start};

    /// Whether a process runs: one that ended and was not fetched does not.
    fn runs(id: &str) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        status.lines().any(|line| line.starts_with("State:") && !line.contains("Z (") && !line.contains("X ("))
    }

    /// Waits for a killed process to be gone.
    fn is_gone(id: &str) -> bool {
        let deadline = Instant::now() + Duration::from_secs(10);
        while runs(id) && Instant::now() < deadline {
            std::thread::yield_now();
        }
        !runs(id)
    }

    #[test]
    fn nobody_is_left_behind() {
        for script in [
            "sleep 1000 & echo $!; exit 5",
            "sleep 1000 >/dev/null 2>&1 & echo $!; exit 5",
            "(trap '' TERM; sleep 1000 >/dev/null 2>&1) & echo $!; exit 5",
            "(trap '' TERM; sleep 1000) & echo $!; exit 5",
        ] {
            let finished = start(script, Kept::Both).follow(&mut Notes::default()).unwrap();
            let id = String::from_utf8(finished.bytes.to_vec()).unwrap();
            assert_eq!(finished.code, 5, "{script}");
            assert!(!id.trim().is_empty() && is_gone(id.trim()), "{script}");
        }
    }

    #[test]
    fn a_run_that_is_dropped_is_killed() {
        let running = start("exec sleep 1000", Kept::Both);
        let id = running.group.id().as_raw_nonzero().to_string();
        assert!(runs(&id));
        drop(running);
        assert!(is_gone(&id));
    }
}
