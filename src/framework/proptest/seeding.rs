//! Tests run by cargo or nextest with a seed: `PROPTEST_RNG_SEED`, from which every runner begins that has no seed of its own.
//! Seeds that were kept are run before that, as always.

use std::cell::RefCell;
use std::cmp::Reverse;

use super::{NAME, Proptest, found};
use crate::failure::TestName;
use crate::framework::rust::choose::plain_modules;
use crate::framework::rust::graft::named;
use crate::framework::rust::{by_name, cargo};
use crate::framework::{Proving, Seeding, seeded_test};
use crate::language::rust::package::{file_modules, package_of};
use crate::language::rust::property::Form;
use crate::pin::Refusal;
use crate::proof::{Manner, PinCommand, Proof, StandingPin};
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

/// Where the library looks for the seed.
const SEED: &str = "PROPTEST_RNG_SEED";

/// What a library says that does not know it.
const UNKNOWN: &str = "proptest: Ignoring unknown env-var PROPTEST_RNG_SEED";

/// What runners and settings are given that have a seed of their own.
const OWN: [&str; 4] = ["rng_seed", "deterministic", "new_with_rng", "from_seed"];

impl Seeding for Proptest {
    fn meant(&self, id: &str, tree: &dyn SourceTree) -> Result<Vec<StandingPin>, Refusal> {
        if id.ends_with(".rs") {
            return Err(Refusal(format!("{id} is a file and no test; name one as `{id}::modules::test`")));
        }
        match id.split_once(".rs::") {
            Some((stem, test)) => {
                let file = RepoPath::new(&format!("{stem}.rs")).filter(|file| tree.exists(file));
                let file = file.ok_or_else(|| Refusal(format!("there is no file {stem}.rs")))?;
                Ok(vec![seeded_test(NAME, test, Some(file))])
            }
            None if is_path(id) => Ok(by_modules(id, tree)),
            None => Ok(Vec::new()),
        }
    }

    fn commands(
        &self,
        tests: &[StandingPin],
        seed: i128,
        tree: &dyn SourceTree,
        manner: &Manner,
    ) -> Result<Vec<PinCommand>, Refusal> {
        let seed = u64::try_from(seed).map_err(|_| Refusal(format!("proptest takes seeds from 0 to {}", u64::MAX)))?;
        let mut commands = cargo::commands(tests, tree, manner);
        for PinCommand { command, environment, .. } in &mut commands {
            // What the library says of the seed, it says to tests that pass as well.
            let showing: &[&str] = match command.iter().any(|word| word == "nextest") {
                true => &["--success-output", "final"],
                false => &["--show-output"],
            };
            command.extend(showing.iter().map(|word| (*word).to_owned()));
            environment.push((SEED, seed.to_string()));
        }
        Ok(commands)
    }

    fn outcomes(&self, run: &RunOutput<'_>, tests: &[&StandingPin], tree: &dyn SourceTree) -> Vec<Proof> {
        Proving::proofs(self, run, tests, tree)
    }

    fn without_effect(&self, test: &StandingPin, run: &RunOutput<'_>, tree: &dyn SourceTree) -> Option<String> {
        if memchr::memmem::find(run.bytes, UNKNOWN.as_bytes()).is_some() {
            return Some(format!("this version of proptest does not read {SEED}"));
        }
        let Ok(found) = found::find(&named(test, &test.property), tree) else {
            return Some("it is no property of proptest in a form that is known here".to_owned());
        };
        let has_own = |text: &str| OWN.iter().any(|word| text.contains(word));
        let (function, text) = found.to_pin();
        let is_own = match function.form {
            // These have the environment go before their settings.
            Form::Block | Form::Closure | Form::StateMachine => false,
            Form::Runner | Form::NamedRunner => has_own(&text[function.item.range()]),
            Form::PropertyTest | Form::TestStrategy | Form::Pin => {
                function.attributes.iter().any(|attribute| has_own(attribute))
            }
        };
        is_own.then(|| "it has a seed of its own".to_owned())
    }
}

