//! The pin of a failure: its input, written anew as an expression, among the `examples` of the very call that ran the
//! property; where a function that several tests share runs it, a test of its own; what no expression holds, replayed from
//! the run's seed; or the reason why there can be none of these.

use super::calls::Property;
use super::find::{Found, Taker, find};
use super::place::{Around, Example, Way, planned};
use super::plain::Source;
use super::read::arguments;
use super::{own, replay, shared};
use crate::failure::{Caveat, Ending, Failure, Replay};
use crate::framework::Case;
use crate::language::typescript::code::{Code, MemberForm};
use crate::language::typescript::printed::{Pen, Printed};
use crate::pin::{Part, PartKind, Pin, Refusal, Rung};
use crate::requirement::RequirementId;
use crate::source_tree::SourceTree;
use crate::span::Span;
use crate::visible;

/// Longest expression that is written; a value beyond it is read by nobody.
const LONGEST: usize = 64 * 1024;

/// Most of a message that goes into the remark.
const LONGEST_MESSAGE: usize = 160;

/// Why a value is not made anew that is no data.
const BOUND: &str = "it comes about in a run alone";

/// How every remark of a pin begins.
pub(super) const REMARK: &str = "// Pinned ";

/// The pin for a failure.
///
/// # Errors
/// Why there can be none, with what to do instead.
pub(super) fn pin(case: &Case<'_>) -> Result<Pin, Refusal> {
    let failure = case.failure;
    if failure.ending == Ending::Aborted {
        return Err(Refusal(
            "the run ended without an input that breaks the property; run it again with other limits".to_owned(),
        ));
    }
    if failure.caveats.contains(&Caveat::Truncated) {
        return Err(Refusal("the run breaks off inside the counterexample; import one that is whole".to_owned()));
    }
    let found = find(failure, case.tree)?;
    let taker = match found.taker(failure, case.tree) {
        Ok(taker) => taker,
        Err(refusal) => return by_rule(case, &found, refusal),
    };
    fits(failure, &taker)?;
    if let Some(stands) = standing(failure, &found, &taker) {
        let expression = found.code.at(stands).to_owned();
        return with_example(case, found, &taker, expression, Rung::Constructed, Vec::new());
    }
    match expression(failure, &found, &taker, case.tree) {
        Ok(expression) => with_example(case, found, &taker, expression, Rung::Literal, Vec::new()),
        Err(why) => replayed(case, &found, &taker, &why),
    }
}

/// The examples of `property`, where its call names them.
fn examples(code: &Code, property: &Property) -> Vec<Span> {
    let options = code.calls[property.call].arguments.get(property.options);
    let members = options.and_then(|options| code.members(*options)).unwrap_or_default();
    let examples = members.iter().rfind(|member| member.name == "examples");
    examples.and_then(|member| code.elements(member.value)).unwrap_or_default()
}

/// Whether the input of `failure` is among the examples of `property`.
pub(super) fn has_example(failure: &Failure, code: &Code, property: &Property) -> bool {
    let Ok(values) = printed(failure) else { return false };
    let input = Printed::List(values.into_iter().map(Some).collect());
    let examples = examples(code, property);
    examples.into_iter().any(|span| Printed::parse(code.at(span)).is_ok_and(|example| example == input))
}

/// Where an input stands among the examples of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// So many examples stand before it, of so many.
    At(usize, usize),
    /// It is none of them.
    Gone,
    /// That is not to be told.
    Untold,
}

/// Where the input of `failure` stands among the examples that `taker`'s call is given.
pub(super) fn place_of(failure: &Failure, found: &Found, taker: &Taker) -> Place {
    let code = &found.code;
    let Some(options) = code.calls[taker.property.call].arguments.get(taker.property.options) else {
        return Place::Gone;
    };
    let Some(members) = code.members(*options) else { return Place::Untold };
    let has_spread = members.iter().any(|member| member.form == MemberForm::Spread);
    let Some(examples) = members.iter().rfind(|member| member.name == "examples") else {
        return if has_spread { Place::Untold } else { Place::Gone };
    };
    let Some(elements) = code.elements(examples.value) else { return Place::Untold };
    let marked = standing(failure, found, taker).and_then(|span| elements.iter().position(|element| *element == span));
    let input = printed(failure).ok().map(|mut values| match (taker.property.is_record, values.len()) {
        (true, 1) => values.remove(0),
        _ => Printed::List(values.into_iter().map(Some).collect()),
    });
    let values: Vec<Option<Printed>> = elements.iter().map(|element| Printed::parse(code.at(*element)).ok()).collect();
    let is_spread = |element: &Span| code.at(*element).starts_with("...");
    match marked.or_else(|| values.iter().position(|value| value.is_some() && *value == input)) {
        Some(at) if elements[..at].iter().any(is_spread) => Place::Untold,
        Some(at) => Place::At(at, elements.len()),
        // What is made by code may be the input.
        None if input.is_none() || values.iter().any(Option::is_none) => Place::Untold,
        None => Place::Gone,
    }
}

