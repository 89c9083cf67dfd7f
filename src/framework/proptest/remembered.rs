//! The outlines of the texts that were read last, and of a tree's files.

use std::sync::{Arc, RwLock};

use super::find::{self, Outline};
use crate::framework::rust::file::{as_text, unreadable};
use crate::framework::rust::remembered::{Texts, remembered};
use crate::language::rust::tokens::Unreadable;
use crate::memory::Each;
use crate::pin::Refusal;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;

/// Only what follows from a text itself is kept, so nobody can tell that it is.
static OUTLINES: RwLock<Texts<Outline>> = RwLock::new(Texts::new());

/// `text` and its outline, as [`find::outline`] tells it.
///
/// # Errors
/// Where `text` does not lex as Rust.
pub(super) fn outline(text: &str) -> Result<(Arc<str>, Arc<Outline>), Unreadable> {
    remembered(&OUTLINES, text, |text| find::outline(text).map(Arc::new))
}

/// A text and its outline.
type Outlined = (Arc<str>, Arc<Outline>);

/// Those of a tree's files, each of the version that was asked for first: what lies over a tree shares its memory.
#[derive(Default)]
struct OfFiles(Each<RepoPath, Result<Outlined, Refusal>>);

/// The text of `file`, which holds `bytes`, and its outline.
///
/// # Errors
/// Where it is no text, or does not lex as Rust.
pub(super) fn of_file(file: &RepoPath, bytes: &[u8], tree: &dyn SourceTree) -> Result<Outlined, Refusal> {
    let read = || outline(as_text(file, bytes)?).map_err(|error| unreadable(file, &error));
    let Some(memory) = tree.memory() else { return read() };
    let known = memory.of(OfFiles::default).0.of(file, read);
    if known.as_ref().is_ok_and(|(text, _)| text.as_bytes() == bytes) { known } else { read() }
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
