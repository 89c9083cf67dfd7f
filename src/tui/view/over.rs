//! What lies over the panes: a question, the keys with their search, the notices.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::footer::draw_line;
use super::trial::{draw_held, draw_output};
use super::{Cursor, inner, put, select};
use crate::tui::keys::Binding;
use crate::tui::layout::Layout;
use crate::tui::line_edit::LineEdit;
use crate::tui::list::follow;
use crate::tui::model::Model;
use crate::tui::overlay::{Overlay, help};
use crate::tui::text::{Run, fit_end, one_line, pad, run, width, wrap};
use crate::tui::theme::Role;

/// Draws it; where the cursor stands, where a line is being written in it.
pub(super) fn draw(model: &Model, layout: &Layout, buffer: &mut Buffer) -> Option<Cursor> {
    let top = layout.header.bottom();
    let area = Rect { y: top, height: layout.footer.y.saturating_sub(top), ..layout.header };
    match model.overlay.as_ref()? {
        Overlay::Ask(question) => {
            draw_question(model, &question.text, area, buffer);
            None
        }
        Overlay::Help(edit, at) => Some(draw_help(model, edit, *at, area, buffer)),
        Overlay::Choose(id, at) => {
            let candidates = model.inbox.get(id).map_or(&[][..], |filed| &filed.candidates);
            draw_choice(model, candidates, *at, area, buffer);
            None
        }
        Overlay::Notices(top) => {
            clear(buffer, area);
            draw_lines(model, area, notice_lines(model, usize::from(inner(area).width), *top), buffer);
            None
        }
        Overlay::Output(top) => {
            draw_output(model, *top, area, buffer);
            None
        }
        Overlay::Held(at) => {
            draw_held(model, *at, area, buffer);
            None
        }
        Overlay::Note(..) | Overlay::Filter(_) | Overlay::Search(..) | Overlay::Copy => None,
    }
}

pub(super) fn clear(buffer: &mut Buffer, area: Rect) {
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right() {
            buffer[(x, y)].reset();
        }
    }
}

fn draw_lines(model: &Model, area: Rect, lines: Vec<Vec<Run>>, buffer: &mut Buffer) {
    for (line, y) in lines.into_iter().zip(area.top()..area.bottom()) {
        put(buffer, inner(area), y, &line, model.theme);
    }
}

fn draw_question(model: &Model, question: &str, area: Rect, buffer: &mut Buffer) {
    let lines = wrap(question, usize::from(inner(area).width));
    let rows = u16::try_from(lines.len()).unwrap_or(u16::MAX).min(area.height);
    let area = Rect { y: area.bottom() - rows, height: rows, ..area };
    clear(buffer, area);
    draw_lines(model, area, lines.into_iter().map(|line| vec![run(Role::Strong, line)]).collect(), buffer);
}

fn draw_choice(model: &Model, candidates: &[String], at: usize, area: Rect, buffer: &mut Buffer) {
    clear(buffer, area);
    let shown = inner(area);
    put(buffer, shown, area.y, &[run(Role::Strong, "which property does this replay line belong to?")], model.theme);
    let height = usize::from(area.height).saturating_sub(1);
    let rows = candidates.iter().enumerate().skip(follow(0, at, candidates.len(), height)).take(height);
    for ((number, name), y) in rows.zip(area.y + 1..area.bottom()) {
        put(buffer, shown, y, &[run(Role::Plain, one_line(name, usize::from(shown.width)))], model.theme);
        if number == at {
            select(buffer, shown, y);
        }
    }
}

fn draw_help(model: &Model, edit: &LineEdit, at: usize, area: Rect, buffer: &mut Buffer) -> Cursor {
    clear(buffer, area);
    let shown = inner(area);
    let cursor = draw_line(model, "search: ", edit, shown, buffer);
    let found = help(edit.text(), model.here());
    let cells = usize::from(shown.width);
    let whole = found.get(at).map_or(Vec::new(), |(binding, why_not)| whole_help(binding, *why_not, cells));
    let below = whole.len().min(usize::from(area.height) / 3);
    let height = usize::from(area.height).saturating_sub(1 + below);
    let top = follow(0, at, found.len(), height);
    let rows = found.iter().enumerate().skip(top).take(height);
    for (line, y) in whole.into_iter().zip(area.y + 1 + u16::try_from(height).unwrap_or(0)..area.bottom()) {
        put(buffer, shown, y, &[run(Role::Strong, line)], model.theme);
    }
    for ((number, (binding, why_not)), y) in rows.zip(area.y + 1..area.bottom()) {
        put(buffer, shown, y, &help_line(binding, *why_not, cells), model.theme);
        if number == at {
            select(buffer, shown, y);
        }
    }
    if found.is_empty() && area.height > 1 {
        put(buffer, shown, area.y + 1, &[run(Role::Dim, "no key does that")], model.theme);
    }
    cursor
}

/// What an action does, and why it is not valid here where it is not.
fn sentence(binding: &Binding, why_not: Option<&str>) -> String {
    format!("{}{}", binding.help, why_not.map_or(String::new(), |reason| format!(" ({reason})")))
}

/// The sentence of the chosen line, where its own row has no room for all of it.
fn whole_help(binding: &Binding, why_not: Option<&str>, cells: usize) -> Vec<String> {
    let sentence = sentence(binding, why_not);
    if width(&sentence) <= cells.saturating_sub(KEYS + NAME) { Vec::new() } else { wrap(&sentence, cells) }
}

/// Cells of the columns of the help.
const KEYS: usize = 14;
const NAME: usize = 16;

fn help_line(binding: &Binding, why_not: Option<&str>, cells: usize) -> Vec<Run> {
    let (key, text) = if why_not.is_none() { (Role::Key, Role::Plain) } else { (Role::Dim, Role::Dim) };
    vec![
        run(key, pad(&binding.keys.join(" "), KEYS)),
        run(text, pad(binding.name, NAME)),
        run(text, fit_end(&sentence(binding, why_not), cells.saturating_sub(KEYS + NAME))),
    ]
}

fn notice_lines(model: &Model, cells: usize, top: usize) -> Vec<Vec<Run>> {
    let mut lines = vec![vec![run(Role::Strong, "what could not be read")]];
    for notice in model.notices.iter().skip(top).take(usize::from(model.size.1)) {
        let line = notice.line.map_or(String::new(), |line| format!(":{line}"));
        lines.push(vec![run(Role::Dim, one_line(&format!("{}{line}", notice.file), cells))]);
        let text = wrap(&one_line(&notice.text, cells.saturating_mul(4)), cells.saturating_sub(2));
        lines.extend(text.into_iter().map(|line| vec![run(Role::Plain, format!("  {line}"))]));
    }
    lines
}