/// The example that makes the input of `failure`, where it stands already.
pub(super) fn standing(failure: &Failure, found: &Found, taker: &Taker) -> Option<Span> {
    let code = &found.code;
    let mark = own::mark(failure);
    let is_it = |comment: &String| comment.starts_with(REMARK) && comment.trim_end().ends_with(mark.trim());
    let mut elements = examples(code, &taker.property).into_iter();
    elements.find(|element| code.comments_before(*element).first().is_some_and(is_it))
}

/// The pin with `expression` among the examples of `taker`'s call.
///
/// # Errors
/// Why it has no place there.
pub(super) fn with_example(
    case: &Case<'_>,
    found: Found,
    taker: &Taker,
    expression: String,
    rung: Rung,
    imports: Vec<String>,
) -> Result<Pin, Refusal> {
    let failure = case.failure;
    if replay::has_path(&found.code, &taker.property) {
        return in_copy(case, &found, taker, &expression, rung, &imports);
    }
    let mut remark = remark(failure, case.requirement, case.today);
    if rung == Rung::Constructed {
        // Its text does not tell the input: this does, whatever becomes of the code that makes it.
        remark.push_str(&own::mark(failure));
    }
    let example = Example { remark, expression };
    let around = Around { file: &found.file, tree: case.tree, imported: Vec::new() };
    let plan = planned(&found.code, &taker.property, &example, around)?;
    let mut way = Way::to(&found, &taker.property, plan.imported);
    way.imports = imports;
    let mut warnings = plan.warnings;
    if taker.hands_on {
        warnings.push("the example is handed on through the function that runs the property".to_owned());
    }
    if own::is_of_table(&found.code, &found.test) {
        warnings.push("the property runs for every row of a table, and so does the example".to_owned());
    }
    warnings.extend(unexplained(failure));
    let text = format!("{}\n{}", example.remark, example.expression);
    let part = Part { file: found.file, kind: PartKind::Example, modules: way.words(), text };
    Ok(Pin { rung, warnings, ..empty(failure, part) })
}

/// The pin as the only example of a copy of its property's test: the property itself is bound to a path.
fn in_copy(
    case: &Case<'_>,
    found: &Found,
    taker: &Taker,
    expression: &str,
    rung: Rung,
    imports: &[String],
) -> Result<Pin, Refusal> {
    let failure = case.failure;
    let remark = remark(failure, case.requirement, case.today);
    let text = replay::with_example(failure, found, &taker.property, &remark, expression)?;
    let warning = "the options of its property replay a recorded path and run no example: the pin is a test of its own";
    let warnings = std::iter::once(warning.to_owned()).chain(unexplained(failure)).collect();
    let mut way = Way::to_test(found);
    way.imports = imports.to_vec();
    let mut pin = Pin { rung, warnings, ..test(failure, found, text) };
    pin.parts.iter_mut().for_each(|part| part.modules = way.clone().words());
    Ok(pin)
}

/// The pin as a test of its own that asks what the test's rule asks.
fn by_rule(case: &Case<'_>, found: &Found, refusal: Refusal) -> Result<Pin, Refusal> {
    let failure = case.failure;
    let rule = found.rule(failure, case.tree).ok_or(refusal)?;
    let refused = |why: String| Refusal(format!("{why}; {}", instead(failure)));
    let values = printed(failure).map_err(refused)?;
    let source = Source { code: &found.code, file: &found.file, tree: case.tree };
    if values.iter().any(Printed::may_be_of_a_class) {
        for argument in found.arguments_with(rule.rule) {
            source.plain(argument).map_err(refused)?;
        }
    }
    let pen = Pen::of(&found.code.text);
    let values: Vec<String> = values.iter().map(|value| pen.expression(value)).collect();
    let remark = remark(failure, case.requirement, case.today);
    let text = shared::text(failure, found, &rule, &values, &remark)?;
    let warning =
        format!("the property runs in `{}`, which takes no options: the pin is a test of its own", rule.function);
    let warnings = std::iter::once(warning).chain(unexplained(failure)).collect();
    Ok(Pin { rung: Rung::Literal, warnings, ..test(failure, found, text) })
}

/// The pin as a test of its own that replays the run, for the reason `why`.
fn replayed(case: &Case<'_>, found: &Found, taker: &Taker, why: &str) -> Result<Pin, Refusal> {
    let failure = case.failure;
    if taker.hands_on || matches!(failure.replay, Replay::None | Replay::Replayed) {
        return Err(Refusal(format!("{why}; {}", instead(failure))));
    }
    let remark = remark(failure, case.requirement, case.today);
    let text = replay::text(failure, found, &taker.property, &remark)
        .map_err(|refusal| Refusal(format!("{why}, and {}; {}", refusal.0, instead(failure))))?;
    let replay = match &failure.replay {
        Replay::NewSeed { handle, .. } => Some(handle.clone()),
        Replay::Replayed | Replay::None => None,
    };
    let warning = format!("it runs the property from seed and path, and {}", replay::HOLDS);
    let warnings = std::iter::once(warning).chain(unexplained(failure)).collect();
    Ok(Pin { rung: Rung::Replayed, replay, reason: Some(why.to_owned()), warnings, ..test(failure, found, text) })
}

