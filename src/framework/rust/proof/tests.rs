//! Outputs of cargo and nextest, and how each pin came out in them.

use super::{Judge, is_below};
use crate::failure::testing::failure;
use crate::failure::{Failure, ForeignPath, Location, Origin, TestName};
use crate::framework::rust::reason::is_same;
use crate::proof::testing::blank_pin;
use crate::proof::{Proof, StandingPin};
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::source_tree::testing::Files;
use crate::source_tree::{NoFiles, SourceTree};

const OVERFLOW: &str = "\
running 1 test

thread 'deep' (7) has overflowed its stack
fatal runtime error: stack overflow, aborting
error: test failed, to rerun pass `--lib`

Caused by:
  process didn't exit successfully: `/t/debug/deps/x-0 --exact deep` (signal: 6, SIGABRT: process abort signal)
";

fn pin(test: &str, message: &str) -> StandingPin {
    StandingPin { test: Some(TestName(test.to_owned())), message: message.to_owned(), ..blank_pin("any", test) }
}

/// How pins came out of which no failures were read.
fn proofs(text: &str, pins: &[StandingPin], tree: &dyn SourceTree) -> Vec<Proof> {
    let pins: Vec<&StandingPin> = pins.iter().collect();
    let judge = Judge { failures: Vec::new(), is_same };
    super::proofs(&RunOutput::new("log", text.as_bytes()), &pins, tree, &judge)
}

/// What cargo says of a test program that ended so.
fn cargo(status: &str) -> String {
    let process = "process didn't exit successfully: `/t/debug/deps/x-0 --exact deep`";
    format!("running 1 test\nerror: test failed, to rerun pass `--lib`\n\nCaused by:\n  {process} ({status})\n")
}

#[test]
fn a_test_that_ends_its_program_is_told_by_that() {
    let check = |text: &str, expected: &str| assert_eq!(told(text, &[pin("deep", "no growth")]), [expected]);
    let red = "red-for-another-reason the test ended its whole program";
    check(&cargo("exit status: 3"), &format!("{red}: exit status: 3"));
    let fault = "signal: 11, SIGSEGV: invalid memory reference";
    check(&cargo(fault), &format!("{red}: {fault}"));
    let well = "missing the test ended its whole program, which did not count as a failure: exit status: 0";
    check("     Running unittests src/lib.rs (target/debug/deps/x-0)\n\nrunning 1 test\n", well);
    check(
        "running 1 test\n     Running tests/a.rs (t)\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed\n",
        well,
    );
    // What ends there is no test program.
    let build = cargo("signal: 9, SIGKILL: kill").replace("running 1 test\n", "");
    assert!(told(&build, &[pin("deep", "no growth")])[0].starts_with("missing process didn't exit successfully"));
}

#[test]
fn a_property_that_panics_as_it_makes_its_input_is_told_by_that() {
    let text = "running 1 test\ntest deep ... FAILED\n\nfailures:\n\n---- deep stdout ----\n\n\
        thread 'deep' (7) panicked at src/x.rs:35:9:\nattempt to subtract with overflow\nstack backtrace:\n   0: f\n\n\n\
        failures:\n    deep\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n";
    let proof = proofs(text, &[pin("deep", "no growth")], &NoFiles).remove(0);
    let at = proof.at.map(|at| format!("{}:{}", at.file.0, at.line));
    assert_eq!(
        (proof.state.word(), proof.message.as_str(), at.as_deref()),
        ("red-for-another-reason", "attempt to subtract with overflow", Some("src/x.rs:35"))
    );
}

#[test]
fn nextest_tells_of_each_how_it_ended() {
    let text = "\
        FAIL [   0.058s] (1/2) x deep
  stdout ───

    running 1 test

    (test failed with exit code 3)

     SIGABRT [   0.004s] (2/2) x other
  stdout ───

    running 1 test

    (test aborted with signal 6: SIGABRT)

────────────
     Summary [   0.005s] 2 tests run: 0 passed, 2 failed, 6 skipped
        FAIL [   0.058s] (1/2) x deep
     SIGABRT [   0.004s] (2/2) x other
";
    let red = "red-for-another-reason the test ended its whole program";
    assert_eq!(
        told(text, &[pin("deep", "no growth"), pin("other", "no growth")]),
        [format!("{red}: test failed with exit code 3"), format!("{red}: test aborted with signal 6: SIGABRT")]
    );
}

