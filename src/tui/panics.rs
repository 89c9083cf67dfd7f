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

#[cfg(test)]
mod tests {
    use std::io::Read;

    use portable_pty::{CommandBuilder, PtySize, native_pty_system};

    use super::watch;
    use crate::tui::terminal::Screen;

    #[test]
    #[ignore = "it is the program of the test below, and needs its terminal"]
    fn a_program_that_panics_while_it_draws() {
        watch();
        let mut screen = Screen::enter().unwrap();
        screen.send(b"").unwrap();
        panic!("drawn wrong");
    }

    #[test]
    fn a_panic_while_drawing_gives_the_terminal_back_before_it_is_told() {
        let pty = native_pty_system().openpty(PtySize::default()).unwrap();
        let modes = || format!("{:?}", pty.master.get_termios());
        let before = modes();
        let mut program = CommandBuilder::new(std::env::current_exe().unwrap());
        program.args(["--ignored", "--nocapture", "--test-threads", "1", "a_program_that_panics_while_it_draws"]);
        program.env("TERM", "xterm");
        let mut child = pty.slave.spawn_command(program).unwrap();
        let mut output = pty.master.try_clone_reader().unwrap();
        let listener = std::thread::spawn(move || {
            let mut told = Vec::new();
            // At its end a terminal that nobody writes to any more gives an error.
            let _ = output.read_to_end(&mut told);
            told
        });
        child.wait().unwrap();
        assert_eq!(modes(), before);
        drop(pty.slave);
        let told = listener.join().unwrap();
        let told = String::from_utf8_lossy(&told);
        let at = |text: &str| told.find(text).unwrap_or_else(|| panic!("expected {text:?} in {told:?}"));
        assert!(at("\u{1b}[?1049h") < at("\u{1b}[?1049l") && at("\u{1b}[?25h") < at("drawn wrong"), "{told:?}");
    }
}
