//! Where the reader is in what a tab shows: the selected row, the first one on the screen, and what a filter leaves.

use super::list::follow;
use super::sheet::{Sheet, SheetRow};
use super::sought::Sought;
use super::tab::Tab;

/// A tab's sheet and the place in it.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    /// `None` until it arrives.
    pub(crate) sheet: Option<Box<Sheet>>,
    /// The rows that the filter leaves, by their places in the sheet.
    shown: Vec<usize>,
    pub(crate) selected: usize,
    /// The first row on the screen.
    pub(crate) top: usize,
    /// The words of the filter; empty without one.
    pub(crate) filter: String,
}

impl Shelf {
    /// Takes a newer sheet, keeping what was selected where it is still there.
    pub(crate) fn put(&mut self, sheet: Box<Sheet>) {
        let place = self.row().and_then(|old| sheet.rows.iter().position(|new| new.is_again(old)));
        let before = self.selected;
        self.sheet = Some(sheet);
        self.lay_out();
        let again = place.and_then(|place| self.shown.iter().position(|at| *at == place));
        self.selected = again.unwrap_or(before).min(self.shown.len().saturating_sub(1));
    }

    /// Leaves only rows that hold these words; none leaves all.
    pub(crate) fn seek(&mut self, words: &str) {
        let place = self.shown.get(self.selected).copied();
        words.clone_into(&mut self.filter);
        self.lay_out();
        self.selected = place.and_then(|place| self.shown.iter().position(|at| *at == place)).unwrap_or(0);
    }

    fn lay_out(&mut self) {
        let sought = Sought::new(&self.filter);
        let rows = self.sheet.iter().flat_map(|sheet| sheet.rows.iter().enumerate());
        self.shown =
            rows.filter(|(_, row)| sought.is_empty() || sought.is_in(&row.searched())).map(|(at, _)| at).collect();
    }

    /// How many rows are shown.
    pub(crate) fn len(&self) -> usize {
        self.shown.len()
    }

    /// The rows shown.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &SheetRow> {
        self.shown.iter().filter_map(|at| self.sheet.as_ref()?.rows.get(*at))
    }

    /// The selected row.
    pub(crate) fn row(&self) -> Option<&SheetRow> {
        self.sheet.as_ref()?.rows.get(*self.shown.get(self.selected)?)
    }

    /// With a filter: which of the rows that it leaves is selected, from 1 on, and how many it leaves.
    pub(crate) fn position(&self) -> Option<(usize, usize)> {
        let number = if self.shown.is_empty() { 0 } else { self.selected + 1 };
        (!self.filter.is_empty()).then_some((number, self.shown.len()))
    }

    /// Scrolls as little as needed for the selected row to be among `height` rows.
    pub(crate) fn follow(&mut self, height: usize) {
        self.top = follow(self.top, self.selected, self.shown.len(), height);
    }
}

/// The shelves of the tabs beside the inbox.
#[derive(Debug, Default)]
pub(crate) struct Shelves {
    requirements: Shelf,
    quarantine: Shelf,
    sweeps: Shelf,
    decisions: Shelf,
}

impl Shelves {
    /// That of a tab; the inbox has none.
    pub(crate) fn of(&self, tab: Tab) -> Option<&Shelf> {
        match tab {
            Tab::Inbox => None,
            Tab::Requirements => Some(&self.requirements),
            Tab::Quarantine => Some(&self.quarantine),
            Tab::Sweeps => Some(&self.sweeps),
            Tab::Decisions => Some(&self.decisions),
        }
    }

    /// The same, to be changed.
    pub(crate) fn of_mut(&mut self, tab: Tab) -> Option<&mut Shelf> {
        match tab {
            Tab::Inbox => None,
            Tab::Requirements => Some(&mut self.requirements),
            Tab::Quarantine => Some(&mut self.quarantine),
            Tab::Sweeps => Some(&mut self.sweeps),
            Tab::Decisions => Some(&mut self.decisions),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Shelf;
    use crate::tui::sheet::{Sheet, SheetRow};

    fn sheet(leads: &[&str]) -> Box<Sheet> {
        let row = |lead: &&str| SheetRow { lead: (*lead).to_owned(), ..SheetRow::default() };
        Box::new(Sheet { rows: leads.iter().map(row).collect(), ..Sheet::default() })
    }

    fn selected(shelf: &Shelf) -> Option<&str> {
        shelf.row().map(|row| row.lead.as_str())
    }

    #[test]
    fn what_is_selected_stays_so_when_it_is_read_anew_or_filtered() {
        let mut shelf = Shelf::default();
        assert_eq!((selected(&shelf), shelf.len()), (None, 0));
        shelf.put(sheet(&["one", "two", "three"]));
        shelf.selected = 1;
        shelf.put(sheet(&["zero", "one", "two"]));
        assert_eq!(selected(&shelf), Some("two"));
        shelf.seek("o");
        assert_eq!((selected(&shelf), shelf.position()), (Some("two"), Some((3, 3))));
        shelf.seek("one");
        assert_eq!((selected(&shelf), shelf.position()), (Some("one"), Some((1, 1))));
        shelf.seek("none");
        assert_eq!((selected(&shelf), shelf.position()), (None, Some((0, 0))));
        shelf.seek("");
        assert_eq!((selected(&shelf), shelf.len()), (Some("zero"), 3));
        shelf.put(sheet(&[]));
        assert_eq!(selected(&shelf), None);
    }
}
