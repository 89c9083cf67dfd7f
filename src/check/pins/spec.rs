//! Requirements that are gone or say something else: a word more may take back all the others.

use super::{About, Finding};
use crate::check::stated::{is_spec, requirements};
use crate::repo_path::RepoPath;
use crate::requirement::{self, Requirement};
use crate::source_tree::SourceTree;

/// Those of `files`.
pub(super) fn changed(files: &[RepoPath], before: &dyn SourceTree, here: &dyn SourceTree) -> Vec<Finding> {
    let in_files = |files: &[RepoPath], tree: &dyn SourceTree| -> Vec<(RepoPath, Requirement)> {
        let own =
            |file: &RepoPath| requirements(file, tree).into_iter().map(|one| (file.clone(), one)).collect::<Vec<_>>();
        files.iter().flat_map(own).collect()
    };
    let (then, now) = (in_files(files, before), in_files(files, here));
    let mut found = Vec::new();
    for (file, one) in &then {
        let same: Vec<&(RepoPath, Requirement)> = now.iter().filter(|(_, other)| other.id == one.id).collect();
        match same.iter().find(|(place, _)| place == file).or_else(|| same.first()) {
            None => found.push(finding("requirement-removed", (file, one), true, "is gone")),
            Some((place, other)) if !same.iter().any(|(_, other)| says(other) == says(one)) => {
                found.push(finding("requirement-changed", (place, other), false, "says something else than it did"));
            }
            Some(_) => {}
        }
    }
    let all = if now.is_empty() { Vec::new() } else { in_files(&before.find(&is_spec), before) };
    for (file, one) in &now {
        let mut same = all.iter().filter(|(_, other)| other.id == one.id).peekable();
        let is_told = found.iter().any(|told| told.about.requirement.as_ref() == Some(&one.id));
        if same.peek().is_some() && !is_told && !same.any(|(_, other)| says(other) == says(one)) {
            found.push(finding(
                "requirement-changed",
                (file, one),
                false,
                "is said once more, and says something else",
            ));
        }
    }
    found
}

fn finding(kind: &'static str, (file, one): (&RepoPath, &Requirement), is_gone: bool, what: &str) -> Finding {
    let about = About { requirement: Some(one.id.clone()), ..About::default() };
    Finding { kind, file: file.clone(), line: Some(one.line), is_gone, about, text: format!("{} {what}", one.id) }
}

/// The words of a requirement, however they are broken into lines and set off, those of the requirements in it left out.
fn says(one: &Requirement) -> Vec<String> {
    let mut own = String::new();
    let mut end = 0;
    for inner in requirement::read(&one.text) {
        let start = one
            .text
            .split_inclusive('\n')
            .take(usize::try_from(inner.line).unwrap_or(usize::MAX).saturating_sub(1))
            .map(str::len)
            .sum::<usize>();
        own.push_str(one.text.get(end..start.max(end)).unwrap_or_default());
        end = end.max(inner.end);
    }
    own.push_str(one.text.get(end..).unwrap_or_default());
    format!("{} {own}", one.title).split_whitespace().map(plain).collect()
}

/// A word without the signs that only set it off.
fn plain(word: &str) -> String {
    let is_mark = |char: char| matches!(char, '*' | '_' | '`');
    let inner = word.trim_start_matches(is_mark);
    let stop = inner.len() - inner.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']).len();
    let (inner, stop) = inner.split_at(inner.len() - stop);
    let kept = inner.trim_end_matches(is_mark);
    if kept.is_empty() { word.to_owned() } else { format!("{kept}{stop}") }
}

#[cfg(test)]
mod tests {
    use super::changed;
    use crate::repo_path::RepoPath;
    use crate::source_tree::testing::Files;

    const BASE: &str =
        "# Spec\n\n## BILL-1: Sum\n\nThe parts sum to the total.\n\n## BILL-4: Spread\n\nNo two differ by 1 cent.\n";

    #[track_caller]
    fn check(now: &[(&str, &str)], expected: &[&str]) {
        let files: Vec<RepoPath> = ["spec.md", "other.md"].map(|file| RepoPath::new(file).unwrap()).to_vec();
        let found = changed(&files, &Files::new([("spec.md", BASE)]), &Files::new(now.iter().copied()));
        assert_eq!(found.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_word_more_or_less_is_told() {
        for (old, new) in [
            ("No two differ", "No two ever (unless odd) differ"),
            ("1 cent.", "1 cent. Except when it is odd."),
            ("1 cent.", "1 cent.\n\nExcept when it is odd."),
            ("1 cent.", "1 cent. <!-- not so -->"),
            ("No two differ by", "No two differ"),
            ("BILL-4: Spread", "BILL-4: Perhaps spread"),
        ] {
            check(&[("spec.md", &BASE.replace(old, new))], &["BILL-4 says something else than it did"]);
        }
        check(&[("spec.md", &BASE.replace("BILL-4: Spread", "Spread"))], &["BILL-4 is gone"]);
        let twice = "## BILL-4: Spread\n\nAny two may differ.\n";
        check(&[("spec.md", BASE), ("other.md", twice)], &["BILL-4 is said once more, and says something else"]);
    }

    #[test]
    fn layout_questions_and_new_requirements_are_silent() {
        for (old, new) in [
            ("No two differ", "No two\ndiffer"),
            ("1 cent.", "**1 cent**."),
            ("## BILL-4", "### BILL-4"),
            ("1 cent.", "1 cent.\n\n> **Open question** (2026-11-30): half?"),
            ("1 cent.", "1 cent.\n\n### BILL-5: More\n\nText.\n\n#### Deeper\n\nText."),
            ("## BILL-4", "## BILL-9: New\n\nText.\n\n## BILL-4"),
        ] {
            check(&[("spec.md", &BASE.replace(old, new))], &[]);
        }
        check(&[("other.md", BASE)], &[]);
    }
}
