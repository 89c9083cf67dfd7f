//! The first row: where this is, how much there is, and what is awaited.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{inner, put};
use crate::tui::model::Model;
use crate::tui::text::{counted, fit_end, grouped, run, width};
use crate::tui::theme::Role;

pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let area = inner(area);
    let cells = usize::from(area.width);
    let right = fit_end(&right(model), cells.saturating_sub(8));
    let room = cells.saturating_sub(width(&right) + 10);
    let heading = if room > 8 { fit_end(&model.heading, room) } else { String::new() };
    let left = [run(Role::Strong, "redpin"), run(Role::Plain, format!("  {heading}"))];
    put(buffer, area, area.y, &left, model.theme);
    let wide = u16::try_from(width(&right)).unwrap_or(area.width).min(area.width);
    let end = Rect { x: area.right() - wide, width: wide, ..area };
    put(buffer, end, area.y, &[run(Role::Plain, right)], model.theme);
}

fn right(model: &Model) -> String {
    if let Some(sign) = model.waiting.sign(model.now) {
        return sign;
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
