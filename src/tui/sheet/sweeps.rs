//! The tab of sweeps: each with its failures as a bar, the newest first, and how they went over time as a small chart.

use super::{Bar, Leaf, Sheet, SheetRow};
use crate::check::Night;
use crate::tui::text::{counted, grouped, one_line};
use crate::tui::theme::Role;
use crate::visible;

/// So many sweeps are in the chart.
const CHARTED: usize = 60;

/// The steps of a chart, from something to all; nothing has a sign of its own.
const STEPS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const NOTHING: char = '·';

/// The sheet.
pub(super) fn sheet(nights: &[Night]) -> Sheet {
    let Some(last) = nights.last() else {
        return Sheet::saying([
            "no sweep is on record here",
            "",
            "redpin sweep -- CMD    runs the tests deep",
            "redpin import FILE     reads the run file of another machine",
            "redpin init            writes a nightly sweep for CI",
        ]);
    };
    let most = nights.iter().map(|night| night.sweep.failures).max().unwrap_or(0);
    let rows = nights.iter().enumerate().rev().map(|(at, night)| row(night, &nights[..=at], most)).collect();
    let mut summary = counted(nights.len(), "sweep");
    if last.open > 0 {
        summary.push_str(&format!(", {} open of the last", last.open));
    }
    Sheet { rows, empty: Vec::new(), summary }
}

fn row(night: &Night, so_far: &[Night], most: u64) -> SheetRow {
    let sweep = &night.sweep;
    let glyph = match (night.open, sweep.failures, sweep.exit) {
        (1.., ..) => ("✗", Some(Role::Fail)),
        (0, 0, exit) if exit != 0 => ("!", Some(Role::Ambiguous)),
        _ => ("✓", Some(Role::Proven)),
    };
    let mut ends = vec![outcome(night)];
    if sweep.new > 0 {
        ends.push(format!("{} new", grouped_u64(sweep.new)));
    }
    ends.extend(night.oldest.map(|days| format!("oldest {}", age(days))));
    ends.push(format!("{} cases", grouped_u64(sweep.cases)));
    ends.push(duration(sweep.milliseconds));
    SheetRow {
        glyph,
        lead: moment(&sweep.when),
        ends,
        bar: Some(Bar { strong: night.open, all: sweep.failures, most }),
        leaf: leaf(night, so_far),
        ..SheetRow::default()
    }
}

fn outcome(night: &Night) -> String {
    match (night.open, night.sweep.failures) {
        (0, 0) if night.sweep.exit != 0 => format!("exit {}", night.sweep.exit),
        (0, 0) => "green".to_owned(),
        (0, failed) => format!("{} failed", grouped_u64(failed)),
        (open, failed) => format!("{} of {} open", grouped_u64(open), grouped_u64(failed.max(open))),
    }
}

fn leaf(night: &Night, so_far: &[Night]) -> Vec<Leaf> {
    let sweep = &night.sweep;
    let charted = &so_far[so_far.len().saturating_sub(CHARTED)..];
    let chart = |of: fn(&Night) -> u64| charted.iter().map(of).collect::<Vec<u64>>();
    let run = sweep.properties.map_or("not told".to_owned(), grouped_u64);
    let mut lines = vec![
        Leaf::heading(&format!("{}  {}", one_line(&sweep.name, 80), moment(&sweep.when))),
        Leaf::gap(),
        Leaf::plain(&format!("failures of the last {}, up to this one", counted(charted.len(), "sweep"))),
        Leaf::chart(chart(|night| night.sweep.failures)),
        Leaf::plain("those that are open now"),
        Leaf::chart(chart(|night| night.open)),
        Leaf::gap(),
        Leaf::field("failures", &told(night)),
        Leaf::field("open", &open(night)),
        Leaf::field("verdicts", &verdicts(night)),
        Leaf::gap(),
        Leaf::field("command", &visible::line(&sweep.command)),
        Leaf::field("commit", if sweep.commit.is_empty() { "none yet" } else { &sweep.commit }),
        Leaf::field("cases", &format!("{} of each property", grouped_u64(sweep.cases))),
        Leaf::field("properties", &run),
        Leaf::field("took", &duration(sweep.milliseconds)),
        Leaf::field("exit status", &sweep.exit.to_string()),
    ];
    if sweep.of > 1 {
        let missing: Vec<String> = sweep.missing().iter().map(ToString::to_string).collect();
        let told = match missing.is_empty() {
            true => format!("all {} are here", sweep.of),
            false => format!("{} of {} are here; missing: {}", sweep.shards.len(), sweep.of, missing.join(", ")),
        };
        lines.push(Leaf::field("shards", &told));
    }
    lines
}

