//! A command under way: its output is shown and kept as it comes, signals are passed on to it. However much it prints, and
//! however fast, little of it is in memory.

use std::ffi::OsStr;
use std::fmt;
use std::fs::Permissions;
use std::io::{self, IsTerminal, PipeReader, Read, Write};
use std::ops::Deref;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use signal_hook::consts::{SIGHUP, SIGQUIT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

use super::group::{Group, wait_for};
use super::handed::Handed;
use super::spool::Spool;
use super::stop::ENDING;
use crate::invocation::{Invocation, Kept};
use crate::source::Bytes;

/// What is kept is told no more often than this, and at most a tenth of the time.
const TELL_EVERY: Duration = Duration::from_millis(200);

/// How long those whom the command left behind may take to end, and then to let go of its output.
const GRACE: Duration = Duration::from_millis(500);

/// Output without a line end is passed on from this length on.
const LONGEST_HELD: usize = 64 << 10;

/// How long the beginning of a line waits for the rest of it.
const LONGEST_SILENCE: Duration = Duration::from_millis(150);

/// So many pieces of output wait to be taken in; a command that prints faster waits until they are.
const MOST_WAITING: usize = 64;

/// Takes part in a run as it goes.
pub trait Watch {
    /// Output for the user, as the command wrote it: whole lines, where it writes lines.
    fn show(&mut self, bytes: &[u8]);

    /// All that the command printed so far and that is kept, whenever there is more; and likewise all that it handed over.
    fn kept(&mut self, so_far: &[u8]);
}

/// A run that came to its end.
#[derive(Debug)]
pub struct Finished {
    /// All that was kept.
    pub bytes: Bytes,
    /// Why that is not all that was printed, where it is not: the disk is full.
    pub cut: Option<io::Error>,
    /// The command's own exit status, as a shell tells it: 128 and the signal's number where a signal ended it.
    pub code: i32,
    /// The signal by which it was asked to end, by the user or by a [`Stopper`]; `None` where it was left alone.
    pub stopped: Option<i32>,
}

impl Finished {
    /// Writes all that was kept to `path`, after `head`, for it to be read again.
    ///
    /// # Errors
    /// Where that cannot be written.
    pub fn keep(&self, path: &Path, head: &[u8]) -> io::Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = tempfile::Builder::new().permissions(Permissions::from_mode(0o644)).tempfile_in(folder)?;
        file.write_all(head)?;
        file.write_all(&self.bytes)?;
        file.persist(path).map(|_| ()).map_err(|error| error.error)
    }

    /// Whether we ourselves were asked to end, as by `timeout`, and not only the tests, by ctrl-c.
    pub fn ends_us(&self) -> bool {
        matches!(self.stopped, Some(SIGTERM | SIGHUP | SIGQUIT))
    }
}

/// Why a command did not run.
#[derive(Debug)]
pub enum RunError {
    /// There is none.
    NoCommand,
    /// It cannot be started.
    NotStarted {
        /// The program.
        program: String,
        /// What the system says.
        cause: io::Error,
    },
    /// It cannot be followed.
    Lost(io::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::NoCommand => f.write_str("expected a command, found none: name one after `--`"),
            RunError::NotStarted { program, cause } => {
                write!(f, "cannot start `{program}`: {cause}: check that it is installed and can be run")
            }
            RunError::Lost(cause) => write!(f, "cannot follow the command: {cause}"),
        }
    }
}

impl std::error::Error for RunError {}

/// Ends a run from elsewhere, as ctrl-c would.
#[derive(Clone, Debug)]
pub struct Stopper(Sender<Event>);

impl Stopper {
    /// Asks the command to end. Asked a third time, it is killed.
    pub fn stop(&self) {
        let _ = self.0.send(Event::Signal(SIGTERM));
    }
}

#[derive(Debug)]
enum Event {
    /// Output to keep, and to show where `shown`.
    Kept { bytes: Vec<u8>, shown: bool },
    /// Output to show, and to keep after all other.
    Later(Vec<u8>),
    /// Output to show.
    Shown(Vec<u8>),
    /// One of the command's streams is at its end.
    Closed,
    /// We got a signal.
    Signal(i32),
    /// The command ended; others of its group may still run.
    Ended,
}

/// A started command.
#[derive(Debug)]
pub struct Running {
    pub(super) group: Group,
    /// What is kept.
    spool: Spool,
    /// What is kept after all other.
    later: Spool,
    /// What is handed over, where the command does so.
    handed: Option<Handed>,
    /// Gives back the place of a piece of output that was taken in.
    places: Receiver<()>,
    events: Receiver<Event>,
    sender: Sender<Event>,
    _signals: PassedSignals,
    /// Streams that are not yet at their end.
    open: usize,
    /// How often it was asked to end.
    stops: usize,
    /// The signal by which it was first asked to.
    stopped: Option<i32>,
    /// How many pieces of output came after the command ended.
    late: usize,
    /// Set when the command ended: the moment up to which its output is waited for.
    until: Option<Instant>,
}

