//! The search in the failure: the words, the lines of the page that hold them, and the way from one to the next.

use super::effect::Effect;
use super::line_edit::LineEdit;
use super::model::Model;
use super::overlay::Overlay;
use super::page::Page;
use super::sought::Sought;

/// What is searched for, and the lines of the page that hold it, in order.
#[derive(Debug, Default)]
pub(crate) struct Search {
    pub(crate) sought: Sought,
    lines: Vec<usize>,
}

impl Search {
    /// Whether anything is searched for.
    pub(crate) fn is_on(&self) -> bool {
        !self.sought.is_empty()
    }

    /// No more of it.
    pub(super) fn end(&mut self) {
        *self = Search::default();
    }

    /// Finds the lines of a page that was laid out anew.
    pub(super) fn look(&mut self, page: &Page) {
        self.lines.clear();
        if self.is_on() {
            let holds = |(number, line): (usize, &super::page::PageLine)| {
                let text: String = line.runs.iter().map(|run| run.text.as_str()).collect();
                self.sought.is_in(&text).then_some(number)
            };
            self.lines = page.lines.iter().enumerate().filter_map(holds).collect();
        }
    }

    /// The number of the last match up to `line`, from 1 on (0 before the first), and how many there are.
    pub(crate) fn position(&self, line: usize) -> (usize, usize) {
        (self.lines.partition_point(|&found| found <= line), self.lines.len())
    }

    /// The first match at `line` or below it, else the first of all.
    fn from(&self, line: usize) -> Option<usize> {
        let next = self.lines.partition_point(|&found| found < line);
        self.lines.get(next).or(self.lines.first()).copied()
    }

    /// The match `times` after `line`, beginning anew at the end.
    fn after(&self, line: usize, times: usize) -> Option<usize> {
        let next = self.lines.partition_point(|&found| found <= line);
        self.lines.get((next + times.saturating_sub(1)).checked_rem(self.lines.len())?).copied()
    }

    /// The match `times` before `line`, beginning anew at the start.
    fn before(&self, line: usize, times: usize) -> Option<usize> {
        let all = self.lines.len();
        let here = self.lines.partition_point(|&found| found < line);
        let back = times.checked_rem(all)?;
        self.lines.get((here + all - back) % all).copied()
    }
}

/// What to say where nothing is found.
const NOWHERE: &str = "no line of this failure holds that; what is folded is not searched";

impl Model {
    /// Begins to write what to search for.
    pub(super) fn start_search(&mut self) -> Vec<Effect> {
        self.search.end();
        self.lay_over(Overlay::Search(LineEdit::default(), self.spot.line))
    }

    /// Goes to the first line with these words from the line `from` on.
    pub(super) fn search_for(&mut self, words: &str, from: usize) {
        self.search.sought = Sought::new(words);
        self.search.look(&self.page);
        self.spot.line = self.search.from(from).unwrap_or(from);
    }

    /// The search stays, with its keys, where anything was found.
    pub(super) fn accept_search(&mut self) -> Vec<Effect> {
        if self.search.is_on() && self.search.lines.is_empty() {
            self.search.end();
            self.say(NOWHERE);
        }
        Vec::new()
    }

    pub(super) fn next_match(&mut self, count: Option<usize>) -> Vec<Effect> {
        self.go_to_match(self.search.after(self.spot.line, count.unwrap_or(1)))
    }

    pub(super) fn previous_match(&mut self, count: Option<usize>) -> Vec<Effect> {
        self.go_to_match(self.search.before(self.spot.line, count.unwrap_or(1)))
    }

    fn go_to_match(&mut self, line: Option<usize>) -> Vec<Effect> {
        match line {
            Some(line) => self.spot.line = line,
            None => self.say(NOWHERE),
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::Search;

    #[test]
    fn matches_are_gone_through_in_a_ring() {
        let search = Search { lines: vec![2, 5, 9], ..Search::default() };
        assert_eq!([0, 2, 4, 9, 11].map(|line| search.after(line, 1)), [Some(2), Some(5), Some(5), Some(2), Some(2)]);
        assert_eq!([0, 2, 4, 9, 11].map(|line| search.before(line, 1)), [Some(9), Some(9), Some(2), Some(5), Some(9)]);
        assert_eq!((search.after(0, 5), search.before(9, 4)), (Some(5), Some(5)));
        assert_eq!((search.from(5), search.from(6), search.from(10)), (Some(5), Some(9), Some(2)));
        assert_eq!([0, 2, 6, 20].map(|line| search.position(line)), [(0, 3), (1, 3), (2, 3), (3, 3)]);
        assert_eq!((Search::default().after(3, 1), Search::default().before(3, 1)), (None, None));
    }
}
