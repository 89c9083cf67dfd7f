//! The last rows: a message where there is one; the keys that matter here, or the line being written.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Cursor, inner, put};
use crate::tui::keys::{Action, Binding, footer};
use crate::tui::line_edit::LineEdit;
use crate::tui::model::Model;
use crate::tui::overlay::{COPIES, Overlay};
use crate::tui::tab::Tab;
use crate::tui::text::{Run, fit_start, grouped, run, runs_width, width};
use crate::tui::theme::Role;
use crate::tui::words;

pub(super) fn draw_message(model: &Model, area: Rect, buffer: &mut Buffer) {
    let error = model.message.as_ref().is_some_and(|message| message.error);
    let role = if error { Role::Fail } else { Role::Plain };
    for (line, y) in model.message_lines().into_iter().zip(area.top()..area.bottom()) {
        put(buffer, inner(area), y, &[run(role, line)], model.theme);
    }
}

/// Draws the footer; where the cursor stands, where a line is being written in it.
pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) -> Option<Cursor> {
    let area = inner(area);
    let cells = usize::from(area.width);
    let runs = match &model.overlay {
        Some(Overlay::Note(_, edit)) => return Some(draw_line(model, "note: ", edit, area, buffer)),
        Some(Overlay::Filter(edit)) => return Some(draw_counted_line(model, "filter: ", edit, area, buffer)),
        Some(Overlay::Search(edit, _)) => return Some(draw_counted_line(model, "search: ", edit, area, buffer)),
        Some(Overlay::Ask(_)) => keys([("y", "yes"), ("n", "no")]),
        Some(Overlay::Copy) => copies(cells),
        Some(Overlay::Help(..)) => fitting(&[("enter", "run"), ("esc", "close"), ("up down", "choose")], cells),
        Some(Overlay::Choose(..)) => fitting(&[("enter", "choose"), ("esc", "close"), ("j k", "move")], cells),
        Some(Overlay::Notices(_)) => fitting(&[("esc", "close"), ("j k", "scroll")], cells),
        Some(Overlay::Output(_)) => fitting(&output_keys(model), cells),
        Some(Overlay::Held(_)) => {
            let keys = [("space", "mark"), ("S", "stage the marked"), ("esc", "leave them"), ("j k", "move")];
            fitting(&keys, cells)
        }
        None if model.tab == Tab::Inbox && model.inbox.filed().is_empty() => keys([("?", "help"), ("q", "quit")]),
        None => usual(model, cells),
    };
    put(buffer, area, area.y, &runs, model.theme);
    None
}

fn output_keys(model: &Model) -> Vec<(&'static str, &'static str)> {
    let mut keys = vec![("esc", "close"), ("j k g G", "scroll")];
    if model.trial.purpose().is_some() {
        keys.insert(1, ("x", "stop"));
    }
    keys
}

/// A label and the line being written, its cursor in sight.
pub(super) fn draw_line(model: &Model, label: &str, edit: &LineEdit, area: Rect, buffer: &mut Buffer) -> Cursor {
    let (before, after) = edit.halves();
    let room = usize::from(area.width).saturating_sub(width(label) + 1);
    let shown = [run(Role::Key, label), run(Role::Plain, fit_start(before, room))];
    let x = put(buffer, area, area.y, &shown, model.theme);
    let rest = Rect { x, width: area.right().saturating_sub(x), ..area };
    put(buffer, rest, area.y, &[run(Role::Plain, after)], model.theme);
    Cursor { x: x.min(area.right().saturating_sub(1)), y: area.y, shown: true }
}

/// The same with what was found so far at the right.
fn draw_counted_line(model: &Model, label: &str, edit: &LineEdit, area: Rect, buffer: &mut Buffer) -> Cursor {
    let found = found(model).unwrap_or_default();
    let wide = u16::try_from(width(&found)).unwrap_or(u16::MAX);
    if wide == 0 || area.width < wide.saturating_add(LEAST_WRITTEN) {
        return draw_line(model, label, edit, area, buffer);
    }
    let end = Rect { x: area.right() - wide, width: wide, ..area };
    put(buffer, end, area.y, &[run(Role::Dim, found)], model.theme);
    draw_line(model, label, edit, Rect { width: area.width - wide - 1, ..area }, buffer)
}

/// Cells that a line being written keeps at least.
const LEAST_WRITTEN: u16 = 24;

