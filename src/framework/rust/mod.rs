//! What the frameworks have in common whose properties are Rust and whose tests cargo builds: how a test's name leads to
//! its file, where a pin's test goes in it and into another version of it, how pins are run, and how they came out.

pub(crate) mod alike;
pub(crate) mod astray;
pub(crate) mod by_name;
pub(crate) mod cargo;
pub(crate) mod choose;
pub(crate) mod file;
pub(crate) mod fixture;
pub(crate) mod graft;
pub(crate) mod patience;
pub(crate) mod pin_place;
pub(crate) mod place;
pub(crate) mod printed;
pub(crate) mod proof;
pub(crate) mod reason;
pub(crate) mod remembered;
pub(crate) mod scope;
pub(crate) mod walk;
pub(crate) mod written;
