//! The face for scripts, and for people without a screen: every action of the workstation as a command, with output for
//! people or, by `--json`, for programs. A file per subcommand; the help texts are the comments on the arguments.

mod decide;
mod exit;
mod import;
mod json;
mod list;
mod page;
mod pin;
mod show;
mod stage;
mod undo;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::failure::Notice;
use crate::triage::{Blame, Now, RunArgument, TriageError};
use crate::visible;

pub use exit::Exit;
pub use page::Page;

/// Judge failing properties: read what a red run left behind, say of each failure whether the code, the spec or the
/// property is at fault, and leave with a staged git patch.
#[derive(Debug, Parser)]
#[command(name = "redpin", version, subcommand_precedence_over_arg = true, after_help = AFTER_HELP, max_term_width = 100)]
pub struct Arguments {
    /// Run as if started in DIR.
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub directory: Option<PathBuf>,

    /// What to do; without a command the workstation opens.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Runs to open in the workstation: a file, a folder, a zip or gzip archive, or `-` for standard input. Without one
    /// it shows what was imported before, and the regression lines that are new in the work tree.
    #[arg(value_name = "RUN")]
    pub runs: Vec<OsString>,
}

const AFTER_HELP: &str = "\
Examples:
  redpin nightly.log              read a log and open the workstation on its failures
  redpin run -- cargo test        run the tests and open the workstation on what failed
  redpin list nightly.zip         list the failures, changing nothing
  redpin pin --all --run ci.log   pin every failure of a log into the staged patch
  redpin undo                     take the last operation back

Exit codes:
  0  done
  1  the answer is no: nothing to pin, a refusal, a failed check
  2  wrong use
  3  the world said no: git, the disk, a run that cannot be read

Environment:
  NO_COLOR         when set and not empty, nothing is coloured
  VISUAL, EDITOR   opens a failure's source from the workstation";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read runs into the inbox, and say what was found, file by file.
    Import(import::Import),
    /// List failures: those of the runs named, else those of the inbox. Changes nothing.
    List(list::List),
    /// Show one failure whole. Changes nothing.
    Show(show::Show),
    /// Give a failure its verdict and stage the consequence.
    Decide(decide::Decide),
    /// Stage the consequence of every verdict that is not staged yet.
    Stage(stage::Stage),
    /// Call failures real bugs and stage their pins.
    Pin(pin::PinFailures),
    /// Take the last operation back: index, work tree and inbox.
    Undo(undo::Undo),
    /// Do again what was taken back last.
    Redo(undo::Redo),
}

/// What a command may know of the world around it.
#[derive(Clone, Debug)]
pub struct World {
    /// The folder it works in.
    pub directory: PathBuf,
    /// The clock.
    pub now: Now,
}

/// Why a command ended early.
#[derive(Debug)]
enum Fault {
    /// The triage said no.
    Triage(TriageError),
    /// The answer could not be written.
    Output(io::Error),
}

impl From<TriageError> for Fault {
    fn from(error: TriageError) -> Self {
        Fault::Triage(error)
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault::Output(error)
    }
}

/// Carries out a command and says how it ended. A reader that closes the pipe has seen enough: that is no fault.
pub fn run(command: &Command, world: &World, page: &mut Page<'_>) -> Exit {
    let answer = command.run(world, page).and_then(|exit| Ok(page.out.flush().map(|()| exit)?));
    match answer {
        Ok(exit) => exit,
        Err(Fault::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        Err(Fault::Output(error)) => complain(page, &format!("could not write the answer: {error}"), Exit::World),
        Err(Fault::Triage(error)) => {
            let exit = match error.blame() {
                Blame::Use => Exit::WrongUse,
                Blame::Answer => Exit::No,
                Blame::World => Exit::World,
            };
            complain(page, &error.to_string(), exit)
        }
    }
}

/// Says what went wrong. Nothing can be done where even that cannot be written.
fn complain(page: &mut Page<'_>, text: &str, exit: Exit) -> Exit {
    let _ = page.remark(&format!("redpin: {}", visible::block(text)));
    exit
}

impl Command {
    fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        match self {
            Command::Import(import) => import.run(world, page),
            Command::List(list) => list.run(world, page),
            Command::Show(show) => show.run(world, page),
            Command::Decide(decide) => decide.run(world, page),
            Command::Stage(stage) => stage.run(world, page),
            Command::Pin(pin) => pin.run(world, page),
            Command::Undo(undo) => undo.run(world, page),
            Command::Redo(redo) => redo.run(world, page),
        }
    }
}

/// The runs as typed.
fn arguments(runs: &[OsString]) -> Vec<RunArgument> {
    runs.iter().cloned().map(RunArgument::from).collect()
}

/// A number with its noun.
fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Notices as remarks.
fn print_notices(notices: &[Notice], page: &mut Page<'_>) -> io::Result<()> {
    for notice in notices {
        let line = notice.line.map_or(String::new(), |line| format!(":{line}"));
        page.remark(&format!("note: {}{line}: {}", visible::line(&notice.file), visible::line(&notice.text)))?;
    }
    Ok(())
}
