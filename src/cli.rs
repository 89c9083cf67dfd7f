//! The face for scripts, and for people without a screen: every action of the workstation as a command, with output for
//! people or, by `--json`, for programs. A file per subcommand; the help texts are the comments on the arguments.

mod allow;
mod bisect;
mod check;
mod choose;
mod completions;
mod contract;
mod control;
mod decide;
mod demo;
mod dialogue;
mod evidence;
mod exit;
mod import;
mod init;
mod json;
mod list;
mod manual;
mod page;
mod pin;
mod prompt;
mod proving;
mod reopen;
mod run;
mod screen;
mod show;
mod stage;
mod staging;
mod suggest;
mod sweep;
mod undo;
mod verify;

use std::ffi::OsString;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};

use crate::demo::DemoError;
use crate::failure::Notice;
use crate::triage::{Blame, Now, RunArgument, Triage, TriageError};
use crate::visible;

pub use exit::Exit;
pub use page::Page;
pub use screen::{Colouring, Screen};
use staging::ProvingSwitch;

/// Judge failing properties: whose fault is it, the code's, the spec's or the property's?
///
/// redpin reads what a red run left behind, shows each failing property with its counterexample and the requirement it
/// cites, takes your verdict and leaves a staged git patch: a pin for a real bug, an open question in the spec for an
/// ambiguous one, and for each a decision record.
#[derive(Debug, Default, Parser)]
#[command(name = "redpin", version, subcommand_precedence_over_arg = true, after_help = AFTER_HELP, max_term_width = 100)]
pub struct Arguments {
    /// Run as if started in DIR.
    #[arg(short = 'C', value_name = "DIR", global = true)]
    directory: Option<PathBuf>,

    #[command(flatten)]
    screen: Screen,

    #[command(flatten)]
    proving: ProvingSwitch,

    #[command(subcommand)]
    command: Option<Command>,

    /// Runs to open in the workstation: a file, a folder, a zip or gzip archive, or `-` for standard input. Without one
    /// it shows what was imported before, and the regression lines that are new in the work tree.
    #[arg(value_name = "RUN")]
    runs: Vec<OsString>,
}

const AFTER_HELP: &str = "\
Examples:
  redpin nightly.log              read a log and open the workstation on its failures
  redpin run -- cargo test        run the tests and open the workstation on what failed
  redpin list nightly.zip         list the failures, changing nothing
  redpin pin --all --run ci.log   pin every failure of a log into the staged patch
  redpin verify                   run the pins and see that each is red
  redpin bisect PIN --good v1.2   find the commit that turned a pin red
  redpin control PROPERTY --patch FILE   see that a violation on purpose turns it red
  redpin check pins --base main   see that a change takes no property and no pin away
  redpin sweep -- cargo nextest run   run every property deep
  redpin init --dry-run           see what a repository needs to sweep every night
  redpin undo                     take the last operation back
  redpin --plain nightly.log      the workstation as questions and answers, line by line

Exit codes:
  0  done
  1  the answer is no: nothing to pin, nothing but refusals, tests that failed
  2  wrong use
  3  the world said no: git, the disk, a run that cannot be read
  128 and a signal's number, such as 130 after ctrl-c while pins were run

Environment:
  NO_COLOR         when set and not empty, nothing is coloured, unless --color says so
  VISUAL, EDITOR   opens a failure's source where git's configuration names no editor";

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::RunTests),
    Sweep(sweep::SweepTests),
    Import(import::Import),
    List(list::List),
    Show(show::Show),
    Choose(choose::Choose),
    Decide(decide::Decide),
    Stage(stage::Stage),
    Pin(pin::PinFailures),
    Verify(verify::Verify),
    Bisect(bisect::Bisect),
    Check(check::Check),
    Init(init::Init),
    Control(control::ControlProperty),
    Allow(allow::Allow),
    Contract(contract::ChangeContract),
    Evidence(evidence::PrintEvidence),
    Prompt(prompt::PrintPrompt),
    Suggest(suggest::Suggest),
    Reopen(reopen::Reopen),
    Undo(undo::Undo),
    Redo(undo::Redo),
    Demo(demo::Demo),
    #[command(hide = true)]
    Completions(completions::Completions),
    #[command(hide = true)]
    Man(manual::Manual),
}

