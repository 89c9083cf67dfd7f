//! The rows of the left pane: causes with their failures folded under them, what is selected, what a filter leaves, and
//! which failure is the next open one. Rebuilt when the inbox, a fold or the filter changes, never for a key that moves.

use std::collections::{BTreeSet, HashMap};

use crate::inbox::{CauseId, Inbox, State};

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// A cause, by its place in [`Inbox::causes`].
    Cause(usize),
    /// A failure of the cause, by its place in [`Inbox::filed`].
    Failure(usize),
}

/// How many failures stand where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) open: usize,
    pub(crate) decided: usize,
    pub(crate) staged: usize,
    pub(crate) known: usize,
}

/// The rows shown and the one selected.
#[derive(Debug, Default)]
pub(crate) struct List {
    rows: Vec<Row>,
    /// Places of all failures in the order of the rows, folds and filter set aside.
    order: Vec<usize>,
    /// The inverse: for each place its number in `order`.
    rank: Vec<usize>,
    /// For each place its cause.
    cause_of: Vec<usize>,
    /// Ranks of the open failures.
    open: BTreeSet<usize>,
    tally: Tally,
    /// Causes the user folded or unfolded.
    folds: HashMap<CauseId, bool>,
    /// For each place whether the filter leaves it; `None` without a filter.
    matches: Option<Vec<bool>>,
    /// With a filter, the rows that show a failure.
    found: Vec<usize>,
    pub(crate) selected: usize,
    /// The first row on the screen.
    pub(crate) top: usize,
}

/// A cause of more failures than this comes folded, where the inbox holds more than a screen of them.
const FOLD_ABOVE: usize = 5;
const SCREEN: usize = 30;

impl List {
    /// Takes a new inbox, keeping what was selected, folded and filtered out where it is still there.
    pub(crate) fn replace(&mut self, old: &Inbox, new: &Inbox) {
        let kept = self.selection(old);
        let first = self.order.is_empty();
        self.index(new);
        self.matches = None;
        self.layout(new);
        match kept {
            Some(row) => self.reselect(old, new, row),
            None if first => self.selected = self.open.first().map_or(0, |&rank| self.row_at(new, self.order[rank])),
            None => self.selected = 0,
        }
    }

    fn index(&mut self, inbox: &Inbox) {
        let filed = inbox.filed();
        self.order = inbox.causes().iter().flat_map(|cause| cause.failures.iter().copied()).collect();
        self.rank = vec![0; filed.len()];
        self.cause_of = vec![0; filed.len()];
        for (rank, &at) in self.order.iter().enumerate() {
            self.rank[at] = rank;
        }
        for (number, cause) in inbox.causes().iter().enumerate() {
            cause.failures.iter().for_each(|&at| self.cause_of[at] = number);
        }
        self.open = (0..self.order.len()).filter(|&rank| filed[self.order[rank]].state == State::Open).collect();
        self.tally = Tally::default();
        filed.iter().for_each(|one| *self.tally.of(one.state) += 1);
    }

    fn layout(&mut self, inbox: &Inbox) {
        let mut rows = std::mem::take(&mut self.rows);
        rows.clear();
        (0..inbox.causes().len()).for_each(|number| self.add_rows(inbox, number, &mut rows));
        self.rows = rows;
        self.selected = self.selected.min(self.rows.len().saturating_sub(1));
        self.found.clear();
        if self.filtered() {
            let failures = self.rows.iter().enumerate().filter(|(_, row)| matches!(row, Row::Failure(_)));
            self.found.extend(failures.map(|(row, _)| row));
        }
    }

    /// The rows of a cause: none where the filter leaves none of its failures.
    fn add_rows(&self, inbox: &Inbox, number: usize, rows: &mut Vec<Row>) {
        let cause = &inbox.causes()[number];
        let shown = |at: &&usize| self.matches.as_ref().is_none_or(|matches| matches[**at]);
        let mut failures = cause.failures.iter().filter(shown).peekable();
        if failures.peek().is_none() {
            return;
        }
        rows.push(Row::Cause(number));
        let many = inbox.filed().len() > SCREEN && cause.failures.len() > FOLD_ABOVE;
        let folded = inbox.cause_id(cause).and_then(|id| self.folds.get(id)).copied().unwrap_or(many);
        if !folded || self.matches.is_some() {
            rows.extend(failures.map(|&at| Row::Failure(at)));
        }
    }

