//! `redpin show`: one failure whole, with its property's source, its requirement and what is known from before.

use std::ffi::OsString;

use clap::Args;
use serde::Serialize;

use super::json::{NoticeRow, Row, SCHEMA};
use super::list::standing;
use super::page::{Page, Style};
use super::{Exit, Fault, World, arguments};
use crate::detail::Detail;
use crate::failure::{Caveat, Notice, Replay};
use crate::inbox::Filed;
use crate::suggestion::Suggestion;
use crate::triage::look_for;
use crate::visible;

/// Show one failure whole.
///
/// Counterexample, message, the property's source, the requirement it cites, hints, and what is known from before. Reads
/// and prints, changes nothing.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  redpin show 950ab3f\n  redpin show half_cent_goes_up nightly.log")]
pub(super) struct Show {
    /// The failure: its id, the beginning of one, or the end of its test name.
    #[arg(value_name = "FAILURE")]
    failure: String,
    /// Runs to look in; without one the inbox.
    #[arg(value_name = "RUN")]
    runs: Vec<OsString>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) fn run(&self, world: &World, page: &mut Page<'_>) -> Result<Exit, Fault> {
        let listing = look_for(&self.failure, &world.directory, &arguments(&self.runs), world.now)?;
        let filed = listing.find(&self.failure)?;
        let detail = listing.detail(filed);
        if self.json {
            page.json(&answer(filed, &detail, &listing.notices))?
        } else {
            super::print_notices(&listing.notices, page)?;
            print(filed, &detail, page)?
        }
        Ok(Exit::Done)
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    failure: Row<'a>,
    property: Option<PropertyRow<'a>>,
    requirement: Option<RequirementRow<'a>>,
    hints: Vec<HintRow<'a>>,
    suggestions: &'a [Suggestion],
    history: &'a [String],
    notices: Vec<NoticeRow<'a>>,
}

#[derive(Serialize)]
struct PropertyRow<'a> {
    file: &'a str,
    line: u32,
    text: &'a str,
}

#[derive(Serialize)]
struct RequirementRow<'a> {
    id: &'a str,
    file: &'a str,
    line: u32,
    title: &'a str,
    text: &'a str,
}

#[derive(Serialize)]
struct HintRow<'a> {
    text: &'a str,
    ground: &'a str,
}

fn answer<'a>(filed: &'a Filed, detail: &'a Detail, notices: &'a [Notice]) -> Answer<'a> {
    Answer {
        schema: SCHEMA,
        failure: Row::from(filed),
        property: detail.property.as_ref().map(|property| PropertyRow {
            file: property.file.as_str(),
            line: property.line,
            text: &property.text,
        }),
        requirement: detail.requirement.as_ref().map(|(file, requirement)| RequirementRow {
            id: &requirement.id.0,
            file: file.as_str(),
            line: requirement.line,
            title: &requirement.title,
            text: &requirement.text,
        }),
        hints: detail.hints.iter().map(|hint| HintRow { text: &hint.text, ground: &hint.ground }).collect(),
        suggestions: &detail.suggestions,
        history: &detail.history,
        notices: notices.iter().map(NoticeRow::from).collect(),
    }
}

/// One failure for people.
pub(super) fn print(filed: &Filed, detail: &Detail, page: &mut Page<'_>) -> Result<(), Fault> {
    let (style, standing) = standing(filed);
    let heading = page.styled(Style::Heading, &visible::line(&filed.failure.test.0));
    page.line(&format!("{heading}  {}  {}", filed.id.0, page.styled(style, &standing)))?;
    print_requirement(detail, page)?;
    print_counterexample(filed, detail, page)?;
    section("Message", &filed.failure.message, page)?;
    print_facts(filed, page)?;
    let suggestions: Vec<String> = detail
        .suggestions
        .iter()
        .map(|one| {
            format!("{} (by {}, {}): {}", one.verdict, one.source, one.when.get(..10).unwrap_or_default(), one.why)
        })
        .collect();
    section("Suggested, and decided by nobody", &suggestions.join("\n"), page)?;
    let hints: Vec<String> = detail.hints.iter().map(|hint| format!("{} ({})", hint.text, hint.ground)).collect();
    section("Hints", &hints.join("\n"), page)?;
    section("Known from before", &detail.history.join("\n"), page)?;
    print_property(detail, page)
}

