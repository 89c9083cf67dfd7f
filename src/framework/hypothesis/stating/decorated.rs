//! What else is said of a property, on it or around it, that may keep it from running or from failing: decorators, settings, and the
//! conditions under which it is defined at all.

use tree_sitter::Node;

use super::Page;
use super::above::SKIPS;
use super::inputs::form;
use super::reach::whole;
use crate::framework::hypothesis::given::{bound, given, is_called};
use crate::language::python::module::{Decorator, Function, Given, apart};
use crate::language::python::normal::normal;
use crate::language::python::syntax::{children, line};
use crate::oracle::Clause;

/// Settings that make no property weaker; that there are fewer cases is told for itself.
const HARMLESS: [&str; 7] =
    ["max_examples", "deadline", "verbosity", "print_blob", "report_multiple_bugs", "suppress_health_check", "backend"];

/// How many steps a state machine takes where nobody says.
const USUAL_STEPS: i128 = 50;

/// What is said on `function` and around it.
pub(super) fn around(page: &Page<'_>, function: &Function) -> Vec<Clause> {
    let own = function.decorators.iter().filter(|one| !is_told_elsewhere(page, function, one));
    let mut found: Vec<Clause> =
        own.filter_map(|one| page.statement(one.span)).map(|node| clause(page, node)).collect();
    let marks = function.decorators.iter().filter(|one| one.function() == "parametrize");
    let names = marks.filter_map(|one| Some(form(&one.arguments.first()?.text)));
    found.extend(names.map(|names| Clause { text: format!("parametrize({names}, …)"), line: function.first_line }));
    found.extend(settings(page, &page.settings(&function.decorators), function.first_line));
    if function.is_async {
        found.push(Clause { text: "async def".to_owned(), line: function.line });
    }
    found.extend(page.statement(function.item).map(|statement| heads(page, statement)).unwrap_or_default());
    found
}

/// Whether a decorator is part of what a rule tells of by other names.
fn is_told_elsewhere(page: &Page<'_>, function: &Function, one: &Decorator) -> bool {
    let imports = &page.module.imports;
    let is_of_library = ["given", "settings", "example", "note"].iter().any(|name| is_called(imports, one, name));
    let is_bound = bound(page.module, one, "settings").is_some() || bound(page.module, one, "given").is_some();
    let is_given = given(page.module, function).is_some_and(|given| given.span == one.span);
    is_of_library
        || is_bound
        || is_given
        || SKIPS.contains(&one.function())
        || matches!(one.function(), "parametrize" | "timeout" | "staticmethod")
}

/// What settings say that may make a property weaker.
pub(super) fn settings(page: &Page<'_>, settings: &[Decorator], line: u32) -> Vec<Clause> {
    let is_harmless = |one: &Given| match one.name.as_deref() {
        Some("stateful_step_count") => whole(page.module, &one.text).is_some_and(|steps| steps >= USUAL_STEPS),
        Some("derandomize") => one.text == "False",
        Some(name) => HARMLESS.contains(&name),
        None => false,
    };
    let said = settings.iter().flat_map(|one| &one.arguments).filter(|one| !is_harmless(one));
    let text = |one: &Given| match &one.name {
        Some(name) => format!("settings({name}={})", form(&one.text)),
        None => format!("settings({})", form(&one.text)),
    };
    said.map(|one| Clause { text: text(one), line }).collect()
}

/// The heads of the statements around `statement`, and the decorators of the classes.
pub(super) fn heads(page: &Page<'_>, statement: Node<'_>) -> Vec<Clause> {
    let mut found = Vec::new();
    let mut around = statement.parent();
    while let Some(node) = around {
        match node.kind() {
            "module" | "block" | "decorated_definition" => {}
            "class_definition" => {
                let outer = node.parent().filter(|outer| outer.kind() == "decorated_definition").unwrap_or(node);
                let own = apart(outer).0.into_iter().filter(|one| {
                    let said = page.syntax.said(*one);
                    !SKIPS.iter().any(|skip| said.split('(').next().unwrap_or_default().ends_with(skip))
                        && !said.contains("settings")
                });
                found.extend(own.map(|one| clause(page, one)));
            }
            _ => {
                let parts = children(node).into_iter().filter(|part| !holds_block(*part));
                let said: Vec<String> = parts.map(|part| normal(page.syntax, part)).collect();
                let word = node.kind().split('_').next().unwrap_or_default();
                let text = std::iter::once(word.to_owned()).chain(said).collect::<Vec<_>>().join(" ");
                found.push(Clause { text, line: line(node) });
            }
        }
        around = node.parent();
    }
    found
}

fn holds_block(part: Node<'_>) -> bool {
    part.kind() == "block"
        || part.kind().ends_with("_clause") && part.kind() != "with_clause"
        || part.kind() == "comment"
}

fn clause(page: &Page<'_>, node: Node<'_>) -> Clause {
    Clause { text: normal(page.syntax, node), line: line(node) }
}
