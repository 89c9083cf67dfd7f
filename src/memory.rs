//! What was worked out of a tree's files, kept as long as the tree: its files do not change meanwhile, and many failures ask
//! the same.

use std::any::Any;
use std::fmt;
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

#[cfg(test)]
mod tests {
    use super::Memory;

    #[test]
    fn a_value_of_each_kind_is_made_once() {
        let memory = Memory::default();
        assert_eq!(*memory.of(|| 7_u8), 7);
        assert_eq!(*memory.of(|| memory.of(|| "seven".to_owned()).len()), 5);
        assert_eq!(*memory.of::<u8>(|| unreachable!()), 7);
    }
}
