//! What came of each sweep: how many of the failures that it showed nobody has judged yet, how old the oldest of them is, and
//! how long the verdicts on the others took.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::inbox::{Inbox, State};
use crate::source_tree::SourceTree;
use crate::sweep::Sweep;
use crate::triage::{Triage, TriageError, records_of};

/// A sweep with what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Night {
    /// The sweep.
    pub sweep: Sweep,
    /// How many failures that it showed are in the inbox.
    pub shown: u64,
    /// How many of them are open.
    pub open: u64,
    /// How many whole days ago the oldest of these was seen first, where there is any.
    pub oldest: Option<u64>,
    /// The most working hours that one of those shown took from the first run that showed it to its verdict; of an open one
    /// until now. `None` where all that it showed has left the inbox.
    pub hours: Option<u64>,
}

/// The sweeps that are known, oldest first.
///
/// # Errors
/// Where they cannot be read.
pub fn nights(triage: &Triage) -> Result<Vec<Night>, TriageError> {
    let sweeps = triage.sweeps()?;
    if sweeps.is_empty() {
        return Ok(Vec::new());
    }
    Ok(of(sweeps, triage.inbox(), &decided(&triage.work_tree()), &triage.now()))
}

/// When each failure was decided that is on record.
pub(super) fn decided(tree: &dyn SourceTree) -> BTreeMap<String, String> {
    records_of(tree).into_values().map(|decision| (decision.failure, decision.when)).collect()
}

/// A failure belongs to the last sweep that began before it was read in.
fn of(sweeps: Vec<Sweep>, inbox: &Inbox, decided: &BTreeMap<String, String>, now: &str) -> Vec<Night> {
    let moment = |text: &str| text.parse::<Timestamp>().ok();
    let blank = |sweep| Night { sweep, shown: 0, open: 0, oldest: None, hours: None };
    let mut nights: Vec<(Option<Timestamp>, Night)> =
        sweeps.into_iter().map(|sweep| (moment(&sweep.when), blank(sweep))).collect();
    nights.sort_by_key(|(when, _)| *when);
    for filed in inbox.filed() {
        let seen: Vec<Timestamp> = filed.occurrences.iter().filter_map(|one| moment(&one.imported)).collect();
        let places = seen.iter().filter_map(|seen| {
            let after = nights.partition_point(|(when, _)| when.is_none_or(|when| when <= *seen));
            after.checked_sub(1).filter(|at| nights[*at].0.is_some())
        });
        let mut places: Vec<usize> = places.collect();
        places.sort_unstable();
        places.dedup();
        let first = filed.occurrences.iter().map(|one| one.imported.as_str()).min().unwrap_or(now);
        // What was decided and is not on record yet was decided by now.
        let end = decided.get(&filed.id.0).filter(|_| filed.state != State::Open).map_or(now, String::as_str);
        for at in places {
            let night = &mut nights[at].1;
            night.shown += 1;
            night.hours = night.hours.max(Some(working_hours(first, end)));
            if filed.state == State::Open {
                night.open += 1;
                night.oldest = night.oldest.max(Some(days(first, now)));
            }
        }
    }
    nights.into_iter().map(|(_, night)| night).collect()
}

/// The whole days from one moment to another.
fn days(from: &str, to: &str) -> u64 {
    let second = |text: &str| text.parse::<Timestamp>().map(Timestamp::as_second).ok();
    let (Some(from), Some(to)) = (second(from), second(to)) else { return 0 };
    u64::try_from((to - from).div_euclid(DAY)).unwrap_or_default()
}

/// The hours from one moment to another, in UTC, rounded up, those of weekends left out; none where either is no date.
pub(super) fn working_hours(from: &str, to: &str) -> u64 {
    let moment = |text: &str| text.parse::<Timestamp>().ok();
    let (Some(from), Some(to)) = (moment(from), moment(to)) else { return 0 };
    let (mut at, end, mut seconds) = (from.as_second(), to.as_second(), 0);
    while at < end {
        let day = at.div_euclid(DAY);
        let until = end.min((day + 1) * DAY);
        // The first day of 1970 was a Thursday.
        if !matches!((day + 4).rem_euclid(7), 0 | 6) {
            seconds += until - at;
        }
        at = until;
    }
    u64::try_from(seconds).unwrap_or_default().div_ceil(60 * 60)
}

/// The seconds of a day.
const DAY: i64 = 24 * 60 * 60;

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::{of, working_hours};
    use crate::failure::Origin;
    use crate::failure::testing::failure;
    use crate::inbox::{Filed, Inbox, Occurrence, State, testing};
    use crate::sweep::{Sweep, testing::part};

    #[test]
    fn hours_of_weekends_do_not_count() {
        // 2026-11-27 is a Friday.
        assert_eq!(working_hours("2026-11-27T20:00:00Z", "2026-11-27T22:30:00Z"), 3);
        assert_eq!(working_hours("2026-11-27T20:00:00Z", "2026-11-30T09:00:00Z"), 13);
        assert_eq!(working_hours("2026-11-28T20:00:00Z", "2026-11-29T09:00:00Z"), 0);
        assert_eq!(working_hours("2026-11-30T09:00:00Z", "2026-11-27T20:00:00Z"), 0);
        assert_eq!(working_hours("yesterday", "2026-11-27T20:00:00Z"), 0);
    }

    fn sweep(when: &str) -> Sweep {
        Sweep { when: when.to_owned(), ..part(1, 1, 0) }
    }

    fn seen(id: &str, state: State, imported: &[&str]) -> Arc<Filed> {
        let occurrence = |imported: &&str| Occurrence {
            origin: Origin { run: "night".to_owned(), line: 1 },
            imported: (*imported).to_owned(),
            digest: (*imported).to_owned(),
            handle: None,
        };
        let occurrences: Vec<Occurrence> = imported.iter().map(occurrence).collect();
        Arc::new(Filed { state, occurrences: occurrences.into(), ..testing::filed(id, failure(id)) })
    }

    #[test]
    fn failures_belong_to_the_sweep_before_they_were_read_and_age_from_the_first_run() {
        let (monday, tuesday) = ("2026-11-30T03:00:00Z", "2026-12-01T03:00:00Z");
        let inbox = Inbox::new(vec![
            seen("before", State::Open, &["2026-11-29T12:00:00Z"]),
            seen("old", State::Open, &["2026-11-27T12:00:00Z", "2026-11-30T04:00:00Z", "2026-12-01T04:00:00Z"]),
            seen("judged", State::Known, &["2026-11-30T03:00:00Z", "2026-11-30T03:05:00Z"]),
        ]);
        let decided = BTreeMap::from([("judged".to_owned(), "2026-11-30T09:30:00Z".to_owned())]);
        let nights =
            of(vec![sweep(tuesday), sweep("no date"), sweep(monday)], &inbox, &decided, "2026-12-01T12:00:00Z");
        let told: Vec<_> =
            nights.iter().map(|one| (one.sweep.when.as_str(), one.shown, one.open, one.oldest, one.hours)).collect();
        // Half of Friday, Monday, half of Tuesday.
        let expected =
            [("no date", 0, 0, None, None), (monday, 2, 1, Some(4), Some(48)), (tuesday, 1, 1, Some(4), Some(48))];
        assert_eq!(told, expected);
    }
}
