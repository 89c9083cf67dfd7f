//! What comes in: runs opened and read, their failures named and filed each once, into the inbox or only to be looked at.

pub(super) mod changed;
pub(super) mod choose;
pub(super) mod filing;
pub(super) mod import;
pub(super) mod look;
mod pinned;
mod prefer;
pub(super) mod reading;
mod reopen;
pub(super) mod run_tests;
pub(super) mod sweep;
