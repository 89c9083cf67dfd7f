//! Decision records as files: where one stands, what it says, whether it says the same as before, and what that means
//! for a failure that comes (again).

use std::collections::HashSet;

use crate::inbox::{Filed, Mark, State};
use crate::pin::Pin;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::value::one_line;
use crate::verdict::{Decision, PinRecord, Verdict};
use crate::visible;

/// The folder of all decision records, from the top of the work tree.
const FOLDER: &str = ".redpin/decisions";

/// Longest part of a property's name in a file name.
const LONGEST_NAME: usize = 80;

/// Who decides, and when: what a record says besides the failure.
#[derive(Clone, Debug)]
pub(super) struct Hand {
    /// Name and address as git has them.
    pub(super) who: String,
    /// RFC 3339 in UTC.
    pub(super) when: String,
}

impl Hand {
    /// The day, as `2026-11-30`.
    pub(super) fn today(&self) -> &str {
        self.when.get(..10).unwrap_or(&self.when)
    }
}

/// The file of a failure's record: the same failure has the same file on every branch.
pub(super) fn path(filed: &Filed) -> Option<RepoPath> {
    let word = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
    let id: String = filed.id.0.chars().filter(word).collect();
    let name: String = filed.failure.test.function().chars().filter(word).take(LONGEST_NAME).collect();
    RepoPath::new(&format!("{FOLDER}/{id}-{name}.json"))
}

/// The record of `verdict` on a failure.
pub(super) fn decision(filed: &Filed, verdict: Verdict, pin: Option<&Pin>, hand: &Hand) -> Decision {
    let failure = &filed.failure;
    Decision {
        schema: 1,
        failure: filed.id.0.clone(),
        verdict,
        who: hand.who.clone(),
        when: hand.when.clone(),
        why: filed.note.clone(),
        framework: failure.framework.0.clone(),
        package: failure.package.as_ref().map(|package| package.0.clone()),
        property: failure.test.0.clone(),
        file: filed.file.as_ref().map(|file| file.as_str().to_owned()),
        requirement: filed.requirement.as_ref().map(|id| id.0.clone()),
        counterexample: one_line(&failure.counterexample.text),
        message: failure.message.clone(),
        run: file_name(&failure.origin.run).to_owned(),
        pin: pin.map(pin_record),
    }
}

/// A run's own name: where it lay on somebody's disk is no matter of the repository.
fn file_name(run: &str) -> &str {
    let archive = run.split('!').next().unwrap_or(run);
    &run[archive.rfind('/').map_or(0, |at| at + 1)..]
}

fn pin_record(pin: &Pin) -> PinRecord {
    PinRecord {
        test: pin.test.as_ref().map(|test| test.0.clone()),
        rung: pin.rung.word().to_owned(),
        replay: pin.replay.clone(),
        files: pin.parts.iter().map(|part| part.file.as_str().to_owned()).collect(),
        reason: pin.reason.clone(),
    }
}

/// The record's file: JSON on several lines with a final newline.
pub(super) fn text(decision: &Decision) -> Vec<u8> {
    let text = serde_json::to_string_pretty(decision).unwrap_or_default();
    format!("{}\n", visible::json(&text)).into_bytes()
}

/// The record that a file holds; `None` where it is none of ours.
pub(super) fn read(text: &[u8]) -> Option<Decision> {
    serde_json::from_slice(text).ok()
}

/// Whether both say the same, whoever said it when and of whichever run.
pub(super) fn says_the_same(old: &Decision, new: &Decision) -> bool {
    let timeless = |decision: &Decision| Decision {
        who: String::new(),
        when: String::new(),
        run: String::new(),
        ..decision.clone()
    };
    timeless(old) == timeless(new)
}

/// The records that the repository has.
pub(super) struct Records<'a> {
    tree: &'a dyn SourceTree,
    files: HashSet<RepoPath>,
}

impl<'a> Records<'a> {
    /// Lists the records' files and reads none.
    pub(super) fn list(tree: &'a dyn SourceTree) -> Self {
        Records { tree, files: tree.files_in(FOLDER).into_iter().collect() }
    }

    /// A failure's record.
    pub(super) fn of(&self, filed: &Filed) -> Option<Decision> {
        if self.files.is_empty() {
            return None;
        }
        let path = path(filed).filter(|path| self.files.contains(path))?;
        read(&self.tree.read(&path)?)
    }

    /// Every record, newest first.
    pub(super) fn all(&self) -> Vec<Decision> {
        let mut all: Vec<Decision> = self.files.iter().filter_map(|file| read(&self.tree.read(file)?)).collect();
        all.sort_by(|a, b| (&b.when, &a.failure).cmp(&(&a.when, &b.failure)));
        all
    }

    /// The mark of a failure that the inbox did not know.
    pub(super) fn mark(&self, filed: &Filed) -> Mark {
        match self.of(filed) {
            Some(decision) => Mark { state: State::Known, verdict: Some(decision.verdict), note: decision.why },
            None => Mark::default(),
        }
    }

    /// The mark of a failure that the inbox knows: one that nobody judged here may be known by now, and a consequence
    /// that was staged may be gone again, thrown away with the changes or left on another branch.
    pub(super) fn mark_again(&self, filed: &Filed) -> Mark {
        match (filed.state, self.of(filed)) {
            (State::Open, _) | (State::Known, None) => self.mark(filed),
            (State::Staged, None) => Mark { state: State::Decided, ..filed.mark() },
            _ => filed.mark(),
        }
    }
}