impl Running {
    /// Starts what `invocation` says in `folder`. What it prints is kept in a file in `spool`, without a name. From here on
    /// SIGINT, SIGQUIT, SIGTERM and SIGHUP go to the command and do not end this program; when the run is over they are for
    /// whoever else listens.
    ///
    /// # Errors
    /// Where it cannot be started.
    pub fn start(invocation: &Invocation, folder: &Path, spool: &Path) -> Result<Self, RunError> {
        let (sender, events) = channel();
        let (place, places) = sync_channel(MOST_WAITING);
        let (first, rest) = invocation.command.split_first().ok_or(RunError::NoCommand)?;
        let mut command = command(first);
        command
            .args(rest)
            .envs(invocation.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(folder)
            .stdin(input());
        let pipes = pipes(&mut command, invocation.kept).map_err(RunError::Lost)?;
        let handed = Handed::start(&mut command, &invocation.capture, spool);
        let (spool, later) =
            Spool::new(spool).and_then(|kept| Ok((kept, Spool::new(spool)?))).map_err(RunError::Lost)?;
        let signals = pass_signals(&sender).map_err(RunError::Lost)?;
        let not_started = |cause| RunError::NotStarted { program: first.to_string_lossy().into_owned(), cause };
        let group = Group::start(&mut command).map_err(not_started)?;
        // Else our own ends of the pipes keep them open.
        drop(command);
        let open = pipes.len();
        for (pipe, event) in pipes {
            let (sender, place) = (sender.clone(), place.clone());
            thread::spawn(move || pass_lines(pipe, event, &sender, &place));
        }
        let (id, ended) = (group.id(), sender.clone());
        thread::spawn(move || {
            wait_for(id);
            let _ = ended.send(Event::Ended);
        });
        Ok(Running {
            group,
            spool,
            later,
            handed,
            places,
            events,
            sender,
            _signals: signals,
            open,
            stops: 0,
            stopped: None,
            late: 0,
            until: None,
        })
    }

    /// What ends this run from elsewhere.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.sender.clone())
    }

    /// Follows the command to its end.
    ///
    /// # Errors
    /// Where its status cannot be had.
    pub fn follow(mut self, watch: &mut dyn Watch) -> Result<Finished, RunError> {
        let (mut telling, mut telling_handed) = (Telling::default(), Telling::default());
        while !self.is_over() {
            let look = self.handed.as_ref().map(|_| Instant::now() + TELL_EVERY);
            let wait = [self.until, telling.due(self.spool.length()), look].into_iter().flatten().min();
            match self.next(wait) {
                Some(Event::Kept { bytes, shown }) => {
                    self.make_place();
                    if shown {
                        watch.show(&bytes);
                    }
                    self.spool.add(&bytes);
                }
                Some(Event::Later(bytes)) => {
                    self.make_place();
                    watch.show(&bytes);
                    self.later.add(&bytes);
                }
                Some(Event::Shown(bytes)) => {
                    self.make_place();
                    watch.show(&bytes);
                }
                Some(Event::Closed) => self.open -= 1,
                Some(Event::Signal(number)) => self.pass_on(number),
                Some(Event::Ended) => {
                    self.group.signal(Signal::TERM);
                    self.until = Some(Instant::now() + GRACE);
                }
                None => {}
            }
            if self.until.is_none() {
                telling.tell(self.spool.length(), || self.spool.bytes(), watch);
                if let Some(handed) = &self.handed {
                    telling_handed.tell(handed.length(), || handed.lines(), watch);
                }
            }
        }
        let status = self.group.end().map_err(RunError::Lost)?;
        let code = status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(1);
        self.spool.join(self.later);
        if let Some(lines) = self.handed.and_then(|handed| handed.lines().ok()) {
            self.spool.add_lines(&lines);
        }
        let bytes = self.spool.bytes().map_err(RunError::Lost)?;
        Ok(Finished { bytes, cut: self.spool.fault(), code, stopped: self.stopped })
    }

    /// Whether the command ended and all its output was read. What it left behind may go on writing; that is not waited
    /// for.
    fn is_over(&self) -> bool {
        self.until.is_some_and(|until| self.open == 0 || until <= Instant::now())
    }

    /// Gives the place of a piece of output back. What was printed before the command ended may still come after that, where
    /// showing it takes long; it is waited for, but not for ever: somebody left behind may go on printing.
    fn make_place(&mut self) {
        let _ = self.places.try_recv();
        if self.until.is_some() && self.late < MOST_WAITING * 2 {
            self.late += 1;
            self.until = Some(Instant::now() + GRACE);
        }
    }

