//! `redpin prompt`: the texts that a person hands to a coding agent, filled with the facts at hand.

use clap::{Args, ValueEnum};

use super::page::Page;
use super::{Exit, Fault, World, print_notices};
use crate::check::{self, Cited, Trace};
use crate::prompt::{Facts, Source, Task, prompt, triage};
use crate::repo_path::RepoPath;
use crate::requirement::Requirement;
use crate::source_tree::SourceTree;
use crate::triage::{TriageError, is_called, look_for};

/// Print a task for a coding agent, filled with the facts at hand.
///
/// `triage` asks whose fault a failure is, and takes the failure; its answer comes back by `redpin suggest`. The others take a
/// requirement, a property or nothing: then they are about all of the repository. What goes in is text of the repository and of
/// runs, marked as material to read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  redpin prompt triage 950ab3f | xclip\n  redpin prompt write BILL-4\n  \
                        redpin prompt extract\n  redpin prompt audit spread_at_most_one_cent")]
pub(super) struct PrintPrompt {
    /// The task.
    #[arg(value_name = "NAME")]
    name: Name,
    /// A failure, for `triage`; for the others a requirement's id, or the end of a property's test name.
    #[arg(value_name = "ABOUT", required_if_eq("name", "triage"))]
    about: Option<String>,
}

/// A task as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Name {
    /// Find what the specification says of every input.
    Extract,
    /// Write properties for a requirement, in a task for tests alone.
    Write,
    /// Say whose fault a failing property is.
    Triage,
    /// Judge which properties would notice a bug.
    Audit,
}

impl PrintPrompt {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let about = self.about.as_deref();
        let task = match self.name {
            Name::Triage => {
                let failure = about.unwrap_or_default();
                let listing = look_for(failure, &world.directory, &[], world.now)?;
                let filed = listing.find(failure)?;
                page.line(triage(filed, &listing.detail(filed)).trim_end())?;
                return Ok(Exit::Done);
            }
            Name::Extract => Task::Extract,
            Name::Write => Task::Write,
            Name::Audit => Task::Audit,
        };
        let triage = world.open(page)?;
        let trace = check::trace(&triage);
        print_notices(&trace.notices, page)?;
        let about = about.map(|about| triage.property_called(about)).transpose()?;
        let (requirements, properties) = facts(&trace, about.as_deref(), &triage.work_tree())?;
        let facts = Facts { failure: None, requirements: &requirements, properties: &properties };
        page.line(prompt(task, facts).trim_end())?;
        Ok(Exit::Done)
    }
}

type Known = (Vec<(RepoPath, Requirement)>, Vec<Source>);

/// Whether a property is meant by `name`.
fn is_about(one: &Cited, name: &str) -> bool {
    is_called(&one.test.0, Some(one.file.as_str()), name)
}

/// The requirements and properties that a text is about.
fn facts(trace: &Trace, about: Option<&str>, tree: &dyn SourceTree) -> Result<Known, TriageError> {
    let mut requirements = Vec::new();
    let mut places: Vec<usize> = Vec::new();
    for one in &trace.requirements {
        let of_property = |at: &&usize| about.is_some_and(|about| is_about(&trace.properties[**at], about));
        let named = about.is_none_or(|about| one.requirement.id.0.eq_ignore_ascii_case(about));
        let cited: Vec<usize> = one.properties.iter().filter(of_property).copied().collect();
        if named || !cited.is_empty() {
            requirements.push((one.file.clone(), one.requirement.clone()));
        }
        places.extend(if named { one.properties.clone() } else { cited });
    }
    let loose = trace.properties.iter().enumerate().filter(|(_, one)| about.is_none_or(|about| is_about(one, about)));
    places.extend(loose.map(|(at, _)| at));
    places.sort_unstable();
    places.dedup();
    let (Some(about), [], []) = (about, &requirements[..], &places[..]) else {
        let sources = places.into_iter().filter_map(|at| source(trace, at, tree)).collect();
        return Ok((requirements, sources));
    };
    Err(TriageError::NoProperty(about.to_owned()))
}

fn source(trace: &Trace, at: usize, tree: &dyn SourceTree) -> Option<Source> {
    let one = &trace.properties[at];
    let bytes = tree.read(&one.file)?;
    let text = String::from_utf8_lossy(bytes.get(one.span.range())?).into_owned();
    Some(Source { file: one.file.clone(), line: one.line, text })
}
