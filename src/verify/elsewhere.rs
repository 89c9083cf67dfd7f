//! Pins put into another commit, whose files take the place of the work tree's in the scratch copy.

use std::collections::BTreeMap;

use crate::contract::Seeded;
use crate::edit::Edits;
use crate::failure::Notice;
use crate::framework::{self, Generated, Recording};
use crate::git::{Commit, Repository};
use crate::pin::Refusal;
use crate::proof::{PinState, Proof, StandingPin};
use crate::repo_path::RepoPath;
use crate::scratch::Checkout;
use crate::source_tree::{Overlaid, SourceTree};
use crate::triage::TriageError;

use super::seeded::Came;
use super::seeds::{self, generated};
use super::values::{Made, Version, made};
use super::workshop::{Workshop, build_files, led_out};
use super::{Aside, Desk, Onlooker, Proved, Ran};

/// Another commit with pins in it.
pub(super) struct Elsewhere<'w, 'a> {
    workshop: &'w Workshop<'a>,
    checkout: Checkout,
    /// The files that differ from the commit's, or are there besides.
    files: Vec<(RepoPath, Vec<u8>)>,
    desk: Desk,
    /// The pins as they stand there, or why they do not.
    grafted: Vec<Result<StandingPin, Refusal>>,
    /// What the user should know of it.
    pub(super) notices: Vec<Notice>,
}

impl<'w, 'a> Elsewhere<'w, 'a> {
    /// `pins` in `commit`.
    ///
    /// # Errors
    /// Where the commit's files cannot be written.
    pub(super) fn stand(
        workshop: &'w Workshop<'a>,
        commit: &Commit,
        pins: &[StandingPin],
        repository: &Repository,
    ) -> Result<Elsewhere<'w, 'a>, TriageError> {
        let (folder, index) = workshop.scratch().base(&commit.id)?;
        let written = repository.check_out(&commit.id, &index, &folder)?;
        let checkout = Checkout::new(folder, index, written.files);
        let notice = |path: &RepoPath| Notice {
            file: path.as_str().to_owned(),
            line: None,
            text: format!("is a submodule, and its files are not there at {}", commit.short),
        };
        let notices = written.submodules.iter().map(notice).collect();
        let mut files = brought(workshop, &checkout);
        files.extend(led_out(&checkout, checkout.files(), workshop.scratch().origin()));
        let grafted = pins.iter().map(|pin| grafted(workshop, pin, &checkout, &mut files)).collect();
        let desk = Desk { commit: format!("{}+", commit.id), elsewhere: true, ..workshop.desk().clone() };
        Ok(Elsewhere { workshop, checkout, files, desk, grafted, notices })
    }

    /// How `pins` come out there: the same ones.
    ///
    /// # Errors
    /// Where the scratch copy cannot be written or a command cannot be started.
    pub(super) fn prove(&self, pins: &[StandingPin], onlooker: &mut dyn Onlooker) -> Result<Proved, TriageError> {
        let placed: Vec<StandingPin> = self.grafted.iter().filter_map(|pin| pin.as_ref().ok()).cloned().collect();
        let mut proved = self.run(&placed, &self.files, onlooker)?;
        let mut run = std::mem::take(&mut proved.proofs).into_iter();
        for (pin, grafted) in pins.iter().zip(&self.grafted) {
            let proof = match grafted {
                Ok(_) => run.next().unwrap_or_else(|| Proof::plain(PinState::Missing)),
                Err(reason) => {
                    let proof = Proof { message: reason.0.clone(), ..Proof::plain(PinState::Missing) };
                    onlooker.proved(pin, &proof);
                    proof
                }
            };
            proved.proofs.push(proof);
        }
        Ok(proved)
    }

    /// What those of the pins that are `asked` make of their values there, one each; nothing of those that need no other code
    /// for it.
    ///
    /// # Errors
    /// As [`Elsewhere::prove`].
    pub(super) fn made(&self, asked: &[bool], onlooker: &mut dyn Onlooker) -> Result<Vec<Option<Made>>, TriageError> {
        let mut told = vec![None; self.grafted.len()];
        let makes_value = |at: &usize| self.grafted[*at].as_ref().is_ok_and(|pin| pin.makes_value);
        let places: Vec<usize> = (0..told.len()).filter(|at| asked[*at]).filter(makes_value).collect();
        let pins: Vec<&StandingPin> = places.iter().filter_map(|at| self.grafted[*at].as_ref().ok()).collect();
        let version = Version { from: self.workshop.tree(), onto: &self.checkout, files: &self.files };
        let mut aside = Aside(onlooker);
        let mut run =
            |tests: &[StandingPin], files: &[(RepoPath, Vec<u8>)]| Ok(self.run(tests, files, &mut aside)?.proofs);
        let made = made(&pins, &version, &mut run)?;
        places.into_iter().zip(made).for_each(|(at, made)| told[at] = made);
        Ok(told)
    }

