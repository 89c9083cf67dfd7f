//! The properties of the texts that were read last. A night's failures come from few files in any order, and each asks for
//! its own property: without a memory every one of them would read its whole file again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::find;
use crate::language::rust::property::PropertyFn;
use crate::language::rust::tokens::Unreadable;

/// Texts that are remembered.
const KEPT: usize = 128;

/// Only what follows from a text itself is kept, so nobody can tell that it is.
static MEMORY: Mutex<Memory> = Mutex::new(Memory { known: VecDeque::new() });

/// Texts with their properties, the newest at the end.
struct Memory {
    known: VecDeque<(Arc<str>, Arc<[PropertyFn]>)>,
}

impl Memory {
    fn recall(&self, text: &str) -> Option<Arc<[PropertyFn]>> {
        self.known.iter().rev().find(|(kept, _)| **kept == *text).map(|(_, found)| Arc::clone(found))
    }

    fn keep(&mut self, text: &str, found: Arc<[PropertyFn]>) {
        if self.known.len() == KEPT {
            self.known.pop_front();
        }
        self.known.push_back((text.into(), found));
    }
}

/// The properties of `text`, as [`find::properties`] tells them.
///
/// # Errors
/// Where `text` does not lex as Rust.
pub(super) fn properties(text: &str) -> Result<Arc<[PropertyFn]>, Unreadable> {
    let memory = || MEMORY.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = memory().recall(text) {
        return Ok(known);
    }
    let found: Arc<[PropertyFn]> = find::properties(text)?.into();
    memory().keep(text, Arc::clone(&found));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::{KEPT, Memory, properties};

    #[test]
    fn the_newest_texts_are_kept_and_no_more() {
        let mut memory = Memory { known: VecDeque::new() };
        (0..=KEPT).for_each(|number| memory.keep(&format!("text {number}"), Vec::new().into()));
        assert!(memory.recall("text 0").is_none());
        assert!(memory.recall("text 1").is_some());
        assert_eq!(memory.known.len(), KEPT);
    }

    #[test]
    fn each_text_gets_its_own_properties_however_often_it_is_asked() {
        let text = |number| format!("proptest! {{ #[test] fn remembered_{number}(x in 0..9) {{ }} }}\n");
        for number in [0, 1, 0, 1] {
            assert_eq!(properties(&text(number)).unwrap()[0].name, format!("remembered_{number}"));
        }
    }
}
