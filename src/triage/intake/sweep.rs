//! A sweep: the user's tests run deep, whole or in part, what fails in the inbox, and a run file that another machine can import.
//! What is known of a sweep is kept, of this machine's own and of those whose run files are read.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::failure::Notice;
use crate::framework::CATALOGUE;
use crate::inbox::{FailureId, Filed};
use crate::invocation::Invocation;
use crate::settings::Settings;
use crate::store::sweeps;
use crate::sweep::{self, Depth, Shard, Sweep};
use crate::triage::{Triage, TriageError};

use super::run_tests::{Ran, Witness, name, not_kept};

/// What a user asks of a sweep.
#[derive(Clone, Debug)]
pub struct SweepWish {
    /// What it is called.
    pub name: String,
    /// Cases of each property, where the user says.
    pub cases: Option<u64>,
    /// The shard, where it is split.
    pub shard: Option<Shard>,
    /// The run file.
    pub out: Option<PathBuf>,
    /// The command.
    pub command: Vec<OsString>,
}

/// A sweep that came to its end.
#[derive(Debug)]
pub struct Swept {
    /// What is known of it.
    pub sweep: Sweep,
    /// Its run.
    pub ran: Ran,
    /// Whether its run file was asked for and is there.
    pub is_written: bool,
}

/// A run file that was read.
#[derive(Debug)]
pub(super) struct Part {
    /// The run.
    pub(super) run: String,
    /// What its first line tells.
    pub(super) sweep: Sweep,
}

impl Triage {
    /// Runs the tests deep and reads their failures into the inbox.
    ///
    /// # Errors
    /// Where the command cannot be run or split, or the inbox cannot be written.
    pub fn sweep(&mut self, wish: &SweepWish, witness: &mut dyn Witness) -> Result<Swept, TriageError> {
        let (cases, mut notices) = self.cases(wish);
        let depth = Depth { cases, shard: wish.shard };
        let (invocation, is_deep) = self.deepened(&wish.command, depth)?;
        if !is_deep {
            notices.push(not_deep(&wish.command));
        }
        let (began, when, commit) = ((self.now)(), self.timestamp(), self.commit());
        let (mut ran, finished) = self.run_invocation(&wish.command, &invocation, witness)?;
        let took = (self.now)().duration_since(began).as_millis();
        let sweep = Sweep {
            name: wish.name.clone(),
            when: when.clone(),
            command: name(&wish.command),
            commit,
            cases,
            of: wish.shard.map_or(1, |shard| shard.of),
            shards: [(wish.shard.map_or(1, |shard| shard.number), when)].into(),
            properties: sweep::properties(&finished.bytes),
            failures: ran.imported.failures.len() as u64,
            new: ran.imported.new as u64,
            known: ran.imported.known as u64,
            milliseconds: u64::try_from(took).unwrap_or_default(),
            exit: ran.code,
        };
        let written = wish.out.as_deref().map(|path| (path, finished.keep(path, &sweep.head())));
        let is_written = matches!(written, Some((_, Ok(()))));
        if let Some((path, Err(error))) = written {
            notices.push(not_kept(path, &error));
        }
        ran.imported.notices.splice(0..0, notices);
        sweeps::keep(&self.store_folder(), std::slice::from_ref(&sweep))?;
        Ok(Swept { sweep, ran, is_written })
    }

    /// The sweeps that are known, in the order in which they began; the shards of one are one.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn sweeps(&self) -> Result<Vec<Sweep>, TriageError> {
        Ok(sweep::fold(sweeps::kept(&self.store_folder())?))
    }

    /// How many cases are run, and what is wrong with the settings.
    fn cases(&self, wish: &SweepWish) -> (u64, Vec<Notice>) {
        let (settings, notices) = match Settings::read(&self.work_tree()) {
            Ok(settings) => (settings, Vec::new()),
            Err(text) => {
                (Settings::default(), vec![Notice { file: crate::settings::FILE.to_owned(), line: None, text }])
            }
        };
        (wish.cases.or(settings.sweep.cases).unwrap_or(sweep::CASES), notices)
    }

    /// What is started, and whether anybody knows how to make it deep.
    fn deepened(&self, command: &[OsString], depth: Depth) -> Result<(Invocation, bool), TriageError> {
        let (mut invocation, answers) = self.invocation(command);
        let (mut is_deep, mut refused) = (false, None);
        for (framework, answer) in CATALOGUE.iter().zip(answers) {
            match framework.sweeping().map(|sweeping| sweeping.deepen(&mut invocation, depth, answer.as_deref())) {
                Some(Ok(is_ours)) => is_deep |= is_ours,
                Some(Err(why)) => refused = refused.or(Some(why)),
                None => {}
            }
        }
        match refused {
            Some(why) => Err(TriageError::NoShard(why)),
            None if !is_deep && depth.shard.is_some() => Err(TriageError::NoShard(UNKNOWN.to_owned())),
            None => Ok((invocation, is_deep)),
        }
    }
}

const UNKNOWN: &str = "the command is none of a test runner that redpin knows; name the runner's own command";

/// What to say of a command that is run as it is.
fn not_deep(command: &[OsString]) -> Notice {
    let text =
        "nothing is known of how this command runs its tests; it may have run no more cases than without a sweep";
    Notice { file: crate::visible::line(&name(command)).into_owned(), line: None, text: text.to_owned() }
}

/// Keeps in `folder` what the first lines of run files tell that were read.
pub(super) fn note(
    parts: &[Part],
    shown: &[(FailureId, Vec<String>)],
    new: &HashSet<FailureId>,
    folder: &Path,
) -> Result<Vec<Notice>, TriageError> {
    let counted = parts.iter().map(|part| {
        let ids = shown.iter().filter(|(_, runs)| runs.contains(&part.run)).map(|(id, _)| id);
        let (new, known): (Vec<&FailureId>, Vec<_>) = ids.partition(|id| new.contains(*id));
        Sweep { new: new.len() as u64, known: known.len() as u64, ..part.sweep.clone() }
    });
    let whole = sweep::fold(counted.collect());
    sweeps::keep(folder, &whole)?;
    Ok(whole.iter().filter_map(missing).collect())
}

/// The runs that show a failure.
pub(super) fn runs_of(filed: &Filed) -> Vec<String> {
    filed.occurrences.iter().map(|occurrence| occurrence.origin.run.clone()).collect()
}

/// What to say of a sweep of which shards are missing.
fn missing(sweep: &Sweep) -> Option<Notice> {
    let missing: Vec<String> = sweep.missing().iter().map(|number| format!("{number}/{}", sweep.of)).collect();
    (!missing.is_empty()).then(|| Notice {
        file: crate::visible::line(&sweep.command).into_owned(),
        line: None,
        text: format!("of this sweep not all shards were read; missing here: {}", missing.join(", ")),
    })
}

/// What to call runs that are the shards of one sweep: as the sweep itself is called.
pub(super) fn label(parts: &[Part], runs: usize) -> Option<String> {
    let whole = sweep::fold(parts.iter().map(|part| part.sweep.clone()).collect());
    let [one] = &whole[..] else { return None };
    (runs == parts.len()).then(|| one.command.clone())
}
