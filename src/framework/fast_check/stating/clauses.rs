//! What a test asserts and assumes: calls of assertion functions, what its predicates give back and throw, `fc.pre`, ways out
//! for some inputs, and filters of arbitraries.

use super::super::calls::last_name;
use super::Source;
use super::reach::is_of_library;
use crate::language::typescript::code::{Code, Kind};
use crate::oracle::Clause;
use crate::span::Span;

/// Methods of the object that some runners give a test, by which it asserts.
const OF_TEST: [&str; 22] = [
    "deepEqual",
    "equal",
    "equals",
    "false",
    "falsy",
    "is",
    "like",
    "not",
    "notDeepEqual",
    "notEqual",
    "notOk",
    "notRegex",
    "notStrictEqual",
    "notThrows",
    "ok",
    "regex",
    "same",
    "strictEqual",
    "throws",
    "throwsAsync",
    "true",
    "truthy",
];

/// The assertions and assumptions of a test.
#[derive(Default)]
pub(super) struct Clauses {
    found: Vec<(Span, Sort, Clause)>,
    /// What is said by them, with the statements that are nothing else.
    pub(super) cuts: Vec<Span>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Asserts,
    Assumes,
}

impl Clauses {
    /// The assertions, in order.
    pub(super) fn asserts(&self) -> Vec<Clause> {
        self.of(Sort::Asserts)
    }

    /// The assumptions, in order.
    pub(super) fn assumes(&self) -> Vec<Clause> {
        self.of(Sort::Assumes)
    }

    fn of(&self, kind: Sort) -> Vec<Clause> {
        let mut found: Vec<&(Span, Sort, Clause)> = self.found.iter().filter(|(_, one, _)| *one == kind).collect();
        found.sort_by_key(|(span, ..)| span.start);
        found.into_iter().map(|(.., clause)| clause.clone()).collect()
    }

    fn holds(&self, span: Span) -> bool {
        self.cuts.iter().any(|cut| cut.start <= span.start && span.end <= cut.end)
    }

    fn add(&mut self, kind: Sort, code: &Code, said: Span, cut: Span) {
        let text = code.normal(said).trim_end_matches(';').to_owned();
        self.found.push((said, kind, Clause { text, line: code.line(said.start) }));
        self.cuts.push(cut);
    }
}

/// Pieces of a file in which clauses stand.
#[derive(Default)]
pub(super) struct Parts {
    /// The test, and what of it stands elsewhere.
    pub(super) regions: Vec<Span>,
    /// The functions among them that the library calls.
    pub(super) predicates: Vec<Span>,
    /// What generates their inputs.
    pub(super) arbitraries: Vec<Span>,
    /// The calls that run the properties.
    pub(super) runs: Vec<Span>,
}

impl Source<'_> {
    /// The clauses in `parts`.
    pub(super) fn clauses(&self, parts: &Parts) -> Clauses {
        let Parts { regions, predicates, arbitraries, runs } = parts;
        let code = &*self.code;
        let mut clauses = Clauses::default();
        let inside =
            |outer: &Vec<Span>, span: Span| outer.iter().any(|one| one.start <= span.start && span.end <= one.end);
        // Ways out first: what they are decided by is part of them.
        for predicate in predicates {
            self.ways_out(*predicate, &mut clauses);
        }
        for call in code.calls.iter().filter(|call| inside(regions, call.span)) {
            if inside(arbitraries, call.span) || clauses.holds(call.span) || runs.contains(&call.span) {
                continue;
            }
            let callee = code.at(call.callee);
            let cut = code.whole_of(call.span);
            if last_name(callee) == "pre" && is_of_library(code, callee) {
                clauses.add(Sort::Assumes, code, call.span, cut);
            } else if is_assertion(callee) {
                clauses.add(Sort::Asserts, code, call.span, self.returned(cut, predicates));
            }
        }
        for predicate in predicates {
            self.answers(*predicate, &mut clauses);
        }
        for call in code.calls.iter().filter(|call| inside(arbitraries, call.span)) {
            let method = code.method(call.callee).filter(|(_, name)| code.at(*name) == "filter");
            if let Some((_, name)) = method {
                let said = Span::new(name.start, call.span.end);
                let clause = Clause { text: code.normal(said), line: code.line(name.start) };
                clauses.found.push((said, Sort::Assumes, clause));
            }
        }
        clauses
    }

    /// The whole `return` of a predicate that gives back what is at `span`; else `span`.
    fn returned(&self, span: Span, predicates: &[Span]) -> Span {
        let returns = predicates.iter().flat_map(|predicate| self.code.own_returns(*predicate));
        let mut found = returns.filter(|one| one.value.is_some_and(|value| self.code.plain(value) == span));
        found.next().map_or(span, |one| one.span)
    }

    /// Errors that a predicate throws itself, and inputs for which it asks nothing.
    fn ways_out(&self, predicate: Span, clauses: &mut Clauses) {
        let code = &*self.code;
        for throw in code.throws(predicate) {
            let said = code.guard(throw).unwrap_or(throw);
            clauses.add(Sort::Asserts, code, said, said);
        }
        for one in code.own_returns(predicate) {
            let guard = code.guard(one.span);
            let value = one.value.map_or("undefined", |value| code.at(value));
            match (value, guard) {
                ("true" | "undefined", Some(guard)) => clauses.add(Sort::Assumes, code, guard, guard),
                ("false", _) => {
                    let said = guard.unwrap_or(one.span);
                    clauses.add(Sort::Asserts, code, said, said);
                }
                _ => {}
            }
        }
    }

    /// What a predicate gives back.
    fn answers(&self, predicate: Span, clauses: &mut Clauses) {
        let code = &*self.code;
        for one in code.own_returns(predicate) {
            let Some(value) = one.value.filter(|value| !["true", "undefined"].contains(&code.at(*value))) else {
                continue;
            };
            if !clauses.holds(one.span) {
                clauses.add(Sort::Asserts, code, value, one.span);
            }
        }
        let Some(function) = code.function_at(predicate) else { return };
        let is_expression = code.statements(function.body).is_none();
        let asserts =
            |span: Span| clauses.cuts.iter().any(|cut| function.body.start <= cut.start && cut.end <= span.end);
        if is_expression && !asserts(function.body) && code.kind(function.body) != Kind::Function {
            clauses.add(Sort::Asserts, code, function.body, function.body);
        }
    }
}

/// Whether a call of `callee` asserts.
pub(super) fn is_assertion(callee: &str) -> bool {
    let root = callee.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).next().unwrap_or_default();
    let is_of =
        |word: &str| root == word || root.strip_prefix(word).is_some_and(|rest| rest.starts_with(char::is_uppercase));
    let of_test = || match callee.split_once('.') {
        Some(("t", method)) => method.starts_with("assert.") || OF_TEST.contains(&method),
        Some(("chai", method)) => method.starts_with("assert") || method.starts_with("expect"),
        Some(("sinon", method)) => method.starts_with("assert."),
        _ => false,
    };
    is_of("expect") || is_of("assert") || callee.contains(".should.") || of_test()
}
