//! Assertions that no input can break: of constants alone, of something compared with itself, of a length that is not below
//! nothing.

use super::words::{Kind, Word, at_level, partner, split};

/// Why `assertion`, in normal form, cannot fail; `None` where it may, or where that is not plain to see.
pub(super) fn idle(assertion: &[Word<'_>]) -> Option<&'static str> {
    let Claim { sides, is_negated } = claim(assertion)?;
    if is_negated {
        return None;
    }
    match sides.as_slice() {
        all if !all.is_empty() && all.iter().all(|side| is_constant(side)) => Some("is about constants alone"),
        [left, right] if is_itself(left, right) => Some("compares something with itself"),
        [only] => condition(only),
        _ => None,
    }
}

/// What an assertion is about.
struct Claim<'w, 't> {
    /// The condition, or the two that are compared.
    sides: Vec<&'w [Word<'t>]>,
    is_negated: bool,
}

fn claim<'w, 't>(words: &'w [Word<'t>]) -> Option<Claim<'w, 't>> {
    let first = words.first()?;
    let is_keyword = first.is("assert") && !words.get(1).is_some_and(|word| word.is("!") || word.is("."));
    let open = words.iter().position(|word| word.is("("));
    let is_all_in_brackets = words.get(1).is_some_and(|word| word.is("(")) && partner(words, 1) + 1 == words.len();
    if is_keyword && !is_all_in_brackets {
        return Some(Claim { sides: vec![&words[1..]], is_negated: false });
    }
    let is_call = |open: usize| {
        let path = &words[..open];
        open > 0 && path.iter().all(|word| word.kind == Kind::Name || matches!(word.text, "!" | "." | "::"))
    };
    let Some(open) = open.filter(|open| is_call(*open)) else {
        // What a predicate gives back.
        return Some(Claim { sides: vec![words], is_negated: false });
    };
    let name = words[..open].iter().rev().find(|word| word.kind == Kind::Name)?.text;
    if !["assert", "expect", "prop_assert", "debug_assert"].iter().any(|word| first_of(words, open).contains(word)) {
        return Some(Claim { sides: vec![words], is_negated: false });
    }
    let close = partner(words, open);
    let arguments: Vec<&[Word<'t>]> = split(&words[open + 1..close], ",");
    if close + 1 < words.len() {
        return matcher(words, close, arguments.first()?);
    }
    let lower = name.to_ascii_lowercase();
    let compares = lower.ends_with("eq") || lower.ends_with("equal") || lower.ends_with("equals");
    let is_negated = lower.contains("not") || lower.ends_with("ne");
    match (compares, arguments.as_slice()) {
        (true, [left, right, ..]) => Some(Claim { sides: vec![left, right], is_negated }),
        (false, [condition, ..])
            if matches!(
                lower.trim_end_matches('_'),
                "assert" | "prop_assert" | "debug_assert" | "ok" | "asserttrue" | "assert_true" | "istrue"
            ) =>
        {
            Some(Claim { sides: vec![condition], is_negated })
        }
        _ => None,
    }
}

/// The path in front of a call: an assertion is named in it.
fn first_of<'t>(words: &[Word<'t>], open: usize) -> Vec<&'t str> {
    let plain = |word: &Word<'t>| match word.text {
        text if text.starts_with("prop_assert") => "prop_assert",
        text if text.starts_with("debug_assert") => "debug_assert",
        text if text.starts_with("assert") => "assert",
        text => text,
    };
    words[..open].iter().map(plain).collect()
}

/// `expect(value).matcher(expected)`.
fn matcher<'w, 't>(words: &'w [Word<'t>], close: usize, value: &'w [Word<'t>]) -> Option<Claim<'w, 't>> {
    let open = at_level(words, close + 1, words.len(), |word| word.is("("))?;
    let name = words[..open].last()?.text;
    let is_negated = words[close..open].iter().any(|word| word.is("not"));
    let end = partner(words, open);
    let expected = &words[open + 1..end];
    match name {
        "toBe" | "toEqual" | "toStrictEqual" | "toMatchObject" | "equal" | "eql" => {
            Some(Claim { sides: vec![value, expected], is_negated })
        }
        "toBeTruthy" | "toBeDefined" | "toBeFalsy" if is_constant(value) => {
            Some(Claim { sides: vec![value], is_negated })
        }
        _ => None,
    }
}

