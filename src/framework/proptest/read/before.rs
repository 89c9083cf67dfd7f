//! Looks back from a panic: whose output it stands in, by the marks of the carrier, and what the runner remarked before,
//! which other tests may have written between where nothing is captured.

use crate::carrier::Subject;
use crate::carrier::cargo_log::{self, Mark};
use crate::carrier::line;
use crate::carrier::panic;
use crate::failure::{ForeignPath, Location};
use crate::run_output::line_before;
use crate::span::Span;

use super::seed::{self, Remark};
use super::seen;
use super::text::{Sight, Text};

/// What stands before a report.
#[derive(Default)]
pub(super) struct Before {
    /// Whose output the text around is, where a mark says so.
    pub(super) subject: Subject,
    /// A mark says so: no other test's remarks stand between it and the report.
    pub(super) alone: bool,
    /// The mark is a section's, at this offset.
    pub(super) section: Option<usize>,
    /// The mark is of a test meant to panic, whose result follows its output.
    pub(super) should_panic: bool,
    pub(super) seeds: Vec<Kept>,
    /// The files that a seed could not be saved in; none is named where no source file is known.
    pub(super) unsaved: Vec<Option<ForeignPath>>,
    pub(super) shrinking_cut: bool,
}

/// A seed the runner said it kept.
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) offset: usize,
    pub(super) handle: String,
    pub(super) file: Option<ForeignPath>,
    pub(super) shrinking_cut: bool,
}

/// How many bytes before a panic are searched for what it belongs to: more than a test prints. None is searched twice.
const REACH: usize = 64 << 20;

/// How many of them in what was read for an earlier panic.
const REACH_BEYOND: usize = 8 << 10;

/// How far the look back has come.
struct Back {
    line: Span,
    /// Bytes left to look at.
    budget: usize,
    /// Panics from this one on have been passed.
    earlier: usize,
    /// From here on nothing is charged: it is what panics said that the last one passed stands for.
    free: usize,
    /// No earlier panic of the same thread has been passed.
    own: bool,
}

impl Back {
    /// Whether the line is an earlier panic's first.
    fn passes_panic(&mut self, text: &Text<'_>, sight: &Sight<'_>) -> bool {
        let Some(earlier) = self.earlier.checked_sub(1) else { return false };
        let panic = &text.panics[earlier];
        if self.line.start > panic.line.start {
            return false;
        }
        self.earlier = earlier;
        self.free = panic.since;
        let same = panic.said(text.bytes).is_some_and(|said| said.header.same_thread(&sight.said.header));
        self.own &= !same;
        true
    }
}

impl Text<'_> {
    /// Looks back from a panic for what it belongs to and for the runner's remarks on it. `floor` is where what was read
    /// before ends; beyond it only remarks of other threads are mixed with ours, and none where the panic is `alone`.
    pub(super) fn before(&self, sight: &Sight<'_>, floor: usize, alone: bool) -> Before {
        let seen = sight.seen;
        let mut before = Before { alone: self.given.is_some(), ..Before::default() };
        if before.take_mark(&line::plain(&self.bytes[seen.line.range()]), seen.line) {
            return before;
        }
        let outer = sight.said.prefix.outer();
        let mut back = Back { line: seen.line, budget: REACH, earlier: sight.at, free: usize::MAX, own: true };
        while let Some(previous) = line_before(self.bytes, back.line) {
            back.line = previous;
            if previous.start < floor {
                if alone {
                    break;
                }
                back.budget = back.budget.min(REACH_BEYOND);
            }
            if previous.len() > back.budget.saturating_mul(4) {
                break;
            }
            let was_read = back.passes_panic(self, sight);
            let passed_over = !was_read && self.passed_over(previous);
            if passed_over && alone {
                break;
            }
            if (was_read || passed_over) && previous.start >= floor {
                back.budget = REACH;
                continue;
            }
            let Some(text) = outer.strip(&self.bytes[previous.range()]) else { continue };
            if previous.start < back.free {
                let Some(left) = back.budget.checked_sub(text.len() + 1) else { break };
                back.budget = left;
            }
            if back.own {
                before.take_remark(text.trim_start(), previous);
            } else if previous.start < floor {
                break;
            }
            if before.take_mark(&text, previous) {
                break;
            }
        }
        before
    }
}

impl Text<'_> {
    /// Whether the line is the first of a panic that was passed over.
    fn passed_over(&self, line: Span) -> bool {
        let bytes = &self.bytes[line.range()];
        self.sparse && line::unstamped(bytes).starts_with(panic::START.as_bytes()) && seen::is_panic(bytes)
    }
}

impl Before {
    /// Whether no seed of a property in that source file is kept. Among other threads' remarks one that names no file tells
    /// nothing.
    pub(super) fn is_unsaved(&self, source: Option<&Location>) -> bool {
        self.unsaved.iter().any(|file| self.alone || file.as_ref().is_some_and(|file| may_keep(file, source)))
    }

    /// Takes what a line marks; whether what stands before it is of no interest.
    fn take_mark(&mut self, text: &str, line: Span) -> bool {
        match cargo_log::mark(text) {
            Some(Mark::Section(test)) => {
                self.section = Some(line.start);
                self.subject.test = Some(test);
            }
            Some(Mark::Open { test, should_panic }) => {
                self.should_panic = should_panic;
                self.subject.test = Some(test);
            }
            Some(Mark::Status(subject)) => self.subject = subject,
            Some(Mark::Between) => return true,
            Some(Mark::Result) | None => return false,
        }
        self.alone = true;
        true
    }

    /// Takes what a line before a report remarks; lines come last first.
    fn take_remark(&mut self, text: &str, line: Span) {
        match seed::remark(text) {
            Some(Remark::Seed(handle)) => {
                self.seeds.push(Kept { offset: line.start, handle, file: None, shrinking_cut: false });
            }
            Some(Remark::Saving(file)) => {
                if let Some(kept) = self.seeds.last_mut().filter(|kept| kept.file.is_none()) {
                    kept.file = Some(file);
                }
            }
            Some(Remark::ShrinkingCut) => {
                self.shrinking_cut = true;
                if let Some(kept) = self.seeds.last_mut() {
                    kept.shrinking_cut = true;
                }
            }
            Some(Remark::Unsaved(file)) => self.unsaved.push(file),
            None => {}
        }
    }
}

impl Kept {
    /// Whether a seed kept in this file may be of a property in that source file.
    pub(super) fn fits(&self, source: Option<&Location>) -> bool {
        self.file.as_ref().is_none_or(|file| may_keep(file, source))
    }
}

/// Whether a file may keep the seeds of a property in that source file.
fn may_keep(file: &ForeignPath, source: Option<&Location>) -> bool {
    let stem = |path: &ForeignPath| {
        let name = path.0.rsplit(['/', '\\']).next().unwrap_or_default();
        name.split('.').next().unwrap_or_default().to_owned()
    };
    source.is_none_or(|source| stem(file) == stem(&source.file))
}
