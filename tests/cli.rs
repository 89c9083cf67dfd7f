//! The command line from outside: the binary on a sample repository, its answers whole, and what it leaves behind.

mod allowances;
mod answers;
mod bundle;
mod capture;
mod contract;
pub(crate) mod desk;
mod dialogue;
mod guard;
mod handing;
mod help;
mod hostile;
mod init;
mod looking;
mod records;
mod reopen;
mod screen;
mod surroundings;
mod sweep;
mod verdicts;
