//! Tests run by pytest with a seed: `--hypothesis-seed`. A plugin of ours hands over how each came out, and on which of them
//! the seed has no effect, which only the run knows: settings come from profiles as well.

use std::path::Path;

use serde::Deserialize;

use super::command::{COLUMNS, folder, python};
use super::proof::hint;
use super::read::names::{Test, is_same as is_same_file};
use super::{Hypothesis, NAME};
use crate::failure::{ForeignPath, Location};
use crate::framework::{Seeding, seeded_test};
use crate::invocation::{Capture, File, Variable};
use crate::language::python::module::module;
use crate::pin::Refusal;
use crate::proof::{Manner, PinCommand, PinState, Proof, StandingPin};
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

/// The folder of our plugin, and the plugin.
const FOLDER: &str = "seeded_pytest";
const PLUGIN: File =
    File { path: "seeded_pytest/redpin_seeded.py", text: include_str!("../../../assets/seeding/redpin_seeded.py") };

/// What is said to pytest: nothing is kept, nothing is shuffled, and our plugin is loaded.
const ARGUMENTS: [&str; 11] = [
    "-m",
    "pytest",
    "-q",
    "-p",
    "no:randomly",
    "-p",
    "no:cacheprovider",
    "-p",
    "redpin_seeded",
    "--tb=short",
    "--color=no",
];

/// What stands between the folders of Python's path.
const BETWEEN: char = ':';

impl Seeding for Hypothesis {
    fn meant(&self, id: &str, tree: &dyn SourceTree) -> Result<Vec<StandingPin>, Refusal> {
        let Some((file, parts)) = in_file(id) else { return Ok(by_name(id, tree)) };
        let file = found(file, tree)?;
        Ok(vec![seeded_test(NAME, parts, Some(file))])
    }

    fn commands(
        &self,
        tests: &[StandingPin],
        seed: i128,
        tree: &dyn SourceTree,
        manner: &Manner,
    ) -> Result<Vec<PinCommand>, Refusal> {
        let mut commands: Vec<PinCommand> = Vec::new();
        for (at, test) in tests.iter().enumerate() {
            let Some(file) = &test.file else { continue };
            let folder = folder(file, tree);
            let node = node(test, file, &folder);
            let known = commands.iter().position(|command| command.folder == folder).unwrap_or_else(|| {
                commands.push(command(folder, seed, manner));
                commands.len() - 1
            });
            let command = &mut commands[known];
            command.pins.push(at);
            if !command.command.contains(&node) {
                command.command.push(node);
            }
        }
        Ok(commands)
    }

    fn capture(&self, folder: &Path) -> Capture {
        let on_path = folder.join(FOLDER).to_string_lossy().into_owned();
        let variables = vec![Variable { name: "PYTHONPATH", value: on_path, between: BETWEEN }];
        Capture { folder: folder.to_owned(), files: vec![PLUGIN], variables }
    }

    fn outcomes(&self, run: &RunOutput<'_>, tests: &[&StandingPin], _tree: &dyn SourceTree) -> Vec<Proof> {
        let text = String::from_utf8_lossy(run.bytes);
        let told = told(&text);
        tests.iter().map(|test| outcome(test, &told, &text)).collect()
    }

    fn without_effect(&self, test: &StandingPin, run: &RunOutput<'_>, _tree: &dyn SourceTree) -> Option<String> {
        let text = String::from_utf8_lossy(run.bytes);
        told(&text).into_iter().filter(|one| is_of(&one.test, test)).find_map(|one| one.told.unseeded)
    }
}

/// The file and the rest of an id that names a file: `tests/test_a.py::TestA::test_x[3]`.
fn in_file(id: &str) -> Option<(&str, &str)> {
    let plain = id.split('[').next().unwrap_or_default();
    match plain.find(".py::") {
        Some(at) => Some((&id[..at + 3], &id[at + 5..])),
        None => plain.ends_with(".py").then_some((id, "")),
    }
}

