//! What staging would write, as a diff: the files first, then the lines. A refusal or a weaker rung says why.

use super::{Fold, Matter, Page, PageLine, Section};
use crate::detail::Preview;
use crate::tui::text::{Run, code, counted, one_line, run, wrap};
use crate::tui::theme::Role;
use crate::tui::words;
use crate::verdict::Verdict;

/// Lines of a patch laid out.
const LINES: usize = 1_000;

pub(super) fn add(page: &mut Page, matter: &Matter<'_>) {
    let (verdict, Some(preview)) = matter.preview else { return };
    let open = matter.is_open(&Fold::Section(Section::Patch), true);
    page.gap();
    page.heading(Section::Patch, open, "patch", vec![run(Role::Dim, title(matter, verdict, preview))]);
    if !open {
        return;
    }
    add_remarks(page, matter, preview);
    for (file, added, removed) in &preview.files {
        let mut runs = vec![run(Role::Plain, format!("  {}  ", one_line(file.as_str(), matter.width)))];
        runs.extend(counts(*added, *removed));
        page.push(runs);
    }
    for line in preview.patch.lines().filter(|line| !is_head(line)).take(LINES) {
        let runs = vec![run(role(line), code(line))];
        page.lines.push(PageLine { runs, fold: None, place: None, gutter: Some(1) });
    }
    let all = preview.patch.lines().count();
    if all > LINES {
        page.push(vec![run(Role::Dim, format!("… {} more", counted(all - LINES, "line")))]);
    }
}

fn title(matter: &Matter<'_>, verdict: Verdict, preview: &Preview) -> String {
    let condition = if matter.filed.verdict == Some(verdict) { "as decided" } else { "if decided" };
    match preview.rung.filter(|_| preview.refusal.is_none()) {
        Some(rung) => format!("{condition}: {}, {} pin", words::verdict(verdict), rung.word()),
        None => format!("{condition}: {}", words::verdict(verdict)),
    }
}

fn add_remarks(page: &mut Page, matter: &Matter<'_>, preview: &Preview) {
    let mut say = |role: Role, text: &str| {
        let text = one_line(text, matter.width.saturating_mul(6));
        for line in wrap(&text, matter.width.saturating_sub(2)) {
            page.push(vec![run(role, format!("  {line}"))]);
        }
    };
    if preview.already {
        say(Role::Proven, "all of it stands already; staging changes nothing");
    }
    if let Some(refusal) = &preview.refusal {
        say(Role::Fail, &format!("not possible: {refusal}"));
    }
    if let Some(reason) = &preview.reason {
        say(Role::Plain, reason);
    }
    preview.warnings.iter().for_each(|warning| say(Role::Ambiguous, &format!("note: {warning}")));
}

fn counts(added: usize, removed: usize) -> Vec<Run> {
    let mut runs = Vec::new();
    if added > 0 || removed == 0 {
        runs.push(run(Role::Added, format!("+{added}")));
    }
    if removed > 0 {
        runs.push(run(Role::Removed, format!(" -{removed}")));
    }
    runs
}

/// Lines of a diff that say nothing to a reader: blob hashes and modes.
fn is_head(line: &str) -> bool {
    line.starts_with("index ") || line.starts_with("diff --git ")
}

fn role(line: &str) -> Role {
    match line.as_bytes().first() {
        _ if line.starts_with("+++") || line.starts_with("---") => Role::Strong,
        Some(b'+') => Role::Added,
        Some(b'-') => Role::Removed,
        Some(b'@') => Role::Dim,
        _ => Role::Plain,
    }
}
