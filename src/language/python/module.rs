//! What of a Python module concerns its tests: functions with their classes and decorators, classes with their bases, and
//! the names that it imports or binds. What stands in the bodies of functions is told apart from what the module has.

use std::collections::HashSet;

use tree_sitter::Node;

use super::imports::{Import, imports};
use super::normal::is_too_deep;
use super::syntax::{Syntax, children, line, span};
use crate::span::Span;

/// A module's outline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// Its functions and those of its classes, in order.
    pub functions: Vec<Function>,
    /// Its classes, in order.
    pub classes: Vec<Class>,
    /// The functions in the bodies of its functions, each with those around it in its path.
    pub inner: Vec<Function>,
    /// What it imports, in order.
    pub imports: Vec<Import>,
    /// The other names it binds, each with the text that it binds it to.
    pub bound: Vec<(String, String)>,
    /// Names of attributes that its code asks for, as written: `slots.Booking`.
    pub attributes: Vec<String>,
    /// Names that calls get as their first argument, each with the last part of what is called: of
    /// `st.builds(slots.Booking)`, `builds` and `slots.Booking`.
    pub handed: Vec<(String, String)>,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The classes around it, the outermost first, and its name.
    pub path: Vec<String>,
    /// With its decorators.
    pub item: Span,
    /// Line of its `def`, from 1.
    pub line: u32,
    /// Line of the first byte of `item`, from 1.
    pub first_line: u32,
    /// Whether it is `async`.
    pub is_async: bool,
    /// Its decorators, the outermost first.
    pub decorators: Vec<Decorator>,
    /// Its parameters, those that take many left out.
    pub parameters: Vec<Parameter>,
    /// Its doc string as written; empty where it has none.
    pub doc: String,
}

impl Function {
    /// Its own name.
    pub fn name(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Whether it can only be given by its name.
    pub by_name: bool,
    /// Whether it has a default.
    pub has_default: bool,
}

/// A decorator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decorator {
    /// From its `@` to its end.
    pub span: Span,
    /// What is called, with the arguments, without what is called on the result.
    pub call: Span,
    /// What is called, as written, without what is called on the result: of `@h.example(x=1).via("")`, `h.example`.
    pub called: String,
    /// The arguments of that call.
    pub arguments: Vec<Given>,
}

impl Decorator {
    /// The last part of what is called.
    pub fn function(&self) -> &str {
        self.called.rsplit('.').next().unwrap_or(&self.called)
    }
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Its name, where it is given by it.
    pub name: Option<String>,
    /// Its value as written; `*…` and `**…` with their signs.
    pub text: String,
}

/// A class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The classes around it, the outermost first, and its name.
    pub path: Vec<String>,
    /// With its decorators.
    pub item: Span,
    /// Line of its `class`, from 1.
    pub line: u32,
    /// Line of the first byte of `item`, from 1.
    pub first_line: u32,
    /// Its bases as written.
    pub bases: Vec<String>,
    /// Its doc string as written; empty where it has none.
    pub doc: String,
}

/// The outline of `text`; `None` where that is no Python, or nested deeper than anybody's.
pub fn module(text: &str) -> Option<Module> {
    let syntax = Syntax::of(text)?;
    let mut module = Module::default();
    if syntax.root().has_error() || is_too_deep(&syntax) {
        return None;
    }
    let mut walk = Walk { syntax: &syntax, module: &mut module };
    walk.block(syntax.root(), &[]);
    (module.attributes, module.handed) = used(&syntax);
    Some(module)
}

struct Walk<'w, 't> {
    syntax: &'w Syntax<'t>,
    module: &'w mut Module,
}

impl Walk<'_, '_> {
    /// Takes in the statements of a block that stands in the classes of `around`.
    fn block(&mut self, block: Node<'_>, around: &[String]) {
        for statement in children(block) {
            self.statement(statement, around);
        }
    }

    fn statement(&mut self, statement: Node<'_>, around: &[String]) {
        match statement.kind() {
            "decorated_definition" | "function_definition" | "class_definition" => {
                let (decorators, definition) = apart(statement);
                self.definition(definition, statement, &decorators, around);
            }
            "import_statement" | "import_from_statement" if around.is_empty() => {
                self.module.imports.extend(imports(self.syntax, statement));
            }
            "expression_statement" if around.is_empty() => {
                for assignment in children(statement).into_iter().filter(|child| child.kind() == "assignment") {
                    let left = self.syntax.field(assignment, "left").to_owned();
                    self.module.bound.push((left, self.syntax.field(assignment, "right").to_owned()));
                }
            }
            // For a type checker alone nothing of it is there when tests run.
            "if_statement" if self.syntax.field(statement, "condition").ends_with("TYPE_CHECKING") => {}
            kind if NESTING.contains(&kind) => self.block(statement, around),
            _ => {}
        }
    }

