//! A sweep: the tests run deep, whole or in shards on several machines. What is known of one is its run file's first line,
//! from which the shards of one sweep find together again.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Cases that each property is run with where nobody says.
pub const CASES: u64 = 10_000;

/// How the line begins that stands first in a run file.
const HEAD: &[u8] = b"{\"redpin\":\"sweep\",";

/// How the lines begin by which tests tell that a property was run.
const SWEPT: &[u8] = b"{\"redpin\":\"swept\",";

/// Shards that began further apart are of different sweeps.
const APART: i64 = 12 * 60 * 60;

/// Longer lines are no first lines of ours.
const LONGEST: usize = 64 << 10;

/// One of the parts that a sweep is split into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1.
    pub number: u32,
    /// Of how many.
    pub of: u32,
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if 1 <= number && number <= of => Ok(Shard { number, of }),
            _ => Err("expected K/N with K from 1 to N, such as 1/4".to_owned()),
        }
    }
}

/// How deep tests are run, and which part of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// Cases of each property that does not set its own number.
    pub cases: u64,
    /// The part; all of them where there is none.
    pub shard: Option<Shard>,
}

/// What is known of a sweep, or of as many of its shards as are together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sweep {
    /// What its user calls it.
    pub name: String,
    /// When the first of its shards began, as RFC 3339 in UTC.
    pub when: String,
    /// The command, as its user typed it.
    pub command: String,
    /// The commit that was checked out, with a `+` where the work tree differed from it; empty before the first.
    pub commit: String,
    /// Cases of each property that does not set its own number.
    pub cases: u64,
    /// How many shards it was split into; 1 where it was not.
    pub of: u32,
    /// Those that are told of here, each with when it began.
    pub shards: BTreeMap<u32, String>,
    /// How many properties were run, where the tests tell.
    pub properties: Option<u64>,
    /// How many of them failed.
    pub failures: u64,
    /// How many of these the inbox did not know.
    #[serde(default)]
    pub new: u64,
    /// How many it knew.
    #[serde(default)]
    pub known: u64,
    /// How long the longest of its shards took.
    pub milliseconds: u64,
    /// The exit status of the command, as a shell tells it; of several shards the greatest.
    pub exit: i32,
}

#[derive(Serialize)]
struct Head<'a> {
    redpin: &'static str,
    form: u32,
    #[serde(flatten)]
    sweep: &'a Sweep,
}

impl Sweep {
    /// The line that stands first in its run file, with its end.
    pub fn head(&self) -> Vec<u8> {
        // What the inbox of this machine knew is no matter of another's.
        let sweep = &Sweep { new: 0, known: 0, ..self.clone() };
        let mut line = serde_json::to_vec(&Head { redpin: "sweep", form: 1, sweep }).unwrap_or_default();
        line.push(b'\n');
        line
    }

    /// The shards that are missing.
    pub fn missing(&self) -> Vec<u32> {
        (1..=self.of).filter(|number| !self.shards.contains_key(number)).take(self.of.min(64) as usize).collect()
    }

    /// Whether all of `other` is in it.
    pub fn holds(&self, other: &Sweep) -> bool {
        self.is_alike(other) && other.shards.iter().all(|(number, began)| self.shards.get(number) == Some(began))
    }

    /// Whether both may be parts of one sweep, as far as what was run tells.
    fn is_alike(&self, other: &Sweep) -> bool {
        let what = |sweep: &Sweep| (sweep.cases, sweep.of);
        (&self.name, &self.command, &self.commit) == (&other.name, &other.command, &other.commit)
            && what(self) == what(other)
    }

    /// Whether `other` is another part of it.
    fn goes_with(&self, other: &Sweep) -> bool {
        let seconds = |sweep: &Sweep| sweep.when.parse::<Timestamp>().map(Timestamp::as_second).ok();
        let is_near =
            matches!((seconds(self), seconds(other)), (Some(a), Some(b)) if a.abs_diff(b) < APART.unsigned_abs());
        self.of > 1 && self.is_alike(other) && is_near && other.shards.keys().all(|one| !self.shards.contains_key(one))
    }

    fn take_in(&mut self, other: Sweep) {
        self.when = std::mem::take(&mut self.when).min(other.when);
        self.shards.extend(other.shards);
        self.properties = self.properties.zip(other.properties).map(|(a, b)| a.saturating_add(b));
        self.failures = self.failures.saturating_add(other.failures);
        self.new = self.new.saturating_add(other.new);
        self.known = self.known.saturating_add(other.known);
        self.milliseconds = self.milliseconds.max(other.milliseconds);
        self.exit = self.exit.max(other.exit);
    }
}

/// What the first line of a run tells of its sweep, and the run itself.
pub fn apart(run: &[u8]) -> (Option<Sweep>, &[u8]) {
    if !run.starts_with(HEAD) {
        return (None, run);
    }
    let end = memchr::memchr(b'\n', &run[..run.len().min(LONGEST)]);
    let Some(end) = end else { return (None, run) };
    match serde_json::from_slice::<Sweep>(&run[..end]) {
        Ok(sweep) if sweep.of > 0 && sweep.shards.keys().all(|number| (1..=sweep.of).contains(number)) => {
            (Some(sweep), &run[end + 1..])
        }
        _ => (None, run),
    }
}

