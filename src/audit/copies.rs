//! Code under test that stands once more in a test: as an expression there that is, names of inputs and variables aside, the
//! body of a function.

use std::collections::{HashMap, HashSet};

use super::words::{Kind, Word, words};

/// A body shorter than this is nobody's alone.
const SHORTEST: usize = 7;

/// The body of a function as it is looked for.
pub(super) struct Pattern<'t> {
    words: Vec<Word<'t>>,
    /// Names that stand for whatever they are given.
    free: HashSet<&'t str>,
    /// Names and numbers that a copy has too.
    fixed: HashSet<&'t str>,
}

impl<'t> Pattern<'t> {
    /// Of the function with this `body` and these `parameters`; `None` where so little happens in it that it says nothing.
    pub(super) fn of(body: &'t str, parameters: &'t [String], quotes: &str) -> Option<Pattern<'t>> {
        let all = words(body, quotes);
        let words = core(&all);
        let computes = words.iter().filter(|word| is_operator(word)).count() >= 2;
        if words.len() < SHORTEST || !computes {
            return None;
        }
        let mut free: HashSet<&str> = parameters.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
        free.extend(bound(words));
        let is_fixed =
            |word: &&Word<'t>| matches!(word.kind, Kind::Name | Kind::Number | Kind::Text) && !free.contains(word.text);
        let fixed = words.iter().filter(is_fixed).map(|word| word.text).collect();
        Some(Pattern { words: words.to_vec(), free, fixed })
    }

    /// Whether a copy of it stands in `test`, all of whose texts are `known`.
    pub(super) fn is_in(&self, test: &[Word<'_>], known: &HashSet<&str>) -> bool {
        self.fixed.iter().all(|word| known.contains(word))
            && test.windows(self.words.len()).any(|window| self.fits(window))
    }

    fn fits(&self, window: &[Word<'_>]) -> bool {
        let mut stands_for: HashMap<&str, &str> = HashMap::new();
        self.words.iter().zip(window).all(|(own, other)| match self.free.contains(own.text) && own.kind == Kind::Name {
            true => {
                let is_one = matches!(other.kind, Kind::Name | Kind::Number);
                is_one && *stands_for.entry(own.text).or_insert(other.text) == other.text
            }
            false => own.text == other.text,
        })
    }
}

/// The body without the `return` and the semicolon around its only expression.
fn core<'w, 't>(words: &'w [Word<'t>]) -> &'w [Word<'t>] {
    let mut inner = words;
    if let [first, rest @ ..] = inner
        && first.is("return")
    {
        inner = rest;
    }
    if let [rest @ .., last] = inner
        && last.is(";")
    {
        inner = rest;
    }
    inner
}

/// The variables that a body binds.
fn bound<'t>(words: &[Word<'t>]) -> Vec<&'t str> {
    let name = |at: usize| words.get(at).filter(|word| word.kind == Kind::Name).map(|word| word.text);
    let is = |at: usize, text: &str| words.get(at).is_some_and(|word| word.is(text));
    let mut found = Vec::new();
    for at in 0..words.len() {
        let declares = ["let", "const", "var", "for"].iter().any(|word| is(at, word));
        let named = at + 1 + usize::from(is(at + 1, "mut"));
        found.extend(name(named).filter(|_| declares));
        // `x = …` at the beginning of a statement.
        let begins = at == 0 || [";", "{", "}"].iter().any(|sign| is(at - 1, sign));
        found.extend(name(at).filter(|_| begins && is(at + 1, "=")));
    }
    found
}

fn is_operator(word: &Word<'_>) -> bool {
    const OPERATORS: [&str; 22] = [
        "+", "-", "*", "/", "//", "%", "**", "<", ">", "<=", ">=", "==", "===", "!=", "!==", "&&", "||", "<<", ">>",
        "[", "and", "or",
    ];
    OPERATORS.iter().any(|operator| word.is(operator))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Pattern;
    use crate::audit::words::words;

    #[track_caller]
    fn check(body: &str, parameters: &[&str], test: &str, expected: bool) {
        let parameters: Vec<String> = parameters.iter().map(|name| (*name).to_owned()).collect();
        let test = words(test, "\"");
        let known: HashSet<&str> = test.iter().map(|word| word.text).collect();
        let pattern = Pattern::of(body, &parameters, "\"");
        assert_eq!(pattern.is_some_and(|pattern| pattern.is_in(&test, &known)), expected, "{body}");
    }

    #[test]
    fn a_copy_is_found_whatever_its_names_are() {
        let test = "prop_assert_eq!(fee(cents, days), cents * days * 3 / 1000);";
        check("amount * time * 3 / 1000", &["amount", "time"], test, true);
        check("return amount * time * 3 / 1000;", &["amount", "time"], test, true);
        check("let base = a * b; base + base / 10", &["a", "b"], "let x = p * q; x + x / 10", true);
        check("total = a * b; return total + total / 10", &["a", "b"], "t = p * q; return t + t / 10", true);
    }

    #[test]
    fn what_differs_or_is_short_is_no_copy() {
        let test = "prop_assert_eq!(fee(cents, days), cents * days * 3 / 1000);";
        check("amount * time * 4 / 1000", &["amount", "time"], test, false);
        check("amount * amount * 3 / 1000", &["amount", "time"], test, false);
        check("a / b", &["a", "b"], "x == y / z", false);
        check("inner(a, b, c, d)", &["a", "b", "c", "d"], "inner(w, x, y, z)", false);
    }
}
