//! How other threads reach the one that draws: a letter in its box and a byte in the pipe it sleeps on.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::event::{Arrival, Event};

/// What the thread that draws is told.
#[derive(Debug)]
pub(super) enum Letter {
    /// Something happened.
    Event(Event),
    /// The program was stopped and goes on: the terminal may be changed.
    Continued,
    /// The screen's size changed.
    Resized,
    /// Pins that are being run printed something.
    Output,
    /// tmux did not take this text: the terminal may.
    NotCopied(String),
}

/// One end: for every thread that has something to tell.
#[derive(Clone)]
pub(super) struct Post {
    letters: Sender<Letter>,
    bell: Arc<UnixStream>,
}

/// The other end: for the thread that draws.
pub(super) struct LetterBox {
    letters: Receiver<Letter>,
    pub(super) bell: UnixStream,
}

/// Both ends.
pub(super) fn post() -> io::Result<(Post, LetterBox)> {
    let (letters, received) = channel();
    let (bell, heard) = UnixStream::pair()?;
    bell.set_nonblocking(true)?;
    heard.set_nonblocking(true)?;
    Ok((Post { letters, bell: Arc::new(bell) }, LetterBox { letters: received, bell: heard }))
}

impl Post {
    /// Tells the thread that draws. Where it is gone, or its pipe is full of rings already, nothing is lost.
    pub(super) fn send(&self, letter: Letter) {
        if self.letters.send(letter).is_ok() {
            let _ = (&*self.bell).write(&[0]);
        }
    }

    /// Tells what a worker brings.
    pub(super) fn bring(&self, arrival: Arrival) {
        self.send(Letter::Event(Event::Arrived(arrival)));
    }

    /// Tells several things at once, so that one frame shows them all.
    pub(super) fn bring_together(&self, arrivals: Vec<Arrival>) {
        for arrival in arrivals {
            let _ = self.letters.send(Letter::Event(Event::Arrived(arrival)));
        }
        let _ = (&*self.bell).write(&[0]);
    }
}

impl LetterBox {
    /// All that has come. The pipe is emptied first: who rings later is heard later.
    pub(super) fn collect(&mut self) -> Vec<Letter> {
        let mut rings = [0; 256];
        while self.bell.read(&mut rings).is_ok_and(|count| count == rings.len()) {}
        self.letters.try_iter().collect()
    }
}
