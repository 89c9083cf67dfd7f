//! A body with its variables replaced by their values, as a hand would write it.

use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Expr, Pat};

use super::standing::bound;
use crate::language::rust::code::Code;
use crate::language::rust::tokens::Kind;

/// The names and values of statements that bind a name to a literal each; `None` where one does more.
pub(super) fn simple(statements: &[String]) -> Option<Vec<(String, String)>> {
    let pair = |statement: &String| {
        let (pattern, value) = statement.strip_prefix("let ")?.strip_suffix(';')?.split_once(" = ")?;
        let is_bare = is_literal(value) && !pattern.contains(':');
        is_bare.then(|| bound_to(pattern, value)).flatten()
    };
    statements.iter().map(pair).collect::<Option<Vec<_>>>().map(|pairs| pairs.concat())
}

/// The names of a pattern with the part of `value` that each is bound to, where it is a name or a tuple of names.
pub(super) fn bound_to(pattern: &str, value: &str) -> Option<Vec<(String, String)>> {
    if bound(pattern).as_slice() == [pattern] {
        return Some(vec![(pattern.to_owned(), value.to_owned())]);
    }
    let Ok(Pat::Tuple(names)) = Pat::parse_multi.parse_str(pattern) else { return None };
    let names = names.elems.iter().map(|name| pattern.get(name.span().byte_range()));
    let names = names.collect::<Option<Vec<&str>>>()?;
    let Ok(Expr::Tuple(tuple)) = syn::parse_str::<Expr>(value) else { return None };
    let parts = tuple.elems.iter().map(|part| value.get(part.span().byte_range()));
    let parts = parts.collect::<Option<Vec<&str>>>().filter(|parts| parts.len() == names.len())?;
    let pairs = names.iter().zip(parts).map(|(name, part)| bound_to(name, part));
    pairs.collect::<Option<Vec<_>>>().map(|pairs| pairs.concat())
}

/// `body` with its variables replaced by `values`, each named once or its value a literal.
pub(super) fn replaced(body: &str, values: &[(String, String)]) -> Option<String> {
    let code = Code::read(body).ok()?;
    let is_field = |at: usize| at > 0 && code.sign(at - 1, '.') && !(at > 1 && code.sign(at - 2, '.'));
    let mut places = Vec::new();
    for (name, value) in values {
        let is_it = |at: &usize| code.word(*at) == name && !is_field(*at);
        let own: Vec<usize> = (0..code.tokens.len()).filter(is_it).collect();
        if value.contains('\n') || own.is_empty() || own.len() > 1 && !is_literal(value) {
            return None;
        }
        places.extend(own.into_iter().map(|at| (at, value)));
    }
    places.sort_unstable();
    let (mut said, mut rest) = (String::new(), 0);
    for (at, value) in places {
        let Replacement { first, last, text } = replacement(&code, at, value)?;
        said.push_str(&body[rest..code.start(first)]);
        said.push_str(&text);
        rest = code.span(last, last).end;
    }
    Some(said + &body[rest..])
}

/// The tokens that go, and what takes their place.
struct Replacement {
    first: usize,
    last: usize,
    text: String,
}

/// How the variable at `at` is replaced by `value`; `None` where its name itself is needed.
fn replacement(code: &Code<'_>, at: usize, value: &str) -> Option<Replacement> {
    let is_label = code.sign(at + 1, ':') && !code.sign(at + 2, ':');
    let around = (0..at).rev().find(|&open| matches!(code.kind(open), Some(Kind::Open(_))) && code.partner(open) > at);
    let ends = |at: usize| code.sign(at, ',') || matches!(code.kind(at), Some(Kind::Close('}') | Kind::Open('{')));
    let is_shorthand = around.is_some_and(|open| code.open(open, '{')) && ends(at - 1) && ends(at + 1);
    if is_label || is_shorthand {
        return None;
    }
    if let Some(text) = text_of_string(value) {
        return Some(replaced_text(code, at, value, text));
    }
    let applied = code.sign(at + 1, '.') || code.sign(at + 1, '?');
    let is_loose = |value: &Expr| matches!(value, Expr::Unary(_) | Expr::Binary(_) | Expr::Range(_));
    let needs_brackets = applied && syn::parse_str::<Expr>(value).map_or(true, |value| is_loose(&value));
    let text = if needs_brackets { format!("({value})") } else { value.to_owned() };
    Some(Replacement { first: at, last: at, text })
}

