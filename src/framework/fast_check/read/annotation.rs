//! Annotations as GitHub's runner takes them from a test's output: a whole report on one line, its line ends escaped.

use super::found::failure;
use super::marks::Owner;
use super::report::{self, Line};
use super::title::BETWEEN;
use crate::failure::{Failure, ForeignPath, Location};

/// The failure on `line` of the run called `run`, where `text` is an annotation; none where that shows no report.
pub(super) fn read(text: &str, line: u64, run: &str) -> Option<Option<Failure>> {
    let (settings, message) = text.trim_start().strip_prefix("::error ")?.split_once("::")?;
    let setting = |name: &str| {
        let found = settings.split(',').find_map(|setting| setting.trim().strip_prefix(name)?.strip_prefix('='))?;
        Some(decoded(found))
    };
    let message = decoded(message);
    let mut lines = message.split('\n').map(|text| Line { text: text.trim_end_matches('\r').to_owned(), number: line });
    let report = report::read(&mut lines, false);
    let title = setting("title").unwrap_or_default();
    let mut owner = Owner::of(&title.split(BETWEEN).collect::<Vec<_>>());
    let place = setting("line").and_then(|line| line.parse().ok());
    let file = owner.file.clone().or_else(|| setting("file"));
    owner.file.clone_from(&file);
    if owner.at.is_none()
        && let (Some(file), Some(line)) = (file, place)
    {
        owner.at = Some(Location { file: ForeignPath(file), line, column: None });
    }
    Some(report.map(|report| failure(&report, &owner, run)))
}

/// The text without the escapes of an annotation.
fn decoded(text: &str) -> String {
    let escapes = [("%0A", "\n"), ("%0D", "\r"), ("%3A", ":"), ("%2C", ","), ("%25", "%")];
    escapes.iter().fold(text.to_owned(), |text, (escape, plain)| text.replace(escape, plain))
}