/// Where a person's answers are read from; told whether a run takes standard input.
pub type Answers = fn(bool) -> io::Result<Box<dyn BufRead>>;

/// What a command may know of the world around it.
#[derive(Clone, Debug)]
pub struct World {
    /// The folder it works in.
    pub directory: PathBuf,
    /// The clock.
    pub now: Now,
    /// The folder for what nobody keeps.
    pub temporary: PathBuf,
    /// The folder for what can be made again: scratch builds.
    pub cache: PathBuf,
    /// Whether the workstation has a terminal, or does without one.
    pub terminal: bool,
    /// Opens what a person answers.
    pub answers: Answers,
    /// Has a person edit a file.
    pub edit: Edit,
}

/// Runs the user's editor, in the folder at the top of a work tree, on a file at a line, until it ends.
pub type Edit = fn(&Path, &Path, u32) -> Result<(), String>;

impl World {
    /// Opens the repository that the command works in, and says what a redpin that was killed there left to settle.
    fn open(&self, page: &mut Page<'_>) -> Result<Triage, Fault> {
        let triage = Triage::open(&self.directory, self.now)?;
        if let Some(settled) = triage.settled() {
            page.remark(&format!("note: {}", visible::line(settled)))?;
        }
        Ok(triage)
    }
}

/// What is left to do after the command line had its turn.
#[derive(Debug)]
pub enum Next {
    /// Nothing.
    Exit(Exit),
    /// To open the workstation.
    Workstation {
        /// The folder it works in.
        directory: PathBuf,
        /// The runs it reads first.
        runs: Vec<RunArgument>,
    },
}

impl From<Exit> for Next {
    fn from(exit: Exit) -> Self {
        Next::Exit(exit)
    }
}

/// Why a command ended early.
#[derive(Debug)]
enum Fault {
    /// The triage said no.
    Triage(TriageError),
    /// The answer could not be written.
    Output(io::Error),
    /// The sample could not be unpacked.
    Demo(DemoError),
}

impl From<DemoError> for Fault {
    fn from(error: DemoError) -> Self {
        Fault::Demo(error)
    }
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

impl Arguments {
    /// The folder to work in, where the user named one.
    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// How things are to look.
    pub fn screen(&self) -> &Screen {
        &self.screen
    }

    /// Whether the workstation is to prove pins before it stages them.
    pub fn verifies(&self) -> bool {
        let of_command = match &self.command {
            Some(Command::Run(run)) => run.proving.proves(),
            Some(Command::Sweep(sweep)) => sweep.proving.proves(),
            Some(Command::Demo(demo)) => demo.proving.proves(),
            _ => true,
        };
        self.proving.proves() && of_command
    }

