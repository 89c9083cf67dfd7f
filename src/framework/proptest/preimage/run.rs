//! How properties are run from their seeds against the instrumented copy of the library: all of a test program together,
//! and where that tells nothing of one of them, that one alone. Nothing of the user's configuration of the library is
//! touched: how many cases it makes decides how it shrinks.

use super::instrument::{FOLDER, SEEDS};
use crate::carrier::cargo_tests::{environment, split};
use crate::failure::{Failure, Replay};
use crate::framework::proptest::found::{self, Found};
use crate::framework::proptest::regression::{self, Seed, SeedSource};
use crate::framework::{CopyPlaces, LibraryCopy, Recording};
use crate::language::rust::target::targets;
use crate::pin::Refusal;
use crate::proof::{Manner, PinCommand};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::value::Value;

/// Whether a panic prints its backtrace. Each step of shrinking panics, nobody reads what they print, and where the user has
/// them on, writing them takes longer than the property.
const BACKTRACES: &str = "RUST_BACKTRACE";

/// Most bytes of seeds that one run is given: the system bounds what an environment and a command line hold.
const MOST: usize = 1 << 16;

/// Most seeds that are run alone each to see whether they are the one.
const MOST_LIKELY: usize = 5;

/// The command for the property of `failure` alone, whose repository is `tree`.
///
/// # Errors
/// Where the property is not in the repository.
pub(super) fn recording(
    failure: &Failure,
    tree: &dyn SourceTree,
    manner: &Manner,
    places: &CopyPlaces<'_>,
    attempt: usize,
) -> Result<Recording, Refusal> {
    let found = found::find(failure, tree)?;
    let program = Program::of(&found, tree);
    let environment = in_environment(manner, places);
    let command = program.command(&[failure.test.0.as_str()], manner, places);
    let files = seeds(failure, SeedSource::of(&found), tree, attempt);
    let run = PinCommand { command, folder: program.folder, environment, pins: Vec::new() };
    Ok(Recording { run, files: files.into_iter().collect() })
}

/// The commands for the properties of `failures` that are in the repository, one a test program. Each runs its own seed
/// where that is known: in a file of seeds, every property would run those of all others first.
pub(super) fn recordings(
    failures: &[&Failure],
    tree: &dyn SourceTree,
    manner: &Manner,
    places: &CopyPlaces<'_>,
) -> Vec<Recording> {
    let mut groups: Vec<Group> = Vec::new();
    for (at, failure) in failures.iter().enumerate() {
        let Ok(found) = found::find(failure, tree) else { continue };
        let (program, line) = (Program::of(&found, tree), seed_line(failure));
        // Of two failures of one property each has a run to itself.
        let has_room = |group: &&mut Group| {
            group.program == program
                && group.seeds.len() + line.len() < MOST
                && group.failures.iter().all(|other| failures[*other].test != failure.test)
        };
        match groups.iter_mut().find(has_room) {
            Some(group) => {
                group.seeds.push_str(&line);
                group.failures.push(at);
            }
            None => groups.push(Group { program, seeds: line, failures: vec![at] }),
        }
    }
    let recording = |Group { program, seeds, failures: run }: Group| {
        let tests: Vec<&str> = run.iter().map(|at| failures[*at].test.0.as_str()).collect();
        let command = program.command(&tests, manner, places);
        let environment = in_environment(manner, places).into_iter().chain([(SEEDS, seeds)]).collect();
        Recording { run: PinCommand { command, folder: program.folder, environment, pins: run }, files: Vec::new() }
    };
    groups.into_iter().map(recording).collect()
}

/// Properties that are run together.
struct Group {
    program: Program,
    /// The lines of their seeds.
    seeds: String,
    failures: Vec<usize>,
}

/// A property and its seed as the recorder reads them; nothing where no seed is known.
fn seed_line(failure: &Failure) -> String {
    let seed = match &failure.replay {
        Replay::NewSeed { handle, .. } => Seed::parse(handle),
        _ => None,
    };
    seed.map_or(String::new(), |seed| format!("{}\t{}\n", failure.test.0, seed.handle()))
}

/// The test programs that a property is built into, by the package's folder and cargo's switches.
#[derive(PartialEq, Eq)]
struct Program {
    folder: String,
    switches: Vec<String>,
}

impl Program {
    fn of(found: &Found, tree: &dyn SourceTree) -> Program {
        let targets = targets(&found.file, tree);
        Program { folder: found.package.folder.clone(), switches: targets.switches().concat() }
    }

