//! Reads the failures out of what one test printed, where its carrier captured that and says whose it is.

use crate::carrier::Subject;
use crate::run_output::RunOutput;

use super::seen;
use super::text::{Found, Text};

/// The failures in the output of the test `subject`, which may be `cut` off.
pub(super) fn captured(run: &RunOutput<'_>, text: &str, subject: &Subject, cut: bool) -> Vec<Found> {
    let panics = seen::seen(text);
    let bytes = text.as_bytes();
    Text { run: run.name, bytes, panics: &panics, sparse: false, binaries: &[], given: Some(subject), cut }
        .failures()
        .found
}
