//! Threads as panics name them: which are named for a test, and a quick way to tell many apart.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// Threads that are named for no test; a returned error has none.
pub(super) fn is_common_thread(name: impl AsRef<[u8]>) -> bool {
    let name = name.as_ref();
    is_common_word(name) || memchr::memchr(b' ', name).is_some()
}

/// The same of a name without blanks.
pub(super) fn is_common_word(name: &[u8]) -> bool {
    matches!(name, b"" | b"main" | b"<unnamed>" | b"<unknown>") || name.starts_with(b"tokio-")
}

/// A thread by a digest of its name: two threads may share one, and are then read for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Thread(u32);

impl Thread {
    /// The digest.
    pub(super) fn number(self) -> u32 {
        self.0
    }

    /// The thread of that digest.
    pub(super) fn numbered(number: u32) -> Self {
        Thread(number)
    }

    pub(super) fn named(name: &[u8]) -> Self {
        let (words, rest) = name.as_chunks();
        let rest = rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        let words = words.iter().map(|word| u64::from_le_bytes(*word)).chain([rest]);
        let mixed = words.fold(name.len() as u64, |hash, word| mix(hash.rotate_left(5) ^ word));
        Thread((mixed >> 32) as u32)
    }
}

fn mix(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Some threads. Their digests need no second hash.
pub(super) type Threads = HashSet<Thread, BuildHasherDefault<Mixed>>;

/// Spreads a digest over a table.
#[derive(Default)]
pub(super) struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| mix(hash ^ u64::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = mix(u64::from(number));
    }
}
