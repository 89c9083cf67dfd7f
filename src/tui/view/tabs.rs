//! The row of tabs below the header, with the one that is shown in brackets; where it has no room for all of them, that one
//! and the keys of the others.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{inner, put};
use crate::tui::model::Model;
use crate::tui::tab::Tab;
use crate::tui::text::{Run, run, runs_width};
use crate::tui::theme::Role;

pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let area = inner(area);
    let named = runs(model.tab, |_| true);
    let runs =
        if runs_width(&named) <= usize::from(area.width) { named } else { runs(model.tab, |tab| tab == model.tab) };
    // The bracket hangs out, so that names keep their columns whichever is shown.
    put(buffer, Rect { x: area.x - 1, width: area.width + 1, ..area }, area.y, &runs, model.theme);
}

fn runs(shown: Tab, is_named: impl Fn(Tab) -> bool) -> Vec<Run> {
    let mut runs = Vec::new();
    for tab in Tab::ALL {
        let name = if is_named(tab) { format!("{} {}", tab.number(), tab.name()) } else { tab.number().to_string() };
        let (role, text) =
            if tab == shown { (Role::Strong, format!("[{name}] ")) } else { (Role::Dim, format!(" {name}  ")) };
        runs.push(run(role, text));
    }
    runs
}
