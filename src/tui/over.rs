//! What keys do while something lies over the panes.

use super::effect::{Effect, Order};
use super::line_edit::LineEdit;
use super::model::Model;
use super::overlay::{Copied, Overlay, Question, Yes, help};
use super::page::replay_line;
use super::update::Over;
use crate::inbox::FailureId;
use crate::prompt;
use crate::triage::Ignored;
use crate::visible;

/// The longest text that terminals take into the clipboard, in bytes.
const COPY_BYTES: usize = 74_000;

impl Model {
    /// Carries out a change of what lies over the panes.
    pub(super) fn over(&mut self, change: Over) -> Vec<Effect> {
        match change {
            Over::Write(key) => self.write(|edit| edit.press(key)),
            Over::Paste(text) => self.write(|edit| {
                edit.insert(&text);
                true
            }),
            Over::Accept => self.accept(),
            Over::Dismiss => self.dismiss(),
            Over::Move(by) => self.move_over(by),
            Over::Yes => self.yes(),
            Over::No => self.no(),
            Over::Copy(what) => self.copy(what),
            Over::Mark => self.mark_held(),
            Over::Stage => {
                self.overlay = None;
                self.stage_held()
            }
            Over::Stop => self.stop(),
            Over::Quit => {
                self.overlay = None;
                self.quit()
            }
        }
    }

