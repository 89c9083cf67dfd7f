//! The commands that run pins: the properties' own files, through the test runner that the package uses.

use super::NAME;
use super::asked::{Asked, PINS, has_room, told};
use super::switches::{self, Switches};
use crate::locate;
use crate::proof::{Manner, PinCommand, StandingPin};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// How packages are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Installed {
    /// In folders of the name that Node looks for.
    InFolders,
    /// Where yarn says: there are no such folders.
    ByYarn,
}

impl Installed {
    /// How those of the package in `folder` are: yarn lays down what finds them there or further up.
    fn of(folder: &str, tree: &dyn SourceTree) -> Installed {
        let ends = folder.match_indices('/').map(|(at, _)| at).chain([0, folder.len()]);
        let mut folders = ends.map(|end| &folder[..end]);
        let is_yarns = |folder: &str| RepoPath::in_folder(folder, ".pnp.cjs").is_some_and(|path| tree.exists(&path));
        if folders.any(is_yarns) { Installed::ByYarn } else { Installed::InFolders }
    }
}

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

    /// The command that runs `files`, Node being told `switches`, and says of each test how it came out.
    fn command(self, by: Installed, files: &[&str], switches: &[String], manner: &Manner) -> Vec<String> {
        let start: &[&str] = match (by, self) {
            (Installed::InFolders, Runner::Node) => &[],
            (Installed::InFolders, _) => &["npx", "--no-install"],
            (Installed::ByYarn, _) => &["yarn"],
        };
        let own: &[&str] = match self {
            Runner::Vitest => &["vitest", "run", "--no-cache", "--reporter=verbose"],
            Runner::Jest => &["jest", "--verbose"],
            Runner::Node => &["node"],
        };
        let front = [start, own].concat();
        let (switches, asked): (&[String], &[&str]) = match self {
            Runner::Node => (switches, &["--test", "--test-reporter=spec"]),
            Runner::Vitest | Runner::Jest => (&[], &[]),
        };
        let by_path = (self == Runner::Jest).then_some("--runTestsByPath");
        // Arguments that are said without one of these runners are another's.
        let is_ours = manner.runner.as_deref().is_some_and(|runner| Runner::called(runner).is_some());
        let arguments = manner.arguments.iter().filter(|_| is_ours).map(String::as_str);
        let front = front.iter().copied().chain(switches.iter().map(String::as_str)).chain(asked.iter().copied());
        let all = front.chain(arguments).chain(by_path).chain(files.iter().copied());
        all.map(str::to_owned).collect()
    }
}

/// The commands for `pins`: one a package and runner, and others for further examples of a property, each of which runs alone.
pub(super) fn commands(pins: &[StandingPin], tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
    let mut groups: Vec<Group> = Vec::new();
    for (at, pin) in pins.iter().enumerate() {
        let Some(path) = &pin.file else { continue };
        let place = Place::of(path, tree, manner);
        let asked = Asked::of(pin, &place.file, tree);
        let test = pin.runs().0.clone();
        let takes = |group: &&mut Group| group.fits(&place) && group.takes(&test, &place.file, asked.as_ref());
        match groups.iter_mut().find(takes) {
            Some(group) => group.add(at, test, place, asked),
            None => {
                let mut group = Group::at(&place);
                group.add(at, test, place, asked);
                groups.push(group);
            }
        }
    }
    groups.into_iter().map(|group| group.command(manner)).collect()
}

/// The commands that run the tests of `files`, one a package and runner, whose pins are places among them.
pub(super) fn of_files(all: &[&RepoPath], tree: &dyn SourceTree, manner: &Manner) -> Vec<PinCommand> {
    let mut groups: Vec<Group> = Vec::new();
    for (at, file) in all.iter().enumerate() {
        let place = Place::of(file, tree, manner);
        match groups.iter_mut().find(|group| group.fits(&place)) {
            Some(group) => group.add(at, String::new(), place, None),
            None => {
                let mut group = Group::at(&place);
                group.add(at, String::new(), place, None);
                groups.push(group);
            }
        }
    }
    groups.into_iter().map(|group| group.command(manner)).collect()
}

/// Where a test file is run.
struct Place {
    folder: String,
    runner: Runner,
    by: Installed,
    /// What Node is told.
    switches: Switches,
    /// The file, below the folder.
    file: String,
}

impl Place {
    fn of(path: &RepoPath, tree: &dyn SourceTree, manner: &Manner) -> Place {
        let manifests = manifests(path, tree);
        let (folder, runner) = of_manifests(&manifests);
        let own = if is_nodes(path, tree) { Runner::Node } else { runner };
        let runner = manner.runner.as_deref().and_then(Runner::called).unwrap_or(own);
        let fits = |switches: &Switches| switches.fit(&folder, tree);
        let last = manner.said.get(NAME).map(|list| Switches::kept(list)).filter(fits);
        let own = || manifests.iter().find_map(|(_, manifest)| switches::of_script(script(manifest)).filter(fits));
        let switches = last.or_else(own).unwrap_or_default();
        let below = path.as_str().strip_prefix(&folder).unwrap_or(path.as_str()).trim_start_matches('/').to_owned();
        let by = Installed::of(&folder, tree);
        Place { folder, runner, by, switches, file: below }
    }
}

