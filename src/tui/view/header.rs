//! The first row: where this is, how much there is, and what is awaited.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{inner, put};
use crate::tui::model::Model;
use crate::tui::tab::Tab;
use crate::tui::text::{counted, fit_end, grouped, run, width};
use crate::tui::theme::Role;

/// Draws it; where the tabs have no row of their own, with the name of the one shown.
pub(super) fn draw(model: &Model, area: Rect, has_tabs: bool, buffer: &mut Buffer) {
    let area = inner(area);
    let cells = usize::from(area.width);
    let title = title(model.tab, has_tabs);
    let right = fit_end(&right(model), cells.saturating_sub(width(&title) + 2));
    let room = cells.saturating_sub(width(&right) + width(&title) + 4);
    let heading = if room > 8 { fit_end(&model.heading, room) } else { String::new() };
    let left = [run(Role::Strong, title), run(Role::Plain, format!("  {heading}"))];
    put(buffer, area, area.y, &left, model.theme);
    let wide = u16::try_from(width(&right)).unwrap_or(area.width).min(area.width);
    let end = Rect { x: area.right() - wide, width: wide, ..area };
    put(buffer, end, area.y, &[run(Role::Plain, right)], model.theme);
}

fn title(tab: Tab, has_tabs: bool) -> String {
    match tab {
        Tab::Inbox => "redpin".to_owned(),
        _ if has_tabs => "redpin".to_owned(),
        _ => format!("redpin {}", tab.name()),
    }
}

fn right(model: &Model) -> String {
    if let Some(sign) = model.waiting.sign(model.now) {
        return sign;
    }
    if let Some(shelf) = model.shelf() {
        return shelf.sheet.as_ref().map_or_else(String::new, |sheet| sheet.summary.clone());
    }
    if !model.loaded {
        return String::new();
    }
    let tally = model.list.tally();
    let wide = model.size.0 >= 100;
    let mut parts = vec![counted(model.inbox.filed().len(), "failure")];
    if wide {
        parts[0].push_str(&format!(", {}", counted(model.inbox.causes().len(), "cause")));
    }
    let more = [(tally.decided, "decided"), (tally.staged, "staged"), (tally.known, "known")];
    parts.extend(
        more.iter().filter(|(number, _)| *number > 0).map(|(number, word)| format!("{} {word}", grouped(*number))),
    );
    if wide && !model.notices.is_empty() {
        parts.push(counted(model.notices.len(), "notice"));
    }
    parts.join("   ")
}
