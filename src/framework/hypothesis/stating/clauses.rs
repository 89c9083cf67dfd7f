//! What code asserts, and what it assumes of its inputs.

use tree_sitter::Node;

use super::Page;
use crate::language::python::imports::written;
use crate::language::python::normal::{expression, normal};
use crate::language::python::syntax::{Syntax, children, line};
use crate::oracle::Clause;

/// The clauses of a piece of source.
#[derive(Default)]
pub(super) struct Clauses {
    pub(super) asserts: Vec<Clause>,
    pub(super) assumes: Vec<Clause>,
}

/// The clauses in `node`.
pub(super) fn clauses(page: &Page<'_>, node: Node<'_>) -> Clauses {
    let mut clauses = Clauses::default();
    walk(page, node, false, &mut clauses);
    clauses
}

fn walk(page: &Page<'_>, node: Node<'_>, is_drawn: bool, clauses: &mut Clauses) {
    let syntax = page.syntax;
    let clause = |text: String| Clause { text, line: line(node) };
    let mut is_drawn = is_drawn;
    match node.kind() {
        "assert_statement" => {
            clauses.asserts.push(clause(normal(syntax, node)));
            return;
        }
        "raise_statement" if raises_assertion(syntax, node) => {
            clauses.asserts.push(clause(normal(syntax, node)));
            return;
        }
        "call" if is_assertion(page, node) => {
            clauses.asserts.push(clause(normal(syntax, node)));
            return;
        }
        "call" if is_assumption(page, node) => {
            clauses.assumes.push(clause(normal(syntax, node)));
            return;
        }
        "call" => {
            let called = node.child_by_field_name("function");
            let name = called.map_or("", |called| last_part(syntax, called));
            is_drawn |= name == "draw";
            if is_drawn && let Some(text) = filter(syntax, node) {
                clauses.assumes.push(clause(text));
            }
        }
        _ => {}
    }
    for child in children(node) {
        walk(page, child, is_drawn, clauses);
        // Nothing that follows in the block is reached.
        if matches!(child.kind(), "return_statement" | "raise_statement" | "continue_statement" | "break_statement") {
            break;
        }
    }
}

/// What the strategy `text` filters out, which stands on `line`.
pub(super) fn filters(text: &str, line: u32) -> Vec<Clause> {
    let mut found = Vec::new();
    expression(text.trim_start_matches('*'), |syntax, node| collect(syntax, node, line, &mut found));
    found
}

fn collect(syntax: &Syntax<'_>, node: Node<'_>, line: u32, found: &mut Vec<Clause>) {
    children(node).into_iter().for_each(|child| collect(syntax, child, line, found));
    found.extend(filter(syntax, node).map(|text| Clause { text, line }));
}

/// `.filter(…)` of a strategy.
fn filter(syntax: &Syntax<'_>, node: Node<'_>) -> Option<String> {
    let called = node.child_by_field_name("function").filter(|_| node.kind() == "call")?;
    let is_filter = called.kind() == "attribute" && syntax.field(called, "attribute") == "filter";
    let arguments = node.child_by_field_name("arguments").filter(|_| is_filter)?;
    Some(format!(".filter{}", normal(syntax, arguments)))
}

fn last_part<'t>(syntax: &Syntax<'t>, called: Node<'_>) -> &'t str {
    match called.kind() {
        "attribute" => syntax.field(called, "attribute"),
        _ => syntax.said(called),
    }
}

fn raises_assertion(syntax: &Syntax<'_>, node: Node<'_>) -> bool {
    children(node).first().is_some_and(|raised| syntax.said(*raised).starts_with("AssertionError"))
}

/// What pytest has that fails a test, besides what is named by that it asserts.
const CHECKS: [&str; 4] = ["raises", "warns", "deprecated_call", "fail"];

/// Whether a call, or one on whose result it calls something, asserts.
fn is_assertion(page: &Page<'_>, call: Node<'_>) -> bool {
    let syntax = page.syntax;
    let mut call = Some(call);
    while let Some(called) = call.and_then(|call| call.child_by_field_name("function")) {
        let (name, said) = (last_part(syntax, called), syntax.said(called));
        let is_check = CHECKS.contains(&name)
            && (written(&page.module.imports, &format!("pytest.{name}")).is_some_and(|known| known == said)
                || said == format!("self.{name}"));
        if name.starts_with("assert") || is_check {
            return true;
        }
        call = called.child_by_field_name("object").filter(|object| object.kind() == "call");
    }
    false
}

/// What the library has that gives an input up.
const GIVES_UP: [&str; 2] = ["assume", "reject"];

fn is_assumption(page: &Page<'_>, call: Node<'_>) -> bool {
    let said = page.syntax.field(call, "function");
    let is = |name: &&str| {
        said == *name || written(&page.module.imports, &format!("hypothesis.{name}")).is_some_and(|known| known == said)
    };
    GIVES_UP.iter().any(is) || said.rsplit('.').next() == Some("precondition")
}
