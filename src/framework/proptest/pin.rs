//! The pin of a failure: a plain test that holds the counterexample as an expression, and the line of the regression file.
//! Where the value cannot be written down, the line alone, with the reason; where there is no line either, a refusal.

use super::arguments::{arguments, values};
use super::by_hand;
use super::found::{self, Found, find};
use super::names::Names;
use super::pin_name::{pin_name, value_name};
use super::plain_test::{Recipe, Remark, Run, is_ignore, plain_test};
use super::regression::{self, SeedSource};
use super::setup::only_looks_at_result;
use crate::failure::{Caveat, Counterexample, Ending, Failure, Replay, TestName};
use crate::framework::Candidate;
use crate::language::rust::literal::Bound;
use crate::language::rust::property::{Form, PropertyFn};
use crate::pin::{Part, PartKind, Pin, Refusal, Rung};
use crate::requirement::RequirementId;
use crate::source_tree::SourceTree;
use crate::span::Span;
use crate::value::Value;

/// Longest test that is written; a value beyond it is read by nobody.
const LONGEST_TEST: usize = 64 * 1024;

/// The pin for `failure`, whose property cites `requirement`, dated `today`.
///
/// # Errors
/// Why there can be none, with what to do instead.
pub(super) fn pin(
    failure: &Failure,
    requirement: Option<&RequirementId>,
    tree: &dyn SourceTree,
    today: &str,
) -> Result<Pin, Refusal> {
    if failure.ending == Ending::Aborted {
        return Err(Refusal(
            "the run was given up without an input that breaks the property; run it again with other limits".to_owned(),
        ));
    }
    let found = match find(failure, tree) {
        Ok(found) => found,
        Err(reason) => return line_alone(failure, tree, reason),
    };
    if found.function.form == Form::Pin {
        return Err(Refusal("it is a pin itself: it stays as it is, and nothing is to be pinned".to_owned()));
    }
    let literal = literal(failure, &found, tree);
    with_arguments(&Ground { failure, found: &found, requirement, tree, today }, literal)
}

/// The pin that somebody finishes by hand: as planned where it has a test, else with its values left open.
pub(super) fn draft(
    failure: &Failure,
    requirement: Option<&RequirementId>,
    tree: &dyn SourceTree,
    today: &str,
) -> Result<Pin, Refusal> {
    match pin(failure, requirement, tree, today) {
        Ok(pin) if pin.test.is_some() => Ok(pin),
        _ => {
            let found = find(failure, tree)?;
            by_hand::open(&Ground { failure, found: &found, requirement, tree, today })
        }
    }
}

/// The pins of `failure` whose test holds its values as they print, likeliest first.
pub(super) fn literals(
    failure: &Failure,
    requirement: Option<&RequirementId>,
    tree: &dyn SourceTree,
    today: &str,
) -> Vec<Candidate> {
    let Ok(found) = find(failure, tree) else { return Vec::new() };
    if failure.ending == Ending::Aborted || found.function.form == Form::Pin {
        return Vec::new();
    }
    let ground = Ground { failure, found: &found, requirement, tree, today };
    let recorded = || -> Result<Vec<String>, String> {
        let (property, _) = found.to_pin();
        let values = values(property, &input(failure, property)).map_err(|refusal| refusal.0)?;
        Ok(values.iter().map(Value::compact).collect())
    };
    let of = |binding| candidate(&ground, binding, recorded()?, 0);
    literal(failure, &found, tree).and_then(of).into_iter().collect()
}

/// The pin that binds `binding`, with the test that prints what it binds, which is to be what was `recorded`; its name is
/// of its own for each `number`.
pub(super) fn candidate(
    ground: &Ground<'_>,
    binding: Binding,
    recorded: Vec<String>,
    number: usize,
) -> Result<Candidate, String> {
    let mut print = printing(ground, &binding.arguments, number)?;
    print.parts.extend(binding.parts.iter().cloned());
    let pin = with_arguments(ground, Ok(binding)).map_err(|refusal| refusal.0)?;
    if pin.test.is_none() {
        return Err(pin.reason.unwrap_or_default());
    }
    Ok(Candidate { pin, value: print, recorded, doubtful: false })
}

