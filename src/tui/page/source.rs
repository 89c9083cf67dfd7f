//! The property's source: line numbers, syntax colours where they have arrived, and a mark at the assertion that failed.

use super::{Fold, Matter, Page, PageLine, Section};
use crate::property::Property;
use crate::tui::text::{Run, code, counted, fit_start, run};
use crate::tui::theme::Role;
use crate::visible;

/// Lines of a property laid out; the rest is for the editor.
const LINES: usize = 400;

pub(super) fn add(page: &mut Page, matter: &Matter<'_>) {
    match matter.detail.map(|detail| detail.property.as_ref()) {
        Some(Some(property)) => add_property(page, matter, property),
        Some(None) => {
            page.gap();
            page.push(vec![run(Role::Dim, "the property's source was not found in this repository")]);
        }
        None => {}
    }
    page.gap();
}

fn add_property(page: &mut Page, matter: &Matter<'_>, property: &Property) {
    let open = matter.is_open(&Fold::Section(Section::Source), true);
    let file = visible::line(property.file.as_str());
    let place = fit_start(&format!("{file}:{}", property.line), matter.width.saturating_sub(12));
    page.gap();
    page.heading(Section::Source, open, "property", vec![run(Role::Dim, place)]);
    if !open {
        return;
    }
    let last = property.first_line as usize + property.text.lines().count();
    let digits = last.to_string().len();
    for (number, line) in dedented(&property.text).into_iter().enumerate().take(LINES) {
        let at = property.first_line.saturating_add(u32::try_from(number).unwrap_or(u32::MAX));
        let colours = matter.coloured.and_then(|coloured| coloured.lines.get(number));
        let failing = matter.detail.and_then(|detail| detail.failing_line) == Some(at);
        page.lines.push(source_line(property, at, failing, digits, coloured(line, colours)));
    }
    let all = property.text.lines().count();
    if all > LINES {
        page.push(vec![run(Role::Dim, format!("… {} more; e opens the editor", counted(all - LINES, "line")))]);
    }
}

fn source_line(property: &Property, at: u32, failing: bool, digits: usize, text: Vec<Run>) -> PageLine {
    let (mark, role) = if failing { ("▸", Role::Fail) } else { (" ", Role::Dim) };
    let gutter = format!("{mark}{at:>digits$}  ");
    let cells = digits + 3;
    let mut runs = vec![run(role, gutter)];
    runs.extend(text);
    PageLine { runs, fold: None, place: Some((property.file.clone(), at)), of_patch: false, gutter: Some(cells) }
}

/// A line of code in its colours, as far as they are known and fit the text.
fn coloured(line: &str, colours: Option<&Vec<(std::ops::Range<usize>, Role)>>) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut at = 0;
    for (range, role) in colours.into_iter().flatten() {
        let Some(piece) = line.get(range.clone()).filter(|_| range.start >= at) else { continue };
        runs.push(run(Role::Plain, code(&line[at..range.start])));
        runs.push(run(*role, code(piece)));
        at = range.end;
    }
    runs.push(run(Role::Plain, code(&line[at..])));
    runs.retain(|run| !run.text.is_empty());
    runs
}

/// What the highlighter is to colour: the property's own text.
pub(crate) fn to_colour(property: &Property) -> (String, String) {
    let extension = property.file.file_name().rsplit_once('.').map_or("", |(_, extension)| extension);
    (extension.to_owned(), dedented(&property.text).into_iter().take(LINES).collect::<Vec<_>>().join("\n"))
}

/// The lines without the blanks that all but the first share: the first begins where the property does.
fn dedented(text: &str) -> Vec<&str> {
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let indented = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let shared = indented.map(blanks).min().unwrap_or(0);
    text.lines()
        .enumerate()
        .map(|(number, line)| if number == 0 { line } else { &line[blanks(line).min(shared)..] })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::dedented;

    #[test]
    fn lines_lose_the_indentation_they_share() {
        assert_eq!(
            dedented("#[test]\n        fn a() {\n            b\n\n        }"),
            ["#[test]", "fn a() {", "    b", "", "}"]
        );
        assert_eq!(dedented("fn a() {\n}"), ["fn a() {", "}"]);
        assert_eq!(dedented(""), Vec::<&str>::new());
    }
}
