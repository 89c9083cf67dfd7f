//! The pins of a failure, the strongest first: an example above its property, which holds the input as it was told; a test
//! of its own, for what no example can hold, as draws and a state machine's steps; a test that has the same choices made
//! again; where none can be, the reason.

use super::find::{Found, Subject, find};
use super::given::{given, provided};
use super::graft::REMARK;
use super::ground::{Ground, WIDEST};
use super::modules::Modules;
use super::names::Names;
use super::place::place;
use super::standalone::DATA;
use super::{machine, replay, standalone};
use crate::failure::{Caveat, Ending, Failure};
use crate::framework::{Candidate, Case};
use crate::language::python::literal::render;
use crate::language::python::module::{Function, Module};
use crate::pin::{Part, PartKind, Pin, Refusal, Rung};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::visible;

/// Longest example that is written; a value beyond it is read by nobody.
const LONGEST: usize = 64 * 1024;

/// Longest remark on what was observed.
const LONGEST_REMARK: usize = 100;

/// The pin for the failure of `case`.
///
/// # Errors
/// Why there can be none, with what to do instead.
pub(super) fn pin(case: &Case<'_>) -> Result<Pin, Refusal> {
    let mut pins = pins(case)?;
    Ok(pins.remove(0))
}

/// All pins of a failure, where there is more than one: the strongest first.
pub(super) fn candidates(case: &Case<'_>) -> Vec<Candidate> {
    let pins = pins(case).unwrap_or_default();
    let is_choice = pins.len() > 1;
    let candidate = |pin| Candidate { pin, value: None, recorded: Vec::new(), doubtful: false };
    pins.into_iter().filter(|_| is_choice).map(candidate).collect()
}

/// The pins that there can be, one at least, the strongest first. It tells why it is no stronger.
fn pins(case: &Case<'_>) -> Result<Vec<Pin>, Refusal> {
    let failure = case.failure;
    match failure.ending {
        Ending::Aborted => return Err(no_value(failure)),
        Ending::PinFailed => {
            return Err(Refusal("the input stands in the source already: the bug it holds is back".to_owned()));
        }
        Ending::Falsified => {}
    }
    if failure.caveats.contains(&Caveat::Truncated) {
        return Err(Refusal("the run's text ends inside the input; pin it from a whole log".to_owned()));
    }
    let found = find(failure, case.tree)?;
    let ground = Ground { case, found: &found };
    let tried = match (&found.subject, machine::told(&failure.counterexample.text, &found)) {
        (Subject::Machine(class), _) | (_, Some(class)) => {
            vec![machine::pin(ground, class), replay::machine(ground, class)]
        }
        (Subject::Function(function), None) => {
            let example = match left_out(failure, function) {
                Some(why) => Err(why.to_owned()),
                None => example(case, &found, function).and_then(|pin| placeable(pin, &found)),
            };
            vec![example, standalone::pin(ground, function), replay::function(ground, function)]
        }
    };
    let mut pins: Vec<Pin> = Vec::new();
    let mut reasons: Vec<String> = Vec::new();
    for one in tried {
        match one {
            Ok(pin) if pins.is_empty() => pins.push(Pin { reason: reasons.first().cloned(), ..pin }),
            Ok(pin) => pins.push(pin),
            Err(why) if !reasons.contains(&why) => reasons.push(why),
            Err(_) => {}
        }
    }
    if pins.is_empty() {
        // What kept it from the first rung is why; that no choices are named says what to do.
        let last = reasons.pop().filter(|_| !reasons.is_empty());
        let first = reasons.into_iter().next().unwrap_or_default();
        let last = last.filter(|last| *last != first).map_or(String::new(), |last| format!("; {last}"));
        return Err(Refusal(format!("{first}{last}. Write the pin by hand")));
    }
    Ok(pins)
}

/// Why an example would not be run, or could not hold the input.
fn left_out(failure: &Failure, function: &Function) -> Option<&'static str> {
    if failure.counterexample.arguments.iter().any(|argument| argument.text == DATA) {
        return Some("it draws values while it runs, which no example can hold");
    }
    let settings = function.decorators.iter().filter(|one| one.function() == "settings");
    let mut phases = settings.flat_map(|one| &one.arguments).filter(|one| one.name.as_deref() == Some("phases"));
    let is_left_out = phases.any(|one| one.text.starts_with(['[', '(', '{']) && !one.text.contains("explicit"));
    is_left_out.then_some("the settings of the property leave out its examples")
}

/// The pin, where it finds its place in the file as it is.
fn placeable(pin: Pin, found: &Found) -> Result<Pin, String> {
    let mut parts = pin.parts.iter().map(|part| place(&pin, part, found.text.as_bytes()));
    match parts.find_map(Result::err) {
        Some(refusal) => Err(refusal.0),
        None => Ok(pin),
    }
}

fn no_value(failure: &Failure) -> Refusal {
    let said = failure.message.lines().next().unwrap_or_default();
    let class = said.split(':').next().unwrap_or_default().rsplit('.').next().unwrap_or_default();
    Refusal(format!(
        "it did not fail by an input alone ({}): there is no value to pin, mend the test or its settings",
        visible::line(class)
    ))
}

