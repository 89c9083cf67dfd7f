//! How pins came out in the output of the command that ran them: what pytest's summary says of each test, and what those
//! that failed said.

use super::Hypothesis;
use super::ground::without_addresses;
use super::load;
use super::read::names::{Test, is_same as is_same_file, node};
use super::standing::{Standing, standing};
use crate::failure::{Failure, ForeignPath, Location};
use crate::framework::Reports;
use crate::proof::{PinState, Proof, StandingPin};
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

/// How `pins` came out in `run`, one each, in their order.
pub(super) fn proofs(run: &RunOutput<'_>, pins: &[&StandingPin], tree: &dyn SourceTree) -> Vec<Proof> {
    let text = String::from_utf8_lossy(run.bytes);
    let told = results(&text);
    let failures = Hypothesis.read(run).failures;
    if let Some(stray) = text.lines().find_map(|line| line.strip_prefix(STRAY)) {
        let message = format!(
            "the tests took {stray} from the checkout and not from the copy that was run: install the project so that its \
             folder leads to its code, or name another Python (`programs` in the settings)"
        );
        return pins
            .iter()
            .map(|_| Proof { message: message.clone(), ..Proof::plain(PinState::DoesNotBuild) })
            .collect();
    }
    let one = |pin: &&StandingPin| match standing(pin, tree) {
        Standing::Gone => gone(pin),
        Standing::At(..) | Standing::Untold => proof(pin, &text, &told, &failures),
    };
    let mut proofs: Vec<Proof> = pins.iter().map(one).collect();
    for (pin, proof) in pins.iter().zip(&mut proofs).filter(|(_, proof)| proof.state == PinState::DoesNotBuild) {
        let Some(line) = pin.file.as_ref().and_then(|file| load::failed_at(&text, file)) else { continue };
        proof.own_fault = load::is_of(pin, line, tree);
        proof.at.iter_mut().for_each(|at| at.line = line);
    }
    proofs
}

/// How the line begins that tells of code that is not the copy's own.
const STRAY: &str = "redpin: of the checkout: ";

/// A pin whose example was taken away or changed.
fn gone(pin: &StandingPin) -> Proof {
    let message = format!("its example stands no more on {}", pin.property.function());
    Proof { message, ..Proof::plain(PinState::Missing) }
}

/// What the summary says of a test or a file: its word, the test, and what is said besides.
struct Told<'t> {
    word: &'t str,
    test: Test,
    said: &'t str,
}

/// The words of the summary.
const WORDS: [&str; 6] = ["PASSED", "FAILED", "ERROR", "SKIPPED", "XFAIL", "XPASS"];

/// What stands over the summary.
const SUMMARY: &str = "= short test summary info =";

/// What the summary says. What stands before it may be the words of the tests themselves.
fn results(text: &str) -> Vec<Told<'_>> {
    let summary = &text[text.rfind(SUMMARY).unwrap_or(0)..];
    let lines = summary.lines().filter_map(|line| {
        let (word, rest) = line.split_once(' ').filter(|(word, _)| WORDS.contains(word))?;
        let name = node(rest);
        let said = rest[name.len()..].trim_start_matches([' ', '-']);
        Some(Told { word, test: Test::of_node(name), said })
    });
    lines.collect()
}

fn proof(pin: &StandingPin, text: &str, told: &[Told<'_>], failures: &[Failure]) -> Proof {
    let own = Test::of_node(&pin.runs().0);
    let own = if own.file.as_deref().is_some_and(|file| file.ends_with(".py")) {
        own
    } else {
        Test::of_node(&format!("::{}", pin.runs().0))
    };
    let is_own_file = |test: &Test| match (&test.file, &pin.file) {
        (Some(file), Some(own)) => is_same_file(Some(file), Some(own.as_str())),
        _ => false,
    };
    let result = told.iter().find(|one| one.test.parts == own.parts && is_own_file(&one.test));
    let broken = told.iter().find(|one| one.word == "ERROR" && one.test.parts.is_empty() && is_own_file(&one.test));
    match (result, broken) {
        (Some(one), _) if one.word == "PASSED" => Proof::plain(PinState::Green),
        (Some(one), _) if matches!(one.word, "FAILED" | "ERROR") => failed(pin, one, failures),
        (Some(one), _) => Proof { message: format!("{}: {}", one.word, one.said), ..Proof::plain(PinState::Missing) },
        (None, Some(broken)) => {
            let file = pin.file.as_ref().map(|file| ForeignPath(file.as_str().to_owned()));
            let at = file.map(|file| Location { file, line: 1, column: None });
            Proof { message: broken.said.to_owned(), at, ..Proof::plain(PinState::DoesNotBuild) }
        }
        (None, None) if has_run(text) => {
            Proof { message: "no test of that name was run".to_owned(), ..Proof::plain(PinState::Missing) }
        }
        (None, None) => Proof { message: complaint(text), ..Proof::plain(PinState::DoesNotBuild) },
    }
}

/// Whether pytest came to run at all.
fn has_run(text: &str) -> bool {
    text.contains(" test session starts ") || text.contains("no tests ran") || text.contains("ERROR: not found: ")
}

/// What a Python says that does not have the library, or the runner, and what can be done.
const ABSENT: [&str; 3] = ["No module named 'hypothesis'", "No module named 'pytest'", "No module named pytest"];
const ANOTHER: &str = "; install it there, or name the Python that has it in .redpin/config.toml: `[verify]`, `programs = { python = \"…\" }`";

/// What can be done about `said`, where a package is missing.
pub(super) fn hint(said: &str) -> &'static str {
    if ABSENT.iter().any(|absent| said.trim_end().ends_with(absent)) { ANOTHER } else { "" }
}

