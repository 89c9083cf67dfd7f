//! The pin of a failure: its input, written anew as an expression, among the `examples` of the very call that ran the
//! property; or the reason why it cannot stand there.

use super::calls::Property;
use super::find::{Found, Taker, find};
use super::place::{Around, Example, Way, planned};
use super::plain::Source;
use super::read::arguments;
use crate::failure::{Caveat, Ending, Failure, Replay};
use crate::framework::Case;
use crate::language::typescript::printed::{Pen, Printed};
use crate::pin::{Part, PartKind, Pin, Refusal, Rung};
use crate::requirement::RequirementId;
use crate::source_tree::SourceTree;
use crate::visible;

/// Longest expression that is written; a value beyond it is read by nobody.
const LONGEST: usize = 64 * 1024;

/// Most of a message that goes into the remark.
const LONGEST_MESSAGE: usize = 160;

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
    let taker = found.taker(failure, case.tree)?;
    let value = value(failure, &found, &taker, case.tree)?;
    let expression = Pen::of(&found.code.text).expression(&value);
    if expression.len() > LONGEST {
        return Err(Refusal(format!("an example that holds the input would be {} bytes long", expression.len())));
    }
    let example = Example { remark: remark(failure, case.requirement, case.today), expression };
    let around = Around { file: &found.file, tree: case.tree, imported: Vec::new() };
    let plan = planned(&found.code, &taker.property, &example, around)?;
    let way = Way::to(&found, &taker.property, plan.imported);
    let mut warnings = plan.warnings;
    if taker.hands_on {
        warnings.push("the example is handed on through the function that runs the property".to_owned());
    }
    warnings.extend(
        failure
            .caveats
            .iter()
            .filter(|caveat| **caveat == Caveat::Unexplained)
            .map(|_| "why this input failed is not on record: see that the pin is red".to_owned()),
    );
    let text = format!("{}\n{}", example.remark, example.expression);
    Ok(Pin {
        rung: Rung::Literal,
        warnings,
        ..empty(failure, vec![Part { file: found.file, kind: PartKind::Example, modules: way.words(), text }])
    })
}

/// The input as one example.
fn value(failure: &Failure, found: &Found, taker: &Taker, tree: &dyn SourceTree) -> Result<Printed, Refusal> {
    let refused = |why: String| Refusal(format!("{why}; {}", instead(failure)));
    let texts = arguments::split(&failure.counterexample.text);
    if failure.counterexample.text.contains("/*replayPath=") {
        return Err(refused("a run of commands cannot stand among examples".to_owned()));
    }
    let source = Source { code: &found.code, file: &found.file, tree };
    let Property { arbitraries, is_record, .. } = &taker.property;
    for arbitrary in arbitraries {
        if let Some(why) = source.special(*arbitrary) {
            return Err(refused(why));
        }
    }
    let values = texts.iter().map(|text| Printed::parse(text)).collect::<Result<Vec<_>, String>>().map_err(refused)?;
    let expected = if *is_record { 1 } else { arbitraries.len() };
    if expected != values.len() && !(arbitraries.is_empty() || taker.hands_on) {
        let text = format!("the property takes {expected} values, and the run shows {}", values.len());
        return Err(Refusal(format!("{text}; check out the code that failed")));
    }
    if values.iter().any(Printed::may_be_of_a_class) {
        if arbitraries.is_empty() {
            return Err(refused("what makes its objects is not to be told from the source".to_owned()));
        }
        let doubtful = |at: usize| *is_record || values.get(at).is_some_and(Printed::may_be_of_a_class);
        let mut parts = arbitraries.iter().enumerate().filter(|(at, _)| doubtful(*at));
        parts.try_for_each(|(_, span)| source.plain(*span)).map_err(refused)?;
    }
    match (is_record, values.as_slice()) {
        (true, [one @ Printed::Object(_)]) => Ok(one.clone()),
        (true, _) => Err(Refusal(
            "the property takes a record, and the run shows none; check out the code that failed".to_owned(),
        )),
        (false, values) => Ok(Printed::List(values.iter().cloned().map(Some).collect())),
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

/// The comment above the example.
fn remark(failure: &Failure, requirement: Option<&RequirementId>, today: &str) -> String {
    let line = failure.message.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let shown: String = visible::line(&line).chars().take(LONGEST_MESSAGE).collect();
    let cited = requirement.map_or(String::new(), |id| format!(" [{id}]"));
    let said = if shown.is_empty() { String::new() } else { format!(": {}", shown.trim_end()) };
    // What ends a line of the language is no line end everywhere.
    format!("// Pinned {today}{cited}{said}").replace(['\u{2028}', '\u{2029}', '\n', '\r'], " ")
}

fn empty(failure: &Failure, parts: Vec<Part>) -> Pin {
    Pin {
        property: failure.test.clone(),
        rung: Rung::SeedOnly,
        test: None,
        replay: None,
        parts,
        reason: None,
        warnings: Vec::new(),
        instead: None,
    }
}
