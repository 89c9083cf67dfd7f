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
    /// Whether the answers may be coloured.
    pub colour: bool,
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

impl Page<'_> {
    /// One line of the answer.
    pub(super) fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    /// One remark.
    pub(super) fn remark(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.err, "{text}")
    }

    /// The answer as JSON on several lines, fit for a terminal as well.
    pub(super) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let json = serde_json::to_string_pretty(value)?;
        self.line(&visible::json(&json))
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
