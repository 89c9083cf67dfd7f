//! Changes of small repositories in each stack: disguises that must be seen, and harmless edits that must pass in silence.

mod python;
mod rust;
mod scripts;
mod typescript;

use std::collections::BTreeMap;

use super::files::Changed;
use super::{Finding, states, taken};
use crate::repo_path::RepoPath;
use crate::source_tree::testing::Files;

/// The files of a small repository, by path.
struct Sample(BTreeMap<&'static str, String>);

impl Sample {
    fn new(files: &[(&'static str, &str)]) -> Sample {
        Sample(files.iter().map(|(path, text)| (*path, (*text).to_owned())).collect())
    }

    /// The same with `new` in the place of each `old` in `file`, which must be there.
    #[track_caller]
    fn with(&self, file: &'static str, edits: &[(&str, &str)]) -> Sample {
        let mut files = self.0.clone();
        let text = files.entry(file).or_default();
        for (old, new) in edits {
            assert!(text.contains(old), "{file} holds no {old:?}");
            *text = text.replacen(old, new, 1);
        }
        Sample(files)
    }

    /// The same with another file, whatever stood there.
    fn and(&self, file: &'static str, text: &str) -> Sample {
        let mut files = self.0.clone();
        files.insert(file, text.to_owned());
        Sample(files)
    }

    /// The same without a file.
    #[track_caller]
    fn without(&self, file: &str) -> Sample {
        let mut files = self.0.clone();
        assert!(files.remove(file).is_some(), "there is no {file}");
        Sample(files)
    }

    /// The same with a file under another name.
    #[track_caller]
    fn moved(&self, from: &str, to: &'static str) -> Sample {
        self.without(from).and(to, &self.0[from])
    }

    /// The kinds of what `here` takes from this.
    fn kinds(&self, here: &Sample) -> Vec<&'static str> {
        let mut kinds: Vec<&str> = self.found(here).iter().map(|one| one.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// What `here` takes from this.
    fn found(&self, here: &Sample) -> Vec<Finding> {
        let tree = |sample: &Sample| Files::new(sample.0.iter().map(|(path, text)| (*path, text.as_str())));
        let (before, now) = (tree(self), tree(here));
        let paths = self.0.keys().chain(here.0.keys());
        let differs = paths.filter(|path| self.0.get(*path) != here.0.get(*path));
        let mut files: Vec<RepoPath> = differs.filter_map(|path| RepoPath::new(path)).collect();
        files.sort();
        files.dedup();
        let changed = Changed { files, named: Vec::new() };
        let mut notices = Vec::new();
        let stated = (states(&changed, &before, &mut notices), states(&changed, &now, &mut notices));
        assert_eq!(notices, [], "{:?}", changed.files);
        taken(&changed, (&before, &stated.0), (&now, &stated.1))
    }

    #[track_caller]
    fn is_told(&self, here: &Sample, kinds: &[&str]) {
        assert_eq!(self.kinds(here), kinds, "{:?}", self.found(here));
    }

    #[track_caller]
    fn is_silent(&self, here: &Sample) {
        assert_eq!(self.found(here), []);
    }
}