    /// Hands a signal on. Who needs a third one does not heed them.
    fn pass_on(&mut self, number: i32) {
        self.stops += 1;
        self.stopped = self.stopped.or(Some(number));
        let named = Signal::from_named_raw(number).unwrap_or(Signal::TERM);
        self.group.signal(if self.stops > 2 { Signal::KILL } else { named });
    }

    /// The next event, or none up to the moment `until`.
    fn next(&self, until: Option<Instant>) -> Option<Event> {
        let Some(until) = until else { return self.events.recv().ok() };
        self.events.recv_timeout(until.saturating_duration_since(Instant::now())).ok()
    }
}

/// How much of what is kept was told.
#[derive(Default)]
struct Telling {
    told: u64,
    /// Not before this moment is more told.
    next: Option<Instant>,
}

impl Telling {
    /// When it is to be told that there is more, where there is.
    fn due(&self, length: u64) -> Option<Instant> {
        (self.told < length).then(|| self.next.unwrap_or_else(Instant::now))
    }

    fn tell<B: Deref<Target = [u8]>>(
        &mut self,
        length: u64,
        all: impl FnOnce() -> io::Result<B>,
        watch: &mut dyn Watch,
    ) {
        let start = Instant::now();
        if self.due(length).is_some_and(|due| due <= Instant::now()) {
            // What cannot be read now is told at the end.
            if let Ok(bytes) = all() {
                watch.kept(&bytes);
            }
            self.told = length;
            self.next = Some(Instant::now() + TELL_EVERY.max(start.elapsed() * 9));
        }
    }
}

/// The thread that hands signals on; it ends with this value.
#[derive(Debug)]
struct PassedSignals(Handle);

impl Drop for PassedSignals {
    fn drop(&mut self) {
        self.0.close();
    }
}

fn pass_signals(sender: &Sender<Event>) -> io::Result<PassedSignals> {
    let mut signals = Signals::new(ENDING)?;
    let handle = signals.handle();
    let sender = sender.clone();
    thread::spawn(move || {
        for number in &mut signals {
            let _ = sender.send(Event::Signal(number));
        }
    });
    Ok(PassedSignals(handle))
}

#[expect(clippy::disallowed_methods, reason = "this room starts the user's test command")]
pub(super) fn command(program: &OsStr) -> Command {
    Command::new(program)
}

/// Our own input, unless that is the terminal: a group in the background that reads from it is stopped.
fn input() -> Stdio {
    if io::stdin().is_terminal() { Stdio::null() } else { Stdio::inherit() }
}

type Made = fn(Vec<u8>) -> Event;

/// Connects the command's streams to pipes. Where both are kept they share one, so that they keep their order.
fn pipes(command: &mut Command, kept: Kept) -> io::Result<Vec<(PipeReader, Made)>> {
    let (output, writer) = io::pipe()?;
    if kept == Kept::Both {
        command.stdout(writer.try_clone()?).stderr(writer);
        return Ok(vec![(output, |bytes| Event::Kept { bytes, shown: true })]);
    }
    let (errors, error_writer) = io::pipe()?;
    command.stdout(writer).stderr(error_writer);
    let of_errors = if kept == Kept::Output { Event::Shown } else { Event::Later };
    Ok(vec![(output, |bytes| Event::Kept { bytes, shown: false }), (errors, of_errors)])
}

/// Sends what comes out of `pipe` in whole lines, up to its end; each piece as soon as there is a place for it. The beginning
/// of a line is sent where no more of it comes for a while: so test runners show how far they are.
fn pass_lines(mut pipe: PipeReader, made: Made, sender: &Sender<Event>, place: &SyncSender<()>) {
    let send = |bytes: Vec<u8>| {
        // Where nobody follows the run any more, its output goes nowhere.
        let _ = place.send(());
        let _ = sender.send(made(bytes));
    };
    let mut held = Vec::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        if !held.is_empty() && !is_soon_more(&pipe) {
            send(std::mem::take(&mut held));
        }
        let read = match pipe.read(&mut buffer) {
            Ok(read @ 1..) => &buffer[..read],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Ok(0) | Err(_) => break,
        };
        let line_end = memchr::memrchr(b'\n', read).map(|at| held.len() + at + 1);
        held.extend_from_slice(read);
        if let Some(cut) = line_end.or((held.len() >= LONGEST_HELD).then_some(held.len())) {
            let rest = held.split_off(cut);
            send(std::mem::replace(&mut held, rest));
        }
    }
    if !held.is_empty() {
        send(held);
    }
    let _ = sender.send(Event::Closed);
}

/// Whether more comes out of `pipe`, or its end, in a while.
fn is_soon_more(pipe: &PipeReader) -> bool {
    let mut asked = [PollFd::new(pipe, PollFlags::IN)];
    let patience = Timespec::try_from(LONGEST_SILENCE).ok();
    !matches!(poll(&mut asked, patience.as_ref()), Ok(0))
}
