//! How a command ends, as scripts see it.

use std::process::ExitCode;

/// The exit codes, documented in `redpin --help` and kept stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    Done,
    /// 1: the answer is no (nothing to pin, a refusal, a check that failed).
    No,
    /// 2: wrong use.
    WrongUse,
    /// 3: the world said no (git, the disk, a run that cannot be read).
    World,
    /// 128 and the number of the signal that ended it, as a shell tells it.
    Stopped(i32),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::No => 1,
            Exit::WrongUse => 2,
            Exit::World => 3,
            Exit::Stopped(signal) => u8::try_from(128 + signal).unwrap_or(255),
        })
    }
}
