//! The left pane: a row for each cause, its failures below it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Cursor, inner, put, select};
use crate::inbox::{Cause, Filed, State};
use crate::proof::PinState;
use crate::tui::keys::Place;
use crate::tui::list::Row;
use crate::tui::model::Model;
use crate::tui::text::{Run, fit_end, fit_start, grouped, head, one_line, pad, run, width};
use crate::tui::theme::Role;
use crate::tui::words;

/// A cause's open failures are counted up to this for a frame.
const COUNTED: usize = 100;

/// Draws the visible rows; where the selected one begins.
pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) -> Option<Cursor> {
    let rows = model.list.rows();
    if rows.is_empty() {
        draw_empty(model, inner(area), buffer);
        return None;
    }
    let mut cursor = None;
    let visible = rows.iter().enumerate().skip(model.list.top).take(usize::from(area.height));
    for ((number, row), y) in visible.zip(area.top()..) {
        let selected = number == model.list.selected;
        let runs = match row {
            Row::Cause(cause) => cause_row(model, *cause, selected, usize::from(area.width)),
            Row::Failure(at) => failure_row(model, *at, selected, usize::from(area.width)),
        };
        put(buffer, area, y, &runs, model.theme);
        if selected {
            cursor = Some(Cursor { x: area.x, y, shown: false });
            if model.place == Place::Inbox {
                select(buffer, area, y);
            }
        }
    }
    cursor
}

fn draw_empty(model: &Model, area: Rect, buffer: &mut Buffer) {
    for (line, y) in empty_lines(model).into_iter().zip(area.top()..area.bottom()) {
        put(buffer, area, y, &[line], model.theme);
    }
}

fn empty_lines(model: &Model) -> Vec<Run> {
    if !model.loaded {
        return Vec::new();
    }
    if model.list.filtered() {
        let words = one_line(&model.filter, 40);
        return vec![run(Role::Plain, format!("no failure holds “{words}”")), run(Role::Dim, "esc clears the filter")];
    }
    vec![
        run(Role::Strong, "no failures"),
        run(Role::Plain, ""),
        run(Role::Plain, "redpin nightly.log   reads a run"),
        run(Role::Plain, "redpin run -- CMD    runs the tests"),
        run(Role::Plain, "redpin demo          shows a sample"),
        run(Role::Plain, ""),
        run(Role::Dim, "A run is a log, a JUnit file, a"),
        run(Role::Dim, "folder, zip, gzip, or - (stdin)."),
    ]
}

fn cause_row(model: &Model, number: usize, selected: bool, cells: usize) -> Vec<Run> {
    let Some(cause) = model.inbox.causes().get(number) else { return Vec::new() };
    let mark = if model.list.folded(number) { "▸" } else { "▾" };
    let requirement = cause.requirement.as_ref().map_or("–".to_owned(), |id| fit_end(&one_line(&id.0, 16), 12));
    let requirement = pad(&requirement, 6);
    let right = right_of(model, cause, number);
    let room = cells.saturating_sub(5 + width(&requirement) + width(&right) + 2);
    let title = pad(&one_line(&model.inbox.title(cause), room), room);
    vec![
        run(Role::Plain, pointer(selected)),
        run(Role::Dim, format!("{mark} ")),
        run(Role::Strong, requirement),
        run(Role::Plain, format!("  {title}  ")),
        run(Role::Dim, right),
    ]
}

/// The selected row is marked by more than its style, which the pane in use alone has.
fn pointer(selected: bool) -> &'static str {
    if selected { "›" } else { " " }
}

/// How many failures the cause has and, where it is folded, how many of them are open.
fn right_of(model: &Model, cause: &Cause, number: usize) -> String {
    let all = cause.failures.len();
    if !model.list.folded(number) {
        return if all > 1 { format!("×{}", grouped(all)) } else { String::new() };
    }
    match model.list.open_in(&model.inbox, number).take(COUNTED).count() {
        0 => format!("×{} judged", grouped(all)),
        COUNTED => format!("×{} open", grouped(all)),
        open => format!("{open} of {} open", grouped(all)),
    }
}

