//! A program on a terminal of its own: starts it, answers what it asks of the terminal, sends keys, and says when which
//! bytes came. The screen is rebuilt aside, so that doing so is in no time measured.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::process;

const ROWS: NonZero<u16> = NonZero::<u16>::MIN.saturating_add(39);
const COLUMNS: NonZero<u16> = NonZero::<u16>::MIN.saturating_add(119);

/// How long a program may take for anything.
const PATIENCE: Duration = Duration::from_secs(30);

/// Bytes that belong to one frame come closer together than this.
const GAP: Duration = Duration::from_millis(5);

/// A running program and its screen.
pub(crate) struct Terminal {
    screen: vt100::Parser,
    chunks: Receiver<(Instant, Vec<u8>)>,
    keyboard: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    started: Instant,
    _pty: Box<dyn MasterPty + Send>,
}

impl Terminal {
    /// Starts `program` in `folder` on a terminal of 120 by 40.
    pub(crate) fn start(program: &Path, arguments: &[&str], folder: &Path, home: &Path) -> Result<Terminal, String> {
        let said = |error: &dyn std::fmt::Display| format!("{}: {error}", program.display());
        let size = PtySize { rows: ROWS.get(), cols: COLUMNS.get(), pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).map_err(|error| said(&error))?;
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.cwd(folder);
        process::surroundings(home).into_iter().for_each(|(name, value)| command.env(name, value));
        let started = Instant::now();
        let child = pair.slave.spawn_command(command).map_err(|error| said(&error))?;
        let reader = pair.master.try_clone_reader().map_err(|error| said(&error))?;
        let keyboard = pair.master.take_writer().map_err(|error| said(&error))?;
        let screen = vt100::Parser::new(ROWS, COLUMNS, 0);
        Ok(Terminal { screen, chunks: chunks(reader), keyboard, child, started, _pty: pair.master })
    }

    /// Time from the start until the screen shows `text`.
    pub(crate) fn shows(&mut self, text: &str) -> Result<Duration, String> {
        self.shows_since(self.started, |screen| screen.contains(text))
    }

    /// Time from `since` until the screen is as `wanted`.
    pub(crate) fn shows_since(&mut self, since: Instant, wanted: impl Fn(&str) -> bool) -> Result<Duration, String> {
        loop {
            let Some((at, bytes)) = self.next(PATIENCE)? else {
                return Err(format!("waited in vain, the screen shows:\n{}", self.contents()));
            };
            self.take(&bytes)?;
            if wanted(&self.contents()) {
                return Ok(at.duration_since(since));
            }
        }
    }

    /// Sends `keys`; the time until the last byte of the frame that answers.
    pub(crate) fn frame_after(&mut self, keys: &str) -> Result<Duration, String> {
        let sent = self.send(keys)?;
        let mut last = None;
        while let Some((at, bytes)) = self.next(if last.is_none() { PATIENCE } else { GAP })? {
            self.take(&bytes)?;
            last = Some(at);
        }
        last.map(|at| at.duration_since(sent)).ok_or_else(|| format!("no frame after {keys:?}"))
    }

    /// Sends `keys`.
    pub(crate) fn send(&mut self, keys: &str) -> Result<Instant, String> {
        let sent = Instant::now();
        self.keyboard
            .write_all(keys.as_bytes())
            .and_then(|()| self.keyboard.flush())
            .map_err(|error| error.to_string())?;
        Ok(sent)
    }

    /// Takes what comes within `time`; how many bytes that was, and when the last came.
    pub(crate) fn listen(&mut self, time: Duration) -> Result<(usize, Option<Instant>), String> {
        let end = Instant::now() + time;
        let (mut length, mut last) = (0, None);
        while let Some((at, bytes)) = self.next(end.saturating_duration_since(Instant::now()))? {
            self.take(&bytes)?;
            length += bytes.len();
            last = Some(at);
        }
        Ok((length, last))
    }

    /// The text on the screen.
    pub(crate) fn contents(&self) -> String {
        self.screen.screen().contents()
    }

    /// The process on the terminal.
    pub(crate) fn process(&self) -> u32 {
        self.child.process_id().unwrap_or(0)
    }

    fn next(&self, patience: Duration) -> Result<Option<(Instant, Vec<u8>)>, String> {
        match self.chunks.recv_timeout(patience) {
            Ok(chunk) => Ok(Some(chunk)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                Err(format!("the program ended, its last words:\n{}", self.contents()))
            }
        }
    }

    /// Puts bytes on the screen, and answers the two questions that a program waits for.
    fn take(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.screen.process(bytes);
        for (question, answer) in [(&b"\x1b[c"[..], "\x1b[?62;22c"), (b"\x1b[6n", "\x1b[1;1R")] {
            if bytes.windows(question.len()).any(|window| window == question) {
                self.send(answer)?;
            }
        }
        Ok(())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads on a thread of its own, so that each chunk is stamped when it comes.
fn chunks(mut reader: Box<dyn Read + Send>) -> Receiver<(Instant, Vec<u8>)> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 65536];
        while let Ok(length @ 1..) = reader.read(&mut buffer) {
            if sender.send((Instant::now(), buffer[..length].to_vec())).is_err() {
                break;
            }
        }
    });
    receiver
}
