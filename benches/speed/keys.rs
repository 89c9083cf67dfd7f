//! From a key to the frame that answers it, in a large inbox against a small one; what a held key leaves behind; and what
//! an idle screen costs.

use std::path::Path;
use std::time::Duration;

use crate::inputs::{Place, Scale};
use crate::nightly::Nightly;
use crate::pairs::{medians, quantile};
use crate::process;
use crate::table::Row;
use crate::terminal::Terminal;

/// A key is held at this rate.
const REPEAT: Duration = Duration::from_millis(33);

/// Time per key, backlog, idle cost.
pub(crate) fn measure(scale: &Scale) -> Result<Vec<Row>, String> {
    let (many, few) = scale.inboxes;
    let mut large = opened("keys-many", many)?;
    let mut small = opened("keys-few", few)?;
    let mut times = Vec::new();
    let down = |terminal: &mut Terminal| {
        let time = terminal.frame_after("j");
        // What the new selection brings later is no part of the next key's frame.
        terminal.listen(Duration::from_millis(60))?;
        time
    };
    let (ours, theirs) =
        medians(scale.rounds * 5, || down(&mut large).inspect(|time| times.push(*time)), || down(&mut small))?;
    let work = format!("key to frame with {many} failures");
    let mut rows = vec![
        Row::ratio(&work, ours, (&format!("with {few}"), theirs), 1.2),
        Row::limit("the same, median", ours, Duration::from_millis(1)),
        Row::limit("the same, 95 of 100 keys", quantile(times, 0.95), Duration::from_millis(16)),
    ];
    rows.push(held(&mut large)?);
    rows.extend(idle(&mut large)?);
    Ok(rows)
}

fn opened(name: &str, failures: usize) -> Result<Terminal, String> {
    let place = Place::make(name, &Nightly { failures, files: 97, bytes: 0 }, 0)?;
    place.import()?;
    let mut terminal = Terminal::start(Path::new(process::REDPIN), &[], &place.repository, &place.home)?;
    terminal.shows("prop_")?;
    terminal.listen(Duration::from_millis(500))?;
    Ok(terminal)
}

/// A key held for three seconds: how long after the last one the last frame came.
fn held(terminal: &mut Terminal) -> Result<Row, String> {
    let (mut sent, mut drawn) = (std::time::Instant::now(), None);
    for _ in 0..90 {
        sent = terminal.send("j")?;
        drawn = terminal.listen(REPEAT)?.1;
    }
    let last = terminal.listen(Duration::from_millis(500))?.1.or(drawn);
    let lag = last.map_or(Duration::ZERO, |last| last.saturating_duration_since(sent));
    Ok(Row::limit("last bytes after a held key (preview included)", lag, Duration::from_millis(100)))
}

/// Five seconds of nobody doing anything.
fn idle(terminal: &mut Terminal) -> Result<Vec<Row>, String> {
    let ticks = |terminal: &Terminal| process::ticks(terminal.process()).unwrap_or(0);
    let before = ticks(terminal);
    let (bytes, _) = terminal.listen(Duration::from_secs(5))?;
    let used = ticks(terminal) - before;
    Ok(vec![Row::plain(
        "five idle seconds",
        format!("{bytes} bytes written, {} ms of processor", used * 10),
        "0 bytes, 0 ms".into(),
    )])
}
