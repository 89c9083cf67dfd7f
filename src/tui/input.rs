//! From what the terminal sends to events: a key that may be held down is marked.

use std::time::Duration;

use super::decode::Sent;
use super::event::Event;
use super::keys::Key;

/// The last key and its time, by which a key that repeats itself is told from one that is pressed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LastKey(Option<(Key, Duration)>);

/// A held key comes again sooner than this.
const REPEAT: Duration = Duration::from_millis(700);

impl LastKey {
    /// Takes note of a key; whether it is the same as the last and came so soon that it may repeat itself.
    pub(crate) fn repeats(&mut self, key: Key, now: Duration) -> bool {
        let before = self.0.replace((key, now));
        before.is_some_and(|(last, at)| last == key && now.saturating_sub(at) < REPEAT)
    }
}

/// What the terminal sent as an event.
pub(super) fn event(sent: Sent, last: &mut LastKey, now: Duration) -> Event {
    match sent {
        Sent::Key(key) => Event::Key { key, held: last.repeats(key, now) },
        Sent::Paste(text) => Event::Paste(text),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::LastKey;
    use crate::tui::keys::Key;

    #[test]
    fn a_held_key_is_told_from_one_pressed_again() {
        let key = Key::named("y").unwrap();
        let mut last = LastKey::default();
        assert!(!last.repeats(key, Duration::from_millis(0)));
        assert!(last.repeats(key, Duration::from_millis(500)));
        assert!(last.repeats(key, Duration::from_millis(530)));
        assert!(!last.repeats(key, Duration::from_millis(1300)));
        assert!(!last.repeats(Key::named("n").unwrap(), Duration::from_millis(1301)));
    }
}
