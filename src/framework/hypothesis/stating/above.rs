//! What stands above a property, or around it: how many cases it is run with, what has its runner pass it over, and the
//! examples that it runs before any other input.

use tree_sitter::Node;

use super::Page;
use super::collected::is_told;
use super::inputs::form;
use super::reach::whole;
use crate::framework::hypothesis::given::{bound, call, is_called};
use crate::language::python::module::{Decorator, Function, apart};
use crate::language::python::normal::normal;
use crate::language::python::syntax::{children, line};
use crate::oracle::Clause;
use crate::span::Span;

impl<'p> Page<'p> {
    /// The statement that takes up `item`.
    pub(super) fn statement(&self, item: Span) -> Option<Node<'p>> {
        self.syntax.root().descendant_for_byte_range(item.start, item.end)
    }

    /// The decorators of the class at `path`, and the statements in it.
    pub(super) fn class(&self, path: &[String]) -> (Vec<Node<'p>>, Vec<Node<'p>>) {
        let class = self.module.classes.iter().rfind(|class| class.path == path);
        let Some(statement) = class.and_then(|class| self.statement(class.item)) else { return Default::default() };
        let (decorators, definition) = apart(statement);
        (decorators, definition.child_by_field_name("body").map(children).unwrap_or_default())
    }

    /// The settings that `decorators` give.
    pub(super) fn settings(&self, decorators: &[Decorator]) -> Vec<Decorator> {
        let is_own = |one: &Decorator| is_called(&self.module.imports, one, "settings") && !one.arguments.is_empty();
        let settings = decorators.iter().filter_map(|one| match is_own(one) {
            true => Some(one.clone()),
            false => bound(self.module, one, "settings"),
        });
        settings.collect()
    }
}

/// How many cases settings ask for.
pub(super) fn cases(page: &Page<'_>, settings: &[Decorator]) -> Option<u64> {
    let mut told = settings.iter().flat_map(|one| &one.arguments);
    let most = told.find(|one| one.name.as_deref() == Some("max_examples"))?;
    u64::try_from(whole(page.module, &most.text)?).ok()
}

/// The settings of the text `settings(…)`.
pub(super) fn settings_of(page: &Page<'_>, text: &str) -> Option<Decorator> {
    let own = call(text)?;
    page.settings(&[own]).pop()
}

/// What examples of a property there are, each without the label that is for tools alone.
pub(super) fn examples(page: &Page<'_>, function: &Function) -> Vec<Clause> {
    let imports = &page.module.imports;
    let name =
        |one: &Decorator| ["example", "reproduce_failure"].into_iter().find(|name| is_called(imports, one, name));
    let named = function.decorators.iter().filter_map(|one| Some((name(one)?, page.statement(one.span)?)));
    let clause = |(name, node): (&str, Node<'_>)| {
        let said = node.named_child(0).map_or(String::new(), |said| unlabelled(page, said, name));
        Clause { text: format!("@{said}"), line: line(node) }
    };
    named.map(clause).collect()
}

/// The call of `name` in `node`, and what is called on its result.
fn unlabelled(page: &Page<'_>, node: Node<'_>, name: &str) -> String {
    let called = node.child_by_field_name("function");
    let arguments = node.child_by_field_name("arguments").map_or(String::new(), |one| normal(page.syntax, one));
    let inner = called.and_then(|called| called.child_by_field_name("object")).filter(|inner| inner.kind() == "call");
    let further = called.map_or("", |called| page.syntax.field(called, "attribute"));
    match inner {
        Some(inner) if further == "via" => unlabelled(page, inner, name),
        Some(inner) => format!("{}.{further}{arguments}", unlabelled(page, inner, name)),
        None => format!("{name}{arguments}"),
    }
}

/// Decorators by which runners pass a test over, or take its failure for nothing.
pub(super) const SKIPS: [&str; 6] = ["skip", "skipif", "skipIf", "skipUnless", "xfail", "expectedFailure"];

