//! The use case that guards the oracle: what a change takes from it, and whether properties and requirements are each other's.
//! Frameworks only through the catalogue.

mod pins;
mod stated;
mod trace;

pub use pins::{About, Allowance, Finding, Guarded, pins};
pub use trace::{Cited, Trace, Traced, Unmet, trace};