    fn reselect(&mut self, old: &Inbox, new: &Inbox, row: Row) {
        let place = match row {
            Row::Failure(at) => {
                let id = &old.filed()[at].id;
                new.filed().iter().position(|filed| filed.id == *id).map(|at| self.row_at(new, at))
            }
            Row::Cause(number) => {
                let id = old.cause_id(&old.causes()[number]);
                let same = |row: &Row| matches!(row, Row::Cause(n) if new.cause_id(&new.causes()[*n]) == id);
                self.rows.iter().position(same)
            }
        };
        if let Some(place) = place {
            self.selected = place;
        }
    }

    /// The rows.
    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// How many failures stand where.
    pub(crate) fn tally(&self) -> Tally {
        self.tally
    }

    /// Whether a filter is set.
    pub(crate) fn filtered(&self) -> bool {
        self.matches.is_some()
    }

    /// With a filter: the number of the selected failure among those it leaves, from 1 on (on a cause, that of the one
    /// before it), and how many it leaves.
    pub(crate) fn position(&self) -> Option<(usize, usize)> {
        self.filtered().then(|| (self.found.partition_point(|&row| row <= self.selected), self.found.len()))
    }

    fn selection(&self, inbox: &Inbox) -> Option<Row> {
        let row = self.rows.get(self.selected).copied()?;
        let valid = match row {
            Row::Cause(number) => number < inbox.causes().len(),
            Row::Failure(at) => at < inbox.filed().len(),
        };
        valid.then_some(row)
    }

    /// The selected row.
    pub(crate) fn row(&self) -> Option<Row> {
        self.rows.get(self.selected).copied()
    }

    /// The place of the selected failure; for a cause its smallest.
    pub(crate) fn place(&self, inbox: &Inbox) -> Option<usize> {
        match self.row()? {
            Row::Failure(at) => Some(at),
            Row::Cause(number) => inbox.causes().get(number)?.failures.first().copied(),
        }
    }

    /// The cause a failure belongs to.
    pub(crate) fn cause_of(&self, at: usize) -> usize {
        self.cause_of.get(at).copied().unwrap_or(0)
    }

    /// Whether the cause's failures are out of sight.
    pub(crate) fn folded(&self, number: usize) -> bool {
        let Ok(at) = self.rows.binary_search_by_key(&number, |row| self.row_cause(*row)) else { return true };
        let is_failure = |at: usize| matches!(self.rows.get(at), Some(Row::Failure(_)));
        !is_failure(at) && !is_failure(at + 1)
    }

    fn row_cause(&self, row: Row) -> usize {
        match row {
            Row::Cause(number) => number,
            Row::Failure(at) => self.cause_of(at),
        }
    }

    /// Folds or unfolds a cause, leaving all other rows as they are, and selects it.
    pub(crate) fn set_folded(&mut self, inbox: &Inbox, number: usize, folded: bool) {
        let Some(cause) = inbox.causes().get(number) else { return };
        self.folds.extend(inbox.cause_id(cause).map(|id| (id.clone(), folded)));
        let first = self.rows.partition_point(|row| self.row_cause(*row) < number);
        let end = self.rows.partition_point(|row| self.row_cause(*row) <= number);
        let mut rows = Vec::new();
        self.add_rows(inbox, number, &mut rows);
        self.rows.splice(first..end, rows);
        self.selected = first.min(self.rows.len().saturating_sub(1));
    }

    /// Leaves only failures that `matches` says (a flag for each place), keeping the selection where it stays.
    pub(crate) fn filter(&mut self, inbox: &Inbox, matches: Option<Vec<bool>>) {
        let matches = matches.filter(|flags| flags.len() == inbox.filed().len());
        let kept = self.place(inbox);
        self.matches = matches;
        self.layout(inbox);
        let hidden = |at: &usize| self.matches.as_ref().is_some_and(|matches| !matches[*at]);
        match kept.filter(|at| !hidden(at)) {
            Some(at) => self.selected = self.row_at(inbox, at),
            None => self.selected = self.rows.iter().position(|row| matches!(row, Row::Failure(_))).unwrap_or(0),
        }
    }

