//! Python source: what stands in a text that may be no Python at all, as a run prints it.

pub mod marks;
