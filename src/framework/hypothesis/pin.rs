//! The pin of a failure: an example above its property, which holds the input as it was told. What no example can hold, as
//! draws and a state machine's steps, is a test of its own; where neither can be, the reason.

use super::find::{Found, Subject, find};
use super::given::{given, provided};
use super::graft::REMARK;
use super::names::Names;
use super::standalone::{self, Ground};
use crate::failure::{Caveat, Ending, Failure};
use crate::framework::Case;
use crate::language::python::literal::render;
use crate::language::python::module::Function;
use crate::pin::{Part, PartKind, Pin, Refusal, Rung};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::visible;

/// Longest example that is written; a value beyond it is read by nobody.
const LONGEST: usize = 64 * 1024;

/// Longest remark on what was observed.
const LONGEST_REMARK: usize = 100;

/// Longest line that is not broken.
const WIDEST: usize = 88;

/// The pin for the failure of `case`.
///
/// # Errors
/// Why there can be none, with what to do instead.
pub(super) fn pin(case: &Case<'_>) -> Result<Pin, Refusal> {
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
    match &found.subject {
        Subject::Machine(class) => standalone::machine(&Ground { case, found: &found }, class),
        Subject::Function(function) if is_drawn(failure) => {
            standalone::draws(&Ground { case, found: &found }, function)
        }
        Subject::Function(function) => example(case, &found, function),
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

/// Whether the test drew values while it ran, which no example can give.
fn is_drawn(failure: &Failure) -> bool {
    failure.counterexample.arguments.iter().any(|argument| argument.text == "data(...)")
}

fn example(case: &Case<'_>, found: &Found, function: &Function) -> Result<Pin, Refusal> {
    let failure = case.failure;
    let Some(given) = given(&found.module, function) else {
        return Err(Refusal(format!(
            "{} has no @given that an example could stand by; write a test of the input by hand",
            function.path.join(".")
        )));
    };
    let told = &failure.counterexample.arguments;
    let printed: Vec<&str> = told.iter().map(|argument| argument.name.as_str()).collect();
    let names = provided(function, given, &printed);
    if names.is_empty() {
        return Err(Refusal("its @given tells no names; write the example by hand".to_owned()));
    }
    let mut known = Names { file: &found.file, module: &found.module, tree: case.tree, modules: Vec::new() };
    let mut arguments = Vec::new();
    for name in &names {
        let Some(argument) = told.iter().find(|argument| argument.name == *name) else {
            return Err(Refusal(format!("the run does not tell the value of `{name}`; write the example by hand")));
        };
        let value = render(&argument.text, &mut |name, is| known.resolve(name, is));
        arguments.push(format!("{name}={}", value.map_err(|why| Refusal(format!("the value of `{name}`: {why}")))?));
    }
    let via = via_fits(&found.file, case.tree).then(|| format!(".via(\"real bug {}\")", case.today));
    let text = format!("{}\n{}", remark(case), decorator(&arguments, via.as_deref().unwrap_or_default()));
    if text.len() > LONGEST {
        return Err(Refusal(
            "the value is too long for a source file; narrow the strategy, or pin a smaller input".to_owned(),
        ));
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
const NO_VIA: &str =
    "the project supports a Python older than 3.9, so that the example has no `.via()` to name the verdict";

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

/// Whether every Python that the project supports lets a decorator be called on.
fn via_fits(file: &RepoPath, tree: &dyn SourceTree) -> bool {
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
