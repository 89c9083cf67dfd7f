//! The one integration binary: each module drives redpin from outside, as a user, a script or a reader of its source does.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod cli;
mod house;
mod played;
mod proof;
mod real;
mod recorder;
mod staging;
mod terminal;
mod tui;
