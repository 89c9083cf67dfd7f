//! Rust source: where a property stands, what its parameters and body are, and values as Rust expressions.

pub mod code;
pub mod comments;
pub mod format;
mod items;
pub mod layout;
pub mod literal;
pub mod macro_rules;
pub mod normal;
pub mod package;
pub mod parameters;
pub mod property;
pub mod statement;
pub mod target;
pub mod tokens;
pub mod types;
