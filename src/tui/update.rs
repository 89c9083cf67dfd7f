//! From what happened to what it means here: which action, which change of the line being written. Changes nothing.

use ratatui::crossterm::event::KeyCode;

use super::event::{Arrival, Event, Repeat};
use super::keys::{Action, Key, action};
use super::model::Model;
use super::overlay::{COPIES, Copied, Overlay, chosen};

/// What an event means.
#[derive(Debug)]
pub enum Update {
    /// Nothing.
    Nothing,
    /// A digit of a count.
    Count(usize),
    /// An action, as often as the count says where one was given.
    Act(ActionUpdate),
    /// What lies over the panes changes.
    Over(OverUpdate),
    /// The screen's size.
    Size(u16, u16),
    /// Time passed.
    Tick,
    /// Pasted where nothing is being written.
    Pasted,
    /// The key of a verdict is held down.
    Held,
    /// A signal asks to end.
    Terminate,
    /// The shell wants the terminal back.
    Suspend,
    /// A worker is done.
    Arrived(Arrival),
}

/// An action with its count.
#[derive(Clone, Copy, Debug)]
pub struct ActionUpdate {
    pub(crate) action: Action,
    pub(crate) count: Option<usize>,
}

/// A change of what lies over the panes.
#[derive(Debug)]
pub struct OverUpdate(pub(crate) Over);

/// See [`OverUpdate`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// A key for the line being written.
    Write(Key),
    /// Text for the line being written.
    Paste(String),
    /// Done: take what is written or chosen.
    Accept,
    /// Away with it.
    Dismiss,
    /// Move in its list.
    Move(isize),
    /// Answer the question with yes.
    Yes,
    /// Answer it with no.
    No,
    /// Copy this.
    Copy(Copied),
    /// Mark what is chosen, or take the mark away.
    Mark,
    /// Stage what is marked.
    Stage,
    /// Stop the tests.
    Stop,
    /// Leave, whatever lies there.
    Quit,
}

impl Model {
    /// What `event` means now.
    pub fn handle(&self, event: Event) -> Update {
        match event {
            Event::Key { key, repeat } => self.key(key, repeat),
            Event::Paste(text) => match self.overlay {
                Some(Overlay::Note(..) | Overlay::Filter(_) | Overlay::Search(..) | Overlay::Help(..)) => {
                    over(Over::Paste(text))
                }
                _ => Update::Pasted,
            },
            Event::Resize(columns, rows) => Update::Size(columns, rows),
            Event::Tick => Update::Tick,
            Event::Terminate => Update::Terminate,
            Event::Suspend => Update::Suspend,
            Event::Arrived(arrival) => Update::Arrived(arrival),
        }
    }

    fn key(&self, key: Key, repeat: Repeat) -> Update {
        if let Some(overlay) = &self.overlay {
            return over_key(overlay, key, repeat);
        }
        match key.digit_with_alt() {
            Some(digit) if digit > 0 || self.count.is_some() => Update::Count(digit),
            _ => match action(key, self.here()) {
                Some(action) if repeat == Repeat::Surely && is_verdict(action) => Update::Held,
                // The third one kills.
                Some(Action::Stop) if repeat == Repeat::Surely => Update::Nothing,
                Some(action) => act(action, self.count),
                None => Update::Nothing,
            },
        }
    }

    /// The action that `enter` runs in the help.
    pub(super) fn chosen(&self) -> Option<Action> {
        match &self.overlay {
            Some(Overlay::Help(edit, at)) => chosen(edit.text(), self.here(), *at),
            _ => None,
        }
    }
}

/// A verdict goes on to the next failure: a key that is held must not judge them all.
fn is_verdict(action: Action) -> bool {
    matches!(action, Action::RealBug | Action::AmbiguousSpec | Action::WrongProperty)
}

/// An action as an update.
pub(crate) fn act(action: Action, count: Option<usize>) -> Update {
    Update::Act(ActionUpdate { action, count })
}

fn over(change: Over) -> Update {
    Update::Over(OverUpdate(change))
}

fn over_key(overlay: &Overlay, key: Key, repeat: Repeat) -> Update {
    if key.ctrl && key.code == KeyCode::Char('c') {
        return over(Over::Quit);
    }
    if key.ctrl && key.code == KeyCode::Char('z') {
        return Update::Suspend;
    }
    if key.code == KeyCode::Esc {
        return over(Over::Dismiss);
    }
    match overlay {
        Overlay::Note(..) | Overlay::Filter(_) | Overlay::Search(..) => match key.code {
            KeyCode::Enter => over(Over::Accept),
            _ => over(Over::Write(key)),
        },
        Overlay::Help(..) => match key.code {
            KeyCode::Enter => over(Over::Accept),
            _ => movement(key, false).map_or_else(|| over(Over::Write(key)), |by| over(Over::Move(by))),
        },
        Overlay::Ask(_) => match key.typed() {
            Some('y') if repeat == Repeat::No => over(Over::Yes),
            Some('n') => over(Over::No),
            _ => Update::Nothing,
        },
        Overlay::Copy => {
            let found = COPIES.iter().find(|(c, ..)| key.typed() == Some(*c));
            found.map_or(Update::Nothing, |(_, what, _)| over(Over::Copy(*what)))
        }
        Overlay::Choose(..) => match key.code {
            KeyCode::Enter => over(Over::Accept),
            _ => movement(key, true).map_or(Update::Nothing, |by| over(Over::Move(by))),
        },
        Overlay::Output(_) => match key.typed() {
            Some('q' | 't') => over(Over::Dismiss),
            Some('x') if repeat != Repeat::Surely => over(Over::Stop),
            _ => movement(key, true).map_or(Update::Nothing, |by| over(Over::Move(by))),
        },
        Overlay::Held(_) => match key.typed() {
            Some(' ') if repeat == Repeat::No => over(Over::Mark),
            Some('S') if repeat == Repeat::No => over(Over::Stage),
            _ => movement(key, true).map_or(Update::Nothing, |by| over(Over::Move(by))),
        },
        Overlay::Notices(_) => match key.typed() {
            Some('q' | '!') => over(Over::Dismiss),
            _ => movement(key, true).map_or(Update::Nothing, |by| over(Over::Move(by))),
        },
    }
}

/// How far a key moves in a list that lies over the panes; letters move only where nothing is written.
fn movement(key: Key, letters: bool) -> Option<isize> {
    match key.code {
        KeyCode::Down => Some(1),
        KeyCode::Up => Some(-1),
        KeyCode::PageDown => Some(10),
        KeyCode::PageUp => Some(-10),
        KeyCode::Home => Some(isize::MIN),
        KeyCode::End => Some(isize::MAX),
        KeyCode::Char('g') if letters => Some(isize::MIN),
        KeyCode::Char('G') if letters => Some(isize::MAX),
        KeyCode::Char('j') if letters => Some(1),
        KeyCode::Char('k') if letters => Some(-1),
        _ => None,
    }
}
