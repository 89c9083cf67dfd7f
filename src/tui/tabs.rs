//! Going from tab to tab, and what keys do in those beside the inbox.

use super::effect::{Effect, Order};
use super::keys::Place;
use super::model::Model;
use super::page::Page;
use super::sheet::Sheet;
use super::shelf::Shelf;
use super::tab::Tab;

impl Model {
    /// Shows a tab. What it shows is read anew each time; what was read before shows until then.
    pub(super) fn go(&mut self, tab: Tab) -> Vec<Effect> {
        if self.tab != tab {
            self.tab = tab;
            self.place = Place::Inbox;
            self.zoomed = false;
            self.search.end();
            self.leaf = None;
            self.forget_shown();
        }
        self.survey()
    }

    /// Asks for what the tab shows.
    pub(super) fn survey(&mut self) -> Vec<Effect> {
        if self.tab == Tab::Inbox {
            self.waiting.surveyed();
            return Vec::new();
        }
        self.waiting.survey(self.now);
        vec![Effect::Survey(self.tab)]
    }

    /// The shelf of the tab shown; `None` in the inbox.
    pub(crate) fn shelf(&self) -> Option<&Shelf> {
        self.shelves.of(self.tab)
    }

    /// The same, to be changed.
    pub(super) fn shelf_mut(&mut self) -> Option<&mut Shelf> {
        self.shelves.of_mut(self.tab)
    }

    /// Takes in what was read for a tab.
    pub(super) fn take_sheet(&mut self, tab: Tab, sheet: Box<Sheet>) {
        if let Some(shelf) = self.shelves.of_mut(tab) {
            shelf.put(sheet);
        }
        if tab == self.tab {
            self.waiting.surveyed();
            self.stale = true;
        }
    }

    /// After any change: the page of the row that is selected.
    pub(super) fn show_row(&mut self) {
        let Some(at) = self.shelf().map(|shelf| shelf.selected) else { return };
        if self.leaf != Some(at) {
            self.leaf = Some(at);
            self.spot = super::model::Spot::default();
            self.search.end();
            self.stale = true;
        }
    }

    /// Lays the page of the selected row out.
    pub(super) fn lay_out_row(&mut self, width: usize) {
        self.page = self.shelf().and_then(Shelf::row).map_or_else(Page::default, |row| row.page(width));
        self.search.look(&self.page);
    }

    /// Opens the failure of the selected decision again.
    pub(super) fn reopen(&mut self) -> Vec<Effect> {
        match self.shelf().and_then(|shelf| shelf.row()?.failure.clone()) {
            Some(id) => self.order("reopening", Order::Reopen(id)),
            None => {
                self.say("there is no decision to reopen");
                Vec::new()
            }
        }
    }
}