/// The test that prints what `arguments` bind.
///
/// # Errors
/// Why there can be none.
pub(super) fn printing(ground: &Ground<'_>, arguments: &[Bound], number: usize) -> Result<Pin, String> {
    let part = test(ground, arguments, Run::Print(number))?;
    let name = value_name(&pin_name(&ground.failure.test, &ground.failure.counterexample), number);
    let mut pin = assembled(ground.failure, Rung::Literal, vec![part], None, Vec::new());
    pin.test = Some(beside(ground.failure, &name));
    Ok(pin)
}

/// What a pin is made from.
pub(super) struct Ground<'a> {
    pub(super) failure: &'a Failure,
    /// Its property.
    pub(super) found: &'a Found,
    /// What the property cites.
    pub(super) requirement: Option<&'a RequirementId>,
    pub(super) tree: &'a dyn SourceTree,
    /// A date as `2026-11-30`.
    pub(super) today: &'a str,
}

/// What a pin's test binds, and on which rung that stands.
pub(super) struct Binding {
    pub(super) rung: Rung,
    pub(super) arguments: Vec<Bound>,
    /// What its expressions need besides.
    pub(super) parts: Vec<Part>,
}

/// The pin that binds `binding`; the line alone where there is none, for the reason told.
///
/// # Errors
/// Why there can be none, with what to do instead.
pub(super) fn with_arguments(ground: &Ground<'_>, binding: Result<Binding, String>) -> Result<Pin, Refusal> {
    let Ground { failure, found, tree, .. } = *ground;
    let mut warnings = caveats(failure);
    warnings.extend(remarks(found));
    let tests = binding.and_then(|binding| {
        let test = test(ground, &binding.arguments, Run::Body)?;
        Ok((binding.rung, std::iter::once(test).chain(binding.parts).collect::<Vec<_>>()))
    });
    let line = regression::part(failure, SeedSource::of(found), tree);
    let mut reason = None;
    let (rung, parts) = match (tests, line) {
        (Ok((rung, mut parts)), Ok((line, warning))) => {
            warnings.extend(warning);
            parts.push(line);
            (rung, parts)
        }
        (Ok((rung, parts)), Err(no_line)) => {
            warnings.push(format!("no seed is pinned: {no_line}"));
            (rung, parts)
        }
        (Err(no_test), Ok((line, warning))) => {
            warnings.extend(warning);
            reason = Some(no_test);
            (Rung::SeedOnly, vec![line])
        }
        (Err(no_test), Err(no_line)) => {
            return Err(Refusal(format!("{no_test}; nor is there a seed: {no_line}. Write the test by hand")));
        }
    };
    Ok(assembled(failure, rung, parts, reason, warnings))
}

fn assembled(failure: &Failure, rung: Rung, parts: Vec<Part>, reason: Option<String>, warnings: Vec<String>) -> Pin {
    let has = |kind: PartKind| parts.iter().any(|part| part.kind == kind);
    let is_test = has(PartKind::Test);
    let replay = match &failure.replay {
        Replay::NewSeed { handle, .. } if has(PartKind::ReplayLine) => Some(handle.clone()),
        _ => None,
    };
    Pin {
        property: failure.test.clone(),
        rung,
        test: is_test.then(|| full_name(failure)),
        replay,
        parts,
        reason,
        warnings,
    }
}

/// The pin of a property that is named in a file but cannot be found as such: the line alone, else the `reason`.
fn line_alone(failure: &Failure, tree: &dyn SourceTree, reason: Refusal) -> Result<Pin, Refusal> {
    let Ok((file, text)) = found::file(failure, tree) else { return Err(reason) };
    let source = SeedSource { file: &file, text: &text, item: Span::at(0) };
    let Ok((line, warning)) = regression::part(failure, source, tree) else { return Err(reason) };
    let warnings = caveats(failure).into_iter().chain(warning).collect();
    Ok(assembled(failure, Rung::SeedOnly, vec![line], Some(reason.0), warnings))
}

/// The arguments by their literals.
///
/// # Errors
/// Why one of them cannot be written.
fn literal(failure: &Failure, found: &Found, tree: &dyn SourceTree) -> Result<Binding, String> {
    if failure.caveats.contains(&Caveat::Truncated) {
        return Err("the run breaks off inside the counterexample".to_owned());
    }
    let (property, text) = found.to_pin();
    let input = input(failure, property);
    let arguments = arguments(property, &found.file, text, &input, tree).map_err(|refusal| refusal.0)?;
    Ok(Binding { rung: Rung::Literal, arguments, parts: Vec::new() })
}

