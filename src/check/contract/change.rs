//! Changes to the contract's file, each staged as one operation that can be taken back.

use std::path::{Component, Path, PathBuf};

use crate::contract::{self, Contract, Day, FILE, Renewal};
use crate::edit::{Edits, TextEdit};
use crate::pin::Refusal;
use crate::repo_path::RepoPath;
use crate::source_tree::SourceTree;
use crate::span::Span;
use crate::triage::{Recorded, Triage, TriageError};

use super::fixtures::{digest, digest_of};
use crate::check::stated::{is_spec, requirements};

/// What is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change<'a> {
    /// The files that the user calls so keep their bytes from here on.
    AddFixtures(&'a [PathBuf]),
    /// A test is set aside.
    Quarantine(Renewal<'a>),
    /// A test is set aside for longer.
    Renew(Renewal<'a>),
    /// The contract takes this day for today.
    Today(Day),
}

/// Starts a contract on the day `today`, in the file that the user calls `named`: the spec files are its fixtures. One that is
/// there is never written over.
///
/// # Errors
/// Where git, the disk or the inbox refuses; nothing has changed then.
pub fn start(triage: &mut Triage, directory: &Path, named: Option<&Path>, today: Day) -> Result<Recorded, TriageError> {
    let file = match place(triage, directory, named) {
        Ok(file) => file,
        Err(reason) => return Ok(Recorded::Refused(reason)),
    };
    if triage.top().join(file.as_str()).symlink_metadata().is_ok() {
        return Ok(Recorded::Refused(format!("{file} is there already, and is not written over")));
    }
    let tree = triage.work_tree();
    let mut specs = tree.tracked(&is_spec);
    specs.retain(|spec| !requirements(spec, &tree).is_empty());
    let with_digest = |spec: &RepoPath| (spec.as_str().to_owned(), digest_of(spec.as_str(), &tree, None));
    let fixtures: Vec<(String, String)> = specs.iter().map(with_digest).collect();
    let text = contract::written(today, &fixtures).into_bytes();
    let there = format!("{file} is in the index already, and is not written over");
    let whole = move |old: &[u8]| match old {
        [] => Ok(Edits::from(TextEdit { span: Span::at(0), insert: text.clone() })),
        _ => Err(Refusal(there.clone())),
    };
    triage.stage_file("start a contract".to_owned(), file, Box::new(whole))
}

/// Makes `wish` so in the contract's file, which the user calls `named`.
///
/// # Errors
/// Where git, the disk or the inbox refuses; nothing has changed then.
pub fn change(
    triage: &mut Triage,
    directory: &Path,
    named: Option<&Path>,
    wish: &Change<'_>,
) -> Result<Recorded, TriageError> {
    let file = match place(triage, directory, named) {
        Ok(file) => file,
        Err(reason) => return Ok(Recorded::Refused(reason)),
    };
    if !triage.work_tree().exists(&file) {
        return Ok(Recorded::Refused(format!("there is no {file}; `redpin contract init` starts one")));
    }
    if let Change::Renew(_) = wish
        && let Some(other) = triage.repository().changed()?.first()
    {
        return Ok(Recorded::Refused(format!(
            "{other} has changes that are not committed, and a renewal shares its commit with no other change; commit or stash \
             them first"
        )));
    }
    let digests = match digests(triage, directory, wish) {
        Ok(digests) => digests,
        Err(reason) => return Ok(Recorded::Refused(reason)),
    };
    let shown = file.clone();
    let edit = move |text: &[u8]| edits(text, wish, &digests).map_err(|reason| Refusal(format!("{shown}: {reason}")));
    triage.stage_file(title(wish), file, Box::new(edit))
}

fn title(wish: &Change<'_>) -> String {
    match wish {
        Change::AddFixtures(paths) => format!("add {} to the contract", counted(paths.len())),
        Change::Quarantine(aside) => format!("set {} aside", aside.test),
        Change::Renew(aside) => format!("set {} aside for longer", aside.test),
        Change::Today(day) => format!("move the contract to {day}"),
    }
}

fn counted(fixtures: usize) -> String {
    if fixtures == 1 { "a fixture".to_owned() } else { format!("{fixtures} fixtures") }
}

/// The fixtures that are wished for, with their digests.
fn digests(triage: &Triage, directory: &Path, wish: &Change<'_>) -> Result<Vec<(RepoPath, String)>, String> {
    let Change::AddFixtures(paths) = wish else { return Ok(Vec::new()) };
    let tree = triage.work_tree();
    let one = |named: &PathBuf| {
        let path = inside(triage, directory, named)?;
        let bytes = tree.read(&path).ok_or_else(|| format!("{path} is no file that can be read"))?;
        Ok((path, digest(&bytes)))
    };
    paths.iter().map(one).collect()
}

fn edits(text: &[u8], wish: &Change<'_>, digests: &[(RepoPath, String)]) -> Result<Edits, String> {
    match wish {
        Change::Quarantine(aside) => contract::quarantine(text, aside),
        Change::Renew(aside) => contract::renew(text, aside),
        Change::Today(day) => contract::move_today(text, *day),
        Change::AddFixtures(_) => {
            Contract::read(text)?;
            // One after the other, as each may stand behind the one before.
            let mut now = text.to_vec();
            for (path, digest) in digests {
                now = contract::add_fixture(&now, path.as_str(), digest)?.apply(&now);
            }
            if now == text {
                return Ok(Edits::new());
            }
            Ok(TextEdit { span: Span::new(0, text.len()), insert: now }.into())
        }
    }
}

/// The contract's file.
///
/// # Errors
/// Where it is none of the repository.
fn place(triage: &Triage, directory: &Path, named: Option<&Path>) -> Result<RepoPath, String> {
    match named {
        Some(named) => inside(triage, directory, named),
        None => RepoPath::new(FILE).ok_or_else(String::new),
    }
}

/// The file of the repository that a user in `directory` calls `named`, be it there or not.
fn inside(triage: &Triage, directory: &Path, named: &Path) -> Result<RepoPath, String> {
    let outside = || format!("{} is not in this repository", named.display());
    let (top, mut path) = match (triage.top().canonicalize(), directory.canonicalize()) {
        (Ok(top), Ok(directory)) => (top, directory),
        _ => return Err(outside()),
    };
    for part in named.components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            Component::CurDir => {}
            part => path.push(part),
        }
    }
    let path = path.strip_prefix(&top).ok().and_then(Path::to_str).and_then(RepoPath::new);
    path.ok_or_else(outside)
}