fn told(text: &str, pins: &[StandingPin]) -> Vec<String> {
    proofs(text, pins, &NoFiles).into_iter().map(|proof| format!("{} {}", proof.state.word(), proof.message)).collect()
}

#[test]
fn a_test_alone_that_ends_its_process_is_told_by_how_it_ended() {
    let expected =
        "red-for-another-reason thread 'deep' (7) has overflowed its stack: signal: 6, SIGABRT: process abort signal";
    assert_eq!(told(OVERFLOW, &[pin("deep", "no growth")]), [expected]);
}

#[test]
fn of_several_tests_of_a_process_that_ended_none_is_told() {
    let pins = [pin("deep", "no growth"), pin("other", "no growth")];
    assert!(told(OVERFLOW, &pins).iter().all(|told| told.starts_with("missing ")));
}

#[test]
fn one_that_failed_before_another_ended_the_process_is_not_told() {
    let text = OVERFLOW.replace("thread 'deep'", "test other ... FAILED\n\nthread 'deep'");
    let pins = [pin("deep", "no growth"), pin("other", "no growth")];
    let untold = proofs(&text, &pins, &NoFiles).into_iter().map(|proof| (proof.state.word(), proof.may_tell_more));
    assert_eq!(untold.collect::<Vec<_>>(), [("missing", false), ("missing", true)]);
}

/// A test program that was ended as one of its tests hung; libtest keeps what tests say to the end.
const HANGING: &str = "\
     Running tests/b.rs (target/debug/deps/b-26dd5d2e0f6aa4f4)

running 3 tests
test passes_pin_0000001 ... ok
test share_of_sum_is_at_most_the_sum_pin_ab92abe ... FAILED
error: test failed, to rerun pass `--test b`

Caused by:
  process didn't exit successfully: `/t/debug/deps/b-26dd5d2e0f6aa4f4 --exact a` (signal: 2, SIGINT: terminal interrupt signal)
";

#[test]
fn beside_a_test_that_hung_it_is_told_that_another_failed() {
    let pins = ["stuck_is_odd_pin_840d5f9", "share_of_sum_is_at_most_the_sum_pin_ab92abe", "passes_pin_0000001"]
        .map(|test| pin(test, "no"));
    let told = proofs(HANGING, &pins, &NoFiles).into_iter().map(|proof| (proof.state.word(), proof.may_tell_more));
    assert_eq!(told.collect::<Vec<_>>(), [("missing", false), ("missing", true), ("green", false)]);
}

#[test]
fn where_a_test_of_another_program_hung_it_is_told_that_a_program_had_not_begun() {
    let tree = Files::new([
        ("Cargo.toml", "[package]\nname = \"hung\"\n"),
        ("src/lib.rs", ""),
        ("tests/b.rs", ""),
        ("tests/c.rs", ""),
    ]);
    let in_file = |test: &str, file: &str| StandingPin { file: RepoPath::new(file), ..pin(test, "no") };
    let pins = [in_file("stuck_is_odd_pin_840d5f9", "tests/b.rs"), in_file("waits_pin_0000002", "tests/c.rs")];
    let told = proofs(HANGING, &pins, &tree).into_iter().map(|proof| (proof.state.word(), proof.may_tell_more));
    assert_eq!(told.collect::<Vec<_>>(), [("missing", false), ("missing", true)]);
}

#[test]
fn a_line_tells_that_a_test_program_starts() {
    let starts = ["running 2 tests", "Starting 2 tests across 1 binary", "Starting over", "Running tests/b.rs (t)"];
    assert_eq!(starts.map(super::starts_tests), [true, true, false, false]);
}

#[test]
fn nextest_tells_the_signal_of_each() {
    let text = "        PASS [   0.013s] (1/2) x other\n     SIGSEGV [   0.013s] (2/2) x deep\n";
    let pins = [pin("deep", "no growth"), pin("other", "no growth")];
    assert_eq!(told(text, &pins), ["red-for-another-reason the test ended its whole program: SIGSEGV", "green "]);
}