/// A condition: of several that are all asked each must be idle, of several of which one is asked any may.
fn condition(words: &[Word<'_>]) -> Option<&'static str> {
    let words = bare(words);
    for sign in ["||", "or"] {
        let parts = split(words, sign);
        if parts.len() > 1 {
            let is_true = |part: &&&[Word<'_>]| matches!(bare(part), [only] if only.is("true") || only.is("True"));
            let found = parts.iter().find_map(|part| condition(part));
            return match parts.iter().any(|part| is_true(&part)) || are_all_cases(&parts) {
                true => Some("holds in every case that there is"),
                false => found.filter(|_| parts.iter().all(|part| condition(part).is_some())),
            };
        }
    }
    for sign in ["&&", "and"] {
        let parts = split(words, sign);
        if parts.len() > 1 {
            let found: Vec<_> = parts.iter().map(|part| condition(part)).collect();
            return if found.iter().all(Option::is_some) { found.into_iter().flatten().next() } else { None };
        }
    }
    for sign in ["===", "==", ">=", "<=", "is"] {
        if let Some((left, right)) = sides(words, sign) {
            return match () {
                () if is_constant(left) && is_constant(right) => Some("is about constants alone"),
                () if is_itself(left, right) => Some("compares something with itself"),
                () if sign == ">=" && is_length(left) && is_nothing(right) => Some("asks that a length is not below 0"),
                () if sign == "<=" && is_nothing(left) && is_length(right) => Some("asks that a length is not below 0"),
                () => None,
            };
        }
    }
    is_constant(words).then_some("is about constants alone")
}

/// What stands on both sides of the only `sign`, whose characters may stand apart.
fn sides<'w, 't>(words: &'w [Word<'t>], sign: &str) -> Option<(&'w [Word<'t>], &'w [Word<'t>])> {
    if let [left, right] = split(words, sign).as_slice() {
        return Some((left, right));
    }
    let (first, second) = sign.split_at(sign.len() - 1);
    match split(words, second).as_slice() {
        [[left @ .., last], right] if last.is(first) => Some((left, right)),
        _ => None,
    }
}

