//! The signals of the terminal and of whoever ends us: one thread that waits for them and tells the thread that draws. Where
//! that one does not answer, this one gives the terminal back.

use std::io;
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;

use super::event::Event;
use super::lent::Lent;
use super::post::{Letter, Post};
use super::terminal::leave;

/// How long the thread that draws may take to end.
const PATIENCE: Duration = Duration::from_secs(3);

/// Signals that are kept from now on, until [`watch`] answers them.
pub(super) fn keep() -> io::Result<Signals> {
    Signals::new([SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH])
}

/// Answers signals from now on, those kept before included. While the terminal is lent to an
/// editor, what is typed there is not for us, and what ends us ends the editor as well.
pub(super) fn watch(mut signals: Signals, post: Post, lent: Lent) -> io::Result<()> {
    let wait = move || {
        for signal in signals.forever() {
            if lent.is_lent() && matches!(signal, SIGINT | SIGQUIT | SIGTSTP | SIGCONT) {
                continue;
            }
            post.send(match signal {
                SIGWINCH => Letter::Resized,
                SIGCONT => Letter::Continued,
                SIGTSTP => Letter::Event(Event::Suspend),
                _ => {
                    end_without_answer();
                    lent.pass_on(signal);
                    Letter::Event(Event::Terminate)
                }
            });
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// Ends the program in a while, if it has not ended by then.
fn end_without_answer() {
    thread::spawn(|| {
        thread::sleep(PATIENCE);
        leave();
        std::process::exit(0);
    });
}
