//! Which sweeps there were, kept beside the inbox: one JSON object a line, in a file that only grows.

use std::path::Path;

use serde::Serialize;

use super::file::StoreError;
use super::lines;
use crate::sweep::Sweep;

/// The file's name in the store's folder.
const SWEEPS: &str = "sweeps.jsonl";

#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    #[serde(flatten)]
    sweep: &'a Sweep,
}

/// Adds those of `sweeps` that are not there yet to what is kept in `folder`.
///
/// # Errors
/// Where they cannot be written.
pub fn keep(folder: &Path, sweeps: &[Sweep]) -> Result<(), StoreError> {
    let there = kept(folder)?;
    let new = sweeps.iter().filter(|sweep| !there.iter().any(|known| known.holds(sweep)));
    let new: Vec<Line<'_>> = new.map(|sweep| Line { schema: 1, sweep }).collect();
    lines::add(folder, SWEEPS, &new)
}

/// What is kept in `folder`, in the order in which it came. A line that cannot be understood is passed over.
///
/// # Errors
/// Where it cannot be read.
pub fn kept(folder: &Path) -> Result<Vec<Sweep>, StoreError> {
    lines::all(folder, SWEEPS)
}

#[cfg(test)]
mod tests {
    use super::{keep, kept};
    use crate::sweep::testing::part;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test leaves what a killed redpin would")]
    fn a_sweep_is_kept_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert_eq!(kept(path).unwrap(), []);
        keep(path, &[part(1, 2, 3)]).unwrap();
        std::fs::write(
            path.join(super::SWEEPS),
            [&std::fs::read(path.join(super::SWEEPS)).unwrap()[..], b"{\"sch"].concat(),
        )
        .unwrap();
        keep(path, &[part(1, 2, 3), part(2, 2, 4)]).unwrap();
        assert_eq!(kept(path).unwrap(), [part(1, 2, 3), part(2, 2, 4)]);
    }
}