#[test]
fn any_reason_will_do_where_none_is_on_record() {
    assert!(told(OVERFLOW, &[pin("deep", "")])[0].starts_with("red thread"));
}

#[test]
fn what_a_test_includes_is_part_of_it() {
    let test = "#[test]\nfn p() {\n    let x = include!(\"pins/p_pin_0123456_abcdef0.in\");\n}\n";
    let tree = Files::new([("src/x.rs", test)]);
    let is_own = |file: &str| {
        let pin = StandingPin { file: RepoPath::new("src/x.rs"), ..pin("p", "") };
        let text = format!("error[E0308]: mismatched types\n --> {file}:2:1\n\nerror: could not compile `a`\n");
        proofs(&text, &[pin], &tree)[0].own_fault
    };
    assert!(is_own("src/pins/p_pin_0123456_abcdef0.in"));
    assert!(!is_own("src/pins/q_pin_0123456_abcdef0.in"));
}

#[test]
fn a_panic_is_below_the_test_where_it_is_in_code_of_the_repository() {
    let tree = Files::new([("src/x.rs", "fn f() {\n    panic!()\n}\n\n#[test]\nfn p() {\n    f();\n}\n")]);
    let pin = StandingPin { file: RepoPath::new("src/x.rs"), ..pin("p", "") };
    let check = |file: &str, line: u32, expected: bool| {
        let at = Location { file: ForeignPath(file.to_owned()), line, column: None };
        assert_eq!(is_below(&pin, &at, &tree), expected, "{file}:{line}");
    };
    check("src/x.rs", 2, true);
    check("src/x.rs", 7, false);
    check("src/y.rs", 7, true);
    check("/rustc/0a/library/core/src/option.rs", 7, false);
    assert!(!is_below(&pin, &Location { file: ForeignPath("src/y.rs".to_owned()), line: 1, column: None }, &NoFiles));
}

/// A workspace in which tests of many binaries have one name.
fn workspace() -> Files {
    Files::new([
        ("Cargo.toml", "[package]\nname = \"the-top\"\n[[bin]]\nname = \"odd-cli\"\npath = \"cli/odd.rs\"\n"),
        ("src/lib.rs", ""),
        ("src/main.rs", ""),
        ("cli/odd.rs", ""),
        ("tests/double.rs", ""),
        ("tests/triple.rs", ""),
        ("m/Cargo.toml", "[package]\nname = \"m-m\"\n"),
        ("m/src/lib.rs", ""),
        ("m/tests/double.rs", ""),
    ])
}

fn pin_in(file: &str, test: &str) -> StandingPin {
    StandingPin { file: RepoPath::new(file), ..pin(test, "no growth") }
}

#[track_caller]
fn check_same(text: &str, expected: &[(&str, &str)]) {
    let pins: Vec<StandingPin> = expected.iter().map(|(file, _)| pin_in(file, "same")).collect();
    let told = proofs(text, &pins, &workspace());
    let told: Vec<String> = told.iter().map(|proof| format!("{} {}", proof.state.word(), proof.message)).collect();
    let expected: Vec<&str> = expected.iter().map(|(_, told)| *told).collect();
    assert_eq!(told.iter().map(|told| told.trim_end()).collect::<Vec<_>>(), expected);
}

/// What cargo and libtest print of a binary with the one test `same`, which panics with `said`, or passes.
fn by_cargo(target: &str, program: &str, rerun: &str, said: Option<&str>) -> String {
    let header = format!("     Running {target} (target/debug/deps/{program}-ada76bbf8f3c9cec)\n\nrunning 1 test\n");
    let ends = |word: &str, passed: u8, failed: u8| {
        format!("test result: {word}. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out\n\n")
    };
    match said {
        None => format!("{header}test same ... ok\n\n{}", ends("ok", 1, 0)),
        Some(said) => format!(
            "{header}test same ... FAILED\n\nfailures:\n\n---- same stdout ----\n\nthread 'same' (7) panicked at \
             tests/x.rs:9:5:\n{said}\n\n\nfailures:\n    same\n\n{}error: test failed, to rerun pass `{rerun}`\n",
            ends("FAILED", 0, 1)
        ),
    }
}

