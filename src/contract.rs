//! The patch contract: which fixtures keep their bytes, which properties hold under which seeds, and which tests are set aside
//! as flaky until when. Read from its file's text, with the lines that say what is broken of it; `edits` changes such a text.

mod day;
mod edits;
mod layout;
mod read;

use std::fmt;

pub use day::Day;
pub use edits::{Renewal, add_fixture, move_today, quarantine, renew, written};

/// The name its file has where nothing else is said.
pub const FILE: &str = "patch-contract.json";

/// So many hexadecimal digits of a SHA-256 stand for a fixture's bytes.
pub const DIGITS: usize = 16;

/// A contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The day that it takes for today: no clock is asked.
    pub today: Day,
    /// The files that keep their bytes, in the order of the file.
    pub fixtures: Vec<Fixture>,
    /// The properties that hold, in the order of the file.
    pub properties: Vec<Seeded>,
    /// The tests that are set aside, in the order of the file.
    pub flaky: Vec<Quarantine>,
}

/// A file that keeps its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its path as written, from the top of the repository.
    pub path: String,
    /// The first digits of the SHA-256 of its bytes.
    pub digest: String,
}

/// A test and the seed that it is run with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeded {
    /// The test's id as written.
    pub test: String,
    /// The seed.
    pub seed: i128,
}

/// A test that is set aside: it blocks nothing, and is evidence of nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quarantine {
    /// The test's id as written.
    pub test: String,
    /// The last day of it.
    pub expires: Day,
    /// Why, in a person's words; empty where nobody says.
    pub reason: String,
}

impl Quarantine {
    /// How many days are left of it on the day `today`: none on its last day, fewer than none once it is over.
    pub fn days_left(&self, today: Day) -> i64 {
        today.days_until(self.expires)
    }

    /// Whether it is over.
    pub fn is_stale(&self, today: Day) -> bool {
        self.expires < today
    }
}

/// How a property came out under its seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was run and holds.
    Held,
    /// It was run and fails, saying this.
    Failed(String),
    /// Whether it holds is not known, for this reason.
    Untold(String),
}

impl Outcome {
    /// The word `--json` prints.
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Held => "held",
            Outcome::Failed(_) => "failed",
            Outcome::Untold(_) => "untold",
        }
    }

    /// What was said, where it does not hold.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Outcome::Held => None,
            Outcome::Failed(reason) | Outcome::Untold(reason) => Some(reason),
        }
    }
}

/// What is broken of a contract: as text, the line that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Breach {
    /// The contract cannot be kept by anybody, for this reason.
    Contract(String),
    /// A fixture has other bytes.
    Drift {
        /// The fixture.
        fixture: Fixture,
        /// Its digest now, or a word for why there is none.
        actual: String,
    },
    /// A quarantine is over.
    Stale(Quarantine),
    /// A property does not hold, as far as is known.
    Failed(Seeded),
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Breach::Contract(reason) => f.write_str(reason),
            Breach::Drift { fixture: Fixture { path, digest }, actual } => {
                write!(f, "fixture drift: {path} {digest} -> {actual}")
            }
            Breach::Stale(Quarantine { test, expires, .. }) => write!(f, "stale quarantine: {test} expired {expires}"),
            Breach::Failed(Seeded { test, seed }) => write!(f, "property failed: {test} seed={seed}"),
        }
    }
}

impl Contract {
    /// The contract that `text` states. Keys that it does not know are passed over.
    ///
    /// # Errors
    /// What is wrong with it, as the rest of a sentence.
    pub fn read(text: &[u8]) -> Result<Contract, String> {
        read::read(text)
    }

    /// The quarantine of a test that is not over yet.
    pub fn quarantine_of(&self, test: &str) -> Option<&Quarantine> {
        self.flaky.iter().find(|one| one.test == test && !one.is_stale(self.today))
    }

    /// The quarantines that are over.
    pub fn stale(&self) -> impl Iterator<Item = &Quarantine> {
        self.flaky.iter().filter(|one| one.is_stale(self.today))
    }

    /// What is broken where the fixtures have the digests `actual` and the properties came out as `outcomes` say, one each:
    /// fixtures first, then quarantines, then properties that no quarantine sets aside.
    pub fn breaches(&self, actual: &[String], outcomes: &[Outcome]) -> Vec<Breach> {
        let drifts = self.fixtures.iter().zip(actual).filter(|(fixture, actual)| fixture.digest != **actual);
        let drifts = drifts.map(|(fixture, actual)| Breach::Drift { fixture: fixture.clone(), actual: actual.clone() });
        let stale = self.stale().cloned().map(Breach::Stale);
        let blocks =
            |one: &Seeded, outcome: &Outcome| *outcome != Outcome::Held && self.quarantine_of(&one.test).is_none();
        let failed = self.properties.iter().zip(outcomes).filter(|(one, outcome)| blocks(one, outcome));
        drifts.chain(stale).chain(failed.map(|(one, _)| Breach::Failed(one.clone()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Contract, Outcome};

    const TEXT: &str = r#"{
  "today": "2026-12-01",
  "fixtures": {"b.json": "00112233aabbccdd", "a.json": "0123456789abcdef", "c.json": "ffffffffffffffff"},
  "properties": [{"test": "t.py::one", "seed": 7}, {"test": "two", "seed": -1}, {"test": "three", "seed": 3}],
  "flaky": [{"test": "two", "expires": "2026-12-01"}, {"test": "three", "expires": "2026-11-30"}],
  "owner": "the ledger's own"
}"#;

    fn contract() -> Contract {
        Contract::read(TEXT.as_bytes()).unwrap()
    }

    #[test]
    fn what_is_broken_is_told_in_the_order_of_fixtures_quarantines_and_properties() {
        let actual = ["00112233aabbccdd", "missing", "1111111111111111"].map(str::to_owned);
        let failed = || Outcome::Failed("no".to_owned());
        let lines: Vec<String> = contract()
            .breaches(&actual, &[failed(), failed(), Outcome::Untold("no such test".to_owned())])
            .iter()
            .map(ToString::to_string)
            .collect();
        let expected = [
            "fixture drift: a.json 0123456789abcdef -> missing",
            "fixture drift: c.json ffffffffffffffff -> 1111111111111111",
            "stale quarantine: three expired 2026-11-30",
            "property failed: t.py::one seed=7",
            "property failed: three seed=3",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn what_holds_breaks_nothing_and_a_quarantine_that_is_over_is_told_all_the_same() {
        let contract = contract();
        let actual: Vec<String> = contract.fixtures.iter().map(|one| one.digest.clone()).collect();
        let held = vec![Outcome::Held; 3];
        let lines: Vec<String> = contract.breaches(&actual, &held).iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["stale quarantine: three expired 2026-11-30"]);
    }

    #[test]
    fn a_quarantine_lasts_to_the_end_of_its_last_day() {
        let contract = contract();
        let left: Vec<i64> = contract.flaky.iter().map(|one| one.days_left(contract.today)).collect();
        assert_eq!(left, [0, -1]);
        assert!(contract.quarantine_of("two").is_some());
        assert_eq!((contract.quarantine_of("three"), contract.quarantine_of("t.py::one")), (None, None));
    }
}
