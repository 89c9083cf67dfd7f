//! Splits a printed input into its arguments: `a = 3, (b, c) = (4, 5)`. Names are patterns and values any Debug text, so
//! neither commas nor signs alone tell where one ends; what fits no form stays one argument without a name.

use crate::failure::Argument;

/// The arguments of `text` in order. A text that does not begin with a pattern and ` = ` is one unnamed argument.
pub(crate) fn split(text: &str) -> Vec<Argument> {
    let Some(first) = assignment(text) else {
        return vec![Argument { name: String::new(), text: text.to_owned() }];
    };
    let mut arguments = Vec::new();
    let mut guesses = MOST_GUESSES;
    let (mut name, mut start) = (&text[..first - EQUALS.len()], first);
    loop {
        let next = next_argument(text, start, &mut guesses);
        let end = next.map_or(text.len(), |(comma, _)| comma);
        arguments.push(Argument { name: name.to_owned(), text: text[start..end].to_owned() });
        let Some((comma, value)) = next else { return arguments };
        (name, start) = (&text[comma + COMMA.len()..value - EQUALS.len()], value);
    }
}

const EQUALS: &str = " = ";
const COMMA: &str = ", ";

/// How often commas inside brackets are taken for the end of an argument; each time costs a look at the whole text.
const MOST_GUESSES: usize = 32;

/// The comma before the next argument and the start of that argument's value, for a value that begins at `start`. Commas
/// inside brackets count only where brackets do not balance, as they may not in a hand-written Debug.
fn next_argument(text: &str, start: usize, guesses: &mut usize) -> Option<(usize, usize)> {
    let mut inside = None;
    let mut depth = 0usize;
    let mut at = start;
    let mut quotes_close = true;
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'"' if quotes_close => match quoted_end(bytes, at) {
                Some(close) => at = close,
                None => quotes_close = false,
            },
            b'\'' => at = char_end(text, at).unwrap_or(at),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 || inside.is_none() => {
                if let Some(value) = argument_after(text, at) {
                    if depth == 0 {
                        return Some((at, value));
                    }
                    inside = Some((at, value));
                }
            }
            _ => {}
        }
        at += 1;
    }
    let guess = inside.filter(|_| depth > 0 && *guesses > 0);
    *guesses -= usize::from(guess.is_some());
    guess
}

/// Where the value of the argument begins that the comma at `comma` introduces.
fn argument_after(text: &str, comma: usize) -> Option<usize> {
    let start = comma + COMMA.len();
    if !text[comma..].starts_with(COMMA) {
        return None;
    }
    assignment(&text[start..]).map(|length| start + length)
}

/// Longer patterns than this are not written by people, and not looked for: every comma may begin one.
const LONGEST: usize = 1_000;

/// Length of the pattern and ` = ` at the start of `text`.
fn assignment(text: &str) -> Option<usize> {
    let end = (LONGEST..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    let text = &text[..end];
    let end = pattern(text, 0, 0)?;
    text[end..].starts_with(EQUALS).then_some(end + EQUALS.len())
}

/// Offset of the quote that closes the one at `open`.
pub(super) fn quoted_end(bytes: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    None
}

/// Offset of the quote that closes the character at `open`; `None` where it is an apostrophe or a lifetime.
fn char_end(text: &str, open: usize) -> Option<usize> {
    let mut inner = text[open + 1..].char_indices();
    let (_, first) = inner.next()?;
    let (at, second) = inner.next()?;
    if first != '\\' {
        return (first != '\'' && second == '\'').then_some(open + 1 + at);
    }
    let close = inner.take(12).find(|&(_, c)| c == '\'').map(|(at, _)| open + 1 + at)?;
    Some(close)
}

/// Deeper patterns than this are not written by people, and not followed.
const DEEPEST: usize = 16;

/// The end of the pattern that starts at `at`.
fn pattern(text: &str, at: usize, depth: usize) -> Option<usize> {
    if depth > DEEPEST {
        return None;
    }
    let at = qualifiers(text, at);
    let rest = &text[at..];
    let end = match rest.as_bytes().first()? {
        b'(' => list(text, at + 1, ')', depth)?,
        b'[' => list(text, at + 1, ']', depth)?,
        b'.' if rest.starts_with("..") => at + 2,
        _ => {
            let end = path(text, at)?;
            match text[end..].trim_start().as_bytes().first() {
                Some(b'(') if text[end..].starts_with('(') => list(text, end + 1, ')', depth)?,
                Some(b'{') => fields(text, skip(text, end) + 1, depth)?,
                _ => end,
            }
        }
    };
    let after = skip(text, end);
    if text[after..].starts_with('@') { pattern(text, skip(text, after + 1), depth + 1) } else { Some(end) }
}

/// Past `ref`, `mut` and `&`.
fn qualifiers(text: &str, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        let word = ["ref ", "mut ", "&"].into_iter().find(|word| rest.starts_with(word));
        let Some(word) = word else { return at };
        at = skip(text, at + word.len());
    }
}

