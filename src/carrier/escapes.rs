//! Escape sequences, as terminals take them for colours: told from the text among which they stand. Most stand between
//! words; a program that marks what it searched for puts them inside one, where no search for the whole word finds it.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use memchr::memchr;

use crate::threads;

/// How every sequence begins.
const ESCAPE: u8 = b'\x1b';

/// Bytes that one thread looks through at a time.
const PART: usize = 1 << 20;

/// How much of each part of a large text is looked at for a sign of colours at all: few lines of a coloured log are without.
const SAMPLE: usize = 4 << 10;

/// A text of this size is large.
const LARGE: usize = 4 << 20;

/// From this size on only a stretch of each part is looked through: who marks letters inside words does so all over a log,
/// and in a coloured one every line has sequences.
const HUGE: usize = 32 << 20;

/// That stretch.
const STRETCH: usize = 64 << 10;

/// Bytes on either side of a sequence in which the rest of a phrase is looked for.
const NEAR: usize = 64;

/// The bytes with none of the `phrases` broken by escape sequences. Lines keep their numbers.
pub fn readable<'b>(bytes: &'b [u8], phrases: &[&str]) -> Cow<'b, [u8]> {
    let sample = if bytes.len() < LARGE { PART } else { SAMPLE };
    let coloured = threads::numbered(bytes.len().div_ceil(PART), |part| {
        let part = &bytes[part * PART..];
        memchr(ESCAPE, &part[..part.len().min(sample)]).is_some()
    });
    if coloured.contains(&true) && breaks_any(bytes, phrases) {
        Cow::Owned(without(bytes))
    } else {
        Cow::Borrowed(bytes)
    }
}

/// Whether a sequence stands inside one of the phrases.
fn breaks_any(bytes: &[u8], phrases: &[&str]) -> bool {
    let mut may_precede = [false; 256];
    phrases.iter().flat_map(|phrase| phrase.bytes()).for_each(|byte| may_precede[usize::from(byte)] = true);
    let pairs: Vec<&[u8]> = phrases.iter().flat_map(|phrase| phrase.as_bytes().windows(2)).collect();
    let breaks = |start: usize, end: usize| {
        let (front, back) = (&bytes[..start], &bytes[end..]);
        let (Some(last), Some(first)) = (front.last(), back.first()) else { return false };
        // Most stand between words or lines, which these two bytes tell.
        pairs.contains(&&[*last, *first][..]) && {
            let front = without(&front[front.len().saturating_sub(NEAR)..]);
            let back = without(&back[..back.len().min(NEAR)]);
            phrases.iter().any(|phrase| is_across(&front, &back, phrase.as_bytes()))
        }
    };
    let found = threads::numbered(bytes.len().div_ceil(PART), |part| {
        let mut at = part * PART;
        let reach = if bytes.len() < HUGE { PART } else { STRETCH };
        let end = (at + reach).min(bytes.len());
        while let Some(start) = memchr(ESCAPE, &bytes[at.min(end)..end]).map(|found| at + found) {
            at = start + 1;
            if !bytes[..start].last().is_some_and(|byte| may_precede[usize::from(*byte)]) {
                continue;
            }
            at = after_all(bytes, start);
            if breaks(start, at) {
                return true;
            }
        }
        false
    });
    found.contains(&true)
}

/// Whether the phrase begins in one text and goes on in the other.
fn is_across(front: &[u8], back: &[u8], phrase: &[u8]) -> bool {
    (1..phrase.len()).any(|at| front.ends_with(&phrase[..at]) && back.starts_with(&phrase[at..]))
}

/// Where the sequences end that follow one another from `escape` on.
fn after_all(bytes: &[u8], escape: usize) -> usize {
    let mut at = escape;
    while bytes.get(at) == Some(&ESCAPE) {
        at += 1 + sequence(&bytes[at + 1..]);
    }
    at
}

/// The bytes without escape sequences. One that does not end on its line loses only its escape byte.
pub fn without(line: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = memchr(ESCAPE, rest) {
        plain.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        rest = &rest[sequence(rest)..];
    }
    plain.extend_from_slice(rest);
    plain
}

/// Length of the escape sequence whose bytes after the escape are `rest`; 0 where it does not end.
fn sequence(rest: &[u8]) -> usize {
    // The bytes before the last one are few kinds only: whatever else comes breaks the sequence off.
    let ends = |start: usize, inner: RangeInclusive<u8>, last: RangeInclusive<u8>| {
        let end = start + rest[start..].iter().take_while(|&byte| inner.contains(byte)).count();
        rest.get(end).filter(|&byte| last.contains(byte)).map_or(0, |_| end + 1)
    };
    match rest.first() {
        Some(b'[') => ends(1, 0x20..=0x3f, 0x40..=0x7e),
        Some(b']' | b'_' | b'P' | b'^' | b'X') => match rest.iter().position(|byte| b"\x07\x1b\n".contains(byte)) {
            Some(at) if rest[at] == 7 => at + 1,
            Some(at) if rest.get(at + 1) == Some(&b'\\') => at + 2,
            _ => 0,
        },
        Some(0x20..=0x2f) => ends(0, 0x20..=0x2f, 0x30..=0x7e),
        Some(0x30..=0x7e) => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{PART, readable};

    fn check(text: &str, expected: &str) {
        assert_eq!(String::from_utf8_lossy(&readable(text.as_bytes(), &["panicked at"])), expected);
    }

    #[test]
    fn a_phrase_is_whole_again_wherever_a_colour_stood_in_it() {
        check("\x1b[1mx\x1b[0m\nthe \x1b[01;31m\x1b[Kpanic\x1b[m\x1b[Kked at\n", "x\nthe panicked at\n");
        check("panicked\x1b[0m at", "panicked at");
        check("panicked \x1b]8;;http://x\x1b\\at\x1b[12\nx\x07", "panicked at[12\nx\x07");
    }

    #[test]
    fn colours_between_phrases_stay_for_whoever_reads_the_line() {
        for text in ["\x1b[31mpanicked at\x1b[0m x", "a \x1b[1mb", "\x1b", "", "panicked at", "\x1b[31merror\x1b[0m at"]
        {
            check(text, text);
        }
    }

    #[test]
    fn a_phrase_is_found_far_into_a_long_text_and_where_two_parts_of_it_meet() {
        let text = |far: usize| format!("\x1b[1m\n{}panic\x1b[1mked at", "\n".repeat(far));
        for far in [3 * PART, PART - 10, PART - 9, PART - 8] {
            check(&text(far), &format!("\n{}panicked at", "\n".repeat(far)));
        }
    }
}