fn example(case: &Case<'_>, found: &Found, function: &Function) -> Result<Pin, String> {
    let failure = case.failure;
    let Some(given) = given(&found.module, function) else {
        return Err(format!("{} has no @given that an example could stand by", function.path.join(".")));
    };
    let told = &failure.counterexample.arguments;
    let names = provided(function, &given, Some(failure));
    if names.is_empty() {
        return Err("its @given tells no names".to_owned());
    }
    let mut known = Names::new(&found.file, &found.module, case.tree).above(function.item.start);
    let mut arguments = Vec::new();
    for name in &names {
        let Some(argument) = told.iter().find(|argument| argument.name == *name) else {
            return Err(format!("the run does not tell the value of `{name}`"));
        };
        let value = render(&argument.text, &mut |name, is| known.resolve(name, is));
        arguments.push(format!("{name}={}", value.map_err(|why| format!("the value of `{name}`: {why}"))?));
    }
    let via = via_fits(&found.file, case.tree).then(|| format!(".via(\"real bug {}\")", case.today));
    let text = format!("{}\n{}", remark(case), decorator(&arguments, via.as_deref().unwrap_or_default()));
    if text.len() > LONGEST {
        return Err("the value is too long for a source file; narrow the strategy, or pin a smaller input".to_owned());
    }
    let modules = known.modules;
    let warnings = if via.is_some() { Vec::new() } else { vec![NO_VIA.to_owned()] };
    Ok(Pin {
        property: failure.test.clone(),
        rung: Rung::Literal,
        test: None,
        replay: None,
        parts: vec![Part { file: found.file.clone(), kind: PartKind::Example, modules, text }],
        reason: None,
        warnings,
        instead: None,
    })
}

/// What is said where the verdict is left out of the example.
const NO_VIA: &str = "the project supports a Python older than 3.9 or has a Hypothesis older than 6.60, so that the example has no `.via()` to \
     name the verdict";

/// The decorator with those arguments.
fn decorator(arguments: &[String], via: &str) -> String {
    let line = format!("@example({}){via}", arguments.join(", "));
    if line.chars().count() <= WIDEST || arguments.len() < 2 {
        return line;
    }
    format!("@example(\n    {},\n){via}", arguments.join(",\n    "))
}

/// The comment above a pin: when, for which requirement, and what was observed.
pub(super) fn remark(case: &Case<'_>) -> String {
    let requirement = case.requirement.map_or(String::new(), |id| format!(" [{}]", id.0));
    let said = visible::line(case.failure.message.lines().next().unwrap_or_default()).replace('\t', " ");
    let mut shown: String = said.chars().take(LONGEST_REMARK).collect();
    if shown.len() < said.len() {
        shown.push('…');
    }
    let shown = if shown.is_empty() { shown } else { format!(": {shown}") };
    format!("{REMARK}{}{requirement}{shown}", case.today)
}

/// The first release of the library whose examples can be labelled.
const FIRST_VIA: (u32, u32) = (6, 60);

/// Whether every Python that the project supports lets a decorator be called on, and its library labels examples.
fn via_fits(file: &RepoPath, tree: &dyn SourceTree) -> bool {
    if Modules::new(file, &Module::default(), tree).release().is_some_and(|release| release < FIRST_VIA) {
        return false;
    }
    let mut folders: Vec<&str> = std::iter::once("").chain(file.folders()).collect();
    folders.reverse();
    let least = folders.into_iter().find_map(|folder| {
        let files = ["pyproject.toml", "setup.cfg", "setup.py"].into_iter();
        files.filter_map(|name| RepoPath::in_folder(folder, name)).find_map(|path| least_minor(&tree.read(&path)?))
    });
    least.is_none_or(|minor| minor >= 9)
}

/// The 3 of `requires-python = ">=3.3"`: of the oldest Python that a package's description allows.
fn least_minor(description: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(description).ok()?;
    let line = text.lines().find(|line| {
        let line = line.trim_start();
        ["requires-python", "python_requires", "python ="].iter().any(|key| line.starts_with(key))
    })?;
    let (_, version) = line.split_once("3.")?;
    let digits = version.bytes().take_while(u8::is_ascii_digit).count();
    version[..digits].parse().ok()
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod parts_tests {
    use super::{decorator, least_minor};

    #[test]
    fn the_oldest_python_is_told_by_the_packages_description() {
        assert_eq!(least_minor(b"[project]\nrequires-python = \">=3.8\"\n"), Some(8));
        assert_eq!(least_minor(b"    python_requires='>=3.10,<4',\n"), Some(10));
        assert_eq!(least_minor(b"[tool.poetry.dependencies]\npython = \"^3.11\"\n"), Some(11));
        assert_eq!(least_minor(b"name = \"python\"\n"), None);
    }

    #[test]
    fn a_long_example_has_a_line_an_argument() {
        let long = format!("b='{}'", "x".repeat(80));
        assert_eq!(
            decorator(&["a=1".to_owned(), long.clone()], ".via(\"x\")"),
            format!("@example(\n    a=1,\n    {long},\n).via(\"x\")")
        );
        assert_eq!(decorator(&["a=1".to_owned()], ""), "@example(a=1)");
    }
}
