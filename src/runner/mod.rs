//! Starts the user's test command for `redpin run`: its output shown as it comes and kept as a run with what it hands over,
//! signals passed on, nobody left behind. What is started, and what stands in the output, is not its matter.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;

mod group;
mod handed;
mod running;
mod spool;
mod stop;
mod tie;
mod time_limit;

pub use running::{Finished, RunError, Running, Stopper, Watch};
pub use stop::Stop;
pub use time_limit::TimeLimit;

/// What `command`, which ends by itself and asks nobody, prints in `folder`; `None` where it cannot be started.
pub fn answer(command: &[OsString], folder: &Path) -> Option<String> {
    let (program, arguments) = command.split_first()?;
    let asked = running::command(program).args(arguments).current_dir(folder).stdin(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&asked.stdout).into_owned())
}

#[cfg(test)]
mod tests;