/// How many properties a run tells to have been run; `None` where it tells of none.
pub fn properties(run: &[u8]) -> Option<u64> {
    let lines = memchr::memmem::find_iter(run, SWEPT).map(|at| {
        let end = memchr::memchr(b'\n', &run[at..]).map_or(run.len(), |length| at + length);
        &run[at..end]
    });
    let told: HashSet<&[u8]> = lines.collect();
    (!told.is_empty()).then_some(told.len() as u64)
}

/// The sweeps of which `parts` are, in the order in which they began.
pub fn fold(mut parts: Vec<Sweep>) -> Vec<Sweep> {
    parts.sort_by(|a, b| a.when.cmp(&b.when));
    let mut whole: Vec<Sweep> = Vec::new();
    for part in parts {
        if whole.iter().any(|sweep| sweep.holds(&part)) {
            continue;
        }
        match whole.iter_mut().find(|sweep| sweep.goes_with(&part)) {
            Some(sweep) => sweep.take_in(part),
            None => whole.push(part),
        }
    }
    whole
}

#[cfg(test)]
pub(crate) mod testing {
    //! A sweep to be changed.

    use super::Sweep;

    /// A shard of a sweep that began at a minute of an hour.
    pub(crate) fn part(number: u32, of: u32, minute: u32) -> Sweep {
        let when = format!("2026-11-30T03:{minute:02}:00Z");
        Sweep {
            name: "sweep".to_owned(),
            when: when.clone(),
            command: "cargo nextest run".to_owned(),
            commit: "c0ffee".to_owned(),
            cases: 10_000,
            of,
            shards: [(number, when)].into(),
            properties: Some(3),
            failures: 2,
            new: 1,
            known: 1,
            milliseconds: 1000 * u64::from(number),
            exit: 100,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::part;
    use super::{Shard, Sweep, apart, fold, properties};

    #[test]
    fn a_shard_is_a_number_of_how_many() {
        assert_eq!("2/4".parse(), Ok(Shard { number: 2, of: 4 }));
        assert_eq!(Shard { number: 2, of: 4 }.to_string(), "2/4");
        for wrong in ["", "2", "0/4", "5/4", "1/0", "-1/4", "1/4/8", "a/b", "1/99999999999"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_first_line_is_read_as_it_was_written() {
        let sweep = part(2, 4, 17);
        let run = [&sweep.head()[..], b"test a ... ok\n"].concat();
        let told = Sweep { new: 0, known: 0, ..sweep };
        assert_eq!(apart(&run), (Some(told), &b"test a ... ok\n"[..]));
    }

    #[test]
    fn what_is_no_first_line_is_left_in_the_run() {
        let wrong = String::from_utf8(part(5, 4, 1).head()).unwrap();
        for run in ["", "test a\n", "{\"redpin\":\"sweep\",", "{\"redpin\":\"sweep\",\"form\":1}\nx", wrong.as_str()] {
            assert_eq!(apart(run.as_bytes()), (None, run.as_bytes()));
        }
    }

    #[test]
    fn shards_find_together() {
        let whole = fold(vec![part(3, 3, 9), part(1, 3, 10), part(2, 3, 8)]);
        assert_eq!(whole.len(), 1);
        let one = &whole[0];
        assert_eq!((one.when.as_str(), one.shards.len(), one.missing()), ("2026-11-30T03:08:00Z", 3, vec![]));
        assert_eq!((one.properties, one.failures, one.new, one.known), (Some(9), 6, 3, 3));
        assert_eq!((one.milliseconds, one.exit), (3000, 100));
    }

    #[test]
    fn what_is_no_part_of_one_sweep_stays_apart() {
        let check = |parts: Vec<Sweep>, expected: usize| assert_eq!(fold(parts).len(), expected);
        check(vec![part(1, 1, 1), part(1, 1, 2)], 2);
        check(vec![part(1, 2, 1), part(1, 2, 5)], 2);
        check(vec![part(1, 2, 1), part(2, 3, 1)], 2);
        let other = |change: &dyn Fn(&mut Sweep)| {
            let mut sweep = part(2, 2, 2);
            change(&mut sweep);
            sweep
        };
        check(vec![part(1, 2, 1), other(&|sweep| sweep.commit.push('+'))], 2);
        check(vec![part(1, 2, 1), other(&|sweep| sweep.when = "2026-12-01T03:02:00Z".to_owned())], 2);
        check(vec![part(1, 2, 1), other(&|sweep| sweep.when = "yesterday".to_owned())], 2);
        check(vec![part(1, 2, 1), part(1, 2, 1), part(2, 2, 2)], 1);
        let nights = fold(vec![part(1, 2, 1), part(2, 2, 2), part(1, 2, 31), part(2, 2, 32)]);
        assert_eq!(nights.iter().map(|night| night.shards.len()).collect::<Vec<_>>(), [2, 2]);
    }

    #[test]
    fn missing_shards_are_named() {
        assert_eq!(fold(vec![part(1, 4, 1), part(3, 4, 1)])[0].missing(), [2, 4]);
    }

    #[test]
    fn each_property_that_was_run_counts_once() {
        let line = |test: &str| format!("{{\"redpin\":\"swept\",\"test\":\"{test}\"}}\n");
        let run = format!("3 passed\n{}{}{}", line("a"), line("b"), line("a"));
        assert_eq!((properties(run.as_bytes()), properties(b"3 passed")), (Some(2), None));
    }
}
