//! The outlines of the texts that were read last.

use std::sync::{Arc, RwLock};

use super::find::{self, Outline};
use crate::framework::rust::remembered::{Texts, remembered};
use crate::language::rust::tokens::Unreadable;

/// Only what follows from a text itself is kept, so nobody can tell that it is.
static OUTLINES: RwLock<Texts<Outline>> = RwLock::new(Texts::new());

/// `text` and its outline, as [`find::outline`] tells it.
///
/// # Errors
/// Where `text` does not lex as Rust.
pub(super) fn outline(text: &str) -> Result<(Arc<str>, Arc<Outline>), Unreadable> {
    remembered(&OUTLINES, text, |text| find::outline(text).map(Arc::new))
}

#[cfg(test)]
mod tests {
    use super::outline;

    #[test]
    fn each_text_gets_its_own_outline_however_often_it_is_asked() {
        let text = |number| format!("proptest! {{ #[test] fn remembered_{number}(x in 0..9) {{ }} }}\n");
        for number in [0, 1, 0, 1] {
            assert_eq!(outline(&text(number)).unwrap().1.properties[0].name, format!("remembered_{number}"));
        }
    }
}
