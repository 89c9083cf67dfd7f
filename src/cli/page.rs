//! Where a command's output goes: answers to one stream, remarks to the other, coloured only where asked. Foreign text is
//! made visible by whoever writes it.

use std::io::{self, Write};

use serde::Serialize;

use crate::visible;

/// The streams of a command and how they may be used.
pub struct Page<'a> {
    /// Answers.
    pub out: &'a mut dyn Write,
    /// Remarks and complaints.
    pub err: &'a mut dyn Write,
    /// Whether the answers go to a terminal.
    pub terminal: bool,
    /// Whether they may be coloured.
    pub colour: bool,
    /// Whether what was passed on last ends within a line.
    in_line: bool,
}

/// How a piece of text stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Heading,
    Failing,
    Good,
    Open,
    Quiet,
}

impl<'a> Page<'a> {
    /// A page for programs: no terminal, no colour.
    pub fn new(out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        Page { out, err, terminal: false, colour: false, in_line: false }
    }

    /// One line of the answer.
    pub(super) fn line(&mut self, text: &str) -> io::Result<()> {
        self.end_line()?;
        writeln!(self.out, "{text}")
    }

    /// Whole lines of the answer.
    pub(super) fn lines(&mut self, text: &[u8]) -> io::Result<()> {
        self.end_line()?;
        self.out.write_all(text)
    }

    /// One remark.
    pub(super) fn remark(&mut self, text: &str) -> io::Result<()> {
        self.end_line()?;
        writeln!(self.err, "{text}")
    }

    /// What tests print, as they print it, among the remarks. A reader that is gone ends nobody's tests.
    pub(super) fn pass_on(&mut self, output: &[u8]) {
        let _ = self.err.write_all(output);
        self.in_line = output.last().map_or(self.in_line, |last| *last != b'\n');
    }

    /// Sees that what redpin itself says stands on a line of its own.
    fn end_line(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.in_line) { self.err.write_all(b"\n") } else { Ok(()) }
    }

    /// The answer as JSON on several lines, fit for a terminal as well.
    pub(super) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let json = serde_json::to_string_pretty(value)?;
        self.line(&visible::json(&json))
    }

    /// A patch as the answer: to a program byte for byte, to a terminal with all visible that could steer it.
    pub(super) fn patch(&mut self, patch: &[u8]) -> io::Result<()> {
        if self.terminal {
            return self.out.write_all(visible::block(&String::from_utf8_lossy(patch)).as_bytes());
        }
        self.out.write_all(patch)
    }

    /// `text` in a style, plain where no colour is wanted.
    pub(super) fn styled(&self, style: Style, text: &str) -> String {
        if !self.colour || text.is_empty() {
            return text.to_owned();
        }
        let code = match style {
            Style::Heading => "1",
            Style::Failing => "31",
            Style::Good => "32",
            Style::Open => "33",
            Style::Quiet => "2",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

#[cfg(test)]
mod tests {
    use super::Page;

    #[track_caller]
    fn check(terminal: bool, patch: &[u8], expected: &[u8]) {
        let mut out = Vec::new();
        let mut err = std::io::sink();
        let mut page = Page { terminal, ..Page::new(&mut out, &mut err) };
        page.patch(patch).unwrap();
        assert_eq!(out, expected);
    }

    #[test]
    fn a_remark_stands_on_a_line_of_its_own_however_output_ends() {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut page = Page::new(&mut out, &mut err);
        page.pass_on(b"a line\n");
        page.remark("one").unwrap();
        page.pass_on(b"no line ");
        page.pass_on(b"end");
        page.pass_on(b"");
        page.remark("two").unwrap();
        page.remark("three").unwrap();
        page.pass_on(b"rest");
        page.line("answer").unwrap();
        assert_eq!(String::from_utf8(err).unwrap(), "a line\none\nno line end\ntwo\nthree\nrest\n");
        assert_eq!(out, b"answer\n");
    }

    #[test]
    fn a_patch_is_exact_for_programs_and_visible_for_people() {
        let patch = b"@@ -1 +1 @@\n-\tvalid \xff\r\n+\x1b[2J\xe2\x80\xae\n";
        check(false, patch, patch);
        check(true, patch, "@@ -1 +1 @@\n-\tvalid \u{fffd}\n+\\u{1b}[2J\\u{202e}\n".as_bytes());
    }
}
