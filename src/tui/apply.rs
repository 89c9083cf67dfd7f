//! The one place where the model changes: an update in, effects out.

use std::time::Duration;

use super::effect::{Effect, Order};
use super::keys::{Action, Place};
use super::list::Row;
use super::model::Model;
use super::overlay::{Copied, Overlay, Question, Yes};
use super::page::Fold;
use super::tab::Tab;
use super::text::counted;
use super::trial::Purpose;
use super::update::{ActionUpdate, Update};
use super::words;
use crate::inbox::{FailureId, Mark, State};
use crate::verdict::Verdict;

/// Cells that long lines move by.
const SIDEWAYS: usize = 8;

impl Model {
    /// Takes a change over and says what it asks of the world. `now` is the time since the start.
    pub fn apply(&mut self, update: Update, now: Duration) -> Vec<Effect> {
        self.now = now;
        let mut effects = match update {
            Update::Nothing => Vec::new(),
            Update::Count(digit) => {
                self.count = Some(self.count.unwrap_or(0).saturating_mul(10).saturating_add(digit).min(9_999_999));
                Vec::new()
            }
            Update::Act(ActionUpdate { action, count }) => self.act(action, count),
            Update::Over(change) => self.over(change.0),
            Update::Size(columns, rows) => self.resize(columns, rows),
            Update::Tick => Vec::new(),
            Update::Pasted => {
                self.say("pasted text is not taken as keys; n writes a note, / a filter");
                Vec::new()
            }
            Update::Held => {
                self.say("that key is held down and gave one verdict; press it again for the next, u undoes");
                Vec::new()
            }
            Update::Terminate => self.leave(),
            Update::Suspend => vec![Effect::Suspend],
            Update::Arrived(arrival) => self.arrive(arrival),
        };
        effects.extend(self.settle());
        effects
    }

    fn resize(&mut self, columns: u16, rows: u16) -> Vec<Effect> {
        self.size = (columns, rows);
        self.stale = true;
        Vec::new()
    }

    /// Carries out an action of the table.
    pub(super) fn act(&mut self, action: Action, count: Option<usize>) -> Vec<Effect> {
        self.count = None;
        if self.message.as_ref().is_some_and(|message| !message.error) {
            self.message = None;
        }
        match action {
            Action::RealBug => self.judge(Verdict::RealBug),
            Action::AmbiguousSpec => self.judge(Verdict::AmbiguousSpec),
            Action::WrongProperty => self.judge(Verdict::WrongProperty),
            Action::Note => self.start_note(),
            Action::Stage => self.stage(),
            Action::Verify => self.verify(),
            Action::VerifyAll => self.verify_all(),
            Action::Stop => self.stop(),
            Action::Output => self.show_output(),
            Action::Undo => self.order("undoing", Order::Undo),
            Action::Redo => self.order("redoing", Order::Redo),
            Action::Open => self.open(),
            Action::Back => self.back(),
            Action::Fold => self.fold(),
            Action::Edit => self.edit(),
            Action::Copy => self.lay_over(Overlay::Copy),
            Action::Filter => {
                let words = self.shelf().map_or(&self.filter, |shelf| &shelf.filter);
                self.lay_over(Overlay::Filter(super::line_edit::LineEdit::new(words)))
            }
            Action::Go(tab) => self.go(tab),
            Action::Reopen => self.reopen(),
            Action::Search => self.start_search(),
            Action::NextMatch => self.next_match(count),
            Action::PreviousMatch => self.previous_match(count),
            Action::Help => self.lay_over(Overlay::Help(super::line_edit::LineEdit::default(), 0)),
            Action::Notices => self.show_notices(),
            Action::NextOpen => self.next_open(),
            Action::Choose => self.start_choice(),
            Action::Prompt => self.copy(Copied::Prompt),
            Action::Left => self.sideways(self.spot.left.saturating_sub(SIDEWAYS)),
            Action::Right => self.sideways(self.spot.left + SIDEWAYS),
            Action::NextPane | Action::PreviousPane => self.other_pane(),
            Action::Zoom => self.zoom(),
            Action::Redraw => {
                self.forget();
                let mut effects = vec![Effect::Redraw, Effect::LookAgain];
                effects.extend(self.look_around());
                effects
            }
            Action::Suspend => vec![Effect::Suspend],
            Action::Quit => self.quit(),
            _ => self.travel(action, count),
        }
    }

