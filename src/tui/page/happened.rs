//! What happened: the message and where it arose, the facts of the failure in one line, remarks that may help, and what
//! is known from before.

use super::{Fold, Matter, Page, PageLine, Section, ends};
use crate::failure::{Caveat, Failure, Replay};
use crate::inbox::Filed;
use crate::triage::is_seed;
use crate::tui::text::{counted, fit_end, fit_start, head, one_line, run, width, wrap};
use crate::tui::theme::Role;
use crate::tui::words;
use crate::visible;

/// Lines of a message shown before it is unfolded.
const MESSAGE_LINES: usize = 6;
/// No more of a message than this is ever laid out.
const MESSAGE_BYTES: usize = 32 * 1024;
/// Lines of history shown before it is unfolded.
const HISTORY_LINES: usize = 3;
/// What stands before a hint; its other lines are indented as far.
const HINT: &str = "hint: ";

pub(super) fn add(page: &mut Page, matter: &Matter<'_>) {
    add_message(page, matter);
    let facts = in_lines(&facts(matter.filed), " · ", matter.width);
    facts.into_iter().for_each(|line| page.push(vec![run(Role::Dim, line)]));
    page.gap();
    add_suggestions(page, matter);
    page.gap();
    add_hints(page, matter);
    page.gap();
}

fn add_message(page: &mut Page, matter: &Matter<'_>) {
    let failure = &matter.filed.failure;
    let (text, whole) = head(failure.message.trim_end(), MESSAGE_BYTES);
    let fold = Fold::Section(Section::Message);
    let mut lines: Vec<String> = wrap(&visible::block(text).replace('\t', "    "), matter.width);
    if !whole {
        lines.push("…".to_owned());
    }
    let all = lines.len();
    let open = all <= MESSAGE_LINES + 1 || matter.is_open(&fold, false);
    if !open {
        lines.truncate(MESSAGE_LINES);
    }
    let last = lines.len().saturating_sub(1);
    let site = site(matter.filed).filter(|site| !text.contains(&site.place)).map_or(String::new(), |site| site.text);
    for (number, line) in lines.into_iter().enumerate() {
        let message = run(Role::Fail, line);
        let beside =
            number == last && super::runs_width(std::slice::from_ref(&message)) + site.len() + 2 <= matter.width;
        if beside {
            page.push(ends(message, run(Role::Dim, site.clone()), matter.width));
        } else {
            page.push(vec![message]);
            if number == last && !site.is_empty() {
                page.push(vec![run(Role::Dim, fit_end(&site, matter.width))]);
            }
        }
    }
    if !open {
        let rest = run(Role::Dim, format!("▸ {} more", counted(all - MESSAGE_LINES, "line")));
        page.lines.push(PageLine { runs: vec![rest], fold: Some(fold), ..PageLine::default() });
    }
}

/// Where the rule broke, as a place and as a phrase.
struct Site {
    place: String,
    text: String,
}

fn site(filed: &Filed) -> Option<Site> {
    let site = filed.failure.site.as_ref()?;
    let place = one_line(&format!("{}:{}", site.file.0, site.line), 70);
    let what = if filed.failure.panicked { "panicked at" } else { "at" };
    Some(Site { text: format!("{what} {place}"), place })
}

/// Replay, caveats and occurrences.
fn facts(filed: &Filed) -> Vec<String> {
    let mut facts = vec![replay_words(&filed.failure).to_owned()];
    if filed.only_replay {
        facts.push("known from its replay line alone".to_owned());
    }
    facts.extend(filed.failure.caveats.iter().map(|caveat| caveat_words(*caveat).to_owned()));
    if filed.occurrences.len() > 1 {
        facts.push(format!("seen {} times", filed.occurrences.len()));
    }
    if let Some(first) = filed.occurrences.first() {
        facts.push(format!("first {}", one_line(first.imported.get(..10).unwrap_or(&first.imported), 10)));
    }
    let origin = &filed.failure.origin;
    facts.push(fit_start(&one_line(&format!("{}:{}", origin.run, origin.line), 400), 48));
    facts
}

