//! A first look at a panic, taken while the search for panics has its place in the cache: most panics of a large log are
//! those that other tests expect, and nothing of a property. Such a one is read in full only where its thread ends with a
//! property's report as well, whose site it may be. The look errs on one side: in doubt it sees nothing.

use memchr::{memchr, memchr3, memmem, memrchr, memrchr2};

use crate::carrier::line::unstamped;
use crate::carrier::panic;
use crate::framework::proptest::pin_name::is_pin;

use super::thread::{Thread, is_common_word};

/// Longest line that is looked at.
const LONGEST: usize = 512;

/// Lines after the first in which the end of a panic's message is looked for.
const MOST_LINES: usize = 8;

/// The thread of the panic whose first line holds `offset`, where [`panic::ANCHOR`] stands, if it surely tells of no
/// property: its thread is named for a test that is no pin, and its message is short and holds nothing of the runner's.
pub(super) fn plain_panic(bytes: &[u8], offset: usize) -> Option<Thread> {
    let (name, stamped) = named(&bytes[..offset])?;
    // Escape codes and what XML writes for quotes ask for a closer look.
    let is_plain = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'&' | b'<');
    if !name.iter().all(is_plain) || is_common_word(name) || is_pin(name) {
        return None;
    }
    let end = line_end(bytes, offset)?;
    let rest = &bytes[offset..end];
    let ends_plainly = rest.ends_with(b":") && memchr3(b'\x1b', b'&', b'<', rest).is_none();
    (ends_plainly && says_nothing(bytes, end, stamped)).then(|| Thread::named(name))
}

fn line_end(bytes: &[u8], from: usize) -> Option<usize> {
    let near = &bytes[from..bytes.len().min(from + LONGEST)];
    memchr(b'\n', near).map(|at| from + at)
}

/// The name in a panic's first line whose anchor follows `before`, where the line holds nothing before that but what
/// compilers write since rustc 1.73 and perhaps a time stamp; and whether it has a stamp.
fn named(before: &[u8]) -> Option<(&[u8], bool)> {
    let near = &before[before.len().saturating_sub(LONGEST)..];
    let front = unnumbered(near).strip_suffix(b"' ")?;
    // Looked for with the line's start, so that the search ends there.
    let quote = memrchr2(b'\'', b'\n', front)?;
    let (start, name) = front.split_at(quote + 1);
    let line = start.strip_suffix(panic::START.as_bytes())?;
    if line.ends_with(b"\n") {
        return Some((name, false));
    }
    let stamp = match memrchr(b'\n', line) {
        Some(at) => &line[at + 1..],
        None if near.len() == before.len() => line,
        None => return None,
    };
    unstamped(stamp).is_empty().then_some((name, !stamp.is_empty()))
}

/// What stands before the thread's number, where there is one.
fn unnumbered(before: &[u8]) -> &[u8] {
    let Some(inner) = before.strip_suffix(b") ") else { return before };
    let number = inner.rsplit(|byte| *byte == b'(').next().unwrap_or(inner);
    let digits = number.trim_ascii_start();
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) && !number.contains(&b'\n');
    let rest = inner[..inner.len() - number.len()].strip_suffix(b"(");
    rest.filter(|_| is_number).unwrap_or(before)
}

/// Whether the message after the line that ends at `end` ends soon, and neither begins as a report nor shows an error of
/// the runner's.
fn says_nothing(bytes: &[u8], end: usize, stamped: bool) -> bool {
    let mut rest = bytes.get(end + 1..).unwrap_or_default();
    for _ in 0..MOST_LINES {
        let near = &rest[..rest.len().min(LONGEST)];
        // One search for the line's end and for what asks for a closer look: most lines have none of that.
        let Some(odd) = memchr3(b'\n', b'\x1b', b'(', near) else { return false };
        let length = if near[odd] == b'\n' { Some(0) } else { memchr(b'\n', &near[odd..]) };
        let Some(length) = length.map(|after| odd + after) else { return false };
        let line = &near[..length];
        let own = if stamped { unstamped(line) } else { line };
        if follows(own) {
            return true;
        }
        let is_odd = || memchr(b'\x1b', &line[odd..]).is_some() || memmem::find(&line[odd..], b"(Reason(").is_some();
        if own.starts_with(b"Test ") || odd < length && is_odd() {
            return false;
        }
        rest = &rest[length + 1..];
    }
    false
}

