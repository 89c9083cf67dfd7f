//! The use case that gives a repository its starting point: settings, a nightly sweep, and who guards the oracle's files. It
//! plans what is to be written, writes only what takes nothing away, and tells of the rest.

mod lines;
mod oracle;
mod rules;
mod workflow;

use std::sync::Arc;

use crate::framework::CATALOGUE;
use crate::framework::starting::Nightly;
use crate::patch::{FileChange, FileMode, patch};
use crate::repo_path::RepoPath;
use crate::settings;
use crate::source_tree::SourceTree;
use crate::triage::{Triage, TriageError};

pub use rules::Agent;
pub use workflow::Service;

/// What the user wants of a starting point.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The service that sweeps; found where the user does not say.
    pub service: Option<Service>,
    /// In how many shards.
    pub shards: u32,
    /// Who owns the oracle, as the service names people and teams.
    pub owner: Option<String>,
    /// Agents whose settings get rules, besides those that the repository has settings of.
    pub agents: Vec<Agent>,
    /// Whether what is missing is added to files that are there.
    pub adds: bool,
    /// Whether anything is written at all.
    pub writes: bool,
}

/// How far a step has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The file was written, or would be.
    Written,
    /// What was missing in a file was added, or would be.
    Added,
    /// Nothing is to do.
    There,
    /// The file is there and lacks something, which is added where the user wants that.
    Lacking,
    /// The file is there and reads otherwise; it stays.
    Differs,
    /// A person has to do it.
    Yours,
}

/// One step of the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it is for, in a few words.
    pub title: String,
    /// The file, where it is one.
    pub file: Option<RepoPath>,
    /// How far it has come.
    pub state: State,
    /// What is to know of it, or to do; empty where nothing is.
    pub text: String,
    /// What changes in the file, or would.
    pub diff: Vec<u8>,
}

/// Makes of what a file holds what it is to hold.
type Text = Box<dyn Fn(Option<&str>) -> Result<Option<String>, String>>;

/// A file as it is to be.
struct Planned {
    title: &'static str,
    path: &'static str,
    /// What it is to hold, from what it holds; `None` where nothing is missing, a reason where that cannot be done.
    text: Text,
    /// Whether one that is there may get what is missing; else it stays as it is.
    grows: bool,
}

/// Takes the steps, or tells of them.
///
/// # Errors
/// Where a file cannot be read or written.
pub fn init(triage: &Triage, wish: &Wish) -> Result<Vec<Step>, TriageError> {
    let tree = triage.work_tree();
    let all = CATALOGUE.iter().filter_map(|framework| framework.starting()?.nightly(&tree));
    let (nightly, odd): (Vec<Nightly>, Vec<Nightly>) = all.partition(|one| is_plain(&one.folder));
    let service = wish.service.unwrap_or_else(|| workflow::found(&tree, triage.repository().address().as_deref()));
    let oracle = oracle::of(&tree);
    let mut planned = vec![
        whole("settings", settings::FILE, include_str!("../assets/init/config.toml").to_owned(), true),
        grown("line ends and merges of the oracle's files", ".gitattributes", {
            let wanted = lines::attributes();
            move |text| Ok(lines::with(text, &wanted))
        }),
    ];
    let mut steps: Vec<Step> = odd.iter().map(|one| yours("nightly sweep", &not_plain(one))).collect();
    if nightly.is_empty() {
        steps.push(yours(
            "nightly sweep",
            "no properties of a framework that redpin knows were found; start again with the first",
        ));
    } else if service != Service::None {
        for (path, text) in nightly.iter().flat_map(|one| &one.files) {
            planned.push(whole("settings of the test runner for the sweep", path, (*text).to_owned(), false));
        }
        planned.extend(workflow::files(service, &nightly, wish.shards));
        steps.extend(workflow::for_people(service).into_iter().map(|text| yours("nightly sweep", text)));
    }
    let owners = lines::owners_file(&tree, service);
    match &wish.owner {
        Some(owner) => planned.push(grown("who owns the oracle", owners, {
            let wanted = lines::owners(&oracle, owner);
            move |text| Ok(lines::with(text, &wanted))
        })),
        None => steps.push(yours(
            "who owns the oracle",
            &format!("say who has to agree when it changes: `redpin init --owner @TEAM` writes {owners}"),
        )),
    }
    for agent in Agent::of(&tree, &wish.agents) {
        let patterns = oracle.closed();
        planned.push(grown("rules for a coding agent", agent.file(), move |text| agent.with(text, &patterns)));
    }
    steps.extend(oracle.mixed().map(|text| yours("rules for coding agents", &text)));
    let mut taken = planned.iter().map(|one| take(triage, one, wish)).collect::<Result<Vec<Step>, _>>()?;
    taken.append(&mut steps);
    Ok(taken)
}

