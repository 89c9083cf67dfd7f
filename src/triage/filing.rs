//! A list of failures in which each stands once, whoever told of it: the same failure of two runs, or a line of a replay
//! file and the report of the run that drew it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::inbox::{FailureId, Filed, State};

/// How a failure came into the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Added {
    /// It is new.
    New,
    /// It was there, and has changed by this.
    Changed,
    /// It was there, and nothing was added to it.
    Known,
}

/// The list.
#[derive(Debug, Default)]
pub(super) struct Filing {
    pub(super) filed: Vec<Arc<Filed>>,
    places: HashMap<FailureId, usize>,
    handles: HashMap<String, usize>,
}

impl Filing {
    /// A list that holds `filed` already.
    pub(super) fn of(filed: &[Arc<Filed>]) -> Self {
        let mut filing = Filing { filed: filed.to_vec(), ..Filing::default() };
        for (at, one) in filed.iter().enumerate() {
            filing.places.insert(one.id.clone(), at);
            filing.handles.extend(one.handles().map(|handle| (handle.to_owned(), at)));
        }
        filing
    }

    /// Takes in what a run tells of a failure, and says where it stands now.
    pub(super) fn add(&mut self, filed: Filed) -> (usize, Added) {
        match self.place(&filed) {
            Some(at) if filed.only_replay && self.filed[at].id != filed.id => (at, Added::Known),
            Some(at) => (at, self.absorb(at, filed)),
            None => {
                let at = self.filed.len();
                self.remember(&filed, at);
                self.filed.push(Arc::new(filed));
                (at, Added::New)
            }
        }
    }

    /// Where the failure stands already: under its name, or under that of its replay line. A line on which somebody has
    /// decided stays what it is.
    fn place(&self, filed: &Filed) -> Option<usize> {
        self.places.get(&filed.id).copied().or_else(|| {
            let at = filed.handles().find_map(|handle| self.handles.get(handle).copied())?;
            let known = &self.filed[at];
            (filed.only_replay || (known.only_replay && known.state == State::Open)).then_some(at)
        })
    }

    fn absorb(&mut self, at: usize, filed: Filed) -> Added {
        self.remember(&filed, at);
        let mut merged = self.filed[at].as_ref().clone();
        if merged.id != filed.id {
            // The run itself tells more than the line it left behind.
            merged = Filed { occurrences: merged.occurrences, ..filed.clone() };
        }
        (merged.file, merged.line, merged.requirement) = (filed.file.clone(), filed.line, filed.requirement.clone());
        merged.absorb(filed);
        if merged == *self.filed[at] {
            return Added::Known;
        }
        self.filed[at] = Arc::new(merged);
        Added::Changed
    }

    fn remember(&mut self, filed: &Filed, at: usize) {
        self.places.insert(filed.id.clone(), at);
        self.handles.extend(filed.handles().map(|handle| (handle.to_owned(), at)));
    }
}
