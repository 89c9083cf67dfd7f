//! What was done in the inbox, step by step, so that it can be undone and redone: a value that is folded from the lines of
//! the journal. Decisions and stagings are one history.

use serde::{Deserialize, Serialize};

use crate::inbox::{FailureId, Filed, Mark};

/// One failure's part in a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The failure.
    pub id: FailureId,
    /// Its mark before the step.
    pub was: Mark,
    /// Its mark after the step.
    pub now: Mark,
}

/// What one key press or one command did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What was done, as one line for people.
    pub title: String,
    /// The marks that changed.
    pub changes: Vec<Change>,
    /// The git operation that wrote its consequence, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<u64>,
    /// The failures that became others, where there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub naming: Option<Naming>,
}

/// Failures that turned out to be another: a replay line, once it is known which property it belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Naming {
    /// The failures as they were.
    pub was: Vec<Filed>,
    /// What stands in the place of the first of them.
    pub now: Vec<Filed>,
}

/// What an event leaves in the inbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// Marks, each with its failure.
    pub marks: Vec<(FailureId, Mark)>,
    /// Failures in the place of others.
    pub naming: Option<Naming>,
}

/// One line of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// Something was done.
    Done(Step),
    /// The last thing done was taken back.
    Undone,
    /// The last thing taken back was done again.
    Redone,
}

/// The steps that can be undone and those that can be redone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    done: Vec<Step>,
    undone: Vec<Step>,
}

impl History {
    /// Every step, those taken back included, oldest first.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.done.iter().chain(self.undone.iter().rev())
    }

    /// The step that an undo would take back.
    pub fn last(&self) -> Option<&Step> {
        self.done.last()
    }

    /// The step that a redo would do again.
    pub fn next(&self) -> Option<&Step> {
        self.undone.last()
    }

    /// Adds an event and returns what it leaves. An undo of nothing leaves nothing.
    pub fn add(&mut self, event: Event) -> Left {
        match event {
            Event::Done(step) => {
                self.undone.clear();
                let left = after(&step);
                self.done.push(step);
                left
            }
            Event::Undone => move_last(&mut self.done, &mut self.undone, before),
            Event::Redone => move_last(&mut self.undone, &mut self.done, after),
        }
    }
}

fn move_last(from: &mut Vec<Step>, to: &mut Vec<Step>, leaves: fn(&Step) -> Left) -> Left {
    let Some(step) = from.pop() else { return Left::default() };
    let left = leaves(&step);
    to.push(step);
    left
}

fn before(step: &Step) -> Left {
    let naming = step.naming.clone().map(|naming| Naming { was: naming.now, now: naming.was });
    Left { marks: step.changes.iter().map(|change| (change.id.clone(), change.was.clone())).collect(), naming }
}

fn after(step: &Step) -> Left {
    let marks = step.changes.iter().map(|change| (change.id.clone(), change.now.clone())).collect();
    Left { marks, naming: step.naming.clone() }
}

#[cfg(test)]
mod tests {
    use super::{Change, Event, History, Step};
    use crate::inbox::{FailureId, Mark, State};

    fn mark(note: &str) -> Mark {
        Mark { state: State::Decided, note: note.to_owned(), ..Mark::default() }
    }

    fn step(id: &str, was: &str, now: &str) -> Event {
        let change = Change { id: FailureId(id.to_owned()), was: mark(was), now: mark(now) };
        Event::Done(Step { title: now.to_owned(), changes: vec![change], operation: None, naming: None })
    }

    fn check(events: Vec<Event>, last_marks: &[(&str, &str)], undo: Option<&str>, redo: Option<&str>) {
        let mut history = History::default();
        let mut marks = Vec::new();
        for event in events {
            marks = history.add(event).marks;
        }
        let marks: Vec<(&str, &str)> = marks.iter().map(|(id, mark)| (id.0.as_str(), mark.note.as_str())).collect();
        assert_eq!(marks, last_marks);
        assert_eq!(history.last().map(|step| step.title.as_str()), undo, "what undo takes back");
        assert_eq!(history.next().map(|step| step.title.as_str()), redo, "what redo does again");
    }

    #[test]
    fn an_undo_leaves_the_marks_from_before_and_a_redo_those_from_after() {
        check(vec![step("a", "", "one")], &[("a", "one")], Some("one"), None);
        check(vec![step("a", "", "one"), Event::Undone], &[("a", "")], None, Some("one"));
        check(vec![step("a", "", "one"), Event::Undone, Event::Redone], &[("a", "one")], Some("one"), None);
    }

    #[test]
    fn a_new_step_ends_what_could_be_redone() {
        check(vec![step("a", "", "one"), Event::Undone, step("b", "", "two")], &[("b", "two")], Some("two"), None);
    }

    #[test]
    fn an_undo_of_nothing_changes_nothing() {
        check(vec![Event::Undone, Event::Redone], &[], None, None);
    }
}
