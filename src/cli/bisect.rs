//! `redpin bisect`: the commit that broke a property.

use clap::Args;
use serde::Serialize;

use super::json::SCHEMA;
use super::page::Page;
use super::proving::{Telling, named};
use super::verify::ProofRow;
use super::{Exit, Fault, World};
use crate::verify::{Bisected, Commit, Ending, Search, Step, bisect};
use crate::visible;

/// Find the commit that broke a property.
///
/// The pin is put into one commit after the other, by its property as it is there, in the order of `git bisect` and
/// without its state: checkout, references and a bisection of your own are not touched. A commit that does not build or
/// has no such property is passed over.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  redpin bisect fees_pin_950ab3f --good v1.2\n  \
                        redpin bisect 4be20c --good v1.2 --bad main~3 --json")]
pub(super) struct Bisect {
    /// The pin: the id of the failure, the beginning of one, the end of a test name, or FILE::NAME.
    pin: String,
    /// A commit at which it is green.
    #[arg(long, value_name = "REV")]
    good: String,
    /// A later one at which it is red.
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    bad: String,
    /// Look at first parents only: the answer is then the merge that brought the fault, not a commit of its branch.
    #[arg(long)]
    first_parent: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    id: &'a str,
    test: &'a str,
    /// `found`, `not-green`, `not-red` or `among`.
    outcome: &'static str,
    /// The commit that broke it; of several, those that may have.
    commits: Vec<CommitRow<'a>>,
    steps: Vec<StepRow<'a>>,
}

#[derive(Serialize)]
struct CommitRow<'a> {
    commit: &'a str,
    author: &'a str,
    date: &'a str,
    title: &'a str,
}

#[derive(Serialize)]
struct StepRow<'a> {
    commit: &'a str,
    title: &'a str,
    #[serde(flatten)]
    proof: ProofRow<'a>,
}

impl<'a> From<&'a Commit> for CommitRow<'a> {
    fn from(commit: &'a Commit) -> Self {
        CommitRow { commit: &commit.id, author: &commit.author, date: &commit.date, title: &commit.title }
    }
}

impl<'a> From<&'a Step> for StepRow<'a> {
    fn from(Step { commit, proof }: &'a Step) -> Self {
        StepRow { commit: &commit.id, title: &commit.title, proof: proof.into() }
    }
}

impl Bisect {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let triage = world.open(page)?;
        let search = Search { pin: &self.pin, good: &self.good, bad: &self.bad, first_parent: self.first_parent };
        let bisected = bisect(&triage, search, &world.cache, &mut Telling::new(page, !self.json)?)?;
        if self.json {
            page.json(&answer(&bisected))?;
        } else {
            page.line(&format!("\n{}", self.sentence(&bisected)))?;
        }
        Ok(if matches!(bisected.ending, Ending::Found(_)) { Exit::Done } else { Exit::No })
    }

    /// How it ended.
    fn sentence(&self, bisected: &Bisected) -> String {
        let pin = visible::line(&bisected.pin.runs().0).into_owned();
        let came_out = bisected.steps.last().map_or("not run", |step| step.proof.state.word());
        match &bisected.ending {
            Ending::Found(commit) => format!(
                "{pin} is red since\n  commit  {}\n  author  {}\n  date    {}\n  title   {}",
                commit.id,
                visible::line(&commit.author),
                visible::line(&commit.date),
                visible::line(&commit.title)
            ),
            Ending::NotGood => {
                let good = visible::line(&self.good);
                format!("{pin} is {came_out} at {good}, not green: name a commit before the bug with --good")
            }
            Ending::NotBad => {
                let bad = visible::line(&self.bad);
                format!("{pin} is {came_out} at {bad}, not red: name a commit that has the bug with --bad")
            }
            Ending::Among(commits) => {
                let lines = commits.iter().map(|commit| format!("\n  {}", named(commit)));
                format!(
                    "{pin} is red since one of these; all but the last were passed over:{}",
                    lines.collect::<String>()
                )
            }
        }
    }
}

fn answer(bisected: &Bisected) -> Answer<'_> {
    let (outcome, commits) = match &bisected.ending {
        Ending::Found(commit) => ("found", vec![commit.into()]),
        Ending::NotGood => ("not-green", Vec::new()),
        Ending::NotBad => ("not-red", Vec::new()),
        Ending::Among(commits) => ("among", commits.iter().map(CommitRow::from).collect()),
    };
    Answer {
        schema: SCHEMA,
        id: &bisected.pin.failure,
        test: &bisected.pin.runs().0,
        outcome,
        commits,
        steps: bisected.steps.iter().map(StepRow::from).collect(),
    }
}
