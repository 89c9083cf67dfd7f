//! Pins for values that their text does not give: each value is seen being made once, and of the expressions that may make
//! it again those are kept that a build shows to give it, the one that reads best first. The likeliest is tried at once, in
//! the first build of pins.

use std::time::Duration;

use crate::failure::{Caveat, Failure};
use crate::framework::{Attempt, Candidate};
use crate::pin::{Instead, PartKind, Pin, Refusal, Rung};
use crate::settings::{FindSeeds, Settings};
use crate::source_tree::SourceTree;
use crate::threads::apart;
use crate::triage::{Bench, TriageError};
use crate::value::one_line;

use super::super::Onlooker;
use super::super::recorder::{Recorded, Subject};
use super::super::workshop::Workshop;
use super::climb::Climb;
use super::said;
use super::sift::{Miss, Sample, sift};

/// Values inside values that are made one after the other.
const DEEPEST: usize = 3;

/// How long one command may take that looks for replay handles, where properties are run anyhow and where it is started for
/// that alone.
const SEARCH_ALONG: Duration = Duration::from_secs(20);
const SEARCH: Duration = Duration::from_secs(120);

/// A failure whose value was seen being made.
struct Seen<'a> {
    at: usize,
    subject: Subject<'a>,
    recorded: Result<Recorded, Refusal>,
}

/// Values that were seen being made.
pub(super) struct Making<'a> {
    seen: Vec<Seen<'a>>,
    /// The expressions for the innermost values, which are tried first.
    attempts: Vec<Vec<Attempt>>,
    /// The pins that are tried before anything is known of those.
    guesses: Vec<Option<Candidate>>,
}

/// Has those seen being made that have no pin with a test, each once.
pub(super) fn see<'a>(
    bench: &'a Bench<'_>,
    climbs: &mut [Climb],
    workshop: &Workshop<'_>,
    onlooker: &mut dyn Onlooker,
) -> Result<Making<'a>, TriageError> {
    let (mut places, mut subjects) = (Vec::new(), Vec::new());
    for (at, failure) in bench.failures().enumerate() {
        let Some(framework) = bench.framework(at).filter(|_| climbs[at].is_to_be_recorded()) else { continue };
        let Some(recorder) = framework.recorder() else { continue };
        let (requirement, today) = (bench.requirement(at), bench.today());
        subjects.push(Subject { framework, recorder, failure, requirement, today, blank: bench.blank(at) });
        places.push(at);
    }
    let records = workshop.record(&subjects, onlooker)?;
    seek(bench, climbs, !subjects.is_empty(), workshop, onlooker)?;
    let with_record = |((at, subject), recorded)| Seen { at, subject, recorded };
    let seen: Vec<Seen<'_>> = places.into_iter().zip(subjects).zip(records).map(with_record).collect();
    let tree = workshop.tree();
    let packages = workshop.tree_with_packages();
    let attempts: Vec<Vec<Attempt>> = apart(|| seen.iter().map(|one| one.attempts(&[], packages)).collect());
    let guesses: Vec<Option<Candidate>> =
        apart(|| seen.iter().zip(&attempts).map(|(one, attempts)| one.guess(attempts, tree)).collect());
    for (one, guess) in seen.iter().zip(&guesses) {
        match guess {
            Some(guess) => climbs[one.at].guess(guess.clone()),
            None => climbs[one.at].wait(),
        }
    }
    Ok(Making { seen, attempts, guesses })
}

/// Looks for the replay handles that runs did not name, of pins that have a test without one, as far as the user wants that:
/// always, or where there are `others` whose properties were run just now.
fn seek(
    bench: &Bench<'_>,
    climbs: &mut [Climb],
    others: bool,
    workshop: &Workshop<'_>,
    onlooker: &mut dyn Onlooker,
) -> Result<(), TriageError> {
    let limit = match Settings::read(workshop.tree()).unwrap_or_default().pins.find_seeds {
        FindSeeds::Along if others => SEARCH_ALONG,
        FindSeeds::Always => SEARCH,
        FindSeeds::Along | FindSeeds::Never => return Ok(()),
    };
    let (mut places, mut subjects) = (Vec::new(), Vec::new());
    for (at, failure) in bench.failures().enumerate() {
        let Some(framework) = bench.framework(at).filter(|_| climbs[at].is_to_be_sought()) else { continue };
        let Some(recorder) = framework.recorder() else { continue };
        let (requirement, today) = (bench.requirement(at), bench.today());
        subjects.push(Subject { framework, recorder, failure, requirement, today, blank: bench.blank(at) });
        places.push(at);
    }
    if subjects.is_empty() {
        return Ok(());
    }
    let found = workshop.seek(&subjects, limit, onlooker)?;
    for ((at, subject), record) in places.into_iter().zip(subjects).zip(found) {
        let line = |record: String| subject.recorder.by_record(subject.failure, &record, workshop.tree()).ok();
        climbs[at].was_sought(record.and_then(line).as_ref());
    }
    Ok(())
}

