//! Decision records as files: where one stands, what it says, whether it says the same as before, and what that means
//! for a failure that comes (again).

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::sync::OnceLock;

use serde::Deserialize;

use crate::cause;
use crate::failure::Notice;
use crate::git::{Repository, User};
use crate::inbox::{FailureId, Filed, Mark, State};
use crate::pin::Pin;
use crate::proof::{Evidence, PinState};
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::value::one_line;
use crate::verdict::{Decision, InsteadRecord, PinRecord, ProofRecord, Verdict};
use crate::visible;

use super::cut::{self, cut};

/// The folder of all decision records, from the top of the work tree.
const FOLDER: &str = ".redpin/decisions";

/// The form of the records that this redpin writes and reads.
pub(crate) const SCHEMA: u32 = 1;

/// No record is longer; a file that is, is none.
const LARGEST: u64 = 1 << 20;

/// So many records are looked at on each reading; of more, those of the failures that were read.
const MOST_CHECKED: usize = 1000;

/// Longest part of a property's name in a file name.
const LONGEST_NAME: usize = 80;

/// Who decides, and when: what a record says besides the failure.
#[derive(Debug)]
pub(crate) struct Hand<'a> {
    /// Who that is, once git was asked.
    pub(crate) who: &'a OnceLock<User>,
    /// Knows it.
    pub(crate) repository: &'a Repository,
    /// RFC 3339 in UTC.
    pub(crate) when: String,
}

impl Hand<'_> {
    /// Who that is.
    pub(crate) fn who(&self) -> &User {
        self.who.get_or_init(|| self.repository.user())
    }

    /// The day, as `2026-11-30`.
    pub(crate) fn today(&self) -> &str {
        self.when.get(..10).unwrap_or(&self.when)
    }

    /// What the user should know of the name that a record gets.
    pub(crate) fn remark(&self) -> Option<String> {
        let User::OfSystem(name) = self.who() else { return None };
        Some(format!(
            "git has no name or mail address for you here, so the record says that `{name}` decided; `git config user.name \
             NAME` and `git config user.email MAIL` set them"
        ))
    }
}

/// The file of a failure's record: the same failure has the same file on every branch.
pub(crate) fn path(filed: &Filed) -> Option<RepoPath> {
    path_of(&filed.id, filed)
}

/// The same under another name of the failure.
fn path_of(id: &FailureId, filed: &Filed) -> Option<RepoPath> {
    let word = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
    let id: String = id.0.chars().filter(word).collect();
    RepoPath::new(&format!("{FOLDER}/{id}{}", ending(filed)))
}

/// What the name of a record's file ends in.
fn ending(filed: &Filed) -> String {
    ending_called(filed.failure.test.function())
}

fn ending_called(name: &str) -> String {
    let word = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
    let name: String = name.chars().filter(word).take(LONGEST_NAME).collect();
    format!("-{name}.json")
}

/// The file of a record that is of no failure, by its own id and what it is about.
pub(crate) fn path_called(id: &str, name: &str) -> Option<RepoPath> {
    RepoPath::new(&format!("{FOLDER}/{id}{}", ending_called(name)))
}

/// The record of `verdict` on a failure.
pub(crate) fn decision(filed: &Filed, verdict: Verdict, pin: Option<&Pin>, hand: &Hand<'_>) -> Decision {
    let failure = &filed.failure;
    Decision {
        schema: SCHEMA,
        failure: filed.id.0.clone(),
        verdict,
        who: hand.who().name().to_owned(),
        when: hand.when.clone(),
        why: filed.note.clone(),
        framework: failure.framework.0.clone(),
        package: failure.package.as_ref().map(|package| package.0.clone()),
        property: failure.test.0.clone(),
        file: filed.file.as_ref().map(|file| file.as_str().to_owned()),
        requirement: filed.requirement.as_ref().map(|id| id.0.clone()),
        counterexample: counterexample(filed),
        message: cut(failure.message.clone(), cut::OF_RECORD),
        run: file_name(&failure.origin.run).to_owned(),
        pin: pin.map(pin_record),
        before: Vec::new(),
    }
}

/// A failure's counterexample as its record has it.
pub(crate) fn counterexample(filed: &Filed) -> String {
    cut(one_line(&filed.failure.counterexample.text), cut::OF_RECORD)
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
        proof: None,
        instead: pin.instead.as_deref().cloned().map(|instead| InsteadRecord {
            counterexample: cut(instead.counterexample, cut::OF_RECORD),
            message: cut(instead.message, cut::OF_RECORD),
        }),
    }
}

