//! Ties a process group to our own life: where we are killed, so that we can end nobody any more, the system asks the group
//! to end.
//!
//! Every process of the group inherits one end of a pipe through which nothing ever goes, and we hold the other. It is closed
//! with us, however we go; the system tells of that by a signal to the owner of the inherited end, which is the group. It
//! does not matter which thread started it, and nobody has to watch.
//!
//! The signal is SIGTERM: a test runner that gives its tests groups of their own, as nextest does, hands it on to them, which
//! after SIGKILL it could not. Who does not heed it goes on. Only Linux lets the signal be chosen, and elsewhere the one that
//! is sent is ignored unless it is asked for: there, what a killed redpin had started ends by itself.

use std::io;
use std::process::{Child, Command};

/// What ties a group to us, as long as it is kept.
#[derive(Debug)]
pub(super) struct Tie {
    #[cfg(target_os = "linux")]
    _ours: io::PipeWriter,
}

/// Starts `command`, which is to lead a group of its own, tied to us. Where the system refuses the tie, it starts without.
#[cfg(target_os = "linux")]
pub(super) fn start(command: &mut Command) -> io::Result<(Child, Tie)> {
    let (theirs, ours) = io::pipe()?;
    // Whoever else is started just now inherits it too. That makes no difference: it is not of the group.
    rustix::io::fcntl_setfd(&theirs, rustix::io::FdFlags::empty())?;
    let leader = command.spawn()?;
    let _ = own(&theirs, &leader);
    Ok((leader, Tie { _ours: ours }))
}

/// Starts `command`.
#[cfg(not(target_os = "linux"))]
pub(super) fn start(command: &mut Command) -> io::Result<(Child, Tie)> {
    Ok((command.spawn()?, Tie {}))
}

/// Has the group of `leader` be sent SIGTERM once nobody holds the other end of the pipe any more.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no safe interface names the owner of a pipe and the signal for it")]
fn own(theirs: &io::PipeReader, leader: &Child) -> io::Result<()> {
    use std::os::fd::AsRawFd;

    /// Every Linux that Rust knows has it so; libc does not name it on all of them.
    const F_SETSIG: libc::c_int = 10;
    let group = -rustix::process::Pid::from_child(leader).as_raw_nonzero().get();
    for (order, value) in
        [(libc::F_SETOWN, group), (F_SETSIG, libc::SIGTERM), (libc::F_SETFL, libc::O_RDONLY | libc::O_ASYNC)]
    {
        // SAFETY: the pipe is open, and each of these orders takes a plain number.
        if unsafe { libc::fcntl(theirs.as_raw_fd(), order, value) } == -1 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::{Read, pipe};
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::Stdio;

    use super::start;
    use crate::runner::running::command;

    #[test]
    fn the_whole_group_ends_with_the_tie_and_not_before() {
        let (mut output, theirs) = pipe().unwrap();
        let mut sleepers = command("sh".as_ref());
        sleepers.args(["-c", "sleep 1000 & sleep 1000 & echo ready; wait"]).process_group(0);
        let (mut leader, tie) = start(sleepers.stdin(Stdio::null()).stdout(theirs)).unwrap();
        drop(sleepers);
        let mut ready = [0; 6];
        output.read_exact(&mut ready).unwrap();
        assert!(leader.try_wait().unwrap().is_none());
        drop(tie);
        assert_eq!(leader.wait().unwrap().signal(), Some(15));
        // Its end is read once nobody can write any more: those that the leader started are gone as well.
        assert_eq!(output.read_to_end(&mut Vec::new()).unwrap(), 0);
    }
}
