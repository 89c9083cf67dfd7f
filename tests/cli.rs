//! The command line from outside: the binary on a sample repository, its answers whole, and what it leaves behind.

mod answers;
mod desk;
mod help;
mod hostile;
mod looking;
mod verdicts;
