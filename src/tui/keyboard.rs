//! The keyboard: the terminal that keys are read from, never waited for longer than asked.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::decode::{Decoder, Sent};

/// How long an escape waits for what makes it the start of another key: bytes of one key may come apart on the way.
const PATIENCE: Duration = Duration::from_millis(25);
/// No more is read before what was read is worked on.
const AT_ONCE: usize = 1 << 16;

/// Where keys come from.
pub(super) struct Keyboard {
    source: Source,
    decoder: Decoder,
    /// Since when half a key waits.
    waiting: Option<Instant>,
}

/// Standard input, or the terminal itself where a run is read from there.
enum Source {
    Input(io::Stdin),
    Terminal(File),
}

impl Keyboard {
    /// The terminal's; `None` where there is no terminal.
    pub(super) fn of_terminal() -> Option<Keyboard> {
        let input = io::stdin();
        let source =
            if input.is_terminal() { Source::Input(input) } else { Source::Terminal(File::open("/dev/tty").ok()?) };
        Some(Keyboard { source, decoder: Decoder::default(), waiting: None })
    }

    /// To sleep on.
    pub(super) fn descriptor(&self) -> BorrowedFd<'_> {
        match &self.source {
            Source::Input(input) => input.as_fd(),
            Source::Terminal(file) => file.as_fd(),
        }
    }

    /// How long until half a key counts as it is; `None` where none waits.
    pub(super) fn patience(&self) -> Option<Duration> {
        self.waiting.map(|since| PATIENCE.saturating_sub(since.elapsed()))
    }

    /// All that was typed, so that a frame is drawn once for it.
    pub(super) fn typed(&mut self) -> io::Result<Vec<Sent>> {
        let mut sent = Vec::new();
        let mut buffer = [0; 1024];
        let mut taken = 0;
        while taken < AT_ONCE && self.is_readable()? {
            let read = rustix::io::read(self.descriptor(), &mut buffer)?;
            if read == 0 {
                break;
            }
            self.decoder.take(&buffer[..read], &mut sent);
            taken += read;
        }
        if taken == 0 && self.patience().is_some_and(|left| left.is_zero()) {
            self.decoder.give_up(&mut sent);
        }
        if !self.decoder.is_waiting() {
            self.waiting = None;
        } else if taken > 0 {
            self.waiting = Some(Instant::now());
        }
        Ok(sent)
    }

    fn is_readable(&self) -> io::Result<bool> {
        let descriptor = self.descriptor();
        let mut ready = [PollFd::new(&descriptor, PollFlags::IN)];
        match poll(&mut ready, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })) {
            Ok(_) => Ok(ready[0].revents().contains(PollFlags::IN)),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}
