//! A workstation without a terminal: keys by name go in, a screen as text comes out, and a clerk that knows only the
//! sample answers at once.

use std::fmt::Write;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use redpin::inbox::{FailureId, Inbox, Mark, State};
use redpin::triage::{Heading, Ignored};
use redpin::tui::{
    Arrival, Cursor, Effect, Event, Key, Model, Order, Repeat, Settings, Staging, Survey, Tab, TrialNews,
};

use super::sample;

/// A workstation on a screen of some size.
pub(crate) struct Stage {
    pub(crate) model: Model,
    /// The inbox as the clerk has it.
    inbox: Inbox,
    size: (u16, u16),
    now: Duration,
    /// Effects that no clerk answers: copies, the editor, the end.
    pub(crate) seen: Vec<Effect>,
    /// Failures judged, in order.
    judged: Vec<FailureId>,
    /// Orders given, in order.
    pub(crate) ordered: Vec<Order>,
    /// Files that git ignores, which a staging meets.
    pub(crate) ignored: Vec<String>,
    /// Whether pins are proven before they are staged.
    pub(crate) proving: bool,
    /// Whether what was staged has been thrown away since, as git tells the clerk.
    pub(crate) thrown_away: bool,
    /// Whether looks are answered.
    pub(crate) answering: bool,
    /// What is read for the tabs beside the inbox; nothing of them where there is none.
    pub(crate) surveyed: Option<fn(Tab, &Inbox) -> Survey>,
}

impl Stage {
    /// With this inbox, arrived.
    pub(crate) fn new(columns: u16, rows: u16, inbox: Inbox) -> Stage {
        Stage::loading(columns, rows, inbox).arrived()
    }

    /// The same on a terminal that is not to be coloured.
    pub(crate) fn without_colour(columns: u16, rows: u16, inbox: Inbox) -> Stage {
        let mut stage = Stage::loading(columns, rows, inbox);
        stage.model = Model::new(&Settings::default(), columns, rows);
        stage.arrived()
    }

    /// The same with ASCII signs alone.
    pub(crate) fn ascii(columns: u16, rows: u16, inbox: Inbox) -> Stage {
        let mut stage = Stage::loading(columns, rows, inbox);
        stage.model = Model::new(&Settings { ascii: true, ..Settings::default() }, columns, rows);
        stage.arrived()
    }

    /// Lets the inbox arrive.
    pub(crate) fn arrived(mut self) -> Stage {
        let stage = &mut self;
        let heading = Heading {
            repository: "ledger".to_owned(),
            branch: "main".to_owned(),
            run: "nightly.log".to_owned(),
            date: "2026-11-30 03:17".to_owned(),
        };
        stage.event(Event::Arrived(Arrival::Heading(heading, "/repository".into())));
        stage.event(Event::Arrived(Arrival::Inbox(Box::new(stage.inbox.clone()))));
        stage.event(Event::Arrived(Arrival::Done(None)));
        self
    }

    /// Before anything has arrived.
    pub(crate) fn loading(columns: u16, rows: u16, inbox: Inbox) -> Stage {
        let settings = Settings { colour: true, ..Settings::default() };
        Stage {
            model: Model::new(&settings, columns, rows),
            inbox,
            size: (columns, rows),
            now: Duration::ZERO,
            seen: Vec::new(),
            judged: Vec::new(),
            ordered: Vec::new(),
            ignored: Vec::new(),
            proving: false,
            thrown_away: false,
            answering: true,
            surveyed: None,
        }
    }

    /// Lets an event happen, and the clerk answer.
    pub(crate) fn event(&mut self, event: Event) {
        let update = self.model.handle(event);
        let mut effects = self.model.apply(update, self.now);
        while !effects.is_empty() {
            let mut next = Vec::new();
            for effect in effects {
                for arrival in self.answer(effect) {
                    let update = self.model.handle(Event::Arrived(arrival));
                    next.extend(self.model.apply(update, self.now));
                }
            }
            effects = next;
        }
    }

