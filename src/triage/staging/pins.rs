//! Many failures called real bugs and pinned in one go, as the command line does it.

use std::collections::HashSet;
use std::sync::Arc;

use crate::failure::{Ending, Notice};
use crate::git::Repository;
use crate::inbox::{FailureId, Filed, Inbox};
use crate::pin::Pin;
use crate::source::RunArgument;
use crate::triage::intake::look::look;
use crate::triage::records::fate;
use crate::triage::records::record::{self, Records};
use crate::triage::records::stands::{Stands, stands};
use crate::triage::select::select;
use crate::triage::{Triage, TriageError};
use crate::verdict::Verdict;

use super::plan::{Outcome, StagedFailure};
use super::prove::Prover;
use super::stage::Staged;
use super::wish::{Choice, Ignored, Wish};

/// Which failures to pin.
#[derive(Clone, Debug, Default)]
pub struct PinWish {
    /// Failures by name; `None` for all: those of `runs` where there are any, else those of the inbox.
    pub failures: Option<Vec<String>>,
    /// Runs to read into the inbox first.
    pub runs: Vec<RunArgument>,
    /// Whether files that git ignores are staged as well.
    pub ignored: Ignored,
    /// The pin of the one failure that is named, written by hand.
    pub by_hand: Option<Pin>,
}

/// What pinning would come to.
#[derive(Clone, Debug, Default)]
pub struct PinsPreview {
    /// The failures as they would come out.
    pub staged: Staged,
    /// The patch, as `git apply` takes it.
    pub patch: Vec<u8>,
    /// What could not be read, or must be known.
    pub notices: Vec<Notice>,
}

/// Failures to pin, and those already settled without.
struct Sorted {
    wishes: Vec<Wish>,
    settled: Vec<(usize, StagedFailure)>,
}

impl Triage {
    /// Calls failures real bugs and stages their pins, as one operation, once `prover` has seen them.
    ///
    /// # Errors
    /// Where a failure or run is not there, or git, the disk or the inbox refuses; nothing is staged then.
    pub fn pin(
        &mut self,
        wish: &PinWish,
        prover: Option<&mut dyn Prover>,
    ) -> Result<(Staged, Vec<Notice>), TriageError> {
        let mut notices = Vec::new();
        let mut shown = None;
        if !wish.runs.is_empty() {
            let imported = self.import(&wish.runs, &mut |_| {})?;
            notices = imported.notices;
            shown = Some(imported.failures);
        }
        let chosen = chosen(self.inbox(), wish, shown.as_deref())?;
        let mut sorted = sort(chosen, wish, &self.repository)?;
        if let ([one], Some(pin)) = (sorted.wishes.as_mut_slice(), &wish.by_hand) {
            one.choice = Choice::Pin(Box::new(pin.clone()), None);
        }
        let mut staged = self.carry_out(&sorted.wishes, wish.ignored, prover)?;
        insert(&mut staged.failures, sorted.settled);
        Ok((staged, notices))
    }

    /// What [`Triage::pin`] would come to. Writes nothing.
    ///
    /// # Errors
    /// As there.
    pub fn preview_pins(&self, wish: &PinWish) -> Result<PinsPreview, TriageError> {
        let (inbox, notices) = if wish.runs.is_empty() {
            (self.inbox().clone(), Vec::new())
        } else {
            let listing = look(self.repository.top(), &wish.runs, self.now)?;
            (listing.inbox, listing.notices)
        };
        let sorted = sort(chosen(&inbox, wish, None)?, wish, &self.repository)?;
        let plan = self.plan(&sorted.wishes, wish.ignored)?;
        let patch = plan.texts.patch();
        let mut staged = Staged { failures: plan.failures, operation: None };
        insert(&mut staged.failures, sorted.settled);
        Ok(PinsPreview { staged, patch, notices })
    }
}

/// The failures meant, each once, in the order named or shown.
fn chosen(inbox: &Inbox, wish: &PinWish, shown: Option<&[FailureId]>) -> Result<Vec<Arc<Filed>>, TriageError> {
    let mut known = HashSet::new();
    let mut filed = match (&wish.failures, shown) {
        (Some(names), _) => {
            names.iter().map(|name| select(inbox, name).cloned()).collect::<Result<Vec<_>, TriageError>>()?
        }
        (None, Some(ids)) => ids.iter().filter_map(|id| inbox.get(id).cloned()).collect(),
        (None, None) => inbox.filed().to_vec(),
    };
    filed.retain(|filed| known.insert(filed.id.clone()));
    Ok(filed)
}