    fn travel(&mut self, action: Action, count: Option<usize>) -> Vec<Effect> {
        let page = self.rows_of(self.place).max(2);
        let (at, all) = match self.place {
            Place::Inbox => match self.shelf() {
                Some(shelf) => (shelf.selected, shelf.len()),
                None => (self.list.selected, self.list.rows().len()),
            },
            Place::Failure => (self.spot.line, self.page.lines.len()),
        };
        let times = count.unwrap_or(1);
        let to = match action {
            Action::Down => at.saturating_add(times),
            Action::Up => at.saturating_sub(times),
            Action::HalfDown => at.saturating_add(times.saturating_mul(page / 2)),
            Action::HalfUp => at.saturating_sub(times.saturating_mul(page / 2)),
            Action::PageDown => at.saturating_add(times.saturating_mul(page - 1)),
            Action::PageUp => at.saturating_sub(times.saturating_mul(page - 1)),
            Action::Top => 0,
            Action::Bottom => count.map_or(usize::MAX, |line| line.saturating_sub(1)),
            _ => at,
        };
        let to = to.min(all.saturating_sub(1));
        match self.place {
            Place::Inbox => match self.shelf_mut() {
                Some(shelf) => shelf.selected = to,
                None => self.list.selected = to,
            },
            Place::Failure => self.spot.line = to,
        }
        Vec::new()
    }

    fn judge(&mut self, verdict: Verdict) -> Vec<Effect> {
        let Some(at) = self.list.place(&self.inbox) else {
            self.say("there is no failure to judge");
            return Vec::new();
        };
        if let Some(Row::Cause(number)) = self.list.row().filter(|_| self.place == Place::Inbox) {
            let all = self.inbox.causes().get(number).map_or(0, |cause| cause.failures.len());
            let open = self.list.open_in(&self.inbox, number).count();
            if all > 1 && open == 0 {
                self.say("every failure of this cause is judged; enter unfolds it, to judge one anew");
                return Vec::new();
            }
            if all > 1 {
                let name = words::verdict(verdict);
                let text = format!("give all {} of this cause the verdict {name}?", counted(open, "open failure"));
                return self.ask(text, Yes::JudgeCause(number, verdict));
            }
        }
        match self.inbox.filed().get(at) {
            // Git tells whether what was staged is staged still, and the clerk asks it.
            Some(one) if one.state == State::Staged && one.verdict != Some(verdict) => {
                let ids = vec![one.id.clone()];
                self.order("asking git", Order::Decide(ids, verdict))
            }
            _ => self.judge_all(vec![at], verdict),
        }
    }

    /// Gives failures their verdict and goes on to the next open one.
    pub(super) fn judge_all(&mut self, places: Vec<usize>, verdict: Verdict) -> Vec<Effect> {
        let filed = self.inbox.filed();
        let ids: Vec<FailureId> = places.iter().filter_map(|&at| filed.get(at)).map(|one| one.id.clone()).collect();
        let Some(first) = ids.first() else { return Vec::new() };
        let named = self.inbox.get(first).map_or(String::new(), |filed| filed.failure.test.function().to_owned());
        let what = if ids.len() == 1 { super::text::one_line(&named, 60) } else { counted(ids.len(), "failure") };
        for &at in &places {
            self.mark(at, verdict);
        }
        let goes_on = self.list.select_next_open(&self.inbox);
        let rest = if goes_on { "u undoes" } else { "all are judged; s stages them, u undoes" };
        self.say(format!("{}: {what}; {rest}", words::verdict(verdict)));
        self.stale = true;
        self.order("saving", Order::Decide(ids, verdict))
    }

    fn mark(&mut self, at: usize, verdict: Verdict) {
        let Some(filed) = self.inbox.filed().get(at) else { return };
        let id = filed.id.clone();
        let mark = Mark { state: State::Decided, verdict: Some(verdict), note: filed.note.clone(), reopened: false };
        self.set_mark(&id, mark);
    }

    /// Gives an order; what it is called while it is awaited.
    pub(super) fn order(&mut self, what: &'static str, order: Order) -> Vec<Effect> {
        self.waiting.order(what, self.now);
        vec![Effect::Order(order)]
    }