impl Making<'_> {
    /// The tests of the first attempts.
    pub(super) fn samples(&self) -> Vec<Sample> {
        samples(&self.seen, &self.attempts)
    }

    /// Has each try the pins that hold its value, now that the first attempts came out; whether any is open then.
    pub(super) fn made(
        self,
        outcomes: Vec<Result<(), Miss>>,
        climbs: &mut [Climb],
        workshop: &Workshop<'_>,
        onlooker: &mut dyn Onlooker,
    ) -> Result<bool, TriageError> {
        let Making { seen, attempts, guesses } = self;
        let tree = workshop.tree();
        let attempts = attempted(&seen, attempts, outcomes, workshop, onlooker)?;
        let settled = |(one, guess): (&Seen<'_>, Option<Candidate>)| {
            let is_proven = climbs[one.at].guessed();
            guess.filter(|_| is_proven)
        };
        let proven: Vec<Option<Candidate>> = seen.iter().zip(guesses).map(settled).collect();
        let mut candidates: Vec<Result<Vec<Candidate>, Refusal>> =
            apart(|| seen.iter().zip(&attempts).map(|(one, attempts)| one.candidates(attempts, tree)).collect());
        for (candidates, proven) in candidates.iter_mut().zip(&proven) {
            let (Ok(candidates), Some(proven)) = (candidates, proven) else { continue };
            candidates.retain(|one| one.weight() < proven.weight());
        }
        if workshop.tries_no_more() {
            let refused = candidates.iter_mut().filter_map(|candidates| candidates.as_mut().err());
            refused.for_each(|refusal| refusal.0.push_str(said::NOT_ALL_TRIED));
        }
        workshop.tries_again();
        let kept = kept(&seen, candidates, workshop, onlooker)?;
        let mut any = false;
        for ((one, candidates), proven) in seen.into_iter().zip(kept).zip(proven) {
            let climb = &mut climbs[one.at];
            if let Some(proven) = proven {
                let better = candidates.unwrap_or_default();
                any |= !better.is_empty();
                if !better.is_empty() {
                    climb.was_recorded(Ok(better.into_iter().chain([proven]).collect()));
                }
                continue;
            }
            let by_record = if candidates.is_err() { one.by_record(tree) } else { None };
            climb.was_recorded(candidates);
            by_record.into_iter().for_each(|pin| climb.fall_back(pin));
            any |= climb.is_open();
        }
        Ok(any)
    }
}

impl Seen<'_> {
    /// The failure whose input is to be made: its own, or as it came up instead.
    fn failure(&self) -> &Failure {
        let instead = self.recorded.as_ref().ok().and_then(|recorded| recorded.instead.as_ref());
        instead.unwrap_or(self.subject.failure)
    }

    /// The expressions that are tried for its values, by what their types offer: those of the repository, and of packages
    /// whose sources `tree` has as well.
    fn attempts(&self, known: &[Attempt], tree: &dyn SourceTree) -> Vec<Attempt> {
        let Ok(Recorded { record, .. }) = &self.recorded else { return Vec::new() };
        let case = self.subject.case(self.failure(), tree);
        self.subject.recorder.attempts(&case, record, known).unwrap_or_default()
    }

    /// The pin by the replay handle that was found.
    fn by_record(&self, tree: &dyn SourceTree) -> Option<Pin> {
        let Recorded { record, .. } = self.recorded.as_ref().ok()?;
        let pin = |failure| Some((failure, self.subject.recorder.by_record(failure, record, tree).ok()?));
        let (failure, pin) = self.own_input(tree).into_iter().chain([self.failure()]).find_map(pin)?;
        Some(self.told(pin, failure))
    }

    /// The failure itself, where its input was recorded beside the one that came up.
    fn own_input(&self, tree: &dyn SourceTree) -> Option<&Failure> {
        let Recorded { record, instead } = self.recorded.as_ref().ok()?;
        let is_there = instead.is_some() && self.subject.recorder.is_recorded(self.subject.failure, record, tree);
        is_there.then_some(self.subject.failure)
    }

    /// The pin of `failure`, which says so where that has another input than the failure that is pinned.
    fn told(&self, mut pin: Pin, failure: &Failure) -> Pin {
        if failure.counterexample != self.subject.failure.counterexample {
            let counterexample = one_line(&failure.counterexample.text);
            let was_cut_off = self.subject.failure.caveats.contains(&Caveat::NotMinimal);
            pin.warnings.push(match was_cut_off {
                true => said::further(&counterexample),
                false => said::instead(&counterexample),
            });
            pin.instead = Some(Box::new(Instead { counterexample, message: failure.message.clone() }));
        }
        pin
    }

    /// The pin that reads best of those that need no attempt. One that adds functions to other files, or replays a run, is
    /// no guess: where it does not compile, no line of its test tells so.
    fn guess(&self, attempts: &[Attempt], tree: &dyn SourceTree) -> Option<Candidate> {
        let candidates = self.candidates(&[], tree).ok()?;
        let best = candidates.into_iter().min_by_key(Candidate::weight)?;
        let has_functions = best.pin.parts.iter().any(|part| part.kind == PartKind::Value);
        // Both stand in one file for a while.
        let value = best.value.as_ref().and_then(|value| value.test.as_ref());
        let is_named_apart = attempts.iter().all(|attempt| attempt.print.test.as_ref() != value);
        let is_plain = best.pin.rung <= Rung::Constructed && !best.doubtful && !has_functions;
        (is_plain && is_named_apart).then_some(best)
    }

    fn candidates(&self, attempts: &[Attempt], tree: &dyn SourceTree) -> Result<Vec<Candidate>, Refusal> {
        let Recorded { record, .. } = self.recorded.as_ref().map_err(Clone::clone)?;
        let of_one = |failure: &Failure| -> Result<Vec<Candidate>, Refusal> {
            let candidates = self.subject.recorder.constructed(&self.subject.case(failure, tree), record, attempts)?;
            let told = |one: Candidate| Candidate { pin: self.told(one.pin, failure), ..one };
            Ok(candidates.into_iter().map(told).collect())
        };
        match (of_one(self.failure()), self.own_input(tree).map(of_one)) {
            (Ok(candidates), Some(Ok(own))) => Ok([candidates, own].concat()),
            (Err(_), Some(own)) => own,
            (candidates, _) => candidates,
        }
    }
}

