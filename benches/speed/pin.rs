//! Making and staging pins: the preview of one, one in a large repository against git's own way, many in one file against
//! one.

use std::fs;
use std::time::Duration;

use crate::inputs::{Place, Scale};
use crate::nightly::Nightly;
use crate::pairs::{median, medians};
use crate::process::{printed, timed};
use crate::table::Row;

/// The patch of one pin, whole process.
pub(crate) fn measure_preview(scale: &Scale) -> Result<Vec<Row>, String> {
    let place = Place::make("preview", &Nightly { failures: 200, files: 4, bytes: 0 }, 0)?;
    place.import()?;
    let ids = ids(&place)?;
    let preview = |id: &String| timed(place.redpin(&["pin", id, "--dry-run"]));
    let times: Vec<Duration> = ids.iter().take(scale.rounds).map(preview).collect::<Result<_, _>>()?;
    Ok(vec![Row::limit("preview of a pin, whole process", median(times), Duration::from_millis(100))])
}

/// One pin in a repository of many files.
pub(crate) fn measure_one(scale: &Scale) -> Result<Vec<Row>, String> {
    let place = Place::make("stage", &Nightly { failures: 100, files: 10, bytes: 0 }, scale.files)?;
    place.import()?;
    let id = ids(&place)?.swap_remove(0);
    let patch = place.home.join("pin.patch");
    let text = printed(place.redpin(&["pin", &id, "--dry-run"]))?;
    fs::write(&patch, text).map_err(|error| format!("{}: {error}", patch.display()))?;
    let patch = patch.to_string_lossy().into_owned();
    let (ours, theirs) = medians(
        scale.rounds,
        || staged(&place, std::slice::from_ref(&id)),
        || {
            let took = timed(place.git(&["apply", "--cached", &patch]))?;
            timed(place.git(&["apply", "--cached", "--reverse", &patch]))?;
            Ok(took)
        },
    )?;
    let work = format!("stage one pin among {} files", scale.files);
    Ok(vec![Row::ratio(&work, ours, ("`git apply --cached`", theirs), 1.5)])
}

/// Many pins of one source file in one operation.
pub(crate) fn measure_many(scale: &Scale) -> Result<Vec<Row>, String> {
    let place = Place::make("stage-many", &Nightly { failures: scale.pins, files: 1, bytes: 0 }, 0)?;
    place.import()?;
    let ids = ids(&place)?;
    let (all, one) = medians(scale.rounds, || staged(&place, &ids), || staged(&place, &ids[..1]))?;
    Ok(vec![Row::ratio(&format!("stage {} pins of one file", ids.len()), all, ("staging one", one), 5.0)])
}

/// Stages without building, and takes it back; only the first is timed.
fn staged(place: &Place, ids: &[String]) -> Result<Duration, String> {
    let mut arguments = vec!["pin", "--no-verify"];
    arguments.extend(ids.iter().map(String::as_str));
    let took = timed(place.redpin(&arguments))?;
    timed(place.redpin(&["undo"]))?;
    Ok(took)
}

/// The failures of the inbox.
fn ids(place: &Place) -> Result<Vec<String>, String> {
    let json = printed(place.redpin(&["list", "--json"]))?;
    let list: serde_json::Value = serde_json::from_slice(&json).map_err(|error| format!("list --json: {error}"))?;
    let failures = list["failures"].as_array().map(Vec::as_slice).unwrap_or_default();
    let ids: Vec<String> = failures.iter().filter_map(|failure| failure["id"].as_str()).map(String::from).collect();
    if ids.is_empty() { Err("list --json: no failure in the inbox".into()) } else { Ok(ids) }
}
