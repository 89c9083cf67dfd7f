//! Whether what takes several commands and pauses is to end: asked for by the user, with a key or by a signal, and known
//! between two commands as well as while one runs.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::{SigId, flag, low_level};

use super::Stopper;

/// The signals that ask for an end.
pub(super) const ENDING: [i32; 4] = [SIGINT, SIGQUIT, SIGTERM, SIGHUP];

/// Whether what is under way is to end, known to who does it and to who asks for that.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// The signal by which it was last asked for; 0 where it was not.
    asked: Arc<AtomicUsize>,
    /// Ends the command under way.
    stopper: Arc<Mutex<Option<Stopper>>>,
    _ears: Option<Arc<Ears>>,
}

impl Stop {
    /// One that signals ask for as well. They do not end this program as long as it is kept; once it is not, they do again.
    ///
    /// # Errors
    /// Where the system does not let us hear them.
    pub fn by_signals() -> io::Result<Stop> {
        let stop = Stop::default();
        let ears = Ears::of(&stop.asked)?;
        Ok(Stop { _ears: Some(Arc::new(ears)), ..stop })
    }

    /// Asks for the end, and the command under way to end. Asked a third time, that is killed.
    pub fn ask(&self) {
        self.asked.store(SIGTERM as usize, Ordering::Relaxed);
        self.stopper().iter().for_each(Stopper::stop);
    }

    /// The signal by which an end was asked for.
    pub fn asked(&self) -> Option<i32> {
        i32::try_from(self.asked.load(Ordering::Relaxed)).ok().filter(|signal| *signal != 0)
    }

    /// A command started that `stopper` ends: at once, where that was asked for already.
    pub fn started(&self, stopper: Stopper) {
        let mut kept = self.stopper();
        if self.asked().is_some() {
            stopper.stop();
        }
        *kept = Some(stopper);
    }

    fn stopper(&self) -> MutexGuard<'_, Option<Stopper>> {
        self.stopper.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Signals being heard.
#[derive(Debug)]
struct Ears(Vec<SigId>);

/// How many hear signals, and, for the answer to one that nobody hears, whether that is none.
static HEARING: Mutex<usize> = Mutex::new(0);
static NOBODY: OnceLock<Arc<AtomicBool>> = OnceLock::new();

impl Ears {
    fn of(asked: &Arc<AtomicUsize>) -> io::Result<Ears> {
        hear(1)?;
        let mut ears = Ears(Vec::new());
        for signal in ENDING {
            ears.0.push(flag::register_usize(signal, asked.clone(), signal as usize)?);
        }
        Ok(ears)
    }
}

impl Drop for Ears {
    fn drop(&mut self) {
        for id in self.0.drain(..) {
            low_level::unregister(id);
        }
        let _ = hear(-1);
    }
}

/// So many more hear signals from here on. Once nobody does, a signal ends the program as it would have before.
fn hear(more: isize) -> io::Result<()> {
    let mut hearing = HEARING.lock().unwrap_or_else(PoisonError::into_inner);
    let nobody = match NOBODY.get() {
        Some(nobody) => nobody,
        None => {
            let nobody = Arc::new(AtomicBool::new(false));
            for signal in ENDING {
                flag::register_conditional_default(signal, nobody.clone())?;
            }
            NOBODY.get_or_init(|| nobody)
        }
    };
    *hearing = hearing.saturating_add_signed(more);
    nobody.store(*hearing == 0, Ordering::Relaxed);
    Ok(())
}
