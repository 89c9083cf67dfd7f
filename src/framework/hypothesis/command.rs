//! The commands that run pins: pytest of the project's own virtual environment, or unittest where it has none, with the
//! examples that stand in the source and nothing that is generated. A property that is asked for itself generates.

use std::collections::BTreeMap;

use serde::Serialize;

use super::standing::{Standing, standing};
use crate::proof::{Manner, PinCommand, StandingPin};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Where a project's packages are installed.
pub(super) const INSTALLED: &[&str] = &[".venv", "venv"];

/// What describes the folder in which pytest is started.
const CONFIGURED: [&str; 5] = ["pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "setup.py"];

/// What runs the tests, and the variable that holds it: nothing is laid down anywhere.
const SCRIPT: (&str, &str) = ("REDPIN_SCRIPT", include_str!("../../../assets/pins/redpin_pins.py"));

/// Starts it.
const START: &str = "import os; exec(os.environ['REDPIN_SCRIPT'])";

/// The variable that holds what it is asked.
const PINS: &str = "REDPIN_PINS";

/// What is said to pytest besides: how each test came out, and why, in a form that is read back.
const ARGUMENTS: [&str; 4] = ["-rpfEsxX", "--tb=short", "--color=no", "--continue-on-collection-errors"];

/// Columns of the summary: what failed and why is said in full on its line.
pub(super) const COLUMNS: (&str, &str) = ("COLUMNS", "1000");

/// What the settings call the program that runs tests, and their runner.
const PROGRAM: &str = "python";
const RUNNER: &str = "pytest";

/// What is asked of the script.
#[derive(Default, Serialize)]
struct Asked {
    /// How many folders up the repository's top is.
    up: usize,
    /// Whether properties are run themselves, with what they generate.
    whole: bool,
    /// Of which tests one example alone is run: which, and how many there are.
    only: BTreeMap<String, (usize, usize)>,
}

impl Asked {
    fn of(folder: &str, whole: bool) -> Self {
        let up = if folder.is_empty() { 0 } else { folder.split('/').count() };
        Asked { up, whole, only: BTreeMap::new() }
    }

    /// Whether it goes together with another pin of the test `test`, of whose examples `only` one is run.
    fn takes(&self, whole: bool, test: &str, only: Option<(usize, usize)>) -> bool {
        self.whole == whole && self.only.get(test).is_none_or(|known| Some(*known) == only)
    }
}

/// The commands that run `pins`: one a folder, and others for further examples of a property, since what the library says of
/// several does not tell of each.
pub(super) fn commands(pins: &[StandingPin], tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
    // Arguments that are said without this runner are another's.
    let own = manner.arguments.iter().filter(|_| manner.runner.as_deref() == Some(RUNNER));
    let mut commands: Vec<(PinCommand, Asked)> = Vec::new();
    for (at, pin) in pins.iter().enumerate() {
        let Some(file) = &pin.file else { continue };
        let folder = folder(file, tree);
        let node = node(pin, file, &folder);
        let test = node.split('[').next().unwrap_or_default().to_owned();
        let only = match standing(pin, tree) {
            Standing::At(place, count) => Some((place, count)),
            Standing::Gone | Standing::Untold => None,
        };
        let whole = pin.is_property();
        // A test without an example of its own runs all of them, and must not lose those that another leaves out.
        let fits = |(command, asked): &&mut (PinCommand, Asked)| {
            let runs_all = only.is_some() && !asked.only.contains_key(&test) && runs(command, &test);
            command.folder == folder && asked.takes(whole, &test, only) && !runs_all
        };
        if let Some((command, asked)) = commands.iter_mut().find(fits) {
            command.pins.push(at);
            asked.only.extend(only.map(|only| (test, only)));
            if !command.command.contains(&node) {
                command.command.push(node);
            }
            continue;
        }
        let mut asked = Asked::of(&folder, whole);
        asked.only.extend(only.map(|only| (test, only)));
        let script = ["-c", START].into_iter().chain(ARGUMENTS).map(str::to_owned);
        let command = python(&folder, manner).into_iter().chain(script).chain(own.clone().cloned());
        let command = command.chain([node]).collect();
        commands.push((PinCommand { command, folder, environment: Vec::new(), pins: vec![at] }, asked));
    }
    commands.into_iter().map(|(command, asked)| PinCommand { environment: environment(&asked), ..command }).collect()
}

/// Whether a command runs a test, with whichever parameters.
fn runs(command: &PinCommand, test: &str) -> bool {
    command.command.iter().any(|word| word.split('[').next() == Some(test))
}

fn environment(asked: &Asked) -> Vec<(&'static str, String)> {
    let asked = serde_json::to_string(asked).unwrap_or_default();
    vec![(COLUMNS.0, COLUMNS.1.to_owned()), (SCRIPT.0, SCRIPT.1.to_owned()), (PINS, asked)]
}

/// The test that shows how a pin is, as pytest names it in `folder`.
fn node(pin: &StandingPin, file: &RepoPath, folder: &str) -> String {
    let test = &pin.runs().0;
    let parts =
        test.split_once("::").filter(|(first, _)| first.ends_with(".py")).map_or(test.as_str(), |(_, rest)| rest);
    let file = file.as_str().strip_prefix(folder).unwrap_or(file.as_str()).trim_start_matches('/');
    format!("{file}::{parts}")
}

/// The nearest folder around a file that is described as a project; the top where none is.
pub(super) fn folder(file: &RepoPath, tree: &dyn SourceTree) -> String {
    let mut folders: Vec<&str> = file.folders().collect();
    folders.reverse();
    let is_project = |folder: &&str| {
        CONFIGURED.iter().any(|name| RepoPath::in_folder(folder, name).is_some_and(|path| tree.exists(&path)))
    };
    folders.into_iter().find(is_project).unwrap_or_default().to_owned()
}

/// How the Python of the project is started in `folder`, up to its arguments: that which the user names, else that of a
/// virtual environment in the folder or above it, else the one that ran the tests last, else the one that is active.
pub(super) fn python(folder: &str, manner: &Manner) -> Vec<String> {
    if let Some(program) = manner.programs.get(PROGRAM) {
        return vec![program.clone()];
    }
    let depth = if folder.is_empty() { 0 } else { folder.split('/').count() };
    let above = (0..=depth).map(|up| "../".repeat(up));
    let last = manner.said.get(super::NAME).and_then(|said| shlex::try_quote(said.first()?).ok());
    let own = above.flat_map(|up| INSTALLED.iter().map(move |name| format!("{up}{name}/bin/python")));
    let found: Vec<String> = own.chain(last.map(std::borrow::Cow::into_owned)).collect();
    let shell = format!(
        "for p in {}; do test -x \"$p\" && exec \"$p\" \"$@\"; done; exec \"${{VIRTUAL_ENV:+$VIRTUAL_ENV/bin/}}python3\" \"$@\"",
        found.join(" ")
    );
    ["sh", "-c", &shell, "sh"].map(str::to_owned).to_vec()
}

#[cfg(test)]
mod tests {
    use super::commands;
    use crate::failure::TestName;
    use crate::proof::testing::blank_pin;
    use crate::proof::{Manner, PinCommand, StandingPin};
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    fn pin(file: &str, property: &str, test: Option<&str>) -> StandingPin {
        StandingPin {
            test: test.map(|test| TestName(test.to_owned())),
            file: RepoPath::new(file),
            files: RepoPath::new(file).into_iter().collect(),
            ..blank_pin("hypothesis", property)
        }
    }

    /// What the script is asked.
    fn asked(command: &PinCommand) -> &str {
        &command.environment[2].1
    }

    #[test]
    fn pins_are_run_by_the_names_pytest_gives_them_in_their_projects_folder() {
        let tree = Files::new([("pay/pyproject.toml", ""), ("pay/tests/test_a.py", ""), ("tests/test_b.py", "")]);
        let pins = [
            pin("pay/tests/test_a.py", "tests/test_a.py::TestA::test_x[a::b]", None),
            pin("pay/tests/test_a.py", "tests/test_a.py::test_y", Some("pay/tests/test_a.py::test_y_pin_0a")),
            pin("tests/test_b.py", "TestB::test_z", None),
            pin("tests/test_b.py", "TestB::test_z", None),
        ];
        let found = commands(&pins, &tree, &Manner::default());
        let told: Vec<_> =
            found.iter().map(|one| (one.folder.as_str(), one.pins.as_slice(), &one.command[10..])).collect();
        let nodes = |nodes: &[&str]| nodes.iter().map(|node| (*node).to_owned()).collect::<Vec<_>>();
        let first = nodes(&["tests/test_a.py::TestA::test_x[a::b]", "tests/test_a.py::test_y_pin_0a"]);
        let second = nodes(&["tests/test_b.py::TestB::test_z"]);
        assert_eq!(told, [("pay", &[0, 1][..], &first[..]), ("", &[2, 3][..], &second[..])]);
        assert_eq!(asked(&found[0]), "{\"up\":1,\"whole\":false,\"only\":{}}");
        assert!(found[0].command[2].starts_with("for p in .venv/bin/python venv/bin/python ../.venv/bin/python "));
    }

    #[test]
    fn each_example_of_a_property_is_run_alone() {
        let text = "from hypothesis import example, given\n@example(x=1)\n@example(x=2)\n@given(x=y)\ndef test_x(x): pass\n\
                    @example(z=1)\n@given(z=y)\ndef test_z(z): pass\n";
        let tree = Files::new([("test_a.py", text)]);
        let of = |test: &str, counterexample: &str| StandingPin {
            counterexample: counterexample.to_owned(),
            ..pin("test_a.py", &format!("test_a.py::{test}"), None)
        };
        let pins = [of("test_x", "x=1"), of("test_z", "z=1"), of("test_x", "x=2"), of("test_x", "x=1")];
        let found = commands(&pins, &tree, &Manner::default());
        let told: Vec<_> = found.iter().map(|one| (one.pins.as_slice(), asked(one))).collect();
        let first = "{\"up\":0,\"whole\":false,\"only\":{\"test_a.py::test_x\":[0,2],\"test_a.py::test_z\":[0,1]}}";
        let second = "{\"up\":0,\"whole\":false,\"only\":{\"test_a.py::test_x\":[1,2]}}";
        assert_eq!(told, [(&[0, 1, 3][..], first), (&[2][..], second)]);
    }

    #[test]
    fn a_property_that_is_asked_for_itself_generates() {
        let whole = StandingPin { files: Vec::new(), ..pin("test_a.py", "test_a.py::test_x", None) };
        let own = pin("test_a.py", "test_a.py::test_x", Some("test_a.py::test_x_pin_0a1b2c3"));
        let found = commands(&[whole, own], &Files::new([]), &Manner::default());
        let told: Vec<_> = found.iter().map(|one| (one.pins.as_slice(), asked(one))).collect();
        assert_eq!(
            told,
            [(&[0][..], "{\"up\":0,\"whole\":true,\"only\":{}}"), (&[1][..], "{\"up\":0,\"whole\":false,\"only\":{}}")]
        );
    }

    #[test]
    fn the_python_that_ran_the_tests_last_comes_after_those_of_the_project() {
        let pins = [pin("tests/test_b.py", "test_z", None)];
        let said = [("hypothesis".to_owned(), vec!["/opt/an env/bin/python".to_owned()])].into();
        let command = &commands(&pins, &Files::new([]), &Manner { said, ..Manner::default() })[0].command;
        let expected = "for p in .venv/bin/python venv/bin/python '/opt/an env/bin/python'; do test -x \"$p\" && exec \"$p\" \"$@\"; done; \
                        exec \"${VIRTUAL_ENV:+$VIRTUAL_ENV/bin/}python3\" \"$@\"";
        assert_eq!(command[2], expected);
    }

    #[test]
    fn the_python_and_the_arguments_are_those_that_the_user_names() {
        let pins = [pin("tests/test_b.py", "test_z", None)];
        let programs = [("python".to_owned(), "/opt/py/bin/python".to_owned())].into();
        let arguments = vec!["--strict-markers".to_owned()];
        let manner = Manner { programs, arguments, runner: Some("pytest".to_owned()), ..Manner::default() };
        let command = &commands(&pins, &Files::new([]), &manner)[0].command;
        assert_eq!(command[..2], ["/opt/py/bin/python", "-c"]);
        assert_eq!(command[command.len() - 2..], ["--strict-markers", "tests/test_b.py::test_z"]);
        let other = Manner { runner: Some("nextest".to_owned()), ..manner };
        assert!(!commands(&pins, &Files::new([]), &other)[0].command.contains(&"--strict-markers".to_owned()));
    }
}