    fn start_note(&mut self) -> Vec<Effect> {
        match self.filed().map(|filed| (filed.id.clone(), super::line_edit::LineEdit::new(&filed.note))) {
            Some((id, edit)) => self.lay_over(Overlay::Note(id, edit)),
            None => {
                self.say("there is no failure to note anything on");
                Vec::new()
            }
        }
    }

    fn stage(&mut self) -> Vec<Effect> {
        if self.list.tally().decided == 0 {
            self.say("nothing is waiting to be staged: give a verdict with b, a or w first");
            return Vec::new();
        }
        self.order("staging", Order::Stage { ignored: None })
    }

    fn open(&mut self) -> Vec<Effect> {
        if let Some(shelf) = self.shelf() {
            return if shelf.row().is_some() { self.enter(Place::Failure) } else { Vec::new() };
        }
        match self.list.row() {
            Some(Row::Cause(_)) => self.fold(),
            Some(Row::Failure(_)) => self.enter(Place::Failure),
            None => Vec::new(),
        }
    }

    fn enter(&mut self, place: Place) -> Vec<Effect> {
        self.place = place;
        self.stale = true;
        Vec::new()
    }

    fn other_pane(&mut self) -> Vec<Effect> {
        self.enter(match self.place {
            Place::Inbox => Place::Failure,
            Place::Failure => Place::Inbox,
        })
    }

    fn zoom(&mut self) -> Vec<Effect> {
        self.zoomed = !self.zoomed;
        self.stale = true;
        Vec::new()
    }

    /// One level back: the error, the search, the zoom, the pane, the filter; then nothing.
    fn back(&mut self) -> Vec<Effect> {
        if self.message.take().is_some() {
            return Vec::new();
        }
        if self.here().searching {
            self.search.end();
            return Vec::new();
        }
        if self.zoomed {
            return self.zoom();
        }
        if self.place == Place::Failure {
            return self.enter(Place::Inbox);
        }
        let is_filtered = self.shelf().map_or(self.list.filtered(), |shelf| !shelf.filter.is_empty());
        if is_filtered {
            self.clear_filter();
            return Vec::new();
        }
        if self.tab != Tab::Inbox {
            return self.go(Tab::Inbox);
        }
        self.say(match self.trial.purpose() {
            Some(_) => "nothing to go back from; x stops the pins, q leaves",
            None => "nothing to go back from; q leaves",
        });
        Vec::new()
    }

    fn fold(&mut self) -> Vec<Effect> {
        match self.place {
            Place::Inbox => self.fold_cause(),
            Place::Failure => {
                let fold = self.page.lines.get(self.spot.line).and_then(|line| line.fold.clone());
                match fold {
                    Some(fold) => self.turn(fold),
                    None => self.say("nothing to unfold on this line; lines with ▸ or ▾ fold"),
                }
                Vec::new()
            }
        }
    }

    fn fold_cause(&mut self) -> Vec<Effect> {
        let number = match self.list.row() {
            Some(Row::Cause(number)) => number,
            Some(Row::Failure(at)) => self.list.cause_of(at),
            None => return Vec::new(),
        };
        let folded = self.list.folded(number);
        self.list.set_folded(&self.inbox, number, !folded);
        Vec::new()
    }

    fn turn(&mut self, fold: Fold) {
        if !self.turned.remove(&fold) {
            self.turned.insert(fold);
        }
        self.stale = true;
    }

    fn edit(&mut self) -> Vec<Effect> {
        let line =
            self.page.lines.get(self.spot.line).filter(|_| self.place == Place::Failure && self.tab == Tab::Inbox);
        if let (Some(true), Some(filed)) = (line.map(|line| line.of_patch), self.filed()) {
            return self.write_pin(filed.id.clone(), filed.state);
        }
        let at_line = self.page.lines.get(self.spot.line).and_then(|line| line.place.clone());
        let at_property = || {
            if let Some(shelf) = self.shelf() {
                return shelf.row()?.place.clone();
            }
            let filed = self.filed()?;
            let detail = self.details.get(&filed.id);
            let line =
                detail.and_then(|detail| detail.failing_line.or(detail.property.as_ref().map(|found| found.line)));
            let line = line.or(filed.line);
            Some((filed.file.clone()?, line.unwrap_or(1)))
        };
        match at_line.filter(|_| self.place == Place::Failure).or_else(at_property) {
            Some((file, line)) => vec![Effect::Edit(self.top.clone(), file, line)],
            None => {
                self.say(match self.tab {
                    Tab::Inbox => "the property's source was not found in this repository: there is nothing to edit",
                    _ => "this line stands in no file: there is nothing to edit",
                });
                Vec::new()
            }
        }
    }

