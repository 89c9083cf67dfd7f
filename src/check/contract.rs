//! Whether the patch contract is kept: its fixtures have their bytes, no quarantine is over, and its properties hold with their
//! seeds. Whatever stands in the way of seeing that is a breach. With a base, what is broken there already, and what comes out
//! one way or the other there, is told apart from what the change broke.

mod base;
mod change;
mod fixtures;

use std::path::{Path, PathBuf};

use crate::contract::{Breach, Contract, FILE, Outcome, Quarantine, Seeded};
use crate::failure::Notice;
use crate::triage::{Triage, TriageError};
use crate::verify::{Came, Onlooker, run_seeded};

pub use base::Compared;
pub use change::{Change, change, start};

/// What a check of the contract came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// What is broken of it and blocks the change, in order.
    pub breaches: Vec<Blocking>,
    /// How each property came out, in the order of the contract.
    pub properties: Vec<Held>,
    /// What a person should know besides.
    pub warnings: Vec<String>,
    /// What the base says, where there is one.
    pub base: Option<Compared>,
}

/// Something that is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocking {
    /// The line that says so.
    pub line: String,
    /// Why, where the line does not say it.
    pub reason: Option<String>,
}

/// A property of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The test's id.
    pub test: String,
    /// The seed.
    pub seed: i128,
    /// How it came out.
    pub outcome: Outcome,
    /// The quarantine that sets it aside, with the days that are left of it.
    pub aside: Option<(Quarantine, i64)>,
    /// Whether it comes out one way and the other at the base.
    pub flaky: bool,
}

impl Held {
    /// Whether it says something for the change: it holds, is not flaky, and nobody has set it aside.
    pub fn is_evidence(&self) -> bool {
        self.outcome == Outcome::Held && self.aside.is_none() && !self.flaky
    }
}

/// Where the contract is, as the user names it: a path from where the user stands, else the file at the top.
pub fn path(triage: &Triage, directory: &Path, named: Option<&Path>) -> PathBuf {
    named.map_or_else(|| triage.top().join(FILE), |named| directory.join(named))
}

/// Checks the contract in the file at `path`; with `base` against the commit of that name.
///
/// # Errors
/// Where somebody ends it, or git or the disk says no. A contract that cannot be read is a breach, and no error.
pub fn contract(
    triage: &Triage,
    path: &Path,
    base: Option<&str>,
    cache: &Path,
    onlooker: &mut dyn Onlooker,
) -> Result<Kept, TriageError> {
    let contract = match read(path) {
        Ok(contract) => contract,
        Err(reason) => {
            return Ok(Kept { breaches: vec![Blocking { line: reason, reason: None }], ..Kept::default() });
        }
    };
    let commit = base.map(|name| triage.commit_called(name)).transpose()?;
    let actual = fixtures::digests(&contract, &triage.work_tree(), triage.top());
    let mut notices = Vec::new();
    let came = run_seeded(triage, &contract.properties, &mut notices, onlooker)?;
    let mut warnings = warnings(&contract, &came);
    warnings.extend(notices.iter().map(said));
    let outcomes: Vec<Outcome> = came.into_iter().map(|one| one.outcome).collect();
    let mut broken = contract.breaches(&actual, &outcomes);
    let base = match commit {
        Some(commit) => {
            let ground = base::Ground { triage, contract: &contract, path, cache };
            Some(base::compare(&ground, commit, &mut broken, &mut warnings, onlooker)?)
        }
        None => None,
    };
    let breaches = broken.iter().map(|breach| blocking(breach, &contract, &outcomes)).collect();
    let is_flaky = |one: &Seeded| {
        let line = Breach::Failed(one.clone()).to_string();
        base.as_ref().is_some_and(|base| base.flaky.contains(&line))
    };
    let properties = contract.properties.iter().zip(outcomes).map(|(one, outcome)| Held {
        test: one.test.clone(),
        seed: one.seed,
        outcome,
        aside: contract.quarantine_of(&one.test).map(|aside| (aside.clone(), aside.days_left(contract.today))),
        flaky: is_flaky(one),
    });
    let properties = properties.collect();
    Ok(Kept { breaches, properties, warnings, base })
}

/// The contract in the file at `path`.
///
/// # Errors
/// The line that says why there is none.
fn read(path: &Path) -> Result<Contract, String> {
    let shown = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let text = std::fs::read(path).map_err(|error| format!("contract cannot be read: {shown}: {error}"))?;
    Contract::read(&text).map_err(|error| format!("contract is not valid: {shown}: {error}"))
}

/// A breach as it is told, with what the run said of it.
fn blocking(breach: &Breach, contract: &Contract, outcomes: &[Outcome]) -> Blocking {
    let reason = match breach {
        Breach::Failed(failed) => {
            let mut came = contract.properties.iter().zip(outcomes);
            came.find(|(one, outcome)| *one == failed && outcome.reason().is_some())
                .and_then(|(_, outcome)| Some(outcome.reason()?.to_owned()))
        }
        _ => None,
    };
    Blocking { line: breach.to_string(), reason }
}

/// What a person should know of a contract whose properties came out so.
fn warnings(contract: &Contract, came: &[Came]) -> Vec<String> {
    let unseeded = contract.properties.iter().zip(came).filter_map(|(one, came)| {
        Some(format!("the seed {} has no effect on {}: {}", one.seed, one.test, came.unseeded.as_ref()?))
    });
    let mut warnings: Vec<String> = unseeded.collect();
    let is_run = |aside: &&Quarantine| contract.properties.iter().any(|one| one.test == aside.test);
    let idle = contract.flaky.iter().filter(|aside| !is_run(aside));
    warnings.extend(idle.map(|aside| format!("{} is set aside, and is no property of the contract", aside.test)));
    if contract.fixtures.is_empty() && contract.properties.is_empty() {
        warnings.push("the contract names no fixture and no property, so that it keeps nothing".to_owned());
    }
    warnings
}

/// A notice as one text.
fn said(notice: &Notice) -> String {
    format!("{}: {}", notice.file, notice.text)
}
