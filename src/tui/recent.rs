//! The last few values that arrived, by key: what the cursor comes back to is there at once, and nothing grows.

/// At most this many are kept.
const KEPT: usize = 24;

/// A small cache, the latest last.
#[derive(Debug)]
pub(crate) struct Recent<K, V>(Vec<(K, V)>);

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Recent(Vec::new())
    }
}

impl<K: PartialEq, V> Recent<K, V> {
    /// The value of `key`, where it is still kept.
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.0.iter().rev().find(|(kept, _)| kept == key).map(|(_, value)| value)
    }

    /// Keeps a value, in place of an earlier one of the same key or of the oldest.
    pub(crate) fn put(&mut self, key: K, value: V) {
        self.0.retain(|(kept, _)| *kept != key);
        if self.0.len() == KEPT {
            self.0.remove(0);
        }
        self.0.push((key, value));
    }

    /// Forgets all whose key `stale` accepts.
    pub(crate) fn forget(&mut self, stale: impl Fn(&K) -> bool) {
        self.0.retain(|(key, _)| !stale(key));
    }
}

#[cfg(test)]
mod tests {
    use super::{KEPT, Recent};

    #[test]
    fn the_oldest_goes_when_it_is_full() {
        let mut recent = Recent::default();
        (0..=KEPT).for_each(|number| recent.put(number, number * 2));
        assert_eq!((recent.get(&0), recent.get(&1), recent.get(&KEPT)), (None, Some(&2), Some(&(KEPT * 2))));
        recent.put(1, 7);
        recent.forget(|key| *key > 1);
        assert_eq!((recent.get(&1), recent.get(&2)), (Some(&7), None));
    }
}