/// The file that an id names: from the top, or, where only one ends so, further down.
fn found(file: &str, tree: &dyn SourceTree) -> Result<RepoPath, Refusal> {
    let from_top = RepoPath::new(file).filter(|path| tree.exists(path));
    let ending = format!("/{file}");
    let below = || tree.tracked(&|path| path.ends_with(&ending));
    match from_top.map_or_else(below, |path| vec![path]).as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(Refusal(format!("there is no file {file}"))),
        [one, other, ..] => Err(Refusal(format!("{file} may be {one} or {other}; name it from the top"))),
    }
}

/// The functions that an id without a file may mean: `test_x`, `TestA::test_x`.
fn by_name(id: &str, tree: &dyn SourceTree) -> Vec<StandingPin> {
    let plain = id.split('[').next().unwrap_or_default();
    let parts: Vec<&str> = plain.split("::").collect();
    let is_name = |part: &str| {
        !part.is_empty()
            && !part.starts_with(|c: char| c.is_ascii_digit())
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let name = parts.last().copied().unwrap_or_default();
    if !parts.iter().copied().all(is_name) || !name.starts_with("test") {
        return Vec::new();
    }
    let has = |file: &RepoPath| {
        let text = tree.read(file).unwrap_or_default();
        let module = std::str::from_utf8(&text).ok().and_then(module);
        module.is_some_and(|module| module.functions.iter().any(|function| function.path == parts))
    };
    let files = tree.holding(".py", &[&format!("def {name}")]);
    files.into_iter().filter(has).map(|file| seeded_test(NAME, id, Some(file))).collect()
}

fn command(folder: String, seed: i128, manner: &Manner) -> PinCommand {
    // Arguments that are said without this runner are another's.
    let own = manner.arguments.iter().filter(|_| manner.runner.as_deref() == Some("pytest")).cloned();
    let said = ARGUMENTS.map(str::to_owned).into_iter().chain([format!("--hypothesis-seed={seed}")]);
    PinCommand {
        command: python(&folder, manner).into_iter().chain(said).chain(own).collect(),
        folder,
        environment: vec![(COLUMNS.0, COLUMNS.1.to_owned())],
        pins: Vec::new(),
    }
}

/// The test as pytest names it in `folder`; its file, where all of that is meant.
fn node(test: &StandingPin, file: &RepoPath, folder: &str) -> String {
    let file = file.as_str().strip_prefix(folder).unwrap_or(file.as_str()).trim_start_matches('/');
    match test.runs().0.as_str() {
        "" => file.to_owned(),
        parts => format!("{file}::{parts}"),
    }
}

/// A line that our plugin handed over.
#[derive(Deserialize)]
struct Line {
    redpin: String,
    node: String,
    outcome: Option<String>,
    #[serde(default)]
    said: String,
    unseeded: Option<String>,
}

struct Told {
    test: Test,
    told: Line,
}

fn told(text: &str) -> Vec<Told> {
    let lines = text.lines().filter(|line| line.starts_with("{\"redpin\": \"seeded-test\""));
    let lines = lines.filter_map(|line| serde_json::from_str::<Line>(line).ok());
    lines
        .filter(|told| told.redpin == "seeded-test")
        .map(|told| Told { test: Test::of_node(&told.node), told })
        .collect()
}

/// Whether `told` is `test`, one of its cases, or one of a class or a file that is meant.
fn is_of(told: &Test, test: &StandingPin) -> bool {
    let own = Test::of_node(&format!("::{}", test.runs().0));
    let own: Vec<&String> = own.parts.iter().filter(|part| !part.is_empty()).collect();
    let is_file = is_same_file(told.file.as_deref(), test.file.as_ref().map(RepoPath::as_str));
    let is_same = |(at, part): (usize, &&String)| {
        let told: Option<&String> = told.parts.get(at);
        told.is_some_and(|told| {
            told == *part || told.strip_prefix(part.as_str()).is_some_and(|rest| rest.starts_with('['))
        })
    };
    is_file && !told.parts.is_empty() && own.iter().enumerate().all(is_same)
}

fn outcome(test: &StandingPin, told: &[Told], text: &str) -> Proof {
    let own: Vec<&Line> = told.iter().filter(|one| is_of(&one.test, test)).map(|one| &one.told).collect();
    let with = |words: &[&str]| {
        own.iter().find(|line| line.outcome.as_deref().is_some_and(|outcome| words.contains(&outcome)))
    };
    let proof = |state, message: String| Proof { message, ..Proof::plain(state) };
    let is_file = |test_file: &Test| {
        test_file.parts.is_empty() && is_same_file(test_file.file.as_deref(), test.file.as_ref().map(RepoPath::as_str))
    };
    if let Some(broken) = with(&["failed", "error"]) {
        return proof(PinState::Red, broken.said.clone());
    }
    if with(&["passed"]).is_some() {
        return Proof::plain(PinState::Green);
    }
    if let Some(passed_over) = with(&["skipped", "xfailed"]) {
        let word = passed_over.outcome.as_deref().unwrap_or_default();
        return proof(PinState::Missing, format!("it is {word}: {}", passed_over.said));
    }
    let is_broken = |one: &&Told| one.told.outcome.as_deref() == Some("error") && is_file(&one.test);
    if let Some(broken) = told.iter().find(is_broken) {
        let file = test.file.as_ref().map(|file| ForeignPath(file.as_str().to_owned()));
        let at = file.map(|file| Location { file, line: 1, column: None });
        let said = &broken.told.said;
        return Proof { at, ..proof(PinState::DoesNotBuild, format!("{said}{}", hint(said))) };
    }
    if !told.is_empty() || text.contains("no tests ran") || text.contains("ERROR: not found: ") {
        return proof(PinState::Missing, "no test of that name was run".to_owned());
    }
    let printed = text.lines().filter(|line| !line.starts_with("{\"redpin\""));
    let last = printed.map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("nothing was said");
    proof(PinState::DoesNotBuild, format!("{last}{}", hint(last)))
}

#[cfg(test)]
mod tests {
    use super::Hypothesis;
    use crate::framework::Seeding;
    use crate::proof::{Manner, PinState, StandingPin};
    use crate::run_output::RunOutput;
    use crate::source_tree::NoFiles;
    use crate::source_tree::testing::Files;

    fn tree() -> Files {
        let source = "class TestB:\n    def test_z(self): pass\ndef test_y(): pass\n";
        Files::new([
            ("pay/pyproject.toml", ""),
            ("pay/tests/test_a.py", source),
            ("tests/test_b.py", "def test_y(): pass\n"),
        ])
    }

    #[track_caller]
    fn check(id: &str, expected: Result<&[(&str, &str)], &str>) {
        let found = Hypothesis.meant(id, &tree());
        let told = |test: &StandingPin| (test.file.clone().unwrap().to_string(), test.runs().0.clone());
        let found = found.map(|tests| tests.iter().map(told).collect::<Vec<_>>()).map_err(|why| why.0);
        let owned = |(file, test): &(&str, &str)| ((*file).to_owned(), (*test).to_owned());
        let expected = expected.map(|all| all.iter().map(owned).collect::<Vec<_>>()).map_err(str::to_owned);
        assert_eq!(found, expected, "{id}");
    }

    #[test]
    fn an_id_tells_by_its_file_or_by_the_function_that_it_names() {
        check("tests/test_b.py::test_y[a::b]", Ok(&[("tests/test_b.py", "test_y[a::b]")]));
        check("tests/test_a.py::TestB::test_z", Ok(&[("pay/tests/test_a.py", "TestB::test_z")]));
        check("tests/test_b.py", Ok(&[("tests/test_b.py", "")]));
        check("TestB::test_z", Ok(&[("pay/tests/test_a.py", "TestB::test_z")]));
        check("test_y", Ok(&[("pay/tests/test_a.py", "test_y"), ("tests/test_b.py", "test_y")]));
        check("tests::sum_is_exact", Ok(&[]));
        check("test_gone", Ok(&[]));
        check("tests/test_c.py::test_y", Err("there is no file tests/test_c.py"));
    }

    #[test]
    fn tests_of_a_project_are_run_by_one_command_with_the_seed() {
        let ids = ["pay/tests/test_a.py::test_y", "tests/test_b.py", "pay/tests/test_a.py::TestB::test_z"];
        let tests: Vec<StandingPin> = ids.iter().flat_map(|id| Hypothesis.meant(id, &tree()).unwrap()).collect();
        let programs = [("python".to_owned(), "py".to_owned())].into();
        let manner = Manner { programs, ..Manner::default() };
        let commands = Seeding::commands(&Hypothesis, &tests, -7, &tree(), &manner).unwrap();
        let told: Vec<String> =
            commands.iter().map(|one| format!("{:?} {}: {}", one.pins, one.folder, one.command.join(" "))).collect();
        let front = "py -m pytest -q -p no:randomly -p no:cacheprovider -p redpin_seeded --tb=short --color=no \
                     --hypothesis-seed=-7";
        let expected = [
            format!("[0, 2] pay: {front} tests/test_a.py::test_y tests/test_a.py::TestB::test_z"),
            format!("[1] : {front} tests/test_b.py"),
        ];
        assert_eq!(told, expected);
    }

    #[track_caller]
    fn comes_out(id: &str, output: &str, expected: (PinState, &str)) {
        let test = &Hypothesis.meant(id, &tree()).unwrap()[0];
        let run = RunOutput::new("run", output.as_bytes());
        let found = &Hypothesis.outcomes(&run, &[test], &NoFiles)[0];
        assert_eq!((found.state, found.message.as_str()), expected, "{id}: {output}");
    }

    fn line(node: &str, outcome: &str, said: &str) -> String {
        format!(
            "{{\"redpin\": \"seeded-test\", \"node\": \"{node}\", \"outcome\": \"{outcome}\", \"said\": \"{said}\"}}\n"
        )
    }

    #[test]
    fn a_test_is_seen_in_what_is_handed_over_alone() {
        let (id, node) = ("tests/test_b.py::test_y", "tests/test_b.py::test_y");
        comes_out(id, &line(node, "passed", ""), (PinState::Green, ""));
        comes_out(id, &line(node, "failed", "assert 3 < 3"), (PinState::Red, "assert 3 < 3"));
        let broken_after = line(node, "passed", "") + &line(node, "error", "no end");
        comes_out(id, &broken_after, (PinState::Red, "no end"));
        comes_out(id, &line(node, "skipped", "slow"), (PinState::Missing, "it is skipped: slow"));
        comes_out(id, &line(node, "xfailed", ""), (PinState::Missing, "it is xfailed: "));
        comes_out(
            id,
            &line("tests/test_b.py", "error", "ImportError: no"),
            (PinState::DoesNotBuild, "ImportError: no"),
        );
        let missing = (PinState::Missing, "no test of that name was run");
        comes_out(id, &line("tests/test_b.py::test_yy", "passed", ""), missing);
        comes_out(id, &line("tests/test_c.py::test_y", "passed", ""), missing);
        comes_out(id, "PASSED tests/test_b.py::test_y\nno tests ran in 0.1s\n", missing);
        let hint = "; install it there, or name the Python that has it in .redpin/config.toml: `[verify]`, `programs = { python = \"…\" }`";
        let absent = "python3: No module named pytest";
        comes_out(id, &format!("{absent}\n"), (PinState::DoesNotBuild, &format!("{absent}{hint}")));
    }

    #[test]
    fn all_cases_of_a_test_and_all_tests_of_a_file_count() {
        let cases =
            line("tests/test_b.py::test_y[1]", "passed", "") + &line("tests/test_b.py::test_y[2]", "failed", "no");
        comes_out("tests/test_b.py::test_y", &cases, (PinState::Red, "no"));
        comes_out("tests/test_b.py::test_y[1]", &cases, (PinState::Green, ""));
        comes_out("tests/test_b.py", &cases, (PinState::Red, "no"));
        comes_out("tests/test_b.py", &line("tests/test_b.py::test_y[1]", "passed", ""), (PinState::Green, ""));
    }

    #[test]
    fn why_a_seed_has_no_effect_is_handed_over() {
        let test = &Hypothesis.meant("tests/test_b.py::test_y", &tree()).unwrap()[0];
        let output =
            "{\"redpin\": \"seeded-test\", \"node\": \"tests/test_b.py::test_y\", \"unseeded\": \"it is fixed\"}\n";
        let why = |output: &str| Hypothesis.without_effect(test, &RunOutput::new("run", output.as_bytes()), &NoFiles);
        assert_eq!(why(output), Some("it is fixed".to_owned()));
        assert_eq!(why(&line("tests/test_b.py::test_y", "passed", "")), None);
    }
}
