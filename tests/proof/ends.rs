//! Pins that do not come to an end of their own: one that takes its whole process with it, one that never ends.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use redpin::scratch::Scratch;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::bench::Bench;

const BROKEN: &str = "(cents * u64::from(days) / 2_000).min(CAP)";
const OVERFLOW: &str = "std::hint::black_box([cents; 512])[0] + late_fee(cents, std::hint::black_box(days))";

/// A bench with two pins of one test binary.
fn bench() -> Bench {
    let bench = Bench::new("ends");
    assert_eq!(bench.redpin(&["import", "--json", bench.log()]).0, 0);
    assert_eq!(bench.redpin(&["pin", "--no-verify", "--json", "fee_grows_every_day", "spread_at_most_one_cent"]).0, 0);
    bench
}

#[test]
fn each_pin_has_its_own_end() {
    let bench = bench();
    assert_eq!(bench.tried(&["run", "--", "cargo", "test", "--features", "none"]).0, 1);
    let (code, answer) = bench.redpin(&["verify", "--json"]);
    assert_eq!((code, &answer["pins"][0]["state"]), (1, &json!("does-not-build")), "as the tests were last run");
    assert!(answer["pins"][0]["message"].as_str().unwrap().contains("none"), "{answer}");
    bench.write(".redpin/config.toml", "[verify]\narguments = []\n");

    bench.edit("src/fees.rs", BROKEN, OVERFLOW);
    let (code, answer) = bench.redpin(&["verify", "--json"]);
    let pins = &answer["pins"];
    assert_eq!((code, &pins[0]["state"], &pins[1]["state"]), (1, &json!("red-for-another-reason"), &json!("red")));
    let message = pins[0]["message"].as_str().unwrap();
    assert!(message.contains("has overflowed its stack: signal: 6, SIGABRT"), "{message}");
    bench.edit("src/fees.rs", OVERFLOW, "std::process::exit(0)");
    let (code, answer) = bench.redpin(&["verify", "--json"]);
    let pins = &answer["pins"];
    assert_eq!((code, &pins[0]["state"], &pins[1]["state"]), (1, &json!("missing"), &json!("red")));
    let message = "the test ended its whole program, which did not count as a failure: exit status: 0";
    assert_eq!(pins[0]["message"], message);

    let note = bench.write_beside("process", "");
    let hang = format!(
        "{{ let _ = std::fs::write({note:?}, std::process::id().to_string()); loop {{ std::thread::park(); }} }}"
    );
    bench.edit("src/fees.rs", "std::process::exit(0)", &hang);
    bench.commit("Wait for ever");
    stopped(&bench, Path::new(&note), &["verify"], Signal::QUIT, 131);
    bench.write_beside("process", "");
    killed(&bench, Path::new(&note));
    bench.write_beside("process", "");
    // Only the commit waits, which comes after the work tree.
    bench.edit("src/fees.rs", &hang, BROKEN);
    stopped(&bench, Path::new(&note), &["verify", "--base", "HEAD"], Signal::TERM, 143);
    let scratch = bench.scratch();
    assert!(File::open(scratch.join("lock")).unwrap().try_lock().is_ok(), "the scratch folder is held");
    assert_eq!(fs::read_dir(scratch.join("base")).unwrap().count(), 0, "the commit's files are left behind");
}

/// Stops redpin with `signal` once the test that it runs has left its process id in the file `note`, and sees that the test
/// ends with it.
fn stopped(bench: &Bench, note: &Path, arguments: &[&str], signal: Signal, code: i32) {
    let mut redpin = bench.command(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(redpin.stderr.take().unwrap()).lines().map_while(Result::ok);
    let process = || fs::read_to_string(note).ok().filter(|text| !text.is_empty());
    while process().is_none() {
        assert!(redpin.try_wait().unwrap().is_none(), "{:?}", said.by_ref().collect::<Vec<_>>());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    kill_process(Pid::from_child(&redpin), signal).unwrap();
    let said: Vec<String> = said.collect();
    assert_eq!(redpin.wait().unwrap().code(), Some(code), "{said:?}");
    assert_eq!(said.last().unwrap(), "redpin: the pins were stopped before they came out; nothing is kept of it");
    is_gone(&process().unwrap());
}

/// Kills redpin in the midst of a test, so that it can end nobody, and sees that the test ends with it.
#[cfg(target_os = "linux")]
fn killed(bench: &Bench, note: &Path) {
    let mut redpin = bench.command(&["verify"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let process = || fs::read_to_string(note).ok().filter(|text| !text.is_empty());
    while process().is_none() {
        assert!(redpin.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    redpin.kill().unwrap();
    assert_eq!(redpin.wait().unwrap().code(), None);
    is_gone(&process().unwrap());
}

#[cfg(not(target_os = "linux"))]
fn killed(_: &Bench, _: &Path) {}

/// Sees that a killed test is gone, which is so a moment later; where nobody fetches its status a trace of it stays.
fn is_gone(test: &str) {
    let runs = || fs::read_to_string(format!("/proc/{test}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
    let gone = (0..500).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        !runs()
    });
    assert!(gone, "the test is left behind: {:?}", fs::read_to_string(format!("/proc/{test}/stat")));
}

#[test]
fn who_waits_for_another_redpin_need_not_and_keeps_the_verdict() {
    let bench = Bench::new("waits");
    assert_eq!(bench.redpin(&["import", "--json", bench.log()]).0, 0);
    let cache = bench.environment().into_iter().find(|(name, _)| *name == "XDG_CACHE_HOME").unwrap().1;
    let held = Scratch::open(&Path::new(&cache).join("redpin"), &bench.top().canonicalize().unwrap(), || true);
    let decide = ["decide", "fee_grows_every_day", "real-bug", "--note", "grows no more at the cap"];
    let mut redpin = bench.command(&decide).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(redpin.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert_eq!(
        said.next().unwrap(),
        "another redpin builds in the scratch copy of this repository; waiting until it is done"
    );
    kill_process(Pid::from_child(&redpin), Signal::INT).unwrap();
    let said: Vec<String> = said.collect();
    assert_eq!(redpin.wait().unwrap().code(), Some(130), "{said:?}");
    assert_eq!(said[0], "the verdict is kept, with your note: `redpin stage` stages its consequence");
    drop(held);
    let (_, listed) = bench.redpin(&["list", "--json"]);
    let judged = listed["failures"].as_array().unwrap().iter().find(|one| one["verdict"] == "real-bug").unwrap();
    assert_eq!((&judged["state"], &judged["note"]), (&json!("decided"), &json!("grows no more at the cap")));
}
