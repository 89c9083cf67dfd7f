//! The right pane: the visible lines of the page.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use unicode_segmentation::UnicodeSegmentation;

use super::{Cursor, put, select};
use crate::tui::keys::Place;
use crate::tui::model::Model;
use crate::tui::page::PageLine;
use crate::tui::text::{Run, run, runs_width, width};
use crate::tui::theme::Role;

/// Draws the visible lines; where the line of the cursor begins, where this pane is in use.
pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) -> Option<Cursor> {
    let in_use = model.place == Place::Failure;
    let mut cursor = None;
    let visible = model.page.lines.iter().enumerate().skip(model.spot.top).take(usize::from(area.height));
    for ((number, line), y) in visible.zip(area.top()..) {
        let runs = scrolled(line, model.spot.left);
        put(buffer, area, y, &runs, model.theme);
        if runs_width(&runs) > usize::from(area.width) && area.width > 0 {
            // What goes on beyond the border says so.
            let last = Rect { x: area.right() - 1, width: 1, ..area };
            put(buffer, last, y, &[run(Role::Dim, "…")], model.theme);
        }
        if in_use && number == model.spot.line {
            select(buffer, area, y);
            cursor = Some(Cursor { x: area.x, y, shown: false });
        }
        mark_found(model, area, y, &runs, buffer);
    }
    cursor
}

/// Underlines what is searched for in a visible line.
fn mark_found(model: &Model, area: Rect, y: u16, runs: &[Run], buffer: &mut Buffer) {
    if !model.search.is_on() {
        return;
    }
    let text: String = runs.iter().map(|run| run.text.as_str()).collect();
    for place in model.search.sought.places(&text) {
        let cells = width(&text[..place.start])..width(&text[..place.end]);
        for x in cells.filter_map(|cell| u16::try_from(cell).ok()).map(|cell| area.x.saturating_add(cell)) {
            if x < area.right() {
                buffer[(x, y)].modifier.insert(Modifier::UNDERLINED);
            }
        }
    }
}

/// The runs of a line, with what is scrolled out at the left gone; its gutter stays.
fn scrolled(line: &PageLine, left: usize) -> Vec<Run> {
    let Some(gutter) = line.gutter.filter(|_| left > 0) else { return line.runs.clone() };
    let mut seen = 0;
    let mut runs = Vec::new();
    for piece in &line.runs {
        let mut kept = String::new();
        for grapheme in piece.text.graphemes(true) {
            if seen < gutter || seen >= gutter + left {
                kept.push_str(grapheme);
            }
            seen += width(grapheme);
        }
        runs.push(run(piece.role, kept));
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::scrolled;
    use crate::tui::page::PageLine;
    use crate::tui::text::run;
    use crate::tui::theme::Role;

    #[test]
    fn the_gutter_stays_when_code_scrolls_sideways() {
        let runs = vec![run(Role::Dim, " 22  "), run(Role::Keyword, "fn"), run(Role::Plain, " bill")];
        let line = PageLine { runs, gutter: Some(5), ..PageLine::default() };
        let text: String = scrolled(&line, 3).iter().map(|run| run.text.as_str()).collect();
        assert_eq!(text, " 22  bill");
    }
}
