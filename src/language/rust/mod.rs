//! Rust source: where a property stands, what its parameters and body are, and values as Rust expressions.

pub mod property;
