//! What a tab beside the inbox shows, as a value: rows, and for each the page that tells all of it. Laid out by the worker that
//! reads it, so that the screen only has to draw.

mod decisions;
mod quarantine;
mod requirements;
mod sweeps;

pub(crate) use quarantine::left;

use std::collections::HashMap;

use super::event::Arrival;
use super::page::{Page, PageLine, ends};
use super::tab::Tab;
use super::text::{one_line, run, wrap};
use super::theme::Role;
use crate::check::{Asides, Night, OnRecord, Trace};
use crate::inbox::{FailureId, Filed, Inbox, State};
use crate::repo_path::RepoPath;
use crate::visible;

/// What was read for a tab.
#[derive(Debug)]
pub enum Survey {
    /// Requirements and properties, with the inbox that tells what is open.
    Requirements(Box<Trace>, Inbox),
    /// What the contract sets aside, or what is wrong with the contract; none where there is none.
    Quarantine(Result<Option<Asides>, String>, Inbox),
    /// The sweeps, oldest first.
    Sweeps(Vec<Night>),
    /// The decisions on record, newest first.
    Decisions(Vec<OnRecord>),
    /// It could not be read, for this reason.
    Failed(Tab, String),
}

impl Survey {
    /// What it brings to the screen.
    pub fn arrivals(&self) -> Vec<Arrival> {
        match self {
            Survey::Requirements(trace, inbox) => {
                vec![Arrival::Sheet(Tab::Requirements, requirements::sheet(trace, inbox).into())]
            }
            Survey::Quarantine(read, inbox) => vec![
                Arrival::Sheet(Tab::Quarantine, quarantine::sheet(read, inbox).into()),
                Arrival::Asides(quarantine::asides(read)),
            ],
            Survey::Sweeps(nights) => vec![Arrival::Sheet(Tab::Sweeps, sweeps::sheet(nights).into())],
            Survey::Decisions(all) => vec![Arrival::Sheet(Tab::Decisions, decisions::sheet(all).into())],
            Survey::Failed(tab, why) => vec![Arrival::Sheet(*tab, Sheet::saying([why.as_str()]).into())],
        }
    }
}

/// The failures whose test is set aside, each with the days that are left of it.
pub type DaysLeft = HashMap<FailureId, i64>;

/// What a tab shows.
#[derive(Debug, Default)]
pub struct Sheet {
    /// The rows.
    pub(crate) rows: Vec<SheetRow>,
    /// Where there are none: what to say.
    pub(crate) empty: Vec<String>,
    /// All of it in a few words, for the header.
    pub(crate) summary: String,
}

impl Sheet {
    /// One without rows, that says this.
    fn saying<'a>(lines: impl IntoIterator<Item = &'a str>) -> Sheet {
        let empty = lines.into_iter().map(|line| visible::line(line).into_owned()).collect();
        Sheet { empty, ..Sheet::default() }
    }
}

/// A row. Its texts are visible already.
#[derive(Debug, Default)]
pub(crate) struct SheetRow {
    /// Its sign, and what that means.
    pub(crate) glyph: (&'static str, Option<Role>),
    /// What stands first: an id or a date.
    pub(crate) lead: String,
    /// What it is about.
    pub(crate) name: String,
    /// What stands at its end, what matters most first: as many as there is room for.
    pub(crate) ends: Vec<String>,
    /// In the place of a name: how much of how much, where the longest is so long.
    pub(crate) bar: Option<Bar>,
    /// All of it.
    pub(crate) leaf: Vec<Leaf>,
    /// Where it stands in the repository.
    pub(crate) place: Option<(RepoPath, u32)>,
    /// The failure that it is about.
    pub(crate) failure: Option<FailureId>,
}

/// Two numbers as a bar: so many of all that are told with emphasis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bar {
    pub(crate) strong: u64,
    pub(crate) all: u64,
    /// The greatest `all` of the rows.
    pub(crate) most: u64,
}

