//! Reads the failures out of what one test printed, where its carrier captured that and says whose it is.

use crate::carrier::{Subject, escapes};
use crate::run_output::RunOutput;

use super::seen;
use super::text::{Readings, Text};

/// What is told by the output of the test `subject`, which may be `cut` off.
pub(super) fn captured(run: &RunOutput<'_>, text: &str, subject: &Subject, cut: bool) -> Readings {
    let plain = escapes::without(text.as_bytes());
    let text = String::from_utf8_lossy(&plain);
    let panics = seen::seen(&text);
    let bytes = text.as_bytes();
    Text { run: run.name, bytes, panics: &panics, sparse: false, binaries: &[], given: Some(subject), cut }.failures()
}