/// `x.is_ok()` and `x.is_err()`, `x` and `!x`.
fn are_all_cases(parts: &[&[Word<'_>]]) -> bool {
    let [left, right] = parts else { return false };
    let texts = |part: &[Word<'_>]| bare(part).iter().map(|word| word.text.to_owned()).collect::<Vec<_>>();
    let (left, right) = (texts(left), texts(right));
    let is_not =
        |a: &[String], b: &[String]| a.first().is_some_and(|first| first == "!" || first == "not") && a[1..] == *b;
    let swapped = |a: &str, b: &str| {
        let change = |word: &String| if word == a { b.to_owned() } else { word.clone() };
        left.iter().any(|word| word == a) && left.iter().map(change).eq(right.iter().cloned())
    };
    is_not(&left, &right)
        || is_not(&right, &left)
        || swapped("is_ok", "is_err")
        || swapped("is_err", "is_ok")
        || swapped("is_some", "is_none")
        || swapped("is_none", "is_some")
}

/// Without brackets around all of it.
fn bare<'w, 't>(words: &'w [Word<'t>]) -> &'w [Word<'t>] {
    let mut inner = words;
    while inner.len() > 2 && inner[0].is("(") && partner(inner, 0) + 1 == inner.len() {
        inner = &inner[1..inner.len() - 1];
    }
    inner
}

/// Whether both sides are the same, and nothing is computed on either: two runs of code may well differ.
fn is_itself(left: &[Word<'_>], right: &[Word<'_>]) -> bool {
    let plain = |side: &[Word<'_>]| {
        let texts: Vec<String> =
            bare(side).iter().filter(|word| !word.is("&")).map(|word| word.text.to_owned()).collect();
        match texts.as_slice() {
            [rest @ .., dot, clone, open, close]
                if [dot, clone, open, close].iter().map(|one| one.as_str()).eq([".", "clone", "(", ")"]) =>
            {
                rest.to_vec()
            }
            _ => texts,
        }
    };
    let (left, right) = (plain(left), plain(right));
    let computes = |texts: &[String]| texts.iter().any(|text| text == "(" || text == "!");
    !left.is_empty() && left == right && !computes(&left)
}

/// Whether it says the same whatever the input is.
fn is_constant(words: &[Word<'_>]) -> bool {
    const VALUES: [&str; 8] = ["true", "false", "True", "False", "None", "null", "undefined", "not"];
    let is_one = |word: &Word<'_>| match word.kind {
        Kind::Name => VALUES.contains(&word.text),
        Kind::Number => true,
        // In it code may stand.
        Kind::Text => !word.text.starts_with('`'),
        Kind::Sign => !matches!(word.text, "…"),
    };
    let is_false = |word: &Word<'_>| word.is("false") || word.is("False");
    // To fail whatever the input is, is something else.
    !words.is_empty() && words.iter().all(is_one) && !(words.len() == 1 && is_false(&words[0]))
}

fn is_nothing(words: &[Word<'_>]) -> bool {
    matches!(bare(words), [only] if only.kind == Kind::Number && only.text.trim_end_matches(|c: char| c.is_alphabetic() || c == '_') == "0")
}

/// `x.len()`, `len(x)`, `x.length`.
fn is_length(words: &[Word<'_>]) -> bool {
    let words = bare(words);
    let is = |at: usize, text: &str| words.get(at).is_some_and(|word| word.is(text));
    let last = words.len();
    let by_call = last > 4 && is(last - 4, ".") && is(last - 3, "len") && is(last - 2, "(") && is(last - 1, ")");
    let by_member = last > 2 && is(last - 2, ".") && is(last - 1, "length");
    let by_function = is(0, "len") && is(1, "(") && partner(words, 1) + 1 == last;
    let is_one = !words.iter().any(|word| matches!(word.text, "+" | "-" | "*" | "/"));
    (by_call || by_member || by_function) && is_one
}

#[cfg(test)]
mod tests {
    use super::idle;
    use crate::audit::words::words;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(idle(&words(text, "\"")), expected, "{text}");
    }

    #[test]
    fn what_no_input_can_break_is_told() {
        let constants = Some("is about constants alone");
        for text in [
            "prop_assert!(true)",
            "assert!(1 + 1 == 2, \"no\")",
            "assert_eq!(2, 2)",
            "assert True",
            "expect(true).toBe(true)",
            "true",
        ] {
            check(text, constants);
        }
        let itself = Some("compares something with itself");
        for text in [
            "prop_assert_eq!(x, x)",
            "prop_assert_eq!(&xs, &xs.clone())",
            "assert x == x",
            "self.assertEqual(x, x)",
            "expect(x).toEqual(x)",
            "assert.strictEqual(a.b, a.b)",
            "a === a",
            "assert x <= x",
        ] {
            check(text, itself);
        }
        for text in [
            "assert len(xs) >= 0",
            "prop_assert!(xs.len() > = 0)",
            "prop_assert!(out.len() >= 0usize)",
            "xs.length >= 0",
        ] {
            check(text, Some("asks that a length is not below 0"));
        }
        for text in ["prop_assert!(r.is_ok() || r.is_err())", "assert x or not x", "assert x or True"] {
            check(text, Some("holds in every case that there is"));
        }
    }

    #[test]
    fn what_an_input_may_break_is_not_told() {
        for text in [
            "prop_assert!(f(x) == f(x))",
            "prop_assert_ne!(x, x)",
            "expect(x).not.toBe(x)",
            "assert x == y",
            "assert!(matches!(x, A))",
            "prop_assert!(false, \"no\")",
            "assert len(xs) - 1 >= 0",
            "prop_assert!(max - min <= 1)",
            "expect(out).toHaveLength(parts)",
            "pytest.raises(ValueError)",
            "sum(out) === total",
            "f(a, b) < 2",
            "assert (a + b) * c == d",
            "TestCaseError::fail(\"big\")",
        ] {
            check(text, None);
        }
    }
}
