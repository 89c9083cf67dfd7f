//! How pins came out in the output of the command that ran them: what libtest or nextest says of each test, what those
//! that failed said, and, where the build failed, whose fault that is.

use std::ops::RangeInclusive;

use super::fixture;
use crate::carrier::compiler::{self, Fault};
use crate::carrier::panic;
use crate::carrier::result::{self, Outcome};
use crate::failure::{Failure, Location, TestName};
use crate::language::rust::code::function_span;
use crate::locate;
use crate::proof::{PinState, Proof, StandingPin};
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

/// What a framework knows of the failures of its pins.
pub(crate) struct Judge {
    /// Those that it read in the output of the command that ran them.
    pub(crate) failures: Vec<Failure>,
    /// Whether a pin that says the second fails for the recorded reason, the first.
    pub(crate) is_same: fn(&str, &str) -> bool,
}

/// How `pins` came out in `run`, one each, in their order.
pub(crate) fn proofs(run: &RunOutput<'_>, pins: &[&StandingPin], tree: &dyn SourceTree, judge: &Judge) -> Vec<Proof> {
    let text = String::from_utf8_lossy(run.bytes);
    let results = result::results(&text);
    let faults = compiler::faults(&text);
    let built = !results.is_empty() || faults.is_empty();
    pins.iter()
        .map(|pin| match results.get(pin.runs()) {
            Some(Outcome::Failed) => judge.failed(pin, &text, pins.len()),
            Some(Outcome::Passed) => Proof::plain(PinState::Green),
            Some(Outcome::TimedOut) => Proof::plain(PinState::TimedOut),
            Some(Outcome::Ignored) => {
                Proof { message: "it is ignored in ordinary runs".to_owned(), ..Proof::plain(PinState::Missing) }
            }
            None if built && pins.len() == 1 && is_cut_off(&text) => judge.cut_off(pin, &text),
            None if built => untold(&text),
            None => not_built(pin, &faults, tree),
        })
        .collect()
}

impl Judge {
    /// A test that failed: for the recorded reason or another. One of several may have failed while another ended the process
    /// of them all, which then says nothing of either.
    fn failed(&self, pin: &StandingPin, text: &str, pins: usize) -> Proof {
        let Some(failure) = self.failures.iter().find(|failure| failure.test == *pin.runs()) else {
            return if pins > 1 && is_cut_off(text) { untold(text) } else { self.ended(pin, text) };
        };
        let state = self.state(pin, &failure.message);
        let at = failure.site.clone().or_else(|| failure.location.clone());
        Proof { state, message: failure.message.clone(), at, own_fault: false }
    }

    /// The one test of a program that ended before it had told how that came out. To end well is no failure: whoever runs
    /// the tests sees none.
    fn cut_off(&self, pin: &StandingPin, text: &str) -> Proof {
        if status(text).is_some() {
            return self.ended(pin, text);
        }
        let message = format!("{ENDED}, which did not count as a failure: exit status: 0");
        Proof { message, ..Proof::plain(PinState::Missing) }
    }

    /// A test that failed and of which no failure is known: it says why itself, or took its whole process with it, as one
    /// does that overflows its stack.
    fn ended(&self, pin: &StandingPin, text: &str) -> Proof {
        let told = section(pin, text).unwrap_or(text);
        let overflow = told.lines().find(|line| line.contains(" has overflowed its stack")).map(str::trim);
        let (message, at) = match (overflow, status(told)) {
            (Some(overflow), Some(status)) => (format!("{overflow}: {status}"), None),
            (Some(overflow), None) => (overflow.to_owned(), None),
            (None, Some(status)) => (format!("{ENDED}: {status}"), None),
            // Of several panics the last, as it need not have caught that.
            (None, None) => panic::last_of(&pin.runs().0, told).unwrap_or_else(|| (SILENT.to_owned(), None)),
        };
        Proof { state: self.state(pin, &message), message, at, ..Proof::plain(PinState::RedForAnotherReason) }
    }

    /// Red for the recorded reason or another. Where nothing is on record, any reason is the one.
    fn state(&self, pin: &StandingPin, message: &str) -> PinState {
        match pin.message.is_empty() || (self.is_same)(&pin.message, message) {
            true => PinState::Red,
            false => PinState::RedForAnotherReason,
        }
    }
}

/// What a test did whose program ended before it did.
const ENDED: &str = "the test ended its whole program";

/// What is said of a test of which nothing more is known.
const SILENT: &str = "it fails, and does not say why";

/// Whether a test program ended before it had told of all its tests.
fn is_cut_off(text: &str) -> bool {
    let mut is_open = false;
    for line in text.lines() {
        if is_start(line) {
            if is_open {
                return true;
            }
            is_open = true;
        } else if line.starts_with("test result: ") {
            is_open = false;
        }
    }
    is_open
}

/// `running 3 tests`.
fn is_start(line: &str) -> bool {
    let number = line.strip_prefix("running ").and_then(|rest| rest.split_once(" test"));
    number.is_some_and(|(number, rest)| number.parse::<usize>().is_ok() && matches!(rest, "" | "s"))
}

