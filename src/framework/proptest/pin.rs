//! The pin of a failure: a plain test that holds the counterexample as an expression, and the line of the regression file.
//! Where the value cannot be written down, the line alone, with the reason; where there is no line either, a refusal.

use super::arguments::arguments;
use super::found::{self, Found, find};
use super::names::Names;
use super::pin_name::pin_name;
use super::plain_test::{Recipe, Remark, is_ignore, plain_test};
use super::regression::{self, SeedSource};
use super::setup::only_looks_at_result;
use crate::failure::{Caveat, Counterexample, Ending, Failure, Replay, TestName};
use crate::language::rust::property::Form;
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
    let mut warnings = caveats(failure);
    warnings.extend(remarks(&found));
    let remark = Remark { today, requirement: requirement.map(|id| id.0.as_str()), message: message(failure) };
    let (test, line) = (test(failure, &found, tree, &remark), regression::part(failure, SeedSource::of(&found), tree));
    let mut reason = None;
    let parts = match (test, line) {
        (Ok(test), Ok((line, warning))) => {
            warnings.extend(warning);
            vec![test, line]
        }
        (Ok(test), Err(no_line)) => {
            warnings.push(format!("no seed is pinned: {no_line}"));
            vec![test]
        }
        (Err(no_test), Ok((line, warning))) => {
            warnings.extend(warning);
            reason = Some(no_test);
            vec![line]
        }
        (Err(no_test), Err(no_line)) => {
            return Err(Refusal(format!("{no_test}; nor is there a seed: {no_line}. Write the test by hand")));
        }
    };
    Ok(assembled(failure, parts, reason, warnings))
}

fn assembled(failure: &Failure, parts: Vec<Part>, reason: Option<String>, warnings: Vec<String>) -> Pin {
    let has = |kind: PartKind| parts.iter().any(|part| part.kind == kind);
    let is_test = has(PartKind::Test);
    let replay = match &failure.replay {
        Replay::NewSeed { handle, .. } if has(PartKind::ReplayLine) => Some(handle.clone()),
        _ => None,
    };
    Pin {
        property: failure.test.clone(),
        rung: if is_test { Rung::Literal } else { Rung::SeedOnly },
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
    Ok(assembled(failure, vec![line], Some(reason.0), warnings))
}

/// The test part.
///
/// # Errors
/// Why the value or the property cannot be written as a plain test.
fn test(failure: &Failure, found: &Found, tree: &dyn SourceTree, remark: &Remark<'_>) -> Result<Part, String> {
    if failure.caveats.contains(&Caveat::Truncated) {
        return Err("the run breaks off inside the counterexample".to_owned());
    }
    let property = &found.function;
    let input = input(failure, found);
    let arguments = arguments(property, &found.file, &input, tree).map_err(|refusal| refusal.0)?;
    let names = Names::of(&found.text, &property.modules, &found.package, tree);
    let overflows = failure.panicked && found.failing_line(failure, tree).is_some();
    let name = pin_name(&failure.test, &failure.counterexample);
    let recipe = Recipe { name: &name, property, text: &found.text, arguments: &arguments, overflows };
    let text = plain_test(&recipe, names, remark)?;
    if text.len() > LONGEST_TEST {
        return Err(format!("a test that holds the value would be {} bytes long", text.len()));
    }
    Ok(Part { file: found.file.clone(), kind: PartKind::Test, text })
}

/// Full name of the test that pins `failure`.
fn full_name(failure: &Failure) -> TestName {
    let name = pin_name(&failure.test, &failure.counterexample);
    TestName(failure.test.modules().into_iter().chain([name.as_str()]).collect::<Vec<_>>().join("::"))
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
    let property = &found.function;
    let mut remarks = Vec::new();
    if property.attributes.iter().any(|attribute| is_ignore(attribute)) {
        remarks.push(format!("`{}` is ignored in ordinary runs; its pin is not", property.name));
    }
    if property.call.is_some_and(|call| !only_looks_at_result(call, &found.text)) {
        remarks.push(format!("what `{}` does after running its property is not in the pin", property.name));
    }
    remarks
}

/// The counterexample as far as a test needs it: of a state machine's run the third value only counts steps.
fn input(failure: &Failure, found: &Found) -> Counterexample {
    let mut input = failure.counterexample.clone();
    if found.function.form == Form::StateMachine
        && let [run] = input.arguments.as_mut_slice()
        && let Value::Tuple(mut values) = Value::parse(&run.text)
        && values.len() == 3
    {
        values[2] = Value::Word("None".to_owned());
        run.text = Value::Tuple(values).compact();
    }
    input
}