/// What has a runner pass `function` over.
pub(super) fn skipped(page: &Page<'_>, function: &Function, body: Option<Node<'_>>) -> Option<String> {
    let own = function.decorators.iter().filter(|one| SKIPS.contains(&one.function()));
    let mut said: Vec<String> = own.map(|one| form_at(page, one.span)).collect();
    said.extend(left_out(page, function));
    said.extend(around(page, &function.path[..function.path.len().saturating_sub(1)]));
    let statements = body.map(children).unwrap_or_default();
    said.extend(statements.into_iter().filter(|one| gives_up(page, *one)).map(|one| normal(page.syntax, one)));
    if is_hidden(page, function) {
        said.push(format!("def {}", function.name()));
    }
    (!said.is_empty()).then(|| said.join(" "))
}

fn form_at(page: &Page<'_>, span: Span) -> String {
    page.statement(span).map_or(String::new(), |node| normal(page.syntax, node))
}

/// Settings by which a property generates nothing, or runs none of its examples.
fn left_out(page: &Page<'_>, function: &Function) -> Option<String> {
    let has_examples = function.decorators.iter().any(|one| is_called(&page.module.imports, one, "example"));
    let settings = page.settings(&function.decorators);
    let phases = settings.iter().flat_map(|one| &one.arguments).find(|one| one.name.as_deref() == Some("phases"))?;
    let is_told = phases.text.starts_with(['[', '(', '{']);
    let leaves_out = !phases.text.contains("generate") || (has_examples && !phases.text.contains("explicit"));
    (is_told && leaves_out).then(|| format!("@settings(phases={})", form(&phases.text)))
}

/// What has a runner pass over all that stands in the classes of `path`, and in the module.
pub(super) fn around(page: &Page<'_>, path: &[String]) -> Vec<String> {
    let mut said = Vec::new();
    for depth in 1..=path.len() {
        let (decorators, statements) = page.class(&path[..depth]);
        let skips = decorators.into_iter().filter(|one| {
            call(page.syntax.said(*one).trim_start_matches('@')).is_some_and(|one| SKIPS.contains(&one.function()))
        });
        said.extend(skips.map(|one| normal(page.syntax, one)));
        said.extend(statements.into_iter().filter(|one| is_marked(page, *one)).map(|one| normal(page.syntax, one)));
    }
    let top = children(page.syntax.root()).into_iter().filter(|one| is_marked(page, *one) || gives_up(page, *one));
    said.extend(top.map(|one| normal(page.syntax, one)));
    said
}

/// Whether a statement marks all tests around it as passed over.
fn is_marked(page: &Page<'_>, statement: Node<'_>) -> bool {
    let assignment = children(statement).into_iter().find(|one| one.kind() == "assignment");
    let Some(assignment) = assignment.filter(|_| statement.kind() == "expression_statement") else { return false };
    let right = page.syntax.field(assignment, "right");
    match page.syntax.field(assignment, "left") {
        "pytestmark" => SKIPS.iter().any(|skip| right.contains(&format!(".{skip}"))),
        "__test__" => right == "False",
        _ => false,
    }
}

/// Whether a statement gives up the test, or the module, that it stands in.
fn gives_up(page: &Page<'_>, statement: Node<'_>) -> bool {
    let said = page.syntax.said(statement);
    let called = said.split('(').next().unwrap_or_default().trim();
    match statement.kind() {
        "expression_statement" => matches!(called, "pytest.skip" | "pytest.xfail" | "self.skipTest"),
        "raise_statement" => called.ends_with("SkipTest"),
        _ => false,
    }
}

/// Whether no runner finds the function: it has another name than tests have and is called by nothing, or another takes
/// its name.
fn is_hidden(page: &Page<'_>, function: &Function) -> bool {
    let is_later = |one: &&Function| one.path == function.path && one.item.start > function.item.start;
    if page.module.functions.iter().any(|one| is_later(&one)) {
        return true;
    }
    !function.name().starts_with("test")
        && !is_told(page.file, page.tree, &["python_functions"])
        && mentions(page, function.name()) < 2
}

/// How often the module has a name.
fn mentions(page: &Page<'_>, name: &str) -> usize {
    let mut count = 0;
    let mut open = vec![page.syntax.root()];
    while let Some(node) = open.pop() {
        count += usize::from(node.kind() == "identifier" && page.syntax.said(node) == name);
        open.extend(children(node));
    }
    count
}
