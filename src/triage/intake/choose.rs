//! Which property a replay line belongs to, where its text fits more than one: the user's choice.

use std::sync::Arc;

use crate::failure::{ForeignPath, Location, TestName};
use crate::history::{Event, Naming, Step};
use crate::inbox::{FailureId, Filed};
use crate::repo_path::RepoPath;
use crate::triage::{Triage, TriageError, is_called};

use super::reading::Reader;

impl Triage {
    /// Gives a replay line to the property that `text` names: one of its candidates by full name or by the end of it.
    /// The failure has another name from then on.
    ///
    /// # Errors
    /// Where there is no such failure or candidate, or the inbox cannot be written; nothing has changed then.
    pub fn choose(&mut self, id: &FailureId, text: &str) -> Result<Arc<Filed>, TriageError> {
        let (tree, now) = (self.repository.work_tree(), self.timestamp());
        let mut writing = self.store.lock()?;
        let known = writing.inbox().get(id).ok_or_else(|| TriageError::Unknown(id.0.clone()))?.clone();
        let test = candidate(&known, text)?;
        let chosen = Arc::new(chosen(&known, test, &Reader::new(&tree, now)));
        let mut was = vec![known.as_ref().clone()];
        was.extend(writing.inbox().get(&chosen.id).filter(|one| one.id != known.id).map(|one| one.as_ref().clone()));
        let naming = Naming { was, now: vec![chosen.as_ref().clone()] };
        let title = format!("choose {} for {}", chosen.failure.test.function(), known.id.0);
        writing.record(Event::Done(Step { title, changes: Vec::new(), operation: None, naming: Some(naming) }))?;
        Ok(chosen)
    }
}

fn candidate(filed: &Filed, text: &str) -> Result<TestName, TriageError> {
    let fits = |name: &&String| is_called(name, filed.file.as_ref().map(RepoPath::as_str), text);
    match filed.candidates.iter().filter(fits).collect::<Vec<_>>()[..] {
        [one] => Ok(TestName(one.clone())),
        _ => Err(TriageError::NoCandidate { text: text.to_owned(), candidates: filed.candidates.clone() }),
    }
}

/// The failure as that of another property.
fn chosen(known: &Filed, test: TestName, reader: &Reader<'_>) -> Filed {
    let mut failure = known.failure.clone().into_value();
    failure.test = test;
    failure.location = None;
    let found = reader.filed(failure.clone(), "");
    if let (Some(file), Some(line)) = (&found.file, found.line) {
        failure.location = Some(Location { file: ForeignPath(file.to_string()), line, column: None });
    }
    let named = reader.filed(failure, "");
    Filed { occurrences: known.occurrences.clone(), only_replay: true, note: known.note.clone(), ..named }
}
