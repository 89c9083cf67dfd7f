//! A property as its function states it.

use tree_sitter::Node;

use super::Page;
use super::above::{cases, examples, skipped};
use super::clauses::{Clauses, clauses, filters};
use super::decorated::around;
use super::inputs::inputs;
use crate::failure::TestName;
use crate::framework::hypothesis::find::{Cited, citations};
use crate::framework::hypothesis::given::given;
use crate::language::python::module::{Decorator, Function};
use crate::language::python::normal::statements;
use crate::language::python::syntax::children;
use crate::oracle::{Input, Rule};
use crate::span::Span;

impl Page<'_> {
    /// The full name of a test.
    pub(super) fn test(&self, path: &[String]) -> TestName {
        TestName(format!("{}::{}", self.file, path.join("::")))
    }

    /// The line of a byte, from 1.
    fn line(&self, at: usize) -> u32 {
        let before = memchr::memchr_iter(b'\n', &self.syntax.text.as_bytes()[..at]).count();
        u32::try_from(before + 1).unwrap_or(u32::MAX)
    }

    /// The bytes of `item` with the comments right above it.
    pub(super) fn with_remarks(&self, item: Span) -> Span {
        let text = self.syntax.text;
        let mut start = text[..item.start].rfind('\n').map_or(0, |at| at + 1);
        let mut first = item.start;
        while let Some(line) = text[..start].strip_suffix('\n').map(|above| above.rfind('\n').map_or(0, |at| at + 1)) {
            let said = text[line..start].trim_start();
            if !said.starts_with('#') {
                break;
            }
            (first, start) = (start - said.len(), line);
        }
        Span::new(first, item.end)
    }
}

/// The property that `function` states, whose `def` is `definition`.
pub(super) fn rule(page: &Page<'_>, function: &Function, definition: Node<'_>) -> Option<Rule> {
    let stated = stated(page, function, definition);
    let body = definition.child_by_field_name("body");
    let mut said = Clauses::default();
    if stated.is_empty() {
        return None;
    }
    let mut inputs_of_all: Vec<Input> = Vec::new();
    for (one, given, definition) in &stated {
        inputs_of_all.extend(inputs(page, one, given, *definition));
        let line = page.line(given.span.start);
        said.assumes.extend(given.arguments.iter().flat_map(|argument| filters(&argument.text, line)));
    }
    let own = body.map(|body| clauses(page, body)).unwrap_or_default();
    said.assumes.extend(own.assumes);
    let all = || stated.iter().map(|(one, ..)| *one);
    let settings = all().flat_map(|one| page.settings(&one.decorators)).collect::<Vec<_>>();
    // A test that holds its properties in its body is itself none of them.
    let outer = if all().any(|one| one.item == function.item) { Vec::new() } else { around(page, function) };
    Some(Rule {
        test: page.test(&function.path),
        line: function.line,
        span: page.with_remarks(function.item),
        citations: citations(
            page.syntax.text,
            page.module,
            &Cited { item: function.item, doc: &function.doc, path: &function.path },
        ),
        inputs: inputs_of_all,
        cases: cases(page, &settings),
        skipped: skipped(page, function, body),
        around: all().flat_map(|one| around(page, one)).chain(outer).collect(),
        asserts: own.asserts,
        assumes: said.assumes,
        examples: all().flat_map(|one| examples(page, one)).collect(),
        body: body.map(|body| statements(page.syntax, body)).unwrap_or_default(),
    })
}

/// A function with `@given`, that decorator, and its `def`.
type Stated<'s, 'n> = (&'s Function, Decorator, Node<'n>);

/// What states the rule of a test: itself, or the functions in its body.
fn stated<'s>(page: &'s Page<'_>, function: &'s Function, definition: Node<'s>) -> Vec<Stated<'s, 's>> {
    if let Some(given) = given(page.module, function) {
        return vec![(function, given, definition)];
    }
    if !function.name().starts_with("test") {
        return Vec::new();
    }
    let inside = |one: &&Function| function.item.start < one.item.start && one.item.end <= function.item.end;
    let inner = page.module.inner.iter().filter(inside);
    inner
        .filter_map(|one| {
            let statement = page.statement(one.item)?;
            let definition =
                if statement.kind() == "decorated_definition" { children(statement).pop()? } else { statement };
            Some((one, given(page.module, one)?, definition))
        })
        .collect()
}
