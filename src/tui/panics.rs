//! Panics: one in the thread that draws gives the terminal back before anything is printed; one in any other thread is
//! kept, said on the screen, and printed once the terminal is the shell's again.

use std::panic::{self, PanicHookInfo};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::terminal::leave;

/// What other threads said when they panicked.
static KEPT: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Sees to panics from now on. To be called by the thread that draws.
pub(super) fn watch() {
    let ours = thread::current().id();
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == ours {
            leave();
            before(info);
        } else {
            keep(info);
        }
    }));
}

fn keep(info: &PanicHookInfo<'_>) {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).push(info.to_string());
}

/// What was kept; it is forgotten then.
pub(super) fn kept() -> Vec<String> {
    std::mem::take(&mut KEPT.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The last that was kept, as a line for the user.
pub(super) fn last() -> String {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let said = kept.last().map_or("", String::as_str);
    format!("redpin itself failed here ({said}); all that was decided is saved: please report it")
}
