//! A pin that somebody finishes by hand: its test is written into a file of its own, and what the editor left there is
//! taken in. The file stays until the pin is staged, so that what was typed is not lost where it does not hold yet.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::framework::{self, ByHand, CATALOGUE};
use crate::inbox::FailureId;
use crate::pin::{PartKind, Pin, Refusal};
use crate::triage::case::case;
use crate::triage::{Triage, TriageError};

/// The folder of such files, in that of the store.
const FOLDER: &str = "by-hand";

/// A pin on its way through an editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The failure.
    pub id: FailureId,
    /// The file that holds the test.
    pub path: PathBuf,
    /// The line of its first statement, from 1.
    pub line: u32,
    pin: Pin,
}

impl Triage {
    /// Writes the test of a failure's pin into a file, for an editor. A text that is there from an earlier time stays.
    ///
    /// # Errors
    /// Where there is no such failure, no test to start from, or the file cannot be written.
    pub fn draft(&self, id: &FailureId) -> Result<Draft, TriageError> {
        let filed = self.inbox().get(id).ok_or_else(|| TriageError::Gone(id.clone()))?;
        let framework = framework::named(&filed.failure.framework);
        let framework = framework.ok_or_else(|| no_draft("this redpin does not know its framework".to_owned()))?;
        let by_hand = framework.by_hand();
        let by_hand = by_hand.ok_or_else(|| no_draft("its framework has no test to be finished by hand".to_owned()))?;
        let (tree, hand) = (self.work_tree(), self.hand());
        let pin = by_hand.draft(&case(filed, &tree, hand.today())).map_err(|refusal| no_draft(refusal.0))?;
        let text = test_of(&pin);
        let (folder, path) = (self.store_folder().join(FOLDER), self.draft_file(id, by_hand));
        fs::create_dir_all(&folder).map_err(|error| TriageError::Unreadable(folder.clone(), error))?;
        // What cannot be read is somebody's work all the same.
        match fs::read(&path) {
            Ok(known) if !known.trim_ascii().is_empty() => {}
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(TriageError::Unreadable(path, error)),
            _ => write(&path, text)?,
        }
        let line = by_hand.first_statement(text);
        Ok(Draft { id: id.clone(), path, line: u32::try_from(line).unwrap_or(1), pin })
    }

    /// The pin with what the editor left; `None` where that is what it started with.
    ///
    /// # Errors
    /// Where the file cannot be read, or what it holds is no such test.
    pub fn edited(&self, draft: &Draft) -> Result<Option<Pin>, TriageError> {
        let filed = self.inbox().get(&draft.id).ok_or_else(|| TriageError::Gone(draft.id.clone()))?;
        let text =
            fs::read_to_string(&draft.path).map_err(|error| TriageError::Unreadable(draft.path.clone(), error))?;
        if text.trim() == test_of(&draft.pin).trim() {
            let _ = forget(&draft.path);
            return Ok(None);
        }
        let framework = framework::named(&filed.failure.framework);
        let Some(by_hand) = framework.and_then(|framework| framework.by_hand()) else { return Ok(None) };
        let told = |refusal: Refusal| TriageError::NotByHand(refusal.0, draft.path.clone());
        by_hand.with_text(&draft.pin, &text).map(Some).map_err(told)
    }

    /// The pin of a failure stands: the file of its draft goes, where there is one.
    pub(super) fn drop_draft(&self, id: &FailureId) {
        for by_hand in CATALOGUE.iter().filter_map(|framework| framework.by_hand()) {
            // Where it stays, the next one starts from it.
            let _ = forget(&self.draft_file(id, by_hand));
        }
    }

    fn draft_file(&self, id: &FailureId, by_hand: &dyn ByHand) -> PathBuf {
        let name: String = id.0.chars().filter(char::is_ascii_alphanumeric).collect();
        self.store_folder().join(FOLDER).join(format!("{name}.{}", by_hand.extension()))
    }
}

#[expect(clippy::disallowed_methods, reason = "the file is the draft's own, in the store's folder")]
fn write(path: &Path, text: &str) -> Result<(), TriageError> {
    fs::write(path, format!("{text}\n")).map_err(|error| TriageError::Unreadable(path.to_owned(), error))
}

#[expect(clippy::disallowed_methods, reason = "the file is the draft's own, in the store's folder")]
fn forget(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}

fn test_of(pin: &Pin) -> &str {
    let test = pin.parts.iter().find(|part| part.kind == PartKind::Test);
    test.map_or("", |part| part.text.as_str())
}

fn no_draft(reason: String) -> TriageError {
    TriageError::NoDraft(reason)
}
