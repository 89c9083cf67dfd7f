//! How pins came out in the output of the command that ran them. A pin is an example of its property, and examples run before
//! anything is generated: each is run alone, and how it came out is handed over. Where nothing is, the first number of the path
//! of a failure tells whether one of them broke it. Or it is a test of its own: one that replays a run fails as a property
//! does, any other as tests do.

mod handed;
mod listing;

use super::asked::{is_example, place};
use super::calls::asserts;
use super::find::find;
use super::graft;
use super::pin::Place;
use super::{FastCheck, read, twins, value};
use crate::failure::{Ending, Failure, ForeignPath, Location, Replay};
use crate::framework::Reports;
use crate::language::typescript::code::MemberForm;
use crate::locate;
use crate::proof::{PinState, Proof, StandingPin};
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;
use crate::value::one_line;
use crate::visible;

use handed::{Handed, Outcome, Told};
use listing::{Line, is_in_file, is_named, lines_of, listing};

/// How `pins` came out in `run`, one each, in their order.
pub(super) fn proofs(run: &RunOutput<'_>, pins: &[&StandingPin], tree: &dyn SourceTree) -> Vec<Proof> {
    let (handed, text) = handed::read(run);
    let mut failures = FastCheck.read(&run.with(text.as_bytes())).failures;
    // Which of them could not be told apart is said of the pins.
    drop(twins::tell_apart(&mut failures, tree));
    let seen = Seen { handed, lines: listing(&text), failures, text, tree };
    pins.iter().enumerate().map(|(at, pin)| in_repository(pin, seen.proof(pin, at))).collect()
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

/// What is said of an example that the property does not ask about any more.
const UNMET: &str = "the assumption is no longer met: the property leaves this input out (`fc.pre`)";

/// Whether `message` says so.
pub(super) fn is_unmet_assumption(message: &str) -> bool {
    message == UNMET
}

/// All that is seen of a run of pins.
struct Seen<'t> {
    /// What was handed over.
    handed: Handed,
    /// How tests came out.
    lines: Vec<Line>,
    /// What the library says of those that failed.
    failures: Vec<Failure>,
    /// The output.
    text: String,
    tree: &'t dyn SourceTree,
}

impl Seen<'_> {
    /// How `pin` came out, the one at `at` of those that the command ran.
    fn proof(&self, pin: &StandingPin, at: usize) -> Proof {
        if let Some(printed) = pin.test.as_ref().and_then(|test| value::printed(test, &self.text)) {
            return Proof { message: printed, ..Proof::plain(PinState::RedForAnotherReason) };
        }
        let told = self.handed.of.get(&at).map(Vec::as_slice).unwrap_or_default();
        if is_example(pin) && !told.is_empty() {
            return alone(pin, told, self.nth(pin));
        }
        let place = place(pin, self.tree);
        let own = match self.lines_of(pin) {
            Ok(own) => own,
            Err(proof) => return proof,
        };
        let failure = self.failure(pin);
        if place == Place::Gone && (failure.is_some() || !own.is_empty()) {
            return missing(format!("its input stands among the examples of `{}` no more", pin.property));
        }
        if let Some(failure) = failure {
            return if pin.test.is_some() { replayed(pin, failure) } else { failed(pin, failure, place, self.tree) };
        }
        let has_not_run = is_example(pin) && self.handed.is_asked;
        match (own.iter().any(|line| !line.passed), own.is_empty()) {
            (true, _) if pin.test.is_some() => own_test(pin, &self.text),
            (true, _) => {
                let Proof { message, at, .. } = own_test(pin, &self.text);
                let said = "its test fails, and not by the property";
                let message = if message.is_empty() { said.to_owned() } else { format!("{said}: {message}") };
                Proof { message, at, ..Proof::plain(PinState::RedForAnotherReason) }
            }
            (false, false) if has_not_run => {
                missing("its test passes without having asked fast-check about the property".to_owned())
            }
            (false, false) => other_input(pin, told).unwrap_or(Proof::plain(PinState::Green)),
            (false, true) if self.lines.is_empty() || ABSENT.iter().any(|start| self.text.contains(start)) => {
                Proof { message: complaint(&self.text), ..Proof::plain(PinState::DoesNotBuild) }
            }
            (false, true) => missing("no test of that name was run".to_owned()),
        }
    }

    /// The lines that say how the test of `pin` came out; of several tests that the runner calls the same the one in its
    /// place.
    fn lines_of(&self, pin: &StandingPin) -> Result<Vec<&Line>, Proof> {
        let name = pin.runs();
        let found =
            find(&graft::failure(pin), self.tree).ok().filter(|found| pin.test.is_none() && found.has_namesakes(name));
        let Some(found) = found else { return Ok(lines_of(&self.lines, pin, &name.0)) };
        let (all, place) = (found.namesakes(name), twins::parted(&name.0).map(|(_, place)| place));
        let lines = lines_of(&self.lines, pin, found.called(name));
        match place.and_then(|place| lines.get(place)).filter(|_| lines.len() == all) {
            Some(line) => Ok(vec![*line]),
            None if lines.is_empty() => Ok(lines),
            None => Err(unsure(pin)),
        }
    }

    /// What the library says of the test of `pin`.
    fn failure(&self, pin: &StandingPin) -> Option<&Failure> {
        let name = pin.runs().0.as_str();
        let is_file = |failure: &&Failure| is_in_file(failure.location.as_ref().map(|at| at.file.0.as_str()), pin);
        let mut own = self.failures.iter().filter(is_file);
        own.clone()
            .find(|failure| failure.test.0 == name)
            .or_else(|| own.find(|failure| is_named(&failure.test.0, name)))
    }

    /// Which of the properties that its test runs is that of `pin`, where there are several.
    fn nth(&self, pin: &StandingPin) -> Option<usize> {
        let failure = graft::failure(pin);
        let found = find(&failure, self.tree).ok()?;
        let call = found.taker(&failure, self.tree).ok()?.property.call;
        let all = asserts(&found.code, &found.all, &found.test);
        all.iter().position(|one| one.call == call).filter(|_| all.len() > 1)
    }
}

