//! The screen as a function of the model. Each pane is drawn by a file of its own; only visible lines are laid out.

mod failure;
mod footer;
mod header;
mod inbox;
mod over;
mod sheet;
mod tabs;
mod trial;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::layout::Layout;
use super::model::Model;
use super::text::Run;
use super::theme::{Role, Theme};

/// Where the cursor belongs: on the selected line, for those who follow it; shown only in a line being written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// Column.
    pub x: u16,
    /// Row.
    pub y: u16,
    /// Whether it is shown.
    pub shown: bool,
}

/// Draws the model and says where the cursor belongs.
pub(crate) fn draw(model: &Model, buffer: &mut Buffer) -> Cursor {
    let area = buffer.area;
    let Some(layout) = model.layout().filter(|_| area.width >= model.size.0 && area.height >= model.size.1) else {
        buffer.set_stringn(area.x, area.y, "too small", usize::from(area.width), Style::new());
        return Cursor::default();
    };
    header::draw(model, layout.header, layout.tabs.is_some(), buffer);
    if let Some(area) = layout.tabs {
        tabs::draw(model, area, buffer);
    }
    let cursor = draw_panes(model, &layout, buffer);
    let message = trial::draw_progress(model, layout.message, buffer);
    footer::draw_message(model, message, buffer);
    let written = footer::draw(model, layout.footer, buffer);
    over::draw(model, &layout, buffer).or(written).unwrap_or(cursor)
}

fn draw_panes(model: &Model, layout: &Layout, buffer: &mut Buffer) -> Cursor {
    let mut cursor = Cursor::default();
    if let Some(area) = layout.inbox {
        let drawn = match model.shelf() {
            Some(shelf) => sheet::draw(model, shelf, area, buffer),
            None => inbox::draw(model, area, buffer),
        };
        cursor = drawn.unwrap_or(cursor);
    }
    if let (Some(x), Some(area)) = (layout.rule, layout.failure) {
        for y in area.top()..area.bottom() {
            buffer.set_string(x, y, model.theme.glyphs("│"), model.theme.style(Role::Dim));
        }
    }
    if let Some(area) = layout.failure {
        cursor = failure::draw(model, area, buffer).unwrap_or(cursor);
    }
    cursor
}

/// Puts runs into the row `y` of `area`, cut at its right border; the column after the last.
fn put(buffer: &mut Buffer, area: Rect, y: u16, runs: &[Run], theme: Theme) -> u16 {
    let mut x = area.x;
    for run in runs {
        let room = usize::from(area.right().saturating_sub(x));
        x = buffer.set_stringn(x, y, theme.glyphs(&run.text), room, theme.style(run.role)).0;
    }
    x
}

/// `area` with a blank column at either side.
fn inner(area: Rect) -> Rect {
    Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area }
}

/// Marks a whole row as selected: reversed, without colours that would not be read on it.
fn select(buffer: &mut Buffer, area: Rect, y: u16) {
    for x in area.left()..area.right() {
        let cell = &mut buffer[(x, y)];
        let bold = cell.modifier & Modifier::BOLD;
        cell.set_style(Style::reset().add_modifier(Modifier::REVERSED | bold));
    }
}
