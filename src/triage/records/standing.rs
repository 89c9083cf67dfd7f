//! The pins that stand in the repository, as their decision records tell of them.

use crate::failure::{FrameworkName, PackageName, TestName};
use crate::inbox::{FailureId, Filed};
use crate::pin::Rung;
use crate::proof::StandingPin;
use crate::repo_path::RepoPath;
use crate::triage::select::{self, Named};
use crate::triage::{Triage, TriageError};
use crate::verdict::{Decision, InsteadRecord, Verdict};

use super::cut;
use super::record::Records;

/// The rungs on which a test makes its value. One that replays it sees by itself whether it is another.
const MADE: [Rung; 2] = [Rung::Constructed, Rung::ByHand];

impl Triage {
    /// The pins of the work tree, sorted by file and test: all, or those that the user calls `names`, by the id of a failure,
    /// its beginning, or the end of a test name. A name means all pins of a failure, and all of a property.
    ///
    /// # Errors
    /// Where a name means none, or those of more than one.
    pub fn standing_pins(&self, names: &[String]) -> Result<Vec<StandingPin>, TriageError> {
        let tree = self.repository.work_tree();
        let mut pins: Vec<StandingPin> = Records::list(&tree).all().into_iter().flat_map(standing).collect();
        pins.sort_by(|a, b| (&a.file, a.runs()).cmp(&(&b.file, b.runs())));
        if names.is_empty() {
            return Ok(pins);
        }
        let failed = self.failed_pins(&pins);
        let mut wanted = Vec::new();
        for name in names {
            for at in called(&pins, &failed, name)? {
                if !wanted.contains(&at) {
                    wanted.push(at);
                }
            }
        }
        Ok(wanted.into_iter().map(|at| pins[at].clone()).collect())
    }

    /// The failures of the inbox that are one of `pins` itself, and its place among them.
    pub(in crate::triage) fn failed_pins(&self, pins: &[StandingPin]) -> Vec<(FailureId, usize)> {
        let failed = self.inbox().filed().iter().filter(|filed| filed.pin_failed);
        let is_it = |pin: &StandingPin, filed: &Filed| {
            pin.test.as_ref() == Some(&filed.failure.test) && pin.framework == filed.failure.framework
        };
        let is_there = |pin: &StandingPin, filed: &Filed| filed.file.is_none() || pin.file == filed.file;
        let place = |filed: &Filed| pins.iter().position(|pin| is_it(pin, filed) && is_there(pin, filed));
        failed.filter_map(|filed| Some((filed.id.clone(), place(filed)?))).collect()
    }
}

/// The pins that a record tells of: that of the decision, and as long as it is a real bug those before it with other tests.
fn standing(mut decision: Decision) -> Vec<StandingPin> {
    let before = std::mem::take(&mut decision.before);
    let is_bug = decision.verdict == Verdict::RealBug;
    let mut pins: Vec<StandingPin> = of_one(decision).into_iter().collect();
    for earlier in before.into_iter().rev().filter(|_| is_bug).filter_map(of_one) {
        if pins.iter().all(|pin| pin.test != earlier.test) {
            pins.push(earlier);
        }
    }
    pins
}

fn of_one(decision: Decision) -> Option<StandingPin> {
    let pin = decision.pin.filter(|_| decision.verdict == Verdict::RealBug)?;
    let own = InsteadRecord { counterexample: decision.counterexample, message: decision.message };
    let InsteadRecord { counterexample, message } = pin.instead.unwrap_or(own);
    Some(StandingPin {
        failure: decision.failure,
        framework: FrameworkName(decision.framework),
        package: decision.package.map(PackageName),
        property: TestName(decision.property),
        file: decision.file.and_then(|file| RepoPath::new(&file)),
        files: pin.files.iter().filter_map(|file| RepoPath::new(file)).collect(),
        counterexample: Some(counterexample).filter(|text| !cut::is_cut(text)).unwrap_or_default(),
        makes_value: pin.test.is_some() && Rung::called(&pin.rung).is_some_and(|rung| MADE.contains(&rung)),
        message,
        test: pin.test.map(TestName),
        replay: pin.replay,
    })
}

/// What the pin is called by.
fn named(pin: &StandingPin) -> Named<'_> {
    let file = pin.file.as_ref().map(RepoPath::as_str);
    Named { id: &pin.failure, test: &pin.runs().0, other: Some(&pin.property.0), file }
}

