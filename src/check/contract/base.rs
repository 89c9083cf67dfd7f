//! The same contract at the commit that a change starts from, twice: what fails there both times fails without the change, and
//! what fails there once is flaky. Neither is the change's doing.

use std::path::Path;

use crate::contract::{Breach, Contract, Outcome, Seeded};
use crate::git::Commit;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::triage::{Triage, TriageError};
use crate::verify::{Came, Onlooker, run_seeded_at};

use super::fixtures::digest_of;
use super::said;

/// So often the properties are run there.
const TIMES: usize = 2;

/// What the base says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The commit.
    pub commit: Commit,
    /// The lines of what is broken there as well, and so blocks nothing.
    pub already: Vec<String>,
    /// The lines of properties that come out one way and the other there, whichever way they do here.
    pub flaky: Vec<String>,
}

/// What is compared.
pub(super) struct Ground<'a> {
    pub(super) triage: &'a Triage,
    pub(super) contract: &'a Contract,
    /// The contract's file.
    pub(super) path: &'a Path,
    pub(super) cache: &'a Path,
}

/// Takes out of `broken` what `commit` says is not the change's doing.
///
/// # Errors
/// Where somebody ends it, or git or the disk says no.
pub(super) fn compare(
    ground: &Ground<'_>,
    commit: Commit,
    broken: &mut Vec<Breach>,
    warnings: &mut Vec<String>,
    onlooker: &mut dyn Onlooker,
) -> Result<Compared, TriageError> {
    let Ground { triage, contract, cache, .. } = *ground;
    let properties = &contract.properties;
    let (runs, notices) = match properties.is_empty() {
        true => (vec![Vec::new(); TIMES], Vec::new()),
        false => run_seeded_at(triage, (&commit, TIMES), properties, cache, onlooker)?,
    };
    warnings.extend(notices.iter().map(said));
    let tree = triage.repository().tree_of(&commit.id);
    let before = contract_there(ground, &tree);
    warnings.extend(before.iter().flat_map(|before| loosened(before, contract)));
    let there: Vec<There> = (0..properties.len()).map(|at| There::of(runs.iter().map(|run| &run[at]))).collect();
    let of = |one: &Seeded| {
        let known = properties.iter().position(|property| property == one);
        known.map_or(There::Unsaid, |at| there[at])
    };
    let is_already = |breach: &Breach| match breach {
        Breach::Drift { fixture, actual } => {
            let is_asked = before.as_ref().is_some_and(|before| before.fixtures.contains(fixture));
            is_asked && digest_of(&fixture.path, &tree, None) == *actual
        }
        Breach::Failed(one) => of(one) == There::Fails,
        Breach::Stale(_) | Breach::Contract(_) => false,
    };
    let is_flaky = |breach: &Breach| matches!(breach, Breach::Failed(one) if of(one) == There::Flaky);
    let already = broken.iter().filter(|breach| is_already(breach)).map(ToString::to_string).collect();
    broken.retain(|breach| !is_already(breach) && !is_flaky(breach));
    let flaky = properties.iter().zip(&there).filter(|(_, there)| **there == There::Flaky);
    let mut flaky: Vec<String> = flaky.map(|(one, _)| Breach::Failed(one.clone()).to_string()).collect();
    flaky.dedup();
    Ok(Compared { commit, already, flaky })
}

/// How a property comes out there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum There {
    /// It holds each time.
    Holds,
    /// It fails each time.
    Fails,
    /// It holds and fails.
    Flaky,
    /// It was not seen to do either each time: that says nothing for a change.
    Unsaid,
}

impl There {
    fn of<'a>(mut runs: impl Iterator<Item = &'a Came> + Clone) -> There {
        let is_told = |came: &Came| !matches!(came.outcome, Outcome::Untold(_));
        let fails = runs.clone().filter(|came| matches!(came.outcome, Outcome::Failed(_))).count();
        let times = runs.clone().count();
        match () {
            () if !runs.all(is_told) => There::Unsaid,
            () if fails == 0 => There::Holds,
            () if fails == times => There::Fails,
            () => There::Flaky,
        }
    }
}

/// The contract as it is there, where its file is one of the repository.
fn contract_there(ground: &Ground<'_>, tree: &dyn SourceTree) -> Option<Contract> {
    let (top, path) = (ground.triage.top().canonicalize().ok()?, ground.path.canonicalize().ok()?);
    let path = RepoPath::new(path.strip_prefix(top).ok()?.to_str()?)?;
    Contract::read(&tree.read(&path)?).ok()
}

/// In which ways the contract asks for less than before.
fn loosened(before: &Contract, now: &Contract) -> Vec<String> {
    let mut told = Vec::new();
    for one in before.fixtures.iter().filter(|one| now.fixtures.iter().all(|now| now.path != one.path)) {
        told.push(format!("this change takes the fixture {} out of the contract", one.path));
    }
    for one in before.properties.iter().filter(|one| !now.properties.contains(one)) {
        told.push(format!("this change takes the property {} seed={} out of the contract", one.test, one.seed));
    }
    for aside in &now.flaky {
        match before.flaky.iter().filter(|one| one.test == aside.test).map(|one| one.expires).max() {
            None => told.push(format!("this change sets {} aside until {}", aside.test, aside.expires)),
            Some(expires) if expires < aside.expires => {
                told.push(format!("this change sets {} aside for longer, until {}", aside.test, aside.expires));
            }
            Some(_) => {}
        }
    }
    if now.today < before.today {
        told.push(format!("this change turns today back from {} to {}", before.today, now.today));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::{There, loosened};
    use crate::contract::{Contract, Outcome};
    use crate::verify::Came;

    #[test]
    fn two_runs_tell_what_fails_and_what_is_flaky() {
        let came = |outcome| Came { outcome, unseeded: None };
        let (held, failed) = (came(Outcome::Held), came(Outcome::Failed("no".to_owned())));
        let untold = came(Outcome::Untold("late".to_owned()));
        let check = |runs: [&Came; 2], expected| assert_eq!(There::of(runs.into_iter()), expected);
        check([&held, &held], There::Holds);
        check([&failed, &failed], There::Fails);
        check([&held, &failed], There::Flaky);
        check([&failed, &untold], There::Unsaid);
        check([&untold, &untold], There::Unsaid);
    }

    #[test]
    fn what_a_change_takes_from_the_contract_is_told() {
        let contract = |text: &str| Contract::read(text.as_bytes()).unwrap();
        let before = contract(
            r#"{"today": "2026-12-01", "fixtures": {"a": "1", "b": "2"}, "properties": [{"test": "t", "seed": 1}],
                "flaky": [{"test": "u", "expires": "2026-12-02"}, {"test": "v", "expires": "2026-12-09"}]}"#,
        );
        let now = contract(
            r#"{"today": "2026-11-30", "fixtures": {"b": "3", "c": "4"}, "properties": [{"test": "t", "seed": 2}],
                "flaky": [{"test": "u", "expires": "2026-12-03"}, {"test": "v", "expires": "2026-12-08"},
                          {"test": "t", "expires": "2026-12-01"}]}"#,
        );
        let expected = [
            "this change takes the fixture a out of the contract",
            "this change takes the property t seed=1 out of the contract",
            "this change sets u aside for longer, until 2026-12-03",
            "this change sets t aside until 2026-12-01",
            "this change turns today back from 2026-12-01 to 2026-11-30",
        ];
        assert_eq!(loosened(&before, &now), expected);
        assert_eq!(loosened(&before, &before), Vec::<String>::new());
    }
}
