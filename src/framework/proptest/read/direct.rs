//! Reads failures of a test runner that the test drives itself: the Debug text of its error inside a plain panic, as
//! `unwrap`, `expect` and `assert_eq!` print it.

use super::arguments::quoted_end;

/// An error of the runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Direct {
    /// The reason, decoded.
    pub(super) reason: String,
    /// The input, where the property failed; `None` where it was given up.
    pub(super) input: Option<String>,
}

/// The error in a panic's message. `Fail(Reason("…"))` without an input is a single case's error and no property's.
pub(super) fn read(message: &str) -> Option<Direct> {
    failed(message).or_else(|| aborted(message))
}

fn failed(message: &str) -> Option<Direct> {
    let (reason, rest) = reason_after(message, "Fail(Reason(\"")?;
    let rest = rest.strip_prefix(", ")?;
    Some(Direct { reason, input: Some(rest[..closing(rest)?].to_owned()) })
}

fn aborted(message: &str) -> Option<Direct> {
    let (reason, rest) = reason_after(message, "Abort(Reason(\"")?;
    rest.starts_with(')').then_some(Direct { reason, input: None })
}

/// The decoded reason after `start`, and what follows its parenthesis.
fn reason_after<'a>(message: &'a str, start: &str) -> Option<(String, &'a str)> {
    let open = message.find(start)? + start.len() - 1;
    let close = quoted_end(message.as_bytes(), open)?;
    let rest = message.get(close + 1..)?.strip_prefix(')')?;
    Some((decoded(message.get(open + 1..close)?), rest))
}

/// Offset of the parenthesis that closes what is open at the start of `text`.
fn closing(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = quoted_end(bytes, at)?,
            b'\'' if bytes.get(at + 2) == Some(&b'\'') => at += 2,
            b'(' | b'[' | b'{' => depth += 1,
            b')' if depth == 0 => return Some(at),
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The text of a Debug string that is all there is; `None` where `text` is something else.
pub(super) fn unquoted(text: &str) -> Option<String> {
    let text = text.trim_end();
    let close = text.starts_with('"').then(|| quoted_end(text.as_bytes(), 0)).flatten()?;
    (close + 1 == text.len()).then(|| decoded(&text[1..close]))
}

/// The text of a Debug string's inside.
fn decoded(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => plain.push('\n'),
            Some('r') => plain.push('\r'),
            Some('t') => plain.push('\t'),
            Some('0') => plain.push('\0'),
            Some('u') => {
                let digits: String = chars.by_ref().skip(1).take_while(|&c| c != '}').collect();
                plain.push(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}'));
            }
            Some(other) => plain.push(other),
            None => plain.push('\\'),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::{Direct, read};

    fn check(message: &str, expected: Option<(&str, Option<&str>)>) {
        let expected =
            expected.map(|(reason, input)| Direct { reason: reason.to_owned(), input: input.map(str::to_owned) });
        assert_eq!(read(message), expected, "{message}");
    }

    #[test]
    fn the_error_is_found_in_whatever_prints_it() {
        let unwrap = r#"called `Result::unwrap()` on an `Err` value: Fail(Reason("n \"was\" 50\u{1f}"), (50, ")"))"#;
        check(unwrap, Some(("n \"was\" 50\u{1f}", Some("(50, \")\")"))));
        let eq = "assertion `left == right` failed\n  left: Err(Fail(Reason(\"a at x.rs:1\"), [0, 0]))\n right: Ok(())";
        check(eq, Some(("a at x.rs:1", Some("[0, 0]"))));
        check(r#"it: Abort(Reason("Too many global rejects"))"#, Some(("Too many global rejects", None)));
    }

    #[test]
    fn a_single_cases_error_is_no_propertys() {
        check(r#"called `Result::unwrap()` on an `Err` value: Fail(Reason("n was 50"))"#, None);
        check(r#"Fail(Reason("broken off"#, None);
        check("assertion failed: x", None);
    }
}