fn print_requirement(detail: &Detail, page: &mut Page<'_>) -> Result<(), Fault> {
    let Some((file, requirement)) = &detail.requirement else { return Ok(()) };
    let title = if requirement.title.is_empty() { String::new() } else { format!(": {}", requirement.title) };
    let heading = format!("{}{title} ({file}:{})", requirement.id, requirement.line);
    section(&heading, &requirement.text, page)
}

fn print_counterexample(filed: &Filed, detail: &Detail, page: &mut Page<'_>) -> Result<(), Fault> {
    // The source may name what the run does not.
    let name = |at: usize| detail.arguments.get(at).map_or("", |(name, _)| name.as_str());
    let argument = |(at, argument): (usize, &crate::failure::Argument)| match name(at) {
        "" => argument.text.clone(),
        name => format!("{name} = {}", argument.text),
    };
    let lines: Vec<String> = filed.failure.counterexample.arguments.iter().enumerate().map(argument).collect();
    let text = if lines.is_empty() { filed.failure.counterexample.text.clone() } else { lines.join("\n") };
    section("Counterexample", &text, page)
}

fn print_facts(filed: &Filed, page: &mut Page<'_>) -> Result<(), Fault> {
    let mut facts = vec![match &filed.failure.replay {
        Replay::NewSeed { handle, .. } => format!("replay: {handle}"),
        Replay::Replayed => {
            "replay: it failed by replay of a kept seed or in the first case, and the run names no seed".to_owned()
        }
        Replay::None => "replay: the run names none".to_owned(),
    }];
    facts.extend(filed.failure.caveats.iter().map(|caveat| caveat_sentence(*caveat).to_owned()));
    if !filed.candidates.is_empty() {
        facts.push(format!("it may be any of: {}", filed.candidates.join(", ")));
    }
    let seen = filed.occurrences.iter().map(|one| format!("seen in {}:{}", one.origin.run, one.origin.line));
    facts.extend(seen);
    if !filed.note.is_empty() {
        facts.push(format!("note: {}", filed.note));
    }
    section("Known of it", &facts.join("\n"), page)
}

fn caveat_sentence(caveat: Caveat) -> &'static str {
    match caveat {
        Caveat::NotMinimal => "not minimal: shrinking was cut off, a smaller input may exist",
        Caveat::Untrusted => "not trusted: the framework lost step with its child process",
        Caveat::Truncated => "cut off: the run breaks off inside this report",
        Caveat::Unexplained => "unexplained: why it failed is not on record",
    }
}

fn print_property(detail: &Detail, page: &mut Page<'_>) -> Result<(), Fault> {
    let Some(property) = &detail.property else { return Ok(()) };
    let file = visible::line(property.file.as_str());
    page.line(&page.styled(Style::Heading, &format!("\n{file}:{}", property.line)))?;
    let text = visible::block(&property.text);
    let indent = shared_indent(&text);
    for (line, number) in text.lines().zip(property.first_line..) {
        let mark = if detail.failing_line == Some(number) { "▸" } else { " " };
        // The first line begins where the property does, past its own indentation.
        let line = line.get(indent..).filter(|_| number > property.first_line).unwrap_or(line);
        page.line(format!("{mark}{number:>5}  {line}").trim_end())?;
    }
    Ok(())
}

/// The white space that all lines but the first begin with, where they have any text.
fn shared_indent(text: &str) -> usize {
    let lines = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    lines.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0)
}

/// A heading and its text, indented; nothing where there is no text.
fn section(heading: &str, text: &str, page: &mut Page<'_>) -> Result<(), Fault> {
    if text.is_empty() {
        return Ok(());
    }
    page.line(&page.styled(Style::Heading, &format!("\n{}", visible::block(heading))))?;
    for line in visible::block(text).lines() {
        page.line(format!("  {line}").trim_end())?;
    }
    Ok(())
}
