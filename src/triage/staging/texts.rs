//! The files that a staging touches, each in its two versions, and the changes made to them so far. A change is computed
//! for the index from the index's text and for the work tree from the work tree's, and is taken in on both or on neither.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::edit::{Edits, Overlap, TextEdit};
use crate::failure::TestName;
use crate::git::{self, InIndex, InWorkTree, Repository, Versions, Write};
use crate::patch::{FileChange, patch};
use crate::pin::Refusal;
use crate::repo_path::RepoPath;
use crate::triage::{Ignored, TriageError};

/// A change to one file, not yet made.
pub(super) struct Change<'a> {
    /// The file.
    pub(super) file: RepoPath,
    /// Which of its versions change.
    pub(super) reach: Reach,
    /// What stands in the file when the change is computed.
    pub(super) ground: Ground,
    /// The change, out of a version's bytes.
    pub(super) edit: Edit<'a>,
    /// What of the work tree's file a file that is new to the index begins with.
    pub(super) head: Option<Head<'a>>,
    /// Tells a text that is worth no file: one that git does not have goes where that is left of it.
    pub(super) is_bare: Option<IsBare<'a>>,
    /// The test that it adds. A failure before it may have added the very same, by the same input, with a remark of its own.
    pub(super) test: Option<TestName>,
}

impl<'a> Change<'a> {
    /// A change of both versions of a file.
    pub(super) fn of(file: RepoPath, ground: Ground, edit: Edit<'a>) -> Self {
        Change { file, reach: Reach::Both, ground, edit, head: None, is_bare: None, test: None }
    }
}

/// Works out what changes in the bytes of one version.
pub(super) type Edit<'a> = Box<dyn Fn(&[u8]) -> Result<Edits, Refusal> + Send + 'a>;

/// Takes the beginning of a file.
pub(super) type Head<'a> = Box<dyn Fn(&[u8]) -> Vec<u8> + Send + 'a>;

/// Whether a text is what its file was begun with and no more.
pub(super) type IsBare<'a> = Box<dyn Fn(&[u8]) -> bool + Send + 'a>;

/// Which versions of a file change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Index and work tree.
    Both,
    /// The work tree alone, and only what the index does not have.
    WorkTree,
}

/// What a change is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    /// The file as it was, so that many insertions into one source need its text read once.
    Original,
    /// The file with all changes before, which may have created it. The file must not be a source.
    Changed,
    /// A source with all changes before, where one may go into what another has added.
    Grown,
}

/// How a change came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It changed at least one version.
    Changed,
    /// All of it stood already.
    Stood,
    /// The file is one that git ignores, and is left out.
    Ignored,
    /// What was to go from the work tree is the user's own by now, and stays.
    Kept(Kept),
}

/// Where something stands that the user has made their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// In the index, and not in the last commit.
    Staged,
    /// In the last commit.
    Committed,
}

/// The files and their changes so far.
pub(crate) struct Texts {
    ignored: Ignored,
    files: BTreeMap<RepoPath, Text>,
}

/// One file. A clone shares the texts.
#[derive(Clone)]
struct Text {
    versions: Arc<Versions>,
    index: Side,
    work: Side,
}

/// One version of a file. A clone shares the text and what was added to it.
#[derive(Clone, PartialEq, Eq)]
struct Side {
    text: Arc<Vec<u8>>,
    /// What the failures before have added.
    added: Arc<Added>,
    /// What is being added now. Apart, so that it can be given up, whatever else there is already.
    fresh: Added,
    /// The file goes.
    gone: bool,
}

/// Changes to a version, and the names of the tests in them.
#[derive(Clone, Default, PartialEq, Eq)]
struct Added {
    edits: Edits,
    tests: BTreeSet<String>,
}

impl Side {
    fn new(bytes: Option<&[u8]>) -> Side {
        Side::of(bytes.unwrap_or_default().to_owned())
    }

    fn of(text: Vec<u8>) -> Side {
        Side { text: Arc::new(text), added: Arc::default(), fresh: Added::default(), gone: false }
    }