/// Of each failure, the expressions that give its values which have no literal: the shortest one for each. Values that hold
/// others come after those. Of the first attempts it is known how they came out.
fn attempted(
    seen: &[Seen<'_>],
    first: Vec<Vec<Attempt>>,
    outcomes: Vec<Result<(), Miss>>,
    workshop: &Workshop<'_>,
    onlooker: &mut dyn Onlooker,
) -> Result<Vec<Vec<Attempt>>, TriageError> {
    let tree = workshop.tree_with_packages();
    let codes = |attempts: &Vec<Attempt>| attempts.iter().map(|attempt| attempt.code.clone()).collect();
    let mut tried: Vec<Vec<String>> = first.iter().map(codes).collect();
    tell_late(&first, &outcomes, onlooker);
    let mut known = giving(first, outcomes);
    let mut found = known.clone();
    for _ in 1..DEEPEST {
        if found.iter().all(Vec::is_empty) {
            break;
        }
        let mut attempts: Vec<Vec<Attempt>> =
            apart(|| seen.iter().zip(&known).map(|(one, known)| one.attempts(known, tree)).collect());
        for (attempts, tried) in attempts.iter_mut().zip(&mut tried) {
            attempts.retain(|attempt| !tried.contains(&attempt.code));
            tried.extend(attempts.iter().map(|attempt| attempt.code.clone()));
        }
        let outcomes = sift(samples(seen, &attempts), workshop, onlooker)?;
        tell_late(&attempts, &outcomes, onlooker);
        found = giving(attempts, outcomes);
        known.iter_mut().zip(&found).for_each(|(known, found)| known.extend(found.iter().cloned()));
    }
    Ok(known)
}

/// Says which attempts came to no end.
fn tell_late(attempts: &[Vec<Attempt>], outcomes: &[Result<(), Miss>], onlooker: &mut dyn Onlooker) {
    for (attempt, outcome) in attempts.iter().flatten().zip(outcomes) {
        if let Some(miss) = outcome.as_ref().err().filter(|miss| miss.late) {
            onlooker.output(said::tried(&attempt.code, &miss.why).as_bytes());
        }
    }
}

/// The tests of attempts.
fn samples(seen: &[Seen<'_>], attempts: &[Vec<Attempt>]) -> Vec<Sample> {
    let of_one = |(all, one): (&Vec<Attempt>, &Seen<'_>)| -> Vec<Sample> {
        all.iter().map(|attempt| sample(one, &attempt.print, std::slice::from_ref(&attempt.recorded))).collect()
    };
    attempts.iter().zip(seen).flat_map(of_one).collect()
}

/// The attempts that gave their values, the shortest one for each value.
fn giving(mut attempts: Vec<Vec<Attempt>>, outcomes: Vec<Result<(), Miss>>) -> Vec<Vec<Attempt>> {
    let mut outcomes = outcomes.into_iter();
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
    attempts
}

/// Of each failure, the candidates that print what was recorded, the one that reads best first.
fn kept(
    seen: &[Seen<'_>],
    candidates: Vec<Result<Vec<Candidate>, Refusal>>,
    workshop: &Workshop<'_>,
    onlooker: &mut dyn Onlooker,
) -> Result<Vec<Result<Vec<Candidate>, Refusal>>, TriageError> {
    let lists = candidates.iter().zip(seen).filter_map(|(all, one)| Some((all.as_ref().ok()?, one)));
    let of_one = |each: &Candidate, one| Some(sample(one, each.value.as_ref()?, &each.recorded));
    let samples = lists.flat_map(|(all, one)| all.iter().filter_map(move |each| of_one(each, one))).collect();
    let mut outcomes = sift(samples, workshop, onlooker)?.into_iter();
    let mut best = |all: Vec<Candidate>| {
        let mut outcome = |one: &Candidate| one.value.as_ref().and_then(|_| outcomes.next()).unwrap_or(Ok(()));
        let told: Vec<_> =
            all.into_iter().map(|one| (outcome(&one), one)).map(|(outcome, one)| (one, outcome)).collect();
        let why = told.iter().find_map(|(_, outcome)| outcome.clone().err()).map_or(String::new(), |miss| miss.why);
        let stronger = why_not_constructed(&told);
        let mut kept: Vec<Candidate> =
            told.into_iter().filter_map(|(one, outcome)| outcome.is_ok().then_some(one)).collect();
        kept.sort_by_key(Candidate::weight);
        kept.iter_mut().for_each(|one| give_reason(one, stronger.as_deref()));
        if kept.is_empty() { Err(Refusal(why)) } else { Ok(kept) }
    };
    Ok(candidates.into_iter().map(|all| all.and_then(&mut best)).collect())
}

/// Why the first expression that would hold the value itself does not.
fn why_not_constructed(told: &[(Candidate, Result<(), Miss>)]) -> Option<String> {
    let mut holding = told.iter().filter(|(one, _)| one.pin.rung <= Rung::Constructed);
    holding.find_map(|(_, outcome)| outcome.as_ref().err()).map(|miss| miss.why.clone())
}

/// Has a pin that only reaches its value tell `why` it does not hold that, unless it tells already.
fn give_reason(one: &mut Candidate, why: Option<&str>) {
    if one.pin.rung > Rung::Constructed && one.pin.reason.is_none() {
        one.pin.reason = why.map(said::weaker);
    }
}

fn sample(one: &Seen<'_>, value: &Pin, recorded: &[String]) -> Sample {
    let Subject { framework, blank, .. } = &one.subject;
    Sample { standing: blank.clone(), framework: *framework, value: value.clone(), recorded: recorded.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::super::sift::Miss;
    use super::{give_reason, why_not_constructed};
    use crate::failure::TestName;
    use crate::framework::Candidate;
    use crate::pin::{Pin, Rung};

    fn candidate(rung: Rung, reason: Option<&str>) -> Candidate {
        let pin = Pin {
            property: TestName("p".to_owned()),
            rung,
            test: None,
            replay: None,
            parts: Vec::new(),
            reason: reason.map(str::to_owned),
            warnings: Vec::new(),
            instead: None,
        };
        Candidate { pin, value: None, recorded: Vec::new(), doubtful: false }
    }

    fn given(rung: Rung, reason: Option<&str>, why: Option<&str>) -> Option<String> {
        let mut one = candidate(rung, reason);
        give_reason(&mut one, why);
        one.pin.reason
    }

    #[test]
    fn what_only_reaches_its_value_tells_why_nothing_holds_it() {
        let miss = |why: &str| Err(Miss { why: why.to_owned(), late: false });
        let told = [
            (candidate(Rung::Replayed, None), miss("it came to no end")),
            (candidate(Rung::Constructed, None), Ok(())),
            (candidate(Rung::Constructed, None), miss("it does not build: type annotations needed")),
            (candidate(Rung::Literal, None), miss("it prints otherwise")),
        ];
        let why = why_not_constructed(&told);
        assert_eq!(why.as_deref(), Some("it does not build: type annotations needed"));
        assert_eq!(why_not_constructed(&told[..2]), None);

        let said = "a stronger pin was tried: it does not build: type annotations needed";
        assert_eq!(given(Rung::Replayed, None, why.as_deref()).as_deref(), Some(said));
        assert_eq!(given(Rung::Replayed, Some("no names"), why.as_deref()).as_deref(), Some("no names"));
        assert_eq!(given(Rung::Constructed, None, why.as_deref()), None);
        assert_eq!(given(Rung::Replayed, None, None), None);
    }
}
