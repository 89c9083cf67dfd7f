//! The `redpin` program: arguments to face to exit code, nothing else.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use directories::ProjectDirs;

use redpin::cli::{Arguments, Exit, Next, Page, World};
use redpin::tui::{self, Settings, Start};

fn main() -> ExitCode {
    // `redpin` alone says nothing that needs a parser, and is to show its screen at once.
    let alone = std::env::args_os().len() == 1;
    let arguments = if alone { Arguments::default() } else { Arguments::parse() };
    if let Some(directory) = arguments.directory()
        && let Err(error) = std::env::set_current_dir(directory)
    {
        complain(&format!("could not enter {}: {error}", directory.display()));
        return Exit::World.into();
    }
    let terminal = io::stdout().is_terminal();
    let (now, temporary) = (jiff::Timestamp::now, std::env::temp_dir());
    let world = World { directory: ".".into(), now, temporary, cache: cache(), terminal, answers, edit };
    match answer(&arguments, &world) {
        Next::Exit(exit) => exit.into(),
        Next::Workstation { directory, runs } => {
            let mut settings = Settings::from_environment(&variable);
            settings.colour = arguments.screen().color.or(settings.colour);
            settings.ascii |= arguments.screen().ascii;
            settings.proves = arguments.verifies();
            tui::run(Start { directory, runs, now: world.now, cache: world.cache, settings }).into()
        }
    }
}

/// The folder for scratch builds.
fn cache() -> PathBuf {
    ProjectDirs::from("", "", "redpin")
        .map_or_else(|| std::env::temp_dir().join("redpin"), |own| own.cache_dir().to_owned())
}

/// Runs a command; its page is written out when this returns.
fn answer(arguments: &Arguments, world: &World) -> Next {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let (terminal, colour) = (io::stdout().is_terminal(), arguments.screen().color.or(coloured()));
    let mut err = io::stderr().lock();
    let mut page = Page::new(&mut out, &mut err);
    (page.terminal, page.colour) = (terminal, colour);
    arguments.run(world, &mut page)
}

/// The user's editor on a file, on the terminal that we have.
fn edit(top: &Path, file: &Path, line: u32) -> Result<(), String> {
    tui::edit_alone(&Settings::from_environment(&variable), top, file, line)
}

/// What a person answers: standard input, or the terminal itself where a run is read from there.
fn answers(input_is_taken: bool) -> io::Result<Box<dyn BufRead>> {
    Ok(if input_is_taken { Box::new(BufReader::new(File::open("/dev/tty")?)) } else { Box::new(io::stdin().lock()) })
}

#[expect(clippy::disallowed_methods, reason = "the environment is read here and handed on as a value")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Whether answers may be coloured: on a terminal, unless the user asked for none.
#[expect(clippy::disallowed_methods, reason = "the environment is read here and handed on as a value")]
fn coloured() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

#[expect(clippy::print_stderr, reason = "the complaint that no page can take")]
fn complain(text: &str) {
    eprintln!("redpin: {text}");
}
