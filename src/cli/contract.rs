//! `redpin contract`: starts and changes the patch contract.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::page::Page;
use super::{Exit, Fault, World};
use crate::check::contract::{Change, change, start};
use crate::contract::{Day, Renewal};
use crate::triage::Recorded;
use crate::visible;

/// Start or change the patch contract.
///
/// The contract says which files keep their bytes, which properties hold with which seeds, and which tests are set aside as
/// flaky until when; `redpin check contract` sees that it is kept. Each change is staged as one operation, in the fewest
/// bytes: `redpin undo` takes it back.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  redpin contract init\n  \
                        redpin contract add-fixture tests/golden/*.json\n  \
                        redpin contract quarantine tests/test_fees.py::test_grows --expires 2026-12-14 --reason \"waits for #12\"\n  \
                        redpin contract today")]
pub(super) struct ChangeContract {
    #[command(subcommand)]
    wish: Wish,
    /// The contract's file; without one patch-contract.json at the top of the repository.
    #[arg(long, value_name = "FILE", global = true)]
    file: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Wish {
    /// Start a contract whose fixtures are the spec files; one that is there is not written over.
    Init {
        /// The day that it takes for today; without one the clock's, once.
        #[arg(long, value_name = "DATE", value_parser = day)]
        today: Option<Day>,
    },
    /// Have files keep the bytes that they have now.
    AddFixture {
        /// The files.
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Set a flaky test aside: it blocks nothing and is evidence of nothing.
    Quarantine(Aside),
    /// Set a test aside for longer. Nothing else may be changed: a renewal has a commit of its own.
    Renew(Aside),
    /// Move the day that the contract takes for today, forwards only.
    Today {
        /// The day; without one the clock's.
        #[arg(value_name = "DATE", value_parser = day)]
        day: Option<Day>,
    },
}

#[derive(Debug, Args)]
struct Aside {
    /// The test's id as the contract has it.
    test: String,
    /// Its last day, as 2026-11-30.
    #[arg(long, value_name = "DATE", value_parser = day)]
    expires: Day,
    /// Why, in your own words; kept beside it.
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
}

fn day(text: &str) -> Result<Day, String> {
    Day::read(text).ok_or_else(|| "expected a day such as 2026-11-30".to_owned())
}

fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() { Err("expected a reason in words".to_owned()) } else { Ok(text.to_owned()) }
}

impl Aside {
    fn renewal(&self) -> Renewal<'_> {
        Renewal { test: &self.test, expires: self.expires, reason: &self.reason }
    }
}

impl ChangeContract {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let mut triage = world.open(page)?;
        let (directory, named) = (&world.directory, self.file.as_deref());
        let clock = Day::read(triage.now().get(..10).unwrap_or_default());
        let wish = match &self.wish {
            Wish::Init { today } => {
                let Some(today) = today.or(clock) else { return no_clock(page) };
                return tell(&start(&mut triage, directory, named, today)?, page);
            }
            Wish::AddFixture { paths } => Change::AddFixtures(paths),
            Wish::Quarantine(aside) => Change::Quarantine(aside.renewal()),
            Wish::Renew(aside) => Change::Renew(aside.renewal()),
            Wish::Today { day } => match day.or(clock) {
                Some(day) => Change::Today(day),
                None => return no_clock(page),
            },
        };
        tell(&change(&mut triage, directory, named, &wish)?, page)
    }
}

/// A clock that tells no day is asked for none.
fn no_clock(page: &mut Page<'_>) -> Result<Exit, Fault> {
    page.remark("redpin: the clock tells no day; name one")?;
    Ok(Exit::World)
}

fn tell(recorded: &Recorded, page: &mut Page<'_>) -> Result<Exit, Fault> {
    match recorded {
        Recorded::Staged(file) => page.line(&format!("staged: {}", visible::line(file.as_str())))?,
        Recorded::Stood(file) => page.line(&format!("nothing to change: {}", visible::line(file.as_str())))?,
        Recorded::Refused(reason) => {
            page.remark(&format!("redpin: {}", visible::line(reason)))?;
            return Ok(Exit::No);
        }
    }
    Ok(Exit::Done)
}
