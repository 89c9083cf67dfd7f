//! Tests run by Vitest, Jest or Node with a seed. The library has no switch for one: the file that Node loads first for us has
//! the library's own settings tell the seed, wherever a call has none of its own.

use std::path::Path;

use super::command::of_files;
use super::find::{files, find, namesakes};
use super::graft::failure;
use super::read::{BETWEEN, is_file};
use super::{FastCheck, NAME, capture, proof, twins};
use crate::failure::TestName;
use crate::framework::{Seeding, seeded_test};
use crate::invocation::Capture;
use crate::pin::Refusal;
use crate::proof::{Manner, PinCommand, Proof, StandingPin};
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;

/// Where our file looks for the seed.
const SEED: &str = "REDPIN_SEED";

/// The line that our file hands over once the library asked for the seed.
const TAKEN: &str = "{\"redpin\":\"seed-taken\"}";

/// The greatest whole number that JavaScript tells from the next.
const GREATEST: i128 = (1 << 53) - 1;

impl Seeding for FastCheck {
    fn meant(&self, id: &str, tree: &dyn SourceTree) -> Result<Vec<StandingPin>, Refusal> {
        let parts = id.split_once(BETWEEN).or_else(|| id.split_once("::"));
        if let Some((file, title)) = parts.filter(|(file, _)| is_file(file)) {
            let path = RepoPath::new(file).filter(|path| tree.exists(path));
            let path = path.ok_or_else(|| Refusal(format!("there is no file {file}")))?;
            return one_of(title, path, tree).map(|test| vec![test]);
        }
        if is_file(id) {
            return Err(Refusal(format!("{id} is a file and no test; name one as `{id}{BETWEEN}title`")));
        }
        match files(&TestName(id.to_owned()), tree).as_slice() {
            [file] => one_of(id, file.clone(), tree).map(|test| vec![test]),
            several => Ok(several.iter().map(|file| seeded_test(NAME, id, Some(file.clone()))).collect()),
        }
    }

    fn commands(
        &self,
        tests: &[StandingPin],
        seed: i128,
        tree: &dyn SourceTree,
        manner: &Manner,
    ) -> Result<Vec<PinCommand>, Refusal> {
        if seed.abs() > GREATEST {
            return Err(Refusal(format!("fast-check takes seeds from -{GREATEST} to {GREATEST}")));
        }
        let in_file = (0..tests.len()).filter_map(|at| Some((at, tests[at].file.as_ref()?)));
        let (places, files): (Vec<usize>, Vec<&RepoPath>) = in_file.unzip();
        let mut commands = of_files(&files, tree, manner);
        for command in &mut commands {
            command.pins.iter_mut().for_each(|at| *at = places[*at]);
            command.environment.push((SEED, seed.to_string()));
        }
        Ok(commands)
    }

    fn capture(&self, folder: &Path) -> Capture {
        capture::in_folder(folder).unwrap_or_default()
    }

    fn outcomes(&self, run: &RunOutput<'_>, tests: &[&StandingPin], tree: &dyn SourceTree) -> Vec<Proof> {
        proof::proofs(run, tests, tree)
    }

    fn without_effect(&self, test: &StandingPin, run: &RunOutput<'_>, tree: &dyn SourceTree) -> Option<String> {
        let failure = failure(test);
        if let Ok(found) = find(&failure, tree)
            && let Ok(taker) = found.taker(&failure, tree)
        {
            let options = found.code.calls[taker.property.call].arguments.get(taker.property.options);
            let members = options.and_then(|options| found.code.members(*options)).unwrap_or_default();
            if members.iter().any(|member| member.name == "seed") {
                return Some("it has a seed of its own among its options".to_owned());
            }
        }
        let is_taken = memchr::memmem::find(run.bytes, TAKEN.as_bytes()).is_some();
        (!is_taken).then(|| "nothing in its file asked fast-check for one".to_owned())
    }
}

/// The test called `title` in `file`, where the file does not have several of that title.
fn one_of(title: &str, file: RepoPath, tree: &dyn SourceTree) -> Result<StandingPin, Refusal> {
    let test = seeded_test(NAME, title, Some(file));
    let tests = namesakes(&failure(&test), tree).map_or(0, |known| known.lines.len());
    match (tests, &test.file) {
        (2.., Some(file)) => Err(Refusal(format!(
            "{file} has {tests} tests called {title}; give each a title of its own, or name one by its place, as `{file}{BETWEEN}{}`",
            twins::name(title, 0)
        ))),
        _ => Ok(test),
    }
}

