//! How values were made, seen: the failing properties run against an instrumented copy of their library, which writes it
//! down. All of a test program run together; those of which that tells nothing, each alone.

use std::time::Duration;

use crate::cause;
use crate::failure::{Caveat, Failure, Replay};
use crate::framework::{CATALOGUE, Case, CopyPlaces, Framework, LibraryCopy, Recorder, Recording};
use crate::pin::Refusal;
use crate::proof::{Manner, PinState, StandingPin};
use crate::repo_path::RepoPath;
use crate::requirement::RequirementId;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;
use crate::threads::apart;
use crate::triage::TriageError;

use super::instrumented::{Copied, Instrumented};
use super::workshop::Workshop;
use super::{Desk, Onlooker, Ran};

/// How often a property is run alone whose run named no replay handle, until its recorded input comes up.
const ATTEMPTS: usize = 8;

/// A failure whose value is to be made again.
pub(super) struct Subject<'a> {
    pub(super) framework: &'static dyn Framework,
    pub(super) recorder: &'static dyn Recorder,
    pub(super) failure: &'a Failure,
    pub(super) requirement: Option<&'a RequirementId>,
    pub(super) today: &'a str,
    /// A pin of it as it would stand.
    pub(super) blank: StandingPin,
}

/// What was recorded of a property.
#[derive(Clone, Debug, Default)]
pub(super) struct Recorded {
    /// The record.
    pub(super) record: String,
    /// The failure as it came up instead, with another input of the same cause.
    pub(super) instead: Option<Failure>,
}

/// What a run together with others told of a property.
struct Told {
    record: String,
    state: PinState,
    /// How many were run.
    run: usize,
    /// The same with another input of the same cause.
    instead: Option<Recorded>,
}

/// The folders of a recording, as commands are given them.
struct Folders {
    copy: Option<Copied>,
    records: String,
    manner: Manner,
    /// Files that stand in the place of the repository's.
    files: Vec<(RepoPath, Vec<u8>)>,
    /// How long a command may take, where that is shorter than it is for others.
    limit: Option<Duration>,
    /// Whether it is built apart from what pins are built in.
    is_apart: bool,
}

