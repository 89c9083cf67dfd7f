//! A started command with all that it starts in turn, as one process group: signals reach every one of them, and none
//! outlives it, nor us.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::tie::{self, Tie};

/// The group of a started command. Dropped before it ended, the group is killed.
#[derive(Debug)]
pub(super) struct Group {
    leader: Child,
    id: Pid,
    ended: bool,
    _tie: Tie,
}

impl Group {
    /// Starts `command` as the leader of a group of its own.
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        let (leader, tie) = tie::start(command.process_group(0))?;
        Ok(Group { id: Pid::from_child(&leader), leader, ended: false, _tie: tie })
    }

    /// The leader's id, for [`wait_for`].
    pub(super) fn id(&self) -> Pid {
        self.id
    }

    /// Sends `signal` to everyone in the group. That nobody is left is no error.
    pub(super) fn signal(&self, signal: Signal) {
        let _ = kill_process_group(self.id, signal);
    }

    /// The leader's own status; whoever is left of the group is killed. Until here the leader's id is not given away.
    pub(super) fn end(mut self) -> io::Result<ExitStatus> {
        self.signal(Signal::KILL);
        self.ended = true;
        self.leader.wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.ended {
            self.signal(Signal::KILL);
            let _ = self.leader.wait();
        }
    }
}

/// Returns when the leader has ended, and leaves its status to be fetched.
pub(super) fn wait_for(id: Pid) {
    while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {}
}