/// A pin that is the test `text`.
fn test(failure: &Failure, found: &Found, text: String) -> Pin {
    let modules = Way::to_test(found).words();
    let part = Part { file: found.file.clone(), kind: PartKind::Test, modules, text };
    Pin { test: Some(own::name(found, failure, &own::mark(failure))), ..empty(failure, part) }
}

fn unexplained(failure: &Failure) -> Option<String> {
    let is_unexplained = failure.caveats.contains(&Caveat::Unexplained);
    is_unexplained.then(|| "why this input failed is not on record: see that the pin is red".to_owned())
}

/// Sees that the input is one of the property's.
fn fits(failure: &Failure, taker: &Taker) -> Result<(), Refusal> {
    let texts = arguments::split(&failure.counterexample.text);
    let Property { arbitraries, is_record, .. } = &taker.property;
    let expected = if *is_record { 1 } else { arbitraries.len() };
    if expected != texts.len() && !(arbitraries.is_empty() || taker.hands_on) {
        let text = format!("the property takes {expected} values, and the run shows {}", texts.len());
        return Err(Refusal(format!("{text}; check out the code that failed")));
    }
    let is_one = |text: &String| text.starts_with('{');
    if *is_record && !texts.first().is_some_and(is_one) {
        return Err(Refusal(
            "the property takes a record, and the run shows none; check out the code that failed".to_owned(),
        ));
    }
    Ok(())
}

/// The values of the input.
fn printed(failure: &Failure) -> Result<Vec<Printed>, String> {
    if failure.counterexample.text.contains("/*replayPath=") {
        return Err("a run of commands cannot stand among examples".to_owned());
    }
    arguments::split(&failure.counterexample.text).iter().map(|text| Printed::parse(text)).collect()
}

/// Sees that values which print so may be made anew by the code that made them.
///
/// # Errors
/// Why they may not: they are no data, whatever made them.
pub(super) fn made_anew(failure: &Failure, found: &Found, taker: &Taker, tree: &dyn SourceTree) -> Result<(), String> {
    let source = Source { code: &found.code, file: &found.file, tree };
    if failure.counterexample.text.contains("/*replayPath=") {
        return Err(BOUND.to_owned());
    }
    let is_special = |arbitrary: &Span| source.special(*arbitrary).is_some();
    if taker.property.arbitraries.iter().any(is_special) { Err(BOUND.to_owned()) } else { Ok(()) }
}

/// The input as the expression of one example; why there is none where it is no data, or may be none.
fn expression(failure: &Failure, found: &Found, taker: &Taker, tree: &dyn SourceTree) -> Result<String, String> {
    let source = Source { code: &found.code, file: &found.file, tree };
    let Property { arbitraries, is_record, .. } = &taker.property;
    let run = printed(failure);
    if let Some(why) = arbitraries.iter().find_map(|arbitrary| source.special(*arbitrary)) {
        return Err(run.err().filter(|why| why.contains("commands")).unwrap_or(why));
    }
    let values = run?;
    if values.iter().any(Printed::may_be_of_a_class) {
        if arbitraries.is_empty() {
            return Err("what makes its objects is not to be told from the source".to_owned());
        }
        let doubtful = |at: usize| *is_record || values.get(at).is_some_and(Printed::may_be_of_a_class);
        let mut parts = arbitraries.iter().enumerate().filter(|(at, _)| doubtful(*at));
        parts.try_for_each(|(_, span)| source.plain(*span))?;
    }
    let value = match (is_record, values.as_slice()) {
        (true, [one]) => one.clone(),
        (_, values) => Printed::List(values.iter().cloned().map(Some).collect()),
    };
    let expression = Pen::of(&found.code.text).expression(&value);
    match expression.len() > LONGEST {
        true => Err(format!("an example that holds the input would be {} bytes long", expression.len())),
        false => Ok(expression),
    }
}

/// What to do where the input cannot be written down.
fn instead(failure: &Failure) -> String {
    match &failure.replay {
        Replay::NewSeed { handle, .. } => format!(
            "`{{ {} }}` as options replays it for as long as the arbitraries stay as they are",
            visible::line(handle)
        ),
        Replay::Replayed | Replay::None => "pin it by hand".to_owned(),
    }
}

/// The comment above a pin.
fn remark(failure: &Failure, requirement: Option<&RequirementId>, today: &str) -> String {
    let line = failure.message.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let shown: String = visible::line(&line).chars().take(LONGEST_MESSAGE).collect();
    let cited = requirement.map_or(String::new(), |id| format!(" [{id}]"));
    let said = if shown.is_empty() { String::new() } else { format!(": {}", shown.trim_end()) };
    // What ends a line of the language is no line end everywhere.
    format!("{REMARK}{today}{cited}{said}").replace(['\u{2028}', '\u{2029}', '\n', '\r'], " ")
}

fn empty(failure: &Failure, part: Part) -> Pin {
    Pin {
        property: failure.test.clone(),
        rung: Rung::SeedOnly,
        test: None,
        replay: None,
        parts: vec![part],
        reason: None,
        warnings: Vec::new(),
        instead: None,
    }
}
