//! Starts the user's test command for `redpin run`: with the options that lose least, its output shown as it comes and
//! kept as a run, signals passed on, nobody left behind. What stands in the output is not its matter.

use std::ffi::OsString;
use std::process::Stdio;

mod group;
mod running;
mod spool;
mod stop;
mod tie;
mod time_limit;
mod widen;

pub use running::{Finished, RunError, Running, Stopper, Watch};
pub use stop::Stop;
pub use time_limit::TimeLimit;
pub use widen::{Invocation, Kept};

use widen::{Tool, Version, tool};

/// The invocation for the command the user gave. Asks nextest for its version, where it is what runs.
pub fn invocation(command: &[OsString]) -> Invocation {
    let version = match tool(command) {
        Some(Tool::Nextest(at)) => nextest_version(&command[..at]),
        Some(Tool::CargoTest(_)) | None => None,
    };
    widen::widen(command, version)
}

/// The version that `cargo … nextest` tells.
fn nextest_version(command: &[OsString]) -> Option<Version> {
    let (program, arguments) = command.split_first()?;
    let asked = running::command(program).args(arguments).arg("--version").stdin(Stdio::null()).output().ok()?;
    version_in(&String::from_utf8_lossy(&asked.stdout))
}

/// The version in `cargo-nextest 0.9.143 (60fa45f63 2026-08-04)`.
fn version_in(told: &str) -> Option<Version> {
    let mut numbers = told.split_whitespace().nth(1)?.split('.').map(|part| {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        part[..digits].parse().ok()
    });
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

#[cfg(test)]
mod tests;
