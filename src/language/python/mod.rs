//! Python source: what stands in a module, values as Python expressions, and what gives a text its shape that may be no
//! Python at all, as a run prints it.

pub mod imports;
pub mod literal;
pub mod marks;
pub mod module;
pub mod normal;
pub mod standard;
pub mod syntax;