#[test]
fn tests_of_one_name_are_told_apart_by_the_binary_that_cargo_names() {
    let text = [
        by_cargo("unittests src/lib.rs", "the_top", "--lib", Some("no growth")),
        by_cargo("unittests cli/odd.rs", "odd_cli", "--bin odd-cli", None),
        by_cargo("unittests src/main.rs", "the_top", "--bin the-top", Some("other")),
        by_cargo("tests/double.rs", "double", "--test double", None),
        by_cargo("tests/triple.rs", "triple", "--test triple", Some("no growth")),
    ];
    let expected = [
        ("src/lib.rs", "red no growth"),
        ("src/main.rs", "red-for-another-reason other"),
        ("cli/odd.rs", "green"),
        ("tests/double.rs", "green"),
        ("tests/triple.rs", "red no growth"),
    ];
    check_same(&text.concat(), &expected);
    let coloured = text.concat().replace("     Running", "\u{1b}[1m\u{1b}[92m     Running\u{1b}[0m");
    check_same(&coloured, &expected);
}

#[test]
fn a_pin_that_its_own_binary_does_not_have_is_not_told_by_another() {
    let empty = by_cargo("tests/double.rs", "double", "", None)
        .replace("test same ... ok\n", "")
        .replace("running 1 test", "running 0 tests");
    let other = by_cargo("tests/triple.rs", "triple", "--test triple", None);
    let missing = "missing no test of that name was run";
    check_same(&(empty + &other), &[("tests/double.rs", missing), ("tests/triple.rs", "green")]);
}

#[test]
fn of_two_packages_the_one_that_cargo_or_the_crate_names_is_meant() {
    let library = by_cargo("unittests src/lib.rs", "m_m", "-p m-m --lib", Some("no growth"));
    let own = by_cargo("unittests src/lib.rs", "the_top", "-p the-top --lib", None);
    check_same(&[library, own].concat(), &[("src/lib.rs", "green"), ("m/src/lib.rs", "red no growth")]);
    let red = by_cargo("tests/double.rs", "double", "-p m-m --test double", Some("no growth"));
    let green = by_cargo("tests/double.rs", "double", "", None);
    check_same(&[red, green].concat(), &[("tests/double.rs", "green"), ("m/tests/double.rs", "red no growth")]);
}

#[test]
fn what_a_test_shows_of_cargo_names_no_binary() {
    let shown = "no growth\n     Running tests/triple.rs (target/debug/deps/triple-ada76bbf8f3c9cec)";
    let text = by_cargo("tests/double.rs", "double", "--test double", Some(shown));
    check_same(
        &text,
        &[
            ("tests/double.rs", "red no growth"),
            ("tests/triple.rs", "missing error: test failed, to rerun pass `--test double`"),
        ],
    );
}

#[test]
fn a_binary_that_ends_early_leaves_the_next_its_own() {
    let first = "     Running tests/double.rs (target/debug/deps/double-ada76bbf8f3c9cec)\n\nrunning 1 test\n";
    let next = by_cargo("tests/triple.rs", "triple", "--test triple", None);
    let missing = "missing no test of that name was run";
    check_same(&format!("{first}{next}"), &[("tests/double.rs", missing), ("tests/triple.rs", "green")]);
}

