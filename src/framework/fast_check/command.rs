//! The commands that run pins: the properties' own files, through the test runner that the package uses.

use crate::locate;
use crate::proof::{Manner, PinCommand, StandingPin};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// A test runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runner {
    Vitest,
    Jest,
    Node,
}

impl Runner {
    fn called(name: &str) -> Option<Runner> {
        match name {
            "vitest" => Some(Runner::Vitest),
            "jest" => Some(Runner::Jest),
            "node" => Some(Runner::Node),
            _ => None,
        }
    }

    /// The command that runs `files` and says of each test how it came out.
    fn command(self, files: &[&str], manner: &Manner) -> Vec<String> {
        let front: &[&str] = match self {
            Runner::Vitest => &["npx", "--no-install", "vitest", "run", "--no-cache", "--reporter=verbose"],
            Runner::Jest => &["npx", "--no-install", "jest", "--verbose"],
            Runner::Node => &["node", "--test", "--test-reporter=spec"],
        };
        let by_path = (self == Runner::Jest).then_some("--runTestsByPath");
        // Arguments that are said without one of these runners are another's.
        let is_ours = manner.runner.as_deref().is_some_and(|runner| Runner::called(runner).is_some());
        let arguments = manner.arguments.iter().filter(|_| is_ours).map(String::as_str);
        let all = front.iter().copied().chain(arguments).chain(by_path).chain(files.iter().copied());
        all.map(str::to_owned).collect()
    }
}

/// The commands for `pins`, one a package and runner.
pub(super) fn commands(pins: &[StandingPin], tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
    let in_file = (0..pins.len()).filter_map(|at| Some((at, pins[at].file.as_ref()?)));
    let (places, files): (Vec<usize>, Vec<&RepoPath>) = in_file.unzip();
    let mut commands = of_files(&files, tree, manner);
    commands.iter_mut().flat_map(|one| &mut one.pins).for_each(|at| *at = places[*at]);
    commands
}

/// The commands that run the tests of `files`, one a package and runner, whose pins are places among them.
pub(super) fn of_files(all: &[&RepoPath], tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
    let mut groups: Vec<(String, Runner, Vec<usize>)> = Vec::new();
    for (at, file) in all.iter().enumerate() {
        let (folder, runner) = package(file, tree);
        let runner = manner.runner.as_deref().and_then(Runner::called).unwrap_or(runner);
        match groups.iter_mut().find(|(known, by, _)| *known == folder && *by == runner) {
            Some((.., places)) => places.push(at),
            None => groups.push((folder, runner, vec![at])),
        }
    }
    let command = |(folder, runner, places): (String, Runner, Vec<usize>)| {
        let below = |file: &RepoPath| {
            let path = file.as_str();
            path.strip_prefix(&folder).map_or(path, |rest| rest.trim_start_matches('/')).to_owned()
        };
        let mut files: Vec<String> = places.iter().map(|at| below(all[*at])).collect();
        files.sort();
        files.dedup();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        PinCommand {
            command: runner.command(&files, manner),
            folder,
            environment: vec![("NO_COLOR", "1".to_owned()), ("FORCE_COLOR", "0".to_owned())],
            pins: places,
        }
    };
    groups.into_iter().map(command).collect()
}

/// The folder of the package that holds `file`, and the runner that it, or a package around it, uses.
pub(super) fn package(file: &RepoPath, tree: &dyn SourceTree) -> (String, Runner) {
    let mut folders: Vec<&str> = file.folders().collect();
    folders.reverse();
    folders.push("");
    let manifests = folders.into_iter().filter_map(|folder| {
        let bytes = tree.read(&RepoPath::in_folder(folder, "package.json")?)?;
        Some((folder, serde_json::from_slice::<serde_json::Value>(&bytes).unwrap_or_default()))
    });
    let manifests: Vec<(&str, serde_json::Value)> = manifests.collect();
    let runner = manifests.iter().find_map(|(_, manifest)| uses(manifest)).unwrap_or(Runner::Node);
    (manifests.first().map_or(String::new(), |(folder, _)| (*folder).to_owned()), runner)
}

/// The runner that a manifest asks for: its test script says so first.
fn uses(manifest: &serde_json::Value) -> Option<Runner> {
    let script = manifest.get("scripts").and_then(|scripts| scripts.get("test")?.as_str()).unwrap_or_default();
    let word = script.split(|c: char| !c.is_ascii_alphanumeric()).find_map(|word| match Runner::called(word) {
        Some(Runner::Node) if !script.contains("--test") => None,
        found => found,
    });
    let depends = |name: &str| {
        ["devDependencies", "dependencies"]
            .iter()
            .any(|list| manifest.get(list).is_some_and(|list| list.get(name).is_some()))
    };
    let needed = [("vitest", Runner::Vitest), ("jest", Runner::Jest)].into_iter().find(|(name, _)| depends(name));
    word.or(needed.map(|(_, runner)| runner))
}

/// Whether `at` is in another file than the property of `pin`.
pub(super) fn is_below(pin: &StandingPin, at: &crate::failure::Location) -> bool {
    pin.file.as_ref().is_some_and(|file| !locate::means(&at.file, file))
}

#[cfg(test)]
mod tests {
    use super::commands;
    use crate::proof::testing::blank_pin;
    use crate::proof::{Manner, StandingPin};
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    pub(crate) fn standing(file: &str) -> StandingPin {
        StandingPin { file: RepoPath::new(file), ..blank_pin("fast-check", "t") }
    }

    #[track_caller]
    fn check(files: &[(&str, &str)], pins: &[&str], expected: &[(&str, &str)]) {
        let pins: Vec<StandingPin> = pins.iter().map(|file| standing(file)).collect();
        let found = commands(&pins, &Files::new(files.iter().copied()), &Manner::default());
        let found: Vec<(&str, String)> = found.iter().map(|one| (one.folder.as_str(), one.command.join(" "))).collect();
        let expected: Vec<(&str, String)> =
            expected.iter().map(|(folder, command)| (*folder, (*command).to_owned())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_said_of_another_runner_is_not_handed_on() {
        let command = |runner: &str| {
            let (arguments, runner) = (vec!["--features".to_owned()], Some(runner.to_owned()));
            let manner = Manner { arguments, runner, ..Manner::default() };
            commands(&[standing("a.test.ts")], &Files::new([]), &manner)[0].command.join(" ")
        };
        assert_eq!(command("nextest"), "node --test --test-reporter=spec a.test.ts");
        assert_eq!(command("jest"), "npx --no-install jest --verbose --features --runTestsByPath a.test.ts");
    }

    #[test]
    fn the_packages_own_runner_runs_the_files() {
        check(
            &[
                ("package.json", r#"{"devDependencies":{"vitest":"4"}}"#),
                ("a/package.json", r#"{"scripts":{"test":"jest --ci"}}"#),
            ],
            &["tests/x.test.ts", "tests/x.test.ts", "a/y.test.js"],
            &[
                ("", "npx --no-install vitest run --no-cache --reporter=verbose tests/x.test.ts"),
                ("a", "npx --no-install jest --verbose --runTestsByPath y.test.js"),
            ],
        );
        check(
            &[("package.json", r#"{"devDependencies":{"vitest":"4"}}"#), ("a/package.json", "{}")],
            &["a/y.test.js"],
            &[("a", "npx --no-install vitest run --no-cache --reporter=verbose y.test.js")],
        );
        check(&[], &["y.test.mjs"], &[("", "node --test --test-reporter=spec y.test.mjs")]);
    }
}
