//! The right pane: one failure as lines, in the order a reviewer asks. The requirement comes first, then the input, then
//! what happened; code, history and the patch follow. A page is a value, built anew when what it shows changes; only its
//! visible lines are drawn.

mod happened;
mod input;
mod patch;
mod pin;
mod source;
mod top;

use std::collections::HashSet;

use super::highlight::Coloured;
use super::text::{Run, run, runs_width};
use super::theme::Role;
use crate::detail::{Detail, Preview};
use crate::inbox::{Cause, Filed};
use crate::proof::Shown;
use crate::repo_path::RepoPath;
use crate::verdict::Verdict;

pub(crate) use happened::replay_line;
pub(crate) use source::to_colour;

/// What can be folded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fold {
    /// A value of the input, by its path from the list of arguments.
    Value(Vec<usize>),
    /// A part of the page that can be long.
    Section(Section),
    /// A file of the patch, by its place.
    File(usize),
}

/// The parts of a page that can be long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Section {
    Requirement,
    Message,
    Source,
    History,
    Patch,
}

/// Folds that are not as they come.
pub(crate) type Turned = HashSet<Fold>;

/// A line of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PageLine {
    pub(crate) runs: Vec<Run>,
    /// What `enter` folds or unfolds here.
    pub(crate) fold: Option<Fold>,
    /// The place in a file that this line shows.
    pub(crate) place: Option<(RepoPath, u32)>,
    /// Whether it is of the patch, where a pin can be written by hand.
    pub(crate) of_patch: bool,
    /// How many cells of it stay when the rest scrolls sideways; `None` for lines that are wrapped.
    pub(crate) gutter: Option<usize>,
}

/// One failure as lines.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) lines: Vec<PageLine>,
}

/// All a page is made from.
#[derive(Debug)]
pub(crate) struct Matter<'a> {
    pub(crate) filed: &'a Filed,
    /// The whole cause, where that is selected and not one of its failures.
    pub(crate) cause: Option<&'a Cause>,
    /// `None` until it arrives.
    pub(crate) detail: Option<&'a Detail>,
    /// The preview of which verdict; `None` until it arrives.
    pub(crate) preview: (Verdict, Option<&'a Preview>),
    pub(crate) coloured: Option<&'a Coloured>,
    /// What its pin showed when it was run, where that is known.
    pub(crate) shown: Option<&'a Shown>,
    /// Where its test is set aside: the days that are left of that.
    pub(crate) aside: Option<i64>,
    pub(crate) turned: &'a Turned,
    pub(crate) width: usize,
}

impl Page {
    /// Lays a failure out.
    pub(crate) fn new(matter: &Matter<'_>) -> Self {
        let mut page = Page::default();
        top::add(&mut page, matter);
        input::add(&mut page, matter);
        happened::add(&mut page, matter);
        source::add(&mut page, matter);
        happened::add_history(&mut page, matter);
        patch::add(&mut page, matter);
        page
    }

    fn push(&mut self, runs: Vec<Run>) {
        self.lines.push(PageLine { runs, ..PageLine::default() });
    }

    /// An empty line, unless the page starts here or has one already.
    fn gap(&mut self) {
        if self.lines.last().is_some_and(|line| !line.runs.is_empty()) {
            self.lines.push(PageLine::default());
        }
    }

    /// Two ends of a line: `left` cut to leave room for `right`, which stands at the right border.
    fn push_ends(&mut self, left: Run, right: Run, width: usize) {
        self.push(ends(left, right, width));
    }

    /// The heading of a part that can be folded.
    fn heading(&mut self, section: Section, open: bool, title: &str, rest: Vec<Run>) {
        let mark = if open { "▾ " } else { "▸ " };
        let mut runs = vec![run(Role::Dim, mark), run(Role::Strong, title.to_owned())];
        if !rest.is_empty() {
            runs.push(run(Role::Plain, "  "));
        }
        runs.extend(rest);
        self.lines.push(PageLine { runs, fold: Some(Fold::Section(section)), ..PageLine::default() });
    }
}

impl Matter<'_> {
    /// Whether a fold is open that comes open (or not) by `usually`.
    fn is_open(&self, fold: &Fold, usually: bool) -> bool {
        usually != self.turned.contains(fold)
    }
}

/// `left` at the left and `right` at the right of a line of `width` cells; `right` is left out where there is no room.
pub(crate) fn ends(left: Run, right: Run, width: usize) -> Vec<Run> {
    let wide = super::text::width(&right.text);
    if right.text.is_empty() || wide + 10 > width {
        return vec![run(left.role, super::text::fit_end(&left.text, width))];
    }
    let left = run(left.role, super::text::fit_end(&left.text, width - wide - 2));
    let space = width - wide - runs_width(std::slice::from_ref(&left));
    vec![left, run(Role::Plain, " ".repeat(space)), right]
}
