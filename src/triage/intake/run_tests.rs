//! The user's own tests, run from here, with what frameworks do to the command: their failures are read while they come and are in the inbox at the end.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::Path;

use crate::failure::Notice;
use crate::framework::{CATALOGUE, Framework};
use crate::inbox::{FailureId, Filed};
use crate::invocation::Invocation;
use crate::run_output::RunOutput;
use crate::runner::{Finished, Running, Watch, answer};
use crate::source_tree::SourceTree;
use crate::store::manner;
use crate::triage::records::record::Records;
use crate::triage::{Imported, Triage, TriageError};
use crate::visible;

use super::look::Known;
use super::reading::Reader;

/// Sees a run of the tests as it goes.
pub trait Witness {
    /// Output for the user, as the tests wrote it.
    fn output(&mut self, bytes: &[u8]);

    /// A failure that the run had not shown before, with what is known of it.
    fn failure(&mut self, filed: &Filed);
}

/// A run of the tests that came to its end.
#[derive(Debug)]
pub struct Ran {
    /// What it showed.
    pub imported: Imported,
    /// The exit status of the command, as a shell tells it.
    pub code: i32,
    /// Whether redpin itself is to end.
    pub ends_us: bool,
}

impl Triage {
    /// Runs the tests and reads their failures into the inbox. What they print and hand over is written to `keep` as well,
    /// where one is named.
    ///
    /// # Errors
    /// Where the command cannot be run, or the inbox cannot be written.
    pub fn run_tests(
        &mut self,
        command: &[OsString],
        keep: Option<&Path>,
        witness: &mut dyn Witness,
    ) -> Result<Ran, TriageError> {
        let (invocation, _) = self.invocation(command);
        let (mut ran, finished) = self.run_invocation(command, &invocation, witness)?;
        if let Some((path, Err(error))) = keep.map(|path| (path, finished.keep(path, &[]))) {
            ran.imported.notices.push(not_kept(path, &error));
        }
        Ok(ran)
    }

    /// Runs what `invocation` says, which the user typed as `command`, and reads its failures into the inbox.
    pub(super) fn run_invocation(
        &mut self,
        command: &[OsString],
        invocation: &Invocation,
        witness: &mut dyn Witness,
    ) -> Result<(Ran, Finished), TriageError> {
        let (tree, now) = (self.repository.work_tree(), self.timestamp());
        let words: Vec<&str> = command.iter().filter_map(|word| word.to_str()).collect();
        let said = |framework: &&dyn Framework| framework.building()?.arguments(&words, &self.directory);
        if let Some(arguments) = CATALOGUE.iter().find_map(said) {
            manner::keep(&self.store_folder(), &arguments)?;
        }
        for framework in CATALOGUE {
            if let Some(said) = framework.said(&words) {
                manner::keep_said(&self.store_folder(), framework.name(), &said)?;
            }
        }
        let running = Running::start(invocation, &self.directory, self.spool_folder())?;
        let name = name(command);
        let records = Records::list(&tree).with(&self.evidence());
        self.look_again()?;
        let known = Known::new(self.inbox(), &records);
        let mut following = Following { tree: &tree, now: &now, name: &name, known, seen: HashSet::new(), witness };
        let mut finished = running.follow(&mut following)?;
        let (code, ends_us) = (finished.code, finished.ends_us());
        let run = RunOutput::new(&name, &finished.bytes);
        for framework in CATALOGUE {
            if let Some(said) = framework.capturing().and_then(|capturing| capturing.ran_by(command, &run)) {
                manner::keep_said(&self.store_folder(), framework.name(), &said)?;
            }
        }
        // The tests may have changed what is in the work tree: their seeds, files they generate.
        let tree = self.repository.work_tree();
        let mut reader = Reader::new(&tree, now);
        reader.read(&run);
        let mut found = reader.finish();
        found.notices.extend(finished.cut.take().map(|error| cut_off(&name, finished.bytes.len(), &error)));
        let taken = self.take_in(found, &Records::list(&tree).with(&self.evidence()));
        let imported = taken.map_err(|error| TriageError::AfterRun { code, cause: Box::new(error) })?;
        Ok((Ran { imported, code, ends_us }, finished))
    }
}

impl Triage {
    /// What is started for the command that the user typed, and what was asked for it, framework by framework.
    pub(super) fn invocation(&self, command: &[OsString]) -> (Invocation, Vec<Option<String>>) {
        let mut invocation = Invocation::of(command);
        let folder = self.capture_folder();
        let answers = CATALOGUE.iter().map(|framework| {
            let capturing = framework.capturing()?;
            let answer = capturing.question(command).and_then(|asked| answer(&asked, &self.directory));
            capturing.widen(&mut invocation, answer.as_deref(), &folder);
            answer
        });
        let answers = answers.collect();
        (invocation, answers)
    }
}

/// What to say of a run that could not be kept.
pub(super) fn not_kept(path: &Path, error: &std::io::Error) -> Notice {
    let file = visible::line(&path.to_string_lossy()).into_owned();
    Notice {
        file,
        line: None,
        text: format!("the run could not be kept here: {error}; what failed in it is in the inbox"),
    }
}

/// What to say of a run of which the disk took only the beginning.
fn cut_off(name: &str, kept: usize, error: &std::io::Error) -> Notice {
    let text = format!(
        "only the first {kept} bytes of its output were kept and read: {error}; make room and run it again, as failures may be \
         missing"
    );
    Notice { file: visible::line(name).into_owned(), line: None, text }
}

/// The command as one line: what the run is called.
pub(super) fn name(command: &[OsString]) -> String {
    let words: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

/// Reads what has come so far, and tells what is new in it.
struct Following<'a> {
    tree: &'a dyn SourceTree,
    now: &'a str,
    name: &'a str,
    known: Known<'a>,
    seen: HashSet<FailureId>,
    witness: &'a mut dyn Witness,
}

impl Watch for Following<'_> {
    fn show(&mut self, bytes: &[u8]) {
        self.witness.output(bytes);
    }

    fn kept(&mut self, so_far: &[u8]) {
        let mut reader = Reader::new(self.tree, self.now.to_owned());
        reader.read(&RunOutput::new(self.name, so_far));
        for filed in reader.finish().filed {
            if self.seen.insert(filed.id.clone()) {
                self.witness.failure(&self.known.marked(filed));
            }
        }
    }
}
