//! Sorts the statements of a file: its properties, its pins, and what stands beside them.

use tree_sitter::Node;

use super::Page;
use super::decorated::heads;
use super::machines::{is_machine, rules};
use super::rules::rule;
use crate::language::python::imports::Import;
use crate::language::python::module::{Class, Decorator, Function, NESTING, apart};
use crate::language::python::normal::{is_remark, normal};
use crate::language::python::syntax::{children, line, span};
use crate::oracle::{Named, Oracle};

/// What the file states.
pub(super) fn sorted(page: &Page<'_>) -> Oracle {
    let mut sorting = Sorting { page, oracle: Oracle::default() };
    sorting.block(page.syntax.root(), &[]);
    sorting.oracle.imports = page.module.imports.iter().map(|import| taken(page, import)).collect();
    sorting.oracle
}

/// What an import brings, relative ones from the top.
fn taken(page: &Page<'_>, import: &Import) -> Named {
    let dots = import.module.len() - import.module.trim_start_matches('.').len();
    let mut module = import.module.trim_start_matches('.').to_owned();
    if dots > 0 {
        let folders: Vec<&str> = page.file.folder().split('/').filter(|part| !part.is_empty()).collect();
        let kept = folders.len().saturating_sub(dots - 1);
        let parts = folders[..kept].iter().copied().chain(Some(module.as_str()).filter(|module| !module.is_empty()));
        module = parts.collect::<Vec<_>>().join(".");
    }
    let line = memchr::memchr_iter(b'\n', &page.syntax.text.as_bytes()[..import.span.start]).count() + 1;
    let name = import.local.split('.').next().unwrap_or_default().to_owned();
    let text = format!("{module}#{}", import.name.as_deref().unwrap_or_default());
    Named { name, text, line: u32::try_from(line).unwrap_or(u32::MAX) }
}

/// Names that pytest, or unittest, looks for by themselves in functions.
const HOOKS: [&str; 16] = [
    "setup_module",
    "teardown_module",
    "setup_function",
    "teardown_function",
    "setup_method",
    "teardown_method",
    "setup_class",
    "teardown_class",
    "setUp",
    "tearDown",
    "setUpClass",
    "setUpModule",
    "load_tests",
    "__init__",
    "__new__",
    "__init_subclass__",
];

/// Names that they look for in assignments.
const MARKED: [&str; 6] =
    ["pytestmark", "pytest_plugins", "collect_ignore", "collect_ignore_glob", "__test__", "__unittest_skip__"];

struct Sorting<'s, 'p> {
    page: &'s Page<'p>,
    oracle: Oracle,
}

impl Sorting<'_, '_> {
    /// Sorts the statements of a block in the classes of `around`.
    fn block(&mut self, block: Node<'_>, around: &[String]) {
        children(block).into_iter().for_each(|statement| self.statement(statement, around));
    }

    fn statement(&mut self, statement: Node<'_>, around: &[String]) {
        let syntax = self.page.syntax;
        let definition = apart(statement).1;
        match definition.kind() {
            "function_definition" => self.function(statement, definition, around),
            "class_definition" => self.class(statement, definition, around),
            "import_statement" | "import_from_statement" | "future_import_statement" | "pass_statement" => {}
            "if_statement" if syntax.field(statement, "condition").ends_with("TYPE_CHECKING") => {}
            "block" => self.block(statement, around),
            kind if NESTING.contains(&kind) && self.holds_tests(statement) => {
                let parts = children(statement).into_iter().filter(|one| NESTING.contains(&one.kind()));
                parts.for_each(|one| self.statement(one, around));
            }
            _ if is_remark(statement) => {}
            _ if self.runs(statement) => self.run(&self.name(statement), statement, around),
            _ => self.support(&self.name(statement), statement, statement, around),
        }
    }

    fn support(&mut self, name: &str, statement: Node<'_>, at: Node<'_>, around: &[String]) {
        let name = around.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join(".");
        self.oracle.support.push(Named { name, text: normal(self.page.syntax, statement), line: line(at) });
    }

    /// Whether a statement does more than give names to values, or gives them to whoever runs the tests.
    fn runs(&self, statement: Node<'_>) -> bool {
        let syntax = self.page.syntax;
        let inner = children(statement).into_iter().next().filter(|_| statement.kind() == "expression_statement");
        let Some(assignment) = inner.filter(|inner| inner.kind() == "assignment") else {
            return statement.kind() != "type_alias_statement";
        };
        let Some(left) = assignment.child_by_field_name("left") else { return true };
        let is_plain = matches!(left.kind(), "identifier" | "pattern_list" | "tuple_pattern" | "list_pattern");
        // A machine's settings are told with the property that it is.
        let is_of_machine = syntax.said(left).ends_with(".settings");
        (!is_plain || MARKED.contains(&syntax.said(left))) && !is_of_machine
    }