/// Whether a line follows a panic's message and is surely no part of it.
fn follows(line: &[u8]) -> bool {
    let between = |start: &[u8], end: &[u8]| line.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
    let test = between(b"test ", b" ... ok").or_else(|| between(b"---- ", b" stdout ----"));
    test.is_some_and(|name| memchr(b' ', name).is_none()) || line.starts_with(b"note: run with `RUST_BACKTRACE")
}

#[cfg(test)]
mod tests {
    use super::plain_panic;
    use crate::framework::proptest::read::thread::Thread;

    #[track_caller]
    fn check(log: &str, expected: Option<&str>) {
        let found = plain_panic(log.as_bytes(), log.find("panicked at").unwrap());
        assert_eq!(found, expected.map(|name| Thread::named(name.as_bytes())), "{log}");
    }

    #[test]
    fn a_panic_that_another_test_expects_is_passed_over() {
        check("thread 'a::b' panicked at src/x.rs:1:2:\nno\ntest a::b - c ... ok\ntest a::b ... ok\n", Some("a::b"));
        check(
            "x\nthread 'w-1' (7) panicked at src/x.rs:1:2:\nno (yet)\n\nnote: run with `RUST_BACKTRACE=1`\n",
            Some("w-1"),
        );
        check("thread 'w-1' panicked at src/x.rs:1:2:\nno\n\nfailures:\n\n---- a::b stdout ----\n", Some("w-1"));
        let stamp = "2026-11-29T03:12:07.1113081Z ";
        check(&format!("{stamp}thread 'w' panicked at x.rs:1:2:\n{stamp}no\n{stamp}test a ... ok\n"), Some("w"));
    }

    #[test]
    fn what_may_tell_of_a_property_is_read() {
        let follows = |first: &str, message: &str| check(&format!("{first}\n{message}\ntest a ... ok\n"), None);
        let first = "thread 'a::b' panicked at src/x.rs:1:2:";
        follows(first, "Test failed: no.");
        follows(first, "left: 1\nright: Err(Fail(Reason(\"no\"), 3))");
        follows(first, "\x1b[31mno");
        follows(first, "no (\x1b[31mno)");
        follows(first, &"no\n".repeat(9));
        check(first, None);
        check(&format!("{first}\nno\ntest a - should panic ... ok\n"), None);
        for first in [
            "thread 'main' panicked at src/x.rs:1:2:",
            "thread 'a_pin_0123abc' panicked at src/x.rs:1:2:",
            "thread 'a::b' panicked at 'Test failed: no', src/x.rs:1:2",
            "thread 'a::b' (7) and so panicked at src/x.rs:1:2:",
            "thread 'a::b' () panicked at src/x.rs:1:2:",
            "thread 'a::b' (x) panicked at src/x.rs:1:2:",
            "thread 'a::b' (\n7) panicked at src/x.rs:1:2:",
            "thread 'a b' panicked at src/x.rs:1:2:",
            "2026-11-29T03:12:07Z x thread 'a::b' panicked at src/x.rs:1:2:",
            "thread &apos;a::b&apos; panicked at src/x.rs:1:2:",
            "test a::b ... thread 'a::b' panicked at src/x.rs:1:2:",
            "\x1b[1mthread 'a::b' panicked at src/x.rs:1:2:",
            "thread 'é' panicked at src/x.rs:1:2:",
        ] {
            follows(first, "no");
        }
    }
}
