//! Threads as panics name them.

/// Threads that are named for no test; a returned error has none.
pub(super) fn is_common_thread(name: impl AsRef<[u8]>) -> bool {
    let name = name.as_ref();
    matches!(name, b"" | b"main" | b"<unnamed>" | b"<unknown>")
        || name.starts_with(b"tokio-")
        || memchr::memchr(b' ', name).is_some()
}
