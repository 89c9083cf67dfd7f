//! One file of redpin's own, such as a record, changed in the index and in the work tree as one operation and one step of the
//! history.

use crate::git::Operation;
use crate::history::{Event, Step};
use crate::repo_path::RepoPath;
use crate::triage::{Triage, TriageError};

use super::stage::record_or;
use super::texts::{Change, Edit, Ground, Taken, Texts};
use super::wish::Ignored;

/// What became of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// It is staged.
    Staged(RepoPath),
    /// It stood already, and says the same.
    Stood(RepoPath),
    /// Nothing was written, for this reason.
    Refused(String),
}

impl Triage {
    /// Stages what `edit` makes of `file`, which may be new, as one operation called `title`.
    ///
    /// # Errors
    /// Where git, the disk or the inbox refuses; nothing has changed then.
    pub(crate) fn stage_file(
        &mut self,
        title: String,
        file: RepoPath,
        edit: Edit<'_>,
    ) -> Result<Recorded, TriageError> {
        let change = Change::of(file.clone(), Ground::Changed, edit);
        let mut writing = self.store.lock()?;
        let mut texts = Texts::read(&self.repository, std::slice::from_ref(&file), Ignored::LeaveOut)?;
        match texts.take(&[change]) {
            Err(refusal) => return Ok(Recorded::Refused(refusal.0)),
            Ok(taken) if taken.contains(&Taken::Ignored) => {
                return Ok(Recorded::Refused(format!("git ignores {file}, so that it is not recorded")));
            }
            Ok(_) => {}
        }
        let files = texts.changes();
        if files.is_empty() {
            return Ok(Recorded::Stood(file));
        }
        let mut step = Step { title: title.clone(), changes: Vec::new(), operation: None, naming: None };
        let attachment = serde_json::to_value(&step).unwrap_or_default();
        step.operation = Some(self.repository.stage(&Operation { title, files, attachment })?.0);
        record_or(&mut writing, Event::Done(step), Some(|| self.repository.undo()))?;
        Ok(Recorded::Staged(file))
    }
}
