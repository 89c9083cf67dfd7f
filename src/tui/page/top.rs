//! The head of a page: which property, what was decided, and the sentence that the input is held against.

use super::{Fold, Matter, Page, Section, ends};
use crate::failure::Ending;
use crate::inbox::{Filed, State};
use crate::requirement::Requirement;
use crate::tui::sheet::left;
use crate::tui::text::{counted, head, one_line, run, wrap};
use crate::tui::theme::Role;
use crate::tui::words;
use crate::visible;

/// Lines of a requirement shown before it is unfolded.
const SENTENCE_LINES: usize = 6;
/// No more of a requirement's text than this is ever laid out.
const SENTENCE_BYTES: usize = 16 * 1024;

pub(super) fn add(page: &mut Page, matter: &Matter<'_>) {
    let filed = matter.filed;
    let width = matter.width;
    if let Some(cause) = matter.cause.filter(|cause| cause.failures.len() > 1) {
        let text = format!("cause of {}; this is the smallest:", counted(cause.failures.len(), "failure"));
        page.push(vec![run(Role::Dim, crate::tui::text::fit_end(&text, width))]);
    }
    let id = filed.requirement.as_ref().map_or(String::new(), |id| one_line(&id.0, 24));
    let name = one_line(filed.failure.test.function(), width);
    page.push_ends(run(Role::Strong, name), run(Role::Strong, id), width);
    page.push_ends(run(Role::Dim, where_it_stands(filed, width)), run(Role::Dim, file_line(matter)), width);
    add_standing(page, filed, width);
    add_aside(page, matter);
    super::pin::add(page, matter);
    page.gap();
    add_requirement(page, matter);
    page.gap();
}

/// Modules and package.
fn where_it_stands(filed: &Filed, width: usize) -> String {
    let modules = filed.failure.test.modules().join("::");
    let package = filed.failure.package.as_ref().map_or("", |package| &package.0);
    let parts: Vec<&str> = [package, &modules].into_iter().filter(|part| !part.is_empty()).collect();
    one_line(&parts.join("  "), width)
}

/// Where the property stands: in the repository as it is now, where it was found there; else where the run had it.
fn file_line(matter: &Matter<'_>) -> String {
    if let Some(property) = matter.detail.and_then(|detail| detail.property.as_ref()) {
        return one_line(&format!("{}:{}", property.file, property.line), 60);
    }
    match (&matter.filed.file, matter.filed.line) {
        (Some(file), Some(line)) => one_line(&format!("{file}:{line}"), 60),
        (Some(file), None) => one_line(file.as_str(), 60),
        _ => String::new(),
    }
}

/// The state, where it is more than open; the note; what kind of failure this is, where not the usual one.
fn add_standing(page: &mut Page, filed: &Filed, width: usize) {
    if filed.state != State::Open {
        let (glyph, role) = words::glyph(filed);
        page.push(vec![run(role, glyph), run(words::word_role(role), format!(" {}", words::standing(filed)))]);
    }
    if filed.reopened {
        let text = "opened again: its record stays until another verdict is staged; 5 shows it";
        wrap(text, width).into_iter().for_each(|line| page.push(vec![run(Role::Strong, line)]));
    }
    if !filed.note.is_empty() {
        for line in wrap(&visible::line(&format!("note: {}", filed.note)), width) {
            page.push(vec![run(Role::Plain, line)]);
        }
    }
    if filed.failure.ending == Ending::Aborted {
        page.push(vec![run(Role::Fail, "aborted: no verdict of the property itself")]);
    }
    if filed.pin_failed {
        page.push(vec![run(Role::Fail, "this test is a pin: the bug came back")]);
    }
    if !filed.candidates.is_empty() {
        let names = one_line(&filed.candidates.join(", "), width.saturating_mul(3));
        for line in wrap(&format!("the replay line fits more than one property, p chooses: {names}"), width) {
            page.push(vec![run(Role::Strong, line)]);
        }
    }
}

/// That the contract sets its test aside, and for how long.
fn add_aside(page: &mut Page, matter: &Matter<'_>) {
    if let Some(days) = matter.aside {
        let text = format!("quarantined, {}: it blocks nothing and is no evidence; 3 shows the quarantine", left(days));
        wrap(&text, matter.width).into_iter().for_each(|line| page.push(vec![run(Role::Strong, line)]));
    }
}

fn add_requirement(page: &mut Page, matter: &Matter<'_>) {
    match matter.detail.map(|detail| detail.requirement.as_ref()) {
        Some(Some((file, requirement))) => {
            let place = (file.clone(), requirement.line);
            let first = page.lines.len();
            add_sentence(page, matter, requirement, &format!("{file}:{}", requirement.line));
            page.lines[first..].iter_mut().for_each(|line| line.place = Some(place.clone()));
        }
        Some(None) if matter.filed.requirement.is_none() && !hinted(matter) => {
            page.push(vec![run(Role::Dim, "cites no requirement")]);
        }
        _ => {}
    }
}

/// Whether a hint says already that no requirement is cited.
fn hinted(matter: &Matter<'_>) -> bool {
    matter.detail.is_some_and(|detail| detail.hints.iter().any(|hint| hint.text.contains("requirement")))
}

fn add_sentence(page: &mut Page, matter: &Matter<'_>, requirement: &Requirement, place: &str) {
    let width = matter.width;
    let title = run(Role::Plain, one_line(&requirement.title, width));
    page.lines
        .push(super::PageLine { runs: ends(title, run(Role::Dim, one_line(place, 60)), width), ..Default::default() });
    let (text, whole) = head(&requirement.text, SENTENCE_BYTES);
    let quoted = format!("“{}{}”", joined(text), if whole { "" } else { " …" });
    let mut lines = wrap(&visible::block(&quoted), width);
    let fold = Fold::Section(Section::Requirement);
    let all = lines.len();
    let open = all <= SENTENCE_LINES + 1 || matter.is_open(&fold, false);
    if !open {
        lines.truncate(SENTENCE_LINES);
    }
    lines.into_iter().for_each(|line| page.push(vec![run(Role::Strong, line)]));
    if !open {
        let rest = format!("▸ {} more", counted(all - SENTENCE_LINES, "line"));
        page.lines.push(super::PageLine { runs: vec![run(Role::Dim, rest)], fold: Some(fold), ..Default::default() });
    }
}

/// A spec's text without the line breaks inside its paragraphs; list lines and empty lines keep theirs.
fn joined(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let starts_anew = line.trim().is_empty() || line.starts_with([' ', '\t', '-', '*', '|', '>', '`']);
        if !out.is_empty() {
            out.push(if starts_anew || out.ends_with('\n') { '\n' } else { ' ' });
        }
        out.push_str(line.trim_end());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn paragraphs_flow_and_lists_keep_their_lines() {
        assert_eq!(joined("No two instalments\ndiffer."), "No two instalments differ.");
        assert_eq!(joined("Either:\n- one\n- two\n\nor none"), "Either:\n- one\n- two\n\nor none");
    }
}
