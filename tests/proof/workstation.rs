//! The same morning on a terminal: pins are proven as they are staged, run, stopped, and run again after the fix.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use super::bench::Bench;
use crate::terminal::pty::{Pty, git};

/// A build that tells who it is and waits until it is ended.
const WAITS: &str = "fn main() {\n    std::fs::write(\"builds\", std::process::id().to_string()).unwrap();\n    \
                     loop {\n        std::thread::sleep(std::time::Duration::from_millis(10));\n    }\n}\n";

/// The program that waits in the build, once it does.
fn waiting(pty: &Pty, bench: &Bench) -> String {
    let told = || fs::read_to_string(bench.top().join("builds")).unwrap_or_default();
    pty.wait_until("the build", || !told().is_empty());
    let id = told();
    bench.remove("builds");
    id
}

/// Whether a program runs: one that has ended and that nobody asked about yet does not.
fn runs(id: &str) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(id).join("stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.starts_with(" Z"))
}

#[expect(clippy::disallowed_methods, reason = "cargo and its toolchain are found where the test's own are")]
fn home() -> (&'static str, OsString) {
    ("HOME", std::env::var_os("HOME").unwrap())
}

#[test]
fn pins_are_proven_as_they_are_staged_and_run_again_after_the_fix() {
    let bench = Bench::new("workstation");
    let top = bench.top();
    let environment = [&bench.environment()[..], &[home()]].concat();
    let mut pty = Pty::start_in(&top, &[bench.log()], &environment);
    pty.wait_for_text("10 of 10 open");
    // So high that the patch shows as well.
    pty.resize(60, 110);
    pty.send("/fee_grows\r");
    pty.wait_for_text("filtered 1/1");
    pty.send("b");
    pty.wait_for_text("1 decided");
    pty.send("s");
    pty.wait_for_text("staged 1 verdict, 1 pin proven red");
    assert!(git(&top, &["diff", "--cached"]).contains("fn bill_9_fee_grows_every_day_pin_"));
    pty.wait_for_text("proven red at");

    bench.write("build.rs", WAITS);
    pty.send("v");
    pty.wait_for_text("running pins  0 of 1");
    let id = waiting(&pty, &bench);
    pty.send("x");
    pty.wait_for_text("stopped: nothing is kept of it");
    pty.wait_until("the end of the build", || !runs(&id));

    bench.remove("build.rs");
    pty.send("v");
    pty.wait_for_text("1 pin: 1 red");
    pty.wait_for_text("✗ pin red");

    bench.edit("src/fees.rs", "(cents * u64::from(days) / 2_000).min(CAP)", "cents * u64::from(days) + CAP");
    pty.send("v");
    pty.wait_for_text("1 pin: 1 green");
    pty.wait_for_text("✓ pin green");
    pty.wait_for_text("proven red at");

    bench.write("build.rs", WAITS);
    pty.send("v");
    let id = waiting(&pty, &bench);
    pty.send("q");
    assert_eq!(pty.end(), 0);
    assert_eq!(pty.left_on(), Vec::<&str>::new());
    pty.wait_until("the end of the build", || !runs(&id));
}
