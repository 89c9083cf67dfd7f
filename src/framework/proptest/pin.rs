//! The pin of a failure: a plain test that holds the counterexample as an expression, and the line of the regression file.
//! Where the value cannot be written down, the line alone, with the reason; where there is no line either, a refusal.

use super::arguments::{arguments, values};
use super::by_hand;
use super::fixture::shelved;
use super::found::{Found, find};
use super::names::Names;
use super::plain_test::{Recipe, Run, is_ignore, plain_test};
use super::regression::{self, SeedSource};
use super::setup::only_looks_at_result;
use crate::failure::{Caveat, Counterexample, Ending, Failure, Replay, TestName};
use crate::framework::Candidate;
use crate::framework::pin_name::{pin_name, value_name};
use crate::framework::rust::file;
use crate::framework::rust::written::Remark;
use crate::language::rust::literal::Bound;
use crate::language::rust::property::{Form, PropertyFn};
use crate::pin::{NO_LINE, Part, PartKind, Pin, Refusal, Rung};
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
    let binding = shelved(ground, binding);
    let mut print = printing(ground, &binding.arguments, Run::Print(number))?;
    print.parts.extend(binding.parts.iter().cloned());
    let pin = with_arguments(ground, Ok(binding)).map_err(|refusal| refusal.0)?;
    if pin.test.is_none() {
        return Err(pin.reason.unwrap_or_default());
    }
    Ok(Candidate { pin, value: Some(print), recorded, doubtful: false })
}

/// The test that prints what `arguments` bind.
///
/// # Errors
/// Why there can be none.
fn printing(ground: &Ground<'_>, arguments: &[Bound], run: Run) -> Result<Pin, String> {
    let part = test(ground, arguments, run)?;
    let name = test_name(ground.failure, run);
    let mut pin = assembled(ground.failure, Rung::Literal, vec![part], None, Vec::new());
    pin.test = Some(ground.failure.test.beside(&name));
    Ok(pin)
}

/// The test that prints what `bound` gives, if it ever does; its name is of its own for each `number`.
///
/// # Errors
/// Why there can be none.
pub(super) fn attempt(ground: &Ground<'_>, bound: Bound, number: usize) -> Result<Pin, String> {
    printing(ground, &[bound], Run::Attempt(number))
}

/// The name of the test function that does this with the input of `failure`.
fn test_name(failure: &Failure, run: Run) -> String {
    let pinned = pin_name(&failure.test, &failure.counterexample);
    match run {
        Run::Print(number) | Run::Attempt(number) => value_name(&pinned, number),
        Run::Body => pinned,
    }
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
    let tests = binding.map(|binding| shelved(ground, binding)).and_then(|binding| {
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
            warnings.push(format!("{NO_LINE}{no_line}"));
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
        instead: None,
    }
}

/// The pin of a property that is named in a file but cannot be found as such: the line alone, else the `reason`.
fn line_alone(failure: &Failure, tree: &dyn SourceTree, reason: Refusal) -> Result<Pin, Refusal> {
    let Ok((file, text)) = file::file(failure, tree) else { return Err(reason) };
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
    let name = test_name(failure, run);
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
    failure.test.beside(&pin_name(&failure.test, &failure.counterexample))
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
mod tests;
