//! What was worked out of a tree's files, kept as long as the tree: its files do not change meanwhile, and many failures ask
//! the same.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Values of any kind, one of each.
#[derive(Default)]
pub struct Memory(Mutex<Vec<Arc<dyn Any + Send + Sync>>>);

impl Memory {
    /// The value of that kind; worked out by `make` where there is none yet.
    pub fn of<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        if let Some(known) = self.known() {
            return known;
        }
        // Not under the lock: it may take long, and may ask for values of other kinds.
        let made = Arc::new(make());
        self.known().unwrap_or_else(|| {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(made.clone());
            made
        })
    }

    fn known<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find_map(|value| value.clone().downcast().ok())
    }
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
