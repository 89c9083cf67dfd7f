//! The `redpin` program: arguments to face to exit code, nothing else.

use std::io::{self, BufWriter, IsTerminal};
use std::process::ExitCode;

use clap::Parser;

use redpin::cli::{Arguments, Exit, Next, Page, World};
use redpin::tui::{self, Settings, Start};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(directory) = arguments.directory()
        && let Err(error) = std::env::set_current_dir(directory)
    {
        complain(&format!("could not enter {}: {error}", directory.display()));
        return Exit::World.into();
    }
    let terminal = io::stdout().is_terminal();
    let world = World { directory: ".".into(), now: jiff::Timestamp::now, temporary: std::env::temp_dir(), terminal };
    match answer(&arguments, &world) {
        Next::Exit(exit) => exit.into(),
        Next::Workstation { directory, runs } => {
            let settings = Settings::from_environment(&variable);
            tui::run(Start { directory, runs, now: world.now, settings }).into()
        }
    }
}

/// Runs a command; its page is written out when this returns.
fn answer(arguments: &Arguments, world: &World) -> Next {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut page = Page { out: &mut out, err: &mut io::stderr().lock(), colour: coloured() };
    arguments.run(world, &mut page)
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
