//! What a kept seed comes to: its property is run with that seed alone, and the library tells each input before it is tried.

use super::Proptest;
use super::found::{self, Found};
use super::regression::{SeedSource, lines, place};
use crate::carrier::cargo_tests::{cargo_test, environment};
use crate::framework::rust::graft::named;
use crate::framework::{Generated, Handles, Recording};
use crate::language::rust::target::targets;
use crate::pin::Refusal;
use crate::proof::{Manner, PinCommand, StandingPin};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Has the library tell each input; no more cases than it must, and no shrinking.
const TELLING: [(&str, &str); 4] =
    [("PROPTEST_VERBOSE", "2"), ("PROPTEST_CASES", "1"), ("PROPTEST_MAX_SHRINK_ITERS", "0"), ("RUST_BACKTRACE", "0")];

/// What the library says before it tries an input, and after.
const INPUT: &str = "proptest: Next test input: ";
const FAILED: &str = "proptest: Test case failed: ";
const ANY: &str = "\nproptest: ";

impl Handles for Proptest {
    fn is_kept(&self, pin: &StandingPin, tree: &dyn SourceTree) -> bool {
        let Some(handle) = &pin.replay else { return true };
        let holds = |file: &RepoPath| {
            let text = tree.read(file).unwrap_or_default();
            lines(&text).any(|line| line.seed().is_some_and(|seed| seed.handle() == *handle))
        };
        pin.files.iter().any(holds)
            || property(pin, tree).and_then(|found| file(pin, &found, tree)).map_or(true, |file| holds(&file))
    }

    fn run(&self, pin: &StandingPin, tree: &dyn SourceTree, manner: &Manner) -> Result<Recording, Refusal> {
        let found = property(pin, tree)?;
        let file = file(pin, &found, tree)?;
        let handle = pin.replay.as_ref().ok_or_else(|| Refusal("it has no seed".to_owned()))?;
        let targets = targets(&found.file, tree);
        let mut command = cargo_test(&targets.switches().concat(), &[pin.property.0.as_str()], manner);
        command.push("--show-output".to_owned());
        let telling = TELLING.map(|(name, value)| (name, value.to_owned()));
        let environment = environment(manner).into_iter().chain(telling).collect();
        let run = PinCommand { command, folder: found.package.folder, environment, pins: Vec::new() };
        Ok(Recording { run, files: vec![(file, format!("{handle}\n"))] })
    }

    fn told(&self, output: &[u8]) -> Option<Generated> {
        told(&String::from_utf8_lossy(output))
    }
}

fn property(pin: &StandingPin, tree: &dyn SourceTree) -> Result<Found, Refusal> {
    found::find(&named(pin, &pin.property), tree)
}

/// The file in which the library looks for seeds of the property.
fn file(pin: &StandingPin, found: &Found, tree: &dyn SourceTree) -> Result<RepoPath, Refusal> {
    let place = place(&named(pin, &pin.property), SeedSource::of(found), tree).map_err(Refusal)?;
    Ok(place.file)
}

/// The first input and whether it failed.
fn told(output: &str) -> Option<Generated> {
    let output = output.replace("\r\n", "\n");
    let (_, rest) = output.split_once(INPUT)?;
    let (input, after) = rest.split_once(ANY)?;
    let next = format!("{}{after}", &ANY[1..]);
    Some(Generated { input: input.to_owned(), fails: next.starts_with(FAILED) })
}

#[cfg(test)]
mod tests {
    use super::told;
    use crate::failure::TestName;
    use crate::framework::proptest::Proptest;
    use crate::framework::{Generated, Handles};
    use crate::proof::testing::blank_pin;
    use crate::proof::{Manner, StandingPin};
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    const SEED: &str = "xs 1 2 3 4";

    #[track_caller]
    fn check(output: &str, expected: Option<(&str, bool)>) {
        let expected = expected.map(|(input, fails)| Generated { input: input.to_owned(), fails });
        assert_eq!(told(output), expected, "{output}");
    }

    #[test]
    fn the_first_input_is_that_of_the_seed() {
        let passes = "---- f stdout ----\nproptest: Next test input: x = 3\nproptest: Test case passed\nproptest: Next test input: x = 4\nproptest: Test case failed: no\n";
        check(passes, Some(("x = 3", false)));
        check(
            "proptest: Next test input: B {\n  1\n}\r\nproptest: Test case failed: no\r\n",
            Some(("B {\n  1\n}", true)),
        );
        check("running 1 test\ntest f ... ok\n", None);
        check("proptest: Next test input: cut", None);
    }

    fn pin() -> StandingPin {
        StandingPin {
            file: RepoPath::new("a/src/lib.rs"),
            replay: Some(SEED.to_owned()),
            ..blank_pin("proptest", "one")
        }
    }

    fn tree(kept: &str) -> Files {
        let source = "proptest! { #[test] fn one(x in 0..9) {} }";
        let files = [("a/Cargo.toml", "[package]\nname = \"a\"\n"), ("a/src/lib.rs", source)];
        Files::new(files.into_iter().chain([("a/proptest-regressions/lib.txt", kept)]))
    }

    #[test]
    fn the_seed_is_run_alone() {
        let told = Proptest.run(&pin(), &tree("xs 5 6 7 8\n"), &Manner::default()).unwrap();
        assert_eq!(told.run.command.join(" "), "cargo test --no-fail-fast --lib -- --exact one --show-output");
        assert_eq!(told.files, [(RepoPath::new("a/proptest-regressions/lib.txt").unwrap(), format!("{SEED}\n"))]);
    }

    #[test]
    fn a_seed_is_kept_where_a_file_that_is_read_has_its_line() {
        assert!(Proptest.is_kept(&pin(), &tree("# seeds\nxs 1 2 3 4 # shrinks to x = 7\n")));
        assert!(!Proptest.is_kept(&pin(), &tree("xs 5 6 7 8\n")));
        assert!(Proptest.is_kept(&StandingPin { replay: None, ..pin() }, &tree("")));
        assert!(Proptest.is_kept(&StandingPin { property: TestName("gone".to_owned()), ..pin() }, &tree("")));
    }
}
