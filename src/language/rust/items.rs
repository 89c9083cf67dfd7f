//! The definitions of a crate and of the packages beside it: modules, types, functions, constants and imports, read
//! from source as they are asked for. Only what names and types need is kept; nothing is compiled.

mod composed;
mod load;
mod manifest;
mod module;
mod outside;
mod reach;
mod resolve;
mod roots;

pub(super) use composed::Composed;
pub(super) use load::Items;
pub(super) use module::{Definition, ModuleId, What, plain};
pub(super) use reach::raw;
pub(super) use resolve::{Namespace, Target};
pub(super) use roots::{Root, roots};