fn told(night: &Night) -> String {
    let sweep = &night.sweep;
    format!(
        "{}: {} new, {} known before",
        grouped_u64(sweep.failures),
        grouped_u64(sweep.new),
        grouped_u64(sweep.known)
    )
}

fn open(night: &Night) -> String {
    match night.oldest {
        None => "none".to_owned(),
        Some(days) => format!("{}, the oldest seen first {} ago", grouped_u64(night.open), age(days)),
    }
}

fn verdicts(night: &Night) -> String {
    let hours = night.hours.map(|hours| counted(usize::try_from(hours).unwrap_or(usize::MAX), "working hour"));
    match (hours, night.open) {
        (None, _) if night.sweep.failures == 0 => "none were needed".to_owned(),
        (None, _) => "not told: its failures have left the inbox".to_owned(),
        (Some(hours), 0) => format!("given within {hours}"),
        (Some(hours), _) => format!("waited for, up to {hours} so far"),
    }
}

fn age(days: u64) -> String {
    match days {
        0 => "less than a day".to_owned(),
        1 => "1 day".to_owned(),
        _ => format!("{} days", grouped_u64(days)),
    }
}

fn grouped_u64(number: u64) -> String {
    grouped(usize::try_from(number).unwrap_or(usize::MAX))
}

/// `2026-11-30 03:17`, or what is no date as it is.
fn moment(when: &str) -> String {
    one_line(&when.get(..16).unwrap_or(when).replace('T', " "), 20)
}

/// A time as people say it.
fn duration(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    match seconds {
        0 => format!("{milliseconds} ms"),
        1..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// The last of `values`, as many as `cells` hold, each as a sign as high as its share of the greatest of them.
pub(super) fn spark(values: &[u64], cells: usize) -> String {
    let shown = &values[values.len().saturating_sub(cells)..];
    let most = shown.iter().copied().max().unwrap_or(0);
    let sign = |value: &u64| match (*value, most) {
        (0, _) | (_, 0) => NOTHING,
        (value, most) => {
            let step = (u128::from(value) * STEPS.len() as u128).div_ceil(u128::from(most));
            STEPS[usize::try_from(step).unwrap_or(1).clamp(1, STEPS.len()) - 1]
        }
    };
    shown.iter().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::{duration, spark};

    #[test]
    fn a_chart_shows_the_last_values_as_shares_of_the_greatest() {
        assert_eq!(spark(&[0, 1, 4, 8], 10), "·▁▄█");
        assert_eq!(spark(&[8, 1, 2], 2), "▄█");
        assert_eq!(spark(&[0, 0], 10), "··");
        assert_eq!(spark(&[u64::MAX, 1], 10), "█▁");
        assert_eq!([spark(&[], 10), spark(&[7], 0), spark(&[1, 7], 1)], ["", "", "█"]);
    }

    #[test]
    fn times_are_told_by_what_they_are_long() {
        let told = [7, 1_500, 119_999, 120_000, 7_199_999, 7_260_000].map(duration);
        assert_eq!(told, ["7 ms", "1 s", "119 s", "2 min", "119 min", "2 h 1 min"]);
    }
}