    fn definition(&mut self, node: Node<'_>, item: Node<'_>, decorators: &[Node<'_>], around: &[String]) {
        let mut path = around.to_vec();
        path.push(self.syntax.field(node, "name").to_owned());
        if node.kind() == "class_definition" {
            let bases = node.child_by_field_name("superclasses").map(children).unwrap_or_default();
            self.module.classes.push(Class {
                path: path.clone(),
                item: span(item),
                line: line(node),
                first_line: line(item),
                doc: self.doc(node),
                bases: bases.into_iter().map(|base| self.syntax.said(base).to_owned()).collect(),
            });
            if let Some(body) = node.child_by_field_name("body") {
                self.block(body, &path);
            }
            return;
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.body(body, &path);
        }
        let function = self.function(node, item, decorators, path);
        self.module.functions.push(function);
    }

    fn function(&self, node: Node<'_>, item: Node<'_>, decorators: &[Node<'_>], path: Vec<String>) -> Function {
        let parameters = node.child_by_field_name("parameters").map(|node| parameters(self.syntax, node));
        Function {
            path,
            item: span(item),
            line: line(node),
            first_line: line(item),
            is_async: self.syntax.said(node).starts_with("async"),
            decorators: decorators.iter().map(|node| decorator(self.syntax, *node)).collect(),
            parameters: parameters.unwrap_or_default(),
            doc: self.doc(node),
        }
    }

    /// Takes in the functions of a block that stands in the functions and classes of `around`.
    fn body(&mut self, block: Node<'_>, around: &[String]) {
        for statement in children(block) {
            let (decorators, definition) = apart(statement);
            match definition.kind() {
                "function_definition" | "class_definition" => {
                    let path: Vec<String> =
                        around.iter().cloned().chain([self.syntax.field(definition, "name").to_owned()]).collect();
                    if let Some(body) = definition.child_by_field_name("body") {
                        self.body(body, &path);
                    }
                    if definition.kind() == "function_definition" {
                        let function = self.function(definition, statement, &decorators, path);
                        self.module.inner.push(function);
                    }
                }
                kind if NESTING.contains(&kind) => self.body(statement, around),
                _ => {}
            }
        }
    }

    /// The doc string of a definition: the text that its body begins with.
    fn doc(&self, node: Node<'_>) -> String {
        let first = node.child_by_field_name("body").and_then(|body| children(body).first().copied());
        let text = first.filter(|first| first.kind() == "expression_statement").and_then(|first| first.named_child(0));
        text.filter(|text| text.kind() == "string").map_or("", |text| self.syntax.said(text)).to_owned()
    }
}

/// Statements that hold others, and the parts of them that do.
pub const NESTING: [&str; 10] = [
    "block",
    "elif_clause",
    "else_clause",
    "except_clause",
    "finally_clause",
    "for_statement",
    "if_statement",
    "try_statement",
    "while_statement",
    "with_statement",
];

/// The decorators of a statement, and what they decorate: the statement itself where there are none.
pub fn apart(statement: Node<'_>) -> (Vec<Node<'_>>, Node<'_>) {
    let definition = statement.child_by_field_name("definition").filter(|_| statement.kind() == "decorated_definition");
    let Some(definition) = definition else { return (Vec::new(), statement) };
    (children(statement).into_iter().filter(|child| child.kind() == "decorator").collect(), definition)
}

fn parameters(syntax: &Syntax<'_>, node: Node<'_>) -> Vec<Parameter> {
    let mut by_name = false;
    let mut found = Vec::new();
    for child in children(node) {
        let name = match child.kind() {
            "identifier" => syntax.said(child),
            "typed_parameter" => match child.named_child(0) {
                Some(name) if name.kind() == "identifier" => syntax.said(name),
                _ => {
                    by_name = true;
                    continue;
                }
            },
            "default_parameter" | "typed_default_parameter" => syntax.field(child, "name"),
            "keyword_separator" | "list_splat_pattern" => {
                by_name = true;
                continue;
            }
            _ => continue,
        };
        let has_default = child.kind().ends_with("default_parameter");
        found.push(Parameter { name: name.to_owned(), by_name, has_default });
    }
    found
}

fn decorator(syntax: &Syntax<'_>, node: Node<'_>) -> Decorator {
    let mut call = node.named_child(0);
    // What is called on the result says nothing of what the result is.
    while let Some(inner) = call.and_then(inner_call) {
        call = Some(inner);
    }
    let called = call.map(|call| call.child_by_field_name("function").unwrap_or(call));
    let arguments = call.and_then(|call| call.child_by_field_name("arguments"));
    let given = |node: Node<'_>| match node.kind() {
        "keyword_argument" => {
            Given { name: Some(syntax.field(node, "name").to_owned()), text: syntax.field(node, "value").to_owned() }
        }
        _ => Given { name: None, text: syntax.said(node).to_owned() },
    };
    Decorator {
        span: span(node),
        call: span(call.unwrap_or(node)),
        called: called.map_or("", |node| syntax.said(node)).to_owned(),
        arguments: arguments.map(children).unwrap_or_default().into_iter().map(given).collect(),
    }
}

/// The call on whose result `node` calls something.
fn inner_call(node: Node<'_>) -> Option<Node<'_>> {
    let function = node.child_by_field_name("function").filter(|_| node.kind() == "call")?;
    let object = function.child_by_field_name("object").filter(|_| function.kind() == "attribute")?;
    (object.kind() == "call").then_some(object)
}

/// Dotted names in the whole module, and the names that calls get first, each once.
fn used(syntax: &Syntax<'_>) -> (Vec<String>, Vec<(String, String)>) {
    let (mut attributes, mut handed) = (Vec::new(), Vec::new());
    let (mut known, mut known_handed) = (HashSet::new(), HashSet::new());
    let mut cursor = syntax.root().walk();
    loop {
        let node = cursor.node();
        let is_name = node.kind() == "attribute" && is_dotted(syntax.said(node));
        if is_name && known.insert(syntax.said(node)) {
            attributes.push(syntax.said(node).to_owned());
        }
        handed.extend(first_argument(syntax, node).filter(|one| known_handed.insert(one.clone())));
        if cursor.goto_first_child() || cursor.goto_next_sibling() {
            continue;
        }
        loop {
            if !cursor.goto_parent() {
                return (attributes, handed);
            }
            if cursor.goto_next_sibling() {
                break;
            }
        }
    }
}

/// What a call calls, its last part, and the name that it gets as its first argument.
fn first_argument(syntax: &Syntax<'_>, node: Node<'_>) -> Option<(String, String)> {
    let called = node.child_by_field_name("function").filter(|_| node.kind() == "call")?;
    let called = called.child_by_field_name("attribute").unwrap_or(called);
    let first = node.child_by_field_name("arguments").and_then(|arguments| arguments.named_child(0))?;
    let first = syntax.said(first);
    is_dotted(first).then(|| (syntax.said(called).to_owned(), first.to_owned()))
}

/// Whether `text` is nothing but names with dots between them.
pub fn is_dotted(text: &str) -> bool {
    text.split('.').all(super::marks::is_name)
}

#[cfg(test)]
mod tests {
    use super::module;

    const TEXT: &str = "import math\n\n@settings(max_examples=3)\n@h.example(x=1).via(\"a\")\n@h.given(st.integers(), y=z)\n\
        async def test_a(self, x: int, /, y=3, *rest, k: int = 2, **more):\n    def test_a(): pass\n\nclass A(B.TestCase, metaclass=M):\n\
        \x20   limit = 3\n    @staticmethod\n    def f(x): pass\n    class C:\n        def g(self): pass\n\nT = A.TestCase\n\
        if TYPE_CHECKING:\n    import decimal\ntry:\n    import fast\nexcept ImportError:\n    fast = None\nz = slots.Booking(1)\n";

    #[test]
    fn functions_are_told_with_their_classes_and_decorators() {
        let module = module(TEXT).unwrap();
        let paths: Vec<String> = module.functions.iter().map(|function| function.path.join(".")).collect();
        assert_eq!(paths, ["test_a", "A.f", "A.C.g"]);
        let function = &module.functions[0];
        assert_eq!((function.first_line, function.line, function.is_async), (3, 6, true));
        let called: Vec<_> = function.decorators.iter().map(|one| (one.called.as_str(), one.arguments.len())).collect();
        assert_eq!(called, [("settings", 1), ("h.example", 1), ("h.given", 2)]);
        let parameters: Vec<_> =
            function.parameters.iter().map(|one| (one.name.as_str(), one.by_name, one.has_default)).collect();
        assert_eq!(parameters, [("self", false, false), ("x", false, false), ("y", false, true), ("k", true, true)]);
        assert_eq!(module.functions[1].decorators[0].called, "staticmethod");
        let inner: Vec<String> = module.inner.iter().map(|function| function.path.join(".")).collect();
        assert_eq!(inner, ["test_a.test_a"]);
    }

    #[test]
    fn names_are_told_that_are_there_when_tests_run() {
        let module = module(TEXT).unwrap();
        let imported: Vec<&str> = module.imports.iter().map(|import| import.module.as_str()).collect();
        assert_eq!(imported, ["math", "fast"]);
        let bound: Vec<&str> = module.bound.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(bound, ["T", "fast", "z"]);
        assert!(module.attributes.contains(&"slots.Booking".to_owned()));
        assert_eq!(module.classes[0].bases[0], "B.TestCase");
        let handed = super::module("x = st.lists(st.builds(a.B, y=1)).map(sorted)\ng(1, c)").unwrap().handed;
        let handed: Vec<_> = handed.iter().map(|(called, name)| (called.as_str(), name.as_str())).collect();
        assert_eq!(handed, [("map", "sorted"), ("builds", "a.B")]);
    }

    #[test]
    fn what_is_no_python_has_no_outline() {
        assert_eq!(module("def f(:\n"), None);
    }
}