fn failure_row(model: &Model, at: usize, selected: bool, cells: usize) -> Vec<Run> {
    let Some(filed) = model.inbox.filed().get(at) else { return Vec::new() };
    let (glyph, role) = words::glyph(filed);
    let open = filed.state == State::Open;
    let pin = model.trial.state(filed).map(|(state, _)| state);
    let pin_cells = pin.map_or(0, |state| width(words::pin_word(state)) + 4);
    let column = if model.trial.knows_pins() { STATE + PIN } else { STATE };
    let aside = model.asides.get(&filed.id).copied().filter(|_| open);
    let (origin, word) = match cells {
        WIDE.. => (origin(filed), format!("{:>1$}", right_end(filed, aside, true), column - pin_cells)),
        NARROW.. => (String::new(), right_end(filed, aside, true)),
        _ if pin.is_some() => (String::new(), String::new()),
        _ => (String::new(), right_end(filed, aside, false)),
    };
    let name_room = cells.saturating_sub(8 + width(&origin)) / 2;
    let input_room = cells.saturating_sub(name_room + width(&origin) + width(&word) + pin_cells + 9);
    let name = pad(&fit_start(&one_line(filed.failure.test.function(), 400), name_room), name_room);
    let input = pad(&one_line(&input(filed), input_room), input_room);
    let mut runs = vec![
        run(Role::Plain, format!("{}  ", pointer(selected))),
        run(role, glyph),
        run(if open { Role::Plain } else { Role::Dim }, format!(" {name}  {input}  ")),
        run(Role::Dim, origin),
        run(if open { Role::Plain } else { words::word_role(role) }, word),
    ];
    runs.extend(pin.into_iter().flat_map(pin_runs));
    runs
}

/// How the pin came out, behind the state.
fn pin_runs(state: PinState) -> [Run; 2] {
    let (glyph, role) = words::pin_glyph(state);
    [run(role, format!("  {glyph}")), run(words::word_role(role), format!(" {}", words::pin_word(state)))]
}

/// A list of this many cells has room for where a failure came from.
const WIDE: usize = 100;
/// Cells of that column, and of the state behind it.
const ORIGIN: usize = 28;
const STATE: usize = 12;
/// Cells that how a pin came out takes at most.
const PIN: usize = 13;
/// A list of fewer cells has room for that alone.
const NARROW: usize = 60;

/// The run and its line that show the failure.
fn origin(filed: &Filed) -> String {
    let origin = &filed.failure.origin;
    pad(&fit_start(&one_line(&format!("{}:{}", origin.run, origin.line), 400), ORIGIN - 2), ORIGIN)
}

/// Occurrences, where more than one, and the state; of a failure whose test is set aside the days that are left of that.
fn right_end(filed: &Filed, aside: Option<i64>, has_room: bool) -> String {
    let word = match aside {
        Some(days) if has_room => format!("quarantined {days}d"),
        Some(days) => format!("quar. {days}d"),
        None => words::state(filed).to_owned(),
    };
    match filed.occurrences.weight() {
        0 | 1 => word,
        times => format!("×{} {word}", grouped(times)),
    }
}

/// The start of the input, its arguments without their names.
fn input(filed: &Filed) -> String {
    const ENOUGH: usize = 400;
    let counterexample = &filed.failure.counterexample;
    let start = |text: &str| crate::value::one_line(head(text, ENOUGH).0);
    if counterexample.arguments.is_empty() {
        return start(&counterexample.text);
    }
    let mut out = String::new();
    for argument in &counterexample.arguments {
        if !out.is_empty() {
            out.push_str(", ");
        }
        out.push_str(&start(&argument.text));
        if out.len() > ENOUGH {
            break;
        }
    }
    out
}
