//! The terminal while the user's editor has it: signals that would end redpin go to the editor first, so that it can save and
//! give the terminal back; then redpin ends as well.

use std::io;
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

/// How long an editor may take to end after a signal.
const GRACE: Duration = Duration::from_millis(700);

/// What happens while an editor has the terminal.
#[derive(Clone, Copy, Debug)]
enum News {
    Ended,
    Signal(i32),
}

/// Whether an editor has the terminal, known to every thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Lent(Arc<Mutex<Option<Sender<News>>>>);

/// How an editor came to its end.
#[derive(Debug)]
pub(super) enum Return {
    /// By itself.
    Ended(ExitStatus),
    /// A signal that ends redpin ended it as well. Whether it ended in its own way, and so left the terminal in order.
    Stopped { orderly: bool },
}

impl Lent {
    /// Takes down that an editor gets the terminal, before anything of it is started.
    pub(super) fn lend(&self) -> Loan {
        let (sender, news) = channel();
        *self.sender() = Some(sender.clone());
        Loan { lent: self.clone(), sender, news }
    }

    /// Whether an editor has the terminal.
    pub(super) fn is_lent(&self) -> bool {
        self.sender().is_some()
    }

    /// Passes a signal on that ends redpin, where an editor has the terminal.
    pub(super) fn pass_on(&self, signal: i32) {
        if let Some(sender) = &*self.sender() {
            // Who is not waiting any more has the editor's end already.
            let _ = sender.send(News::Signal(signal));
        }
    }

    fn sender(&self) -> std::sync::MutexGuard<'_, Option<Sender<News>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The time for which an editor has the terminal.
#[derive(Debug)]
pub(super) struct Loan {
    lent: Lent,
    sender: Sender<News>,
    news: Receiver<News>,
}

impl Drop for Loan {
    fn drop(&mut self) {
        *self.lent.sender() = None;
    }
}

impl Loan {
    /// Waits for the editor's end; after a signal not for long.
    pub(super) fn wait_for(self, mut editor: Child) -> io::Result<Return> {
        let id = Pid::from_child(&editor);
        let sender = self.sender.clone();
        thread::spawn(move || {
            // The status stays to be fetched, and with it the id the editor's own, until the end is taken in.
            while let Err(rustix::io::Errno::INTR) =
                waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
            {}
            let _ = sender.send(News::Ended);
        });
        let mut until: Option<Instant> = None;
        loop {
            let news = match until {
                None => self.news.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(until) => self.news.recv_timeout(until.saturating_duration_since(Instant::now())),
            };
            match news {
                Ok(News::Signal(number)) => {
                    let signal = Signal::from_named_raw(number).unwrap_or(Signal::TERM);
                    // An editor that has ended meanwhile is no error.
                    let _ = kill_process(id, signal);
                    until = until.or(Some(Instant::now() + GRACE));
                }
                Ok(News::Ended) => {
                    let status = editor.wait()?;
                    let stopped = Return::Stopped { orderly: status.code().is_some() };
                    return Ok(if until.is_some() { stopped } else { Return::Ended(status) });
                }
                Err(_) => return Ok(Return::Stopped { orderly: false }),
            }
        }
    }
}
