//! The requirements of this repository: the sections with an id in its Markdown files, read when first asked for.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::edit::Edits;
use crate::failure::Failure;
use crate::inbox::Filed;
use crate::pin::Refusal;
use crate::property::Property;
use crate::question::{self, Question};
use crate::repo_path::RepoPath;
use crate::requirement::{self, Citing, Requirement, RequirementId};
use crate::source_tree::SourceTree;
use crate::value::one_line;

/// The requirements, as the files behind a tree have them.
pub(super) struct Spec<'a> {
    tree: &'a dyn SourceTree,
    sections: OnceCell<Vec<(RepoPath, Requirement)>>,
    ids: OnceCell<BTreeSet<RequirementId>>,
}

impl<'a> Spec<'a> {
    /// Reads nothing yet.
    pub(super) fn new(tree: &'a dyn SourceTree) -> Self {
        Spec { tree, sections: OnceCell::new(), ids: OnceCell::new() }
    }

    /// The section of that id, and the file that holds it; the first one in the order of paths.
    pub(super) fn get(&self, id: &RequirementId) -> Option<&(RepoPath, Requirement)> {
        self.sections().iter().find(|(_, section)| section.id == *id)
    }

    /// The requirement that a failed property cites. Where its source was not found, only brackets in the message count,
    /// so that a run of strangers costs no reading of specs.
    pub(super) fn cited(&self, failure: &Failure, property: Option<&Property>) -> Option<RequirementId> {
        let name = failure.test.function();
        let citing = Citing { name, around: &[], source: "", message: &failure.message };
        match property {
            None => citing.requirement(&BTreeSet::new()),
            Some(property) => {
                let citing = Citing { around: &property.citations, source: &property.text, ..citing };
                citing.requirement(
                    self.ids.get_or_init(|| self.sections().iter().map(|(_, one)| one.id.clone()).collect()),
                )
            }
        }
    }

    fn sections(&self) -> &[(RepoPath, Requirement)] {
        self.sections.get_or_init(|| {
            let files = self.tree.find(&|path| path.ends_with(".md"));
            files.into_iter().flat_map(|file| self.read(&file)).collect()
        })
    }

    fn read(&self, file: &RepoPath) -> Vec<(RepoPath, Requirement)> {
        let Some(bytes) = self.tree.read(file) else { return Vec::new() };
        let text = String::from_utf8_lossy(&bytes);
        requirement::read(&text).into_iter().map(|section| (file.clone(), section)).collect()
    }
}

/// The change that asks an open question about `filed` in the text of a spec file.
pub(super) fn ask(text: &[u8], id: &RequirementId, filed: &Filed, today: &str) -> Result<Edits, Refusal> {
    let text = std::str::from_utf8(text)
        .map_err(|_| Refusal(format!("the spec file of {id} is not UTF-8; convert it first")))?;
    let question = Question {
        date: today,
        property: &filed.failure.test.0,
        counterexample: &one_line(&filed.failure.counterexample.text),
        note: &filed.note,
    };
    question::ask(text, id, &question).ok_or_else(|| {
        Refusal(format!("expected the section {id} in its spec file, found none; put it back or decide again"))
    })
}
