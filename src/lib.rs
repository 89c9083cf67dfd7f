//! redpin reads what a red run of property tests left behind, lists the failing properties with their shrunk
//! counterexamples, takes a verdict on each and writes the consequence into a staged git patch.
//!
//! The flow is one direction, each arrow a value:
//!
//! ```text
//! bytes of a run -> framework reads -> failures -> inbox -> verdict -> pin or question, decision -> edits -> patch -> index
//! ```
//!
//! Read the spine of values first, from [`span`] to [`detail`]; then the rooms of knowledge without input or output
//! ([`language`], [`carrier`], [`framework`]), the rim that touches the world ([`source`], [`git`], [`runner`], [`scratch`],
//! [`store`]), the use cases ([`triage`], [`verify`], [`check`], [`init`]) and the two faces ([`cli`], [`tui`]). `ARCHITECTURE.md` lists them all
//! in that order, each with what it is.

pub mod audit;
pub mod carrier;
pub mod cause;
pub mod check;
pub mod cli;
pub mod contract;
pub mod control;
pub mod demo;
pub mod detail;
pub mod edit;
pub mod evidence;
pub mod failure;
pub mod framework;
pub mod git;
pub mod hex;
pub mod history;
pub mod inbox;
pub mod init;
pub mod invocation;
pub mod keys;
pub mod language;
pub mod later;
pub mod limit;
pub mod locate;
pub mod memory;
pub mod oracle;
pub mod patch;
pub mod pin;
pub mod prompt;
pub mod proof;
pub mod property;
pub mod question;
pub mod repo_path;
pub mod requirement;
pub mod run_output;
pub mod runner;
pub mod scratch;
pub mod settings;
pub mod source;
pub mod source_tree;
pub mod span;
pub mod store;
pub mod suggestion;
pub mod sweep;
pub mod threads;
pub mod triage;
pub mod tui;
pub mod value;
pub mod verdict;
pub mod verify;
pub mod visible;
pub mod weakening;