/// Which of the lines searched for, or of the failures that the filter leaves, is selected: `3/17`.
fn found(model: &Model) -> Option<String> {
    let searching = matches!(model.overlay, Some(Overlay::Search(..))) || model.here().searching;
    if searching && !model.search.is_on() {
        return None;
    }
    let (at, all) = match model.shelf() {
        _ if searching => model.search.position(model.spot.line),
        Some(shelf) => shelf.position()?,
        None => model.list.position()?,
    };
    Some(format!("{}/{}", grouped(at), grouped(all)))
}

fn keys<'a>(shown: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<Run> {
    shown.into_iter().flat_map(|(key, name)| [run(Role::Key, key), run(Role::Plain, format!(" {name}   "))]).collect()
}

/// The first of `shown` that fit whole.
fn fitting(shown: &[(&str, &str)], cells: usize) -> Vec<Run> {
    let mut used = 0;
    let fits = |(key, name): &&(&str, &str)| {
        used += width(key) + width(name) + 4;
        used <= cells + 3
    };
    keys(shown.iter().take_while(fits).copied())
}

fn copies(cells: usize) -> Vec<Run> {
    const LABEL: &str = "copy:  ";
    let choices: Vec<(String, &str)> = COPIES.iter().map(|(key, _, name)| (key.to_string(), *name)).collect();
    let mut shown: Vec<(&str, &str)> = choices.iter().map(|(key, name)| (key.as_str(), *name)).collect();
    shown.push(("esc", "close"));
    let mut runs = vec![run(Role::Plain, LABEL)];
    runs.extend(fitting(&shown, cells.saturating_sub(width(LABEL))));
    runs
}

/// The keys of this place, as many as fit, help always; at the right how much is open, unless that would hide a verdict.
fn usual(model: &Model, cells: usize) -> Vec<Run> {
    let mut right = at_the_right(model);
    if cells < width(&right) + VERDICTS {
        right.clear();
    }
    let room = cells.saturating_sub(width(&right));
    let bindings = footer(model.here());
    let shown =
        bindings.iter().zip(names(&bindings, room)).map(|(binding, name)| (binding.action, [(binding.keys[0], name)]));
    let (help, others): (Vec<_>, Vec<_>) = shown.partition(|(action, _)| *action == Action::Help);
    let help: Vec<Run> = help.into_iter().flat_map(|(_, shown)| keys(shown)).collect();
    let mut runs: Vec<Run> = Vec::new();
    for next in others.into_iter().map(|(_, shown)| keys(shown)) {
        if runs_width(&runs) + runs_width(&next) + runs_width(&help) > room {
            break;
        }
        runs.extend(next);
    }
    runs.extend(help);
    let space = cells.saturating_sub(runs_width(&runs) + width(&right));
    runs.push(run(Role::Plain, " ".repeat(space)));
    runs.push(run(Role::Plain, right));
    runs
}

/// The names of `bindings`: as many as must be are short so that all fit into `room`, the last ones first.
fn names(bindings: &[&Binding], room: usize) -> Vec<&'static str> {
    let mut names: Vec<&str> = bindings.iter().map(|binding| binding.name).collect();
    let mut all: usize = bindings.iter().map(|binding| width(binding.keys[0]) + width(binding.name) + 4).sum();
    for name in names.iter_mut().rev().filter(|name| words::short(name) != **name) {
        if all <= room {
            break;
        }
        all -= width(name) - width(words::short(name));
        *name = words::short(name);
    }
    names
}

/// Cells that the three verdicts and the help need, in short words.
const VERDICTS: usize = 42;

/// A count being typed; the search or the filter; how much is open.
fn at_the_right(model: &Model) -> String {
    if let Some(count) = model.count {
        return count.to_string();
    }
    let found = match found(model) {
        Some(found) if model.here().searching => format!("found {found}   "),
        Some(found) => format!("filtered {found}   "),
        None => String::new(),
    };
    if let Some(shelf) = model.shelf() {
        let number = if shelf.len() == 0 { 0 } else { shelf.selected + 1 };
        let place = if shelf.filter.is_empty() {
            format!("{}/{}", grouped(number), grouped(shelf.len()))
        } else {
            String::new()
        };
        return format!("{found}{place}");
    }
    format!("{found}{} of {} open", grouped(model.list.tally().open), grouped(model.inbox.filed().len()))
}
