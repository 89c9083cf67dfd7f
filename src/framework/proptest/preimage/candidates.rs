//! The pins that a record allows, the one that reads best first. Which of them compiles and gives the recorded value, only
//! a build can tell; each comes with a test that prints what it binds.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::arguments::{is_of, recorded};
use super::form::Style;
use super::rebuild::{Rebuild, Record, Sources, column};
use super::replay::{FRAGILE, Replay, replay};
use super::trace::{Made, Trace};
use super::value_fn::{ValueFn, parts};
use crate::failure::{Failure, ForeignPath};
use crate::framework::proptest::found::Found;
use crate::framework::proptest::generators::Generators;
use crate::framework::proptest::pin::{self, Binding, Ground};
use crate::framework::proptest::{NAME, found};
use crate::framework::rust::alike::alike;
use crate::framework::{Attempt, Candidate};
use crate::language::rust::literal::{Bound, Guess, Place, with_pens};
use crate::language::rust::package::dependency;
use crate::language::rust::property::PropertyFn;
use crate::language::rust::target::targets;
use crate::locate;
use crate::pin::{NOT_DETERMINISTIC, Pin, Refusal, Rung};
use crate::repo_path::RepoPath;
use crate::requirement::RequirementId;
use crate::settings::{FindSeeds, Settings};
use crate::source_tree::SourceTree;

/// In this order candidates are made.
const STYLES: [Style; 8] = [
    style(true, false, Guess::Nothing),
    style(true, true, Guess::Nothing),
    style(false, false, Guess::Nothing),
    style(false, true, Guess::Nothing),
    style(true, false, Guess::AtRoot),
    style(true, true, Guess::AtRoot),
    style(true, false, Guess::AsDefined),
    style(true, true, Guess::AsDefined),
];

/// What is said of a pin whose value may be another that prints the same.
const DOUBT: &str = "its value prints as recorded, by code of its own that need not show all it holds";

const fn style(short: bool, typed: bool, guess: Guess) -> Style {
    Style { short, typed, guess }
}

/// What is known of an input that was recorded.
pub(super) struct Reading {
    pub(super) found: Found,
    pub(super) trace: Trace,
    /// Each argument with the pattern that takes it.
    pub(super) arguments: Vec<(String, Made)>,
    /// The compiler's name of the property's crate.
    pub(super) crate_name: String,
    /// Where the property stands.
    pub(super) place: Place,
}

/// What `record` tells of the input of `failure`.
///
/// # Errors
/// Where it is of another input, or of none.
pub(super) fn read(failure: &Failure, record: &str, tree: &dyn SourceTree) -> Result<Reading, Refusal> {
    let found = found::find(failure, tree)?;
    let (property, _) = found.to_pin();
    let of_failure = |trace: &Trace| recorded(trace, property).filter(|input| is_of(input, &failure.counterexample));
    // Of two that print the same, that which the run ended at: shrinking that went on from there took no known steps.
    let mut traces = Trace::read(record);
    traces.sort_by_key(|trace| trace.steps.is_some());
    let none = Refusal(why_none(&traces, property).to_owned());
    let (trace, input) =
        traces.into_iter().rev().find_map(|trace| of_failure(&trace).map(|input| (trace, input))).ok_or(none)?;
    let crate_name = crate_name(&trace, &found, tree);
    let arguments = named(property, input.arguments);
    let place = Place { file: found.file.clone(), modules: property.modules.clone() };
    Ok(Reading { trace, arguments, crate_name, place, found })
}

/// Why none of `traces` is of the input of a property.
fn why_none(traces: &[Trace], property: &PropertyFn) -> &'static str {
    let input = |trace: &Trace| recorded(trace, property).map(|input| input.whole.text);
    // Shrinking that went on leads to another input by itself: it has no steps.
    let ended: Vec<&Trace> = traces.iter().filter(|trace| trace.steps.is_some()).collect();
    let differs = |one: &Trace, two: &Trace| match (input(one), input(two)) {
        (Some(here), Some(there)) => one.seed == two.seed && !alike(&here, &there),
        _ => false,
    };
    match traces.is_empty() {
        true => "its run was not recorded",
        false if ended.iter().skip(1).any(|other| differs(ended[0], other)) => NOT_DETERMINISTIC,
        false => "what was recorded is another input",
    }
}

