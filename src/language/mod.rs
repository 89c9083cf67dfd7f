//! The languages properties are written in: finding a test in its source, and rendering a value as an expression. A room
//! per language; knowledge only, the text comes from a [`crate::source_tree::SourceTree`].

pub mod python;
pub mod rust;
pub mod typescript;
