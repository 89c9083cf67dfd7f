//! What a verdict does to the regression file: the line of a pin, and the line that is taken out where nothing is pinned.

use crate::failure::{Failure, Replay};
use crate::framework::Forget;
use crate::framework::proptest::found;
use crate::locate;
use crate::pin::{Part, PartKind};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

use super::place::{SeedSource, keeps_none, place};
use super::{Seed, find, line, remove};

/// The part of a pin that goes into the regression file, with what the user should know of it. The line is the one that
/// stands there already in the work tree, as proptest wrote it; else it is made anew of what the run printed.
///
/// # Errors
/// Why the failure has no such line, as a sentence.
pub(crate) fn part(
    failure: &Failure,
    source: SeedSource<'_>,
    tree: &dyn SourceTree,
) -> Result<(Part, Option<String>), String> {
    let seed = match &failure.replay {
        Replay::NewSeed { handle, .. } => {
            Seed::parse(handle).ok_or_else(|| "the run printed a seed that proptest would not understand".to_owned())?
        }
        Replay::Replayed | Replay::None if keeps_none(source) => {
            return Err("its configuration keeps no seeds".to_owned());
        }
        Replay::Replayed => {
            return Err("it failed by replay of a kept seed or in the first case, and the run names no seed".to_owned());
        }
        Replay::None => return Err("the run names no seed for it".to_owned()),
    };
    let place = place(failure, source, tree)?;
    let text = tree.read(&place.file).and_then(|text| kept_line(&text, &seed));
    let text = text.unwrap_or_else(|| line(&seed, &failure.counterexample));
    Ok((Part { file: place.file, kind: PartKind::ReplayLine, modules: Vec::new(), text }, place.warning))
}

/// The line of `seed` with its value, as it stands in a regression file.
fn kept_line(text: &[u8], seed: &Seed) -> Option<String> {
    let kept = find(text, seed)?;
    let shrunk = kept.shrunk()?;
    (!shrunk.contains(char::REPLACEMENT_CHARACTER)).then(|| format!("{} #{}{shrunk}", seed.handle(), super::SHRINKS_TO))
}

/// The regression file and how the line of `failure` is taken out of it.
pub(crate) fn forget(failure: &Failure, tree: &dyn SourceTree) -> Option<(RepoPath, Forget)> {
    let Replay::NewSeed { handle, file: printed } = &failure.replay else { return None };
    let seed = Seed::parse(handle)?;
    let by_source = found::find(failure, tree).ok().and_then(|found| place(failure, SeedSource::of(&found), tree).ok());
    let file = match by_source {
        Some(place) => place.file,
        None => locate::file(printed.as_ref()?, tree, &|_| true)?,
    };
    Some((file, Box::new(move |text| remove(text, &seed))))
}

#[cfg(test)]
mod tests {
    use super::{SeedSource, forget, part};
    use crate::failure::{Argument, Counterexample, Failure, ForeignPath, Location, Replay, testing};
    use crate::framework::proptest::found::find;
    use crate::source_tree::testing::Files;

    const SEED: &str = "xs 1 2 3 4";

    fn files(kept: &str) -> Files {
        Files::new([
            ("Cargo.toml", "[package]\nname = \"rates\"\n"),
            ("src/lib.rs", ""),
            ("src/rate.rs", "proptest! { #[test] fn one(x in 0..9) {} }"),
            ("proptest-regressions/rate.txt", kept),
        ])
    }

    fn failure(test: &str, replay: Replay) -> Failure {
        let argument = Argument { name: "x".into(), text: "[\n    7,\n]".into() };
        Failure {
            location: Some(Location { file: ForeignPath("src/rate.rs".into()), line: 1, column: None }),
            counterexample: Counterexample { text: String::new(), arguments: vec![argument] },
            replay,
            ..testing::failure(test)
        }
    }

    fn new_seed() -> Replay {
        let file = Some(ForeignPath("/w/p/proptest-regressions/rate.txt".into()));
        Replay::NewSeed { handle: SEED.into(), file }
    }

    #[track_caller]
    fn check(kept: &str, replay: Replay, expected: Result<&str, &str>) {
        let tree = files(kept);
        let failure = failure("rate::one", replay);
        let found = find(&failure, &tree).unwrap();
        let part = part(&failure, SeedSource::of(&found), &tree);
        let told = part.map(|(part, warning)| {
            assert_eq!((part.file.as_str(), warning), ("proptest-regressions/rate.txt", None));
            part.text
        });
        assert_eq!(told, expected.map(str::to_owned).map_err(str::to_owned));
    }

    #[test]
    fn a_line_is_taken_as_kept_or_made_of_what_was_printed() {
        check("", new_seed(), Ok("xs 1 2 3 4 # shrinks to x = [7]"));
        check("xs 1 2 3 4\n", new_seed(), Ok("xs 1 2 3 4 # shrinks to x = [7]"));
        check("xs 1 2 3 4 # shrinks to x = [7, ]\r\n", new_seed(), Ok("xs 1 2 3 4 # shrinks to x = [7, ]"));
    }

    #[test]
    fn without_a_seed_there_is_no_line() {
        check("", Replay::None, Err("the run names no seed for it"));
        check(
            "",
            Replay::Replayed,
            Err("it failed by replay of a kept seed or in the first case, and the run names no seed"),
        );
        let odd = Replay::NewSeed { handle: "cc 12\nfn main() {}".into(), file: None };
        check("", odd, Err("the run printed a seed that proptest would not understand"));
    }

    #[test]
    fn the_line_of_a_failure_is_forgotten_even_if_its_property_is_gone() {
        for test in ["rate::one", "rate::gone"] {
            let text = "# note\nxs 1 2 3 4 # shrinks to x = [7]\n";
            let (file, forget) = forget(&failure(test, new_seed()), &files(text)).unwrap();
            assert_eq!(file.as_str(), "proptest-regressions/rate.txt");
            assert_eq!(forget(text.as_bytes()).apply(text.as_bytes()), b"# note\n");
        }
        assert!(forget(&failure("rate::one", Replay::Replayed), &files("")).is_none());
    }
}