/// Whether the tests of a file are of Node's own runner, whatever else its package uses.
fn is_nodes(file: &RepoPath, tree: &dyn SourceTree) -> bool {
    let holds = |text: &[u8], quoted: &str| memchr::memmem::find(text, quoted.as_bytes()).is_some();
    tree.read(file).is_some_and(|text| ["'node:test'", "\"node:test\""].iter().any(|quoted| holds(&text, quoted)))
}

/// What one command runs.
struct Group {
    folder: String,
    runner: Runner,
    by: Installed,
    switches: Switches,
    /// The pins, as places among all, with the test and the file of each.
    pins: Vec<(usize, String, String)>,
    asked: Vec<Asked>,
}

impl Group {
    fn at(place: &Place) -> Group {
        let Place { folder, runner, by, switches, .. } = place;
        Group {
            folder: folder.clone(),
            runner: *runner,
            by: *by,
            switches: switches.clone(),
            pins: Vec::new(),
            asked: Vec::new(),
        }
    }

    /// Whether its command can run the tests of `place` too. Node's own runner does not say which file a test is in.
    fn fits(&self, place: &Place) -> bool {
        let is_file = self.runner != Runner::Node || self.pins.iter().all(|(.., file)| *file == place.file);
        self.folder == place.folder && self.runner == place.runner && is_file
    }

    /// Whether it can run `test` as it is `asked`: other examples of that test, or all of it, are for other commands.
    fn takes(&self, test: &str, file: &str, asked: Option<&Asked>) -> bool {
        let runs = |one: &(usize, String, String)| one.1 == test && one.2 == file;
        match asked.filter(|asked| asked.is_of(test, file)) {
            Some(asked) => {
                let others = self.asked.iter().filter(|other| other.is_of(test, file)).count();
                let is_odd = self.asked.iter().any(|other| asked.is_at_odds(other));
                !is_odd && self.pins.iter().filter(|one| runs(one)).count() == others && has_room(&self.asked)
            }
            None => !self.asked.iter().any(|other| other.is_of(test, file)) && has_room(&self.asked),
        }
    }

    fn add(&mut self, at: usize, test: String, place: Place, asked: Option<Asked>) {
        let pin = self.pins.len();
        self.asked.extend(asked.map(|asked| asked.for_pin(pin)));
        self.pins.push((at, test, place.file));
    }

    fn command(self, manner: &Manner) -> PinCommand {
        let mut files: Vec<&str> = self.pins.iter().map(|(.., file)| file.as_str()).collect();
        files.sort_unstable();
        files.dedup();
        let mut environment = vec![("NO_COLOR", "1".to_owned()), ("FORCE_COLOR", "0".to_owned())];
        environment.extend(told(&self.asked).map(|asked| (PINS, asked)));
        // What these runners start is told by the environment alone.
        let options = match self.runner {
            Runner::Node => self.switches.options.join(" "),
            Runner::Vitest | Runner::Jest => self.switches.all(),
        };
        if !options.is_empty() {
            environment.push((switches::OPTIONS, options));
        }
        PinCommand {
            command: self.runner.command(self.by, &files, &self.switches.words, manner),
            environment,
            pins: self.pins.iter().map(|(at, ..)| *at).collect(),
            folder: self.folder,
        }
    }
}

/// The folder of the package that holds `file`, and the runner that it, or a package around it, uses.
pub(super) fn package(file: &RepoPath, tree: &dyn SourceTree) -> (String, Runner) {
    of_manifests(&manifests(file, tree))
}

fn of_manifests(manifests: &[(String, serde_json::Value)]) -> (String, Runner) {
    let runner = manifests.iter().find_map(|(_, manifest)| uses(manifest)).unwrap_or(Runner::Node);
    (manifests.first().map_or(String::new(), |(folder, _)| folder.clone()), runner)
}

/// The manifests of the packages around `file`, innermost first, each with its folder.
fn manifests(file: &RepoPath, tree: &dyn SourceTree) -> Vec<(String, serde_json::Value)> {
    let mut folders: Vec<&str> = file.folders().collect();
    folders.reverse();
    folders.push("");
    let manifests = folders.into_iter().filter_map(|folder| {
        let bytes = tree.read(&RepoPath::in_folder(folder, "package.json")?)?;
        Some((folder.to_owned(), serde_json::from_slice(&bytes).unwrap_or_default()))
    });
    manifests.collect()
}

/// The test script of a manifest.
fn script(manifest: &serde_json::Value) -> &str {
    manifest.get("scripts").and_then(|scripts| scripts.get("test")?.as_str()).unwrap_or_default()
}

