//! `redpin init`: a starting point for a repository, step by step.

use clap::{Args, ValueEnum, value_parser};
use serde::Serialize;

use super::json::SCHEMA;
use super::page::Page;
use super::{Exit, Fault, World};
use crate::init::{self, Agent, Service, State, Step, Wish};
use crate::visible;

/// How it is used.
const EXAMPLES: &str = "Examples:
  redpin init --dry-run             what would be written
  redpin init --owner @acme/qa      settings, nightly sweep, owners of the oracle
  redpin init --yes                 also add what is missing to files that are there";

/// Write a starting point: settings, a nightly sweep, and who guards the oracle.
///
/// New files are written; a file that is there is never overwritten: what it lacks is shown, and added with `--yes` where that
/// takes nothing away. Nothing is staged. Steps that a person has to take are told as such. Run again, it changes nothing.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Init {
    /// Who sweeps every night; found by the files that are there
    #[arg(long, value_name = "SERVICE")]
    ci: Option<Ci>,
    /// In how many parts the tests are swept, each on a machine of its own.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u32).range(1..=64))]
    shards: u32,
    /// Who has to agree when the oracle changes, as @NAME or @ORGANISATION/TEAM
    #[arg(long, value_name = "OWNER", value_parser = owner)]
    owner: Option<String>,
    /// Close the oracle to this coding agent, also where the repository has no settings of it
    #[arg(long, value_name = "AGENT")]
    deny: Vec<Denied>,
    /// Add what is missing to files that are there.
    #[arg(long)]
    yes: bool,
    /// Write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Ci {
    /// A workflow of GitHub Actions
    Github,
    /// Jobs of GitLab CI/CD
    Gitlab,
    /// No nightly sweep
    None,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Denied {
    /// Claude Code: .claude/settings.json
    Claude,
    /// Cursor's command line: .cursor/cli.json
    Cursor,
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    steps: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    title: &'a str,
    file: Option<&'a str>,
    state: &'static str,
    text: &'a str,
    diff: std::borrow::Cow<'a, str>,
}

/// A name that owners can have: what else there is would be read as more of the line.
fn owner(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_alphanumeric() || "@/_-.+".contains(c);
    match text {
        "" | "@" => Err("expected a name such as @acme/qa".to_owned()),
        text if text.contains('@') && text.chars().all(is_plain) => Ok(text.to_owned()),
        _ => Err("expected one name such as @acme/qa or an address".to_owned()),
    }
}

impl Init {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let triage = world.open(page)?;
        let service = |ci| match ci {
            Ci::Github => Service::Github,
            Ci::Gitlab => Service::Gitlab,
            Ci::None => Service::None,
        };
        let agent = |denied: &Denied| match denied {
            Denied::Claude => Agent::Claude,
            Denied::Cursor => Agent::Cursor,
        };
        let wish = Wish {
            service: self.ci.map(service),
            shards: self.shards,
            owner: self.owner.clone(),
            agents: self.deny.iter().map(agent).collect(),
            adds: self.yes,
            writes: !self.dry_run,
        };
        let steps = init::init(&triage, &wish)?;
        if self.json {
            page.json(&Answer { schema: SCHEMA, steps: steps.iter().map(row).collect() })?;
        } else {
            steps.iter().try_for_each(|step| self.tell(step, page))?;
        }
        Ok(Exit::Done)
    }

    fn tell(&self, step: &Step, page: &mut Page<'_>) -> Result<(), Fault> {
        let file = step.file.as_ref().map_or_else(String::new, |file| format!("{file}: "));
        let text = if step.text.is_empty() { String::new() } else { format!("; {}", step.text) };
        let (file, text) = (visible::line(&file).into_owned(), visible::line(&text).into_owned());
        page.line(&match step.state {
            State::Yours if step.file.is_none() => format!("yours    {}: {}", step.title, step.text),
            state => format!("{:<9}{file}{}{text}", word(state, self.dry_run), step.title),
        })?;
        // A new file can be read where it is; nobody has to be shown it twice.
        if matches!(step.state, State::Lacking | State::Differs) || self.dry_run {
            page.patch(&step.diff)?;
        }
        Ok(())
    }
}

fn row(step: &Step) -> Row<'_> {
    Row {
        title: &step.title,
        file: step.file.as_ref().map(crate::repo_path::RepoPath::as_str),
        state: word(step.state, false),
        text: &step.text,
        diff: String::from_utf8_lossy(&step.diff),
    }
}

/// The word for a state.
fn word(state: State, is_dry: bool) -> &'static str {
    match state {
        State::Written if is_dry => "new",
        State::Added if is_dry => "more",
        State::Written => "written",
        State::Added => "added",
        State::There => "there",
        State::Lacking => "lacking",
        State::Differs => "differs",
        State::Yours => "yours",
    }
}
