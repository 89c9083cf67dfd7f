//! The workstation's screens, driven by keys without a terminal.

mod journeys;
mod proving;
mod sample;
mod screens;
mod search;
mod sizes;
mod stage;
mod styles;
mod surveyed;
mod tabs;