    /// Opens the editor on the pin of a failure, which is staged when it comes back.
    fn write_pin(&mut self, id: FailureId, state: State) -> Vec<Effect> {
        if matches!(state, State::Staged | State::Known) {
            self.say("what was decided of it is staged; u takes it back, then e opens its pin");
            return Vec::new();
        }
        if self.trial.purpose().is_some() {
            self.say("pins are being run; x stops them, then e opens this one");
            return Vec::new();
        }
        vec![Effect::Draft(id)]
    }

    /// Forgets what may have changed with the files.
    pub(super) fn forget(&mut self) {
        self.details.forget(|_| true);
        self.previews.forget(|_| true);
        self.colours.forget(|_| true);
        self.stale = true;
    }

    /// The user is back from the editor or the shell: what was known of the files may be old.
    pub fn returned(&mut self, now: Duration, trouble: Option<String>) -> Vec<Effect> {
        self.now = now;
        self.forget();
        if let Some(text) = trouble {
            self.fail(text);
        }
        let mut effects = vec![Effect::LookAgain];
        effects.extend(self.look_around());
        effects.extend(self.settle());
        effects
    }

    /// Asks for all that may have changed with the files and is not the clerk's.
    fn look_around(&mut self) -> Vec<Effect> {
        let mut effects = self.survey();
        effects.extend((self.tab != Tab::Quarantine).then_some(Effect::Survey(Tab::Quarantine)));
        effects
    }

    fn show_notices(&mut self) -> Vec<Effect> {
        if self.notices.is_empty() {
            self.say("no notices: everything was read");
            return Vec::new();
        }
        self.lay_over(Overlay::Notices(0))
    }

    fn start_choice(&mut self) -> Vec<Effect> {
        match self.filed().filter(|filed| !filed.candidates.is_empty()).map(|filed| filed.id.clone()) {
            Some(id) => self.lay_over(Overlay::Choose(id, 0)),
            None => {
                self.say("this failure belongs to one property; there is nothing to choose");
                Vec::new()
            }
        }
    }

    fn next_open(&mut self) -> Vec<Effect> {
        if !self.list.select_next_open(&self.inbox) {
            self.say("no open failure is left");
        }
        Vec::new()
    }

    fn sideways(&mut self, left: usize) -> Vec<Effect> {
        let widest = self.page.lines.iter().filter(|line| line.gutter.is_some());
        let widest = widest.map(|line| super::text::runs_width(&line.runs)).max().unwrap_or(0);
        self.spot.left = left.min(widest.saturating_sub(SIDEWAYS));
        Vec::new()
    }

    pub(super) fn lay_over(&mut self, overlay: Overlay) -> Vec<Effect> {
        self.overlay = Some(overlay);
        Vec::new()
    }

    pub(super) fn ask(&mut self, text: String, yes: Yes) -> Vec<Effect> {
        self.lay_over(Overlay::Ask(Question { text, yes }))
    }

    /// Leaves once every order is carried out; asked again, at once.
    pub(super) fn quit(&mut self) -> Vec<Effect> {
        if self.leaving {
            self.abandoned = true;
            return vec![self.end()];
        }
        self.leave()
    }

    /// Leaves once every order is carried out. Signals come in twos and threes: a second one hurries nothing.
    fn leave(&mut self) -> Vec<Effect> {
        if !self.waiting.has_changes() {
            return vec![self.end()];
        }
        self.leaving = true;
        self.say("saving what was decided; ctrl-c leaves at once");
        if self.trial.stop().is_some() { vec![Effect::Stop] } else { Vec::new() }
    }

    /// The end. A staging whose pins are being run does not come about; that is told.
    pub(super) fn end(&self) -> Effect {
        let unstaged = self.trial.purpose() == Some(Purpose::Stage);
        Effect::Quit(0, unstaged.then(|| "nothing was staged: its pins were still being run".to_owned()))
    }
}
