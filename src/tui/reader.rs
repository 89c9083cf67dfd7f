//! The worker that only reads: colours a property's source, and finds the failures that hold the words of a filter.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::desk::{Desk, Next};
use super::event::Arrival;
use super::highlight::colour;
use super::panics;
use super::post::Post;
use super::sought::Sought;
use super::text::head;
use crate::inbox::{FailureId, Filed, Inbox};

/// No more than this of a message or an input is searched.
const SEARCHED: usize = 400;

/// What the reader can be asked for.
#[derive(Debug)]
pub(super) enum Ask {
    Colour { id: FailureId, extension: String, text: String },
    Find(String),
}

/// The reader's desk; it takes no orders.
pub(super) type ReaderDesk = Desk<std::convert::Infallible, Ask>;

/// The inbox as the clerk last brought it.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<Inbox>>);

impl Shared {
    /// Takes a newer inbox.
    pub(super) fn replace(&self, inbox: Inbox) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = inbox;
    }

    fn get(&self) -> Inbox {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Works in a thread of its own until the desk is closed.
pub(super) fn start(desk: Arc<ReaderDesk>, post: Post, shared: Shared) -> std::io::Result<()> {
    let work = move || {
        while let Some(next) = desk.next() {
            let Next::Look(ask) = next;
            if catch_unwind(AssertUnwindSafe(|| answer(ask, &post, &shared))).is_err() {
                post.bring(Arrival::Trouble(panics::last()));
            }
        }
    };
    thread::Builder::new().name("reader".to_owned()).spawn(work).map(drop)
}

fn answer(ask: Ask, post: &Post, shared: &Shared) {
    match ask {
        Ask::Colour { id, extension, text } => {
            if let Some(coloured) = colour(&extension, &text) {
                post.bring(Arrival::Coloured(id, coloured));
            }
        }
        Ask::Find(words) => {
            let matches = find(&words, shared.get().filed());
            post.bring(Arrival::Found(words, matches));
        }
    }
}

/// For each failure whether it holds all words.
pub(super) fn find(words: &str, filed: &[Arc<Filed>]) -> Vec<bool> {
    let sought = Sought::new(words);
    let mut text = String::new();
    let mut holds = |filed: &Arc<Filed>| {
        text.clear();
        write_searched(filed, &mut text);
        sought.is_in(&text)
    };
    filed.iter().map(&mut holds).collect()
}

fn write_searched(filed: &Filed, out: &mut String) {
    let failure = &filed.failure;
    let requirement = filed.requirement.as_ref().map_or("", |id| &id.0);
    let package = failure.package.as_ref().map_or("", |package| &package.0);
    let message = head(&failure.message, SEARCHED).0;
    let input = head(&failure.counterexample.text, SEARCHED).0;
    let file = filed.file.as_ref().map_or("", |file| file.as_str());
    for part in [failure.test.0.as_str(), requirement, package, file, message, input, &filed.note] {
        out.push_str(part);
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::find;
    use crate::tui::sample;

    fn check(words: &str, expected: [bool; 2]) {
        let filed = [Arc::new(sample::filed("a", "sum_is_exact")), Arc::new(sample::filed("b", "Spread_of_cents"))];
        assert_eq!(find(words, &filed), expected, "{words:?}");
    }

    #[test]
    fn a_failure_matches_when_it_holds_all_words() {
        check("sum exact", [true, false]);
        check("spread_of", [false, true]);
        check("Spread_of", [false, true]);
        check("SPREAD_of", [false, false]);
        check("118958", [true, true]);
        check("BILL-4", [true, true]);
        check("nothing like it", [false, false]);
    }
}