    /// Carries out what was asked for. A reader that closes the pipe has seen enough: that is no fault.
    pub fn run(&self, world: &World, page: &mut Page<'_>) -> Next {
        let world = &World { terminal: world.terminal || self.screen.plain, ..world.clone() };
        let answer = self.answer(world, page).and_then(|next| self.in_lines(next, world, page));
        let answer = answer.and_then(|next| Ok(page.out.flush().map(|()| next)?));
        match answer {
            Ok(next) => next,
            Err(Fault::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done.into(),
            Err(Fault::Output(error)) => complain(page, &format!("could not write the answer: {error}"), Exit::World),
            Err(Fault::Demo(error)) => complain(page, &format!("could not {error}"), Exit::World),
            Err(Fault::Triage(error @ TriageError::Stopped(signal))) => {
                complain(page, &error.to_string(), Exit::Stopped(signal))
            }
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

    /// The workstation in lines, where it was to open and that was asked for.
    fn in_lines(&self, next: Next, world: &World, page: &mut Page<'_>) -> Result<Next, Fault> {
        match next {
            Next::Workstation { directory, runs } if self.screen.plain => {
                dialogue::hold(&World { directory, ..world.clone() }, &runs, self.verifies(), page).map(Next::from)
            }
            next => Ok(next),
        }
    }

    fn answer(&self, world: &World, page: &mut Page<'_>) -> Result<Next, Fault> {
        match (&self.command, &self.runs[..]) {
            (Some(command), []) => command.run(world, page),
            (Some(_), [first, ..]) => {
                let first = first.to_string_lossy();
                Ok(complain(page, &format!("expected a command, found {first:?} before one"), Exit::WrongUse))
            }
            (None, runs) => workstation(world, runs, page),
        }
    }
}

/// The workstation, for whoever has a screen; else what does the same without one.
fn workstation(world: &World, runs: &[OsString], page: &mut Page<'_>) -> Result<Next, Fault> {
    if world.terminal {
        return Ok(Next::Workstation { directory: world.directory.clone(), runs: arguments(runs) });
    }
    Ok(complain(page, WITHOUT_SCREEN, Exit::WrongUse))
}

const WITHOUT_SCREEN: &str = "\
the workstation needs a terminal; without one these commands do the same:
  redpin --plain [RUN]...                       the workstation as questions and answers, line by line
  redpin import RUN...                          read runs into the inbox
  redpin list [RUN]... [--json]                 the failures
  redpin show FAILURE [--json]                  one failure, whole
  redpin decide FAILURE VERDICT [--note TEXT]   give a verdict and stage its consequence
  redpin pin FAILURE... | --all [--run RUN]     call failures real bugs and stage their pins
  redpin verify [PIN]...                        run pins: red, green, or neither and why
  redpin bisect PIN --good REV                  the commit that turned a pin red
  redpin undo, redpin redo                      go back and forth";

/// Says what went wrong. Nothing can be done where even that cannot be written.
fn complain(page: &mut Page<'_>, text: &str, exit: Exit) -> Next {
    let _ = page.remark(&format!("redpin: {}", visible::block(text)));
    exit.into()
}

impl Command {
    fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Next, Fault> {
        match self {
            Command::Run(run) => run.run(world, page),
            Command::Sweep(sweep) => sweep.run(world, page),
            Command::Import(import) => import.run(world, page).map(Next::from),
            Command::List(list) => list.run(world, page).map(Next::from),
            Command::Show(show) => show.run(world, page).map(Next::from),
            Command::Choose(choose) => choose.run(world, page).map(Next::from),
            Command::Decide(decide) => decide.run(world, page).map(Next::from),
            Command::Stage(stage) => stage.run(world, page).map(Next::from),
            Command::Pin(pin) => pin.run(world, page).map(Next::from),
            Command::Verify(verify) => verify.run(world, page).map(Next::from),
            Command::Bisect(bisect) => bisect.run(world, page).map(Next::from),
            Command::Check(check) => check.run(world, page).map(Next::from),
            Command::Init(init) => init.run(world, page).map(Next::from),
            Command::Control(control) => control.run(world, page).map(Next::from),
            Command::Contract(contract) => contract.run(world, page).map(Next::from),
            Command::Evidence(evidence) => evidence.run(world, page).map(Next::from),
            Command::Prompt(prompt) => prompt.run(world, page).map(Next::from),
            Command::Suggest(suggest) => suggest.run(world, page).map(Next::from),
            Command::Allow(allow) => allow.run(world, page).map(Next::from),
            Command::Reopen(reopen) => reopen.run(world, page).map(Next::from),
            Command::Undo(undo) => undo.run(world, page).map(Next::from),
            Command::Redo(redo) => redo.run(world, page).map(Next::from),
            Command::Demo(demo) => demo.run(world, page),
            Command::Completions(completions) => completions.run(page).map(Next::from),
            Command::Man(manual) => manual.run(page).map(Next::from),
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