/// Of a pin in a test that its runner calls as it does another, and does not tell from it.
fn unsure(pin: &StandingPin) -> Proof {
    missing(format!(
        "other tests of its file have the title of `{}`, and the run does not say which of them ran; give each a title of its own",
        pin.property
    ))
}

fn missing(message: String) -> Proof {
    Proof { message, ..Proof::plain(PinState::Missing) }
}

/// How an example came out that was run alone: of several runs the `nth` where that is known, else what is gravest.
fn alone(pin: &StandingPin, told: &[Told], nth: Option<usize>) -> Proof {
    let gravest = || told.iter().max_by_key(|one| one.outcome);
    if told.iter().filter(|one| one.unsure && one.outcome != Outcome::Absent).count() > 1 {
        return unsure(pin);
    }
    let is_it = |one: &&Told| Some(one.nth) == nth && one.outcome != Outcome::Absent;
    let Some(told) = told.iter().find(is_it).or_else(gravest) else { return Proof::plain(PinState::Missing) };
    let other = |message: &str| Proof { message: message.to_owned(), ..Proof::plain(PinState::RedForAnotherReason) };
    match (told.outcome, &told.failure) {
        (Outcome::Absent, _) => missing(format!("its input is none of the examples that `{}` is given", pin.property)),
        (Outcome::Passed, _) => Proof::plain(PinState::Green),
        (Outcome::Skipped, _) => other(UNMET),
        (Outcome::Stopped, _) => other("its run was ended by a time limit among the options of its property"),
        (Outcome::Failed, Some(failure)) => by_reason(pin, failure),
        (Outcome::Failed, None) => other("what it says cannot be read"),
    }
}

/// What is to be said of a test that passes and runs no input, or begins with another than the one on record.
fn other_input(pin: &StandingPin, told: &[Told]) -> Option<Proof> {
    let told = told.first()?;
    if told.outcome == Outcome::Skipped {
        return Some(missing("its seed and path lead to no input any more: it does not reproduce".to_owned()));
    }
    let (before, after) = told.first.as_ref()?;
    // What changes as it is run cannot be compared.
    let is_other =
        before == after && !pin.counterexample.is_empty() && one_line(after) != one_line(&pin.counterexample);
    let shown: String = visible::line(&one_line(after)).chars().take(200).collect();
    let message =
        format!("its seed and path make another input now, `{shown}`, and that passes: it does not reproduce");
    is_other.then(|| missing(message))
}

/// A property that failed, red where it did so for the recorded reason.
fn by_reason(pin: &StandingPin, failure: &Failure) -> Proof {
    let at = failure.site.clone().or_else(|| failure.location.clone());
    let is_same = pin.message.is_empty() || shape(&pin.message) == shape(&failure.message);
    let state = if is_same { PinState::Red } else { PinState::RedForAnotherReason };
    Proof { message: failure.message.clone(), at, ..Proof::plain(state) }
}

/// A property that failed: by the pin's own example and for the recorded reason, or otherwise. Examples run one after the
/// other, up to the first that fails.
fn failed(pin: &StandingPin, failure: &Failure, place: Place, tree: &dyn SourceTree) -> Proof {
    let at = failure.site.clone().or_else(|| failure.location.clone());
    let proof = |state, message: String| Proof { message, at, ..Proof::plain(state) };
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
    if let (Place::At(own, _), Some(run), false) = (place, run_of(failure), is_shown) {
        if run < own {
            let message = format!("an example before it fails first, so that it did not run: {}", failure.message);
            return proof(PinState::RedForAnotherReason, message);
        }
        if run > own {
            return Proof::plain(PinState::Green);
        }
    }
    by_reason(pin, failure)
}

