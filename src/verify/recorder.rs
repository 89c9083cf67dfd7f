//! How a value was made, seen: the failing property runs alone against an instrumented copy of its library, which writes
//! it down.

use std::path::{Path, PathBuf};

use crate::failure::{Failure, Replay};
use crate::framework::{CopyPlaces, Framework};
use crate::pin::Refusal;
use crate::proof::Manner;
use crate::requirement::RequirementId;
use crate::runner;
use crate::scratch::Package;
use crate::triage::TriageError;

use super::workshop::{Workshop, layout};
use super::{Desk, Onlooker};

/// How often a property is run alone whose run named no replay handle, until its recorded input comes up.
const ATTEMPTS: usize = 8;

/// A failure whose value is to be made again.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) failure: &'a Failure,
    pub(super) requirement: Option<&'a RequirementId>,
    pub(super) today: &'a str,
}

impl Workshop<'_> {
    /// What a run of the property of `subject` writes down of how its value is made; or why it cannot.
    ///
    /// # Errors
    /// Where the copies cannot be written or the command cannot be started.
    pub(super) fn record(
        &self,
        framework: &dyn Framework,
        subject: &Subject<'_>,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Result<String, Refusal>, TriageError> {
        let copy = match self.instrumented(framework)? {
            Ok(copy) => copy,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let scratch = self.scratch();
        let records = scratch.records()?;
        let (copy, records) = (copy.to_string_lossy(), records.to_string_lossy());
        let places = CopyPlaces { copy: &copy, records: &records };
        let target = Some(scratch.target_apart().to_string_lossy().into_owned());
        let manner = Manner { target, ..self.manner().clone() };
        let has_handle = matches!(subject.failure.replay, Replay::NewSeed { .. });
        let attempts = if has_handle { 1 } else { ATTEMPTS };
        for attempt in 0..attempts {
            if attempt > 0 {
                scratch.records()?;
            }
            let recording = match framework.recording(subject.failure, self.tree(), &manner, &places, attempt) {
                Ok(recording) => recording,
                Err(refusal) => return Ok(Err(refusal)),
            };
            let files: Vec<_> = recording.files.into_iter().map(|(path, text)| (path, text.into_bytes())).collect();
            scratch.mirror_apart(self.files(), &files)?;
            let desk = Desk { top: scratch.apart(), ..self.desk().clone() };
            let line = recording.run.command.join(" ");
            desk.start(&recording.run, &desk.top.join(&recording.run.folder), &line, onlooker)?;
            let told = scratch.recorded();
            // A run that left nothing was not built, and will not be the next time.
            if told.is_empty() && attempt == 0 || framework.is_recorded(subject.failure, &told, self.tree()) {
                break;
            }
        }
        Ok(Ok(scratch.recorded()))
    }

    /// The folder of the instrumented copy of the library, made for the first that asks; or why there can be none.
    fn instrumented(&self, framework: &dyn Framework) -> Result<Result<PathBuf, Refusal>, TriageError> {
        if let Some(made) = self.copies.borrow().get(framework.name()) {
            return Ok(made.clone());
        }
        let made = self.instrument(framework)?;
        self.copies.borrow_mut().insert(framework.name(), made.clone());
        Ok(made)
    }

    fn instrument(&self, framework: &dyn Framework) -> Result<Result<PathBuf, Refusal>, TriageError> {
        let scratch = self.scratch();
        scratch.mirror_apart(self.files(), &[])?;
        let told = runner::printed(framework.recorder_command(), &scratch.apart());
        let Some(folder) = framework.recorder_folder(&told) else {
            let library = framework.recorder().unwrap_or("its library");
            return Ok(Err(Refusal(format!("{library} is not from a registry, so that no copy can take its place"))));
        };
        let package = Package::open(Path::new(&folder));
        let changed = match framework.instrumented(&package) {
            Ok(changed) => changed,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let changed: Vec<_> = changed.into_iter().map(|(path, text)| (path, text.into_bytes())).collect();
        if !scratch.has_built_apart()
            && let Some(layout) = layout(framework, &scratch.apart())
        {
            scratch.seed_apart(&layout.own);
        }
        Ok(Ok(scratch.library(&package, &changed)?))
    }
}
