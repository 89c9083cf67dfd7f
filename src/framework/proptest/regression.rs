//! proptest's regression file: one seed a line with the shrunk value as its comment, read as proptest itself reads it.
//! Everything that knows of this file stands in `regression/`: where it lies, what is wrong with it, how a line is added
//! or taken out, and which failures its lines tell of.

use std::borrow::Cow;

use memchr::memchr;

use super::Proptest;
use crate::failure::Failure;
use crate::framework::{Forget, ReplayFiles, Replays};
use crate::repo_path::RepoPath;
use crate::run_output::RunOutput;
use crate::source_tree::SourceTree;
use crate::span::Span;

mod faults;
mod part;
mod persisted;
mod place;
mod seed;
mod setting;
mod sources;
mod write;

pub(crate) use part::part;
pub(crate) use persisted::may_be_named;
pub(crate) use place::{SeedSource, place};
pub(crate) use seed::{Seed, SeedBytes};
pub(crate) use write::add;

use faults::notices;
use seed::SeedKind;
use write::{find, line, remove};

/// What the comment of a line begins with that proptest wrote.
const SHRINKS_TO: &str = " shrinks to ";

impl ReplayFiles for Proptest {
    fn may_be(&self, path: &str) -> bool {
        persisted::may_be_named(path)
    }

    fn all(&self, tree: &dyn SourceTree) -> Vec<RepoPath> {
        persisted::files(tree)
    }

    fn replays(&self, run: &RunOutput<'_>, tree: &dyn SourceTree, known: &dyn SourceTree) -> Option<Replays> {
        persisted::replays(run, tree, known)
    }

    fn head<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        write::head(text)
    }

    fn is_bare(&self, text: &[u8]) -> bool {
        write::is_bare(text)
    }

    fn forget(&self, failure: &Failure, tree: &dyn SourceTree) -> Option<(RepoPath, Forget)> {
        part::forget(failure, tree)
    }
}

/// One line of a regression file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line<'t> {
    /// Its bytes with its line end.
    pub(crate) span: Span,
    /// Its number, from 1.
    pub(crate) number: u64,
    /// What proptest makes of it.
    pub(crate) meaning: Meaning,
    /// What stands before the comment, without the line end. Bytes that are no UTF-8 are replaced.
    pub(crate) before: Cow<'t, str>,
    /// What stands after the first `#`, without the line end.
    pub(crate) comment: Option<Cow<'t, str>>,
    /// Whether it ends in `\n`.
    pub(crate) ended: bool,
}

/// What proptest makes of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Nothing: it is empty or only a comment.
    Silent,
    /// A seed to run.
    Seed(Seed),
    /// Not understood: it is passed over with a warning.
    Unparsable,
}

impl<'t> Line<'t> {
    fn read(text: &'t [u8], span: Span, number: u64) -> Self {
        let whole = &text[span.range()];
        let ended = whole.ends_with(b"\n");
        let bare = whole.strip_suffix(b"\r\n").or(whole.strip_suffix(b"\n")).unwrap_or(whole);
        let cut = memchr(b'#', bare);
        let before = String::from_utf8_lossy(&bare[..cut.unwrap_or(bare.len())]);
        let comment = cut.map(|at| String::from_utf8_lossy(&bare[at + 1..]));
        let meaning = match Seed::parse(&before) {
            _ if before.is_empty() => Meaning::Silent,
            Some(seed) => Meaning::Seed(seed),
            None => Meaning::Unparsable,
        };
        Line { span, number, meaning, before, comment, ended }
    }

    /// The seed, where the line is one.
    pub(crate) fn seed(&self) -> Option<&Seed> {
        match &self.meaning {
            Meaning::Seed(seed) => Some(seed),
            _ => None,
        }
    }

    /// The shrunk value that the comment tells, as printed.
    pub(crate) fn shrunk(&self) -> Option<&str> {
        self.comment.as_deref()?.strip_prefix(SHRINKS_TO)
    }
}

/// The lines of a regression file, whatever bytes it holds. Each ends after its `\n`; the last may have none.
pub(crate) fn lines(text: &[u8]) -> impl Iterator<Item = Line<'_>> {
    spans(text).map(|(number, span)| Line::read(text, span, number))
}

/// Number and bytes of each line.
fn spans(text: &[u8]) -> impl Iterator<Item = (u64, Span)> {
    let mut start = 0;
    (1..).map_while(move |number| {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let end = start + memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let span = Span::new(start, end);
        start = end;
        Some((number, span))
    })
}

#[cfg(test)]
mod tests;
