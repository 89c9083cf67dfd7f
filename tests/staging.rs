//! Staging, and reading other commits, seen from outside: real repositories in temporary folders, changed through redpin and looked at with git.

mod alike;
mod child;
mod commits;
mod environments;
mod full_disk;
mod keeps;
mod kills;
mod kinds;
mod night;
mod patches;
mod questions;
mod recorded;
mod refusals;
mod repository;
mod stages;
mod two_at_once;
mod undos;
