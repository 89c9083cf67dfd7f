//! What stands in the texts that were read last. A night's failures come from few files in any order, and each asks for
//! its own property and its own pin: without a memory every one of them would read its whole file again.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::language::rust::code::Code;
use crate::language::rust::tokens::Unreadable;

/// Texts that are remembered.
const KEPT: usize = 128;

/// Only what follows from a text itself is kept, so nobody can tell that it is.
static FUNCTIONS: RwLock<Texts<HashSet<String>>> = RwLock::new(Texts::new());

/// What stands in a text, told once for all threads that ask.
type Answer<T> = Arc<OnceLock<Result<Arc<T>, Unreadable>>>;

/// Texts with what stands in them, the newest at the end.
pub(crate) struct Texts<T: ?Sized> {
    known: VecDeque<(Arc<str>, Answer<T>)>,
}

impl<T: ?Sized> Texts<T> {
    pub(crate) const fn new() -> Self {
        Texts { known: VecDeque::new() }
    }

    fn known(&self, text: &str) -> Option<(Arc<str>, Answer<T>)> {
        self.known.iter().rev().find(|(kept, _)| **kept == *text).cloned()
    }

    /// `text` as it is kept, and the place for what stands in it.
    fn answer(&mut self, text: &str) -> (Arc<str>, Answer<T>) {
        if let Some(known) = self.known(text) {
            return known;
        }
        if self.known.len() == KEPT {
            self.known.pop_front();
        }
        let new = (text.into(), Answer::default());
        self.known.push_back(new.clone());
        new
    }
}

/// `text`, and what is known of it or else what `read` finds in it.
pub(crate) fn remembered<T: ?Sized>(
    texts: &RwLock<Texts<T>>,
    text: &str,
    read: impl FnOnce(&str) -> Result<Arc<T>, Unreadable>,
) -> Result<(Arc<str>, Arc<T>), Unreadable> {
    let known = texts.read().unwrap_or_else(PoisonError::into_inner).known(text);
    let new = || texts.write().unwrap_or_else(PoisonError::into_inner).answer(text);
    let (text, answer) = known.unwrap_or_else(new);
    let told = answer.get_or_init(|| read(&text)).clone();
    Ok((text, told?))
}

/// The names of all functions of `text`.
///
/// # Errors
/// Where `text` does not lex as Rust.
pub(crate) fn functions(text: &str) -> Result<Arc<HashSet<String>>, Unreadable> {
    let names = remembered(&FUNCTIONS, text, |text| {
        let code = Code::read(text)?;
        let is_function = |at: &usize| code.word(at - 1) == "fn";
        let named = (1..code.tokens.len()).filter(is_function).map(|at| code.word(at).to_owned());
        Ok(Arc::new(named.collect()))
    });
    names.map(|(_, names)| names)
}

#[cfg(test)]
mod tests {
    use super::{KEPT, Texts, functions};

    #[test]
    fn the_newest_texts_are_kept_and_no_more() {
        let mut texts: Texts<[u8]> = Texts::new();
        for number in 0..=KEPT {
            let _ = texts.answer(&format!("text {number}")).1.set(Ok([].into()));
        }
        assert_eq!(texts.known.len(), KEPT);
        assert!(texts.answer("text 1").1.get().is_some());
        assert!(texts.answer("text 0").1.get().is_none());
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