#[test]
fn nextest_names_the_binary_of_each() {
    let failed = |binary: &str, said: &str| {
        format!(
            "        FAIL [   0.152s] (2/2) {binary} same\n  stdout ───\n\n    running 1 test\n    test same ... FAILED\n\n  \
             stderr ───\n\n    thread 'same' (7) panicked at tests/x.rs:9:5:\n    {said}\n\n"
        )
    };
    let passed = |binary: &str| format!("        PASS [   0.014s] (1/2) {binary} same\n");
    let text = [
        failed("m-m", "other"),
        passed("the-top"),
        failed("the-top::double", "no growth"),
        passed("the-top::triple"),
        failed("the-top::bin/odd-cli", "no growth"),
        passed("the-top::bin/the-top"),
        passed("m-m::double"),
        "────────────\n     Summary [   0.153s] 7 tests run: 4 passed, 3 failed, 2 skipped\n".to_owned(),
        "        FAIL [   0.152s] (2/2) m-m same\n".to_owned(),
        "        FAIL [   0.152s] (2/2) the-top::double same\n".to_owned(),
    ];
    check_same(
        &text.concat(),
        &[
            ("src/lib.rs", "green"),
            ("src/main.rs", "green"),
            ("cli/odd.rs", "red no growth"),
            ("tests/double.rs", "red no growth"),
            ("tests/triple.rs", "green"),
            ("m/src/lib.rs", "red-for-another-reason other"),
            ("m/tests/double.rs", "green"),
        ],
    );
}

#[test]
fn of_what_was_read_that_counts_which_the_pins_own_binary_said() {
    let text = [
        by_cargo("tests/double.rs", "double", "--test double", Some("other")),
        by_cargo("tests/triple.rs", "triple", "--test triple", Some("no growth")),
    ];
    let read = |message: &str| {
        let before = text.concat().split(message).next().unwrap().matches('\n').count() as u64;
        let origin = Origin { run: "log".to_owned(), line: before };
        Failure { message: message.to_owned(), origin, ..failure("same") }
    };
    let judge = Judge { failures: vec![read("other"), read("no growth")], is_same };
    let pins = [pin_in("tests/triple.rs", "same"), pin_in("tests/double.rs", "same")];
    let pins: Vec<&StandingPin> = pins.iter().collect();
    let told = super::proofs(&RunOutput::new("log", text.concat().as_bytes()), &pins, &workspace(), &judge);
    let told: Vec<(&str, &str)> = told.iter().map(|proof| (proof.state.word(), proof.message.as_str())).collect();
    assert_eq!(told, [("red", "no growth"), ("red-for-another-reason", "other")]);
}

#[test]
fn a_file_of_two_binaries_is_told_by_the_panic_in_it() {
    let tree = Files::new([
        ("Cargo.toml", "[package]\nname = \"x\"\n"),
        ("src/lib.rs", "mod a; mod b;"),
        ("src/main.rs", "mod a; mod b;"),
    ]);
    let text = [
        by_cargo("unittests src/lib.rs", "x", "--lib", Some("elsewhere")),
        by_cargo("unittests src/main.rs", "x", "--bin x", Some("no growth")),
    ];
    let read = |message: &str, file: &str| {
        let before = text.concat().split(message).next().unwrap().matches('\n').count() as u64;
        let site = Location { file: ForeignPath(file.to_owned()), line: 1, column: None };
        let origin = Origin { run: "log".to_owned(), line: before };
        Failure { message: message.to_owned(), site: Some(site), origin, ..failure("same") }
    };
    let judge = Judge { failures: vec![read("elsewhere", "src/b.rs"), read("no growth", "src/a.rs")], is_same };
    let pin = pin_in("src/a.rs", "same");
    let told = super::proofs(&RunOutput::new("log", text.concat().as_bytes()), &[&pin], &tree, &judge);
    assert_eq!((told[0].state.word(), told[0].message.as_str()), ("red", "no growth"));
}

#[test]
fn a_test_that_gave_up_waiting_is_late_and_the_others_are_told() {
    let text = "running 2 tests\ntest slow ... FAILED\ntest other ... FAILED\n\nfailures:\n\n---- slow stdout ----\n\n\
        thread 'slow' (7) panicked at src/x.rs:35:9:\nit did not end within 10 s\n\n---- other stdout ----\n\n\
        thread 'other' (8) panicked at src/x.rs:45:9:\nTick(7)\n\n\nfailures:\n    other\n    slow\n\n\
        test result: FAILED. 0 passed; 2 failed; 0 ignored\n";
    let pins = [pin("slow", "no growth"), pin("other", "no growth")];
    assert_eq!(told(text, &pins), ["timed-out it did not end within 10 s", "red-for-another-reason Tick(7)"]);
    assert_eq!(told(text, &[pin("slow", "it did not end within 10 s")]), ["red it did not end within 10 s"]);
}
