//! What is awaited and since when: a sign of it is shown only once it has taken a while, and time is only asked for while
//! something is awaited.

use std::time::Duration;

use crate::inbox::FailureId;

/// Nothing is said before this has passed.
const PATIENCE: Duration = Duration::from_millis(100);
/// Time between two pictures of the sign.
const STEP: Duration = Duration::from_millis(250);

/// What reading the inbox and the runs is called.
pub(crate) const READING: &str = "reading";

/// What is awaited.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    orders: Vec<(&'static str, Duration)>,
    look: Option<(Look, FailureId, Duration)>,
    /// Since when what a tab shows is read.
    survey: Option<Duration>,
}

/// What of a failure is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    Detail,
    Preview,
}

impl Waiting {
    /// An order was given.
    pub(crate) fn order(&mut self, what: &'static str, now: Duration) {
        self.orders.push((what, now));
    }

    /// The oldest order is done: what it was called.
    pub(crate) fn done(&mut self) -> Option<&'static str> {
        (!self.orders.is_empty()).then(|| self.orders.remove(0).0)
    }

    /// Whether a change is not yet carried out. What is only being read may be left behind.
    pub(crate) fn has_changes(&self) -> bool {
        self.orders.iter().any(|(what, _)| *what != READING)
    }

    /// A failure is looked into; an earlier look is forgotten.
    pub(crate) fn look(&mut self, look: Look, id: FailureId, now: Duration) {
        self.look = Some((look, id, now));
    }

    /// A look is over.
    pub(crate) fn seen(&mut self, look: Look, id: &FailureId) {
        self.look.take_if(|(kind, of, _)| *kind == look && of == id);
    }

    /// No look is awaited any more.
    pub(crate) fn forget_look(&mut self) {
        self.look = None;
    }

    /// What a tab shows is read.
    pub(crate) fn survey(&mut self, now: Duration) {
        self.survey.get_or_insert(now);
    }

    /// It has come, or nobody wants to see it any more.
    pub(crate) fn surveyed(&mut self) {
        self.survey = None;
    }

    fn oldest(&self) -> Option<(&'static str, Duration)> {
        let look = self.look.as_ref().map(|(look, _, since)| match look {
            Look::Detail => ("looking up the property", *since),
            Look::Preview => ("working out the patch", *since),
        });
        let survey = self.survey.map(|since| ("looking through the repository", since));
        self.orders.first().copied().or(survey).or(look)
    }

    /// What to say of it, where it has taken a while: the words and a sign that moves.
    pub(crate) fn sign(&self, now: Duration) -> Option<String> {
        let (what, since) = self.oldest()?;
        let waited = now.saturating_sub(since);
        let steps = (waited.checked_sub(PATIENCE)?.as_millis() / STEP.as_millis()) % 3;
        Some(format!("{what} {}", ["·  ", "·· ", "···"][usize::try_from(steps).unwrap_or(0)]))
    }

    /// How long until the sign changes; `None` while nothing is awaited.
    pub(crate) fn next(&self, now: Duration) -> Option<Duration> {
        let (_, since) = self.oldest()?;
        let waited = now.saturating_sub(since);
        match PATIENCE.checked_sub(waited) {
            Some(left) if !left.is_zero() => Some(left),
            _ => Some(STEP),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Look, Waiting};
    use crate::inbox::FailureId;

    #[test]
    fn a_sign_appears_after_a_while_and_moves_until_it_is_done() {
        let ms = Duration::from_millis;
        let mut waiting = Waiting::default();
        assert_eq!((waiting.sign(ms(0)), waiting.next(ms(0))), (None, None));
        waiting.order("staging", ms(10));
        assert_eq!((waiting.sign(ms(50)), waiting.next(ms(50))), (None, Some(ms(60))));
        assert_eq!(waiting.sign(ms(120)).as_deref(), Some("staging ·  "));
        assert_eq!(waiting.sign(ms(370)).as_deref(), Some("staging ·· "));
        waiting.done();
        assert_eq!((waiting.sign(ms(400)), waiting.next(ms(400))), (None, None));
    }

    #[test]
    fn only_the_latest_look_is_awaited() {
        let (a, b) = (FailureId("a".to_owned()), FailureId("b".to_owned()));
        let mut waiting = Waiting::default();
        waiting.look(Look::Detail, a.clone(), Duration::ZERO);
        waiting.look(Look::Detail, b.clone(), Duration::ZERO);
        waiting.seen(Look::Detail, &a);
        assert!(waiting.next(Duration::ZERO).is_some());
        waiting.seen(Look::Detail, &b);
        assert!(waiting.next(Duration::ZERO).is_none());
    }
}
