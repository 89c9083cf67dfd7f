//! `redpin list` on a large log, against counting one text in it.

use crate::inputs::{Place, Scale};
use crate::pairs::medians;
use crate::table::Row;
use crate::{process, references};

/// Time and memory.
pub(crate) fn measure(scale: &Scale) -> Result<Vec<Row>, String> {
    let place = Place::make("list", &scale.log, 0)?;
    let log = place.log.to_string_lossy().into_owned();
    let found = failures(&process::printed(place.redpin(&["list", "--json", &log]))?)?;
    if found != scale.log.failures {
        return Err(format!("expected {} failures in the log, redpin lists {found}", scale.log.failures));
    }
    let ripgrep = references::ripgrep()?;
    let counting = || {
        let mut command = place.command(&ripgrep);
        command.args(["-c", "minimal failing input", &log]);
        command
    };
    let (ours, theirs) =
        medians(scale.rounds, || process::timed(place.redpin(&["list", &log])), || process::timed(counting()))?;
    let work = format!("`list` on a log of {} MB, {} failures", scale.log.bytes / 1_000_000, scale.log.failures);
    let memory = process::peak_memory(place.redpin(&["list", &log]))?;
    Ok(vec![
        Row::ratio(&work, ours, ("`rg -c`", theirs), 1.0),
        Row::memory("its memory besides the mapped file", memory, None, 100 * 1024),
    ])
}

/// How many failures `list --json` printed.
fn failures(json: &[u8]) -> Result<usize, String> {
    let list: serde_json::Value = serde_json::from_slice(json).map_err(|error| format!("list --json: {error}"))?;
    list["failures"].as_array().map(Vec::len).ok_or_else(|| "list --json: no `failures`".to_string())
}