/// The test part.
///
/// # Errors
/// Why the property cannot be written as a plain test.
pub(super) fn test(ground: &Ground<'_>, arguments: &[Bound], run: Run) -> Result<Part, String> {
    let Ground { failure, found, requirement, tree, today } = *ground;
    let (property, text) = found.to_pin();
    let remark = Remark { today, requirement: requirement.map(|id| id.0.as_str()), message: message(failure) };
    let names = Names { text, modules: &property.modules, package: &found.package, tree, before: "" };
    let overflows = is_of_arithmetic(&failure.message) && found.site_line(failure).is_some();
    let pinned = pin_name(&failure.test, &failure.counterexample);
    let name = match run {
        Run::Print(number) => value_name(&pinned, number),
        Run::Body => pinned,
    };
    let recipe = Recipe { name: &name, property, text, arguments, overflows, run };
    let text = plain_test(&recipe, names, &remark)?;
    if text.len() > LONGEST_TEST {
        return Err(format!("a test that holds the value would be {} bytes long", text.len()));
    }
    Ok(Part { file: found.file.clone(), kind: PartKind::Test, modules: Vec::new(), text })
}

/// Whether a panic is one that the compiler may foresee on known values.
fn is_of_arithmetic(message: &str) -> bool {
    ["attempt to ", "index out of bounds"].iter().any(|beginning| message.starts_with(beginning))
}

/// Full name of the test that pins `failure`.
fn full_name(failure: &Failure) -> TestName {
    beside(failure, &pin_name(&failure.test, &failure.counterexample))
}

/// Full name of the test `name` beside the property of `failure`.
pub(super) fn beside(failure: &Failure, name: &str) -> TestName {
    TestName(failure.test.modules().into_iter().chain([name]).collect::<Vec<_>>().join("::"))
}

/// The message without the place that proptest adds to it.
fn message(failure: &Failure) -> &str {
    let message = failure.message.as_str();
    let place = failure.site.as_ref().map(|site| format!(" at {}:{}", site.file.0, site.line));
    place.and_then(|place| message.strip_suffix(place.as_str())).unwrap_or(message)
}

/// What to know of the value.
fn caveats(failure: &Failure) -> Vec<String> {
    let caveat = |caveat: &Caveat| match caveat {
        Caveat::NotMinimal => "shrinking was cut off: a smaller input may break the property as well".to_owned(),
        Caveat::Untrusted => {
            "the runner lost step with its child process: this may not be the input that failed".to_owned()
        }
        Caveat::Truncated => "the run breaks off inside this report".to_owned(),
        Caveat::Unexplained => "why this input failed is not on record: see that the pin is red".to_owned(),
    };
    failure.caveats.iter().map(caveat).collect()
}

/// What to know of the test.
fn remarks(found: &Found) -> Vec<String> {
    let (property, text) = found.to_pin();
    let mut remarks = Vec::new();
    if property.attributes.iter().any(|attribute| is_ignore(attribute)) {
        remarks.push(format!("`{}` is ignored in ordinary runs; its pin is not", property.name));
    }
    if property.call.is_some_and(|call| !only_looks_at_result(call, text)) {
        remarks.push(format!("what `{}` does after running its property is not in the pin", property.name));
    }
    remarks
}

/// The counterexample as far as a test needs it: of a state machine's run the third value only counts steps.
fn input(failure: &Failure, property: &PropertyFn) -> Counterexample {
    let mut input = failure.counterexample.clone();
    if property.form == Form::StateMachine
        && let [run] = input.arguments.as_mut_slice()
        && let Value::Tuple(mut values) = Value::parse(&run.text)
        && values.len() == 3
    {
        values[2] = Value::Word("None".to_owned());
        run.text = Value::Tuple(values).compact();
    }
    input
}

#[cfg(test)]
mod tests {
    use super::{pin, pin_name};
    use crate::failure::{
        Argument, Caveat, Counterexample, Ending, Failure, ForeignPath, FrameworkName, Location, Origin, Replay,
        TestName,
    };
    use crate::requirement::RequirementId;
    use crate::source_tree::testing::Files;

