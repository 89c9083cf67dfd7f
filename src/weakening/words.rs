//! The words of a text in normal form, and which of them are names that mean something outside it.

use std::collections::BTreeSet;

/// The words of a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    spans(text).map(|(_, word)| word)
}

/// The words of a text, each with where it begins.
pub(super) fn spans(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |char: char| char.is_alphanumeric() || char == '_' || char == '$';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_word)?;
        let end = text[start..].find(|char| !is_word(char)).map_or(text.len(), |len| start + len);
        at = end;
        Some((start, &text[start..end]))
    })
}

/// The names of a text that may mean something outside it: no members of something else, nothing that is quoted, and nothing that
/// the text itself gives a value. That of a macro that is called has its `!`.
pub(super) fn free_names(text: &str) -> BTreeSet<&str> {
    let plain = unquoted(text);
    let own = bound(&plain);
    let is_member = |at: usize| {
        let before = &plain[..at];
        before.ends_with('.') && !before.ends_with("..") || before.ends_with("::")
    };
    let is_macro = |end: usize| ["!(", "![", "! {"].iter().any(|open| plain[end..].starts_with(open));
    let is_name = |word: &str| !word.starts_with(|first: char| first.is_ascii_digit());
    let free = spans(&plain).filter(|(at, word)| is_name(word) && !is_member(*at) && !own.contains(word));
    // Both texts have the same length.
    let whole = |(at, word): (usize, &str)| {
        let end = at + word.len();
        text.get(at..end + usize::from(is_macro(end)))
    };
    free.filter_map(whole).collect()
}

/// The names that a text gives values to: by `let`, `const` and `for`, as parameters of a closure, or by a plain `=`.
pub(super) fn bound(text: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for (word, end) in
        [("let ", "="), ("const ", "="), ("var ", "="), ("for ", " in "), ("for (const ", " of "), ("lambda ", ":")]
    {
        for (at, _) in text.match_indices(word) {
            let rest = &text[at + word.len()..];
            found.extend(rest.split(end).next().map(words).into_iter().flatten());
        }
    }
    for (at, _) in text.match_indices(" = ") {
        let left = text[..at].rsplit(['{', '}', ';']).next().unwrap_or_default();
        if left.chars().all(|char| char.is_alphanumeric() || "_, ()$".contains(char)) {
            found.extend(words(left));
        }
    }
    for part in text.split('|').skip(1).step_by(2) {
        if part.len() < LONGEST && !part.contains(['(', '{', ';']) {
            found.extend(words(part));
        }
    }
    for (at, _) in text.match_indices(" => ") {
        let left = text[..at].rsplit(['{', ';', '=']).next().unwrap_or_default();
        found.extend(left.rsplit('(').next().map(words).into_iter().flatten());
    }
    found
}

/// No list of parameters of a closure is longer.
const LONGEST: usize = 200;

/// A text with blanks for what stands in quotes.
fn unquoted(text: &str) -> String {
    let mut quote = None;
    let mut escaped = false;
    let mut blank = |char: char| {
        let inside = quote.is_some();
        match quote {
            _ if escaped => escaped = false,
            Some(_) if char == '\\' => escaped = true,
            Some(open) if char == open => quote = None,
            None if char == '"' || char == '`' => quote = Some(char),
            _ => {}
        }
        if inside && quote.is_some() { " ".repeat(char.len_utf8()) } else { char.to_string() }
    };
    text.chars().map(&mut blank).collect()
}

#[cfg(test)]
mod tests {
    use super::free_names;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(free_names(text).into_iter().collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn names_from_outside_are_told() {
        check("let out = a::split(total, 3); assert!(out.len() > MOST);", &["MOST", "a", "assert!", "total"]);
        check("0..MOST", &["MOST"]);
        check("f(\"name of 'x\", y)", &["f", "y"]);
        check("(a, b) = f(c); assert a", &["assert", "c", "f"]);
        check("xs.map((x) => g(x))", &["g", "xs"]);
        check("xs.iter().all(|x| *x > low)", &["low", "xs"]);
        check("for part in parts { use(part) }", &["for", "in", "parts", "use"]);
    }
}
