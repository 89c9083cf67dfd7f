//! Pins of frameworks whose test runners are not on every machine, staged and proven by the binary itself: in the runner's
//! place stands a script that plays what the real one said of the same files.

mod audit;
mod cases;
mod stage;
