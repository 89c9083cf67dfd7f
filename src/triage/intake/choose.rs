//! Which property a replay line belongs to, where its text fits more than one: the user's choice.

use std::sync::Arc;

use crate::failure::{ForeignPath, Location, TestName};
use crate::history::{Event, Naming, Step};
use crate::inbox::{FailureId, Filed};
use crate::repo_path::RepoPath;
use crate::triage::select::{self, Named};
use crate::triage::{Triage, TriageError};

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
    let file = filed.file.as_ref().map(RepoPath::as_str);
    let names: Vec<Named<'_>> = filed.candidates.iter().map(|test| Named { id: "", test, other: None, file }).collect();
    match select::meant(&names, text)[..] {
        [at] => Ok(TestName(filed.candidates[at].clone())),
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

#[cfg(test)]
mod tests {
    use super::candidate;
    use crate::failure::testing::failure;
    use crate::inbox::{Filed, testing};

    #[test]
    fn a_candidate_named_in_full_comes_before_others_that_end_so() {
        let candidates = ["fee", "late_fee", "tests::sum_grows"].map(str::to_owned).to_vec();
        let filed = Filed { candidates, ..testing::filed("64b2", failure("")) };
        let check = |text: &str, expected: Option<&str>| {
            let found = candidate(&filed, text).ok().map(|test| test.0);
            assert_eq!(found.as_deref(), expected, "{text}");
        };
        check("fee", Some("fee"));
        check("late_fee", Some("late_fee"));
        check("sum_grows", Some("tests::sum_grows"));
        check("um_grows", None);
        check("", None);
    }
}