/// What nextest tells of a pin's test alone: from the line that says how it came out to the next of that kind.
fn section<'t>(pin: &StandingPin, text: &'t str) -> Option<&'t str> {
    let mut lines = text.split_inclusive('\n').scan(0, |end, line| {
        *end += line.len();
        Some((*end - line.len(), line.trim_end()))
    });
    let (start, _) = lines.find(|(_, line)| result::nextest(line).is_some_and(|(name, _)| name == pin.runs().0))?;
    let end = lines.find(|(_, line)| result::nextest(line).is_some() || line.starts_with('─'));
    Some(&text[start..end.map_or(text.len(), |(end, _)| end)])
}

/// How a test process ended, as cargo or nextest tells it: `signal: 6, SIGABRT: process abort signal`, `exit status: 3`.
fn status(text: &str) -> Option<&str> {
    let inside = |line: &'_ str, mark: &str| {
        let at = line.rfind(mark)? + 1;
        let told = line[at..].trim_end();
        Some(at..at + told.strip_suffix(')').unwrap_or(told).len())
    };
    text.lines().rev().find_map(|line| {
        let marks = ["(signal: ", "(exit status: ", "(test failed with exit code ", "(test aborted with signal "];
        let told = marks.iter().find_map(|mark| inside(line, mark)).map(|told| &line[told]);
        let by_nextest = || line.trim_start().split_once(" [").filter(|(word, _)| word.starts_with("SIG"));
        // With this one a test program says that tests failed.
        told.filter(|told| !told.ends_with(" 101")).or_else(|| by_nextest().map(|(word, _)| word))
    })
}

/// A test of which the output does not tell how it came out.
fn untold(text: &str) -> Proof {
    Proof { message: missing(text), ..Proof::plain(PinState::Missing) }
}

/// What the output says where a test was not run.
fn missing(text: &str) -> String {
    let told = text.lines().rev().find(|line| line.starts_with("error: ") || line.contains("(signal: "));
    told.map_or("no test of that name was run".to_owned(), |line| line.trim().to_owned())
}

/// A pin in a build that failed: its own fault where the compiler complains inside it.
fn not_built(pin: &StandingPin, faults: &[Fault], tree: &dyn SourceTree) -> Proof {
    let own = pin.test.as_ref().and_then(|test| standing(pin, test, tree));
    let is_inside = |at: &Location| own.as_ref().is_some_and(|own| own.holds(at));
    let is_own = |fault: &&Fault| fault.at.iter().chain(&fault.shows).any(is_inside);
    let own_fault = faults.iter().find(is_own);
    let placed = faults.iter().find(|fault| fault.at.is_some());
    let told = own_fault.or(placed).or(faults.first());
    Proof {
        state: PinState::DoesNotBuild,
        message: told.map_or(String::new(), |fault| fault.message.clone()),
        at: told.and_then(|fault| fault.at.clone()),
        own_fault: own_fault.is_some(),
    }
}

/// Whether `at` is a line of the repository outside the test that shows whether the pin is red.
pub(crate) fn is_below(pin: &StandingPin, at: &Location, tree: &dyn SourceTree) -> bool {
    let Some(own) = standing(pin, pin.runs(), tree) else { return false };
    !own.holds(at) && !at.file.0.starts_with('/') && !locate::in_dependency(&at.file)
}

/// A test as it stands.
struct Standing {
    file: String,
    /// Its lines, from 1.
    lines: RangeInclusive<u32>,
    /// The files that it includes, as the end of their paths.
    includes: Vec<String>,
}

impl Standing {
    /// Whether the compiler or a panic means it by `at`.
    fn holds(&self, at: &Location) -> bool {
        let file = at.file.0.as_str();
        let is_own = self.file.ends_with(file) && self.lines.contains(&at.line);
        is_own || self.includes.iter().any(|name| file.ends_with(name.as_str()))
    }
}

fn standing(pin: &StandingPin, test: &TestName, tree: &dyn SourceTree) -> Option<Standing> {
    let (file, name) = (pin.file.as_ref()?, test.function());
    let bytes = tree.read(file)?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let line = |at: usize| text[..at].matches('\n').count() as u32 + 1;
    let span = function_span(text, name)?;
    Some(Standing {
        file: file.as_str().to_owned(),
        lines: line(span.start)..=line(span.end),
        includes: fixture::included(&text[span.range()]).map(str::to_owned).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Judge, is_below};
    use crate::failure::{ForeignPath, Location, TestName};
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
        proofs(text, pins, &NoFiles)
            .into_iter()
            .map(|proof| format!("{} {}", proof.state.word(), proof.message))
            .collect()
    }

    #[test]
    fn a_test_alone_that_ends_its_process_is_told_by_how_it_ended() {
        let expected = "red-for-another-reason thread 'deep' (7) has overflowed its stack: signal: 6, SIGABRT: process abort signal";
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
        assert!(told(&text, &pins).iter().all(|told| told.starts_with("missing ")));
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
        assert!(!is_below(
            &pin,
            &Location { file: ForeignPath("src/y.rs".to_owned()), line: 1, column: None },
            &NoFiles
        ));
    }
}
