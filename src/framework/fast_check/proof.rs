//! How pins came out in the output of the command that ran them. A pin is an example of its property, and examples run before
//! anything is generated: the first number of the path of a failure tells whether one of them broke it. Or it is a test of
//! its own: one that replays a run fails as a property does, any other as tests do.

use super::find::find;
use super::graft;
use super::pin::{Place, place_of};
use super::{FastCheck, read, value};
use crate::failure::{Ending, Failure, ForeignPath, Location, Replay};
use crate::framework::Reports;
use crate::language::typescript::code::MemberForm;
use crate::locate;
use crate::proof::{PinState, Proof, StandingPin};
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;
use crate::value::one_line;
use crate::visible;

/// How `pins` came out in `run`, one each, in their order.
pub(super) fn proofs(run: &RunOutput<'_>, pins: &[&StandingPin], tree: &dyn SourceTree) -> Vec<Proof> {
    let failures = FastCheck.read(run).failures;
    let text = String::from_utf8_lossy(run.bytes);
    let lines: Vec<Line<'_>> = text.lines().filter_map(line).collect();
    pins.iter().map(|pin| in_repository(pin, proof(pin, &failures, &lines, &text, tree))).collect()
}

/// The proof, its place named as the repository names it, where that is in the property's own file.
fn in_repository(pin: &StandingPin, proof: Proof) -> Proof {
    let is_own = |at: &Location| pin.file.as_ref().is_some_and(|file| locate::means(&at.file, file));
    let named = |at: Location| match pin.file.as_ref().filter(|_| is_own(&at)) {
        Some(file) => Location { file: ForeignPath(file.as_str().to_owned()), ..at },
        None => at,
    };
    Proof { at: proof.at.map(named), ..proof }
}

