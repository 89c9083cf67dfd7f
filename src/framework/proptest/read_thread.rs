//! Threads as panics name them: which are named for a test, and a quick way to tell many apart.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// Threads that are named for no test; a returned error has none.
pub(super) fn is_common_thread(name: &str) -> bool {
    matches!(name, "" | "main" | "<unnamed>" | "<unknown>") || name.contains(' ') || name.starts_with("tokio-")
}

/// A thread by a digest of its name: two threads may share one, and are then read for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Thread(u32);

impl Thread {
    pub(super) fn named(name: &[u8]) -> Self {
        let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        let mixed = name.chunks(8).fold(name.len() as u64, |hash, chunk| mix(hash.rotate_left(5) ^ word(chunk)));
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
