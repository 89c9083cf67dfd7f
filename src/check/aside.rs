//! The tests that the patch contract sets aside, each with the days that are left of it and the failures that it is about. The
//! days are counted from the contract's own today: no clock is asked.

use std::path::Path;

use crate::contract::{Contract, Day, FILE, Quarantine};
use crate::git::Repository;
use crate::inbox::{FailureId, Filed};
use crate::locate::shared_end;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::triage::Triage;
use crate::verify;

/// Whether there is a contract at the top of the work tree that `directory` is in: told without opening anything else.
pub fn has_contract(directory: &Path) -> bool {
    Repository::discover(directory).is_ok_and(|repository| repository.top().join(FILE).exists())
}

/// What a contract sets aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asides {
    /// The day that it takes for today.
    pub today: Day,
    /// Each of its quarantines, in the order of the file.
    pub asides: Vec<Aside>,
}

/// A test that is set aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// The quarantine.
    pub quarantine: Quarantine,
    /// How many days are left of it: none on its last day, fewer than none once it is over.
    pub days_left: i64,
    /// The seed with which the contract runs it, where it is a property of it.
    pub seed: Option<i128>,
    /// The failures of the inbox that are of this test.
    pub failures: Vec<FailureId>,
    /// Where the contract says so.
    pub place: Option<(RepoPath, u32)>,
}

/// The quarantines of the contract at the top of the work tree; `None` where there is no contract.
///
/// # Errors
/// What is wrong with the contract, as a sentence.
pub fn quarantines(triage: &Triage) -> Result<Option<Asides>, String> {
    let tree = triage.work_tree();
    let Some(text) = RepoPath::new(FILE).and_then(|file| tree.read(&file)) else { return Ok(None) };
    let contract = Contract::read(&text).map_err(|error| format!("contract is not valid: {FILE}: {error}"))?;
    let text = String::from_utf8_lossy(&text);
    let asides = contract.flaky.iter().map(|one| aside(one, &contract, &text, &tree, triage)).collect();
    Ok(Some(Asides { today: contract.today, asides }))
}

fn aside(one: &Quarantine, contract: &Contract, text: &str, tree: &dyn SourceTree, triage: &Triage) -> Aside {
    let meant = verify::test_called(&one.test, tree);
    let is_of = |filed: &Filed| match &meant {
        Some((framework, test)) => {
            let same_file = filed.file.is_none() || test.file.is_none() || filed.file == test.file;
            let is_named = names(&filed.failure.test.0, &test.runs().0, test.file.as_ref());
            filed.failure.framework.0 == *framework && is_named && same_file
        }
        None => filed.failure.test.0 == one.test,
    };
    let failures = triage.inbox().filed().iter().filter(|filed| is_of(filed)).map(|filed| filed.id.clone());
    Aside {
        days_left: one.days_left(contract.today),
        seed: contract.properties.iter().find(|property| property.test == one.test).map(|property| property.seed),
        failures: failures.collect(),
        place: RepoPath::new(FILE).map(|file| (file, line_of(&one.test, text))),
        quarantine: one.clone(),
    }
}

/// Whether a run that calls a test `name` means `test` of `file`: some runners put the file before it, as seen from where they
/// were started.
fn names(name: &str, test: &str, file: Option<&RepoPath>) -> bool {
    let before = name.strip_suffix(test).and_then(|front| front.strip_suffix("::"));
    let is_file = |front: &str| {
        file.is_some_and(|file| shared_end(&front.split('/').collect::<Vec<_>>(), file) == front.split('/').count())
    };
    name == test || before.is_some_and(is_file)
}

/// The line of the contract, from 1, on which the quarantine of a test stands: behind the word for all of them, where it is
/// there.
fn line_of(test: &str, text: &str) -> u32 {
    let quoted = serde_json::Value::from(test).to_string();
    let from = text.find("\"flaky\"").unwrap_or(0);
    let at = text[from..].find(&quoted).or_else(|| text.find(&quoted).map(|at| at.saturating_sub(from))).unwrap_or(0);
    let lines = text.as_bytes()[..from + at].iter().filter(|byte| **byte == b'\n').count();
    u32::try_from(lines).map_or(u32::MAX, |lines| lines.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::{line_of, names};
    use crate::repo_path::RepoPath;

    #[test]
    fn a_test_is_meant_by_its_name_or_behind_its_file_as_seen_from_some_folder() {
        let file = RepoPath::new("api/tests/test_fee.py");
        let check =
            |name: &str, expected: bool| assert_eq!(names(name, "TestFee::test_a", file.as_ref()), expected, "{name}");
        check("TestFee::test_a", true);
        check("tests/test_fee.py::TestFee::test_a", true);
        check("api/tests/test_fee.py::TestFee::test_a", true);
        check("tests/test_rate.py::TestFee::test_a", false);
        check("test_fee.py::Other::TestFee::test_a", false);
        check("OtherTestFee::test_a", false);
        assert!(!names("fees::tests::f", "tests::f", RepoPath::new("src/fees.rs").as_ref()));
    }

    #[test]
    fn a_quarantine_stands_where_the_contract_names_its_test_as_flaky() {
        let text = "{\n\"properties\": [{\"test\": \"a\"}],\n\"flaky\": [\n{\"test\": \"b\"},\n{\"test\": \"a\"}]}";
        assert_eq!([line_of("a", text), line_of("b", text), line_of("c", text)], [5, 4, 3]);
    }
}