    /// Presses keys, a second after one another.
    pub(crate) fn keys(&mut self, keys: &str) -> &mut Self {
        for name in keys.split(' ').filter(|name| !name.is_empty()) {
            self.now += Duration::from_secs(1);
            let key = Key::named(name).unwrap();
            self.event(Event::Key { key, repeat: Repeat::No });
        }
        self
    }

    /// Lets another inbox arrive.
    pub(crate) fn arrive(&mut self, inbox: Inbox) {
        self.inbox = inbox.clone();
        self.event(Event::Arrived(Arrival::Inbox(Box::new(inbox))));
    }

    /// Lets pins that are being run come along.
    pub(crate) fn news(&mut self, news: TrialNews) -> &mut Self {
        self.event(Event::Arrived(Arrival::Trial(news)));
        self
    }

    /// Lets time pass.
    pub(crate) fn wait(&mut self, milliseconds: u64) -> &mut Self {
        self.now += Duration::from_millis(milliseconds);
        self.event(Event::Tick);
        self
    }

    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.size = (columns, rows);
        self.event(Event::Resize(columns, rows));
    }

    fn answer(&mut self, effect: Effect) -> Vec<Arrival> {
        match effect {
            Effect::Detail(id) if self.answering => {
                let detail = sample::detail(self.inbox.get(&id).unwrap());
                vec![Arrival::Detail(id, detail.into())]
            }
            Effect::Preview(id, verdict) if self.answering => {
                vec![Arrival::Preview(id, verdict, sample::preview(verdict).into())]
            }
            Effect::Detail(_) | Effect::Preview(..) | Effect::Colour { .. } => Vec::new(),
            Effect::Find(words) => {
                let holds = self.inbox.filed().iter().map(|filed| filed.failure.test.0.contains(&words)).collect();
                vec![Arrival::Found(words, holds)]
            }
            Effect::Survey(tab) => self.surveyed.map_or_else(Vec::new, |read| read(tab, &self.inbox).arrivals()),
            Effect::Order(order) => self.carry_out(order),
            other => {
                self.seen.push(other);
                Vec::new()
            }
        }
    }

    fn carry_out(&mut self, order: Order) -> Vec<Arrival> {
        self.ordered.push(order.clone());
        match order {
            Order::Decide(ids, verdict) => {
                let is_staged = |id: &FailureId| self.inbox.get(id).unwrap().state == State::Staged;
                if ids.iter().any(is_staged) && !self.thrown_away {
                    return vec![Arrival::Failed("another verdict is staged".to_owned())];
                }
                for id in &ids {
                    self.judged.push(id.clone());
                    self.mark(id, |mark| (mark.verdict, mark.state) = (Some(verdict), State::Decided));
                }
                vec![Arrival::Marks { marks: self.marks(&ids), show: false }, Arrival::Done(None)]
            }
            Order::Note(id, note) => {
                self.mark(&id, |mark| mark.note = note);
                vec![Arrival::Done(None)]
            }
            Order::Stage { ignored: None } if !self.ignored.is_empty() => vec![Arrival::Ignored(self.ignored.clone())],
            Order::Stage { .. } if self.proving => {
                let decided = self.inbox.filed().iter().filter(|filed| filed.state == State::Decided);
                let verdicts = decided.map(|filed| (filed.id.clone(), filed.verdict.unwrap())).collect();
                vec![Arrival::Prove(Staging { verdicts, ignored: Ignored::LeaveOut, by_hand: None })]
            }
            Order::Stage { .. } => {
                let decided = self.inbox.filed().iter().filter(|filed| filed.state == State::Decided);
                let ids: Vec<_> = decided.map(|filed| filed.id.clone()).collect();
                ids.iter().for_each(|id| self.mark(id, |mark| mark.state = State::Staged));
                let done = Arrival::Done(Some(format!("staged {}", ids.len())));
                vec![Arrival::Marks { marks: self.marks(&ids), show: false }, done]
            }
            Order::StageProven(staging, _) => {
                let ids: Vec<_> = staging.verdicts.into_iter().map(|(id, _)| id).collect();
                ids.iter().for_each(|id| self.mark(id, |mark| mark.state = State::Staged));
                let done = Arrival::Done(Some(format!("staged {}", ids.len())));
                vec![Arrival::Marks { marks: self.marks(&ids), show: false }, done]
            }
            Order::Choose(..) | Order::StageByHand(_) => vec![Arrival::Done(None)],
            Order::Undo => {
                let id = self.judged.pop().unwrap();
                self.mark(&id, |mark| (mark.verdict, mark.state) = (None, State::Open));
                let done = Arrival::Done(Some("undone: one".to_owned()));
                vec![Arrival::Marks { marks: self.marks(&[id]), show: true }, done]
            }
            Order::Reopen(id) => {
                self.mark(&id, |mark| *mark = Mark { reopened: true, ..Mark::default() });
                let done = Arrival::Done(Some("it is open again".to_owned()));
                vec![Arrival::Marks { marks: self.marks(&[id]), show: true }, done]
            }
            Order::Redo => vec![Arrival::Failed("nothing to redo".to_owned())],
        }
    }

    fn marks(&self, ids: &[FailureId]) -> Vec<(FailureId, Mark)> {
        ids.iter().map(|id| (id.clone(), self.inbox.get(id).unwrap().mark())).collect()
    }

    fn mark(&mut self, id: &FailureId, change: impl FnOnce(&mut Mark)) {
        let mut mark = self.inbox.get(id).unwrap().mark();
        change(&mut mark);
        self.inbox.mark(id, mark);
    }

    /// The screen and where its cursor is.
    pub(crate) fn draw(&self) -> (Buffer, Cursor) {
        let mut buffer = Buffer::empty(Rect::new(0, 0, self.size.0, self.size.1));
        let cursor = self.model.draw(&mut buffer);
        (buffer, cursor)
    }

    /// The screen as text, without spaces at the ends of rows.
    pub(crate) fn text(&self) -> String {
        let (buffer, _) = self.draw();
        (0..buffer.area.height).map(|y| row(&buffer, y).trim_end().to_owned() + "\n").collect()
    }

    /// The pieces of one row that are styled: each style and its text.
    pub(crate) fn styles(&self, y: u16) -> String {
        let (buffer, _) = self.draw();
        let mut out = String::new();
        let mut last = String::new();
        for x in 0..buffer.area.width {
            let cell = &buffer[(x, y)];
            let style = name(cell.fg, cell.modifier);
            if style != last {
                let _ = write!(out, "{}{style}", if last.is_empty() { "" } else { "> " });
                out.push_str(if style.is_empty() { "" } else { "<" });
                last.clone_from(&style);
            }
            if !style.is_empty() {
                out.push_str(cell.symbol());
            }
        }
        out.push_str(if last.is_empty() { "" } else { ">" });
        out
    }
}

fn row(buffer: &Buffer, y: u16) -> String {
    let mut text = String::new();
    let mut x = 0;
    while x < buffer.area.width {
        let symbol = buffer[(x, y)].symbol();
        text.push_str(symbol);
        x += u16::try_from(unicode_width::UnicodeWidthStr::width(symbol)).unwrap().max(1);
    }
    text
}

fn name(colour: Color, modifier: Modifier) -> String {
    let mut words = Vec::new();
    if colour != Color::Reset {
        words.push(colour.to_string().to_lowercase());
    }
    for (flag, word) in [(Modifier::BOLD, "bold"), (Modifier::DIM, "dim"), (Modifier::REVERSED, "reversed")] {
        if modifier.contains(flag) {
            words.push(word.to_owned());
        }
    }
    words.join("+")
}