/// Whether `id` is the path of a function.
fn is_path(id: &str) -> bool {
    let is_name = |part: &str| {
        let part = part.strip_prefix("r#").unwrap_or(part);
        !part.is_empty()
            && !part.starts_with(|c: char| c.is_ascii_digit())
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    id.split("::").all(is_name)
}

/// The tests that `id` may mean: of each package that of the file whose own modules are the longest beginning of it; where
/// several packages have one, those in which a property stands there.
fn by_modules(id: &str, tree: &dyn SourceTree) -> Vec<StandingPin> {
    let test = TestName(id.to_owned());
    let modules = plain_modules(&test);
    let fitting = RefCell::new(Vec::new());
    let collect = |files: Vec<RepoPath>| {
        let mut all = fitting.borrow_mut();
        for file in files {
            let package = package_of(&file, tree);
            let own: Vec<String> = file_modules(&file, &package).into_iter().map(str::to_owned).collect();
            if own.len() <= modules.len() && own.iter().zip(&modules).all(|(a, b)| a == b) {
                all.push((package.folder, Reverse(own.len()), file));
            }
        }
        all.first().map(|(_, _, file)| file.clone())
    };
    by_name::file(test.function(), tree, &collect);
    let mut fitting = fitting.into_inner();
    fitting.sort();
    let stands = |file: &RepoPath| {
        let test = seeded_test(NAME, id, Some(file.clone()));
        found::find(&named(&test, &test.property), tree).is_ok_and(|found| found.file == *file)
    };
    let properties: Vec<(String, Reverse<usize>, RepoPath)> =
        fitting.iter().filter(|(_, _, file)| stands(file)).cloned().collect();
    let mut kept = if properties.is_empty() { fitting } else { properties };
    kept.dedup_by(|later, earlier| later.0 == earlier.0 && later.1 > earlier.1);
    kept.into_iter().map(|(_, _, file)| seeded_test(NAME, id, Some(file))).collect()
}

#[cfg(test)]
mod tests {
    use super::Proptest;
    use crate::framework::Seeding;
    use crate::proof::{Manner, PinState, StandingPin};
    use crate::run_output::RunOutput;
    use crate::source_tree::testing::Files;

    const RUNNER: &str = "#[test]\nfn fixed() {\n    let mut runner = TestRunner::deterministic();\n    \
                          runner.run(&(0..9), |x| { assert!(x < 9); Ok(()) }).unwrap();\n}\n";

    fn tree() -> Files {
        let property = |name: &str| format!("proptest! {{ #[test] fn {name}(x in 0..9) {{}} }}\n");
        let rate = property("falls") + RUNNER + "#[test]\nfn plain() {}\n";
        Files::new([
            ("a/Cargo.toml", "[package]\nname = \"a\"\n"),
            ("a/src/lib.rs", "mod rate;\n"),
            ("a/src/rate.rs", rate.as_str()),
            ("a/tests/week.rs", property("ends").as_str()),
            ("b/Cargo.toml", "[package]\nname = \"b\"\n"),
            ("b/src/lib.rs", property("ends").as_str()),
        ])
    }

    fn meant(id: &str) -> Vec<StandingPin> {
        Proptest.meant(id, &tree()).unwrap()
    }

    #[track_caller]
    fn check(id: &str, expected: &[&str]) {
        let files: Vec<String> = meant(id).iter().map(|test| test.file.clone().unwrap().to_string()).collect();
        assert_eq!(files, expected, "{id}");
    }

    #[test]
    fn an_id_tells_by_its_modules_or_by_its_file() {
        check("rate::falls", &["a/src/rate.rs"]);
        check("ends", &["a/tests/week.rs", "b/src/lib.rs"]);
        check("b/src/lib.rs::ends", &["b/src/lib.rs"]);
        check("rate::plain", &["a/src/rate.rs"]);
        check("rate::gone", &[]);
        check("suite > title", &[]);
        let refused = |id: &str| Proptest.meant(id, &tree()).unwrap_err().0;
        assert_eq!(refused("c/src/lib.rs::ends"), "there is no file c/src/lib.rs");
        assert!(refused("a/src/lib.rs").contains("is a file and no test"));
    }

    #[test]
    fn the_seed_is_in_the_environment() {
        let tests = meant("rate::falls");
        let commands = |seed, tree: &Files| Seeding::commands(&Proptest, &tests, seed, tree, &Manner::default());
        let told = &commands(7, &tree()).unwrap()[0];
        assert_eq!(told.command.join(" "), "cargo test --no-fail-fast --lib -- --exact rate::falls --show-output");
        assert_eq!(told.environment.last(), Some(&("PROPTEST_RNG_SEED", "7".to_owned())));
        assert!(commands(-1, &tree()).unwrap_err().0.contains("from 0 to 18446744073709551615"));
    }

    #[test]
    fn a_seed_that_the_library_or_the_runner_does_not_take_is_told() {
        let why = |id: &str, output: &str| {
            Proptest.without_effect(&meant(id)[0], &RunOutput::new("run", output.as_bytes()), &tree())
        };
        assert_eq!(why("rate::falls", ""), None);
        assert_eq!(why("rate::fixed", ""), Some("it has a seed of its own".to_owned()));
        assert!(why("rate::plain", "").unwrap().starts_with("it is no property"));
        let old = "proptest: Ignoring unknown env-var PROPTEST_RNG_SEED.\n";
        assert!(why("rate::falls", old).unwrap().contains("does not read"));
    }

    #[test]
    fn a_test_that_was_not_run_is_missing() {
        let run = RunOutput::new("run", b"running 0 tests\n\ntest result: ok. 0 passed; 0 failed\n");
        let found = &Proptest.outcomes(&run, &[&meant("rate::falls")[0]], &tree())[0];
        assert_eq!(found.state, PinState::Missing);
    }
}
