//! What pins print on its way to the screen: taken in as fast as it comes, fetched when the screen has time for it. Where
//! it comes faster, only the end of it is kept.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// No more than this waits to be fetched.
const MOST: usize = 1 << 20;

/// Output that waits.
#[derive(Clone, Debug, Default)]
pub(super) struct Feed(Arc<Mutex<Vec<u8>>>);

impl Feed {
    /// Adds output; whether none waited before, so that somebody has to be told.
    pub(super) fn add(&self, bytes: &[u8]) -> bool {
        let mut waiting = self.lock();
        let is_first = waiting.is_empty();
        waiting.extend_from_slice(bytes);
        if waiting.len() > MOST {
            let cut = waiting.len() - MOST / 2;
            let cut = memchr::memchr(b'\n', &waiting[cut..]).map_or(cut, |end| cut + end + 1);
            waiting.drain(..cut);
        }
        is_first
    }

    /// All that waits.
    pub(super) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{Feed, MOST};

    #[test]
    fn the_first_output_is_told_and_all_of_it_is_fetched_at_once() {
        let feed = Feed::default();
        assert_eq!([feed.add(b"a\n"), feed.add(b"b\n")], [true, false]);
        assert_eq!((feed.take(), feed.take()), (b"a\nb\n".to_vec(), Vec::new()));
        assert!(feed.add(b"c\n"));
    }

    #[test]
    fn of_a_flood_the_last_whole_lines_are_kept() {
        let feed = Feed::default();
        for number in 0..200_000 {
            feed.add(format!("{number:09}\n").as_bytes());
        }
        let kept = feed.take();
        assert!(kept.len() <= MOST && kept.len().is_multiple_of(10) && kept.ends_with(b"000199999\n"));
    }
}
