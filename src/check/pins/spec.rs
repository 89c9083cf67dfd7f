//! Requirements that are gone or say something else.

use super::files::removed;
use super::{About, Finding};
use crate::check::stated::requirements;
use crate::repo_path::RepoPath;
use crate::requirement::Requirement;
use crate::source_tree::SourceTree;

/// Those of `files`.
pub(super) fn changed(files: &[RepoPath], before: &dyn SourceTree, here: &dyn SourceTree) -> Vec<Finding> {
    let now: Vec<(&RepoPath, Requirement)> =
        files.iter().flat_map(|file| requirements(file, here).into_iter().map(move |one| (file, one))).collect();
    let mut found = Vec::new();
    for file in files {
        for one in requirements(file, before) {
            let same = now.iter().filter(|(_, other)| other.id == one.id);
            let finding = |kind, file: &RepoPath, line, is_gone, what: &str| Finding {
                kind,
                file: file.clone(),
                line: Some(line),
                is_gone,
                about: About { requirement: Some(one.id.clone()), ..About::default() },
                text: format!("{} {what}", one.id),
            };
            match same.clone().find(|(place, _)| *place == file).or_else(|| same.clone().next()) {
                None => found.push(finding("requirement-removed", file, one.line, true, "is gone")),
                Some((place, other)) if says_less(&one, other) => {
                    found.push(finding(
                        "requirement-changed",
                        place,
                        other.line,
                        false,
                        "says something else than it did",
                    ));
                }
                Some(_) => {}
            }
        }
    }
    found
}

/// Whether something of what `one` says is gone from `other`, however it is broken into lines.
fn says_less(one: &Requirement, other: &Requirement) -> bool {
    let words = |requirement: &Requirement| {
        let text = format!("{} {}", requirement.title, requirement.text);
        text.split_whitespace().map(|word| format!("{word}\n")).collect::<String>()
    };
    !removed(&words(one), &words(other)).is_empty()
}