impl Workshop<'_> {
    /// What runs of the properties of `subjects` write down of how their values are made, or why they cannot: one each, in
    /// their order.
    ///
    /// # Errors
    /// Where the copies cannot be written or a command cannot be started.
    pub(super) fn record(
        &self,
        subjects: &[Subject<'_>],
        onlooker: &mut dyn Onlooker,
    ) -> Result<Vec<Result<Recorded, Refusal>>, TriageError> {
        let mut records = vec![Ok(Recorded::default()); subjects.len()];
        for framework in CATALOGUE {
            let own = of_framework(subjects, *framework);
            let Some(recorder) = framework.recorder().filter(|_| !own.is_empty()) else { continue };
            let folders = match self.folders_for(*framework, recorder, onlooker)? {
                Ok(folders) => folders,
                Err(refusal) => {
                    own.into_iter().for_each(|at| records[at] = Err(refusal.clone()));
                    continue;
                }
            };
            let of_it: Vec<&Subject<'_>> = own.iter().map(|at| &subjects[*at]).collect();
            let told = self.together(*framework, recorder, &of_it, &folders, onlooker)?;
            let told = with_whole(&of_it, told, self.tree());
            for ((at, subject), (told, is_whole)) in own.into_iter().zip(of_it).zip(told) {
                records[at] = match is_whole || told.is_final() {
                    true => Ok(told.of_own_input(subject)),
                    false => self.recorded(subject, told, &folders, onlooker)?,
                };
            }
        }
        Ok(records)
    }

    /// What runs of the properties of `subjects` tell of the very inputs of these, one record each where one does. All of a
    /// test program run once and together, for no longer than `limit`: what is not found then is not missed.
    ///
    /// # Errors
    /// As [`Workshop::record`].
    pub(super) fn seek(
        &self,
        subjects: &[Subject<'_>],
        limit: Duration,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Vec<Option<String>>, TriageError> {
        let mut found = vec![None; subjects.len()];
        for framework in CATALOGUE {
            let own = of_framework(subjects, *framework);
            let Some(recorder) = framework.recorder().filter(|_| !own.is_empty()) else { continue };
            let Ok(folders) = self.folders_for(*framework, recorder, onlooker)? else { continue };
            let folders = Folders { limit: Some(limit), ..folders };
            let of_it: Vec<&Subject<'_>> = own.iter().map(|at| &subjects[*at]).collect();
            let told = self.together(*framework, recorder, &of_it, &folders, onlooker)?;
            let told = with_whole(&of_it, told, self.tree());
            for (at, (told, is_whole)) in own.into_iter().zip(told) {
                found[at] = is_whole.then_some(told.record);
            }
        }
        Ok(found)
    }

    /// The folders in which `recorder` has properties run; why there are none, where its library cannot be instrumented.
    fn folders_for(
        &self,
        framework: &'static dyn Framework,
        recorder: &dyn Recorder,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Result<Folders, Refusal>, TriageError> {
        let Some(library) = recorder.library() else { return self.folders_here().map(Ok) };
        match self.instrumented(framework, library, onlooker.stop())? {
            Ok(library) => self.folders(&library).map(Ok),
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    fn folders(&self, library: &Instrumented) -> Result<Folders, TriageError> {
        let scratch = self.scratch();
        let target = Some(scratch.target_apart().to_string_lossy().into_owned());
        Ok(Folders {
            copy: library.copy.clone(),
            records: scratch.records()?.to_string_lossy().into_owned(),
            manner: Manner { target, ..self.manner().clone() },
            files: library.files.clone(),
            limit: None,
            is_apart: true,
        })
    }

    /// The same where no library is instrumented: what is run stands in the scratch copy itself.
    fn folders_here(&self) -> Result<Folders, TriageError> {
        let records = self.scratch().records()?.to_string_lossy().into_owned();
        Ok(Folders {
            copy: None,
            records,
            manner: self.manner().clone(),
            files: Vec::new(),
            limit: None,
            is_apart: false,
        })
    }

    /// What is told of each where those of a test program run at once.
    fn together(
        &self,
        framework: &dyn Framework,
        recorder: &dyn Recorder,
        subjects: &[&Subject<'_>],
        folders: &Folders,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Vec<Told>, TriageError> {
        let nothing = || Told { record: String::new(), state: PinState::Missing, run: 0, instead: None };
        let mut told: Vec<Told> = subjects.iter().map(|_| nothing()).collect();
        let failures: Vec<&Failure> = subjects.iter().map(|subject| subject.failure).collect();
        let recordings = recorder.recordings(&failures, self.tree(), &folders.manner, &folders.places());
        for recording in recordings {
            let ran = self.run_apart(&recording, folders, onlooker)?;
            let (record, run) = (self.scratch().recorded(), &recording.run.pins);
            let pins: Vec<&StandingPin> = run.iter().map(|at| &subjects[*at].blank).collect();
            let line = recording.run.command.join(" ");
            let proofs = framework.proofs(&RunOutput::new(&line, &ran.output), &pins, self.tree());
            for (at, proof) in run.iter().zip(proofs) {
                // One that ran alone needs no name to be told by.
                let own = if run.len() == 1 { record.clone() } else { recorder.record_of(failures[*at], &record) };
                let instead = self.instead(subjects[*at], &ran, &line, &own);
                told[*at] = Told { record: own, state: proof.state, run: run.len(), instead };
            }
        }
        Ok(told)
    }

    /// The record that one property leaves alone, where what it left among others is not all.
    fn recorded(
        &self,
        subject: &Subject<'_>,
        told: Told,
        folders: &Folders,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Result<Recorded, Refusal>, TriageError> {
        let Subject { recorder, failure, .. } = *subject;
        let is_whole = |record: &str| recorder.is_recorded(failure, record, self.tree());
        let mut instead = told.instead;
        let has_handle = matches!(failure.replay, Replay::NewSeed { .. });
        let first = usize::from(!told.record.is_empty());
        // Once more where the handle led elsewhere: only then is it known whether it does so each time.
        let handle_runs = if instead.is_none() && !was_cut_off(failure) { 1 + first } else { 1 };
        let mut record = told.record;
        for attempt in first..if has_handle { handle_runs } else { ATTEMPTS } {
            let recording = match recorder.recording(failure, self.tree(), &folders.manner, &folders.places(), attempt)
            {
                Ok(recording) => recording,
                Err(refusal) => return Ok(Err(refusal)),
            };
            let ran = self.run_apart(&recording, folders, onlooker)?;
            let earlier = std::mem::take(&mut record);
            record = self.scratch().recorded();
            if has_handle {
                record.insert_str(0, &earlier);
            }
            instead = instead.or_else(|| self.instead(subject, &ran, &recording.run.command.join(" "), &record));
            // A run that left nothing was not built, and will not be the next time.
            if record.is_empty() && attempt == 0 || is_whole(&record) {
                break;
            }
        }
        Ok(Ok(match instead {
            Some(instead) if !is_whole(&record) || was_cut_off(failure) => instead,
            _ => Recorded { record, instead: None },
        }))
    }

    /// What `record` tells where another input of the same cause came up: instead of the run's own where that named no replay
    /// handle, or after it where shrinking went on that the run had cut off.
    fn instead(&self, subject: &Subject<'_>, ran: &Ran, line: &str, record: &str) -> Option<Recorded> {
        let Subject { framework, recorder, failure, .. } = *subject;
        let is_final = matches!(failure.replay, Replay::NewSeed { .. }) && !was_cut_off(failure);
        if is_final || record.is_empty() {
            return None;
        }
        let told = framework.read(&RunOutput::new(line, &ran.output)).failures;
        let came = told.into_iter().find(|one| one.test == failure.test && !one.counterexample.text.is_empty())?;
        let property = framework.property(&came, self.tree()).filter(|_| !came.panicked);
        let came = Failure { own_message: property.and_then(|property| property.own_message), ..came };
        // Said of where the run had ended, not of where shrinking went from there.
        let caveats = came.caveats.iter().copied().filter(|caveat| *caveat != Caveat::NotMinimal).collect();
        let instead = Failure {
            counterexample: came.counterexample.clone(),
            message: came.message.clone(),
            site: came.site.clone(),
            caveats,
            ..failure.clone()
        };
        let is_other = !was_cut_off(failure) || came.counterexample.text != failure.counterexample.text;
        let holds = is_other && cause::is_again(failure, &came) && recorder.is_recorded(&instead, record, self.tree());
        holds.then(|| Recorded { record: record.to_owned(), instead: Some(instead) })
    }

    /// Runs the command of a recording, with nothing recorded before.
    fn run_apart(
        &self,
        recording: &Recording,
        folders: &Folders,
        onlooker: &mut dyn Onlooker,
    ) -> Result<Ran, TriageError> {
        self.scratch().records()?;
        if !folders.is_apart {
            return self.start(recording, onlooker);
        }
        let own = recording.files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes()));
        let files: Vec<_> = folders.files.iter().cloned().chain(own).collect();
        self.scratch().mirror_apart(self.files(), &files)?;
        let mut desk = Desk { top: self.scratch().apart(), ..self.desk().clone() };
        desk.config.limit = folders.limit.map_or(desk.config.limit, |limit| limit.min(desk.config.limit));
        desk.start_in_folder(&recording.run, onlooker)
    }
}

impl<'a> Subject<'a> {
    /// What its pin is made from.
    pub(super) fn case<'b>(&'b self, failure: &'b Failure, tree: &'b dyn SourceTree) -> Case<'b> {
        Case { failure, requirement: self.requirement, tree, today: self.today }
    }
}

/// Which of `subjects` are the framework's, by their place.
fn of_framework(subjects: &[Subject<'_>], framework: &dyn Framework) -> Vec<usize> {
    (0..subjects.len()).filter(|at| subjects[*at].framework.name() == framework.name()).collect()
}

/// What was told of each, with whether that is all of its recorded input.
fn with_whole(subjects: &[&Subject<'_>], told: Vec<Told>, tree: &dyn SourceTree) -> Vec<(Told, bool)> {
    let is_whole = |(subject, told): (&&Subject<'_>, Told)| {
        let is_whole = subject.recorder.is_recorded(subject.failure, &told.record, tree);
        (told, is_whole)
    };
    apart(|| subjects.iter().zip(told).map(is_whole).collect())
}

impl Told {
    /// The record of the input of `subject` itself, and with it the smaller one that shrinking led to which went on.
    fn of_own_input(self, subject: &Subject<'_>) -> Recorded {
        let further = self.instead.filter(|_| was_cut_off(subject.failure));
        Recorded { record: self.record, instead: further.and_then(|further| further.instead) }
    }

    /// Whether another run would tell no more: nothing was built, or it ran by itself or to a good end and left nothing.
    fn is_final(&self) -> bool {
        let ran_well = self.run == 1 || self.state == PinState::Green;
        self.state == PinState::DoesNotBuild || self.record.is_empty() && ran_well
    }
}

/// Whether the run left off shrinking before its end.
fn was_cut_off(failure: &Failure) -> bool {
    failure.caveats.contains(&Caveat::NotMinimal)
}

impl Folders {
    fn places(&self) -> CopyPlaces<'_> {
        let copy =
            self.copy.as_ref().map(|copy| LibraryCopy { folder: &copy.folder, is_of_registry: copy.is_of_registry });
        CopyPlaces { copy, records: &self.records }
    }
}