/// Of an owned text only the text may be wanted.
fn replaced_text(code: &Code<'_>, at: usize, value: &str, text: &str) -> Replacement {
    let as_text = code.sign(at + 1, '.') && matches!(code.word(at + 2), "as_str" | "as_ref") && code.open(at + 3, '(');
    let is_lent = at > 0 && code.sign(at - 1, '&') && !code.sign(at + 1, '.');
    let (first, last, text) = match (as_text, is_lent) {
        (true, _) => (at, code.partner(at + 3), text),
        (false, true) => (at - 1, at, text),
        (false, false) => (at, at, value),
    };
    Replacement { first, last, text: text.to_owned() }
}

/// The literal in `String::from("…")`.
fn text_of_string(value: &str) -> Option<&str> {
    let text = value.strip_prefix("String::from(")?.strip_suffix(')')?;
    is_literal(text).then_some(text)
}

fn is_literal(text: &str) -> bool {
    matches!(syn::parse_str::<Expr>(text), Ok(Expr::Lit(_)))
}

#[cfg(test)]
mod tests {
    use super::{bound_to, replaced, simple};
    use crate::language::rust::tokens::apart;

    #[track_caller]
    fn check(pattern: &str, value: &str, body: &str, expected: Option<&str>) {
        let found = apart(|| replaced(body, &bound_to(pattern, value)?));
        assert_eq!(found.as_deref(), expected, "{body}");
    }

    #[test]
    fn a_variable_named_once_becomes_its_value() {
        check("n", "7u32", "Grams::new(n).unwrap()", Some("Grams::new(7u32).unwrap()"));
        check("n", "-7i32", "n.abs() + n", None);
        check("n", "-7i32", "n.abs()", Some("(-7i32).abs()"));
        check("n", "7u32", "x.n + n * n", Some("x.n + 7u32 * 7u32"));
        check("v", "vec![1u8]", "f(v.clone(), v)", None);
        check("(a, b)", "(1u8, Secret::new(2u32))", "Pair::new(a, &b)", Some("Pair::new(1u8, &Secret::new(2u32))"));
        check("(a, (b, c))", "(1u8, (2u8, 3u8))", "f(c, b, a)", Some("f(3u8, 2u8, 1u8)"));
    }

    #[test]
    fn a_name_that_is_needed_stays() {
        check("day", "1u8", "Shift { day }", None);
        check("day", "1u8", "Shift { day: 2 }", None);
        check("day", "1u8", "format!(\"{day}\")", None);
        check("Pair(a, b)", "Pair(1u8, 2u8)", "f(a, b)", None);
        check("(a, b)", "pair()", "f(a, b)", None);
        check("v", "{\n    1\n}", "f(v)", None);
    }

    #[test]
    fn of_an_owned_text_the_text_is_taken_where_that_is_enough() {
        let owned = "String::from(\"a\")";
        check("t", owned, "Code::try_from(t.as_str())", Some("Code::try_from(\"a\")"));
        check("t", owned, "f(&t)", Some("f(\"a\")"));
        check("t", owned, "f(t)", Some("f(String::from(\"a\"))"));
        check("t", owned, "f(&t.len())", Some("f(&String::from(\"a\").len())"));
    }

    #[test]
    fn statements_that_bind_literals_are_values() {
        let statements = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let pairs = apart(|| simple(&statements(&["let low = 1u32;", "let high = 2u32;"]))).unwrap();
        assert_eq!(pairs, [("low".to_owned(), "1u32".to_owned()), ("high".to_owned(), "2u32".to_owned())]);
        assert_eq!(apart(|| simple(&statements(&["let n: u8 = 1;"]))), None);
        assert_eq!(apart(|| simple(&statements(&["use a::b;"]))), None);
        assert_eq!(apart(|| simple(&statements(&["let b = a + 1;"]))), None);
    }
}