/// What the record says of the running of its pin.
pub(crate) fn proof(evidence: &Evidence, shared: &[String]) -> ProofRecord {
    ProofRecord {
        state: evidence.state.word().to_owned(),
        commit: evidence.commit.clone(),
        toolchain: evidence.toolchain.clone(),
        when: evidence.when.clone(),
        at: evidence.below.then(|| evidence.at.clone()),
        shared: shared.to_vec(),
    }
}

/// The record's file: JSON on several lines with a final newline.
pub(crate) fn text(decision: &Decision) -> Vec<u8> {
    let text = serde_json::to_string_pretty(decision).unwrap_or_default();
    format!("{}\n", visible::json(&text)).into_bytes()
}

/// The record that a file holds.
///
/// # Errors
/// Where it is none of ours: what it is, and what to do, as the rest of a sentence.
pub(crate) fn read(text: &[u8]) -> Result<Decision, String> {
    let text = std::str::from_utf8(text)
        .map_err(|_| "is not UTF-8, and so no decision record: restore it with git, or move it away".to_owned())?;
    // A later form may keep the names and change what they mean.
    match serde_json::from_str(text) {
        Ok(Form { schema }) if schema != u64::from(SCHEMA) => Err(format!(
            "is a decision record of schema {schema}, and this redpin knows schema {SCHEMA}: use a redpin that knows it, \
             or move it away"
        )),
        _ => serde_json::from_str(text).map_err(|error| {
            format!("cannot be read as a decision record: {error}: restore it with git, or move it away")
        }),
    }
}

/// The decision records of a tree, by file. What is none is passed over: whoever lists failures is told of it.
pub fn records_of(tree: &dyn SourceTree) -> BTreeMap<RepoPath, Decision> {
    let records = Records::list(tree);
    records.named().filter_map(|file| Some((file.clone(), records.read(file)?))).collect()
}

/// What every form of a record begins with.
#[derive(Deserialize)]
struct Form {
    schema: u64,
}

/// Whether both say the same, whoever said it when and of whichever run. A pin with a test is known by that: on which rung
/// it stands and what running it showed is told by whoever wrote it.
pub(crate) fn says_the_same(old: &Decision, new: &Decision) -> bool {
    // A run that names no handle, or another file of it, says nothing against the one that stands.
    let has_test = |decision: &Decision| decision.pin.as_ref().is_some_and(|pin| pin.test.is_some());
    let names_none = has_test(new) && new.pin.as_ref().is_some_and(|pin| pin.replay.is_none());
    let timeless = |decision: &Decision| {
        let mut decision = Decision {
            who: String::new(),
            when: String::new(),
            run: String::new(),
            before: Vec::new(),
            ..decision.clone()
        };
        if let Some(pin) = &mut decision.pin {
            pin.proof = None;
            if pin.test.is_some() {
                (pin.rung, pin.reason) = (String::new(), None);
                if names_none {
                    (pin.replay, pin.files) = (None, Vec::new());
                }
            }
        }
        decision
    };
    timeless(old) == timeless(new)
}

/// The records that the repository has.
pub(crate) struct Records<'a> {
    tree: &'a dyn SourceTree,
    files: HashSet<RepoPath>,
    /// What is no record, by file.
    faults: RefCell<BTreeMap<String, String>>,
    /// The failures whose pins were green when they were run last.
    mended: HashSet<String>,
}

impl<'a> Records<'a> {
    /// Lists the records' files and reads none.
    pub(crate) fn list(tree: &'a dyn SourceTree) -> Self {
        let listed = tree.files_in(FOLDER, LARGEST);
        let passed = listed
            .passed
            .into_iter()
            .map(|(file, why)| (file, format!("{why}, and so no decision record: it is not read; move it away")));
        Records {
            tree,
            files: listed.files.into_iter().collect(),
            faults: RefCell::new(passed.collect()),
            mended: HashSet::new(),
        }
    }

    /// The same, and known from `evidence`, oldest first, which pins are green by now.
    pub(crate) fn with(mut self, evidence: &[Evidence]) -> Self {
        for one in evidence.iter().filter(|one| !one.elsewhere) {
            match one.state {
                PinState::Green => self.mended.insert(one.failure.clone()),
                _ => self.mended.remove(&one.failure),
            };
        }
        self
    }