/// The runner that a manifest asks for: its test script says so first.
fn uses(manifest: &serde_json::Value) -> Option<Runner> {
    let script = script(manifest);
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
    use crate::failure::TestName;
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
    fn further_examples_of_a_property_are_for_other_commands() {
        let source = "import { test, fc } from '@fast-check/vitest';\n\
            test.prop([fc.nat()], { examples: [[1], [2]] })('t', (a) => a < 1);\n\
            test.prop([fc.nat()], { examples: [[1]] })('u', (a) => a < 1);\n";
        let manifest = r#"{"devDependencies":{"vitest":"4"}}"#;
        let pin = |test: &str, input: &str| StandingPin {
            file: RepoPath::new("a.test.ts"),
            files: RepoPath::new("a.test.ts").into_iter().collect(),
            counterexample: input.to_owned(),
            ..blank_pin("fast-check", test)
        };
        let replayed = StandingPin {
            test: Some(TestName("t (pin 0)".to_owned())),
            replay: Some("seed: 1, path: \"0\"".to_owned()),
            ..pin("t", "[3]")
        };
        let property = StandingPin { files: Vec::new(), ..pin("t", "") };
        let pins = [pin("t", "[1]"), pin("t", "[2]"), pin("u", "[1]"), replayed, property, pin("t", "[2]")];
        let files = [("package.json", manifest), ("a.test.ts", source)];
        let found = commands(&pins, &Files::new(files), &Manner::default());
        let places: Vec<&[usize]> = found.iter().map(|one| one.pins.as_slice()).collect();
        assert_eq!(places, [&[0, 2, 3][..], &[1, 5][..], &[4][..]]);
        let asked = |at: usize| found[at].environment.iter().find(|(name, _)| *name == "REDPIN_PINS");
        let first = "{\"pin\":0,\"test\":\"t\",\"file\":\"a.test.ts\",\"input\":\
            \"080a9ed428559ef602668b4c00f114f1a11c3f6b02a435f0bdc154578e4d7f22\",\"place\":0,\"count\":2,\"lines\":[2,2]}";
        assert!(asked(0).unwrap().1.starts_with(&format!("[{first},")), "{:?}", asked(0));
        assert!(
            asked(0).unwrap().1.ends_with("{\"pin\":2,\"test\":\"t (pin 0)\",\"file\":\"a.test.ts\",\"whole\":true}]")
        );
        assert_eq!(asked(2), None);
    }

    #[test]
    fn node_is_told_what_the_last_command_or_the_script_tells_it() {
        let script = |text: &str| format!(r#"{{"scripts":{{"test":"{text}"}}}}"#);
        let command = |text: &str, last: Option<&str>| {
            let said = last.map(|last| ("fast-check".to_owned(), vec![last.to_owned()])).into_iter().collect();
            let manner = Manner { said, ..Manner::default() };
            let tree = Files::new([("package.json", script(text).as_str()), ("a.mjs", ""), ("a.test.ts", "")]);
            let one = commands(&[standing("a.test.ts")], &tree, &manner).remove(0);
            let options = one.environment.into_iter().find(|(name, _)| *name == "NODE_OPTIONS");
            (one.command.join(" "), options.map_or(String::new(), |(_, text)| text))
        };
        let check = |script: &str, last: Option<&str>, expected: &str, options: &str| {
            assert_eq!(command(script, last), (expected.to_owned(), options.to_owned()), "{script}");
        };
        let node = "--test --test-reporter=spec a.test.ts";
        check("node --import tsx --test", None, &format!("node --import=tsx {node}"), "");
        check("node --import tsx --test", Some("--import=./a.mjs"), &format!("node --import=./a.mjs {node}"), "");
        check("node --import tsx --test", Some("--import=./b.mjs"), &format!("node --import=tsx {node}"), "");
        check("NODE_OPTIONS=--no-warnings node --test", None, &format!("node {node}"), "--no-warnings");
        let jest = "npx --no-install jest --verbose --runTestsByPath a.test.ts";
        let flag = "--experimental-vm-modules";
        check(&format!("node {flag} node_modules/.bin/jest"), None, jest, flag);
    }

    #[test]
    fn files_of_nodes_own_runner_are_run_one_by_one() {
        check(
            &[],
            &["y.test.mjs", "z.test.mjs"],
            &[("", "node --test --test-reporter=spec y.test.mjs"), ("", "node --test --test-reporter=spec z.test.mjs")],
        );
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
        check(
            &[("package.json", r#"{"devDependencies":{"vitest":"4"}}"#), ("y.mjs", "import test from 'node:test';\n")],
            &["y.mjs"],
            &[("", "node --test --test-reporter=spec y.mjs")],
        );
        check(&[], &["y.test.mjs"], &[("", "node --test --test-reporter=spec y.test.mjs")]);
        let yarns = [(".pnp.cjs", ""), ("a/b/package.json", r#"{"devDependencies":{"vitest":"4"}}"#), ("c.mjs", "")];
        check(&yarns, &["a/b/y.test.js"], &[("a/b", "yarn vitest run --no-cache --reporter=verbose y.test.js")]);
        check(&yarns, &["c.mjs"], &[("", "yarn node --test --test-reporter=spec c.mjs")]);
    }
}
