//! Pins that do not come to an end of their own: one that takes its whole process with it, one that never ends.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::bench::Bench;

const BROKEN: &str = "(cents * u64::from(days) / 2_000).min(CAP)";

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

    bench.edit(
        "src/fees.rs",
        BROKEN,
        "std::hint::black_box([cents; 512])[0] + late_fee(cents, std::hint::black_box(days))",
    );
    let (code, answer) = bench.redpin(&["verify", "--json"]);
    let pins = &answer["pins"];
    assert_eq!((code, &pins[0]["state"], &pins[1]["state"]), (1, &json!("red-for-another-reason"), &json!("red")));
    let message = pins[0]["message"].as_str().unwrap();
    assert!(message.contains("has overflowed its stack: signal: 6, SIGABRT"), "{message}");

    let note = bench.write_beside("process", "");
    let hang = format!(
        "{{ let _ = std::fs::write({note:?}, std::process::id().to_string()); loop {{ std::thread::park(); }} }}"
    );
    bench.edit(
        "src/fees.rs",
        "std::hint::black_box([cents; 512])[0] + late_fee(cents, std::hint::black_box(days))",
        &hang,
    );
    bench.commit("Wait for ever");
    stopped(&bench, Path::new(&note), &["verify"], Signal::QUIT, 131);
    bench.write_beside("process", "");
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
    let test = process().unwrap();
    // A killed process is gone a moment later, and where nobody fetches its status a trace of it stays.
    let runs = || fs::read_to_string(format!("/proc/{test}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
    let gone = (0..500).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        !runs()
    });
    assert!(gone, "the test is left behind: {:?}", fs::read_to_string(format!("/proc/{test}/stat")));
}
