//! What is asked of a command that runs pins: which tests are pins of ours, and which of a test's examples is one. The file
//! that Node loads first for us reads it, and runs each such example alone.

use std::ops::RangeInclusive;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::find::{Found, find, lines};
use super::graft;
use super::pin::{Place, place_of};
use crate::failure::Failure;
use crate::hex::hex;
use crate::proof::StandingPin;
use crate::source_tree::SourceTree;

/// The variable that holds what is asked.
pub(super) const PINS: &str = "REDPIN_PINS";

/// Most bytes of it: what a variable can hold is limited.
const MOST: usize = 64 << 10;

/// What is asked of one test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Asked {
    /// The pin, as its place among those of the command.
    pin: usize,
    /// The name of the test that runs it.
    #[serde(skip)]
    name: String,
    /// What its runner calls it.
    test: String,
    /// Whether its runner calls another test of the file the same, so that its lines tell which it is.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    twin: bool,
    /// Its file, below the folder of the command.
    file: String,
    /// Of an example the digest of its input.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<String>,
    /// How many examples stand before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<usize>,
    /// How many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    /// The first and the last line of the test, where it is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<(u32, u32)>,
    /// Whether the test is the pin itself.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    whole: bool,
}

impl Asked {
    /// What is asked of the test of `pin`, whose file the command calls `file`; `None` where it runs as it would anyway.
    pub(super) fn of(pin: &StandingPin, file: &str, tree: &dyn SourceTree) -> Option<Asked> {
        let (name, file) = (pin.runs().0.clone(), file.to_owned());
        if pin.test.is_some() {
            let (test, input, place, count, lines) = (name.clone(), None, None, None, None);
            let blank = Asked { pin: 0, name, test, twin: false, file, input, place, count, lines, whole: true };
            return pin.replay.is_some().then_some(blank);
        }
        let failure = is_example(pin).then(|| graft::failure(pin))?;
        let found = find(&failure, tree).ok();
        let lines = found.as_ref().map(|found| lines(&found.code, found.span())).map(RangeInclusive::into_inner);
        let test = found.as_ref().map_or(name.as_str(), |found| found.called(&pin.property)).to_owned();
        let twin = test != name;
        let (place, count) = match found.map(|found| place_in(&failure, &found, tree)) {
            Some(Place::At(place, count)) => (Some(place), Some(count)),
            Some(Place::Gone | Place::Untold) | None => (None, None),
        };
        let input = Some(hex(&Sha256::digest(&pin.counterexample)));
        Some(Asked { pin: 0, name, test, twin, file, input, place, count, lines, whole: false })
    }

    /// The same as that of the pin at `pin`.
    pub(super) fn for_pin(self, pin: usize) -> Asked {
        Asked { pin, ..self }
    }

    /// Whether it and `other` are asked of one test, and cannot be in one run of it.
    pub(super) fn is_at_odds(&self, other: &Asked) -> bool {
        let is_same_test = self.file == other.file && self.name == other.name;
        is_same_test && (self.whole, &self.input, self.place) != (other.whole, &other.input, other.place)
    }

    /// Whether an example of the test named `name` in `file` is asked for, so that the test does not run as it is.
    pub(super) fn is_of(&self, name: &str, file: &str) -> bool {
        !self.whole && self.name == name && self.file == file
    }
}

/// What the file that Node loads is told; `None` where nothing is asked.
pub(super) fn told(asked: &[Asked]) -> Option<String> {
    if asked.is_empty() { None } else { serde_json::to_string(asked).ok() }
}

/// Whether a variable holds `asked` and one more.
pub(super) fn has_room(asked: &[Asked]) -> bool {
    told(asked).is_none_or(|text| text.len() < MOST)
}

/// Whether `pin` is an example whose input is on record.
pub(super) fn is_example(pin: &StandingPin) -> bool {
    pin.test.is_none() && !pin.is_property() && !pin.counterexample.is_empty()
}

/// Where the input of `pin` stands among the examples of its property; not told of a test of its own.
pub(super) fn place(pin: &StandingPin, tree: &dyn SourceTree) -> Place {
    if !is_example(pin) {
        return Place::Untold;
    }
    let failure = graft::failure(pin);
    find(&failure, tree).map_or(Place::Untold, |found| place_in(&failure, &found, tree))
}

fn place_in(failure: &Failure, found: &Found, tree: &dyn SourceTree) -> Place {
    found.taker(failure, tree).map_or(Place::Untold, |taker| place_of(failure, found, &taker))
}