/// The places of the pins called `name`: all of one failure or one property. A failure that is a pin itself goes by its id
/// as well, and `failed` has those.
fn called(pins: &[StandingPin], failed: &[(FailureId, usize)], name: &str) -> Result<Vec<usize>, TriageError> {
    let of_failed = failed.iter().map(|(id, at)| Named { id: &id.0, ..named(&pins[*at]) });
    let names: Vec<Named<'_>> = pins.iter().map(named).chain(of_failed).collect();
    let meant = select::meant(&names, name);
    let mut places: Vec<usize> =
        meant.iter().map(|at| at.checked_sub(pins.len()).map_or(*at, |at| failed[at].1)).collect();
    places.sort_unstable();
    places.dedup();
    let Some(first) = places.first().map(|at| &pins[*at]) else { return Err(TriageError::NoPin(name.to_owned())) };
    let all = |is_same: &dyn Fn(&StandingPin) -> bool| places.iter().all(|at| is_same(&pins[*at]));
    let of_property = |pin: &StandingPin| {
        (&pin.framework, &pin.property, &pin.file) == (&first.framework, &first.property, &first.file)
    };
    let by_id = meant.iter().any(|at| names[*at].id.starts_with(name));
    match all(&|pin| pin.failure == first.failure) || !by_id && all(&of_property) {
        true => Ok(places),
        false => Err(select::ambiguous(&names, &meant, name)),
    }
}

#[cfg(test)]
mod tests {
    use super::{called, standing};
    use crate::failure::TestName;
    use crate::inbox::FailureId;
    use crate::proof::StandingPin;
    use crate::proof::testing::blank_pin;
    use crate::repo_path::RepoPath;
    use crate::triage::TriageError;
    use crate::verdict::Decision;

    #[test]
    fn a_name_means_all_pins_of_its_failure_and_of_its_property() {
        let pin = |failure: &str, property: &str, digest: &str| StandingPin {
            failure: failure.to_owned(),
            file: RepoPath::new("tests/b.rs"),
            test: Some(TestName(format!("{property}_pin_{digest}"))),
            ..blank_pin("any", property)
        };
        let pins = [pin("64b2", "sums", "0000001"), pin("64b2", "sums", "0000002"), pin("64b3", "sums", "0000003")];
        let pins = [&pins[..], &[pin("ecf9", "grows", "0000004")]].concat();
        let failed = [(FailureId("77aa".to_owned()), 1)];
        let check = |name: &str, expected: &[usize]| {
            assert_eq!(called(&pins, &failed, name).unwrap(), expected, "{name}");
        };
        check("64b2", &[0, 1]);
        check("sums", &[0, 1, 2]);
        check("tests/b.rs::sums", &[0, 1, 2]);
        check("sums_pin_0000002", &[1]);
        check("77a", &[1]);
        check("ecf", &[3]);
        assert!(matches!(called(&pins, &failed, "64b"), Err(TriageError::Ambiguous { meant, .. }) if meant.len() == 3));
        assert!(matches!(called(&pins, &failed, "b.rs::x"), Err(TriageError::NoPin(name)) if name == "b.rs::x"));
    }

    fn decision(verdict: &str, test: &str) -> Decision {
        let text = format!(
            r#"{{"schema":1,"failure":"0","verdict":"{verdict}","who":"","when":"","why":"","framework":"f","package":null,
                "property":"p","file":null,"requirement":null,"counterexample":"","message":"","run":"",
                "pin":{{"test":"{test}","rung":"literal","replay":null,"files":[],"reason":null}}}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn earlier_pins_of_a_failure_stand_as_long_as_it_is_a_bug() {
        let tests =
            |decision: Decision| standing(decision).into_iter().map(|pin| pin.test.unwrap().0).collect::<Vec<_>>();
        let bug = |test| decision("real-bug", test);
        assert_eq!(tests(bug("b").after(bug("a"))), ["b", "a"]);
        assert_eq!(tests(bug("c").after(bug("b").after(bug("a")))), ["c", "b", "a"]);
        assert_eq!(tests(bug("a").after(bug("a"))), ["a"]);
        assert_eq!(tests(bug("b").after(decision("wrong-property", "a"))), ["b"]);
        assert_eq!(tests(decision("wrong-property", "b").after(bug("a"))), Vec::<String>::new());
    }
}
