//! The commands that run pins: pytest of the project's own virtual environment, with the examples that stand in the source and
//! nothing that is generated.

use crate::proof::{Manner, PinCommand, StandingPin};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Where a project's packages are installed.
pub(super) const INSTALLED: &[&str] = &[".venv", "venv"];

/// What describes the folder in which pytest is started.
const CONFIGURED: [&str; 5] = ["pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "setup.py"];

/// Starts pytest so that the examples of the source alone are run, without a clock: a plugin of its own says so once all
/// others are there, whatever profile they load.
const SCRIPT: &str = "import sys, pytest; load = lambda h: (h.settings.register_profile('redpin', \
                      phases=[h.Phase.explicit], database=None, deadline=None), h.settings.load_profile('redpin')); \
                      plugin = type('Redpin', (), {'pytest_configure': lambda self: load(__import__('hypothesis')) and None}); \
                      sys.exit(pytest.main(sys.argv[1:], plugins=[plugin()]))";

/// What is said to pytest besides: how each test came out, and why, in a form that is read back.
const ARGUMENTS: [&str; 6] =
    ["-p", "no:cacheprovider", "-rpfEsxX", "--tb=short", "--color=no", "--continue-on-collection-errors"];

/// Columns of the summary: what failed and why is said in full on its line.
const COLUMNS: (&str, &str) = ("COLUMNS", "1000");

/// What the settings call the program that runs tests, and their runner.
const PROGRAM: &str = "python";
const RUNNER: &str = "pytest";

/// The commands that run `pins`: one a folder.
pub(super) fn commands(pins: &[StandingPin], tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
    // Arguments that are said without this runner are another's.
    let own = manner.arguments.iter().filter(|_| manner.runner.as_deref() == Some(RUNNER));
    let mut commands: Vec<PinCommand> = Vec::new();
    for (at, pin) in pins.iter().enumerate() {
        let Some(file) = &pin.file else { continue };
        let folder = folder(file, tree);
        let node = node(pin, file, &folder);
        match commands.iter_mut().find(|command| command.folder == folder) {
            Some(command) => {
                command.pins.push(at);
                if !command.command.contains(&node) {
                    command.command.push(node);
                }
            }
            None => {
                let script = ["-c", SCRIPT].into_iter().chain(ARGUMENTS).map(str::to_owned);
                let command = python(&folder, manner).into_iter().chain(script).chain(own.clone().cloned());
                let command = command.chain([node]).collect();
                commands.push(PinCommand {
                    command,
                    folder,
                    environment: vec![(COLUMNS.0, COLUMNS.1.to_owned())],
                    pins: vec![at],
                });
            }
        }
    }
    commands
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
fn folder(file: &RepoPath, tree: &dyn SourceTree) -> String {
    let mut folders: Vec<&str> = file.folders().collect();
    folders.reverse();
    let is_project = |folder: &&str| {
        CONFIGURED.iter().any(|name| RepoPath::in_folder(folder, name).is_some_and(|path| tree.exists(&path)))
    };
    folders.into_iter().find(is_project).unwrap_or_default().to_owned()
}

/// How the Python of the project is started in `folder`, up to its arguments: that which the user names, else that of a
/// virtual environment in the folder or above it, else the one that is active.
pub(super) fn python(folder: &str, manner: &Manner) -> Vec<String> {
    if let Some(program) = manner.programs.get(PROGRAM) {
        return vec![program.clone()];
    }
    let depth = if folder.is_empty() { 0 } else { folder.split('/').count() };
    let above = (0..=depth).map(|up| "../".repeat(up));
    let found: Vec<String> =
        above.flat_map(|up| INSTALLED.iter().map(move |name| format!("{up}{name}/bin/python"))).collect();
    let shell = format!(
        "for p in {}; do test -x $p && exec $p \"$@\"; done; exec \"${{VIRTUAL_ENV:+$VIRTUAL_ENV/bin/}}python3\" \"$@\"",
        found.join(" ")
    );
    ["sh", "-c", &shell, "sh"].map(str::to_owned).to_vec()
}

#[cfg(test)]
mod tests {
    use super::commands;
    use crate::failure::{FrameworkName, TestName};
    use crate::proof::{Manner, StandingPin};
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    fn pin(file: &str, property: &str, test: Option<&str>) -> StandingPin {
        StandingPin {
            failure: String::new(),
            framework: FrameworkName("hypothesis".to_owned()),
            package: None,
            property: TestName(property.to_owned()),
            test: test.map(|test| TestName(test.to_owned())),
            file: RepoPath::new(file),
            replay: None,
            files: Vec::new(),
            message: String::new(),
            counterexample: String::new(),
            makes_value: false,
        }
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
            found.iter().map(|one| (one.folder.as_str(), one.pins.as_slice(), &one.command[12..])).collect();
        let nodes = |nodes: &[&str]| nodes.iter().map(|node| (*node).to_owned()).collect::<Vec<_>>();
        let first = nodes(&["tests/test_a.py::TestA::test_x[a::b]", "tests/test_a.py::test_y_pin_0a"]);
        let second = nodes(&["tests/test_b.py::TestB::test_z"]);
        assert_eq!(told, [("pay", &[0, 1][..], &first[..]), ("", &[2, 3][..], &second[..])]);
        assert!(found[0].command[2].starts_with("for p in .venv/bin/python venv/bin/python ../.venv/bin/python "));
    }

    #[test]
    fn the_python_and_the_arguments_are_those_that_the_user_names() {
        let pins = [pin("tests/test_b.py", "test_z", None)];
        let programs = [("python".to_owned(), "/opt/py/bin/python".to_owned())].into();
        let arguments = vec!["--strict-markers".to_owned()];
        let manner = Manner { programs, arguments, runner: Some("pytest".to_owned()), target: None };
        let command = &commands(&pins, &Files::new([]), &manner)[0].command;
        assert_eq!(command[..2], ["/opt/py/bin/python", "-c"]);
        assert_eq!(command[command.len() - 2..], ["--strict-markers", "tests/test_b.py::test_z"]);
        let other = Manner { runner: Some("nextest".to_owned()), ..manner };
        assert!(!commands(&pins, &Files::new([]), &other)[0].command.contains(&"--strict-markers".to_owned()));
    }
}
