//! From what the terminal sends to events: a key that may be held down is marked.

use std::time::Duration;

use super::decode::Sent;
use super::event::{Event, Repeat};
use super::keys::Key;

/// The last key and its time, by which a key that repeats itself is told from one that is pressed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LastKey(Option<(Key, Duration)>);

/// A held key comes again sooner than this, the first time.
const FIRST: Duration = Duration::from_millis(700);
/// And sooner than this from then on; no finger is as fast.
const NEXT: Duration = Duration::from_millis(100);

impl LastKey {
    /// Takes note of a key; whether it is the same as the last and came so soon that it may repeat itself.
    pub(crate) fn repeats(&mut self, key: Key, now: Duration) -> Repeat {
        match self.0.replace((key, now)) {
            Some((last, at)) if last == key && now.saturating_sub(at) < NEXT => Repeat::Surely,
            Some((last, at)) if last == key && now.saturating_sub(at) < FIRST => Repeat::Perhaps,
            _ => Repeat::No,
        }
    }
}

/// What the terminal sent as an event.
pub(super) fn event(sent: Sent, last: &mut LastKey, now: Duration) -> Event {
    match sent {
        Sent::Key(key) => Event::Key { key, repeat: last.repeats(key, now) },
        Sent::Paste(text) => Event::Paste(text),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{LastKey, Repeat};
    use crate::tui::keys::Key;

    #[test]
    fn a_held_key_is_told_from_one_pressed_again() {
        let key = Key::named("y").unwrap();
        let mut last = LastKey::default();
        let mut press = |key, at| last.repeats(key, Duration::from_millis(at));
        assert_eq!(
            [0, 500, 530, 1300].map(|at| press(key, at)),
            [Repeat::No, Repeat::Perhaps, Repeat::Surely, Repeat::No]
        );
        assert_eq!(press(Key::named("n").unwrap(), 1301), Repeat::No);
    }
}
