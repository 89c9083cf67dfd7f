//! The real program on a real terminal: what it shows, and how it leaves the terminal behind. Tests wait for what is on
//! the screen, never for a time.

mod manners;
mod panics;
mod proving;
pub(crate) mod pty;
mod session;
mod staged;
