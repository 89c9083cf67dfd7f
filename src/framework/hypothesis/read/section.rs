//! What one test's failure report says, whoever carried it: pytest's text in any of its traceback styles, unittest's, or
//! that of an uncaught error. A report holds an error for each distinct failure; what the library tells of one stands in
//! notes right after the error's message, each line with what the style puts before every line of it.

use super::call::{self, Input};
use super::frames::{self, Frame};

/// One line of a report: its number in the run and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) number: u64,
    pub(super) text: String,
}

/// One error of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    /// The line it is told of first, from 1.
    pub(super) number: u64,
    /// The input; `None` where none is told.
    pub(super) input: Option<Input>,
    /// Whether the input is one that stands in the source.
    pub(super) is_explicit: bool,
    /// The error's class, with its module where that was printed; empty for a bare assertion.
    pub(super) class: String,
    /// The message, the class left out.
    pub(super) message: String,
    /// The calls that led to it, outermost first.
    pub(super) frames: Vec<Frame>,
    /// The statement of the error that this one came of.
    pub(super) led_by: Option<String>,
    /// The decorator that runs the same choices again.
    pub(super) blob: Option<String>,
    /// Whether the text ends inside.
    pub(super) is_cut: bool,
}

/// How a line tells of an input, and whether of one in the source.
const HEADS: [(&str, bool); 4] = [
    ("Failing test case:", false),
    ("Falsifying example:", false),
    ("Failing explicit example:", true),
    ("Falsifying explicit example:", true),
];

/// How the library's own errors begin.
pub(super) const ERRORS: &str = "hypothesis.errors.";

/// What the text of a run is searched for.
pub(super) const NEEDLES: [&str; 4] = ["Failing test case:", "Falsifying example:", "explicit example:", ERRORS];

/// How a line begins, before the decorator, that tells of it.
const BLOB: &str = "You can reproduce this ";

/// The errors that the lines of one test's report tell of. `function` is the test's own name, where that is known.
pub(super) fn read(lines: &[Line], function: Option<&str>) -> Vec<Told> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let Some((front, said)) = head(&lines[at].text) else {
            at += 1;
            continue;
        };
        let block = Block::around(lines, at, front);
        if let Some(error) = block.error_apart(at) {
            let is_own = function.is_none_or(|function| calls(said, function)) || !said.contains('(');
            let told = Block { end: next_head(lines, at), ..block }.told((at, said));
            found.extend(is_own.then(|| error.instead(told)));
            at += 1;
            continue;
        }
        let own = block.own_head(at, said, function);
        found.push(block.told(own));
        at = block.end.max(at + 1);
    }
    if found.is_empty() {
        found.extend(bare(lines));
    }
    // Of an error that comes and goes the rest is what it was made of.
    if found.first().is_some_and(|told| is_unsteady(&told.class)) {
        found.truncate(1);
    }
    found
}

/// Whether what tells of an input names `function` as called.
fn calls(said: &str, function: &str) -> bool {
    heading(said).is_some_and(|(named, _)| named.strip_prefix(function).is_some_and(|rest| rest.starts_with('(')))
}

/// Where the next line after `at` stands that tells of an input.
fn next_head(lines: &[Line], at: usize) -> usize {
    let next = lines[at + 1..].iter().position(|line| head(&line.text).is_some());
    next.map_or(lines.len(), |next| at + 1 + next)
}

/// An error of the library's own of which no input is told.
fn bare(lines: &[Line]) -> Option<Told> {
    let is_error = |line: &Line| front(&line.text).is_some_and(|(_, said)| said.starts_with(ERRORS));
    let at = lines.iter().position(is_error)?;
    let (front, _) = front(&lines[at].text)?;
    let block = Block::around(lines, at, front);
    let (class, message) = parted(&block.message(block.start, block.end));
    Some(Told { number: lines[at].number, class, message, frames: block.frames(), ..Told::default() })
}

/// Whether an error of that class says that a test does not behave the same each time.
pub(super) fn is_unsteady(class: &str) -> bool {
    class.strip_prefix(ERRORS).is_some_and(|name| name.starts_with("Flaky"))
}

/// What a style puts before a line of an error's text, and what the line says: blanks, bars of a group, pytest's `E`.
fn front(line: &str) -> Option<(&str, &str)> {
    let marked = usize::from(line.starts_with('E'));
    let blanks = line[marked..].bytes().take_while(|byte| b" |".contains(byte)).count();
    let (front, said) = line.split_at(marked + blanks);
    (marked == 0 || blanks > 0).then_some((front, said))
}

/// What a line that tells of an input has before it, and what it says.
fn head(line: &str) -> Option<(&str, &str)> {
    front(line).filter(|(_, said)| HEADS.iter().any(|(head, _)| said.starts_with(head)))
}

/// The lines of one error's message and notes.
struct Block<'l> {
    lines: &'l [Line],
    /// What stands before each of them.
    front: &'l str,
    start: usize,
    end: usize,
}

impl<'l> Block<'l> {
    /// The block that holds the line at `at`.
    fn around(lines: &'l [Line], at: usize, front: &'l str) -> Self {
        let mut block = Block { lines, front, start: at, end: at + 1 };
        while block.end < lines.len() && block.is_inside(block.end) {
            block.end += 1;
        }
        block.start = block.first(at);
        block
    }