/// The parts on as few lines as hold them, none broken unless it is longer than a line.
fn in_lines(parts: &[String], between: &str, cells: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if width(line) + width(between) + width(part) <= cells => {
                line.push_str(between);
                line.push_str(part);
            }
            _ => lines.extend(wrap(part, cells)),
        }
    }
    lines
}

/// The replay line, where the run named one.
pub(crate) fn replay_line(failure: &Failure) -> Option<&str> {
    match &failure.replay {
        Replay::NewSeed { handle, .. } => Some(handle),
        Replay::Replayed | Replay::None => None,
    }
}

/// How the failure can be replayed, in words.
fn replay_words(failure: &Failure) -> &'static str {
    match failure.replay {
        Replay::NewSeed { .. } if is_seed(failure) => "new seed",
        Replay::NewSeed { .. } => "new replay handle",
        Replay::Replayed => "by replay or in the first case: no seed is named",
        Replay::None => "no replay handle",
    }
}

/// What to mind about the value, in words.
fn caveat_words(caveat: Caveat) -> &'static str {
    match caveat {
        Caveat::NotMinimal => "not minimal: shrinking was cut off",
        Caveat::Untrusted => "untrusted: may not be the value that failed",
        Caveat::Truncated => "the run breaks off in this report",
        Caveat::Unexplained => "why it failed is not on record",
    }
}

/// Lines of what one source suggests.
const SUGGESTION_LINES: usize = 6;

/// What others suggest, each with its source: nobody has decided that.
fn add_suggestions(page: &mut Page, matter: &Matter<'_>) {
    for one in matter.detail.map_or(&[][..], |detail| &detail.suggestions) {
        let source = one_line(&one.source, 60);
        let title = format!("suggested by {source}: {}", words::verdict(one.verdict));
        page.push(vec![run(Role::Strong, fit_end(&title, matter.width))]);
        let why = one_line(&one.why, matter.width.saturating_mul(SUGGESTION_LINES));
        for line in wrap(&why, matter.width.saturating_sub(2)).into_iter().take(SUGGESTION_LINES) {
            page.push(vec![run(Role::Plain, format!("  {line}"))]);
        }
    }
}

fn add_hints(page: &mut Page, matter: &Matter<'_>) {
    for hint in matter.detail.map_or(&[][..], |detail| &detail.hints) {
        let indented = matter.width.saturating_sub(HINT.len());
        let text = one_line(&hint.text, matter.width.saturating_mul(4));
        for (number, line) in wrap(&text, indented).into_iter().enumerate() {
            let lead = if number == 0 { HINT } else { "      " };
            page.push(vec![run(Role::Plain, format!("{lead}{line}"))]);
        }
        let ground = one_line(&hint.ground, matter.width.saturating_mul(2));
        for line in wrap(&ground, indented) {
            page.push(vec![run(Role::Dim, format!("      {line}"))]);
        }
    }
}

pub(super) fn add_history(page: &mut Page, matter: &Matter<'_>) {
    let history = matter.detail.map_or(&[][..], |detail| &detail.history);
    if history.is_empty() {
        return;
    }
    let short = history.len() <= HISTORY_LINES;
    let open = short || matter.is_open(&Fold::Section(Section::History), false);
    let shown = if open { history.len() } else { HISTORY_LINES };
    page.gap();
    page.heading(Section::History, open, "history", Vec::new());
    for line in history.iter().take(shown) {
        page.push(vec![run(Role::Plain, fit_end(&format!("  {}", one_line(line, matter.width)), matter.width))]);
    }
    if !open {
        page.push(vec![run(Role::Dim, format!("  … {} more", history.len() - shown))]);
    }
    page.gap();
}