    fn write(&mut self, change: impl FnOnce(&mut LineEdit) -> bool) -> Vec<Effect> {
        match &mut self.overlay {
            Some(Overlay::Note(_, edit)) => {
                change(edit);
                Vec::new()
            }
            Some(Overlay::Help(edit, at)) => {
                change(edit);
                *at = 0;
                Vec::new()
            }
            Some(Overlay::Filter(edit)) => {
                change(edit);
                let words = edit.text().to_owned();
                self.seek(words)
            }
            Some(Overlay::Search(edit, from)) => {
                change(edit);
                let (words, from) = (edit.text().to_owned(), *from);
                self.search_for(&words, from);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn seek(&mut self, words: String) -> Vec<Effect> {
        if let Some(shelf) = self.shelf_mut() {
            shelf.seek(&words);
            self.stale = true;
            return Vec::new();
        }
        if words == self.filter {
            return Vec::new();
        }
        if words.trim().is_empty() {
            self.clear_filter();
            return Vec::new();
        }
        self.filter.clone_from(&words);
        vec![Effect::Find(words)]
    }

    /// Shows all failures again; the selected one stays selected.
    pub(super) fn clear_filter(&mut self) {
        if let Some(shelf) = self.shelf_mut() {
            shelf.seek("");
            self.stale = true;
            return;
        }
        self.filter.clear();
        self.list.filter(&self.inbox, None);
    }

    fn accept(&mut self) -> Vec<Effect> {
        let chosen = self.chosen();
        match self.overlay.take() {
            Some(Overlay::Note(id, edit)) => self.note(id, edit.text()),
            Some(Overlay::Choose(id, at)) => self.choose(id, at),
            Some(Overlay::Search(..)) => self.accept_search(),
            Some(Overlay::Help(edit, at)) => match chosen {
                Some(action) => self.act(action, None),
                None => self.lay_over(Overlay::Help(edit, at)),
            },
            _ => Vec::new(),
        }
    }

    fn choose(&mut self, id: FailureId, at: usize) -> Vec<Effect> {
        let candidate = self.inbox.get(&id).and_then(|filed| filed.candidates.get(at)).cloned();
        candidate.map_or_else(Vec::new, |test| self.order("saving", Order::Choose(id, test)))
    }

    fn note(&mut self, id: FailureId, text: &str) -> Vec<Effect> {
        let note = text.trim().to_owned();
        let Some(mut mark) = self.inbox.get(&id).map(|filed| filed.mark()) else { return Vec::new() };
        if mark.note == note {
            return Vec::new();
        }
        mark.note.clone_from(&note);
        self.inbox.mark(&id, mark);
        self.stale = true;
        self.say(if note.is_empty() { "note taken away; u undoes" } else { "noted; u undoes" });
        self.order("saving", Order::Note(id, note))
    }

    fn dismiss(&mut self) -> Vec<Effect> {
        match self.overlay.take() {
            Some(Overlay::Filter(_)) => self.clear_filter(),
            Some(Overlay::Search(_, from)) => {
                self.search.end();
                self.spot.line = from;
            }
            Some(Overlay::Ask(_)) => self.say("nothing was changed"),
            Some(Overlay::Held(_)) => self.leave_held(),
            _ => {}
        }
        Vec::new()
    }

    fn mark_held(&mut self) -> Vec<Effect> {
        if let Some(Overlay::Held(at)) = self.overlay
            && let Some(held) = self.trial.held.get_mut(at)
        {
            held.wanted = !held.wanted;
        }
        Vec::new()
    }

    fn move_over(&mut self, by: isize) -> Vec<Effect> {
        let here = self.here();
        let notices = self.notices.len();
        let held = self.trial.held.len();
        let last = matches!(self.overlay, Some(Overlay::Output(_))).then(|| self.last_output_top()).unwrap_or(0);
        match &mut self.overlay {
            Some(Overlay::Help(edit, at)) => {
                *at = at.saturating_add_signed(by).min(help(edit.text(), here).len().saturating_sub(1));
            }
            Some(Overlay::Choose(id, at)) => {
                let candidates = self.inbox.get(id).map_or(0, |filed| filed.candidates.len());
                *at = at.saturating_add_signed(by).min(candidates.saturating_sub(1));
            }
            Some(Overlay::Output(top)) => {
                let to = top.unwrap_or(last).saturating_add_signed(by);
                *top = Some(to).filter(|to| *to < last);
            }
            Some(Overlay::Held(at)) => *at = at.saturating_add_signed(by).min(held.saturating_sub(1)),
            Some(Overlay::Notices(top)) => *top = top.saturating_add_signed(by).min(notices.saturating_sub(1)),
            _ => {}
        }
        Vec::new()
    }

    fn yes(&mut self) -> Vec<Effect> {
        let Some(Overlay::Ask(Question { yes, .. })) = self.overlay.take() else { return Vec::new() };
        match yes {
            Yes::StageIgnored => self.stage_with(Ignored::Include),
            Yes::JudgeCause(number, verdict) => {
                let open = self.list.open_in(&self.inbox, number).collect();
                self.judge_all(open, verdict)
            }
        }
    }

    fn no(&mut self) -> Vec<Effect> {
        match self.overlay.take() {
            Some(Overlay::Ask(Question { yes: Yes::StageIgnored, .. })) => self.stage_with(Ignored::LeaveOut),
            _ => {
                self.say("nothing was changed");
                Vec::new()
            }
        }
    }

    fn stage_with(&mut self, ignored: Ignored) -> Vec<Effect> {
        self.order("staging", Order::Stage { ignored: Some(ignored) })
    }

    pub(super) fn copy(&mut self, what: Copied) -> Vec<Effect> {
        self.overlay = None;
        let Some((name, text)) = self.to_copy(what) else {
            self.say("there is no such text to copy for this failure");
            return Vec::new();
        };
        if text.len() > COPY_BYTES {
            let id = self.filed().map_or(String::new(), |filed| filed.id.0.clone());
            let size = super::text::grouped(text.len());
            self.fail(format!("the {name} is too long for the clipboard ({size} bytes); redpin show {id} prints it"));
            return Vec::new();
        }
        let lines = text.lines().count();
        let size =
            if lines > 1 { format!("{lines} lines") } else { super::text::counted(text.chars().count(), "character") };
        self.say(format!("copied the {name} ({size})"));
        vec![Effect::Copy(text)]
    }

    fn to_copy(&self, what: Copied) -> Option<(&'static str, String)> {
        let filed = self.filed()?;
        let failure = &filed.failure;
        let (name, text) = match what {
            Copied::Input => ("counterexample", visible::block(&failure.counterexample.text).into_owned()),
            Copied::Test => ("test name", visible::line(&failure.test.0).into_owned()),
            Copied::Message => ("message", visible::block(&failure.message).into_owned()),
            Copied::Replay => ("replay line", visible::line(replay_line(failure)?).into_owned()),
            Copied::Patch => ("patch", self.preview()?.patch.clone()),
            Copied::Prompt => ("prompt", prompt::triage(filed, self.details.get(&filed.id)?)),
        };
        Some((name, text)).filter(|(_, text)| !text.is_empty())
    }
}