/// The end of `a::b::<T>::c`, `r#type` or `_`.
fn path(text: &str, start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += text[at..].strip_prefix("r#").map_or(0, |_| 2);
        let name = text[at..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len() - at);
        if name == 0 || text[at..].starts_with(|first: char| first.is_numeric()) {
            return None;
        }
        at += name;
        match text[at..].strip_prefix("::") {
            Some(rest) if rest.starts_with('<') => at += 2 + generics(rest)?,
            Some(_) => at += 2,
            None => return Some(at),
        }
        match text[at..].strip_prefix("::") {
            Some(_) => at += 2,
            None if text[..at].ends_with('>') => return Some(at),
            None => {}
        }
    }
}

/// Length of `<…>` with balanced signs.
fn generics(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.checked_sub(1)?,
            '\n' | '"' | '=' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// The end of patterns between commas up to and with `close`.
fn list(text: &str, at: usize, close: char, depth: usize) -> Option<usize> {
    elements(text, at, close, |at| pattern(text, at, depth + 1))
}

/// The end of `a, b: pattern, ..` up to and with the brace.
fn fields(text: &str, at: usize, depth: usize) -> Option<usize> {
    elements(text, at, '}', |at| {
        let end = pattern(text, at, depth + 1)?;
        let after = skip(text, end);
        if text[after..].starts_with(':') { pattern(text, skip(text, after + 1), depth + 1) } else { Some(end) }
    })
}

fn elements(text: &str, at: usize, close: char, element: impl Fn(usize) -> Option<usize>) -> Option<usize> {
    let mut at = skip(text, at);
    while !text[at..].starts_with(close) {
        at = skip(text, element(at)?);
        match text.as_bytes().get(at)? {
            b',' => at = skip(text, at + 1),
            other if char::from(*other) == close => {}
            _ => return None,
        }
    }
    Some(at + close.len_utf8())
}

/// Past white space, which the compiler puts into long patterns.
fn skip(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::split;

    fn check(text: &str, expected: &[(&str, &str)]) {
        let found = split(text);
        let found: Vec<(&str, &str)> = found.iter().map(|one| (one.name.as_str(), one.text.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn names_are_patterns() {
        check("x = 3", &[("x", "3")]);
        check("mut v = [\n    11,\n], window = 1", &[("mut v", "[\n    11,\n]"), ("window", "1")]);
        check(
            "((a, b), [c, d]) = ((1, 2), [3, 4]), ref s = \"\"",
            &[("((a, b), [c, d])", "((1, 2), [3, 4])"), ("ref s", "\"\"")],
        );
        check("whole @ (a, _) = (15, 0), _ = 2", &[("whole @ (a, _)", "(15, 0)"), ("_", "2")]);
        check("std::num::Wrapping(w) = 99, r#type = 4", &[("std::num::Wrapping(w)", "99"), ("r#type", "4")]);
        check(
            "Point { x, y: (a, ..), .. } = Point { x: 1 }, [first, rest @ ..] = [1]",
            &[("Point { x, y: (a, ..), .. }", "Point { x: 1 }"), ("[first, rest @ ..]", "[1]")],
        );
        check("Pair::<u8>(a, b) = Pair(1, 2), &c = 3", &[("Pair::<u8>(a, b)", "Pair(1, 2)"), ("&c", "3")]);
        check("größe = 1, (a,\n    b) = (1, 2)", &[("größe", "1"), ("(a,\n    b)", "(1, 2)")]);
    }

    #[test]
    fn values_may_hold_what_looks_like_an_argument() {
        check(
            r#"s = "a, b = 1\", c = 2", t = '"', u = '\''"#,
            &[("s", r#""a, b = 1\", c = 2""#), ("t", r#"'"'"#), ("u", r"'\''")],
        );
        check("m = {\n    \"k, x = 1\": 2,\n}, k = 0", &[("m", "{\n    \"k, x = 1\": 2,\n}"), ("k", "0")]);
        check("v = Call(a, b = 2), k = 0", &[("v", "Call(a, b = 2)"), ("k", "0")]);
    }

    #[test]
    fn hand_written_debug_text_need_not_balance() {
        check("m = matrix 2x2\n| . (  |\n, k = 0", &[("m", "matrix 2x2\n| . (  |\n"), ("k", "0")]);
        check("it = it's \"so, k = 0", &[("it", "it's \"so"), ("k", "0")]);
        check("a = ), b = 1", &[("a", ")"), ("b", "1")]);
    }

    #[test]
    fn an_input_without_names_is_one_argument() {
        check("(\n    50,\n    \"\",\n)", &[("", "(\n    50,\n    \"\",\n)")]);
        check("[0, 0]", &[("", "[0, 0]")]);
        check("", &[("", "")]);
        check("3", &[("", "3")]);
        check("\"a = 1\"", &[("", "\"a = 1\"")]);
    }

    #[test]
    fn what_begins_like_an_argument_over_and_over_takes_no_time() {
        for begun in [", a::<", ", (", ", (a", ", A { a", ", ref ", ", \"", ", '", ", ["] {
            assert_eq!(split(&format!("x = {}", begun.repeat(1 << 15))).len(), 1, "{begun}");
        }
    }
}