    /// This version with one change more, and whether that made a difference.
    fn with(&self, change: &Change<'_>) -> Result<(Side, bool), Refusal> {
        let mut side = self.clone();
        if change.ground != Ground::Original && !side.is_untouched() {
            side = Side { gone: side.gone, ..Side::of(side.finished()) };
        }
        let edits = (change.edit)(&side.text)?;
        let known = edits.iter().all(|edit| side.has(edit)) || side.has_added(change)?;
        if !known {
            side.add(edits).map_err(|overlap| Refusal(overlap.to_string()))?;
            side.fresh.tests.extend(change.test.as_ref().map(|test| test.function().to_owned()));
            side.gone = false;
        }
        Ok((side, !known))
    }

    fn add(&mut self, edits: Edits) -> Result<(), Overlap> {
        edits.iter().try_for_each(|edit| self.added.edits.check(edit.span))?;
        self.fresh.edits.join(edits)
    }

    fn has(&self, edit: &TextEdit) -> bool {
        self.added.edits.iter().chain(self.fresh.edits.iter()).any(|other| other == edit)
    }

    fn is_untouched(&self) -> bool {
        self.added.edits.is_empty() && self.fresh.edits.is_empty()
    }

    /// Whether the changes so far add the test of `change`.
    fn has_added(&self, change: &Change<'_>) -> Result<bool, Refusal> {
        let Some(test) = &change.test else { return Ok(false) };
        let is_named = |added: &Added| added.tests.contains(test.function());
        Ok((is_named(&self.added) || is_named(&self.fresh)) && (change.edit)(&self.finished())?.is_empty())
    }

    /// Takes for good what is being added.
    fn settle(&mut self) {
        let Added { edits, tests } = std::mem::take(&mut self.fresh);
        let added = Arc::make_mut(&mut self.added);
        // That they overlap nothing was seen when they came.
        drop(added.edits.join(edits));
        added.tests.extend(tests);
    }

    /// A version that is empty still, with the head of the other one.
    fn begun(&self, change: &Change<'_>, other: &Side) -> Option<Side> {
        let head = change.head.as_ref()?;
        let is_new = self.text.is_empty() && self.is_untouched() && !other.text.is_empty();
        is_new.then(|| Side::of(head(&other.text)))
    }

    fn finished(&self) -> Vec<u8> {
        if self.fresh.edits.is_empty() {
            return self.added.edits.apply(&self.text);
        }
        let mut whole = self.clone();
        whole.settle();
        whole.added.edits.apply(&whole.text)
    }
}

impl Texts {
    /// The files at `paths` as they are now.
    pub(super) fn read(repository: &Repository, paths: &[RepoPath], ignored: Ignored) -> Result<Texts, TriageError> {
        let mut paths = paths.to_vec();
        paths.sort();
        paths.dedup();
        let versions = repository.versions(&paths)?;
        Ok(Texts { ignored, files: paths.into_iter().zip(versions.into_iter().map(Text::new)).collect() })
    }

    /// Makes `changes`, all of them or none, and says of each how it came out.
    ///
    /// # Errors
    /// The reason why one of them cannot be made.
    pub(super) fn take(&mut self, changes: &[Change<'_>]) -> Result<Vec<Taken>, Refusal> {
        let mut touched: BTreeMap<RepoPath, Text> = BTreeMap::new();
        let mut taken = Vec::new();
        for change in changes {
            let text = touched.remove(&change.file).or_else(|| self.files.get(&change.file).cloned());
            let Some(mut text) = text else {
                return Err(Refusal(format!("{} was not read; run the command again", change.file)));
            };
            taken.push(text.take(change, self.ignored)?);
            touched.insert(change.file.clone(), text);
        }
        for (file, text) in touched {
            // What it replaces shares its changes, which are added to only where nobody else has them.
            drop(self.files.remove(&file));
            self.files.insert(file, text.settled());
        }
        Ok(taken)
    }

    /// Whether the file is one that git ignores, and is therefore not staged.
    pub(super) fn leaves_out(&self, file: &RepoPath) -> bool {
        self.ignored == Ignored::LeaveOut && self.files.get(file).is_some_and(|text| text.versions.ignored)
    }

    /// All files for which that holds.
    pub(super) fn left_out(&self) -> Vec<RepoPath> {
        self.files.keys().filter(|file| self.leaves_out(file)).cloned().collect()
    }

    /// What git or the disk would have the user know of a file.
    pub(super) fn warnings(&self, file: &RepoPath) -> &[String] {
        self.files.get(file).map_or(&[], |text| &text.versions.warnings)
    }

    /// The files that differ from what they were, for git to write.
    pub(crate) fn changes(&self) -> Vec<git::Change> {
        self.files.values().map(Text::change).filter(|change| !is_idle(change)).collect()
    }

    /// The same as a patch of the index; of the work tree, for files that change only there.
    pub(crate) fn patch(&self) -> Vec<u8> {
        let changes = self.changes();
        let files: Vec<FileChange<'_>> = changes.iter().map(patched).collect();
        patch(&files)
    }
}

fn is_idle(change: &git::Change) -> bool {
    change.index == Write::Keep && change.work == Write::Keep
}

fn patched(change: &git::Change) -> FileChange<'_> {
    let from = &change.from;
    let (old, write) = match &change.index {
        Write::Keep => (from.work_bytes(), &change.work),
        _ => (from.index_bytes(), &change.index),
    };
    let new = if let Write::Content(bytes) = write { Some(&bytes[..]) } else { None };
    FileChange { path: &from.path, mode: from.mode(), old, new }
}

