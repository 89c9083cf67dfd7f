//! The repository around the files that differ, read only where it is asked for.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::files::Changed;
use crate::check::stated::with_test_code;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::weakening::{Ground, Stated, words};

/// Both versions of the repository.
pub(super) struct Repository<'t> {
    before: &'t dyn SourceTree,
    here: &'t dyn SourceTree,
    changed: &'t Changed,
    stated: OnceCell<Vec<Stated>>,
    spoken: OnceCell<HashMap<&'static str, HashSet<String>>>,
    moved: OnceCell<(HashSet<String>, HashSet<String>)>,
}

impl<'t> Repository<'t> {
    pub(super) fn new(before: &'t dyn SourceTree, here: &'t dyn SourceTree, changed: &'t Changed) -> Self {
        let (stated, spoken, moved) = Default::default();
        Repository { before, here, changed, stated, spoken, moved }
    }

    /// What all files of the base state.
    fn stated(&self) -> &[Stated] {
        self.stated.get_or_init(|| with_test_code(self.before))
    }

    /// The modules that are gone, and those that are new.
    fn modules(&self) -> &(HashSet<String>, HashSet<String>) {
        self.moved.get_or_init(|| {
            let is_in = |tree: &dyn SourceTree, file: &RepoPath| tree.exists(file);
            let gone = self.changed.files.iter().filter(|file| is_in(self.before, file) && !is_in(self.here, file));
            let new = self.changed.files.iter().filter(|file| !is_in(self.before, file) && is_in(self.here, file));
            (gone.filter_map(module).collect(), new.filter_map(module).collect())
        })
    }
}

impl Ground for Repository<'_> {
    fn speaks(&self, framework: &str, name: &str) -> bool {
        let all = self.spoken.get_or_init(|| {
            let mut all: HashMap<&'static str, HashSet<String>> = HashMap::new();
            for stated in self.stated() {
                all.entry(stated.framework).or_insert_with(|| words_of(stated.framework, self.stated()));
            }
            all
        });
        all.get(framework).is_some_and(|words| words.contains(name))
    }

    fn holds(&self, framework: &str, scope: &str) -> bool {
        let mut holding = self.stated().iter().filter(|stated| {
            let rest = stated.file.as_str().strip_prefix(scope);
            let is_below = rest.is_some_and(|rest| scope.is_empty() || rest.is_empty() || rest.starts_with(['/', '.']));
            stated.framework == framework && is_below && !stated.oracle.rules.is_empty()
        });
        holding.any(|stated| self.here.exists(&stated.file))
    }

    fn moved(&self, from: &str, to: &str) -> bool {
        let (gone, new) = self.modules();
        let last = |module: &str| module.rsplit(['.', ':', '/']).next().unwrap_or_default().to_owned();
        gone.contains(&last(from)) && new.contains(&last(to))
    }
}

/// What a file is called as a module.
fn module(file: &RepoPath) -> Option<String> {
    let path = file.as_str().rsplit_once('.')?.0;
    let mut parts = path.rsplit('/');
    let name = parts.next()?;
    let own = if matches!(name, "mod" | "__init__" | "index") { parts.next()? } else { name };
    Some(own.to_owned())
}

/// The words of which properties and pins speak, and those of the test code of which they speak.
fn words_of(framework: &str, all: &[Stated]) -> HashSet<String> {
    let own = || all.iter().filter(|stated| stated.framework == framework);
    let mut spoken: HashSet<String> = HashSet::new();
    let mut open: Vec<&str> = Vec::new();
    for stated in own() {
        for rule in &stated.oracle.rules {
            let clauses = rule.asserts.iter().chain(&rule.assumes).chain(&rule.examples).chain(&rule.around);
            open.extend(clauses.map(|clause| clause.text.as_str()));
            open.extend(rule.inputs.iter().flat_map(|input| [input.generator.as_str(), input.name.as_str()]));
            open.push(&rule.body);
        }
        open.extend(stated.oracle.pins.iter().map(|pin| pin.text.as_str()));
    }
    let mut support: HashMap<&str, Vec<&str>> = HashMap::new();
    for one in own().flat_map(|stated| &stated.oracle.support) {
        support.entry(words(&one.name).last().unwrap_or_default()).or_default().push(&one.text);
    }
    while let Some(text) = open.pop() {
        for word in words(text) {
            if spoken.insert(word.to_owned()) {
                open.extend(support.get(word).into_iter().flatten());
            }
        }
    }
    spoken
}
