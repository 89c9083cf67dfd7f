//! The left pane of a tab beside the inbox: a row for each of what it shows.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Cursor, inner, put, select};
use crate::tui::keys::Place;
use crate::tui::model::Model;
use crate::tui::sheet::{Bar, SheetRow};
use crate::tui::shelf::Shelf;
use crate::tui::text::{Run, fit_end, one_line, pad, run, width, wrap};
use crate::tui::theme::Role;

/// The widest that the first column gets, in cells.
const LEAD: usize = 16;

/// Cells that a name keeps at least where more could stand at the end of its row.
const NAME: usize = 22;

/// Cells that it keeps in any case.
const LEAST_NAME: usize = 6;

/// Cells that a bar takes at most.
const BAR: usize = 24;

/// A list of fewer cells has short bars.
const NARROW: usize = 60;

/// Draws the visible rows; where the selected one begins.
pub(super) fn draw(model: &Model, shelf: &Shelf, area: Rect, buffer: &mut Buffer) -> Option<Cursor> {
    if shelf.len() == 0 {
        draw_empty(model, shelf, inner(area), buffer);
        return None;
    }
    let cells = usize::from(area.width);
    let visible = || shelf.rows().enumerate().skip(shelf.top).take(usize::from(area.height));
    let lead = visible().map(|(_, row)| width(&row.lead)).max().unwrap_or(0).min(LEAD);
    let mut cursor = None;
    for ((number, row), y) in visible().zip(area.top()..) {
        let is_selected = number == shelf.selected;
        put(buffer, area, y, &runs(row, is_selected, lead, cells), model.theme);
        if is_selected {
            cursor = Some(Cursor { x: area.x, y, shown: false });
            if model.place == Place::Inbox {
                select(buffer, area, y);
            }
        }
    }
    cursor
}

fn draw_empty(model: &Model, shelf: &Shelf, area: Rect, buffer: &mut Buffer) {
    let lines = match &shelf.sheet {
        None => Vec::new(),
        Some(sheet) if sheet.rows.is_empty() => sheet.empty.clone(),
        Some(_) => vec![format!("no line holds “{}”", one_line(&shelf.filter, 40)), "esc clears the filter".to_owned()],
    };
    let rows = lines.iter().enumerate().flat_map(|(number, line)| {
        let role = if number == 0 { Role::Strong } else { Role::Plain };
        wrap(line, usize::from(area.width)).into_iter().map(move |text| run(role, text))
    });
    for (line, y) in rows.zip(area.top()..area.bottom()) {
        put(buffer, area, y, &[line], model.theme);
    }
}

fn runs(row: &SheetRow, is_selected: bool, lead: usize, cells: usize) -> Vec<Run> {
    let (glyph, role) = row.glyph;
    let start = 3 + width(glyph) + lead;
    let kept = match row.bar {
        // As wide in every row, or lengths could not be held against each other.
        Some(_) if cells < NARROW => cells / 8,
        Some(_) => (cells / 4).min(BAR),
        None => name_cells(row, cells.saturating_sub(start + 4)),
    };
    let end = ending(&row.ends, cells.saturating_sub(start + 4 + kept));
    let room = cells.saturating_sub(start + 4 + width(&end));
    let pointer = if is_selected { "›" } else { " " };
    let mut runs = vec![
        run(Role::Plain, format!("{pointer} ")),
        run(role.unwrap_or(Role::Dim), glyph),
        run(Role::Strong, format!(" {}", pad(&fit_end(&row.lead, lead), lead))),
        run(Role::Plain, "  "),
    ];
    match row.bar {
        Some(bar) => runs.extend(bar_runs(bar, kept.min(room), room)),
        None => runs.push(run(Role::Plain, pad(&fit_end(&row.name, room), room))),
    }
    runs.extend([run(Role::Plain, "  "), run(Role::Dim, end)]);
    runs
}

/// Cells that a name keeps of so many: fewer where what matters most would not stand whole behind it.
fn name_cells(row: &SheetRow, cells: usize) -> usize {
    let first = row.ends.first().map_or(0, |end| width(end));
    let wanted = NAME.min(width(&row.name));
    if wanted + first <= cells { wanted } else { wanted.min(LEAST_NAME) }
}

/// As many of the ends as there is room for; the first, which matters most, cut where it has to be.
fn ending(ends: &[String], room: usize) -> String {
    let Some(first) = ends.first() else { return String::new() };
    let mut text = fit_end(first, room);
    for end in &ends[1..] {
        if width(&text) + 3 + width(end) > room {
            break;
        }
        text.push_str(&format!("   {end}"));
    }
    text
}

/// A bar of at most so many cells and blanks behind it: what matters first.
fn bar_runs(bar: Bar, cells: usize, room: usize) -> [Run; 3] {
    let share = |number: u64| match (number, bar.most) {
        (0, _) | (_, 0) => 0,
        (number, most) => {
            let share = (u128::from(number) * cells as u128).div_ceil(u128::from(most));
            usize::try_from(share).unwrap_or(cells).min(cells)
        }
    };
    let all = share(bar.all);
    let strong = share(bar.strong).min(all);
    [
        run(Role::Fail, "█".repeat(strong)),
        run(Role::Dim, "░".repeat(all - strong)),
        run(Role::Plain, " ".repeat(room - all)),
    ]
}

#[cfg(test)]
mod tests {
    use super::{bar_runs, ending};
    use crate::tui::sheet::Bar;

    #[test]
    fn a_bar_is_as_long_as_its_share_and_never_longer_than_its_room() {
        let drawn = |strong, all, most, room| {
            let runs = bar_runs(Bar { strong, all, most }, room, room);
            runs.map(|run| run.text).concat()
        };
        assert_eq!(drawn(1, 4, 8, 8), "█░░░    ");
        assert_eq!(drawn(0, 1, 1000, 4), "░   ");
        assert_eq!(drawn(9, 3, 3, 3), "███");
        assert_eq!([drawn(0, 0, 0, 2), drawn(u64::MAX, u64::MAX, u64::MAX, 0)], ["  ", ""]);
    }

    #[test]
    fn what_matters_most_stands_at_the_end_in_any_room() {
        let ends = ["2 open".to_owned(), "1 pin".to_owned(), "x".to_owned()];
        assert_eq!(
            [40, 14, 6, 3, 0].map(|room| ending(&ends, room)),
            ["2 open   1 pin   x", "2 open   1 pin", "2 open", "2 …", ""]
        );
        assert_eq!(ending(&[], 9), "");
    }
}