    /// The repository's files.
    pub(crate) fn tree(&self) -> &'a dyn SourceTree {
        self.tree
    }

    /// A failure's record.
    pub(crate) fn of(&self, filed: &Filed) -> Option<Decision> {
        let path = path_of(&self.name(filed)?, filed)?;
        self.read(&path)
    }

    /// The failure by the name under which it is on record, where it is.
    pub(crate) fn under_its_name(&self, mut filed: Filed) -> Filed {
        if let Some(name) = self.name(&filed) {
            filed.id = name;
        }
        while self.is_mended(&filed) {
            filed.id = filed.id.next();
        }
        filed
    }

    /// Whether the bug on record under a failure's name is mended, by its pin, and this is not the input on record.
    fn is_mended(&self, filed: &Filed) -> bool {
        if !self.mended.contains(&filed.id.0) || filed.pin_failed {
            return false;
        }
        let decision =
            path_of(&filed.id, filed).filter(|path| self.files.contains(path)).and_then(|path| self.read(&path));
        let own = counterexample(filed);
        decision.is_some_and(|decision| {
            let pin = decision.pin.as_ref();
            let instead = pin.and_then(|pin| pin.instead.as_ref()).is_some_and(|instead| instead.counterexample == own);
            decision.verdict == Verdict::RealBug && pin.is_some() && decision.counterexample != own && !instead
        })
    }

    /// The name under which a failure is on record: its own, or that which it has where a run tells less of its package, or
    /// told more.
    fn name(&self, filed: &Filed) -> Option<FailureId> {
        let has = |id: &FailureId| path_of(id, filed).is_some_and(|path| self.files.contains(&path));
        if self.files.is_empty() {
            return None;
        }
        if has(&filed.id) || filed.id.is_next() {
            return has(&filed.id).then(|| filed.id.clone());
        }
        let failure = &filed.failure;
        let told = failure.package.as_ref().map_or("", |package| &package.0);
        let less = [told, ""].into_iter().map(|package| cause::id_in(failure, package)).find(has);
        less.or_else(|| self.told_more(filed))
    }

    fn told_more(&self, filed: &Filed) -> Option<FailureId> {
        let failure = &filed.failure;
        if filed.id != cause::id_in(failure, "") {
            return None;
        }
        let ending = ending(filed);
        let alike = self.files.iter().filter(|file| file.as_str().ends_with(&ending));
        let mut names = alike.filter_map(|file| {
            let decision = self.read(file)?;
            let id = cause::id_in(failure, &decision.package?);
            (id.0 == decision.failure).then_some(id)
        });
        names.next().filter(|_| names.next().is_none())
    }

    /// Every record, newest first.
    pub(crate) fn all(&self) -> Vec<Decision> {
        let mut all: Vec<Decision> = self.named().filter_map(|file| self.read(file)).collect();
        all.sort_by(|a, b| (&b.when, &a.failure).cmp(&(&a.when, &b.failure)));
        all
    }

    /// What stands among the records and is none: whoever decided there is told that it does not count.
    pub(crate) fn notices(&self) -> Vec<Notice> {
        if self.files.len() <= MOST_CHECKED {
            self.named().for_each(|file| drop(self.read(file)));
        }
        let faults = self.faults.borrow();
        let notice = |(file, text): (&String, &String)| Notice {
            file: visible::line(file).into_owned(),
            line: None,
            text: visible::line(text).into_owned(),
        };
        faults.iter().map(notice).collect()
    }

    /// Those that are named as a record is; beside them may lie what somebody wrote about them.
    fn named(&self) -> impl Iterator<Item = &RepoPath> {
        self.files.iter().filter(|file| file.as_str().ends_with(".json"))
    }

    fn read(&self, file: &RepoPath) -> Option<Decision> {
        let read = match self.tree.read(file) {
            Some(text) => read(&text),
            None => Err("cannot be read: make it readable, or move it away".to_owned()),
        };
        let note = |why| self.faults.borrow_mut().insert(file.as_str().to_owned(), why);
        read.map_err(note).ok()
    }

    /// The mark of a failure that the inbox did not know.
    pub(crate) fn mark(&self, filed: &Filed) -> Mark {
        match self.of(filed) {
            Some(decision) => {
                Mark { state: State::Known, verdict: Some(decision.verdict), note: decision.why, reopened: false }
            }
            None => Mark::default(),
        }
    }

    /// The mark of a failure that the inbox knows: one that nobody judged here may be known by now, unless somebody opened
    /// it again.
    pub(crate) fn mark_again(&self, filed: &Filed) -> Mark {
        match (filed.state, self.of(filed)) {
            _ if filed.reopened => filed.mark(),
            (State::Open, _) | (State::Known, None) => self.mark(filed),
            _ => filed.mark(),
        }
    }
}
