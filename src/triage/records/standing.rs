//! The pins that stand in the repository, as their decision records tell of them.

use crate::failure::{FrameworkName, PackageName, TestName};
use crate::pin::Rung;
use crate::proof::StandingPin;
use crate::repo_path::RepoPath;
use crate::triage::select::Named;
use crate::triage::{Triage, TriageError};
use crate::verdict::{Decision, InsteadRecord, Verdict};

use super::cut;
use super::record::Records;

/// The rungs on which a test makes its value. One that replays it sees by itself whether it is another.
const MADE: [Rung; 2] = [Rung::Constructed, Rung::ByHand];

impl Triage {
    /// The pins of the work tree, sorted by file and test: all, or those that the user calls `names`, by the id of the
    /// failure, its beginning, or the end of a test name.
    ///
    /// # Errors
    /// Where a name means none, or more than one.
    pub fn standing_pins(&self, names: &[String]) -> Result<Vec<StandingPin>, TriageError> {
        let tree = self.repository.work_tree();
        let mut pins: Vec<StandingPin> = Records::list(&tree).all().into_iter().flat_map(standing).collect();
        pins.sort_by(|a, b| (&a.file, a.runs()).cmp(&(&b.file, b.runs())));
        if names.is_empty() {
            return Ok(pins);
        }
        let mut wanted = Vec::new();
        for name in names {
            let at = called(&pins, name)?;
            if !wanted.contains(&at) {
                wanted.push(at);
            }
        }
        Ok(wanted.into_iter().map(|at| pins[at].clone()).collect())
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

/// What the pin, or its property, is called by a user who means it by `test`.
pub(in crate::triage) fn named<'a>(pin: &'a StandingPin, test: &'a TestName) -> Named<'a> {
    Named { id: &pin.failure, test: &test.0, file: pin.file.as_ref().map(RepoPath::as_str) }
}

/// The place of the pin called `name`.
fn called(pins: &[StandingPin], name: &str) -> Result<usize, TriageError> {
    let exact = |pin: &StandingPin| pin.failure == name || pin.runs().0 == name;
    let ends = |test: &TestName| test.0.ends_with(name);
    let loose = |pin: &StandingPin| pin.failure.starts_with(name) || ends(pin.runs()) || ends(&pin.property);
    let all = |fits: &dyn Fn(&StandingPin) -> bool| (0..pins.len()).filter(|at| fits(&pins[*at])).collect::<Vec<_>>();
    let meant = Some(all(&exact)).filter(|meant| !meant.is_empty()).unwrap_or_else(|| all(&loose));
    match meant.as_slice() {
        [one] => Ok(*one),
        [] => Err(TriageError::NoPin(name.to_owned())),
        several => Err(TriageError::Ambiguous {
            text: name.to_owned(),
            meant: several.iter().map(|at| named(&pins[*at], pins[*at].runs()).to_string()).collect(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::standing;
    use crate::verdict::Decision;

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
