//! The calls that led to an error, as tracebacks show them: Python's own and pytest's long and short ones.

use super::section::Line;

/// One call: where it stands, and the line of source that was shown for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) file: String,
    pub(super) line: u32,
    /// The function, where told.
    pub(super) function: Option<String>,
    /// The statement, where shown.
    pub(super) source: String,
}

/// How Python's own tracebacks begin.
pub(super) const TRACEBACK: &str = "Traceback (most recent call last):";

impl Frame {
    /// Whether the call is in code that is not the user's: a package, the standard library, something without a file.
    pub(super) fn is_foreign(&self) -> bool {
        let file = self.file.replace('\\', "/");
        file.starts_with('<')
            || ["site-packages/", "dist-packages/", "/lib/python3"].iter().any(|part| file.contains(part))
    }
}

/// Whether a line is one of Python's own for a call.
pub(super) fn is_call(said: &str) -> bool {
    native(said).is_some()
}

/// The calls that lead to the error whose text stands on the lines from `start` up to `end`, each with `front` before it.
pub(super) fn read(lines: &[Line], start: usize, end: usize, front: &str) -> Vec<Frame> {
    if front.is_empty() || front.contains('|') {
        of_python(&lines[..start], front)
    } else {
        of_pytest(lines, start, end)
    }
}

/// Calls as Python shows them: those of the group around the error, and then its own.
fn of_python(lines: &[Line], front: &str) -> Vec<Frame> {
    let is_start = |line: &Line| line.text.strip_prefix(front).is_some_and(|said| said.starts_with(TRACEBACK));
    let own = lines.iter().rposition(is_start).unwrap_or(0);
    let depth = |line: &Line| line.text.bytes().take_while(|byte| b" |+-".contains(byte)).count();
    let calls = lines.iter().enumerate().filter(|(at, line)| *at >= own || depth(line) < front.len() + 2);
    let frame = |(at, line): (usize, &Line)| {
        let frame = native(bare(&line.text))?;
        let source = lines.get(at + 1).map(|line| bare(&line.text).trim_end().to_owned());
        Some(Frame { source: source.unwrap_or_default(), ..frame })
    };
    calls.filter_map(frame).collect()
}

/// A line without the bars of groups and the blanks before its text.
fn bare(text: &str) -> &str {
    text.trim_start_matches([' ', '|'])
}

/// Between two errors of which one led to the other.
const CHAINED: [&str; 2] = ["The above exception was the direct cause", "During handling of the above exception"];

/// Calls as pytest shows them: a place follows the source of a call or, in the short style, stands before it.
fn of_pytest(lines: &[Line], start: usize, end: usize) -> Vec<Frame> {
    let is_link = |line: &Line| CHAINED.iter().any(|link| line.text.starts_with(link));
    let first = lines[..start].iter().rposition(is_link).unwrap_or(0);
    let mut frames = Vec::new();
    let mut source = String::new();
    for at in first..start {
        let text = lines[at].text.as_str();
        if let Some(frame) = short(text) {
            let next = lines.get(at + 1).map(|line| line.text.trim().to_owned());
            frames.push(Frame { source: next.unwrap_or_default(), ..frame });
        } else if let Some(marked) = text.strip_prefix('>') {
            source = marked.trim().to_owned();
        } else if let Some((frame, _)) = long(text) {
            frames.push(Frame { source: std::mem::take(&mut source), ..frame });
        }
    }
    let after = lines[end.min(lines.len())..].iter().take(3).map(|line| line.text.as_str());
    let last = after.filter_map(long).find(|(_, rest)| !rest.is_empty());
    frames.extend(last.map(|(frame, _)| Frame { source, ..frame }));
    frames
}

/// `  File "path", line 7, in name`.
fn native(said: &str) -> Option<Frame> {
    let (file, rest) = said.trim_start().strip_prefix("File \"")?.split_once("\", line ")?;
    let (line, function) = match rest.split_once(", in ") {
        Some((line, function)) => (line, Some(function.to_owned())),
        None => (rest, None),
    };
    Some(Frame { file: file.to_owned(), line: line.parse().ok()?, function, source: String::new() })
}

/// `path:7: in name`.
fn short(text: &str) -> Option<Frame> {
    let (frame, rest) = place(text)?;
    let function = rest.strip_prefix("in ")?;
    Some(Frame { function: Some(function.to_owned()), ..frame })
}

/// `path:7: Error`, or `path:7: ` with nothing after it.
fn long(text: &str) -> Option<(Frame, &str)> {
    place(text).filter(|(_, rest)| !rest.starts_with("in "))
}

/// The statement of the error that led to the one whose text begins on the line at `start`, where one did.
pub(super) fn led_by(lines: &[Line], start: usize, front: &str) -> Option<String> {
    let is_other = |line: &Line| line.text.contains("---------------- ");
    let first = lines[..start].iter().rposition(is_other).unwrap_or(0);
    let is_link = |line: &Line| CHAINED.iter().any(|link| bare(&line.text).starts_with(link));
    let link = first + lines[first..start].iter().rposition(is_link)?;
    let before = &lines[..link];
    let calls = if front.is_empty() || front.contains('|') {
        of_python(before, front)
    } else {
        of_pytest(before, before.len(), before.len())
    };
    calls.last().map(|frame| frame.source.clone())
}

/// Whether a line names the place of an error, and nothing else.
pub(super) fn is_place(text: &str) -> bool {
    long(text).is_some_and(|(_, rest)| !rest.is_empty())
}

fn place(text: &str) -> Option<(Frame, &str)> {
    if text.starts_with([' ', '>']) || text.starts_with("E ") {
        return None;
    }
    let (front, rest) = text.split_once(": ").or_else(|| text.strip_suffix(':').map(|front| (front, "")))?;
    let (file, line) = front.rsplit_once(':')?;
    let is_file = !file.is_empty() && file.contains('.') && !file.contains(": ");
    let line = line.parse().ok().filter(|_| is_file)?;
    Some((Frame { file: file.to_owned(), line, function: None, source: String::new() }, rest.trim()))
}