    /// The row that shows the failure: its own, or that of its folded cause.
    fn row_at(&self, inbox: &Inbox, at: usize) -> usize {
        let key = |row: &Row| match row {
            Row::Cause(number) => inbox.causes()[*number].failures.first().map_or((0, 0), |&at| (self.rank[at], 0)),
            Row::Failure(at) => (self.rank[*at], 1),
        };
        match self.rows.binary_search_by_key(&(self.rank[at], 1), key) {
            Ok(row) => row,
            Err(after) => after.saturating_sub(1),
        }
    }

    /// Takes note that a failure went from one state to another.
    pub(crate) fn moved(&mut self, at: usize, from: State, to: State) {
        *self.tally.of(from) = self.tally.of(from).saturating_sub(1);
        *self.tally.of(to) += 1;
        let Some(&rank) = self.rank.get(at) else { return };
        if to == State::Open {
            self.open.insert(rank);
        } else {
            self.open.remove(&rank);
        }
    }

    /// Selects the next open failure after the selected one, from the top again where none follows; unfolds its cause.
    /// `false` where there is none.
    pub(crate) fn select_next_open(&mut self, inbox: &Inbox) -> bool {
        let from = self.place(inbox).map_or(0, |at| self.rank[at]);
        let shown = |rank: &&usize| self.matches.as_ref().is_none_or(|matches| matches[self.order[**rank]]);
        let found = self.open.range(from + 1..).find(shown).or_else(|| self.open.range(..=from).find(shown));
        let Some(at) = found.map(|&rank| self.order[rank]) else { return false };
        self.select(inbox, at);
        true
    }

    /// Selects a failure, unfolding its cause where needed.
    pub(crate) fn select(&mut self, inbox: &Inbox, at: usize) {
        let cause = self.cause_of(at);
        if self.folded(cause) {
            self.set_folded(inbox, cause, false);
        }
        self.selected = self.row_at(inbox, at);
    }

    /// The open failures of a cause.
    pub(crate) fn open_in(&self, inbox: &Inbox, number: usize) -> impl Iterator<Item = usize> + '_ {
        let all = inbox.causes().get(number).map_or(&[][..], |cause| &cause.failures);
        let first = all.first().and_then(|&at| self.rank.get(at)).copied().unwrap_or(0);
        self.open.range(first..first + all.len()).map(|&rank| self.order[rank])
    }

    /// Scrolls as little as needed for the selected row to be among `height` rows.
    pub(crate) fn follow(&mut self, height: usize) {
        self.top = follow(self.top, self.selected, self.rows.len(), height);
    }
}

impl Tally {
    fn of(&mut self, state: State) -> &mut usize {
        match state {
            State::Open => &mut self.open,
            State::Decided => &mut self.decided,
            State::Staged => &mut self.staged,
            State::Known => &mut self.known,
        }
    }
}

