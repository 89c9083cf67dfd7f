//! What the workers brought, taken into the model.

use super::effect::Effect;
use super::event::Arrival;
use super::model::{Message, Model};
use super::overlay::Yes;
use super::tab::Tab;
use super::text::{counted, one_line};
use super::waiting::{Look, READING};
use crate::inbox::{FailureId, Inbox, Mark};
use crate::triage::Heading;

impl Model {
    /// Takes in what a worker brought.
    pub(super) fn arrive(&mut self, arrival: Arrival) -> Vec<Effect> {
        match arrival {
            Arrival::Heading(heading, top) => {
                self.heading = headline(&heading);
                self.top = top;
            }
            Arrival::Inbox(inbox) => return self.take_inbox(*inbox),
            Arrival::Marks { marks, show } => self.take_marks(marks, show),
            Arrival::Notices(notices) => self.take_notices(notices),
            Arrival::Detail(id, detail) => {
                self.waiting.seen(Look::Detail, &id);
                self.touched(&id);
                self.details.put(id, detail);
            }
            Arrival::Preview(id, verdict, preview) => {
                self.waiting.seen(Look::Preview, &id);
                self.touched(&id);
                self.previews.put((id, verdict), preview);
            }
            Arrival::Coloured(id, coloured) => {
                self.touched(&id);
                self.colours.put(id, coloured);
            }
            Arrival::Found(words, matches) => self.take_found(&words, matches),
            Arrival::Draft(draft) => return vec![Effect::EditDraft(self.top.clone(), draft)],
            Arrival::Ignored(files) => return self.ask_for_ignored(&files),
            Arrival::Prove(staging) => return self.prove(staging),
            Arrival::Trial(news) => return self.take_news(news),
            Arrival::Shown(shown) => {
                self.trial.take_shown(shown);
                self.stale = true;
            }
            Arrival::Sheet(tab, sheet) => self.take_sheet(tab, sheet),
            Arrival::Asides(asides) => {
                self.stale |= self.asides != asides;
                self.asides = asides;
            }
            Arrival::Done(text) => return self.order_done(text),
            Arrival::Failed(text) => {
                self.fail(text);
                return self.order_done(None);
            }
            Arrival::Trouble(text) => self.fail(text),
            Arrival::Fatal(code, text) => return vec![Effect::Quit(code, Some(text))],
        }
        Vec::new()
    }

    fn touched(&mut self, id: &FailureId) {
        self.stale |= self.filed().is_some_and(|filed| filed.id == *id);
    }

    fn take_inbox(&mut self, inbox: Inbox) -> Vec<Effect> {
        self.list.replace(&self.inbox, &inbox);
        self.inbox = inbox;
        self.loaded = true;
        self.forget();
        if self.filter.is_empty() { Vec::new() } else { vec![Effect::Find(self.filter.clone())] }
    }

    fn take_marks(&mut self, marks: Vec<(FailureId, Mark)>, show: bool) {
        let first = marks.first().and_then(|(id, _)| self.inbox.place(id));
        let changed = marks.into_iter().filter(|(id, mark)| self.set_mark(id, mark.clone())).count();
        if let Some(at) = first.filter(|_| show) {
            self.list.select(&self.inbox, at);
        }
        if changed > 0 || show {
            self.forget();
        }
    }

    /// Sets what was decided of a failure, here and in the list; whether that was not known yet.
    pub(super) fn set_mark(&mut self, id: &FailureId, mark: Mark) -> bool {
        let Some(at) = self.inbox.place(id) else { return false };
        let before = self.inbox.filed()[at].mark();
        if before == mark {
            return false;
        }
        let to = mark.state;
        self.inbox.mark(id, mark);
        self.list.moved(at, before.state, to);
        true
    }

    pub(super) fn take_notices(&mut self, notices: Vec<crate::failure::Notice>) {
        if !notices.is_empty() {
            let said = self.message.take().map_or(String::new(), |message| format!("{}; ", message.text));
            self.say(format!("{said}{} on what could not be read; ! shows them", counted(notices.len(), "notice")));
        }
        self.notices.extend(notices);
    }

    /// The filter as it stands now; an answer to earlier words is old.
    fn take_found(&mut self, words: &str, matches: Vec<bool>) {
        if words != self.filter {
            return;
        }
        self.list.filter(&self.inbox, Some(matches));
        self.stale = true;
    }

    fn ask_for_ignored(&mut self, files: &[String]) -> Vec<Effect> {
        self.waiting.done();
        let names = one_line(&files.join(", "), 200);
        let it = if files.len() == 1 { "it" } else { "them" };
        let text = format!("git ignores {names}; stage {it} all the same? n stages the rest, esc nothing");
        self.ask(text, Yes::StageIgnored)
    }

    fn order_done(&mut self, text: Option<String>) -> Vec<Effect> {
        let what = self.waiting.done();
        // What was read is less than the answer to a key pressed meanwhile.
        let in_the_way = what == Some(READING) && self.message.is_some();
        if let Some(text) = text.filter(|_| !in_the_way) {
            self.say(one_line(&text, 400));
        }
        if self.leaving && !self.waiting.has_changes() {
            return vec![self.end()];
        }
        // What was done may show in the tab; what is set aside shows in the inbox, once that is there.
        let mut effects = self.survey();
        effects
            .extend((what == Some(READING) && self.tab != Tab::Quarantine).then_some(Effect::Survey(Tab::Quarantine)));
        effects
    }

    /// Says what went wrong; it stays until it is dismissed.
    pub(super) fn fail(&mut self, text: String) {
        self.message = Some(Message { text: one_line(&text, 400), error: true });
    }
}

/// Repository and branch, then the run and its date.
fn headline(heading: &Heading) -> String {
    let mut text = heading.repository.clone();
    if !heading.branch.is_empty() {
        text.push_str(&format!("@{}", heading.branch));
    }
    if !heading.run.is_empty() {
        let run = heading.run.rsplit('/').next().unwrap_or_default();
        text.push_str(&format!(" · {run} {}", heading.date));
    }
    one_line(&text, 120)
}
