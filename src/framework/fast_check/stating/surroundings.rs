//! What stands around the tests of a file: functions and constants that they rest on, and what runs before each of them, as
//! hooks, mocks, tables and loops do.

use std::collections::HashMap;

use super::super::calls::Titled;
use super::Source;
use super::skipped::first_callee;
use crate::language::typescript::code::Code;
use crate::oracle::Named;
use crate::repo_path::RepoPath;
use crate::span::Span;

/// Deepest nesting of suites that is looked into.
const DEPTH: usize = 64;

/// What begins a test or a suite in the usual runners.
pub(super) const TESTS: [&str; 18] = [
    "bench",
    "context",
    "describe",
    "fcontext",
    "fdescribe",
    "fit",
    "it",
    "specify",
    "suite",
    "test",
    "testProp",
    "xcontext",
    "xdescribe",
    "xit",
    "xspecify",
    "xsuite",
    "xtest",
    "Deno",
];

/// What stands around tests.
#[derive(Default)]
pub(super) struct Surroundings {
    /// Functions, classes and constants.
    pub(super) support: Vec<Named>,
    /// What runs before a test, by its call, in normal form.
    pub(super) before: HashMap<usize, String>,
}

/// Statements that follow each other.
struct Block<'s> {
    statements: Vec<Span>,
    /// The titles of the suites around them, each with what stands between names.
    suites: &'s str,
    /// What runs before them.
    before: &'s str,
}