    /// The text of a line of it; `None` where the line has something else before it.
    fn said(&self, at: usize) -> Option<&'l str> {
        let text = self.lines.get(at)?.text.as_str();
        text.strip_prefix(self.front).or_else(|| (text == self.front.trim_end()).then_some(""))
    }

    fn is_inside(&self, at: usize) -> bool {
        let Some(said) = self.said(at) else { return false };
        // Without anything before its lines only other marks tell where it ends.
        !self.front.is_empty() || !(is_rule(said) || said.starts_with(frames::TRACEBACK))
    }

    /// The first line of the message that `at` follows.
    fn first(&self, at: usize) -> usize {
        let mut first = at;
        if self.front.starts_with('E') {
            while first > 0 && self.said(first - 1).is_some() {
                first -= 1;
            }
            return first;
        }
        // The message follows the last call, of which two lines or more are shown, deeper in.
        while first > 0 {
            let Some(said) = self.said(first - 1) else { break };
            if frames::is_call(said) || said.starts_with(frames::TRACEBACK) {
                while first < at && self.said(first).is_some_and(|said| said.starts_with("    ")) {
                    first += 1;
                }
                return first;
            }
            first -= 1;
        }
        // Only its first line has the mark, where pytest shows no calls.
        let marked = format!("E{}", self.front.get(1..).unwrap_or_default());
        let is_marked = first > 0 && self.lines[first - 1].text.starts_with(&marked) && marked.len() > 1;
        first - usize::from(is_marked)
    }

    /// The error of an input that older versions print apart from it: below the input where a property has several, else
    /// above all inputs.
    fn error_apart(&self, at: usize) -> Option<Block<'l>> {
        let lines = self.lines;
        let is_error = |place: &usize| lines[*place].text.starts_with("E ");
        let below = || (at + 1..next_head(lines, at)).find(is_error);
        let last = self.front.is_empty().then(|| below().or_else(|| (0..at).rfind(is_error)))??;
        // Its first line has the least before it.
        let place = (0..last).rfind(|place| !is_error(place)).map_or(0, |before| before + 1);
        let (front, _) = front(&lines[place].text)?;
        Some(Block::around(lines, place, front))
    }

    /// `told` with this error in the place of its own.
    fn instead(&self, told: Told) -> Told {
        let (class, message) = parted(&self.message(self.start, self.end));
        let led_by = frames::led_by(self.lines, self.start, self.front);
        Told { class, message, frames: self.frames(), led_by, ..told }
    }

    /// The line that tells of the input: the first that names `function`; what is quoted in notes comes after it.
    fn own_head(&self, at: usize, said: &'l str, function: Option<&str>) -> (usize, &'l str) {
        let is_own = |said: &str| function.is_some_and(|function| calls(said, function));
        let heads = (at..self.end).filter_map(|at| Some((at, self.said(at)?)));
        let mut own = heads.filter(|(_, said)| is_own(said));
        own.next().unwrap_or((at, said))
    }

    /// The lines from `from` up to `to`, without what stands before them.
    fn text(&self, from: usize, to: usize) -> Vec<&'l str> {
        (from..to)
            .map(|at| self.said(at).unwrap_or_else(|| front(&self.lines[at].text).map_or("", |(_, said)| said)))
            .collect()
    }

    /// The message: the lines from `from` up to `to` but what the library adds at its end.
    fn message(&self, from: usize, to: usize) -> String {
        let mut lines = self.text(from, to);
        while lines.last().is_some_and(|line| line.is_empty() || line.starts_with("(note: ")) {
            lines.pop();
        }
        lines.join("\n")
    }

    fn told(&self, (at, said): (usize, &'l str)) -> Told {
        let (head, is_explicit) = HEADS.iter().find(|(head, _)| said.starts_with(head)).copied().unwrap_or_default();
        let lines = self.text(at, self.end);
        let notes = lines.join("\n");
        let read = call::read(notes[head.len()..].trim_start_matches(' '));
        let (class, message) = parted(&self.message(self.start, at));
        Told {
            number: self.lines[at].number,
            is_explicit,
            class,
            message,
            frames: self.frames(),
            led_by: frames::led_by(self.lines, self.start, self.front),
            blob: lines.iter().find_map(|line| blob(line)),
            is_cut: read.is_none(),
            input: read,
        }
    }

    /// The calls that led to the error.
    fn frames(&self) -> Vec<Frame> {
        frames::read(self.lines, self.start, self.end, self.front)
    }
}

/// What a note tells of an input, and whether of one in the source; `None` where it tells of none.
pub(super) fn heading(note: &str) -> Option<(&str, bool)> {
    let (head, is_explicit) = HEADS.iter().find(|(head, _)| note.starts_with(head))?;
    Some((note[head.len()..].trim_start_matches(' '), *is_explicit))
}

/// The decorator that a line tells of.
pub(super) fn blob(line: &str) -> Option<String> {
    let told = line.strip_prefix(BLOB)?;
    let start = told.find("@reproduce_failure(")?;
    let end = crate::language::python::marks::closing(&told[start..], "@reproduce_failure".len())?;
    Some(told[start..=start + end].to_owned())
}

/// Whether a line only divides others.
pub(super) fn is_rule(line: &str) -> bool {
    line.len() >= 20 && (line.bytes().all(|byte| byte == b'-') || line.bytes().all(|byte| byte == b'='))
}

/// The class and the message of an error as it was printed.
fn parted(text: &str) -> (String, String) {
    let first = text.lines().next().unwrap_or_default();
    let class = first.split_once(':').map_or(first, |(class, _)| class);
    let last = class.rsplit('.').next().unwrap_or_default();
    let is_class = last.starts_with(|char: char| char.is_ascii_uppercase())
        && class.split('.').all(crate::language::python::marks::is_name);
    if !is_class {
        return (String::new(), text.to_owned());
    }
    let rest = &text[class.len()..];
    let message = rest.strip_prefix(": ").or_else(|| rest.strip_prefix(':')).unwrap_or(rest);
    (class.to_owned(), message.trim_start_matches('\n').to_owned())
}
