//! Pins being run, as they are drawn: the line that tells how it goes, the pane of what the tests print, and the pins that
//! were not proven.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::over::clear;
use super::{inner, put, select};
use crate::tui::model::Model;
use crate::tui::text::{Run, fit_end, one_line, pad, run, width, wrap};
use crate::tui::theme::Role;
use crate::tui::trial::Held;

/// The keys that matter while pins are run.
const KEYS: [(&str, &str); 2] = [("t", "tests"), ("x", "stop")];

/// Draws the line, where something has been under way for a while; the rest of the area.
pub(super) fn draw_progress(model: &Model, area: Rect, buffer: &mut Buffer) -> Rect {
    let Some(told) = model.trial.progress(model.now).filter(|_| area.height > 0) else { return area };
    let line = inner(area);
    let keys: usize = KEYS.iter().map(|(key, name)| width(key) + width(name) + 4).sum();
    let cells = usize::from(line.width);
    let (room, keys) = if cells > 2 * keys { (cells - keys, &KEYS[..]) } else { (cells, &KEYS[..0]) };
    let mut runs = vec![run(Role::Plain, pad(&fit_end(&told, room), room))];
    for (key, name) in keys {
        runs.extend([run(Role::Plain, "   "), run(Role::Key, *key), run(Role::Plain, format!(" {name}"))]);
    }
    put(buffer, line, area.y, &runs, model.theme);
    Rect { y: area.y + 1, height: area.height - 1, ..area }
}

/// Draws the pane of what the tests print.
pub(super) fn draw_output(model: &Model, top: Option<usize>, area: Rect, buffer: &mut Buffer) {
    clear(buffer, area);
    let shown = inner(area);
    let (cells, _) = model.output_size();
    let title = model.trial.heading(model.now).unwrap_or_else(|| ended(model));
    put(buffer, shown, area.y, &[run(Role::Strong, fit_end(&title, cells))], model.theme);
    let from = top.unwrap_or_else(|| model.last_output_top());
    let rows = model.output_lines(from).flat_map(|line| wrapped(line, cells));
    for (line, y) in rows.zip(area.y + 2..area.bottom()) {
        put(buffer, shown, y, &line, model.theme);
    }
}

fn ended(model: &Model) -> String {
    if model.trial.outcomes.is_empty() { "no pin came out".to_owned() } else { model.trial.summary() }
}

/// A line on as many rows as it takes.
fn wrapped(line: Vec<Run>, cells: usize) -> Vec<Vec<Run>> {
    match &line[..] {
        [one] if width(&one.text) > cells => {
            wrap(&one.text, cells).into_iter().map(|row| vec![run(one.role, row)]).collect()
        }
        _ => vec![line],
    }
}

/// Draws the pins that were not proven, each with the reason.
pub(super) fn draw_held(model: &Model, at: usize, area: Rect, buffer: &mut Buffer) {
    clear(buffer, area);
    let shown = inner(area);
    let cells = usize::from(shown.width);
    let title = "these pins are not proven, and not staged unless you want it";
    put(buffer, shown, area.y, &[run(Role::Strong, fit_end(title, cells))], model.theme);
    let height = usize::from(area.height).saturating_sub(2);
    let block = |number: usize| model.trial.held.get(number).map_or(Vec::new(), |held| held_lines(model, held, cells));
    let mut rows = block(at).len();
    let above = (0..at).rev().take_while(|number| {
        rows += block(*number).len();
        rows <= height
    });
    let first = at - above.count();
    let lines = (first..model.trial.held.len()).flat_map(|number| {
        block(number).into_iter().enumerate().map(move |(line, runs)| (number == at && line == 0, runs))
    });
    for ((chosen, runs), y) in lines.zip(area.y + 2..area.bottom()) {
        put(buffer, shown, y, &runs, model.theme);
        if chosen {
            select(buffer, shown, y);
        }
    }
}

/// A pin that was not proven: what is to become of it, its property, and why.
fn held_lines(model: &Model, held: &Held, cells: usize) -> Vec<Vec<Run>> {
    let word = if held.wanted { "stage all the same" } else { "leave" };
    let name = model.inbox.get(&held.id).map_or("", |filed| filed.failure.test.function());
    let mark = if held.wanted { "[x] " } else { "[ ] " };
    let room = cells.saturating_sub(width(mark) + width(word) + 2);
    let name = pad(&one_line(name, room), room);
    let mut lines = vec![vec![run(Role::Strong, format!("{mark}{name}  {word}"))]];
    let reason = one_line(&held.reason, cells.saturating_mul(4));
    let reason = wrap(&reason, cells.saturating_sub(4));
    lines.extend(reason.into_iter().map(|line| vec![run(Role::Plain, format!("    {line}"))]));
    lines
}