    fn command(&self, tests: &[&str], manner: &Manner, places: &CopyPlaces<'_>) -> Vec<String> {
        // The lock file changes with the copy, so nothing may demand that it stays.
        let kept = |argument: &String| !["--locked", "--frozen"].contains(&argument.as_str());
        let (toolchain, arguments) = split(manner);
        let profile = |argument: String| argument.replacen("--cargo-profile", "--profile", 1);
        std::iter::once("cargo".to_owned())
            .chain(toolchain)
            .chain(["--offline".to_owned()])
            .chain(places.copy.into_iter().flat_map(in_place))
            .chain(["test", "--no-fail-fast"].map(str::to_owned))
            .chain(self.switches.iter().cloned())
            .chain(arguments.into_iter().filter(kept).map(profile))
            .chain(["--", "--exact"].into_iter().chain(tests.iter().copied()).map(str::to_owned))
            .collect()
    }
}

/// What has cargo build the copy in the place of the library. A registry's packages are patched by its name; those of git and of
/// other folders may be patched themselves already, under a name that only some manifest says, or have none at all, and cargo
/// takes any package's place by a path.
fn in_place(copy: LibraryCopy<'_>) -> [String; 2] {
    let LibraryCopy { folder, is_of_registry } = copy;
    let place = match is_of_registry {
        true => format!("patch.crates-io.{}.path={folder:?}", super::super::NAME),
        false => format!("paths=[{folder:?}]"),
    };
    ["--config".to_owned(), place]
}

fn in_environment(manner: &Manner, places: &CopyPlaces<'_>) -> Vec<(&'static str, String)> {
    let told = [(FOLDER, places.records.to_owned()), (BACKTRACES, "0".to_owned())];
    environment(manner).into_iter().chain(told).collect()
}

/// The file of seeds with what it holds for the run: the seed alone where it is known. Else first what is kept there, then
/// each of those that may be it alone, as the run may have had no other yet, then nothing, as they would be run before any
/// new case.
fn seeds(
    failure: &Failure,
    source: SeedSource<'_>,
    tree: &dyn SourceTree,
    attempt: usize,
) -> Option<(RepoPath, String)> {
    if matches!(failure.replay, Replay::NewSeed { .. }) {
        let (part, _) = regression::part(failure, source, tree).ok()?;
        return Some((part.file, format!("{}\n", part.text)));
    }
    let file = regression::place(failure, source, tree).ok()?.file;
    let kept = String::from_utf8_lossy(&tree.read(&file).unwrap_or_default()).into_owned();
    let text = match attempt.checked_sub(1) {
        None => kept,
        Some(at) => likely(failure, &kept).get(at).map(|line| format!("{line}\n")).unwrap_or_default(),
    };
    Some((file, text))
}

/// The lines of seeds in `kept` that may be of `failure`, the likeliest first: those that tell its values, then the newest.
fn likely<'k>(failure: &Failure, kept: &'k str) -> Vec<&'k str> {
    let is_seed = |line: &&str| Seed::parse(line.split('#').next().unwrap_or_default().trim()).is_some();
    let values: Vec<String> =
        failure.counterexample.arguments.iter().map(|one| Value::parse(&one.text).compact()).collect();
    let tells = |line: &str| !values.is_empty() && values.iter().all(|value| line.contains(value.as_str()));
    let mut lines: Vec<&str> = kept.lines().rev().filter(is_seed).collect();
    lines.sort_by_key(|line| !tells(line));
    lines.truncate(MOST_LIKELY);
    lines
}

#[cfg(test)]
mod tests {
    use super::{in_place, recording, recordings};
    use crate::failure::{Argument, Counterexample, Failure, ForeignPath, Location, Replay, testing};
    use crate::framework::{CopyPlaces, LibraryCopy};
    use crate::proof::Manner;
    use crate::source_tree::testing::Files;

