//! What the files of a version of the repository state, framework by framework, and the requirements that it has.

use std::collections::BTreeSet;

use crate::failure::Notice;
use crate::framework::{CATALOGUE, Framework, Stating};
use crate::oracle::{Oracle, Rule};
use crate::repo_path::RepoPath;
use crate::requirement::{self, Citing, Requirement, RequirementId};
use crate::source_tree::SourceTree;
use crate::weakening::Stated;

/// The frameworks that can say what is stated.
pub(super) fn stating() -> impl Iterator<Item = (&'static dyn Framework, &'static dyn Stating)> {
    CATALOGUE.iter().filter_map(|framework| Some((*framework, framework.stating()?)))
}

/// What `file` states, of any framework. What cannot be read is told in `notices`.
pub(super) fn of_file(file: &RepoPath, tree: &dyn SourceTree, notices: &mut Vec<Notice>) -> Vec<Stated> {
    let mut found = Vec::new();
    for (framework, stating) in stating() {
        match stating.oracle(file, tree) {
            Ok(oracle) if oracle == Oracle::default() => {}
            Ok(oracle) => found.push(Stated {
                framework: framework.name(),
                usual_cases: stating.usual_cases(),
                file: file.clone(),
                known: stating.known(),
                is_collected: stating.is_collected(file, tree),
                folder: stating.folder_of_tests(file.as_str()).map(str::to_owned),
                oracle,
            }),
            Err(text) => notices.push(Notice { file: file.to_string(), line: None, text }),
        }
    }
    found
}

/// What all files of `tree` state.
pub(super) fn of_tree(tree: &dyn SourceTree, notices: &mut Vec<Notice>) -> Vec<Stated> {
    let files: BTreeSet<RepoPath> = stating().flat_map(|(_, stating)| stating.stating(tree)).collect();
    files.iter().flat_map(|file| of_file(file, tree, notices)).collect()
}

/// The same with the test code on which properties may rest, in whichever file.
pub(super) fn with_test_code(tree: &dyn SourceTree) -> Vec<Stated> {
    let mut files: BTreeSet<RepoPath> = stating().flat_map(|(_, stating)| stating.stating(tree)).collect();
    files.extend(tree.find(&|path| stating().any(|(_, stating)| stating.is_test_file(path))));
    files.iter().flat_map(|file| of_file(file, tree, &mut Vec::new())).collect()
}

/// The files of `tree` that are the oracle's by what they hold, properties or requirements: first those that hold nothing else,
/// then those in which properties stand beside the code that they judge.
pub fn oracle_files(tree: &dyn SourceTree) -> (Vec<RepoPath>, Vec<RepoPath>) {
    let stated = of_tree(tree, &mut Vec::new());
    let holding = stated.into_iter().filter(|one| !one.oracle.rules.is_empty() || !one.oracle.pins.is_empty());
    let (pure, mixed): (Vec<Stated>, Vec<Stated>) = holding.partition(|one| one.oracle.rest.is_empty());
    let files = |all: Vec<Stated>| all.into_iter().map(|one| one.file).collect::<BTreeSet<RepoPath>>();
    let (mixed, mut pure) = (files(mixed), files(pure));
    pure.extend(tree.find(&is_spec).into_iter().filter(|file| !requirements(file, tree).is_empty()));
    (pure.difference(&mixed).cloned().collect(), mixed.into_iter().collect())
}

/// Whether a file of that path may hold requirements.
pub(super) fn is_spec(path: &str) -> bool {
    path.ends_with(".md")
}

/// The requirements in `file`.
pub(super) fn requirements(file: &RepoPath, tree: &dyn SourceTree) -> Vec<Requirement> {
    let Some(bytes) = tree.read(file).filter(|_| is_spec(file.as_str())) else { return Vec::new() };
    requirement::read(&String::from_utf8_lossy(&bytes))
}

/// The requirement that a property cites, of those that are `known` or in brackets.
pub(super) fn cited(rule: &Rule, source: &str, known: &BTreeSet<RequirementId>) -> Option<RequirementId> {
    let name = rule.test.function();
    Citing { name, around: &rule.citations, source, message: "" }.requirement(known)
}