/// Sets aside what needs no pin: pins themselves, what was judged otherwise, what is pinned with another input.
fn sort(chosen: Vec<Arc<Filed>>, wish: &PinWish, repository: &Repository) -> Result<Sorted, TriageError> {
    let tree = repository.work_tree();
    let (records, by_name) = (Records::list(&tree), wish.failures.is_some());
    let mut sorted = Sorted { wishes: Vec::new(), settled: Vec::new() };
    let wanted = chosen.into_iter().filter(|filed| by_name || filed.failure.ending != Ending::Aborted);
    for (place, filed) in wanted.enumerate() {
        let settled = if by_name { named(&filed, repository)? } else { swept(&filed, &records) };
        let settled = match settled {
            None if wish.by_hand.is_none() => standing(&filed, &records, repository)?,
            settled => settled,
        };
        match settled {
            Some(settled) => sorted.settled.push((place, settled)),
            None => sorted.wishes.push(Wish { filed, verdict: Verdict::RealBug, choice: Choice::default() }),
        }
    }
    Ok(sorted)
}

/// How a failure that the user named is settled without a pin.
fn named(filed: &Filed, repository: &Repository) -> Result<Option<StagedFailure>, TriageError> {
    fate::refuse_another(filed, Some(Verdict::RealBug), repository)?;
    if filed.pin_failed {
        return Ok(Some(failed_pin(filed)));
    }
    let given_up = || {
        let why = match filed.failure.counterexample.text.is_empty() {
            true => "the run was given up without an input that breaks the property; run it again with other limits",
            false => "its input alone does not break the property; mend what else does",
        };
        let on_record = format!("put the verdict on record with `redpin decide {} real-bug`", filed.id.0);
        let reason = format!("there is nothing to pin: {why}, or {on_record}");
        StagedFailure::refused(filed, Verdict::RealBug, reason)
    };
    Ok((filed.failure.ending == Ending::Aborted).then(given_up))
}

/// How a failure is settled whose pin stands already, and would have to be looked for anew.
///
/// # Errors
/// Where git cannot tell.
pub(crate) fn standing(
    filed: &Filed,
    records: &Records<'_>,
    repository: &Repository,
) -> Result<Option<StagedFailure>, TriageError> {
    let Some(decision) = records.of(filed) else { return Ok(None) };
    let settled = |Stands { test, rung, files }: Stands| StagedFailure {
        outcome: Outcome::Already,
        rung: Some(rung),
        test: Some(test),
        files,
        reason: None,
        ..StagedFailure::refused(filed, Verdict::RealBug, String::new())
    };
    Ok(stands(decision, filed, repository)?.map(settled))
}

/// How one of all failures is settled without a pin.
fn swept(filed: &Filed, records: &Records<'_>) -> Option<StagedFailure> {
    if filed.pin_failed {
        return Some(failed_pin(filed));
    }
    match filed.verdict {
        Some(Verdict::RealBug) => pinned_before(filed, records),
        None => None,
        Some(verdict) => {
            let reason = format!("the verdict on it is {verdict}; name the failure to pin it all the same");
            Some(StagedFailure::refused(filed, verdict, reason))
        }
    }
}

fn failed_pin(filed: &Filed) -> StagedFailure {
    StagedFailure {
        outcome: Outcome::Already,
        test: Some(filed.failure.test.clone()),
        ..StagedFailure::refused(filed, Verdict::RealBug, "it is a pin itself, and failed again".to_owned())
    }
}

/// A bug that was pinned another night, with another input of the same cause.
fn pinned_before(filed: &Filed, records: &Records<'_>) -> Option<StagedFailure> {
    let decision = records.of(filed)?;
    let pin = decision.pin?;
    if decision.verdict != Verdict::RealBug || decision.counterexample == record::counterexample(filed) {
        return None;
    }
    let reason = format!("it was pinned on {} with another input", decision.when.get(..10).unwrap_or(&decision.when));
    Some(StagedFailure {
        outcome: Outcome::Already,
        test: pin.test.map(crate::failure::TestName),
        ..StagedFailure::refused(filed, Verdict::RealBug, reason)
    })
}

/// Puts the settled failures back in their places among the others.
fn insert(failures: &mut Vec<StagedFailure>, settled: Vec<(usize, StagedFailure)>) {
    for (place, one) in settled {
        failures.insert(place.min(failures.len()), one);
    }
}