    const RATE: &str = "\
use proptest::prelude::*;

proptest! {
    #[test]
    fn rate_1_grows(x in 0u8..9, y: u16) {
        prop_assert!(x + 1 < 3, \"{y}\");
    }

    #[test]
    #[ignore]
    fn opaque(key in keys()) {}
}

#[test]
fn afterwards() {
    proptest!(|(x in 0u8..9)| prop_assert!(x < 3));
    finish();
}

elsewhere::made!(by_macro);

macro_rules! own { ($name:ident) => { proptest! { #[test] fn $name(x in 0u8..9) { q(x) } } } }
own!(by_own_macro);

fn run_below(n: u8) { proptest!(|(x in 0..n)| prop_assert!(x < n / 2)); }
#[test]
fn by_function() { run_below(9); }

fn is_odd(n: u8) -> TestCaseResult { q(n) }
#[test]
fn by_name() { TestRunner::default().run(&(0u8..9), is_odd).unwrap(); }

#[rstest]
#[case(1)]
fn in_cases(#[case] n: u8) { proptest!(|(x in 0..n)| q(x)); }
";

    fn seed() -> Replay {
        Replay::NewSeed { handle: format!("cc {}", "0a".repeat(32)), file: None }
    }

    fn failure(test: &str, arguments: &[(&str, &str)], replay: Replay) -> Failure {
        let place = |line| Location { file: ForeignPath("src/rate.rs".to_owned()), line, column: None };
        let argument = |(name, text): &(&str, &str)| Argument { name: (*name).to_owned(), text: (*text).to_owned() };
        Failure {
            framework: FrameworkName("proptest".to_owned()),
            test: TestName(format!("rate::{test}")),
            package: None,
            binary: None,
            location: Some(place(3)),
            site: Some(place(6)),
            panicked: false,
            ending: Ending::Falsified,
            message: "no growth at src/rate.rs:6".to_owned(),
            counterexample: Counterexample { text: String::new(), arguments: arguments.iter().map(argument).collect() },
            replay,
            own_message: None,
            caveats: Vec::new(),
            origin: Origin { run: "log".to_owned(), line: 1 },
        }
    }

    /// Rung, test, reason and warnings, then each part with its file.
    fn told(failure: &Failure) -> String {
        let files =
            [("Cargo.toml", "[package]\nname = \"rates\"\n"), ("src/lib.rs", "mod rate;\n"), ("src/rate.rs", RATE)];
        let requirement = RequirementId("RATE-1".to_owned());
        let requirement = failure.test.function().starts_with("rate_1_").then_some(&requirement);
        match pin(failure, requirement, &Files::new(files), "2026-11-30") {
            Err(refusal) => format!("refused: {}", refusal.0),
            Ok(pin) => {
                let test = pin.test.map_or("no test".to_owned(), |test| test.0);
                let mut lines = vec![format!("{} {test}", pin.rung.word())];
                lines.extend(pin.reason.map(|reason| format!("reason: {reason}")));
                lines.extend(pin.warnings.iter().map(|warning| format!("warning: {warning}")));
                lines.extend(pin.parts.iter().map(|part| format!("{}:\n{}", part.file, part.text)));
                lines.join("\n")
            }
        }
    }

    #[track_caller]
    fn check(failure: &Failure, expected: &str) {
        assert_eq!(told(failure), expected);
    }

    #[test]
    fn a_pin_is_a_test_and_a_line() {
        check(
            &failure("rate_1_grows", &[("x", "2"), ("y", "7")], seed()),
            "literal rate::rate_1_grows_pin_bf9b6b2
src/rate.rs:
/// Pinned 2026-11-30: `rate_1_grows` [RATE-1] failed with \"no growth\". Never delete.
#[test]
fn rate_1_grows_pin_bf9b6b2() {
    let (x, y) = (2u8, 7u16);
    assert!(x + 1 < 3, \"{y}\");
}
proptest-regressions/rate.txt:
cc 0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a # shrinks to x = 2, y = 7",
        );
    }

    #[test]
    fn without_a_seed_it_is_the_test_alone() {
        let mut failure = failure("rate_1_grows", &[("x", "255"), ("y", "7")], Replay::Replayed);
        failure.message = "attempt to add with overflow".to_owned();
        failure.caveats = vec![Caveat::NotMinimal];
        check(
            &failure,
            "literal rate::rate_1_grows_pin_db1a152
warning: shrinking was cut off: a smaller input may break the property as well
warning: no seed is pinned: it failed by replay of a kept seed or in the first case, and the run names no seed
src/rate.rs:
/// Pinned 2026-11-30: `rate_1_grows` [RATE-1] failed with \"attempt to add with overflow\". Never
/// delete.
#[test]
#[allow(arithmetic_overflow, unconditional_panic)]
fn rate_1_grows_pin_db1a152() {
    let (x, y) = (255u8, 7u16);
    assert!(x + 1 < 3, \"{y}\");
}",
        );
    }

    #[test]
    fn what_follows_in_a_plain_test_is_told_to_be_left_out() {
        check(
            &failure("afterwards", &[("x", "3")], Replay::None),
            "literal rate::afterwards_pin_4bbc704
warning: what `afterwards` does after running its property is not in the pin
warning: no seed is pinned: the run names no seed for it
src/rate.rs:
/// Pinned 2026-11-30: `afterwards` failed with \"no growth\". Never delete.
#[test]
fn afterwards_pin_4bbc704() {
    let x = 3u8;
    assert!(x < 3)
}",
        );
    }

    #[test]
    fn what_cannot_be_written_as_a_test_is_the_line_alone_with_the_reason() {
        let line = "proptest-regressions/rate.txt:
cc 0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a # shrinks to";
        check(
            &failure("opaque", &[("key", "<hidden>")], seed()),
            &format!(
                "seed-only no test
reason: `key` has no literal: the source does not tell the type of `<hidden>`
warning: `opaque` is ignored in ordinary runs; its pin is not
{line} key = <hidden>"
            ),
        );
        check(
            &failure("by_macro", &[("x", "3")], seed()),
            &format!(
                "seed-only no test
reason: src/rate.rs has no property `by_macro` of a known form (the macro `made!` makes it, which this file does not define); pin it by hand
{line} x = 3"
            ),
        );
    }

    #[test]
    fn what_the_file_makes_or_runs_elsewhere_is_written_out() {
        let pinned = |test: &str, name: &str, body: &str| {
            let failure = failure(test, &[(name, "3")], seed());
            let own = pin_name(&failure.test, &failure.counterexample);
            let shrunk = if name.is_empty() { "3".to_owned() } else { format!("{name} = 3") };
            check(
                &failure,
                &format!(
                    "literal rate::{own}
src/rate.rs:
/// Pinned 2026-11-30: `{test}` failed with \"no growth\". Never delete.
#[test]
fn {own}() {{
{body}
}}
proptest-regressions/rate.txt:
cc {} # shrinks to {shrunk}",
                    "0a".repeat(32)
                ),
            );
        };
        pinned("by_own_macro", "x", "    let x = 3u8;\n    q(x)");
        pinned("by_function", "x", "    let n: u8 = 9;\n    let x = 3u8;\n    assert!(x < n / 2)");
        pinned("by_name", "", "    let input = 3u8;\n    is_odd(input).unwrap();");
    }

    #[test]
    fn a_case_of_a_function_with_parameters_is_that_function() {
        check(
            &failure("in_cases::case_1", &[("x", "3")], Replay::None),
            "refused: `in_cases` takes parameters (`#[case] n: u8`), and the run does not print what they were; nor is there a seed: the run names no seed for it. Write the test by hand",
        );
    }

    #[test]
    fn without_test_and_line_the_pin_is_refused() {
        check(
            &failure("opaque", &[("key", "<hidden>")], Replay::Replayed),
            "refused: `key` has no literal: the source does not tell the type of `<hidden>`; nor is there a seed: it failed by replay of a kept seed or in the first case, and the run names no seed. Write the test by hand",
        );
        check(
            &failure("by_macro", &[("x", "3")], Replay::None),
            "refused: src/rate.rs has no property `by_macro` of a known form (the macro `made!` makes it, which this file does not define); pin it by hand",
        );
        let aborted = Failure { ending: Ending::Aborted, ..failure("rate_1_grows", &[], Replay::None) };
        check(
            &aborted,
            "refused: the run was given up without an input that breaks the property; run it again with other limits",
        );
    }
}