impl Text {
    fn new(versions: Versions) -> Text {
        let index = Side::new(versions.index_bytes());
        let is_same = versions.work_bytes().unwrap_or_default() == *index.text;
        let work = if is_same { index.clone() } else { Side::new(versions.work_bytes()) };
        Text { versions: Arc::new(versions), index, work }
    }

    /// With what was added taken for good.
    fn settled(mut self) -> Text {
        if self.index == self.work {
            drop(std::mem::replace(&mut self.work, Side::of(Vec::new())));
            self.index.settle();
            self.work = self.index.clone();
        } else {
            self.index.settle();
            self.work.settle();
        }
        self
    }

    fn take(&mut self, change: &Change<'_>, ignored: Ignored) -> Result<Taken, Refusal> {
        if let InWorkTree::Unwritable(why) = &self.versions.work {
            return Err(Refusal(why.clone()));
        }
        match change.reach {
            Reach::Both if self.versions.ignored && ignored == Ignored::LeaveOut => Ok(Taken::Ignored),
            Reach::Both => self.take_both(change),
            Reach::WorkTree => self.take_work(change),
        }
    }

    fn take_both(&mut self, change: &Change<'_>) -> Result<Taken, Refusal> {
        self.may_stage(change)?;
        let begun = self.index.begun(change, &self.work);
        let (index, index_changed) = begun.as_ref().unwrap_or(&self.index).with(change)?;
        let same = self.index == self.work;
        let (work, work_changed) = if same { (index.clone(), index_changed) } else { self.work.with(change)? };
        (self.index, self.work) = (index, work);
        Ok(if index_changed || work_changed { Taken::Changed } else { Taken::Stood })
    }

    fn take_work(&mut self, change: &Change<'_>) -> Result<Taken, Refusal> {
        let head = self.versions.head.as_ref().map_or(&[][..], |version| &version.bytes);
        if !(change.edit)(&self.index.text)?.is_empty() {
            let committed = !(change.edit)(head)?.is_empty();
            return Ok(Taken::Kept(if committed { Kept::Committed } else { Kept::Staged }));
        }
        let (mut work, changed) = self.work.with(change)?;
        let is_stranger = self.versions.index == InIndex::Missing && self.versions.head.is_none();
        work.gone |= changed && is_stranger && change.is_bare.as_ref().is_some_and(|is_bare| is_bare(&work.finished()));
        self.work = work;
        Ok(if changed { Taken::Changed } else { Taken::Stood })
    }

    fn may_stage(&self, change: &Change<'_>) -> Result<(), Refusal> {
        let path = &self.versions.path;
        match &self.versions.index {
            InIndex::Missing | InIndex::Promised if change.ground != Ground::Changed => Err(Refusal(format!(
                "{path} is not in the index, so that nothing can be added to it there; `git add` it first"
            ))),
            InIndex::Unmerged => Err(Refusal(format!("{path} has a conflict; resolve it first"))),
            InIndex::Unwritable(why) => Err(Refusal(why.clone())),
            _ => Ok(()),
        }
    }

    fn change(&self) -> git::Change {
        git::Change {
            index: write(self.versions.index_bytes(), self.index.finished()),
            work: match self.work.gone {
                true => Write::Remove,
                false => write(self.versions.work_bytes(), self.work.finished()),
            },
            from: Versions::clone(&self.versions),
        }
    }
}

fn write(old: Option<&[u8]>, new: Vec<u8>) -> Write {
    if old.unwrap_or_default() == new { Write::Keep } else { Write::Content(new) }
}
