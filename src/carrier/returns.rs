//! Makes a run readable line by line whose lines end in carriage returns alone.

use std::borrow::Cow;

/// How far a text is searched for a line feed before it is taken to have none.
const FIRST: usize = 64 << 10;

/// The bytes with line feeds between lines. Lines keep their numbers.
pub fn readable(bytes: &[u8]) -> Cow<'_, [u8]> {
    let first = &bytes[..bytes.len().min(FIRST)];
    if memchr::memchr(b'\n', first).is_none() && memchr::memchr(b'\r', first).is_some() {
        return Cow::Owned(bytes.iter().map(|&byte| if byte == b'\r' { b'\n' } else { byte }).collect());
    }
    Cow::Borrowed(bytes)
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn returns_become_line_feeds_where_there_are_none() {
        let check = |bytes: &[u8], expected: &[u8]| assert_eq!(readable(bytes), expected);
        check(b"a\r\nb\r", b"a\r\nb\r");
        check(b"a\rb\r", b"a\nb\n");
        check(b"a", b"a");
        check(b"", b"");
    }
}