    /// The folder and command, then each file with its text.
    #[track_caller]
    fn check(replay: Replay, arguments: &[&str], expected: &[&str]) {
        let tree = Files::new([
            ("a/Cargo.toml", "[package]\nname = \"a\"\n"),
            ("a/src/lib.rs", "proptest! { #[test] fn one(x in 0..9) {} }"),
            ("a/proptest-regressions/lib.txt", "cc 0a # shrinks to x = 1\nxs 1 2 3 4 # shrinks to x = 7\n"),
        ]);
        let location = Some(Location { file: ForeignPath("src/lib.rs".into()), line: 1, column: None });
        let failure = Failure { location, replay, ..testing::failure("one") };
        let arguments = arguments.iter().map(|word| (*word).to_owned()).collect();
        let manner = Manner { arguments, target: Some("/c/t".to_owned()), ..Manner::default() };
        let places = CopyPlaces { copy: Some(LibraryCopy { folder: "/c/p t", is_of_registry: true }), records: "/c/r" };
        let told = recording(&failure, &tree, &manner, &places, 0).unwrap();
        let environment = [("CARGO_TARGET_DIR", "/c/t"), ("REDPIN_RECORD", "/c/r"), ("RUST_BACKTRACE", "0")];
        let set: Vec<_> = told.run.environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert!(environment.iter().all(|variable| set.contains(variable)), "{set:?}");
        let mut lines = vec![format!("{}: {}", told.run.folder, told.run.command.join(" "))];
        lines.extend(told.files.iter().map(|(path, text)| format!("{path}: {text}")));
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_seed_is_run_alone() {
        check(
            Replay::NewSeed { handle: "xs 1 2 3 4".into(), file: None },
            &["--all-features", "--locked"],
            &[
                "a: cargo --offline --config patch.crates-io.proptest.path=\"/c/p t\" test --no-fail-fast --lib --all-features -- --exact one",
                "a/proptest-regressions/lib.txt: xs 1 2 3 4 # shrinks to x = 7\n",
            ],
        );
    }

    #[test]
    fn where_no_seed_is_known_the_kept_ones_stay() {
        check(
            Replay::Replayed,
            &[],
            &[
                "a: cargo --offline --config patch.crates-io.proptest.path=\"/c/p t\" test --no-fail-fast --lib -- --exact one",
                "a/proptest-regressions/lib.txt: cc 0a # shrinks to x = 1\nxs 1 2 3 4 # shrinks to x = 7\n",
            ],
        );
    }

    #[test]
    fn seeds_that_may_be_it_are_run_alone_the_likeliest_first() {
        let tree = Files::new([
            ("a/Cargo.toml", "[package]\nname = \"a\"\n"),
            ("a/src/lib.rs", "proptest! { #[test] fn one(x in 0..9) {} }"),
            (
                "a/proptest-regressions/lib.txt",
                "# Seeds\nxs 1 2 3 4 # shrinks to y = (1, 2)\nxs 5 6 7 8 # shrinks to x = 7\n",
            ),
        ]);
        let location = Some(Location { file: ForeignPath("src/lib.rs".into()), line: 1, column: None });
        let argument = Argument { name: "x".into(), text: "(\n    1,\n    2,\n)".into() };
        let counterexample = Counterexample { text: String::new(), arguments: vec![argument] };
        let failure = Failure { location, replay: Replay::Replayed, counterexample, ..testing::failure("one") };
        let places = CopyPlaces { copy: None, records: "/r" };
        let text =
            |attempt| recording(&failure, &tree, &Manner::default(), &places, attempt).unwrap().files.remove(0).1;
        assert!(text(0).starts_with("# Seeds\nxs 1"));
        assert_eq!(
            [1, 2, 3].map(text),
            ["xs 1 2 3 4 # shrinks to y = (1, 2)\n", "xs 5 6 7 8 # shrinks to x = 7\n", ""]
        );
    }

    #[test]
    fn properties_of_one_program_are_run_together_each_from_its_own_seed() {
        let tree = Files::new([
            ("Cargo.toml", "[package]\nname = \"a\"\n"),
            ("src/lib.rs", "proptest! { #[test] fn one(x in 0..9) {} #[test] fn two(x in 0..9) {} }"),
            ("tests/it.rs", "proptest! { #[test] fn one(x in 0..9) {} }"),
        ]);
        let failure = |test: &str, file: &str, replay: Replay| {
            let location = Some(Location { file: ForeignPath(file.into()), line: 1, column: None });
            Failure { location, replay, ..testing::failure(test) }
        };
        let seed = |handle: &str| Replay::NewSeed { handle: handle.into(), file: None };
        let failures = [
            failure("one", "src/lib.rs", seed("xs 1 2 3 4")),
            failure("one", "tests/it.rs", seed("xs 5 6 7 8")),
            failure("two", "src/lib.rs", Replay::Replayed),
            failure("one", "src/lib.rs", seed("xs 9 9 9 9")),
            failure("none", "src/none.rs", seed("xs 1 2 3 4")),
        ];
        let failures: Vec<&Failure> = failures.iter().collect();
        let places = CopyPlaces { copy: None, records: "/r" };
        let told = recordings(&failures, &tree, &Manner::default(), &places);
        let line = |one: &crate::framework::Recording| {
            let (name, seeds) = one.run.environment.last().unwrap();
            let command = one.run.command.join(" ");
            let command = command.strip_prefix("cargo --offline test --no-fail-fast ").unwrap();
            format!("{:?} {command} {name}={seeds:?}", one.run.pins)
        };
        assert_eq!(
            told.iter().map(line).collect::<Vec<_>>(),
            [
                "[0, 2] --lib -- --exact one two REDPIN_SEEDS=\"one\\txs 1 2 3 4\\n\"",
                "[1] --test it -- --exact one REDPIN_SEEDS=\"one\\txs 5 6 7 8\\n\"",
                "[3] --lib -- --exact one REDPIN_SEEDS=\"one\\txs 9 9 9 9\\n\"",
            ]
        );
    }

    #[test]
    fn a_library_of_no_registry_gives_way_by_its_name_alone() {
        let copy = LibraryCopy { folder: "/c/p \"t\"", is_of_registry: false };
        assert_eq!(in_place(copy), ["--config", "paths=[\"/c/p \\\"t\\\"\"]"]);
    }
}