impl Source<'_> {
    /// What stands around `tests`, calls in order.
    pub(super) fn surroundings(&self, tests: &[usize]) -> Surroundings {
        let mut found = Surroundings::default();
        let block = Block { statements: self.code.module_statements(), suites: "", before: "" };
        self.walk(&block, tests, DEPTH, &mut found);
        found
    }

    /// The calls that are tests or suites, the library's or not.
    pub(super) fn test_calls(&self) -> Vec<usize> {
        let is_test = |one: &&Titled| {
            let call = &self.code.calls[one.call];
            let root = self.code.at(first_callee(&self.code, call.callee)).split('.').next().unwrap_or_default();
            let root = root.trim_start_matches('(');
            let holds = || {
                let mut spans = self.asserts.iter().map(|assert| self.code.calls[assert.call].span);
                spans.any(|span| call.span.start <= span.start && span.end <= call.span.end)
            };
            one.own.is_some() || TESTS.contains(&root) || holds() || !self.helper_runs(one.call).is_empty()
        };
        self.all.iter().filter(is_test).map(|one| one.call).collect()
    }

    fn walk(&self, block: &Block<'_>, tests: &[usize], depth: usize, found: &mut Surroundings) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let code = &*self.code;
        let mut before = block.before.to_owned();
        let held: Vec<Vec<usize>> = block.statements.iter().map(|one| outermost(code, tests, *one)).collect();
        for (statement, held) in block.statements.iter().zip(&held) {
            match code.declared(*statement) {
                Some(declared) => found.support.extend(declared.into_iter().map(|one| Named {
                    name: format!("{}{}", block.suites, one.name),
                    text: code.normal(one.span).trim_end_matches(';').to_owned(),
                    line: code.line(one.place.start),
                })),
                None if held.is_empty() && !self.is_run(*statement) => add(&mut before, &code.normal(*statement)),
                None => {}
            }
        }
        for (statement, held) in block.statements.iter().zip(&held) {
            let spans: Vec<Span> = held.iter().map(|at| code.whole_of(code.calls[*at].span)).collect();
            let mut around = before.clone();
            if !spans.contains(statement) {
                add(&mut around, &code.normal_without(*statement, &spans));
            }
            for at in held {
                self.enter(*at, &Block { before: &around, statements: Vec::new(), ..*block }, tests, depth, found);
            }
        }
    }

    /// Goes on inside the test or suite of the call at `at`.
    fn enter(&self, at: usize, around: &Block<'_>, tests: &[usize], depth: usize, found: &mut Surroundings) {
        let code = &*self.code;
        let call = &code.calls[at];
        let mut before = around.before.to_owned();
        if let Some(table) = self.table(call.callee) {
            add(&mut before, &table);
        }
        let is_suite = tests.iter().any(|inner| code.calls[*inner].around.is_some() && self.is_in(*inner, at));
        if is_suite && let Some(body) = self.callback(at).and_then(|callback| code.function_at(callback)) {
            let title = call.arguments.first().map_or(String::new(), |title| self.title(*title));
            let suites = format!("{}{title}{}", around.suites, super::super::read::BETWEEN);
            let statements = code.statements(body.body).unwrap_or_else(|| vec![body.body]);
            self.walk(&Block { statements, suites: &suites, before: &before }, tests, depth, found);
        }
        found.before.insert(at, before);
    }

    fn is_in(&self, inner: usize, outer: usize) -> bool {
        let (inner, outer) = (self.code.calls[inner].span, self.code.calls[outer].span);
        outer.start < inner.start && inner.end <= outer.end
    }

    /// What the file takes from elsewhere, from the top of the repository where it is of it.
    pub(super) fn taken(&self) -> Vec<Named> {
        let named = |(local, there, module): (String, String, String)| {
            let start = self.code.at(self.code.whole()).find(&module).unwrap_or_default();
            Named {
                name: local,
                text: format!("{}#{there}", from_top(self.file, &module)),
                line: self.code.line(start),
            }
        };
        self.code.imported().into_iter().chain(self.code.given_on()).map(named).collect()
    }

    /// The statements of the module that declare nothing.
    pub(super) fn run_before(&self) -> Vec<Named> {
        let code = &*self.code;
        let statements = code.module_statements().into_iter().filter(|one| code.declared(*one).is_none());
        let named = |span: Span| {
            let text = code.normal(span).trim_end_matches(';').to_owned();
            let name = text.split(['(', ' ']).next().unwrap_or_default().to_owned();
            Named { name, text, line: code.line(span.start) }
        };
        statements.map(named).filter(|one| !one.text.is_empty()).collect()
    }

    /// Whether a property is run in the statement itself.
    fn is_run(&self, statement: Span) -> bool {
        let mut spans = self.asserts.iter().map(|assert| self.code.calls[assert.call].span);
        spans.any(|span| statement.start <= span.start && span.end <= statement.end)
    }

    /// The rows of a table of tests, with the word that takes them.
    fn table(&self, callee: Span) -> Option<String> {
        let code = &*self.code;
        let inside = |span: Span| callee.start <= span.start && span.end <= callee.end;
        let mut calls = code.calls.iter().filter(|call| inside(call.span));
        calls.find_map(|call| {
            let (_, name) = code.method(call.callee)?;
            let is_table = ["each", "for"].contains(&code.at(name));
            is_table.then(|| code.normal(Span::new(name.start, call.span.end)))
        })
    }

    /// The function that a test or suite is given.
    pub(super) fn callback(&self, at: usize) -> Option<Span> {
        let code = &*self.code;
        let arguments = code.calls[at].arguments.iter().skip(1);
        let is_function = |span: &&Span| matches!(code.kind(**span), crate::language::typescript::code::Kind::Function);
        arguments.clone().find(is_function).copied()
    }

    /// The title at `span`, where it is told what it says, else as it is written.
    pub(super) fn title(&self, span: Span) -> String {
        use crate::language::typescript::text::Piece;
        let text = self.code.at(span);
        match self.code.pieces(span).as_deref() {
            Some([Piece::Text(said)]) => said.clone(),
            Some([]) => String::new(),
            Some(_) => text.get(1..text.len().saturating_sub(1)).unwrap_or_default().to_owned(),
            None => self.code.normal(span),
        }
    }
}

/// A module by its path from the top; that of a package by its name.
fn from_top(file: &RepoPath, module: &str) -> String {
    if !module.starts_with('.') {
        return module.to_owned();
    }
    let mut parts: Vec<&str> = file.folder().split('/').filter(|part| !part.is_empty()).collect();
    for part in module.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    let endings = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
    let plain = endings.iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(&path);
    plain.to_owned()
}

/// Adds a statement, whether or not a semicolon is written after it.
fn add(text: &mut String, more: &str) {
    let more = more.trim_end_matches(';');
    if !text.is_empty() && !more.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
    if !more.is_empty() && !more.ends_with('}') {
        text.push(';');
    }
}

/// Those of `tests` in `statement` that are in none of the others.
fn outermost(code: &Code, tests: &[usize], statement: Span) -> Vec<usize> {
    let from = tests.partition_point(|at| code.calls[*at].span.start < statement.start);
    let mut end = 0;
    let mut found = Vec::new();
    for at in &tests[from..] {
        let span = code.calls[*at].span;
        if span.start >= statement.end {
            break;
        }
        if span.start >= end {
            found.push(*at);
            end = span.end;
        }
    }
    found
}
