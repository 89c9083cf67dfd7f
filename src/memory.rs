//! What was worked out of a tree's files, kept as long as the tree: its files do not change meanwhile, and many failures ask
//! the same.

use std::any::Any;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

/// A value of some kind.
type Kept = Arc<dyn Any + Send + Sync>;

/// Values of any kind, one of each.
#[derive(Default)]
pub struct Memory(RwLock<Vec<Kept>>);

impl Memory {
    /// The value of that kind; worked out by `make` where there is none yet.
    pub fn of<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        if let Some(known) = known(&self.0.read().unwrap_or_else(PoisonError::into_inner)) {
            return known;
        }
        // Not under the lock: it may take long, and may ask for values of other kinds.
        let made = Arc::new(make());
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        known(&kept).unwrap_or_else(|| {
            kept.push(made.clone());
            made
        })
    }
}

fn known<T: Any + Send + Sync>(kept: &[Kept]) -> Option<Arc<T>> {
    kept.iter().find(|value| value.is::<T>()).and_then(|value| value.clone().downcast().ok())
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

/// A value for each thing that was asked about. Read far more often than written: threads that had to wait for each other
/// would mostly do that.
#[derive(Debug)]
pub struct Each<K, V>(RwLock<HashMap<K, V>>);

impl<K: Eq + Hash, V: Clone> Each<K, V> {
    /// The value for `about`; worked out by `make` where there is none yet.
    pub fn of<Q: ?Sized + Eq + Hash + ToOwned<Owned = K>>(&self, about: &Q, make: impl FnOnce() -> V) -> V
    where
        K: Borrow<Q>,
    {
        if let Some(known) = self.known(about) {
            return known;
        }
        // Not under the lock, and another thread may have been quicker: its value stays.
        let made = make();
        self.0.write().unwrap_or_else(PoisonError::into_inner).entry(about.to_owned()).or_insert(made).clone()
    }

    /// The value for `about`, where there is one.
    pub fn known<Q: ?Sized + Eq + Hash>(&self, about: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(about).cloned()
    }
}

impl<K, V> Default for Each<K, V> {
    fn default() -> Self {
        Each(RwLock::default())
    }
}

#[cfg(test)]
mod tests {
    use super::{Each, Memory};

    #[test]
    fn a_value_of_each_kind_is_made_once() {
        let memory = Memory::default();
        assert_eq!(*memory.of(|| 7_u8), 7);
        assert_eq!(*memory.of(|| memory.of(|| "seven".to_owned()).len()), 5);
        assert_eq!(*memory.of::<u8>(|| unreachable!()), 7);
    }

    #[test]
    fn a_value_for_each_thing_is_made_once() {
        let each: Each<String, usize> = Each::default();
        assert_eq!([each.of("a", || 1), each.of("b", || 2), each.of("a", || unreachable!())], [1, 2, 1]);
    }
}
