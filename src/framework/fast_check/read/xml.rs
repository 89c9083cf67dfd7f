//! Reads JUnit XML as Vitest, Jest's reporter and Node write it: the text of a failure is a log of its own, whose test the
//! file names.

use super::found::failure;
use super::frames::place_of;
use super::marks::Owner;
use super::report::{self, HEADS, Line};
use super::title::{BETWEEN, is_file};
use crate::carrier::junit::{self, Attempt};
use crate::failure::{Failure, Notice};
use crate::run_output::RunOutput;

/// The failures of a file, in order.
pub(super) fn read(run: &RunOutput<'_>, notices: &mut Vec<Notice>) -> Vec<Failure> {
    let file = junit::read(run.bytes);
    let found: Vec<Failure> = file.attempts.iter().flat_map(|attempt| of_attempt(attempt, run)).collect();
    if super::log::any(run.bytes) {
        notices.extend(file.broken.map(|(line, error)| {
            run.notice(line, format!("expected XML, found what is none ({error}): what follows is not read"))
        }));
        notices.extend(file.ends_early.map(|line| run.notice(line, ENDS_EARLY)));
    }
    found
}

/// Of a file whose elements are not all closed.
const ENDS_EARLY: &str = "the file ends before its elements do: it seems to be cut off, and failures may be missing";

fn of_attempt(attempt: &Attempt, run: &RunOutput<'_>) -> Vec<Failure> {
    let text = &attempt.failure.text;
    let owner = owner(attempt);
    let heads = text.lines().scan(0, |at, line| {
        let start = *at;
        *at += line.len() + 1;
        Some((start, line))
    });
    let heads = heads.filter(|(_, line)| HEADS.iter().any(|head| line.contains(head)));
    let of_head = |(start, _): (usize, &str)| {
        let number = attempt.failure.line(start);
        let lines = text.get(start..)?.split('\n').zip(number..);
        let mut lines = lines.map(|(text, number)| Line { text: super::escapes_away(text), number });
        let report = report::read(&mut lines, false)?;
        Some(failure(&report, &owner, run.name))
    };
    heads.filter_map(of_head).collect()
}

/// Whose it is: Vitest names the file as the class, Jest's reporter suites and title in one, Node only the title.
fn owner(attempt: &Attempt) -> Owner {
    let mut owner = Owner::of(&attempt.name.split(BETWEEN).collect::<Vec<_>>());
    let class = attempt.class.as_str();
    if is_file(class) || place_of(class).is_some_and(|place| is_file(&place.file)) {
        owner.file = Some(class.to_owned());
    }
    owner
}
