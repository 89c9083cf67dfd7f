//! How the pin of a failure came out when it was run last, and the evidence: when, on which commit, by which command.

use super::{Matter, Page, ends};
use crate::proof::{Evidence, Shown};
use crate::tui::text::{fit_end, grouped, one_line, run, wrap};
use crate::tui::theme::Role;
use crate::tui::words;

/// Digits of a commit's id that are shown.
const DIGITS: usize = 8;

pub(super) fn add(page: &mut Page, matter: &Matter<'_>) {
    let Some(Shown { last, .. }) = matter.shown else { return };
    let width = matter.width;
    let (glyph, role) = words::pin_glyph(last.state);
    let phrase = words::pin_phrase(last.state, last.own_fault);
    let when = format!("{} at {}, {}", day_and_time(&last.when), commit(last), seconds(last.milliseconds));
    let head = vec![run(role, glyph), run(words::word_role(role), format!(" pin {phrase}"))];
    let room = width.saturating_sub(super::runs_width(&head) + 2);
    if when.len() <= room {
        page.push([head, vec![run(Role::Dim, format!("  {when}"))]].concat());
    } else {
        page.push(head);
        page.push(vec![run(Role::Dim, fit_end(&format!("  {when}"), width))]);
    }
    add_message(page, last, width);
    let command = one_line(&last.command, width.saturating_sub(4));
    page.push(vec![run(Role::Dim, format!("  $ {command}"))]);
}

fn add_message(page: &mut Page, last: &Evidence, width: usize) {
    let message = one_line(&last.message, width.saturating_mul(3));
    let at = one_line(&last.at, 70);
    let mut lines = wrap(&message, width.saturating_sub(2));
    let end = lines.pop().unwrap_or_default();
    lines.into_iter().for_each(|line| page.push(vec![run(Role::Plain, format!("  {line}"))]));
    if !end.is_empty() || !at.is_empty() {
        page.push(ends(run(Role::Plain, format!("  {end}")), run(Role::Dim, at), width));
    }
}

/// What proves a pin, as a sentence.
pub(super) fn proven(shown: &Shown) -> Option<String> {
    let red = shown.red.as_ref()?;
    let day = red.when.get(..10).unwrap_or(&red.when);
    Some(one_line(&format!("proven red at {} on {day}", commit(red)), 200))
}

fn commit(evidence: &Evidence) -> String {
    match evidence.commit.as_str() {
        "" => "no commit yet".to_owned(),
        id => {
            let (digits, changed) = id.strip_suffix('+').map_or((id, ""), |digits| (digits, "+"));
            one_line(&format!("{}{changed}", digits.get(..DIGITS).unwrap_or(digits)), 80)
        }
    }
}

fn day_and_time(when: &str) -> String {
    one_line(&when.get(..16).unwrap_or(when).replace('T', " "), 40)
}

fn seconds(milliseconds: u64) -> String {
    let tenths = milliseconds / 100;
    format!("{}.{} s", grouped(usize::try_from(tenths / 10).unwrap_or(usize::MAX)), tenths % 10)
}