impl SheetRow {
    /// Whether it is the same line as one read before.
    pub(crate) fn is_again(&self, other: &SheetRow) -> bool {
        (&self.lead, &self.name, &self.place, &self.failure) == (&other.lead, &other.name, &other.place, &other.failure)
    }

    /// What a filter looks through.
    pub(crate) fn searched(&self) -> String {
        let mut text = format!("{} {} {}", self.lead, self.name, self.ends.join(" "));
        for line in &self.leaf {
            text.push(' ');
            text.push_str(&line.text);
        }
        text
    }

    /// Its page, on so many cells.
    pub(crate) fn page(&self, width: usize) -> Page {
        Page { lines: self.leaf.iter().flat_map(|line| line.lines(width)).collect() }
    }
}

/// A line of a row's page before it is known how wide the screen is.
#[derive(Debug, Default)]
pub(crate) struct Leaf {
    role: Option<Role>,
    text: String,
    /// Text at the right border; the line is not wrapped then.
    end: String,
    indent: usize,
    place: Option<(RepoPath, u32)>,
    chart: Option<Vec<u64>>,
}

impl Leaf {
    /// A line of foreign text, made visible.
    fn new(role: Role, text: &str) -> Leaf {
        Leaf { role: Some(role), text: visible::block(text).into_owned(), ..Leaf::default() }
    }

    fn plain(text: &str) -> Leaf {
        Leaf::new(Role::Plain, text)
    }

    fn heading(text: &str) -> Leaf {
        Leaf::new(Role::Strong, text)
    }

    fn gap() -> Leaf {
        Leaf::default()
    }

    /// A name and what it is, in a column.
    fn field(name: &str, value: &str) -> Leaf {
        Leaf::plain(&format!("{name:<14}{value}"))
    }

    fn chart(values: Vec<u64>) -> Leaf {
        Leaf { chart: Some(values), ..Leaf::default() }
    }

    fn end(self, text: &str) -> Leaf {
        Leaf { end: one_line(text, 80), ..self }
    }

    fn indented(self, indent: usize) -> Leaf {
        Leaf { indent, ..self }
    }

    fn at(self, place: Option<(RepoPath, u32)>) -> Leaf {
        Leaf { place, ..self }
    }

    fn lines(&self, width: usize) -> Vec<PageLine> {
        let role = self.role.unwrap_or(Role::Plain);
        let line = |runs| PageLine { runs, place: self.place.clone(), ..PageLine::default() };
        if let Some(values) = &self.chart {
            return vec![line(vec![run(Role::Fail, sweeps::spark(values, width))])];
        }
        if self.text.is_empty() {
            return vec![line(Vec::new())];
        }
        if !self.end.is_empty() {
            return vec![line(ends(run(role, self.text.clone()), run(Role::Dim, self.end.clone()), width))];
        }
        let indent = self.indent.min(width / 2);
        let rows = wrap(&self.text, width.saturating_sub(indent)).into_iter();
        rows.map(|text| line(vec![run(role, format!("{}{text}", " ".repeat(indent)))])).collect()
    }
}

/// The open failures of an inbox, for whoever looks for some of them.
fn open(inbox: &Inbox) -> impl Iterator<Item = &Filed> {
    inbox.filed().iter().map(|filed| &**filed).filter(|filed| filed.state == State::Open)
}

/// A failure as a line of a page: its property and how it failed.
fn failure_line(filed: &Filed) -> Leaf {
    let (glyph, _) = super::words::glyph(filed);
    let name = one_line(filed.failure.test.function(), 200);
    let message = one_line(&filed.failure.message, 300);
    Leaf::plain(&format!("{glyph} {name}: {message}")).indented(2)
}

/// The day of a moment as RFC 3339, or all of what is none.
fn day(when: &str) -> String {
    one_line(when.get(..10).unwrap_or(when), 16)
}
