//! What stands in the texts that were read last. A night's failures come from few files in any order, and each asks for
//! its own property and its own pin: without a memory every one of them would read its whole file again.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use super::find;
use crate::language::rust::code::Code;
use crate::language::rust::property::PropertyFn;
use crate::language::rust::tokens::{Unreadable, apart};

/// Texts that are remembered.
const KEPT: usize = 128;

/// Only what follows from a text itself is kept, so nobody can tell that it is.
static PROPERTIES: Mutex<Memory<[PropertyFn]>> = Mutex::new(Memory::new());
static FUNCTIONS: Mutex<Memory<HashSet<String>>> = Mutex::new(Memory::new());

/// Texts with what stands in them, the newest at the end.
struct Memory<T: ?Sized> {
    known: VecDeque<(Arc<str>, Arc<T>)>,
}

impl<T: ?Sized> Memory<T> {
    const fn new() -> Self {
        Memory { known: VecDeque::new() }
    }

    fn recall(&self, text: &str) -> Option<Arc<T>> {
        self.known.iter().rev().find(|(kept, _)| **kept == *text).map(|(_, found)| Arc::clone(found))
    }

    fn keep(&mut self, text: &str, found: Arc<T>) {
        if self.known.len() == KEPT {
            self.known.pop_front();
        }
        self.known.push_back((text.into(), found));
    }
}

/// What the memory has of `text`, or else what `read` finds in it.
fn remembered<T: ?Sized, E>(
    memory: &Mutex<Memory<T>>,
    text: &str,
    read: impl FnOnce(&str) -> Result<Arc<T>, E>,
) -> Result<Arc<T>, E> {
    let memory = || memory.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = memory().recall(text) {
        return Ok(known);
    }
    let found = read(text)?;
    memory().keep(text, Arc::clone(&found));
    Ok(found)
}

/// The properties of `text`, as [`find::properties`] tells them.
///
/// # Errors
/// Where `text` does not lex as Rust.
pub(super) fn properties(text: &str) -> Result<Arc<[PropertyFn]>, Unreadable> {
    remembered(&PROPERTIES, text, |text| find::properties(text).map(Arc::from))
}

/// The names of all functions of `text`.
///
/// # Errors
/// Where `text` does not lex as Rust.
pub(super) fn functions(text: &str) -> Result<Arc<HashSet<String>>, Unreadable> {
    remembered(&FUNCTIONS, text, |text| {
        apart(|| {
            let code = Code::read(text)?;
            let is_function = |at: &usize| code.word(at - 1) == "fn";
            let named = (1..code.tokens.len()).filter(is_function).map(|at| code.word(at).to_owned());
            Ok(Arc::new(named.collect()))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{KEPT, Memory, functions, properties};

    #[test]
    fn the_newest_texts_are_kept_and_no_more() {
        let mut memory: Memory<[u8]> = Memory::new();
        (0..=KEPT).for_each(|number| memory.keep(&format!("text {number}"), [].into()));
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

    #[test]
    fn functions_are_those_of_code_alone() {
        let text = "fn one() { \"fn two()\" } // fn three()\nmod m { pub fn four(x: fn(u8)) {} }\n";
        let names = functions(text).unwrap();
        let known = ["one", "two", "three", "four"].map(|name| names.contains(name));
        assert_eq!(known, [true, false, false, true]);
        assert!(functions("fn f() { \"").is_err());
    }
}
