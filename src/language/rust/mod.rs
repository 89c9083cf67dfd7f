//! Rust source: where a property stands, what its parameters and body are, and values as Rust expressions.

pub mod code;
mod comments;
pub mod find;
mod parameters;
pub mod property;
mod statement;
pub mod tokens;
