//! From starting the program to the first frame that shows a failure, against a program that shows three panes.

use std::path::Path;
use std::time::Duration;

use crate::inputs::{Place, Scale};
use crate::nightly::Nightly;
use crate::pairs::medians;
use crate::table::Row;
use crate::terminal::Terminal;
use crate::{process, references};

/// Time and memory.
pub(crate) fn measure(scale: &Scale) -> Result<Vec<Row>, String> {
    let place = Place::make("start", &Nightly { failures: scale.inbox, files: 20, bytes: 0 }, 0)?;
    place.import()?;
    let floor = references::floor()?;
    let redpin = Path::new(process::REDPIN);
    let first_frame =
        |program: &Path, text: &str| Terminal::start(program, &[], &place.repository, &place.home)?.shows(text);
    let (ours, theirs) =
        medians(scale.rounds.max(5) * 2, || first_frame(redpin, "prop_"), || first_frame(&floor, "floor"))?;
    let work = format!("start to the first failure shown, inbox of {}", scale.inbox);
    Ok(vec![
        Row::ratio(&work, ours, ("three panes", theirs), 1.5),
        Row::memory(
            "its memory then",
            settled(&place, redpin, "prop_")?,
            Some(("three panes", settled(&place, &floor, "floor")?)),
            25 * 1024,
        ),
    ])
}

/// The memory of a program that has shown `text` and been left alone for a second.
fn settled(place: &Place, program: &Path, text: &str) -> Result<u64, String> {
    let mut terminal = Terminal::start(program, &[], &place.repository, &place.home)?;
    terminal.shows(text)?;
    terminal.listen(Duration::from_secs(1))?;
    process::own_memory(terminal.process()).ok_or_else(|| "the program ended".to_string())
}