    fn run(&mut self, name: &str, statement: Node<'_>, around: &[String]) {
        let name = around.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join(".");
        let text = normal(self.page.syntax, statement);
        let text = if around.is_empty() { text } else { format!("{}: {text}", around.join(".")) };
        self.oracle.runs.push(Named { name, text, line: line(statement) });
    }

    fn function(&mut self, statement: Node<'_>, definition: Node<'_>, around: &[String]) {
        let page = self.page;
        let item = span(statement);
        let Some(function) = page.module.functions.iter().find(|function| function.item == item) else { return };
        if is_pin(function) {
            let name = page.test(&function.path).0;
            let around = heads(page, statement).into_iter().map(|head| head.text);
            let text = around.chain([normal(page.syntax, statement)]).collect::<Vec<_>>().join(" ");
            self.oracle.pins.push(Named { name, text, line: function.line });
        } else if let Some(rule) = rule(page, function, definition) {
            self.oracle.rules.push(rule);
        } else if self.is_hook(function) {
            self.run(function.name(), statement, around);
        } else {
            self.support(function.name(), statement, definition, around);
        }
    }

    /// Whether a function is called by whoever runs the tests, whatever they speak of.
    fn is_hook(&self, function: &Function) -> bool {
        let is_automatic = |one: &Decorator| {
            one.arguments.iter().any(|one| one.name.as_deref() == Some("autouse") && one.text != "False")
        };
        let name = function.name();
        name.starts_with("pytest_") || HOOKS.contains(&name) || function.decorators.iter().any(is_automatic)
    }

    fn class(&mut self, statement: Node<'_>, definition: Node<'_>, around: &[String]) {
        let item = span(statement);
        let Some(class) = self.page.module.classes.iter().find(|class| class.item == item) else { return };
        let name = class.path.last().map_or("", String::as_str);
        if is_machine(self.page, class) {
            let stated = rules(self.page, class);
            if !stated.is_empty() {
                self.oracle.rules.extend(stated);
                return;
            }
        }
        let body = definition.child_by_field_name("body").filter(|_| self.holds_tests(statement));
        let Some(body) = body else { return self.support(name, statement, definition, around) };
        // What the class is stands apart from what stands in it.
        let decorators = apart(statement).0.into_iter().map(|one| normal(self.page.syntax, one));
        let bases = definition.child_by_field_name("superclasses").map(|one| normal(self.page.syntax, one));
        let head = format!("class {name}{}", bases.unwrap_or_default());
        let text = decorators.chain([head]).collect::<Vec<_>>().join(" ");
        self.oracle.support.push(Named { name: class.path.join("."), text, line: class.line });
        self.block(body, &class.path);
    }

    /// Whether properties or pins stand in a statement.
    fn holds_tests(&self, statement: Node<'_>) -> bool {
        let (page, item) = (self.page, span(statement));
        let is_inside = |start: usize, end: usize| item.start <= start && end <= item.end;
        let stated = |one: &Function| {
            let definition = page.statement(one.item).map(|statement| apart(statement).1);
            is_pin(one) || definition.is_some_and(|definition| rule(page, one, definition).is_some())
        };
        let functions = page.module.functions.iter().filter(|one| is_inside(one.item.start, one.item.end));
        let mut classes = page.module.classes.iter().filter(|one| is_inside(one.item.start, one.item.end));
        functions.into_iter().any(stated)
            || classes.any(|class: &Class| is_machine(page, class) && !rules(page, class).is_empty())
    }

    /// What a statement that defines nothing is called.
    fn name(&self, statement: Node<'_>) -> String {
        let syntax = self.page.syntax;
        let inner = children(statement).into_iter().next().filter(|_| statement.kind() == "expression_statement");
        match inner {
            Some(inner) if inner.child_by_field_name("left").is_some() => {
                inner.child_by_field_name("left").map_or(String::new(), |left| normal(syntax, left))
            }
            Some(inner) if inner.kind() == "call" => {
                let first = inner.child_by_field_name("arguments").and_then(|arguments| arguments.named_child(0));
                let first = first.filter(|first| matches!(first.kind(), "string" | "identifier"));
                let first = first.map_or(String::new(), |first| format!("({})", normal(syntax, first)));
                format!("{}{first}", syntax.field(inner, "function"))
            }
            _ => {
                let words = syntax.said(statement).split(|char: char| char.is_whitespace() || char == ':');
                let condition = statement.child_by_field_name("condition").map(|one| normal(syntax, one));
                words.take(1).map(str::to_owned).chain(condition).collect::<Vec<_>>().join(" ")
            }
        }
    }
}

/// Whether a function is a pin: its name ends in a digest.
fn is_pin(function: &Function) -> bool {
    let digest = function.name().rsplit_once("_pin_").map(|(_, digest)| digest);
    digest.is_some_and(|digest| digest.len() == 7 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
