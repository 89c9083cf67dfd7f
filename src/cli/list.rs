//! `redpin list`: the failures, for people by cause or for programs as JSON.

use std::ffi::OsString;
use std::io;

use clap::Args;
use serde::Serialize;

use super::json::{NoticeRow, Row, SCHEMA};
use super::page::{Page, Style};
use super::{Exit, Fault, World, arguments};
use crate::failure::Ending;
use crate::inbox::{Cause, Filed, Inbox, State};
use crate::threads;
use crate::triage::{Listing, look};
use crate::value::one_line;
use crate::visible;

/// What to do where nothing was imported yet.
const NOTHING_YET: &str = "nothing is in the inbox: `redpin import RUN` reads a run, `redpin run -- CMD` makes one";

/// Causes that one thread writes at a time.
const AT_ONCE: usize = 64;

/// Longest counterexample on its line.
const LONGEST: usize = 100;

/// List failures by cause, smallest counterexample first.
///
/// Reads and prints, changes nothing. Where runs are named it works outside a repository as well.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  redpin list nightly.log\n  redpin list --json ci.zip | jq '.failures[].test'")]
pub(super) struct List {
    /// Files, folders, zip or gzip archives, or `-`. Without one the inbox is listed, and the regression lines that are
    /// new in the work tree.
    #[arg(value_name = "RUN")]
    runs: Vec<OsString>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let listing = look(&world.directory, &arguments(&self.runs), world.now)?;
        if self.json {
            print_json(&listing, page)?
        } else {
            print(&listing, page)?;
            if self.runs.is_empty() && listing.inbox.filed().is_empty() {
                page.remark(NOTHING_YET)?;
            }
        }
        // The program ends: taking thousands of failures apart before would only cost time.
        std::mem::forget(listing);
        Ok(Exit::Done)
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    failures: Vec<Row<'a>>,
    aborted: Vec<Row<'a>>,
    notices: Vec<NoticeRow<'a>>,
}

fn print_json(listing: &Listing, page: &mut Page<'_>) -> io::Result<()> {
    let rows = |aborted: bool| {
        let filed = listing.inbox.filed().iter().filter(|filed| (filed.failure.ending == Ending::Aborted) == aborted);
        filed.map(|filed| Row::from(filed.as_ref())).collect()
    };
    page.json(&Answer {
        schema: SCHEMA,
        failures: rows(false),
        aborted: rows(true),
        notices: listing.notices.iter().map(NoticeRow::from).collect(),
    })
}

fn print(listing: &Listing, page: &mut Page<'_>) -> io::Result<()> {
    super::print_notices(&listing.notices, page)?;
    print_inbox(&listing.inbox, page)
}

/// The failures cause by cause, and their counts.
pub(super) fn print_inbox(inbox: &Inbox, page: &mut Page<'_>) -> io::Result<()> {
    let standings = inbox.filed().iter().map(|filed| standing(filed).1.chars().count());
    let width = standings.max().unwrap_or_default().max(NARROWEST);
    let parts: Vec<&[Cause]> = inbox.causes().chunks(AT_ONCE).collect();
    let colour = page.colour;
    let texts = threads::numbered(parts.len(), |at| {
        let (mut text, mut remarks) = (Vec::new(), io::empty());
        let mut page = Page::new(&mut text, &mut remarks);
        page.colour = colour;
        parts[at].iter().try_for_each(|cause| print_cause(cause, inbox, width, &mut page)).map(|()| text)
    });
    for text in texts {
        page.lines(&text?)?;
    }
    page.line(&summary(inbox))
}

/// Least cells of the column that says how failures stand.
const NARROWEST: usize = 14;

fn print_cause(cause: &Cause, inbox: &Inbox, width: usize, page: &mut Page<'_>) -> io::Result<()> {
    let requirement = cause.requirement.as_ref().map_or("–", |id| id.0.as_str());
    let heading = format!("{requirement}  {}", visible::line(&inbox.title(cause)));
    page.line(&page.styled(Style::Heading, &clip(&heading, LONGEST)))?;
    for filed in cause.failures.iter().filter_map(|&at| inbox.filed().get(at)) {
        print_failure(filed, width, page)?;
    }
    page.line("")
}

fn print_failure(filed: &Filed, width: usize, page: &mut Page<'_>) -> io::Result<()> {
    let (style, word) = standing(filed);
    let place = match (&filed.file, filed.line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (Some(file), None) => file.to_string(),
        _ => match &filed.failure.location {
            // Some runs tell the file alone.
            Some(at) if at.line == 0 => at.file.0.clone(),
            Some(at) => format!("{}:{}", at.file.0, at.line),
            None => String::new(),
        },
    };
    let state = page.styled(style, &format!("{word:<width$}"));
    let test = visible::line(&filed.failure.test.0).into_owned();
    page.line(&format!("  {state} {}  {test}  {}", filed.id.0, page.styled(Style::Quiet, &visible::line(&place))))?;
    let counterexample = one_line(&filed.failure.counterexample.text);
    if counterexample.is_empty() {
        return Ok(());
    }
    page.line(&format!("{:1$}{2}", "", width + 3, clip(&visible::line(&counterexample), LONGEST)))
}

/// How a failure stands, in one word with its glyph.
pub(super) fn standing(filed: &Filed) -> (Style, String) {
    let verdict = || filed.verdict.map_or("decided", |verdict| verdict.word());
    match filed.state {
        State::Open if filed.failure.ending == Ending::Aborted => (Style::Open, "! aborted".to_owned()),
        State::Open if filed.pin_failed => (Style::Failing, "✗ pin failed".to_owned()),
        State::Open if !filed.candidates.is_empty() => (Style::Open, "? which one".to_owned()),
        State::Open => (Style::Failing, "✗ open".to_owned()),
        State::Decided => (Style::Open, format!("? {}", verdict())),
        State::Staged => (Style::Good, format!("✓ {}, staged", verdict())),
        State::Known => (Style::Quiet, format!("= {}", verdict())),
    }
}

/// The counts of an inbox as one line.
fn summary(inbox: &Inbox) -> String {
    let count = |state: State| inbox.filed().iter().filter(|filed| filed.state == state).count();
    let mut words = vec![
        super::counted(inbox.filed().len(), "failure", "failures"),
        super::counted(inbox.causes().len(), "cause", "causes"),
    ];
    for (state, word) in [(State::Decided, "decided"), (State::Staged, "staged"), (State::Known, "known from before")] {
        if count(state) > 0 {
            words.push(format!("{} {word}", count(state)));
        }
    }
    words.join(", ")
}

/// The first `most` characters, with a mark where more were there.
pub(super) fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