/// Whether the name of a folder means in every shell what it is.
fn is_plain(folder: &str) -> bool {
    folder.chars().all(|c| c.is_alphanumeric() || "._-/".contains(c)) && !folder.starts_with('-')
}

/// What to say of tests in a folder whose name no shell is to read.
fn not_plain(one: &Nightly) -> String {
    format!("write the job for the tests in {:?} yourself: its name would have to be quoted for a shell", one.folder)
}

/// A file of ours as a whole. Where the user has one of it, it is his; `any` says whether that is as good as ours.
fn whole(title: &'static str, path: &'static str, wanted: String, any: bool) -> Planned {
    let text = move |there: Option<&str>| {
        Ok((!(any && there.is_some()) && there != Some(wanted.as_str())).then(|| wanted.clone()))
    };
    Planned { title, path, text: Box::new(text), grows: false }
}

/// A file that may be there already and gets what it lacks.
fn grown(
    title: &'static str,
    path: &'static str,
    text: impl Fn(Option<&str>) -> Result<Option<String>, String> + 'static,
) -> Planned {
    Planned { title, path, text: Box::new(text), grows: true }
}

fn yours(title: &str, text: &str) -> Step {
    Step { title: title.to_owned(), file: None, state: State::Yours, text: text.to_owned(), diff: Vec::new() }
}

fn take(triage: &Triage, planned: &Planned, wish: &Wish) -> Result<Step, TriageError> {
    let step = |state, text: &str, diff| Step {
        title: planned.title.to_owned(),
        file: RepoPath::new(planned.path),
        state,
        text: text.to_owned(),
        diff,
    };
    let Some(path) = RepoPath::new(planned.path) else { return Ok(step(State::Yours, "", Vec::new())) };
    let there: Option<Arc<[u8]>> = triage.repository().work_file(&path)?;
    let text = there.as_deref().map(std::str::from_utf8);
    let text = match text.transpose() {
        Ok(text) => text,
        Err(_) => return Ok(step(State::Yours, "it is not UTF-8, and stays as it is", Vec::new())),
    };
    let new = match (planned.text)(text) {
        Ok(None) => return Ok(step(State::There, "", Vec::new())),
        Ok(Some(new)) => new,
        Err(reason) => return Ok(step(State::Yours, &reason, Vec::new())),
    };
    let mode = FileMode::Plain;
    let diff = patch(&[FileChange { path: &path, mode, old: there.as_deref(), new: Some(new.as_bytes()) }]);
    let (state, told) = match (text.is_some(), planned.grows, wish.adds) {
        (false, ..) => (State::Written, ""),
        (true, true, true) => (State::Added, ""),
        (true, true, false) => (State::Lacking, "with --yes the lines are added"),
        (true, false, _) => (State::Differs, "yours stays; take over what you want"),
    };
    if wish.writes && matches!(state, State::Written | State::Added) {
        triage.repository().write_work_file(&path, new.as_bytes())?;
    }
    Ok(step(state, told, diff))
}

/// Whether `tree` has a file at `path`.
fn has(tree: &dyn SourceTree, path: &str) -> bool {
    RepoPath::new(path).is_some_and(|path| tree.exists(&path))
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn names_that_a_shell_would_read_otherwise_are_not_written() {
        for (folder, expected) in
            [("", true), ("a-b/c_1.2", true), ("größe", true), ("a b", false), ("$(x)", false), ("-C", false)]
        {
            assert_eq!(is_plain(folder), expected, "{folder}");
        }
    }
}
