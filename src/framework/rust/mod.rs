//! What the frameworks have in common whose properties are Rust and whose tests cargo builds: how a test's name leads to
//! its file, where a pin's test goes in it, how that goes into another version of the repository, and how it came out.

pub(crate) mod alike;
pub(crate) mod by_name;
pub(crate) mod choose;
pub(crate) mod pin_place;
pub(crate) mod printed;
pub(crate) mod remembered;
