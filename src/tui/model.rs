//! All that the screen shows, as one value: changed only by [`Model::apply`], drawn by the view, which changes nothing.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::Settings;
use super::effect::Effect;
use super::highlight::Coloured;
use super::keys::{Here, Place};
use super::layout::{Layout, layout};
use super::list::{List, Row, follow};
use super::overlay::Overlay;
use super::page::{Matter, Page, Turned};
use super::recent::Recent;
use super::search::Search;
use super::sheet::DaysLeft;
use super::shelf::Shelves;
use super::tab::Tab;
use super::text::wrap;
use super::theme::Theme;
use super::trial::Trial;
use super::view::Cursor;
use super::waiting::{Look, READING, Waiting};
use crate::detail::{Detail, Preview};
use crate::failure::Notice;
use crate::inbox::{FailureId, Filed, Inbox};
use crate::verdict::Verdict;

/// The widest a page is laid out; code may reach further.
const PAGE_WIDTH: usize = 100;

/// The state of the workstation.
#[derive(Debug)]
pub struct Model {
    pub(crate) size: (u16, u16),
    pub(crate) theme: Theme,
    pub(crate) heading: String,
    /// The folder at the top of the work tree.
    pub(super) top: PathBuf,
    pub(crate) inbox: Inbox,
    /// Whether the inbox has arrived.
    pub(crate) loaded: bool,
    pub(crate) list: List,
    /// The tab shown, and what those beside the inbox show.
    pub(crate) tab: Tab,
    pub(super) shelves: Shelves,
    /// The failures whose test is set aside.
    pub(crate) asides: DaysLeft,
    pub(crate) place: Place,
    pub(crate) zoomed: bool,
    pub(crate) page: Page,
    pub(crate) spot: Spot,
    pub(crate) overlay: Option<Overlay>,
    pub(crate) message: Option<Message>,
    pub(crate) waiting: Waiting,
    /// Pins being run, and what they showed.
    pub(crate) trial: Trial,
    pub(crate) notices: Vec<Notice>,
    /// The words the list is filtered by; empty without a filter.
    pub(crate) filter: String,
    /// What is searched for in the failure.
    pub(crate) search: Search,
    pub(crate) now: Duration,
    pub(super) count: Option<usize>,
    pub(super) leaving: bool,
    /// Whether the user left without waiting for orders.
    pub(super) abandoned: bool,
    pub(super) turned: Turned,
    pub(super) details: Recent<FailureId, Arc<Detail>>,
    pub(super) previews: Recent<(FailureId, Verdict), Arc<Preview>>,
    pub(super) colours: Recent<FailureId, Coloured>,
    /// What the page shows: the failure, and whether as its whole cause.
    shown: Option<(FailureId, bool)>,
    /// Beside the inbox: which of the rows it shows.
    pub(super) leaf: Option<usize>,
    /// Whether the page no longer shows what it should.
    pub(super) stale: bool,
}

/// Where the reader is in the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spot {
    /// The line the cursor is on.
    pub(crate) line: usize,
    /// The first line shown.
    pub(crate) top: usize,
    /// Cells that long lines are scrolled by.
    pub(crate) left: usize,
}

/// A line for the user above the footer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) text: String,
    /// An error stays until `esc`; anything else goes with the next key.
    pub(crate) error: bool,
}

impl Model {
    /// The workstation before anything has arrived, on a screen of `columns` and `rows`.
    pub fn new(settings: &Settings, columns: u16, rows: u16) -> Self {
        let mut model = Model {
            size: (columns, rows),
            theme: Theme::new(settings.colour, settings.ascii),
            heading: String::new(),
            top: PathBuf::new(),
            inbox: Inbox::default(),
            loaded: false,
            list: List::default(),
            tab: Tab::Inbox,
            shelves: Shelves::default(),
            asides: DaysLeft::new(),
            place: Place::Inbox,
            zoomed: false,
            page: Page::default(),
            spot: Spot::default(),
            overlay: None,
            message: None,
            waiting: Waiting::default(),
            trial: Trial::default(),
            notices: Vec::new(),
            filter: String::new(),
            search: Search::default(),
            now: Duration::ZERO,
            count: None,
            leaving: false,
            abandoned: false,
            turned: HashSet::new(),
            details: Recent::default(),
            previews: Recent::default(),
            colours: Recent::default(),
            shown: None,
            leaf: None,
            stale: false,
        };
        model.waiting.order(READING, Duration::ZERO);
        model
    }

    /// How long until the screen changes by itself; `None` while nothing is awaited and nothing runs.
    pub fn next_tick(&self, now: Duration) -> Option<Duration> {
        self.waiting.next(now).into_iter().chain(self.trial.next(now)).min()
    }

    /// Draws the model and says where the cursor belongs.
    pub fn draw(&self, buffer: &mut ratatui::buffer::Buffer) -> Cursor {
        super::view::draw(self, buffer)
    }

    /// Whether orders may still be under way that must be waited for when the workstation is left.
    pub(super) fn may_wait_for_orders(&self) -> bool {
        self.waiting.has_changes() && !self.abandoned
    }

