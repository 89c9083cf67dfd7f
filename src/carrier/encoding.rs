//! Makes a run's bytes readable line by line where they are not: UTF-16, as PowerShell writes files, and lines that end
//! in carriage returns alone.

use std::borrow::Cow;

/// How far a text is searched for a line feed before it is taken to have none.
const FIRST: usize = 64 << 10;

/// The bytes with line feeds between lines, in UTF-8 as far as they were text. Lines keep their numbers.
pub fn readable(bytes: &[u8]) -> Cow<'_, [u8]> {
    let wide = |units: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| units([pair[0], pair[1]])).collect();
        Cow::Owned(String::from_utf16_lossy(&units).into_bytes())
    };
    if bytes.starts_with(b"\xff\xfe") {
        return wide(u16::from_le_bytes);
    }
    if bytes.starts_with(b"\xfe\xff") {
        return wide(u16::from_be_bytes);
    }
    let first = &bytes[..bytes.len().min(FIRST)];
    if memchr::memchr(b'\n', first).is_none() && memchr::memchr(b'\r', first).is_some() {
        return Cow::Owned(bytes.iter().map(|&byte| if byte == b'\r' { b'\n' } else { byte }).collect());
    }
    Cow::Borrowed(bytes)
}

#[cfg(test)]
mod tests {
    use super::readable;

    fn check(bytes: &[u8], expected: &[u8]) {
        assert_eq!(readable(bytes), expected);
    }

    #[test]
    fn text_of_other_encodings_becomes_readable() {
        check(b"a\r\nb\r", b"a\r\nb\r");
        check(b"a\rb\r", b"a\nb\n");
        check(b"\xff\xfea\0\n\0\xe9\0", "a\né".as_bytes());
        check(b"\xfe\xff\0a\0", b"a");
        check(b"", b"");
    }
}
