//! The failures waiting for a verdict, in order, folded by cause, each with its state. A value: whoever changes it on
//! disk is elsewhere.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

pub use crate::cause::{CauseId, FailureId};
use crate::failure::{Counterexample, Ending, Failure, FrameworkName, Origin, Replay, TestName};
use crate::later::{Later, Shelved};
use crate::repo_path::RepoPath;
use crate::requirement::RequirementId;
use crate::verdict::Verdict;

/// How far a failure has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// No verdict yet.
    #[default]
    Open,
    /// A verdict, its consequence not yet in the patch.
    Decided,
    /// Its consequence is staged.
    Staged,
    /// A decision record of it was in the repository already when it came (again).
    Known,
}

/// What was decided of a failure and how far that has come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// How far it has come.
    pub state: State,
    /// The verdict, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The reviewer's note; empty where none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Whether it is open again in spite of a decision that is on record.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reopened: bool,
}

/// Once that a run showed a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Occurrence {
    /// Where it was read.
    pub origin: Origin,
    /// When it was imported, as RFC 3339 in UTC.
    pub imported: String,
    /// A digest of the run, by which the same run under another name is known again.
    pub digest: String,
    /// The replay handle that this run drew, where it did: seeds are random, so the same one is the same event, told by
    /// another file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
}

impl Occurrence {
    /// Whether both tell of one event.
    pub fn is_same(&self, other: &Occurrence) -> bool {
        self.digest == other.digest || (self.handle.is_some() && self.handle == other.handle)
    }
}

/// A failure as the inbox keeps it: tied to the repository, named, with what was decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filed {
    /// Its name.
    pub id: FailureId,
    /// Which failures share its root.
    pub cause: CauseId,
    /// What the run told; of several occurrences the one with the smallest counterexample, as far as nothing better can be
    /// done with another.
    pub failure: Later<Failure>,
    /// The property's source file in the repository, where found.
    pub file: Option<RepoPath>,
    /// The property's line in it, from 1.
    pub line: Option<u32>,
    /// The requirement it cites, where the spec has it.
    pub requirement: Option<RequirementId>,
    /// Every time a run showed it, oldest first.
    pub occurrences: Later<Vec<Occurrence>>,
    /// Whether the failing test is itself a pin: a bug that came back, not a new one.
    pub pin_failed: bool,
    /// The test names it may belong to, where a replay line fits more than one property; empty otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// Whether all that is known of it is its line in a replay file: the run that drew it was not read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_replay: bool,
    /// How far it has come.
    pub state: State,
    /// The verdict, where there is one.
    pub verdict: Option<Verdict>,
    /// The reviewer's note; empty where none.
    pub note: String,
    /// Whether it is open again in spite of a decision that is on record.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reopened: bool,
}

/// Failures that share a root, as one row of the inbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The requirement its failures cite, where they agree on one.
    pub requirement: Option<RequirementId>,
    /// Places in [`Inbox::filed`], smallest counterexample first.
    pub failures: Vec<usize>,
}

/// All filed failures and how they fold. A clone shares the rows, the fold and the index.
#[derive(Clone, Debug, Default)]
pub struct Inbox {
    filed: Vec<Arc<Filed>>,
    causes: Arc<Vec<Cause>>,
    /// Made when the first failure is asked for by name.
    places: Arc<OnceLock<HashMap<FailureId, usize>>>,
}

/// The line of a failure that is kept, as far as it tells what happened.
impl Shelved for Failure {
    fn from_text(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Line {
            failure: Failure,
        }
        serde_json::from_str(text).map(|line: Line| line.failure).map_err(|error| error.to_string())
    }

    fn unreadable(why: &str) -> Self {
        Failure {
            framework: FrameworkName(String::new()),
            test: TestName("unreadable".to_owned()),
            package: None,
            binary: None,
            location: None,
            site: None,
            panicked: false,
            ending: Ending::Aborted,
            message: format!("this failure cannot be read from the inbox: {why}"),
            error: None,
            counterexample: Counterexample::default(),
            generated: Vec::new(),
            replay: Replay::None,
            own_message: None,
            caveats: Vec::new(),
            origin: Origin { run: String::new(), line: 0 },
        }
    }

    /// Of two failures the one with the shorter input is the smaller.
    fn weight(&self) -> usize {
        self.counterexample.text.len()
    }
}

