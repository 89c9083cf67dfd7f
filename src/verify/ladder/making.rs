//! Pins for values that their text does not give: each value is seen being made once, and of the expressions that may make
//! it again those are kept that a build shows to give it, the one that reads best first.

use crate::framework::{Attempt, Candidate};
use crate::pin::{Pin, Refusal};
use crate::triage::{Bench, TriageError};

use super::super::Onlooker;
use super::super::recorder::Subject;
use super::super::workshop::Workshop;
use super::climb::Climb;
use super::sift::{Sample, sift};

/// Values inside values that are made one after the other.
const DEEPEST: usize = 3;

/// A failure whose value was seen being made.
struct Seen<'a> {
    at: usize,
    subject: Subject<'a>,
    record: Result<String, Refusal>,
}

/// Has those seen being made that have no pin with a test, each once; whether that brought any.
pub(super) fn make(
    bench: &Bench<'_>,
    climbs: &mut [Climb],
    workshop: &Workshop<'_>,
    onlooker: &mut dyn Onlooker,
) -> Result<bool, TriageError> {
    let (mut places, mut subjects) = (Vec::new(), Vec::new());
    for (at, failure) in bench.failures().enumerate() {
        let Some(framework) = bench.framework(at).filter(|_| climbs[at].is_to_be_recorded()) else { continue };
        let (requirement, today) = (bench.requirement(at), bench.today());
        subjects.push(Subject { framework, failure, requirement, today, blank: bench.blank(at) });
        places.push(at);
    }
    let records = workshop.record(&subjects, onlooker)?;
    let with_record = |((at, subject), record)| Seen { at, subject, record };
    let seen: Vec<Seen<'_>> = places.into_iter().zip(subjects).zip(records).map(with_record).collect();
    let attempts = attempted(&seen, workshop, onlooker)?;
    let candidates = seen.iter().zip(&attempts).map(|(one, attempts)| one.candidates(attempts, workshop)).collect();
    let kept = kept(&seen, candidates, workshop, onlooker)?;
    let mut any = false;
    for (one, candidates) in seen.into_iter().zip(kept) {
        let by_record = if candidates.is_err() { one.by_record(workshop) } else { None };
        any |= candidates.is_ok() | by_record.is_some();
        climbs[one.at].was_recorded(candidates);
        by_record.into_iter().for_each(|pin| climbs[one.at].fall_back(pin));
    }
    Ok(any)
}

impl Seen<'_> {
    fn attempts(&self, known: &[Attempt], workshop: &Workshop<'_>) -> Vec<Attempt> {
        let Ok(record) = &self.record else { return Vec::new() };
        let Subject { framework, failure, requirement, today, .. } = self.subject;
        framework.attempts(failure, requirement, record, known, workshop.tree(), today).unwrap_or_default()
    }

    /// The pin by the replay handle that was found.
    fn by_record(&self, workshop: &Workshop<'_>) -> Option<Pin> {
        let record = self.record.as_ref().ok()?;
        self.subject.framework.by_record(self.subject.failure, record, workshop.tree()).ok()
    }

    fn candidates(&self, attempts: &[Attempt], workshop: &Workshop<'_>) -> Result<Vec<Candidate>, Refusal> {
        let record = self.record.clone()?;
        let Subject { framework, failure, requirement, today, .. } = self.subject;
        framework.constructed(failure, requirement, &record, attempts, workshop.tree(), today)
    }
}

/// Of each failure, the expressions that give its values which have no literal: the shortest one for each. Values that hold
/// others come after those.
fn attempted(
    seen: &[Seen<'_>],
    workshop: &Workshop<'_>,
    onlooker: &mut dyn Onlooker,
) -> Result<Vec<Vec<Attempt>>, TriageError> {
    let mut known: Vec<Vec<Attempt>> = vec![Vec::new(); seen.len()];
    let mut tried: Vec<Vec<String>> = vec![Vec::new(); seen.len()];
    for _ in 0..DEEPEST {
        let mut attempts: Vec<Vec<Attempt>> =
            seen.iter().zip(&known).map(|(one, known)| one.attempts(known, workshop)).collect();
        for (attempts, tried) in attempts.iter_mut().zip(&mut tried) {
            attempts.retain(|attempt| !tried.contains(&attempt.code));
            tried.extend(attempts.iter().map(|attempt| attempt.code.clone()));
        }
        let found = giving(seen, attempts, workshop, onlooker)?;
        let is_end = found.iter().all(Vec::is_empty);
        known.iter_mut().zip(found).for_each(|(known, found)| known.extend(found));
        if is_end {
            break;
        }
    }
    Ok(known)
}

/// The attempts that give their values, the shortest one for each value.
fn giving(
    seen: &[Seen<'_>],
    mut attempts: Vec<Vec<Attempt>>,
    workshop: &Workshop<'_>,
    onlooker: &mut dyn Onlooker,
) -> Result<Vec<Vec<Attempt>>, TriageError> {
    let of_each = || attempts.iter().zip(seen).flat_map(|(all, one)| all.iter().map(move |attempt| (attempt, one)));
    let recorded: Vec<[String; 1]> = of_each().map(|(attempt, _)| [attempt.recorded.clone()]).collect();
    let mut samples = Vec::new();
    for ((attempt, one), recorded) in of_each().zip(&recorded) {
        samples.push(sample(one, &attempt.print, recorded));
    }
    let mut outcomes = sift(&samples, workshop, onlooker)?.into_iter();
    for attempts in &mut attempts {
        attempts.retain(|_| outcomes.next().is_some_and(|outcome| outcome.is_ok()));
        attempts.sort_by_key(|attempt| attempt.code.len());
        let mut known: Vec<(String, String)> = Vec::new();
        attempts.retain(|attempt| {
            let value = (attempt.name.clone(), attempt.recorded.clone());
            let is_first = !known.contains(&value);
            known.push(value);
            is_first
        });
    }
    Ok(attempts)
}

/// Of each failure, the candidates that print what was recorded, the one that reads best first.
fn kept(
    seen: &[Seen<'_>],
    candidates: Vec<Result<Vec<Candidate>, Refusal>>,
    workshop: &Workshop<'_>,
    onlooker: &mut dyn Onlooker,
) -> Result<Vec<Result<Vec<Candidate>, Refusal>>, TriageError> {
    let lists = candidates.iter().zip(seen).filter_map(|(all, one)| Some((all.as_ref().ok()?, one)));
    let samples: Vec<Sample<'_>> =
        lists.flat_map(|(all, one)| all.iter().map(move |each| sample(one, &each.value, &each.recorded))).collect();
    let mut outcomes = sift(&samples, workshop, onlooker)?.into_iter();
    let mut best = |all: Vec<Candidate>| {
        let told: Vec<_> = all.into_iter().zip(outcomes.by_ref()).collect();
        let why = told.iter().find_map(|(_, outcome)| outcome.clone().err()).unwrap_or_default();
        let mut kept: Vec<Candidate> =
            told.into_iter().filter_map(|(one, outcome)| outcome.is_ok().then_some(one)).collect();
        kept.sort_by_key(Candidate::weight);
        if kept.is_empty() { Err(Refusal(why)) } else { Ok(kept) }
    };
    Ok(candidates.into_iter().map(|all| all.and_then(&mut best)).collect())
}

fn sample<'a>(one: &'a Seen<'_>, value: &'a Pin, recorded: &'a [String]) -> Sample<'a> {
    Sample { standing: &one.subject.blank, framework: one.subject.framework, value, recorded }
}
