//! Pins by pre-images: a value that no literal can hold was built by the property's own strategies out of plain values.
//! An instrumented copy of the library writes down what those were, and the pin puts them through the same construction.

mod anchors;
mod arguments;
mod attempts;
mod candidates;
mod captured;
mod expression;
mod form;
mod instrument;
mod layers;
mod rebuild;
mod replay;
mod run;
mod sources;
mod standing;
mod substitute;
mod trace;
mod value_fn;

pub(super) use attempts::attempts;
pub(super) use candidates::{by_seed, constructed, is_recorded};
pub(super) use captured::brought;
pub(super) use instrument::instrumented;
pub(super) use run::{recording, recordings};
pub(super) use sources::{SOURCES, folder, releases};
pub(super) use trace::of_test;
