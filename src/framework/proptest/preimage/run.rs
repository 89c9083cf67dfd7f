//! How one property is run alone, from its seed, against the instrumented copy of the library. Nothing of the user's
//! configuration of the library is touched: how many cases it makes decides how it shrinks.

use super::instrument::FOLDER;
use crate::failure::{Failure, Replay};
use crate::framework::proptest::command::{environment, split};
use crate::framework::proptest::found;
use crate::framework::proptest::regression::{self, SeedSource};
use crate::framework::{CopyPlaces, Recording};
use crate::language::rust::target::targets;
use crate::pin::Refusal;
use crate::proof::{Manner, PinCommand};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// The command for the property of `failure`, whose repository is `tree`.
///
/// # Errors
/// Where the property is not in the repository.
pub(in crate::framework) fn recording(
    failure: &Failure,
    tree: &dyn SourceTree,
    manner: &Manner,
    places: &CopyPlaces<'_>,
    attempt: usize,
) -> Result<Recording, Refusal> {
    let found = found::find(failure, tree)?;
    let targets = targets(&found.file, tree);
    // The lock file changes with the copy, so nothing may demand that it stays.
    let kept = |argument: &String| !["--locked", "--frozen"].contains(&argument.as_str());
    let (toolchain, arguments) = split(manner);
    let profile = |argument: String| argument.replacen("--cargo-profile", "--profile", 1);
    let patch = format!("patch.crates-io.{}.path={:?}", super::super::NAME, places.copy);
    let command = std::iter::once("cargo".to_owned())
        .chain(toolchain)
        .chain(["--offline", "--config"].map(str::to_owned))
        .chain([patch, "test".to_owned(), "--no-fail-fast".to_owned()])
        .chain(targets.switches.concat())
        .chain(arguments.into_iter().filter(kept).map(profile))
        .chain(["--", "--exact", failure.test.0.as_str()].map(str::to_owned))
        .collect();
    let files = seeds(failure, SeedSource::of(&found), tree, attempt);
    let environment = environment(manner).into_iter().chain([(FOLDER, places.records.to_owned())]).collect();
    let run = PinCommand { command, folder: found.package.folder, environment, pins: Vec::new() };
    Ok(Recording { run, files: files.into_iter().collect() })
}

/// The file of seeds with what it holds for the run: the seed alone where it is known, else first what is kept there, then
/// nothing, as others' seeds would be run before any new case.
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
    let kept = if attempt == 0 { tree.read(&file).unwrap_or_default().to_vec() } else { Vec::new() };
    Some((file, String::from_utf8_lossy(&kept).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::recording;
    use crate::failure::{Failure, ForeignPath, Location, Replay, testing};
    use crate::framework::CopyPlaces;
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
        let manner = Manner { arguments, runner: None, target: Some("/c/t".to_owned()) };
        let places = CopyPlaces { copy: "/c/p t", records: "/c/r" };
        let told = recording(&failure, &tree, &manner, &places, 0).unwrap();
        let environment = [("CARGO_TARGET_DIR", "/c/t".to_owned()), ("REDPIN_RECORD", "/c/r".to_owned())];
        assert_eq!(told.run.environment, environment);
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
}