fn proof(pin: &StandingPin, failures: &[Failure], lines: &[Line<'_>], text: &str, tree: &dyn SourceTree) -> Proof {
    if let Some(printed) = pin.test.as_ref().and_then(|test| value::printed(test, text)) {
        return Proof { message: printed, ..Proof::plain(PinState::RedForAnotherReason) };
    }
    let in_file = |failure: &&Failure| {
        let file = failure.location.as_ref().zip(pin.file.as_ref());
        failure.test == *pin.runs() && file.is_none_or(|(at, file)| locate::means(&at.file, file))
    };
    let place = place(pin, tree);
    let own: Vec<&Line<'_>> = lines.iter().filter(|line| is_of(line, pin)).collect();
    let failure = failures.iter().find(in_file);
    if place == Place::Gone && (failure.is_some() || !own.is_empty()) {
        let message = format!("its input stands among the examples of `{}` no more", pin.property);
        return Proof { message, ..Proof::plain(PinState::Missing) };
    }
    if let Some(failure) = failure {
        return if pin.test.is_some() { replayed(pin, failure) } else { failed(pin, failure, place, tree) };
    }
    match (own.iter().any(|line| !line.passed), own.is_empty()) {
        (true, _) if pin.test.is_some() => own_test(pin, text),
        (true, _) => Proof {
            message: "its test fails, and not by the property".to_owned(),
            ..Proof::plain(PinState::RedForAnotherReason)
        },
        (false, false) => Proof::plain(PinState::Green),
        (false, true) if lines.is_empty() || ABSENT.iter().any(|start| text.contains(start)) => {
            Proof { message: complaint(text), ..Proof::plain(PinState::DoesNotBuild) }
        }
        (false, true) => {
            Proof { message: "no test of that name was run".to_owned(), ..Proof::plain(PinState::Missing) }
        }
    }
}

/// Where the input of `pin` stands among the examples of its property; not told of a test of its own.
fn place(pin: &StandingPin, tree: &dyn SourceTree) -> Place {
    if pin.test.is_some() || pin.counterexample.is_empty() {
        return Place::Untold;
    }
    let failure = graft::failure(pin);
    let Ok(found) = find(&failure, tree) else { return Place::Untold };
    found.taker(&failure, tree).map_or(Place::Untold, |taker| place_of(&failure, &found, &taker))
}

/// A property that failed: by the pin's own example and for the recorded reason, or otherwise. Examples run one after the
/// other, up to the first that fails.
fn failed(pin: &StandingPin, failure: &Failure, place: Place, tree: &dyn SourceTree) -> Proof {
    let at = failure.site.clone().or_else(|| failure.location.clone());
    let proof = |state, message: String| Proof { state, message, at, own_fault: false };
    if failure.ending == Ending::Aborted {
        return proof(PinState::RedForAnotherReason, failure.message.clone());
    }
    let by_example = run_of(failure).zip(examples(failure, tree)).is_none_or(|(run, examples)| run < examples);
    if !by_example {
        let message = format!("none of its examples fails, another input does: {}", failure.message);
        return proof(PinState::RedForAnotherReason, message);
    }
    // What an example before it shrinks to has run as well.
    let is_shown = one_line(&failure.counterexample.text) == one_line(&pin.counterexample);
    if let (Place::At(own), Some(run), false) = (place, run_of(failure), is_shown) {
        if run < own {
            let message = format!("an example before it fails first, so that it did not run: {}", failure.message);
            return proof(PinState::RedForAnotherReason, message);
        }
        if run > own {
            return Proof::plain(PinState::Green);
        }
    }
    let is_same = pin.message.is_empty() || shape(&pin.message) == shape(&failure.message);
    proof(if is_same { PinState::Red } else { PinState::RedForAnotherReason }, failure.message.clone())
}

/// A test that failed from a seed: with the input on record and for the recorded reason, or otherwise.
fn replayed(pin: &StandingPin, failure: &Failure) -> Proof {
    let at = failure.site.clone().or_else(|| failure.location.clone());
    let proof = |state, message: String| Proof { state, message, at, own_fault: false };
    let input = one_line(&failure.counterexample.text);
    if !pin.counterexample.is_empty() && input != one_line(&pin.counterexample) {
        return proof(
            PinState::RedForAnotherReason,
            format!("its seed gives another input now, `{input}`: {}", failure.message),
        );
    }
    let is_same = pin.message.is_empty() || shape(&pin.message) == shape(&failure.message);
    proof(if is_same { PinState::Red } else { PinState::RedForAnotherReason }, failure.message.clone())
}

/// A test of its own that failed as tests do.
fn own_test(pin: &StandingPin, text: &str) -> Proof {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let name = pin.runs().0.as_str();
    let is_heading = |line: &String| {
        let line = line.trim();
        let title = ["FAIL ", "● ", "✖ "].iter().find_map(|start| line.strip_prefix(start))?;
        let title = read::bare_title(title.trim()).replace(" › ", read::BETWEEN);
        (ends(&title, name) || ends(name, &title)).then_some(())
    };
    let heading = lines.iter().position(|line| is_heading(line).is_some());
    let (message, at) = heading.map_or_else(Default::default, |at| read::error(&lines[at + 1..]));
    // Of a rule that is not kept the library says no more than that.
    let by_false = pin.message.starts_with("Property failed by returning false")
        && ["false", "falsy", "the rule does not hold"].iter().any(|word| message.contains(word));
    let is_same = pin.message.is_empty() || by_false || shape(&pin.message) == shape(&message);
    let state = if is_same { PinState::Red } else { PinState::RedForAnotherReason };
    Proof { state, message, at, own_fault: false }
}

/// Whether `long` is `short`, perhaps with suites or a file in front.
fn ends(long: &str, short: &str) -> bool {
    long.strip_suffix(short).is_some_and(|front| front.is_empty() || front.ends_with(read::BETWEEN))
}

/// Which of the inputs of the run failed.
fn run_of(failure: &Failure) -> Option<usize> {
    let Replay::NewSeed { handle, .. } = &failure.replay else { return None };
    let path = handle.split("path: \"").nth(1)?;
    path.split([':', '"']).next()?.parse().ok()
}

/// How many examples the property has, where its call says so itself.
fn examples(failure: &Failure, tree: &dyn SourceTree) -> Option<usize> {
    let found = find(failure, tree).ok()?;
    let taker = found.taker(failure, tree).ok()?;
    let options = *found.code.calls[taker.property.call].arguments.get(taker.property.options)?;
    let members = found.code.members(options)?;
    let own = members.iter().rfind(|member| member.name == "examples" && member.form == MemberForm::Pair)?;
    let elements = found.code.elements(own.value)?;
    let spread = elements.iter().any(|element| found.code.at(*element).starts_with("..."));
    (!spread).then_some(elements.len())
}

/// How the module loaders say that something is not installed, or not where it is imported from.
const ABSENT: [&str; 4] =
    ["Cannot find package '", "Cannot find module '", "Failed to resolve import \"", "Failed to load url "];

/// What of a message is the same whatever the input: its words, what it quotes left out.
fn shape(message: &str) -> Vec<&str> {
    let line = message.lines().next().unwrap_or_default();
    let outside = line.split(['\'', '"', '`']).step_by(2);
    let words = outside.flat_map(|text| text.split(|c: char| !c.is_alphabetic()));
    words.filter(|word| word.len() > 1).collect()
}

/// A line that says how a test came out.
struct Line<'t> {
    title: &'t str,
    passed: bool,
}

fn line(text: &str) -> Option<Line<'_>> {
    let text = text.trim();
    let mark = text.chars().next()?;
    let passed = match mark {
        '✓' | '✔' | '√' => true,
        '×' | '✕' | '✖' => false,
        _ => return None,
    };
    let title = text[mark.len_utf8()..].trim();
    let timed = title
        .rsplit_once(' ')
        .filter(|(_, time)| time.ends_with("ms") && time.starts_with(|c: char| c.is_ascii_digit()));
    Some(Line { title: read::bare_title(timed.map_or(title, |(title, _)| title)), passed })
}