/// The line that says what is wrong: the first that is called an error, else the last in which something is said.
fn complaint(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let called = |mark: &str| lines.clone().find(|line| line.contains(mark));
    let said = called(": error: ").or_else(|| called("ERROR: ")).or_else(|| lines.next_back());
    format!("{}{}", said.unwrap_or("nothing was said"), said.map_or("", hint))
}

/// A test that failed: for the recorded reason, where one of its errors is that.
fn failed(pin: &StandingPin, told: &Told<'_>, failures: &[Failure]) -> Proof {
    let is_own = |failure: &&Failure| Test::of_node(&failure.test.0).parts == told.test.parts;
    let own: Vec<&Failure> = failures.iter().filter(is_own).collect();
    let is_recorded = |message: &str| pin.message.is_empty() || is_same(&pin.message, message);
    let recorded = own.iter().find(|one| is_recorded(&one.message));
    // A test of its own is none of the library's, and it may be that only the summary tells of it.
    let Some(failure) = recorded.or(own.first().filter(|_| !is_recorded(told.said))) else {
        let state = if is_recorded(told.said) { PinState::Red } else { PinState::RedForAnotherReason };
        return Proof { message: told.said.to_owned(), ..Proof::plain(state) };
    };
    let state = if recorded.is_some() { PinState::Red } else { PinState::RedForAnotherReason };
    let at = failure.site.clone().or_else(|| failure.location.clone());
    Proof { message: failure.message.clone(), at, ..Proof::plain(state) }
}

/// How bare assertions are told where nobody rewrites them.
const ASSERTION: &str = "AssertionError";

/// Whether two messages tell of one reason: their first lines are the same but for addresses, or one is the other's
/// beginning, as summaries cut it.
fn is_same(recorded: &str, message: &str) -> bool {
    let first = |text: &str| {
        let line = text.lines().next().unwrap_or_default().trim();
        let line = line.strip_prefix(ASSERTION).map_or(line, |rest| rest.trim_start_matches([':', ' ']));
        without_addresses(line)
    };
    let (recorded, message) = (first(recorded), first(message));
    let cut = |long: &str, short: &str| short.strip_suffix("...").is_some_and(|short| long.starts_with(short));
    let is_assertion = |text: &str| text.is_empty() || text.starts_with("assert ");
    recorded == message
        || cut(&recorded, &message)
        || (recorded.is_empty() || message.is_empty()) && is_assertion(&recorded) && is_assertion(&message)
}

#[cfg(test)]
mod tests {
    use super::{is_same, proofs};
    use crate::proof::testing::blank_pin;
    use crate::proof::{PinState, StandingPin};
    use crate::repo_path::RepoPath;
    use crate::run_output::RunOutput;
    use crate::source_tree::NoFiles;
    use crate::source_tree::testing::Files;

    #[track_caller]
    fn check(test: &str, message: &str, log: &str, expected: (PinState, &str)) {
        let pin = StandingPin {
            file: RepoPath::new("pay/tests/test_a.py"),
            files: RepoPath::new("pay/tests/test_a.py").into_iter().collect(),
            message: message.to_owned(),
            ..blank_pin("hypothesis", test)
        };
        let found = proofs(&RunOutput::new("log", log.as_bytes()), &[&pin], &NoFiles);
        assert_eq!((found[0].state, found[0].message.as_str()), expected, "{log}");
    }

