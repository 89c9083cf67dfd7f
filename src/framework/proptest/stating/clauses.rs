//! What a property's body asserts and assumes.

use std::ops::Range;

use memchr::memchr_iter;

use super::opens;
use crate::language::rust::code::Code;
use crate::language::rust::normal::normal;
use crate::language::rust::tokens::Kind as Bracket;
use crate::oracle::Clause;

/// The assertions and assumptions of a body.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    pub(super) asserts: Vec<Clause>,
    pub(super) assumes: Vec<Clause>,
}

enum Kind {
    Assert,
    Assume,
}

/// Those of the tokens in `body`.
pub(super) fn clauses(code: &Code<'_>, body: Range<usize>) -> Clauses {
    let mut found = Clauses::default();
    let mut at = body.start;
    while at < body.end {
        let Some((kind, tokens)) = clause(code, at) else {
            at += 1;
            continue;
        };
        let clause =
            Clause { text: normal(code, tokens.start, tokens.end, &|at| is_message(code, at)), line: line(code, at) };
        match kind {
            Kind::Assert => found.asserts.push(clause),
            Kind::Assume => found.assumes.push(clause),
        }
        at = tokens.end;
    }
    found
}

/// What stands at `at`, where that is an assertion or an assumption.
fn clause(code: &Code<'_>, at: usize) -> Option<(Kind, Range<usize>)> {
    let word = code.word(at);
    if let Some(open) = code.macro_group(at) {
        let kind = kind(word)?;
        return Some((kind, code.path_start(at)..code.partner(open) + 1));
    }
    let is_error = matches!(word, "fail" | "reject") && code.open(at + 1, '(') && code.path_start(at) < at;
    let path = code.between(code.path_start(at), at);
    let kind = if word == "fail" { Kind::Assert } else { Kind::Assume };
    (is_error && path.contains("TestCaseError")).then(|| (kind, code.path_start(at)..code.partner(at + 1) + 1))
}

/// Whether the token at `at` is part of what an assertion would say when it fails, which asserts nothing. What may do more than be
/// said is none of it.
pub(super) fn is_message(code: &Code<'_>, at: usize) -> bool {
    let Some(open) = around(code, at) else { return false };
    let name = open.checked_sub(2).map_or("", |at| code.word(at));
    let bare = name.strip_prefix("prop_").unwrap_or(name);
    let said = match bare {
        "assert" => 1,
        "assert_eq" | "assert_ne" => 2,
        _ => return false,
    };
    let end = code.partner(open);
    let mut comma = open;
    for _ in 0..said {
        let Some(next) = code.next_at_level(comma + 1, end, |code, at| code.sign(at, ',')) else { return false };
        comma = next;
    }
    let is_plain = |at: usize| {
        !code.open(at, '{')
            && !"!?|=".chars().any(|sign| code.sign(at, sign))
            && !["return", "break", "continue"].contains(&code.word(at))
    };
    code.sign(open - 1, '!') && at >= comma && at < end && (comma..end).all(is_plain)
}

/// The innermost bracket of a macro call around the token at `at`.
fn around(code: &Code<'_>, at: usize) -> Option<usize> {
    let mut at = at;
    while let Some(before) = at.checked_sub(1) {
        at = before;
        match code.kind(at) {
            Some(Bracket::Close(_)) => at = code.partner(at),
            Some(Bracket::Open('(')) if at > 1 && code.sign(at - 1, '!') => return Some(at),
            Some(Bracket::Open('{')) => return None,
            _ => {}
        }
    }
    None
}

fn kind(name: &str) -> Option<Kind> {
    let bare = ["prop_", "debug_"].iter().fold(name, |name, prefix| name.strip_prefix(prefix).unwrap_or(name));
    match bare {
        "assume" => Some(Kind::Assume),
        "panic" | "unreachable" => Some(Kind::Assert),
        _ if bare.starts_with("assert") => Some(Kind::Assert),
        _ => None,
    }
}

/// The filters in a generator in normal form, which stands at `line`.
pub(super) fn filters(generator: &str, line: u32) -> Vec<Clause> {
    let Ok(code) = Code::read(generator) else { return Vec::new() };
    let is_filter = |at: &usize| code.word(*at).starts_with("prop_filter") && opens(&code, at + 1);
    let text = |at: usize| normal(&code, at, code.partner(at + 1) + 1, &|_| false);
    (0..code.tokens.len()).filter(is_filter).map(|at| Clause { text: text(at), line }).collect()
}

/// The line of a token, from 1.
pub(super) fn line(code: &Code<'_>, token: usize) -> u32 {
    let before = &code.text.as_bytes()[..code.start(token)];
    u32::try_from(memchr_iter(b'\n', before).count() + 1).unwrap_or(u32::MAX)
}