#[cfg(test)]
mod tests {
    use super::FastCheck;
    use crate::framework::Seeding;
    use crate::proof::Manner;
    use crate::run_output::RunOutput;
    use crate::source_tree::testing::Files;

    const SOURCE: &str = "import fc from 'fast-check';\nimport { test } from 'vitest';\n\
        test('adds', () => { fc.assert(fc.property(fc.nat(), (n) => n >= 0)); });\n\
        test('is fixed', () => { fc.assert(fc.property(fc.nat(), (n) => n >= 0), { seed: 3, numRuns: 5 }); });\n";

    fn tree() -> Files {
        Files::new([("web/package.json", r#"{"devDependencies":{"vitest":"4"}}"#), ("web/sum.test.ts", SOURCE)])
    }

    #[track_caller]
    fn check(id: &str, expected: Result<&[(&str, &str)], &str>) {
        let found = FastCheck.meant(id, &tree());
        let found = found.map_err(|why| why.0).map(|tests| {
            tests.iter().map(|one| (one.file.clone().unwrap().to_string(), one.runs().0.clone())).collect::<Vec<_>>()
        });
        let owned = |(file, test): &(&str, &str)| ((*file).to_owned(), (*test).to_owned());
        assert_eq!(found, expected.map(|all| all.iter().map(owned).collect()).map_err(str::to_owned), "{id}");
    }

    #[test]
    fn an_id_tells_by_its_file_or_by_its_title() {
        check("web/sum.test.ts > adds", Ok(&[("web/sum.test.ts", "adds")]));
        check("web/sum.test.ts::adds", Ok(&[("web/sum.test.ts", "adds")]));
        check("adds", Ok(&[("web/sum.test.ts", "adds")]));
        check("tests::sum_is_exact", Ok(&[]));
        check("sum.test.ts > adds", Err("there is no file sum.test.ts"));
        check("web/sum.test.ts", Err("web/sum.test.ts is a file and no test; name one as `web/sum.test.ts > title`"));
    }

    #[test]
    fn what_an_id_may_mean_is_told_where_that_is_more_than_one_test() {
        let twins = "it('same', () => {});\nit('same', () => {});\nit('own', () => {});\n";
        let tree = Files::new([("a.test.ts", twins), ("b.test.ts", "it('own', () => {});\n")]);
        let meant = |id: &str| {
            let told = |test: &crate::proof::StandingPin| format!("{} {}", test.file.clone().unwrap(), test.runs());
            FastCheck.meant(id, &tree).map(|all| all.iter().map(told).collect::<Vec<_>>()).map_err(|why| why.0)
        };
        let several = "a.test.ts has 2 tests called same; give each a title of its own, or name one by its place, as `a.test.ts > same #1`";
        assert_eq!(meant("same"), Err(several.to_owned()));
        assert_eq!(meant("a.test.ts > same"), Err(several.to_owned()));
        assert_eq!(meant("a.test.ts > same #2"), Ok(vec!["a.test.ts same #2".to_owned()]));
        assert_eq!(meant("same #2"), Ok(vec!["a.test.ts same #2".to_owned()]));
        assert_eq!(meant("own"), Ok(vec!["a.test.ts own".to_owned(), "b.test.ts own".to_owned()]));
        assert_eq!(meant("none"), Ok(Vec::new()));
    }

    #[test]
    fn the_seed_is_in_the_environment_of_the_packages_own_runner() {
        let tests = FastCheck.meant("adds", &tree()).unwrap();
        let commands = |seed| Seeding::commands(&FastCheck, &tests, seed, &tree(), &Manner::default());
        let told = &commands(-7).unwrap()[0];
        assert_eq!(told.command.join(" "), "npx --no-install vitest run --no-cache --reporter=verbose sum.test.ts");
        assert!(told.environment.contains(&("REDPIN_SEED", "-7".to_owned())), "{told:?}");
        assert!(commands(1 << 53).unwrap_err().0.contains("to 9007199254740991"));
    }

    #[test]
    fn a_seed_that_the_call_or_nobody_takes_is_told() {
        let why = |id: &str, output: &str| {
            let test = &FastCheck.meant(id, &tree()).unwrap()[0];
            FastCheck.without_effect(test, &RunOutput::new("run", output.as_bytes()), &tree())
        };
        let taken = "{\"redpin\":\"seed-taken\"}\n";
        assert_eq!(why("adds", taken), None);
        assert_eq!(why("is fixed", taken), Some("it has a seed of its own among its options".to_owned()));
        assert_eq!(why("adds", ""), Some("nothing in its file asked fast-check for one".to_owned()));
    }
}
