//! The terminal while the workstation has it: entered in one place, and left in one place however redpin ends, so that the
//! shell finds it as it was.

use std::io::{self, BufWriter, Stdout, Write};
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::crossterm::event::EnableBracketedPaste;
use ratatui::crossterm::terminal::{Clear, ClearType, EnterAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::crossterm::{cursor, queue};
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::model::Model;

/// Whether the terminal is ours now.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// Bytes of a frame that go out in one write.
const FRAME: usize = 1 << 16;

/// What undoes all that [`Screen::enter`] does: attributes off, no bracketed paste, main screen, cursor shown.
const LEAVE: &[u8] = b"\x1b[0m\x1b[?2004l\x1b[?1049l\x1b[?25h";

/// Gives the terminal back as it was, where it is ours; from whatever thread, taking no lock that a thread in the middle
/// of drawing may hold.
pub(super) fn leave() {
    if ENTERED.swap(false, Ordering::SeqCst) {
        // Where the terminal is gone there is nobody left to tell.
        let _ = write_all(LEAVE);
        let _ = disable_raw_mode();
    }
}

/// Whether colours are sent. The library has a mind of its own about NO_COLOR; what the user said goes before it.
pub(super) fn colour(wanted: bool) {
    ratatui::crossterm::style::force_color_output(wanted);
}

/// Takes back what another program may have left on, where it was killed with the terminal in its hands.
pub(super) fn reset() {
    // Where the terminal is gone there is nobody left to tell.
    let _ = write_all(LEAVE);
}

fn write_all(mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(rustix::stdio::stdout(), bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// The terminal, ours while this lives.
pub(super) struct Screen {
    /// Never dropped: [`leave`] does what is needed, and the drop would panic where the terminal is gone.
    terminal: ManuallyDrop<Terminal<Backing>>,
    /// Whether the terminal told its size; it may do so later.
    sized: bool,
}

type Backing = CrosstermBackend<BufWriter<Stdout>>;

/// The size taken where a terminal tells none, as serial lines and some CI services do.
const UNKNOWN: (u16, u16) = (80, 24);

/// The terminal's size, where it tells one.
fn size(backing: &Backing) -> Option<(u16, u16)> {
    backing.size().ok().map(|size| (size.width, size.height)).filter(|(columns, rows)| *columns > 0 && *rows > 0)
}

/// The terminal to draw on, and whether it told its size.
fn terminal() -> io::Result<(ManuallyDrop<Terminal<Backing>>, bool)> {
    let backing = CrosstermBackend::new(BufWriter::with_capacity(FRAME, io::stdout()));
    let sized = size(&backing).is_some();
    let all = Rect::new(0, 0, UNKNOWN.0, UNKNOWN.1);
    let viewport = if sized { Viewport::Fullscreen } else { Viewport::Fixed(all) };
    Ok((ManuallyDrop::new(Terminal::with_options(backing, TerminalOptions { viewport })?), sized))
}

impl Screen {
    /// Takes the terminal over; it shows so with the first frame, in one piece.
    pub(super) fn enter() -> io::Result<Screen> {
        let (terminal, sized) = terminal()?;
        let mut screen = Screen { terminal, sized };
        screen.take()?;
        // Not every terminal gives an alternate screen that is empty.
        queue!(screen.terminal.backend_mut(), Clear(ClearType::All))?;
        Ok(screen)
    }

    /// Takes the terminal over again after it was left, or after the shell may have changed it; all is drawn anew.
    pub(super) fn enter_again(&mut self) -> io::Result<()> {
        // The terminal's modes are not what they are remembered to be: off first, so that on means something.
        let _ = disable_raw_mode();
        self.take()?;
        self.redraw()
    }

    fn take(&mut self) -> io::Result<()> {
        enable_raw_mode()?;
        ENTERED.store(true, Ordering::SeqCst);
        let backend = self.terminal.backend_mut();
        queue!(backend, EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)
    }

    /// Columns and rows as they are now.
    pub(super) fn size(&mut self) -> io::Result<(u16, u16)> {
        let told = size(self.terminal.backend());
        if told.is_some() && !self.sized {
            (self.terminal, self.sized) = terminal()?;
            self.redraw()?;
        }
        Ok(told.unwrap_or(UNKNOWN))
    }

    /// Draws all anew with the next frame. Clearing would ask the terminal where its cursor is and wait for an answer;
    /// taking its size over, even the same one, does not.
    pub(super) fn redraw(&mut self) -> io::Result<()> {
        let (columns, rows) = self.size()?;
        self.terminal.resize(Rect::new(0, 0, columns, rows))
    }

    /// Draws the model. The cursor goes to the selected line even where it is hidden: screen readers follow it.
    pub(super) fn draw(&mut self, model: &Model) -> io::Result<()> {
        let mut cursor = super::view::Cursor::default();
        self.terminal.draw(|frame| {
            cursor = model.draw(frame.buffer_mut());
            if cursor.shown {
                frame.set_cursor_position((cursor.x, cursor.y));
            }
        })?;
        if !cursor.shown {
            self.terminal.set_cursor_position((cursor.x, cursor.y))?;
        }
        Write::flush(self.terminal.backend_mut())
    }

    /// Sends bytes that draw nothing.
    pub(super) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let backend = self.terminal.backend_mut();
        Write::write_all(backend, bytes)?;
        Write::flush(backend)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}