/// A test that failed from a seed: with the input on record and for the recorded reason, or otherwise.
fn replayed(pin: &StandingPin, failure: &Failure) -> Proof {
    let input = one_line(&failure.counterexample.text);
    let proof = by_reason(pin, failure);
    if !pin.counterexample.is_empty() && input != one_line(&pin.counterexample) {
        let message = format!("its seed gives another input now, `{input}`: {}", failure.message);
        return Proof { state: PinState::RedForAnotherReason, message, ..proof };
    }
    proof
}

/// A test of its own that failed as tests do.
fn own_test(pin: &StandingPin, text: &str) -> Proof {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let name = pin.runs().0.as_str();
    let is_heading = |line: &String| {
        let line = line.trim();
        let title = ["FAIL ", "● ", "✖ "].iter().find_map(|start| line.strip_prefix(start))?;
        let title = read::bare_title(title.trim()).replace(" › ", read::BETWEEN);
        let (file, title) = match title.split_once(read::BETWEEN) {
            Some((first, rest)) if read::is_file(first) => (Some(first), rest),
            _ => (None, title.as_str()),
        };
        (is_in_file(file, pin) && is_named(title, name)).then_some(())
    };
    let heading = lines.iter().position(|line| is_heading(line).is_some());
    let (message, at) = heading.map_or_else(Default::default, |at| read::error(&lines[at + 1..]));
    // Of a rule that is not kept the library says no more than that.
    let by_false = pin.message.starts_with("Property failed by returning false")
        && ["false", "falsy", "the rule does not hold"].iter().any(|word| message.contains(word));
    let is_same = pin.message.is_empty() || by_false || shape(&pin.message) == shape(&message);
    let state = if is_same { PinState::Red } else { PinState::RedForAnotherReason };
    Proof { message, at, ..Proof::plain(state) }
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

/// How npx says that the runner is not installed.
const NO_RUNNER: [&str; 2] = ["could not determine executable to run", "npx canceled due to missing packages"];

/// What can be done about either.
const INSTALL: &str = "; install the packages there first, as with `npm ci`";

/// What of a message is the same whatever the input: its words, what it quotes left out.
fn shape(message: &str) -> Vec<&str> {
    let line = message.lines().next().unwrap_or_default();
    let outside = line.split(['\'', '"', '`']).step_by(2);
    let words = outside.flat_map(|text| text.split(|c: char| !c.is_alphabetic()));
    words.filter(|word| word.len() > 1).collect()
}

/// What a command says that ran no tests at all: its first line that tells of an error.
fn complaint(text: &str) -> String {
    let told = |line: &str| visible::line(line.trim()).chars().take(200).collect::<String>();
    let is_absent = |line: &&str| {
        ABSENT.iter().any(|start| line.contains(start)) || NO_RUNNER.iter().any(|said| line.contains(said))
    };
    if let Some(absent) = text.lines().find(is_absent) {
        return told(absent) + INSTALL;
    }
    let is_error =
        |line: &&str| ["rror", "not found", "cannot", "Cannot", "No test"].iter().any(|word| line.contains(word));
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let found = lines.clone().find(is_error).or_else(|| lines.next()).unwrap_or("it says nothing");
    told(found)
}

#[cfg(test)]
mod tests {
    use super::{is_unmet_assumption, proofs};
    use crate::failure::TestName;
    use crate::proof::testing::blank_pin;
    use crate::proof::{PinState, Proof, StandingPin};
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
        let found = only(input, text, message);
        assert_eq!(found.state, expected, "{text}: {found:?}");
    }

    fn only(input: &str, text: &str, message: &str) -> Proof {
        proofs(&RunOutput::new("run", text.as_bytes()), &[&standing(input, message)], &tree()).remove(0)
    }

    fn standing(input: &str, message: &str) -> StandingPin {
        StandingPin {
            file: RepoPath::new("a.test.ts"),
            files: RepoPath::new("a.test.ts").into_iter().collect(),
            message: message.to_owned(),
            counterexample: input.to_owned(),
            ..blank_pin("fast-check", "t")
        }
    }

    fn tree() -> Files {
        Files::new([("a.test.ts", SOURCE)])
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

    /// What is handed over of a run of the pin.
    fn line(nth: usize, outcome: &str, said: &str) -> String {
        let run = match said {
            "" => "null".to_owned(),
            said => format!(
                "{{\"form\":1,\"id\":\"1.0.1\",\"file\":\"/r/a.test.ts\",\"root\":\"/r\",\"titles\":[\"t\"],\"place\":null,\
                 \"failed\":null,\"seed\":4,\"path\":\"0\",\"runs\":1,\"shrinks\":0,\"interrupted\":false,\
                 \"counterexample\":\"[2]\",\"arguments\":[\"2\"],\"error\":{{\"name\":\"Error\",\"message\":\"{said}\",\
                 \"stack\":\"Error: {said}\\n    at f (/r/src/f.ts:3:4)\"}},\"stack\":\"\"}}"
            ),
        };
        format!(
            "{{\"redpin\":\"pinned\",\"pin\":0,\"nth\":{nth},\"outcome\":\"{outcome}\",\"first\":null,\"run\":{run}}}\n"
        )
    }

    #[test]
    fn an_example_that_ran_alone_is_told_by_its_own_run() {
        let failing = report("0:0", "expected 3 to be 2").replace("[2]", "[1]");
        let heard = "{\"redpin\":\"pins-asked\"}\n";
        let with = |lines: &str| format!("{failing}{heard}{lines}");
        check_of("[2]", &with(&line(0, "passed", "")), "odd: 3", PinState::Green);
        check_of("[2]", &with(&line(0, "failed", "odd: 2")), "odd: 3", PinState::Red);
        check_of("[2]", &with(&line(0, "failed", "even: 2")), "odd: 3", PinState::RedForAnotherReason);
        check_of("[2]", &with(&line(0, "skipped", "")), "odd: 3", PinState::RedForAnotherReason);
        check_of("[2]", &with(&line(0, "absent", "")), "odd: 3", PinState::Missing);
        let twice = format!("{}{}", line(0, "passed", ""), line(1, "failed", "odd: 2"));
        check_of("[2]", &with(&twice), "odd: 3", PinState::Red);
        let found = only("[2]", &with(&line(0, "failed", "odd: 2")), "odd: 3");
        assert_eq!(found.at.map(|at| format!("{}:{}", at.file.0, at.line)), Some("src/f.ts:3".to_owned()));
        let found = only("[2]", &with(&line(0, "skipped", "")), "odd: 3");
        assert!(is_unmet_assumption(&found.message), "{}", found.message);
    }

    #[test]
    fn an_example_that_nobody_ran_is_not_green() {
        let heard = "{\"redpin\":\"pins-asked\"}\n";
        check_of("[2]", &format!(" ✓ a.test.ts > t 3ms\n{heard}"), "", PinState::Missing);
        check_of("[2]", &format!(" × a.test.ts > t 3ms\n{heard}"), "", PinState::RedForAnotherReason);
    }

    #[test]
    fn a_replay_that_passes_with_another_input_does_not_reproduce() {
        let replayed = |before: &str, after: &str| {
            let first = format!("\"first\":{{\"before\":\"{before}\",\"after\":\"{after}\"}}");
            let line = line(0, "passed", "").replace("\"first\":null", &first);
            let pin = StandingPin {
                test: Some(TestName("t (pin 1234567)".to_owned())),
                replay: Some("seed: 1, path: \"0:1\"".to_owned()),
                ..standing("[2]", "")
            };
            let text = format!(" ✓ a.test.ts > t (pin 1234567) 3ms\n{line}");
            proofs(&RunOutput::new("run", text.as_bytes()), &[&pin], &tree()).remove(0)
        };
        assert_eq!(replayed("[2]", "[2]").state, PinState::Green);
        assert_eq!(replayed("[7]", "[8]").state, PinState::Green, "what changes as it is run cannot be compared");
        let text = format!(" ✓ a.test.ts > t (pin 1234567) 3ms\n{}", line(0, "skipped", ""));
        let pin = StandingPin { test: Some(TestName("t (pin 1234567)".to_owned())), ..standing("[2]", "") };
        let found = proofs(&RunOutput::new("run", text.as_bytes()), &[&pin], &tree()).remove(0);
        assert_eq!((found.state, found.message.contains("no input")), (PinState::Missing, true), "{found:?}");
        let found = replayed("[7]", "[7]");
        assert_eq!((found.state, found.message.contains("`[7]`")), (PinState::Missing, true), "{found:?}");
    }

    #[test]
    fn of_two_files_with_one_title_each_is_told_by_its_own() {
        let text = " × b.test.ts > t 3ms\n ✓ a.test.ts > t 3ms\n FAIL  b.test.ts > t\nError: no\n ❯ b.test.ts:2:9\n";
        check(text, "", PinState::Green);
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
        let no_runner = "npm error npx canceled due to missing packages and no YES option: [\"vitest@4.1.12\"]";
        let told = only("", &format!("{no_runner}\nnpm error A complete log of this run\n"), "").message;
        assert_eq!(told, format!("{no_runner}; install the packages there first, as with `npm ci`"));
    }
}
