//! The tab of decisions: every record in the work tree, the newest first, each read whole with what was decided before.

use super::{Leaf, Sheet, SheetRow, day};
use crate::check::OnRecord;
use crate::inbox::FailureId;
use crate::repo_path::RepoPath;
use crate::tui::text::{counted, one_line};
use crate::tui::theme::Role;
use crate::tui::words;
use crate::verdict::{Decision, PinRecord};
use crate::visible;

/// The sheet.
pub(super) fn sheet(all: &[OnRecord]) -> Sheet {
    if all.is_empty() {
        return Sheet::saying([
            "nothing was decided yet",
            "",
            "b, a or w in the inbox gives a verdict, s stages it:",
            "the record of it is a file in .redpin/decisions",
        ]);
    }
    let reopened = all.iter().filter(|one| one.is_reopened).count();
    let mut summary = counted(all.len(), "decision");
    if reopened > 0 {
        summary.push_str(&format!(", {reopened} reopened"));
    }
    Sheet { rows: all.iter().map(row).collect(), empty: Vec::new(), summary }
}

fn row(one: &OnRecord) -> SheetRow {
    let decision = &one.decision;
    let (glyph, role) = words::verdict_glyph(decision.verdict);
    let about = if decision.property.is_empty() { decision.requirement.as_deref() } else { None };
    let standing = if one.is_reopened { "reopened" } else { one.standing.word() };
    let mut ends = vec![words::verdict(decision.verdict).to_owned(), standing.to_owned()];
    ends.extend(pin_name(decision.pin.as_ref()));
    ends.push(one_line(decision.who.split('<').next().unwrap_or_default().trim(), 40));
    SheetRow {
        glyph: (glyph, Some(role)),
        lead: day(&decision.when),
        name: one_line(about.unwrap_or_else(|| function(&decision.property)), 200),
        ends: ends.into_iter().filter(|end| !end.is_empty()).collect(),
        leaf: leaf(one, standing),
        place: Some((one.file.clone(), 1)),
        failure: Some(FailureId(decision.failure.clone())),
        ..SheetRow::default()
    }
}

/// What stands last in a test's name.
fn function(property: &str) -> &str {
    let plain = property.split('[').next().unwrap_or_default();
    &property[plain.rfind("::").map_or(0, |at| at + 2)..]
}

/// A pin in a word or two: its rung.
fn pin_name(pin: Option<&PinRecord>) -> Option<String> {
    pin.map(|pin| format!("{} pin", one_line(&pin.rung, 16)))
}

fn leaf(one: &OnRecord, standing: &str) -> Vec<Leaf> {
    let place = Some((one.file.clone(), 1));
    let mut lines = vec![
        Leaf::heading(&one_line(&one.decision.property, 300)).at(place.clone()),
        Leaf::new(Role::Dim, one.file.as_str()).at(place),
        Leaf::field("state", &state(one, standing)),
    ];
    lines.extend(told(&one.decision));
    for (number, earlier) in one.decision.before.iter().rev().enumerate() {
        let title = if number == 0 { "before that" } else { "and before" };
        lines.extend([Leaf::gap(), Leaf::heading(title)]);
        lines.extend(told(earlier));
    }
    lines
}

fn state(one: &OnRecord, standing: &str) -> String {
    match one.is_reopened {
        true => format!("{standing}: it is open in the inbox; this record stays until another verdict is staged"),
        false => standing.to_owned(),
    }
}

/// What a record says, line by line; what it does not say is left out.
fn told(decision: &Decision) -> Vec<Leaf> {
    let (glyph, role) = words::verdict_glyph(decision.verdict);
    let verdict = format!("{glyph} {}", words::verdict(decision.verdict));
    let mut lines = vec![Leaf::new(words::word_role(role), &verdict).end(&decision.when)];
    let mut field = |name: &str, text: &str| {
        if !text.is_empty() {
            lines.push(Leaf::field(name, &visible::line(text)));
        }
    };
    field("by", &decision.who);
    field("why", &decision.why);
    field("requirement", decision.requirement.as_deref().unwrap_or_default());
    field("framework", &decision.framework);
    field("package", decision.package.as_deref().unwrap_or_default());
    field("input", &decision.counterexample);
    field("message", &decision.message);
    field("run", &decision.run);
    field("failure", &decision.failure);
    if let Some(file) = decision.file.as_deref().and_then(RepoPath::new) {
        lines.push(Leaf::field("file", file.as_str()).at(Some((file.clone(), 1))));
    }
    lines.extend(decision.pin.iter().flat_map(pin_lines));
    lines
}

fn pin_lines(pin: &PinRecord) -> Vec<Leaf> {
    let test = pin.test.as_deref().or(pin.replay.as_deref()).unwrap_or("no test of its own");
    let mut lines = vec![Leaf::field("pin", &format!("{}, {}", visible::line(test), one_line(&pin.rung, 16)))];
    if let (Some(replay), Some(_)) = (&pin.replay, &pin.test) {
        lines.push(Leaf::field("seed", &visible::line(replay)));
    }
    lines.extend(
        pin.files
            .iter()
            .filter_map(|file| RepoPath::new(file))
            .map(|file| Leaf::field("stands in", file.as_str()).at(Some((file.clone(), 1)))),
    );
    lines.extend(pin.reason.as_deref().map(|reason| Leaf::field("no better", &visible::line(reason))));
    if let Some(instead) = &pin.instead {
        lines.push(Leaf::field("holds instead", &visible::line(&instead.counterexample)));
    }
    if let Some(proof) = &pin.proof {
        let at = proof.at.as_deref().map_or(String::new(), |at| format!(" at {}", visible::line(at)));
        let (state, commit) = (visible::line(&proof.state), visible::line(&proof.commit));
        lines.push(Leaf::field("came out", &format!("{state}{at}, {} on {commit}", day(&proof.when))));
    }
    lines
}
