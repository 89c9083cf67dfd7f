//! Failures that resemble each other, staged together: by one input for two reasons, by two inputs, one named twice.

use redpin::inbox::{FailureId, State};
use redpin::triage::{Ignored, Outcome, Triage};
use redpin::verdict::{Decision, Verdict};

use super::night::{SOURCE, import, open, repository};
use super::repository::Sample;

const BELOW: (&str, &str, u32) = ("p0", "x < 1", 9);
const ABOVE: (&str, &str, u32) = ("p0", "x > 9", 9);

fn stage(triage: &mut Triage, ids: &[FailureId]) -> Vec<Outcome> {
    for id in ids {
        triage.decide(id, Some(Verdict::RealBug), None).unwrap();
    }
    let staged = triage.stage(ids, Ignored::LeaveOut, None).unwrap();
    staged.failures.iter().map(|one| one.outcome).collect()
}

/// The names of the pins in the index; the work tree has the same.
fn pins(sample: &Sample) -> Vec<String> {
    let staged = sample.git(&["show", &format!(":{SOURCE}")]);
    assert_eq!(std::fs::read_to_string(sample.top().join(SOURCE)).unwrap(), staged);
    let names = staged.split("fn ").skip(1).filter_map(|rest| rest.split('(').next());
    names.filter(|name| name.contains("_pin_")).map(str::to_owned).collect()
}

/// The tests that the staged records name, in the order of the records' files.
fn recorded(sample: &Sample) -> Vec<String> {
    let names = sample.git(&["diff", "--cached", "--name-only", "--", ".redpin"]);
    let test = |name: &str| {
        let decision: Decision = serde_json::from_str(&sample.git(&["show", &format!(":{name}")])).unwrap();
        decision.pin.unwrap().test.unwrap()
    };
    names.lines().map(test).collect()
}

#[test]
fn one_input_that_fails_for_two_reasons_has_one_pin_and_two_records() {
    for order in [[BELOW, ABOVE], [ABOVE, BELOW]] {
        let sample = repository(1);
        let before = sample.snapshot();
        let mut triage = open(&sample);
        let ids = import(&sample, &mut triage, &order);
        assert_eq!(stage(&mut triage, &ids), [Outcome::Staged, Outcome::Staged]);
        let pins = pins(&sample);
        assert_eq!((pins.len(), recorded(&sample)), (1, [pins.clone(), pins].concat()));
        assert_eq!(stage(&mut triage, &ids), [Outcome::Already, Outcome::Already]);
        triage.undo().unwrap();
        assert_eq!(sample.snapshot(), before);
    }
}

#[test]
fn the_second_reason_of_an_input_that_is_pinned_adds_its_record_alone() {
    let sample = repository(1);
    let mut triage = open(&sample);
    let ids = import(&sample, &mut triage, &[BELOW, ABOVE]);
    stage(&mut triage, &ids[..1]);
    let pinned = pins(&sample);
    assert_eq!(stage(&mut triage, &ids[1..]), [Outcome::Staged]);
    assert_eq!(pins(&sample), pinned);
    assert_eq!(recorded(&sample), [pinned.clone(), pinned].concat());
}

#[test]
fn two_inputs_of_one_property_have_a_pin_each() {
    let sample = repository(1);
    let mut triage = open(&sample);
    let ids = import(&sample, &mut triage, &[BELOW, ("p0", "x > 9", 3)]);
    stage(&mut triage, &ids);
    let (mut pins, mut recorded) = (pins(&sample), recorded(&sample));
    pins.sort();
    recorded.sort();
    assert_eq!((pins.len(), pins[0] != pins[1], &recorded), (2, true, &pins));
}

#[test]
fn a_failure_named_twice_is_staged_once() {
    let sample = repository(1);
    let mut triage = open(&sample);
    let ids = import(&sample, &mut triage, &[BELOW]);
    assert_eq!(stage(&mut triage, &[ids[0].clone(), ids[0].clone()]), [Outcome::Staged]);
    assert_eq!(triage.inbox().get(&ids[0]).unwrap().state, State::Staged);
    assert_eq!(pins(&sample).len(), 1);
}

#[test]
fn verdicts_of_several_kinds_come_to_the_same_in_either_order() {
    let trees = [false, true].map(|turned| {
        let sample = repository(2);
        sample.commit(&[("spec.md", b"## CAP-1: A cap\n\nx is below 1.\n")]);
        let mut triage = open(&sample);
        let mut ids = import(&sample, &mut triage, &[BELOW, ("p1", "[CAP-1] x", 4), ("p1", "x < 1", 5)]);
        for (id, verdict) in ids.iter().zip([Verdict::RealBug, Verdict::AmbiguousSpec, Verdict::WrongProperty]) {
            triage.decide(id, Some(verdict), None).unwrap();
        }
        if turned {
            ids.reverse();
        }
        triage.stage(&ids, Ignored::LeaveOut, None).unwrap();
        assert_eq!(sample.git(&["diff", "--cached", "--name-only"]).lines().count(), 5);
        sample.git(&["write-tree"])
    });
    assert_eq!(trees[0], trees[1]);
}