/// The line of a failure that is kept, as far as it tells when it was seen.
impl Shelved for Vec<Occurrence> {
    fn from_text(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Line {
            occurrences: Vec<Occurrence>,
        }
        serde_json::from_str(text).map(|line: Line| line.occurrences).map_err(|error| error.to_string())
    }

    fn unreadable(_why: &str) -> Self {
        Vec::new()
    }

    fn weight(&self) -> usize {
        self.len()
    }
}

impl Filed {
    /// What was decided of it.
    pub fn mark(&self) -> Mark {
        Mark { state: self.state, verdict: self.verdict, note: self.note.clone(), reopened: self.reopened }
    }

    /// Takes over what was decided.
    pub fn set_mark(&mut self, mark: Mark) {
        self.state = mark.state;
        self.verdict = mark.verdict;
        self.note = mark.note;
        self.reopened = mark.reopened;
    }

    /// The handles its runs drew, and the one that a line of a replay file named for a run that did not say it.
    pub fn handles(&self) -> impl Iterator<Item = &str> {
        let named = match &self.failure.replay {
            Replay::NewSeed { handle, .. } => Some(handle.as_str()),
            Replay::Replayed | Replay::None => None,
        };
        self.occurrences.iter().filter_map(|occurrence| occurrence.handle.as_deref()).chain(named)
    }

    /// Takes in what another run showed of the same failure: its occurrences, and its counterexample where that is
    /// smaller; but of two inputs not the smaller one that is `weaker` than the other. Whether anything changed.
    pub fn absorb(&mut self, other: Filed, weaker: impl FnOnce(&Failure, &Failure) -> bool) -> bool {
        let known = self.occurrences.len();
        for occurrence in other.occurrences.into_value() {
            if !self.occurrences.iter().any(|one| one.is_same(&occurrence)) {
                self.occurrences.push(occurrence);
            }
        }
        let (own, its) = (self.failure.counterexample.text.len(), other.failure.counterexample.text.len());
        let better = match its {
            0 => false,
            _ if own == 0 => true,
            _ if its < own => !weaker(&other.failure, &self.failure),
            _ if its == own && self.failure.generated.is_empty() => !other.failure.generated.is_empty(),
            _ => its > own && weaker(&self.failure, &other.failure),
        };
        if better {
            self.failure = other.failure;
        }
        self.occurrences.len() > known || better
    }
}

impl Inbox {
    /// Folds `filed` into causes: causes by requirement and then by first appearance, those without one last.
    pub fn new(filed: Vec<Arc<Filed>>) -> Self {
        let causes = Arc::new(fold(&filed));
        Inbox { filed, causes, places: Arc::default() }
    }

    /// Every failure, in the order filed.
    pub fn filed(&self) -> &[Arc<Filed>] {
        &self.filed
    }

    /// The causes in the order shown.
    pub fn causes(&self) -> &[Cause] {
        &self.causes
    }

    /// The cause's name: its failures have it.
    pub fn cause_id(&self, cause: &Cause) -> Option<&CauseId> {
        self.filed.get(*cause.failures.first()?).map(|filed| &filed.cause)
    }

    /// Where in [`Inbox::filed`] the failure of that name stands.
    pub fn place(&self, id: &FailureId) -> Option<usize> {
        let places = || self.filed.iter().enumerate().map(|(at, one)| (one.id.clone(), at)).collect();
        self.places.get_or_init(places).get(id).copied()
    }

    /// The failure of that name.
    pub fn get(&self, id: &FailureId) -> Option<&Arc<Filed>> {
        self.filed.get(self.place(id)?)
    }

    /// The failures whose verdict waits to be staged.
    pub fn decided(&self) -> Vec<FailureId> {
        let decided = self.filed.iter().filter(|filed| filed.state == State::Decided);
        decided.map(|filed| filed.id.clone()).collect()
    }

    /// What went wrong: the beginning of the message of the cause's smallest failure, on one line.
    pub fn title(&self, cause: &Cause) -> String {
        let smallest = cause.failures.first().and_then(|&at| self.filed.get(at));
        smallest.map_or_else(String::new, |filed| title(&filed.failure.message))
    }

    /// Gives a failure another mark. The fold stays as it is.
    pub fn mark(&mut self, id: &FailureId, mark: Mark) {
        let Some(at) = self.place(id) else { return };
        if let Some(filed) = self.filed.get_mut(at) {
            Arc::make_mut(filed).set_mark(mark);
        }
    }

