//! A Rust file piece by piece: the items of its modules, each with whether it is test code.

use std::ops::Range;

use super::opens;
use crate::language::rust::code::Code;

/// An item.
#[derive(Debug)]
pub(super) struct Piece {
    /// Its tokens, attributes and all.
    pub(super) tokens: Range<usize>,
    /// The token that names it, else its first.
    pub(super) named: usize,
    /// Its name, with the keyword where that is no `fn`; of a macro call that of the macro.
    pub(super) name: String,
    /// What it is part of.
    pub(super) place: Place,
}

/// What an item is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Tests alone.
    Test,
    /// The code under test.
    Code,
}

/// The items of `code`, those of inline modules for themselves. What imports or declares modules, and plain tests, are left
/// out.
pub(super) fn pieces(code: &Code<'_>, is_test: bool) -> Vec<Piece> {
    let mut found = Vec::new();
    let place = if is_test { Place::Test } else { Place::Code };
    walk(code, 0..code.tokens.len(), place, &mut found);
    found
}

/// A module of a file: the file itself, or an inline one.
#[derive(Debug)]
pub(super) struct Module {
    /// The inline modules around it and its own name.
    pub(super) path: Vec<String>,
    /// What it is part of.
    pub(super) place: Place,
    /// Its imports, each from its `use` up to the semicolon.
    pub(super) uses: Vec<(usize, usize)>,
    /// The modules of other files that it declares: the first token of each, and its `mod`.
    pub(super) declared: Vec<(usize, usize)>,
}

/// The modules of `code`.
pub(super) fn modules(code: &Code<'_>, is_test: bool) -> Vec<Module> {
    let place = if is_test { Place::Test } else { Place::Code };
    let mut found = Vec::new();
    let mut open = vec![(0..code.tokens.len(), Vec::new(), place)];
    while let Some((tokens, path, place)) = open.pop() {
        let mut module = Module { path: path.clone(), place, uses: Vec::new(), declared: Vec::new() };
        let mut at = tokens.start;
        while at < tokens.end {
            let end = end(code, at, tokens.end);
            let keyword = keyword(code, at..end);
            match code.word(keyword) {
                "mod" if code.open(keyword + 2, '{') => {
                    let is_of_tests =
                        code.attributes(at, keyword).any(|(_, span)| is_of_tests(&code.text[span.range()]));
                    let place = if is_of_tests { Place::Test } else { place };
                    let path = path.iter().cloned().chain([code.word(keyword + 1).to_owned()]).collect();
                    open.push((keyword + 3..code.partner(keyword + 2), path, place));
                }
                "mod" => module.declared.push((at, keyword)),
                "use" => module.uses.push((keyword, end.saturating_sub(1))),
                _ => {}
            }
            at = end;
        }
        found.push(module);
    }
    found
}

fn walk(code: &Code<'_>, tokens: Range<usize>, place: Place, found: &mut Vec<Piece>) {
    let mut at = tokens.start;
    while at < tokens.end {
        let end = end(code, at, tokens.end);
        let keyword = keyword(code, at..end);
        let attributes: Vec<&str> = code.attributes(at, keyword).map(|(_, span)| &code.text[span.range()]).collect();
        match code.word(keyword) {
            "mod" if code.open(keyword + 2, '{') => {
                let place = if attributes.iter().any(|one| is_of_tests(one)) { Place::Test } else { place };
                walk(code, keyword + 3..code.partner(keyword + 2), place, found);
            }
            "use" | "mod" | "extern" => {}
            "fn" if attributes.iter().any(|one| is_test(one)) => {}
            _ => {
                let (named, name) = name(code, keyword);
                found.push(Piece { tokens: at..end, named, name, place });
            }
        }
        at = end;
    }
}

/// The token after the item that begins at `start`: behind its semicolon, or behind its braces.
fn end(code: &Code<'_>, start: usize, last: usize) -> usize {
    let mut at = start;
    while at < last {
        if code.sign(at, ';') {
            return at + 1;
        }
        let Some(after) = code.after_group(at) else {
            at += 1;
            continue;
        };
        // A value in braces, as in `const A: B = B { … };`, goes on.
        if code.open(at, '{') && !is_value(code, start, at) {
            return after + usize::from(code.sign(after, ';'));
        }
        at = after;
    }
    last
}

/// Whether the brace at `open` is in a value that a `=` of the item begins.
fn is_value(code: &Code<'_>, start: usize, open: usize) -> bool {
    let is_given = |at: usize| {
        let is_part = |at: usize| "=!<>".chars().any(|sign| code.sign(at, sign));
        code.sign(at, '=') && !is_part(at + 1) && !is_part(at.saturating_sub(1))
    };
    code.next_at_level(start, open, |code, at| {
        matches!(code.word(at), "const" | "static" | "let") && !matches!(code.word(at + 1), "fn" | "unsafe" | "async")
    })
    .is_some_and(|at| code.next_at_level(at, open, |_, at| is_given(at)).is_some())
}

/// The first token of an item behind its attributes and what qualifies it.
fn keyword(code: &Code<'_>, item: Range<usize>) -> usize {
    const KEYWORDS: [&str; 13] = [
        "fn",
        "mod",
        "use",
        "struct",
        "enum",
        "union",
        "trait",
        "impl",
        "type",
        "static",
        "macro_rules",
        "macro",
        "const",
    ];
    let mut at = item.start;
    let mut first = None;
    while at < item.end {
        if code.sign(at, '#') && code.open(at + 1, '[') {
            at = code.partner(at + 1) + 1;
            continue;
        }
        if KEYWORDS.contains(&code.word(at)) && !(code.word(at) == "const" && code.word(at + 1) == "fn") {
            return at;
        }
        if opens(code, at) && first.is_some() && !code.word(at.saturating_sub(1)).eq("pub") {
            break;
        }
        first = first.or((!code.word(at).is_empty()).then_some(at));
        at = code.after_group(at).unwrap_or(at + 1);
    }
    first.unwrap_or(item.start)
}

/// The token that names the item whose keyword is at `at`, and what it is called.
fn name(code: &Code<'_>, at: usize) -> (usize, String) {
    let keyword = code.word(at);
    match keyword {
        "fn" => (at + 1, code.word(at + 1).to_owned()),
        "impl" => {
            let end = code.next_at_level(at, code.tokens.len(), |code, at| code.open(at, '{')).unwrap_or(at + 1);
            (at, crate::language::rust::normal::normal(code, at, end, &|_| false))
        }
        "macro_rules" => (at + 2, format!("{}!", code.word(at + 2))),
        _ if code.macro_group(at).is_some() => {
            let open = at + 2;
            let named = (open..code.partner(open)).find(|&at| code.word(at) == "fn").map_or(at, |at| at + 1);
            let own = if named == at { format!("{keyword}!") } else { code.word(named).to_owned() };
            (named, own)
        }
        _ => (at + 1, format!("{keyword} {}", code.word(at + 1))),
    }
}

fn is_of_tests(attribute: &str) -> bool {
    let text: String = attribute.split_whitespace().collect();
    text.starts_with("#[cfg(test)") || text.starts_with("#[cfg(all(test")
}

fn is_test(attribute: &str) -> bool {
    let text: String = attribute.split_whitespace().collect();
    let path = text.trim_start_matches("#[").split(['(', ']']).next().unwrap_or_default();
    path == "test" || path.ends_with("::test") || path == "rstest"
}
