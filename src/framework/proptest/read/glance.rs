//! A first look at a panic, taken while the search for panics has its place in the cache: most panics of a large log are
//! those that other tests expect, and nothing of a property. Such a one is read in full only where its thread ends with a
//! property's report as well, whose site it may be. The look errs on one side: in doubt it sees nothing.

use memchr::{memchr, memmem, memrchr};

use crate::carrier::line::unstamped;
use crate::carrier::panic;
use crate::framework::pin_name::is_pin;

use super::thread::{Thread, is_common_word};

/// Longest line that is looked at.
const LONGEST: usize = 512;

/// Lines after the first in which the end of a panic's message is looked for.
const MOST_LINES: usize = 8;

/// The thread of the panic whose first line holds `offset`, where [`panic::ANCHOR`] stands, if it surely tells of no
/// property: its thread is named for a test that is no pin, and its message is short and holds nothing of the runner's.
pub(super) fn plain_panic(bytes: &[u8], offset: usize) -> Option<Thread> {
    let (name, stamped) = named(&bytes[..offset])?;
    if is_common_word(name) || is_pin(name) {
        return None;
    }
    let start = offset + panic::ANCHOR.len();
    let near = &bytes[start..bytes.len().min(start + LONGEST)];
    let end = first_of(&ENDS_PLAIN_LINE, near).filter(|at| near[*at] == b'\n')?;
    (near[..end].last() == Some(&b':') && says_nothing(bytes, start + end, stamped)).then(|| Thread::named(name))
}

/// Some bytes. To look at one after the other is quicker than a search that is made for long texts: lines are short here,
/// and there are very many.
type Bytes = [bool; 256];

const fn bytes_of(bytes: &[u8]) -> Bytes {
    let (mut all, mut at) = ([false; 256], 0);
    while at < bytes.len() {
        all[bytes[at] as usize] = true;
        at += 1;
    }
    all
}

fn first_of(bytes: &Bytes, text: &[u8]) -> Option<usize> {
    text.iter().position(|byte| bytes[usize::from(*byte)])
}

/// What ends a panic's first line, or asks for a closer look at it: escape codes, and what XML writes for quotes.
const ENDS_PLAIN_LINE: Bytes = bytes_of(b"\n\x1b&<");

/// The same of a line of its message, where an error of the runner's begins with a parenthesis.
const ENDS_PLAIN_MESSAGE: Bytes = bytes_of(b"\n\x1b(");

/// What ends a name.
const SPACE: Bytes = bytes_of(b" \n");

/// What no name holds that needs no closer look.
const NOT_PLAIN: Bytes = {
    let (mut all, mut byte) = ([true; 256], b'!');
    while byte <= b'~' {
        all[byte as usize] = matches!(byte, b'&' | b'<' | b'\'');
        byte += 1;
    }
    all
};

/// The name in a panic's first line whose anchor follows `before`, where it is plain and the line holds nothing before that
/// but what compilers write since rustc 1.73 and perhaps a time stamp; and whether it has a stamp.
fn named(before: &[u8]) -> Option<(&[u8], bool)> {
    let near = &before[before.len().saturating_sub(LONGEST)..];
    let [front @ .., b'\'', b' '] = unnumbered(near) else { return None };
    let quote = front.iter().rposition(|byte| NOT_PLAIN[usize::from(*byte)])?;
    let (start, name) = front.split_at(quote + 1);
    let line = start.strip_suffix(panic::START.as_bytes())?;
    let stamp = match memrchr(b'\n', line) {
        Some(at) if at + 1 == line.len() => return Some((name, false)),
        Some(at) => &line[at + 1..],
        None if near.len() == before.len() => line,
        None => return None,
    };
    unstamped(stamp).is_empty().then_some((name, !stamp.is_empty()))
}

/// What stands before the thread's number, where there is one.
fn unnumbered(before: &[u8]) -> &[u8] {
    let [inner @ .., b')', b' '] = before else { return before };
    let digits = inner.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let front = inner[..inner.len() - digits].trim_ascii_end();
    let is_number = digits > 0 && !inner[front.len()..].contains(&b'\n');
    front.strip_suffix(b"(").filter(|_| is_number).unwrap_or(before)
}

/// Whether the message after the line that ends at `end` ends soon, and neither begins as a report nor shows an error of
/// the runner's.
fn says_nothing(bytes: &[u8], end: usize, stamped: bool) -> bool {
    let mut rest = bytes.get(end + 1..).unwrap_or_default();
    for _ in 0..MOST_LINES {
        let near = &rest[..rest.len().min(LONGEST)];
        if follows(if stamped { unstamped(near) } else { near }) {
            return true;
        }
        // One look for the line's end and for what asks for a closer look: most lines have none of that.
        let Some(odd) = first_of(&ENDS_PLAIN_MESSAGE, near) else { return false };
        let length = if near[odd] == b'\n' { Some(0) } else { memchr(b'\n', &near[odd..]) };
        let Some(length) = length.map(|after| odd + after) else { return false };
        let line = &near[..length];
        let own = if stamped { unstamped(line) } else { line };
        let is_odd = || memchr(b'\x1b', &line[odd..]).is_some() || memmem::find(&line[odd..], b"(Reason(").is_some();
        if matches!(own, [b'T', b'e', b's', b't', b' ', ..]) || odd < length && is_odd() {
            return false;
        }
        rest = &rest[length + 1..];
    }
    false
}

/// Whether a line follows a panic's message and is surely no part of it, by the `text` that begins with it.
fn follows(text: &[u8]) -> bool {
    let after_name = |text: &[u8], rest: &[u8]| first_of(&SPACE, text).is_some_and(|at| text[at..].starts_with(rest));
    match text {
        [b't', b'e', b's', b't', b' ', text @ ..] => after_name(text, b" ... ok\n"),
        [b'-', b'-', b'-', b'-', b' ', text @ ..] => after_name(text, b" stdout ----\n"),
        [b'n', ..] => text.starts_with(b"note: run with `RUST_BACKTRACE"),
        _ => false,
    }
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