/// The first line to show so that `at` is among `height` lines of `all`, with as little movement from `top` as can be.
pub(crate) fn follow(top: usize, at: usize, all: usize, height: usize) -> usize {
    let height = height.max(1);
    let last = all.saturating_sub(height);
    top.min(at).max((at + 1).saturating_sub(height)).min(last)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{List, Row, follow};
    use crate::inbox::{Inbox, State};
    use crate::tui::sample;

    fn listed(causes: &[(&str, usize)]) -> (Inbox, List) {
        let mut filed = Vec::new();
        for (cause, failures) in causes {
            for number in 0..*failures {
                filed.push(Arc::new(sample::filed(cause, &format!("{cause}_{number:03}"))));
            }
        }
        let inbox = Inbox::new(filed);
        let mut list = List::default();
        list.replace(&Inbox::default(), &inbox);
        (inbox, list)
    }

    #[test]
    fn a_cause_stands_above_its_failures_and_the_first_open_one_is_selected() {
        let (_, list) = listed(&[("a", 2), ("b", 1)]);
        let expected = [Row::Cause(0), Row::Failure(0), Row::Failure(1), Row::Cause(1), Row::Failure(2)];
        assert_eq!(list.rows(), expected);
        assert_eq!(list.selected, 1);
    }

    #[test]
    fn a_large_cause_comes_folded_and_unfolds_for_the_next_open_failure() {
        let (inbox, mut list) = listed(&[("a", 40), ("b", 2)]);
        assert_eq!(list.rows(), [Row::Cause(0), Row::Cause(1), Row::Failure(40), Row::Failure(41)]);
        assert_eq!(list.place(&inbox), Some(0));
        assert!(list.select_next_open(&inbox));
        assert_eq!((list.place(&inbox), list.rows().len()), (Some(1), 44));
    }

    #[test]
    fn the_next_open_failure_is_sought_from_the_selected_one_and_then_from_the_top() {
        let (inbox, mut list) = listed(&[("a", 3)]);
        list.select(&inbox, 2);
        list.moved(2, State::Open, State::Decided);
        list.moved(0, State::Open, State::Decided);
        assert!(list.select_next_open(&inbox));
        assert_eq!(list.place(&inbox), Some(1));
        list.moved(1, State::Open, State::Decided);
        assert!(!list.select_next_open(&inbox));
        assert_eq!((list.tally().open, list.tally().decided), (0, 3));
    }

    #[test]
    fn a_filter_keeps_the_selection_where_it_can_and_gives_it_back_when_cleared() {
        let (inbox, mut list) = listed(&[("a", 2), ("b", 2)]);
        list.select(&inbox, 3);
        list.filter(&inbox, Some(vec![true, false, false, true]));
        assert_eq!(list.rows(), [Row::Cause(0), Row::Failure(0), Row::Cause(1), Row::Failure(3)]);
        assert_eq!((list.place(&inbox), list.position()), (Some(3), Some((2, 2))));
        list.filter(&inbox, None);
        assert_eq!((list.place(&inbox), list.position()), (Some(3), None));
    }

    #[test]
    fn folding_a_cause_selects_it() {
        let (inbox, mut list) = listed(&[("a", 2), ("b", 2)]);
        list.select(&inbox, 3);
        list.set_folded(&inbox, 1, true);
        assert_eq!(list.row(), Some(Row::Cause(1)));
        assert!(list.folded(1) && !list.folded(0));
    }

    #[test]
    fn folding_one_cause_gives_the_same_rows_as_laying_all_out() {
        let (inbox, mut list) = listed(&[("a", 2), ("b", 40), ("c", 1)]);
        for (number, folded) in [(0, true), (1, false), (2, true), (0, false), (1, true), (1, true), (2, false)] {
            list.set_folded(&inbox, number, folded);
            let (rows, selected) = (list.rows.clone(), list.selected);
            list.layout(&inbox);
            assert_eq!(rows, list.rows, "cause {number}, folded: {folded}");
            assert_eq!(rows[selected], Row::Cause(number));
        }
        list.filter(&inbox, Some((0..43).map(|at| at < 2).collect()));
        list.set_folded(&inbox, 1, false);
        assert_eq!(list.rows(), [Row::Cause(0), Row::Failure(0), Row::Failure(1)]);
    }

    #[test]
    fn a_new_inbox_keeps_what_was_selected() {
        let (old, mut list) = listed(&[("a", 2), ("b", 1)]);
        list.select(&old, 2);
        let (new, _) = listed(&[("0", 3), ("a", 2), ("b", 1)]);
        list.replace(&old, &new);
        assert_eq!(list.place(&new).map(|at| new.filed()[at].id.0.as_str()), Some("b_000"));
    }

    #[test]
    fn scrolling_moves_as_little_as_needed() {
        assert_eq!(follow(0, 5, 10, 4), 2);
        assert_eq!(follow(5, 3, 10, 4), 3);
        assert_eq!(follow(3, 4, 10, 4), 3);
        assert_eq!(follow(9, 9, 10, 4), 6);
        assert_eq!(follow(0, 0, 0, 0), 0);
    }
}