fn is_of(line: &Line<'_>, pin: &StandingPin) -> bool {
    let name = pin.runs().0.as_str();
    !line.title.is_empty() && (ends(name, line.title) || ends(line.title, name))
}

/// What a command says that ran no tests at all: its first line that tells of an error.
fn complaint(text: &str) -> String {
    if let Some(absent) = text.lines().find(|line| ABSENT.iter().any(|start| line.contains(start))) {
        return visible::line(absent.trim()).chars().take(200).collect();
    }
    let is_error = |line: &&str| ["rror", "not found", "cannot", "Cannot"].iter().any(|word| line.contains(word));
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let found = lines.clone().find(is_error).or_else(|| lines.next()).unwrap_or("it says nothing");
    visible::line(found).chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::proofs;
    use crate::proof::testing::blank_pin;
    use crate::proof::{PinState, StandingPin};
    use crate::repo_path::RepoPath;
    use crate::run_output::RunOutput;
    use crate::source_tree::testing::Files;

    const SOURCE: &str = "import { test, fc } from '@fast-check/vitest';\n\
        test.prop([fc.nat()], { examples: [[1], [2]] })('t', (a) => a < 1);\ntest('u', () => {});\n";

    #[track_caller]
    fn check(text: &str, message: &str, expected: PinState) {
        check_of("", text, message, expected);
    }

    #[track_caller]
    fn check_of(input: &str, text: &str, message: &str, expected: PinState) {
        let pin = StandingPin {
            file: RepoPath::new("a.test.ts"),
            message: message.to_owned(),
            counterexample: input.to_owned(),
            ..blank_pin("fast-check", "t")
        };
        let tree = Files::new([("a.test.ts", SOURCE)]);
        let found = proofs(&RunOutput::new("run", text.as_bytes()), &[&pin], &tree);
        assert_eq!(found[0].state, expected, "{text}: {found:?}");
    }

    fn report(path: &str, message: &str) -> String {
        format!(
            " × a.test.ts > t (with seed=4) 3ms\n FAIL  a.test.ts > t (with seed=4)\nError: Property failed after 1 tests\n\
             {{ seed: 4, path: \"{path}\", endOnFailure: true }}\nCounterexample: [2]\nShrunk 0 time(s)\n\n\
             Caused by: AssertionError: {message}\n ❯ a.test.ts:2:9\n"
        )
    }

    #[test]
    fn a_pin_is_red_where_an_example_fails_as_it_did() {
        check(&report("1:0", "expected 3 to be 2"), "expected 2 to be 1", PinState::Red);
        check(&report("1:0", "expected 3 to be 2"), "no time: 1", PinState::RedForAnotherReason);
        check(&report("2:0", "expected 3 to be 2"), "expected 2 to be 1", PinState::RedForAnotherReason);
    }

    #[test]
    fn each_example_is_told_by_its_place() {
        let passed = " ✓ a.test.ts > t (with seed=4) 3ms\n";
        check_of("[2]", &report("1:0", "expected 3 to be 2"), "expected 2 to be 1", PinState::Red);
        check_of("[2]", &report("0:0", "expected 3 to be 2"), "expected 2 to be 1", PinState::Red);
        check_of("[1]", &report("1:0", "expected 3 to be 2"), "expected 2 to be 1", PinState::Green);
        check_of("[2]", &report("0:0", "expected 3 to be 2").replace("[2]", "[1]"), "", PinState::RedForAnotherReason);
        check_of("[2]", passed, "", PinState::Green);
        check_of("[3]", passed, "", PinState::Missing);
        check_of("[3]", &report("1:0", "expected 3 to be 2"), "expected 2 to be 1", PinState::Missing);
    }

    #[test]
    fn a_pin_is_green_where_its_test_passes() {
        check(" ✓ a.test.ts > t (with seed=4) 3ms\n", "", PinState::Green);
        check("  ✓ t (with seed=4) (3 ms)\n", "", PinState::Green);
        check("✔ t (3.5ms)\n", "", PinState::Green);
        check(" ✓ a.test.ts > u 3ms\n", "", PinState::Missing);
        check(" × a.test.ts > t 3ms\n", "", PinState::RedForAnotherReason);
    }

    #[test]
    fn where_nothing_runs_nothing_is_said_of_the_pin() {
        check("npm error could not determine executable to run\n", "", PinState::DoesNotBuild);
        check("", "", PinState::DoesNotBuild);
        let absent = "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'fast-check' imported from /a.test.mjs\n";
        check(&format!("{absent}✖ /a.test.mjs (257.9ms)\n"), "", PinState::DoesNotBuild);
    }
}
