//! The requirements of this repository: the sections with an id in its Markdown files, read when first asked for.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::edit::Edits;
use crate::failure::Failure;
use crate::inbox::Filed;
use crate::pin::Refusal;
use crate::property::Property;
use crate::question::{self, Question};
use crate::repo_path::RepoPath;
use crate::requirement::{self, Citing, Requirement, RequirementId};
use crate::source_tree::SourceTree;
use crate::triage::records::cut::{self, cut};
use crate::value::one_line;

/// The requirements, as the files behind a tree have them.
pub(super) struct Spec<'a> {
    tree: &'a dyn SourceTree,
    /// Of the files that git tracks: listing them is quick in a large repository, and nearly always enough.
    tracked: OnceLock<Sections>,
    /// Of all files.
    all: OnceLock<Sections>,
}

/// The sections of some files, in the order of paths.
struct Sections {
    sections: Vec<(RepoPath, Requirement)>,
    ids: BTreeSet<RequirementId>,
}

impl Sections {
    fn read(files: &[RepoPath], tree: &dyn SourceTree) -> Self {
        let sections: Vec<_> = files.iter().flat_map(|file| sections(file, tree)).collect();
        Sections { ids: sections.iter().map(|(_, one)| one.id.clone()).collect(), sections }
    }

    fn of<'s, 'i>(&'s self, id: &'i RequirementId) -> impl Iterator<Item = &'s (RepoPath, Requirement)> + use<'s, 'i> {
        self.sections.iter().filter(move |(_, section)| section.id == *id)
    }

    /// The section nearest to a file, the first one in the order of paths where several are.
    fn nearest(&self, id: &RequirementId, near: Option<&RepoPath>) -> Option<&(RepoPath, Requirement)> {
        self.of(id).min_by_key(|(file, _)| Reverse(near.map_or(0, |near| shared_folders(near, file))))
    }
}

/// How many folders two files have in common, from the top on.
fn shared_folders(one: &RepoPath, other: &RepoPath) -> usize {
    one.folders().zip(other.folders()).take_while(|(one, other)| one == other).count()
}

fn sections(file: &RepoPath, tree: &dyn SourceTree) -> Vec<(RepoPath, Requirement)> {
    let Some(bytes) = tree.read(file) else { return Vec::new() };
    let text = String::from_utf8_lossy(&bytes);
    requirement::read(&text).into_iter().map(|section| (file.clone(), section)).collect()
}

fn is_spec(path: &str) -> bool {
    path.ends_with(".md")
}

impl<'a> Spec<'a> {
    /// Reads nothing yet.
    pub(super) fn new(tree: &'a dyn SourceTree) -> Self {
        Spec { tree, tracked: OnceLock::new(), all: OnceLock::new() }
    }

    /// The section of that id, and the file that holds it. Of several files those that git tracks come first, then the one
    /// nearest to `near`, the property's own.
    pub(super) fn get(&self, id: &RequirementId, near: Option<&RepoPath>) -> Option<&(RepoPath, Requirement)> {
        self.tracked().nearest(id, near).or_else(|| self.all().nearest(id, near))
    }

    /// Files beside `file`, tracked like it, that have a section of that id as well.
    pub(super) fn others<'s>(
        &'s self,
        id: &'s RequirementId,
        file: &'s RepoPath,
    ) -> impl Iterator<Item = &'s RepoPath> {
        let tracked = self.tracked();
        let sections = if tracked.ids.contains(id) { tracked } else { self.all() };
        sections.of(id).map(|(other, _)| other).filter(move |other| *other != file)
    }

    /// The requirement that a failed property cites. Where its source was not found, only brackets in the message count,
    /// so that a run of strangers costs no reading of specs.
    pub(super) fn cited(&self, failure: &Failure, property: Option<&Property>) -> Option<RequirementId> {
        let name = failure.test.function();
        let citing = Citing { name, around: &[], source: "", message: &failure.message };
        let Some(property) = property else { return citing.requirement(&BTreeSet::new()) };
        let citing = Citing { around: &property.citations, source: &property.text, ..citing };
        let tracked = self.tracked();
        let found = citing.requirement(&tracked.ids);
        let is_settled = found.as_ref().is_some_and(|id| tracked.ids.contains(id)) || !citing.may_cite();
        if is_settled { found } else { citing.requirement(&self.all().ids) }
    }

    fn tracked(&self) -> &Sections {
        self.tracked.get_or_init(|| Sections::read(&self.tree.tracked(&is_spec), self.tree))
    }

    fn all(&self) -> &Sections {
        self.all.get_or_init(|| Sections::read(&self.tree.find(&is_spec), self.tree))
    }
}

/// The change that asks an open question about `filed` in the text of a spec file.
pub(super) fn ask(text: &[u8], id: &RequirementId, filed: &Filed, today: &str) -> Result<Edits, Refusal> {
    let text = std::str::from_utf8(text)
        .map_err(|_| Refusal(format!("the spec file of {id} is not UTF-8; convert it first")))?;
    let question = Question {
        date: today,
        property: &filed.failure.test.0,
        counterexample: &cut(one_line(&filed.failure.counterexample.text), cut::OF_QUESTION),
        note: &filed.note,
    };
    question::ask(text, id, &question).ok_or_else(|| {
        Refusal(format!("expected the section {id} in its spec file, found none; put it back or decide again"))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Spec;
    use crate::repo_path::RepoPath;
    use crate::requirement::RequirementId;
    use crate::source_tree::SourceTree;
    use crate::source_tree::testing::Files;

    /// Two trees in one: what git tracks, and what it does not.
    struct Half {
        tracked: Files,
        untracked: Files,
    }

    impl SourceTree for Half {
        fn read(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
            self.tracked.read(path).or_else(|| self.untracked.read(path))
        }

        fn find(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
            [self.tracked.find(wanted), self.untracked.find(wanted)].concat()
        }

        fn tracked(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
            self.tracked.find(wanted)
        }
    }

    #[track_caller]
    fn check(id: &str, near: &str, expected: Option<(&str, &str)>) {
        let tree = Half {
            tracked: Files::new([
                ("a/docs/spec.md", "## BILL-4: Of a\n"),
                ("b/docs/spec.md", "## BILL-4: Of b\n"),
                ("spec.md", "## BILL-1: Tracked\n"),
            ]),
            untracked: Files::new([("a.md", "## BILL-1: Draft\n"), ("new.md", "## BILL-2: New\n")]),
        };
        let spec = Spec::new(&tree);
        let found = spec.get(&RequirementId(id.to_owned()), RepoPath::new(near).as_ref());
        assert_eq!(found.map(|(file, section)| (file.as_str(), section.title.as_str())), expected);
    }

    #[test]
    fn a_spec_that_git_does_not_track_yet_is_read_as_well_but_after_the_others() {
        check("BILL-1", "", Some(("spec.md", "Tracked")));
        check("BILL-2", "", Some(("new.md", "New")));
        check("BILL-3", "", None);
    }

    #[test]
    fn of_two_specs_with_one_id_the_one_nearest_to_the_property_counts() {
        check("BILL-4", "b/src/lib.rs", Some(("b/docs/spec.md", "Of b")));
        check("BILL-4", "c/src/lib.rs", Some(("a/docs/spec.md", "Of a")));
        check("BILL-4", "", Some(("a/docs/spec.md", "Of a")));
    }
}
