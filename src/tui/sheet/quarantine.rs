//! The tab of the quarantine: what the patch contract sets aside, until when, and how many days that is, counted from the day
//! that the contract takes for today.

use super::{DaysLeft, Leaf, Sheet, SheetRow, failure_line};
use crate::check::{Aside, Asides};
use crate::contract::{Day, FILE};
use crate::inbox::{FailureId, Inbox};
use crate::tui::text::{counted, one_line};
use crate::tui::theme::Role;

/// So many days before its end a quarantine is marked.
const SOON: i64 = 3;

/// The failures that are set aside; what is over sets none aside.
pub(super) fn asides(read: &Result<Option<Asides>, String>) -> DaysLeft {
    let Ok(Some(asides)) = read else { return DaysLeft::new() };
    let lasting = asides.asides.iter().filter(|aside| aside.days_left >= 0);
    lasting.flat_map(|aside| aside.failures.iter().map(|id: &FailureId| (id.clone(), aside.days_left))).collect()
}

/// The sheet.
pub(super) fn sheet(read: &Result<Option<Asides>, String>, inbox: &Inbox) -> Sheet {
    let asides = match read {
        Err(why) => return Sheet::saying([why.as_str(), "", "`redpin check contract` says the same in CI"]),
        Ok(None) => {
            let none = format!("there is no {FILE} at the top of the repository");
            return Sheet::saying([none.as_str(), "", "redpin contract init   starts one"]);
        }
        Ok(Some(asides)) if asides.asides.is_empty() => {
            return Sheet::saying([
                "nothing is set aside",
                "",
                "redpin contract quarantine TEST --expires DATE --reason TEXT",
                "sets a flaky test aside: it blocks nothing, and is no evidence",
            ]);
        }
        Ok(Some(asides)) => asides,
    };
    let mut sorted: Vec<&Aside> = asides.asides.iter().collect();
    sorted.sort_by_key(|aside| aside.days_left);
    let over = asides.asides.iter().filter(|aside| aside.days_left < 0).count();
    let mut summary = format!("{} set aside on {}", asides.asides.len() - over, asides.today);
    if over > 0 {
        summary.push_str(&format!(", {over} over"));
    }
    let rows = sorted.into_iter().map(|aside| row(aside, asides.today, inbox)).collect();
    Sheet { rows, empty: Vec::new(), summary }
}

/// How long it lasts, in words.
pub(crate) fn left(days: i64) -> String {
    match days {
        0 => "last day".to_owned(),
        1 => "1 day left".to_owned(),
        2.. => format!("{days} days left"),
        -1 => "over for 1 day".to_owned(),
        _ => format!("over for {} days", days.unsigned_abs()),
    }
}

fn row(aside: &Aside, today: Day, inbox: &Inbox) -> SheetRow {
    let glyph = match aside.days_left {
        ..0 => ("✗", Some(Role::Fail)),
        0..=SOON => ("!", Some(Role::Ambiguous)),
        _ => ("·", None),
    };
    let mut ends = vec![left(aside.days_left)];
    if !aside.failures.is_empty() {
        ends.push(counted(aside.failures.len(), "failure"));
    }
    SheetRow {
        glyph,
        lead: aside.quarantine.expires.to_string(),
        name: one_line(&aside.quarantine.test, 300),
        ends,
        leaf: leaf(aside, today, inbox),
        place: aside.place.clone(),
        ..SheetRow::default()
    }
}

fn leaf(aside: &Aside, today: Day, inbox: &Inbox) -> Vec<Leaf> {
    let quarantine = &aside.quarantine;
    let place = |line: Leaf| line.at(aside.place.clone());
    let why = if quarantine.reason.is_empty() { "no reason is written down" } else { &quarantine.reason };
    let mut lines = vec![
        place(Leaf::heading(&one_line(&quarantine.test, 300))),
        Leaf::gap(),
        place(Leaf::field("expires", &format!("{}, {}", quarantine.expires, left(aside.days_left)))),
        place(Leaf::field("today", &format!("{today}, by the contract; `redpin contract today` moves it"))),
        place(Leaf::field("reason", why)),
    ];
    lines.push(Leaf::field(
        "seed",
        &aside.seed.map_or("it is no property of the contract".to_owned(), |seed| seed.to_string()),
    ));
    lines.push(Leaf::gap());
    lines.push(match aside.days_left {
        ..0 => Leaf::new(
            Role::Fail,
            "It is over and sets nothing aside: `redpin check contract` fails until it is renewed with a reason, or the \
             test is mended and the line taken out.",
        ),
        _ => Leaf::plain("Its failures block nothing and count as no evidence until that day is over."),
    });
    let filed = aside.failures.iter().filter_map(|id| inbox.get(id));
    let filed: Vec<Leaf> = filed.map(|filed| failure_line(filed)).collect();
    if !filed.is_empty() {
        lines.extend([Leaf::gap(), Leaf::heading("in the inbox")]);
        lines.extend(filed);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::left;

    #[test]
    fn days_are_told_in_words() {
        let told = [-2, -1, 0, 1, 2].map(left);
        assert_eq!(told, ["over for 2 days", "over for 1 day", "last day", "1 day left", "2 days left"]);
    }
}
