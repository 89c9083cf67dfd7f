//! What staging would write, as a diff: the files first, then the lines. A refusal or a weaker rung says why.

use super::{Fold, Matter, Page, PageLine, Section};
use crate::detail::Preview;
use crate::pin::Rung;
use crate::tui::text::{Run, code, counted, one_line, run, wrap};
use crate::tui::theme::Role;
use crate::tui::words;
use crate::verdict::Verdict;

/// Lines of a patch laid out.
const LINES: usize = 1_000;

pub(super) fn add(page: &mut Page, matter: &Matter<'_>) {
    let (verdict, Some(preview)) = matter.preview else { return };
    page.gap();
    let first = page.lines.len();
    add_patch(page, matter, verdict, preview);
    page.lines[first..].iter_mut().for_each(|line| line.of_patch = verdict == Verdict::RealBug);
}

fn add_patch(page: &mut Page, matter: &Matter<'_>, verdict: Verdict, preview: &Preview) {
    let open = matter.is_open(&Fold::Section(Section::Patch), true);
    page.heading(Section::Patch, open, "patch", vec![run(Role::Dim, title(matter, verdict, preview))]);
    if !open {
        return;
    }
    add_remarks(page, matter, preview);
    let mut files = files(&preview.patch);
    // The file of the property holds the test, which is read first.
    let of_property = matter.filed.file.as_ref().map_or("", |file| file.as_str());
    files.sort_by_key(|file| (file.is_record(), file.name != of_property));
    let mut left = LINES;
    for (number, file) in files.iter().enumerate() {
        let fold = Fold::File(number);
        let open = matter.is_open(&fold, !file.is_record());
        page.lines.push(PageLine { runs: file.heading(preview, open), fold: Some(fold), ..PageLine::default() });
        let shown = if open { file.lines.len().min(left) } else { 0 };
        for line in &file.lines[..shown] {
            let runs = vec![run(role(line), format!("  {}", code(line)))];
            page.lines.push(PageLine { runs, gutter: Some(3), ..PageLine::default() });
        }
        left -= shown;
        if open && shown < file.lines.len() {
            page.push(vec![run(Role::Dim, format!("  … {} more", counted(file.lines.len() - shown, "line")))]);
        }
    }
}

/// One file of a patch.
struct PatchedFile<'a> {
    name: &'a str,
    /// The lines of its hunks.
    lines: Vec<&'a str>,
}

impl PatchedFile<'_> {
    /// Whether it only keeps what was decided: the least a reader wants to see.
    fn is_record(&self) -> bool {
        self.name.starts_with(".redpin/")
    }

    fn heading(&self, preview: &Preview, open: bool) -> Vec<Run> {
        let mark = if open { "  ▾ " } else { "  ▸ " };
        let mut runs = vec![run(Role::Dim, mark), run(Role::Strong, format!("{}  ", one_line(self.name, 200)))];
        if let Some((_, added, removed)) = preview.files.iter().find(|(file, ..)| file.as_str() == self.name) {
            runs.extend(counts(*added, *removed));
        }
        runs
    }
}

/// The files of a unified diff, each with the lines of its hunks.
fn files(patch: &str) -> Vec<PatchedFile<'_>> {
    let mut files: Vec<PatchedFile<'_>> = Vec::new();
    let mut in_hunk = false;
    for line in patch.lines() {
        in_hunk = (in_hunk || line.starts_with("@@")) && !line.starts_with("diff --git ");
        match (line.strip_prefix("diff --git "), files.last_mut()) {
            (Some(names), _) => {
                let name = names.rsplit_once(" b/").map_or(names, |(_, name)| name);
                files.push(PatchedFile { name, lines: Vec::new() });
            }
            (None, Some(file)) if in_hunk => file.lines.push(line),
            _ => {}
        }
    }
    files
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
    if let Some(proven) = matter.shown.and_then(super::pin::proven) {
        say(Role::Proven, &proven);
    }
    if preview.already {
        say(Role::Proven, "all of it stands already; staging changes nothing");
    }
    if let Some(refusal) = &preview.refusal {
        say(Role::Fail, &format!("not possible: {refusal}"));
    }
    if let Some(reason) = &preview.reason {
        say(Role::Plain, reason);
        if preview.rung.is_some_and(|rung| rung > Rung::Literal) && !preview.already {
            say(Role::Dim, "proving it looks for a better one: staging builds what makes such a value, and tries it");
        }
    }
    preview.warnings.iter().for_each(|warning| say(Role::Strong, &format!("note: {warning}")));
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

/// What a line inside a hunk is.
fn role(line: &str) -> Role {
    match line.as_bytes().first() {
        Some(b'+') => Role::Added,
        Some(b'-') => Role::Removed,
        Some(b'@') => Role::Dim,
        _ => Role::Plain,
    }
}
