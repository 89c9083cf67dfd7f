//! Staging seen from outside: real repositories in temporary folders, changed through redpin and looked at with git.

mod kinds;
mod repository;
mod stages;