    /// The parts of the screen as they stand now; `None` where it is too small.
    pub(crate) fn layout(&self) -> Option<Layout> {
        let rows = self.message_lines().len() + usize::from(self.trial.progress(self.now).is_some());
        layout(self.size, self.place, self.zoomed, rows)
    }

    /// What decides which keys are valid now.
    pub(crate) fn here(&self) -> Here {
        Here { tab: self.tab, place: self.place, searching: self.place == Place::Failure && self.search.is_on() }
    }

    /// The message as lines of the screen's width.
    pub(crate) fn message_lines(&self) -> Vec<String> {
        let width = usize::from(self.size.0).saturating_sub(2);
        self.message.as_ref().map_or(Vec::new(), |message| wrap(&message.text, width))
    }

    /// The failure in question: the selected one, or the smallest of the selected cause.
    pub(crate) fn filed(&self) -> Option<&Filed> {
        self.list.place(&self.inbox).and_then(|at| self.inbox.filed().get(at)).map(|filed| &**filed)
    }

    /// The verdict whose consequence is previewed: the one given, else a real bug.
    pub(super) fn previewed(filed: &Filed) -> Verdict {
        filed.verdict.unwrap_or(Verdict::RealBug)
    }

    /// The preview of the failure in question, where it has arrived.
    pub(super) fn preview(&self) -> Option<&Preview> {
        let filed = self.filed()?;
        self.previews.get(&(filed.id.clone(), Model::previewed(filed))).map(|preview| &**preview)
    }

    /// Rows that a pane has.
    pub(super) fn rows_of(&self, place: Place) -> usize {
        let layout = self.layout();
        let rect = match place {
            Place::Inbox => layout.and_then(|layout| layout.inbox),
            Place::Failure => layout.and_then(|layout| layout.failure),
        };
        rect.map_or(1, |rect| usize::from(rect.height))
    }

    /// After any change: asks for what the selected failure lacks, lays its page out anew where needed, scrolls.
    pub(super) fn settle(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.offer_held();
        match self.tab {
            Tab::Inbox => self.show_selected(&mut effects),
            _ => self.show_row(),
        }
        if self.stale {
            self.stale = false;
            self.lay_out();
        }
        let height = self.rows_of(Place::Inbox);
        self.list.follow(height);
        if let Some(shelf) = self.shelf_mut() {
            shelf.follow(height);
        }
        self.spot.line = self.spot.line.min(self.page.lines.len().saturating_sub(1));
        self.spot.top = follow(self.spot.top, self.spot.line, self.page.lines.len(), self.rows_of(Place::Failure));
        effects
    }

    /// The page is to be laid out anew.
    pub(super) fn forget_shown(&mut self) {
        self.shown = None;
        self.stale = true;
    }

    fn show_selected(&mut self, effects: &mut Vec<Effect>) {
        let whole_cause = matches!(self.list.row(), Some(Row::Cause(_)));
        let Some((id, verdict)) = self.filed().map(|filed| (filed.id.clone(), Model::previewed(filed))) else {
            self.shown = None;
            self.page = Page::default();
            return;
        };
        if self.shown.as_ref().is_none_or(|(shown, _)| *shown != id) {
            self.spot = Spot::default();
            self.turned.clear();
            self.search.end();
            self.waiting.forget_look();
        }
        let shown = Some((id.clone(), whole_cause));
        if self.shown != shown {
            self.shown = shown;
            self.stale = true;
        }
        if self.stale {
            self.look_up(id, verdict, effects);
        }
    }

    /// Asks for what is not there: first the detail, then the preview and the colours.
    fn look_up(&mut self, id: FailureId, verdict: Verdict, effects: &mut Vec<Effect>) {
        let Some(detail) = self.details.get(&id).cloned() else {
            self.waiting.look(Look::Detail, id.clone(), self.now);
            effects.push(Effect::Detail(id));
            return;
        };
        if let Some(property) = detail.property.as_ref().filter(|_| self.colours.get(&id).is_none()) {
            let (extension, text) = super::page::to_colour(property);
            effects.push(Effect::Colour { id: id.clone(), extension, text });
        }
        if self.previews.get(&(id.clone(), verdict)).is_none() {
            self.waiting.look(Look::Preview, id.clone(), self.now);
            effects.push(Effect::Preview(id, verdict));
        }
    }

    fn lay_out(&mut self) {
        let width = self.layout().and_then(|layout| layout.failure).map_or(PAGE_WIDTH, |rect| usize::from(rect.width));
        if self.tab != Tab::Inbox {
            return self.lay_out_row(width.min(PAGE_WIDTH));
        }
        let Some(filed) = self.filed() else { return };
        let cause = match self.list.row() {
            Some(Row::Cause(number)) => self.inbox.causes().get(number),
            _ => None,
        };
        let verdict = Model::previewed(filed);
        let page = Page::new(&Matter {
            filed,
            cause,
            detail: self.details.get(&filed.id).map(|detail| &**detail),
            preview: (verdict, self.preview()),
            coloured: self.colours.get(&filed.id),
            shown: self.trial.shown(filed),
            aside: self.asides.get(&filed.id).copied(),
            turned: &self.turned,
            width: width.min(PAGE_WIDTH),
        });
        self.page = page;
        self.search.look(&self.page);
    }

    /// Says something to the user.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), error: false });
    }
}