    /// Puts `now` in the place of the first of the failures named, and takes the others of them out.
    pub fn replace(&mut self, was: &[FailureId], now: Vec<Arc<Filed>>) {
        let mut filed = self.filed.clone();
        let at = filed.iter().position(|one| was.contains(&one.id)).unwrap_or(filed.len());
        filed.retain(|one| !was.contains(&one.id));
        filed.splice(at..at, now);
        *self = Inbox::new(filed);
    }
}

fn fold(filed: &[Arc<Filed>]) -> Vec<Cause> {
    // Most failures are alone in their cause.
    let mut places = HashMap::<&CauseId, usize>::with_capacity(filed.len());
    let mut causes: Vec<Cause> = Vec::with_capacity(filed.len());
    for (at, one) in filed.iter().enumerate() {
        let place = *places.entry(&one.cause).or_insert(causes.len());
        match causes.get_mut(place) {
            Some(cause) => cause.failures.push(at),
            None => causes.push(Cause { requirement: None, failures: vec![at] }),
        }
    }
    for cause in &mut causes {
        // A pin that failed tells of an input that its property's failure shows better.
        cause.failures.sort_by_key(|&at| (filed[at].pin_failed, filed[at].failure.weight()));
        let shared = filed[cause.failures[0]].requirement.as_ref();
        if cause.failures.iter().all(|&at| filed[at].requirement.as_ref() == shared) {
            cause.requirement = shared.cloned();
        }
    }
    causes.sort_by(|a, b| (a.requirement.is_none(), &a.requirement).cmp(&(b.requirement.is_none(), &b.requirement)));
    causes
}

/// Longest title, in characters: it is for one line of a screen.
const LONGEST_TITLE: usize = 200;

fn title(message: &str) -> String {
    let mut title = String::with_capacity(message.len().min(LONGEST_TITLE));
    // A word has at least one letter, and there is a blank between two.
    for word in message.split_whitespace().take(LONGEST_TITLE / 2 + 1) {
        if !title.is_empty() {
            title.push(' ');
        }
        title.push_str(word);
    }
    if let Some((end, _)) = title.char_indices().nth(LONGEST_TITLE) {
        title.truncate(end);
    }
    title
}

#[cfg(test)]
pub(crate) mod testing {
    use super::{CauseId, FailureId, Filed, State};
    use crate::failure::Failure;

    /// An open failure named `id`, alone in its cause, that no run has shown yet.
    pub(crate) fn filed(id: &str, failure: Failure) -> Filed {
        Filed {
            id: FailureId(id.to_owned()),
            cause: CauseId(id.to_owned()),
            failure: failure.into(),
            file: None,
            line: None,
            requirement: None,
            occurrences: Vec::new().into(),
            pin_failed: false,
            candidates: Vec::new(),
            only_replay: false,
            state: State::Open,
            verdict: None,
            note: String::new(),
            reopened: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Filed, LONGEST_TITLE, testing, title};
    use crate::failure::testing::failure;

    fn filed(input: &str) -> Filed {
        let mut failure = failure("f");
        failure.counterexample.text = input.to_owned();
        testing::filed("f", failure)
    }

    #[track_caller]
    fn check(known: &str, other: &str, kept: &str) {
        check_weak(known, other, false, kept);
    }

    #[track_caller]
    fn check_weak(known: &str, other: &str, weaker: bool, kept: &str) {
        let mut filed_once = filed(known);
        let changed = filed_once.absorb(filed(other), |_, _| weaker);
        assert_eq!((filed_once.failure.counterexample.text.as_str(), changed), (kept, kept != known));
    }

    #[test]
    fn a_title_is_the_beginning_of_the_message_on_one_line() {
        let check = |message: &str, expected: &str| assert_eq!(title(message), expected, "{message:?}");
        check("  left\n\tright  ", "left right");
        check(&"ü ".repeat(LONGEST_TITLE), &"ü ".repeat(LONGEST_TITLE / 2));
        check(&"ü".repeat(LONGEST_TITLE + 1), &"ü".repeat(LONGEST_TITLE));
        check("", "");
    }

    #[test]
    fn of_two_counterexamples_the_smaller_is_kept_and_any_rather_than_none() {
        check("x = 10", "x = 9", "x = 9");
        check("x = 9", "x = 10", "x = 9");
        check("x = 9", "", "x = 9");
        check("", "x = 9", "x = 9");
        check_weak("x = 10", "x = 9", true, "x = 10");
        check_weak("", "x = 9", true, "x = 9");
        check_weak("x = 9", "x = 10", true, "x = 10");
        check_weak("x = 9", "x = 8", true, "x = 9");
    }
}