    const LOG: &str = "===== test session starts =====\ncollected 4 items\n\n===== FAILURES =====\n_____ test_x _____\n\
        tests/test_a.py:5: in test_x\n    def test_x(x):\ntests/test_a.py:6: in test_x\n    assert x < 3\nE   assert 3 < 3\n\
        E   Failing explicit example: test_x(\nE       x=3,\nE   )\n===== short test summary info =====\n\
        PASSED tests/test_a.py::test_y[a - b]\nSKIPPED tests/test_a.py::test_z - no\nFAILED tests/test_a.py::test_x - assert 3 < 3\n\
        FAILED tests/test_a.py::test_w_pin_0a - AssertionError: (0, 2) is not c...\nERROR tests/test_a.py::test_v - fixture 'k' not found\n";

    #[test]
    fn each_pin_comes_out_as_the_summary_and_its_error_say() {
        check("tests/test_a.py::test_x", "assert 3 < 3\n + more", LOG, (PinState::Red, "assert 3 < 3"));
        check("tests/test_a.py::test_x", "ValueError: no", LOG, (PinState::RedForAnotherReason, "assert 3 < 3"));
        check("test_y[a - b]", "", LOG, (PinState::Green, ""));
        check("tests/test_a.py::test_z", "", LOG, (PinState::Missing, "SKIPPED: no"));
        let cut = "AssertionError: (0, 2) is not c...";
        check("tests/test_a.py::test_w_pin_0a", "(0, 2) is not covered", LOG, (PinState::Red, cut));
        check("tests/test_a.py::test_u", "", LOG, (PinState::Missing, "no test of that name was run"));
    }

    #[test]
    fn what_could_not_be_run_is_told_from_what_does_not_load() {
        let broken =
            "===== test session starts =====\nERROR tests/test_a.py - NameError: name 'example' is not defined\n";
        let state = PinState::DoesNotBuild;
        check("tests/test_a.py::test_x", "", broken, (state, "NameError: name 'example' is not defined"));
        let absent = "Traceback (most recent call last):\nModuleNotFoundError: No module named 'pytest'\n";
        let told = |name: &str| {
            let hint = "install it there, or name the Python that has it in .redpin/config.toml: `[verify]`, `programs = { python = \"…\" }`";
            format!("ModuleNotFoundError: No module named '{name}'; {hint}")
        };
        check("tests/test_a.py::test_x", "", absent, (state, &told("pytest")));
        let other = "ModuleNotFoundError: No module named 'hypothesis'\n";
        check("tests/test_a.py::test_x", "", other, (state, &told("hypothesis")));
        let usage = "ERROR: usage: -c [options]\n-c: error: unrecognized arguments: --sw\n  rootdir: /r\n";
        check("tests/test_a.py::test_x", "", usage, (state, "-c: error: unrecognized arguments: --sw"));
        let stray =
            "===== test session starts =====\nPASSED tests/test_a.py::test_x\n\nredpin: of the checkout: src/a.py\n";
        let said = "the tests took src/a.py from the checkout and not from the copy that was run: install the project so that its \
                    folder leads to its code, or name another Python (`programs` in the settings)";
        check("tests/test_a.py::test_x", "", stray, (state, said));
    }

    #[test]
    fn what_a_test_prints_is_not_how_it_came_out() {
        let log = "===== test session starts =====\n----- Captured stdout call -----\n\nPASSED tests/test_a.py::test_x\n\
                   ===== short test summary info =====\nFAILED tests/test_a.py::test_x - assert 3 < 3\n";
        check("tests/test_a.py::test_x", "assert 3 < 3", log, (PinState::Red, "assert 3 < 3"));
    }

    #[test]
    fn a_pin_whose_example_was_changed_is_missing() {
        let pin = StandingPin {
            file: RepoPath::new("tests/test_a.py"),
            files: vec![RepoPath::new("tests/test_a.py").unwrap()],
            counterexample: "x=1".to_owned(),
            ..blank_pin("hypothesis", "tests/test_a.py::test_x")
        };
        let state = |example: &str| {
            let text = format!(
                "from hypothesis import example, given\n@example({example})\n@given(x=y)\ndef test_x(x): pass\n"
            );
            let tree = Files::new([("tests/test_a.py", text.as_str())]);
            let log = "===== test session starts =====\nPASSED tests/test_a.py::test_x\n";
            let proof = proofs(&RunOutput::new("log", log.as_bytes()), &[&pin], &tree).remove(0);
            (proof.state, proof.message)
        };
        assert_eq!(state("1"), (PinState::Green, String::new()));
        assert_eq!(state("x=2"), (PinState::Missing, "its example stands no more on test_x".to_owned()));
    }

    #[test]
    fn a_reason_is_the_same_but_for_addresses() {
        assert!(is_same("no <A at 0x7f1>\nmore", "no <A at 0x7e2>"));
        assert!(is_same("AssertionError", "assert 7 < 7"));
        assert!(!is_same("AssertionError", "ValueError: x"));
        assert!(!is_same("assert 7 < 7", "assert 9 < 7"));
    }
}
