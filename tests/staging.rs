//! Staging seen from outside: real repositories in temporary folders, changed through redpin and looked at with git.

mod repository;
mod stages;