/// The pins of `failure` by what `record` tells, which a run of its property left, and by the `attempts` that gave their
/// values.
///
/// # Errors
/// Where the record is not of this failure, or tells too little.
pub(super) fn constructed(
    failure: &Failure,
    requirement: Option<&RequirementId>,
    record: &str,
    attempts: &[Attempt],
    tree: &dyn SourceTree,
    today: &str,
) -> Result<Vec<Candidate>, Refusal> {
    let Reading { trace, arguments, crate_name, place, found } = read(failure, record, tree)?;
    let (_, text) = found.to_pin();
    let sources = sources(&trace, tree);
    let manifest = RepoPath::in_folder(&found.package.folder, "Cargo.toml").and_then(|path| tree.read(&path));
    // From the root: the crate may have a module of that name itself.
    let library = format!("::{}", dependency(&String::from_utf8_lossy(&manifest.unwrap_or_default()), NAME));
    let seeded = &seeded(failure, &trace);
    let wants_seed = Settings::read(tree).unwrap_or_default().pins.find_seeds != FindSeeds::Never;
    let failure = if wants_seed { seeded } else { failure };
    let ground = Ground { failure, found: &found, requirement, tree, today };
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut refused = None;
    let sure: Vec<Attempt> = attempts.iter().filter(|attempt| !attempt.doubtful).cloned().collect();
    let helps = [&[], &sure[..], attempts].into_iter().flat_map(|help| STYLES.map(|style| (help, style)));
    let record = |attempts| Record {
        trace: &trace,
        sources: &sources,
        text,
        crate_name: &crate_name,
        library: &library,
        attempts,
        home: &place,
    };
    let ways: Vec<(Record<'_>, Style)> = helps.map(|(attempts, style)| (record(attempts), style)).collect();
    let built = built(&ways, &place, &arguments, tree);
    for (number, ((Record { attempts, .. }, _), built)) in ways.iter().zip(built).enumerate() {
        match built.and_then(|built| candidate(&ground, built, &arguments, number)) {
            Ok(mut one) if candidates.iter().all(|known| known.pin.parts != one.pin.parts) => {
                one.doubtful = attempts.iter().any(|attempt| attempt.doubtful);
                if one.doubtful {
                    one.pin.warnings.push(DOUBT.to_owned());
                }
                candidates.push(one);
            }
            Ok(_) => {}
            Err(why) => refused = refused.or(Some(why)),
        }
    }
    if let Ok(Replay { bound, printed }) = replay(&trace, found.to_pin().0, text, &library) {
        let binding = Binding { rung: Rung::Replayed, arguments: vec![bound], parts: Vec::new() };
        let number = 3 * STYLES.len();
        if let Ok(mut one) = pin::candidate(&Ground { failure: seeded, ..ground }, binding, vec![printed], number) {
            one.pin.warnings.push(FRAGILE.to_owned());
            let nothing_holds_it = refused.as_ref().filter(|_| candidates.is_empty());
            one.pin.reason = nothing_holds_it.map(|why| format!("no expression gives its value: {why}"));
            candidates.push(one);
        }
    }
    match refused {
        Some(why) if candidates.is_empty() => Err(Refusal(why)),
        _ => Ok(candidates),
    }
}

/// The failure with the seed that its record tells, where its run named none.
fn seeded(failure: &Failure, trace: &Trace) -> Failure {
    let replay = match &failure.replay {
        known @ crate::failure::Replay::NewSeed { .. } => known.clone(),
        _ => crate::failure::Replay::NewSeed { handle: trace.seed.clone(), file: None },
    };
    Failure { replay, ..failure.clone() }
}

/// Whether `record` tells of the input of `failure`.
pub(super) fn is_recorded(failure: &Failure, record: &str, tree: &dyn SourceTree) -> bool {
    read(failure, record, tree).is_ok()
}

/// The pin of `failure` that holds the seed alone which `record` tells of its very input.
///
/// # Errors
/// Where the record is of another input, or there is no file for a seed.
pub(super) fn by_seed(failure: &Failure, record: &str, tree: &dyn SourceTree) -> Result<Pin, Refusal> {
    let Reading { trace, found, .. } = read(failure, record, tree)?;
    let ground = Ground { failure: &seeded(failure, &trace), found: &found, requirement: None, tree, today: "" };
    let why = "no expression gives its value; its seed was found by running it alone";
    pin::with_arguments(&ground, Err(why.to_owned()))
}

/// The arguments as expressions.
struct Built {
    rung: Rung,
    codes: Vec<String>,
    functions: Vec<ValueFn>,
}

/// Each argument with the pattern that takes it.
fn named(property: &PropertyFn, arguments: Vec<Made>) -> Vec<(String, Made)> {
    property.parameters.iter().map(|parameter| parameter.pattern.clone()).zip(arguments).collect()
}

fn built(
    ways: &[(Record<'_>, Style)],
    place: &Place,
    arguments: &[(String, Made)],
    tree: &dyn SourceTree,
) -> Vec<Result<Built, String>> {
    let work = |pen: &crate::language::rust::literal::Pen<'_>, rebuild: &Rebuild<'_>| {
        let codes = arguments.iter().map(|(pattern, made)| pen.expression(&made.text, &made.ty, column(pattern)));
        let codes = codes.collect::<Result<_, _>>()?;
        let rung = if rebuild.has_built.get() { Rung::Constructed } else { Rung::Literal };
        Ok(Built { rung, codes, functions: rebuild.functions.borrow().clone() })
    };
    let rebuilds = || {
        let standings = Rc::default();
        ways.iter().map(|(record, style)| Rebuild::new(*record, *style, Rc::clone(&standings))).collect()
    };
    let built = with_pens(place, tree, &Generators, rebuilds, work);
    built.into_iter().map(|built| built.map_err(|refused| refused.0)).collect()
}

fn candidate(
    ground: &Ground<'_>,
    built: Built,
    recorded: &[(String, Made)],
    number: usize,
) -> Result<Candidate, String> {
    let parameters = ground.found.to_pin().0.parameters.iter();
    let arguments: Vec<Bound> =
        parameters.zip(built.codes).map(|(one, code)| Bound { pattern: one.pattern.clone(), code }).collect();
    let recorded = recorded.iter().map(|(_, made)| made.text.clone()).collect();
    let binding = Binding { rung: built.rung, arguments, parts: parts(&built.functions) };
    pin::candidate(ground, binding, recorded, number)
}

/// The files of the repository that a record names. The compiler names those by paths below the top of their workspace;
/// the library itself and what it depends on lie elsewhere.
fn sources(trace: &Trace, tree: &dyn SourceTree) -> Sources {
    let mut sources = BTreeMap::new();
    for site in trace.events().into_iter().filter_map(|event| event.site.as_ref()) {
        let path = ForeignPath(site.file.clone());
        if sources.contains_key(&site.file) || locate::is_absolute(&path) {
            continue;
        }
        let Some(file) = locate::file(&path, tree, &|_| true) else { continue };
        if let Some(Ok(text)) = tree.read(&file).map(|bytes| String::from_utf8(bytes.to_vec())) {
            sources.insert(site.file.clone(), (file, text));
        }
    }
    sources
}

/// The compiler's name of the property's crate: that of its target; where it may be of several, the function that names
/// the arguments is of it.
fn crate_name(trace: &Trace, found: &Found, tree: &dyn SourceTree) -> String {
    if let [target] = &targets(&found.file, tree).built[..] {
        return target.crate_name.clone();
    }
    let named = trace.root.children.first().map(|child| child.function.as_str()).unwrap_or_default();
    named.split("::").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests;
