//! Pins that are really built and run, on the sample repository: its one dependency is among redpin's own, so that nothing
//! is fetched. All builds share one target directory, which stays between runs.

mod base;
mod bench;
mod contract;
mod control;
mod elsewhere;
mod ends;
mod fixture;
mod handles;
mod held;
mod lossy;
mod rungs;
mod story;
mod workstation;
