//! Pins that are a replay handle and nothing else: that such a one is green shows that the bug is mended only where the
//! handle still stands for the input that failed.

use crate::failure::Notice;
use crate::framework::{self, Generated, Handles, Recording};
use crate::proof::{Manner, PinState, StandingPin};
use crate::source_tree::SourceTree;
use crate::triage::{Triage, TriageError};

use super::short::short;
use super::workshop::Workshop;
use super::{Aside, HandleFault, Onlooker, Ran, Verified};

/// Notes what is wrong with the handles of `pins`, as far as that is told without running them.
pub(super) fn look(pins: &mut [Verified], triage: &Triage) {
    let tree = triage.work_tree();
    for one in pins.iter_mut() {
        one.handle = astray(one);
    }
    for one in pins.iter_mut().filter(|one| one.pin.replay.is_some() && one.handle.is_none()) {
        let is_kept = handles(&one.pin).is_none_or(|handles| handles.is_kept(&one.pin, &tree));
        let is_in_doubt = is_all(&one.pin) && one.proof.state == PinState::Green;
        one.handle = match is_kept {
            false => Some(HandleFault::NotKept),
            true => is_in_doubt.then_some(HandleFault::Unsure),
        };
    }
}

/// The fault of a handle whose test says itself that it does not reach the input on record.
fn astray(one: &Verified) -> Option<HandleFault> {
    let framework = framework::named(&one.pin.framework).filter(|_| one.proof.state.has_failed())?;
    let here = framework.reached_instead(&one.proof.message)?.to_owned();
    Some(HandleFault::Astray { here })
}

/// Whether a pin is a handle and nothing else.
pub(super) fn is_all(pin: &StandingPin) -> bool {
    pin.test.is_none() && pin.replay.is_some()
}

fn handles(pin: &StandingPin) -> Option<&'static dyn Handles> {
    framework::named(&pin.framework)?.handles()
}

/// What the handle of `pin` comes to in a version of the repository whose files are in `tree`, in which `start` starts
/// commands; `None` where that is not told.
pub(super) fn generated(
    pin: &StandingPin,
    tree: &dyn SourceTree,
    manner: &Manner,
    start: &mut dyn FnMut(&Recording) -> Result<Ran, TriageError>,
) -> Result<Option<Generated>, TriageError> {
    let Some(handles) = handles(pin) else { return Ok(None) };
    let Ok(recording) = handles.run(pin, tree, manner) else { return Ok(None) };
    Ok(handles.told(&start(&recording)?.output))
}

/// Notes of the handles of `pins`, which were run at another commit as well, which are dead. `before` is what they came to
/// there.
pub(super) fn compare(
    pins: &mut [Verified],
    before: &[Option<Generated>],
    workshop: &Workshop<'_>,
    onlooker: &mut dyn Onlooker,
) -> Result<(), TriageError> {
    for (one, before) in pins.iter_mut().zip(before) {
        let was = one.base.as_ref().map(|proof| proof.state);
        if !is_all(&one.pin) || one.handle == Some(HandleFault::NotKept) {
            continue;
        }
        let breaks_there = before.as_ref().map_or(was == Some(PinState::Red), |before| before.fails);
        if matches!(was, Some(PinState::Red | PinState::Green)) && !breaks_there {
            one.handle = Some(HandleFault::DeadThere);
        } else if let (Some(HandleFault::Unsure), Some(before)) = (&one.handle, before) {
            let start = &mut |recording: &Recording| workshop.start(recording, &mut Aside(onlooker));
            if let Some(here) = generated(&one.pin, workshop.tree(), workshop.manner(), start)? {
                one.handle = dead(&one.pin, before, here);
            }
        }
    }
    Ok(())
}

/// The fault of a handle that comes to `here`, and came to `before`.
fn dead(pin: &StandingPin, before: &Generated, here: Generated) -> Option<HandleFault> {
    let recorded = std::slice::from_ref(&before.input);
    let is_same = framework::named(&pin.framework)?.prints_recorded_values(recorded, &here.input);
    (!is_same).then(|| HandleFault::Dead { before: before.input.clone(), here: here.input })
}

/// What is said of a pin whose handle has a fault. `place` is the other commit.
pub(super) fn notice(pin: &StandingPin, fault: &HandleFault, place: Option<&str>) -> Notice {
    let property = &pin.property;
    let place = place.unwrap_or("another commit");
    let text = match fault {
        HandleFault::NotKept => format!("the seed of `{property}` is in none of its files any more: nothing runs it"),
        HandleFault::Unsure => format!(
            "the seed of `{property}` breaks nothing here: the bug is mended, or the seed is dead; `redpin verify --base REV` \
             tells which, REV being a commit that has the bug"
        ),
        HandleFault::DeadThere => format!(
            "the seed of `{property}` is dead: what is generated from it at {place} does not break the property there"
        ),
        HandleFault::Astray { here } => format!(
            "the seed of `{property}` is dead: with its steps of shrinking it led `{}` to {}, and leads to `{}` here, so that the \
             test says nothing of that input; write a test by hand that holds it",
            pin.runs(),
            known(&pin.counterexample),
            short(here)
        ),
        HandleFault::Dead { before, here } => format!(
            "the seed of `{property}` is dead: `{}` was generated from it at {place}, and `{}` is here, so green says nothing \
             of that input",
            short(before),
            short(here)
        ),
    };
    let file = pin.file.as_ref().map_or_else(|| property.0.clone(), |file| file.as_str().to_owned());
    Notice { file, line: None, text }
}

/// The input on record, as far as it is there.
fn known(counterexample: &str) -> String {
    match counterexample {
        "" => "the input on record".to_owned(),
        counterexample => format!("`{}`", short(counterexample)),
    }
}