    /// What the handles come to there of pins that are nothing else, one each.
    ///
    /// # Errors
    /// As [`Elsewhere::prove`].
    pub(super) fn generated(&self, onlooker: &mut dyn Onlooker) -> Result<Vec<Option<Generated>>, TriageError> {
        let version = Overlaid { tree: &self.checkout, files: &self.files };
        let mut start = |recording: &Recording| self.start(recording, &mut Aside(onlooker));
        let told = |pin: &Result<StandingPin, Refusal>| match pin {
            Ok(pin) if seeds::is_all(pin) => generated(pin, &version, self.workshop.manner(), &mut start),
            _ => Ok(None),
        };
        self.grafted.iter().map(told).collect()
    }

    /// How `properties` come out there with their seeds, one each.
    ///
    /// # Errors
    /// As [`Elsewhere::prove`], but that a command cannot be started.
    pub(super) fn run_seeded(
        &self,
        properties: &[Seeded],
        onlooker: &mut dyn Onlooker,
    ) -> Result<Vec<Came>, TriageError> {
        self.workshop.scratch().stand_at(&self.checkout, &self.files)?;
        self.desk.run_seeded(properties, &Overlaid { tree: &self.checkout, files: &self.files }, onlooker)
    }

    fn start(&self, recording: &Recording, onlooker: &mut dyn Onlooker) -> Result<Ran, TriageError> {
        let own = recording.files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes()));
        let is_other = |file: &&(RepoPath, Vec<u8>)| recording.files.iter().all(|(path, _)| *path != file.0);
        let files: Vec<_> = self.files.iter().filter(is_other).cloned().chain(own).collect();
        self.workshop.scratch().stand_at(&self.checkout, &files)?;
        self.desk.start_in_folder(&recording.run, onlooker)
    }

    fn run(
        &self,
        pins: &[StandingPin],
        files: &[(RepoPath, Vec<u8>)],
        onlooker: &mut dyn Onlooker,
    ) -> Result<Proved, TriageError> {
        self.workshop.scratch().stand_at(&self.checkout, files)?;
        self.desk.prove(pins, &Overlaid { tree: &self.checkout, files }, onlooker)
    }
}

/// The pin as it stands among `files` of another version once it is put there.
fn grafted(
    workshop: &Workshop<'_>,
    pin: &StandingPin,
    checkout: &Checkout,
    files: &mut Vec<(RepoPath, Vec<u8>)>,
) -> Result<StandingPin, Refusal> {
    let unknown = || Refusal(format!("this redpin does not know the framework {:?}", pin.framework.0));
    let version = Overlaid { tree: checkout, files };
    let graft = framework::named(&pin.framework).ok_or_else(unknown)?.graft(pin, workshop.tree(), &version)?;
    let mut edits: BTreeMap<RepoPath, Edits> = BTreeMap::new();
    for (file, more) in graft.edits {
        edits.entry(file).or_default().join(more).map_err(|overlap| Refusal(overlap.to_string()))?;
    }
    let applied = |(file, edits): (RepoPath, Edits)| {
        let text = edits.apply(&version.read(&file).unwrap_or_default());
        (file, text)
    };
    let changed: Vec<(RepoPath, Vec<u8>)> = edits.into_iter().map(applied).collect();
    if let Some((file, _)) = changed.iter().find(|(file, _)| !checkout.may_hold(file)) {
        return Err(Refusal(format!("{file} is behind a link there")));
    }
    files.retain(|(file, _)| changed.iter().all(|(other, _)| other != file));
    files.extend(changed);
    Ok(StandingPin { file: Some(graft.file), ..pin.clone() })
}

/// The files of the work tree that builds go by though git does not keep them, where a commit has none in their place.
fn brought(workshop: &Workshop<'_>, checkout: &Checkout) -> Vec<(RepoPath, Vec<u8>)> {
    let names: Vec<&str> = build_files().collect();
    let is_one = |path: &str| names.iter().any(|name| path == *name || path.ends_with(&format!("/{name}")));
    let tracked = workshop.tree().tracked(&is_one);
    let kept = workshop.files().iter().filter(|file| is_one(file.as_str()) && !tracked.contains(file));
    kept.filter(|file| !checkout.exists(file) && checkout.may_hold(file))
        .filter_map(|file| Some((file.clone(), workshop.tree().read(file)?.to_vec())))
        .collect()
}
