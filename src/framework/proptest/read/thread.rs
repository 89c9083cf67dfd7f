//! Threads as panics name them.

/// Threads that are named for no test; a returned error has none.
pub(super) fn is_common_thread(name: impl AsRef<[u8]>) -> bool {
    let name = name.as_ref();
    is_common_word(name) || memchr::memchr(b' ', name).is_some()
}

/// The same of a name without blanks.
pub(super) fn is_common_word(name: &[u8]) -> bool {
    matches!(name, b"" | b"main" | b"<unnamed>" | b"<unknown>") || name.starts_with(b"tokio-")
}
