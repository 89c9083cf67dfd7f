//! One source file, read by a parser that keeps the place of every token: its calls, its functions, and what the literals in
//! it hold. What is no part of the language is passed over; text is never searched for code.

use tree_sitter::{Language, Node, Parser, Tree};

use crate::span::Span;

use super::text::{Piece, pieces};

mod flow;
mod functions;
mod makings;
mod normal;
mod number;
mod scope;

pub use flow::{Declared, Returned};
pub use functions::Defined;
pub use makings::Making;

/// A file that was read.
pub struct Code {
    /// Its text.
    pub text: String,
    tree: Tree,
    /// Its calls, in order of their first bytes; of two that begin in one place the outer first.
    pub calls: Vec<Call>,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// All of it.
    pub span: Span,
    /// What is called.
    pub callee: Span,
    /// What is called is the result of this call.
    pub inner: Option<usize>,
    /// The arguments with their parentheses.
    pub parentheses: Span,
    /// Each argument.
    pub arguments: Vec<Span>,
    /// The call in whose arguments it stands, the innermost one.
    pub around: Option<usize>,
}

/// A member of an object literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// All of it.
    pub span: Span,
    /// Its name, where that is told; empty of a spread.
    pub name: String,
    /// Its value; of a spread what is spread; of a shorthand the name itself.
    pub value: Span,
    /// What form it has.
    pub form: MemberForm,
}

/// The form of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberForm {
    /// `name: value`.
    Pair,
    /// `name`.
    Shorthand,
    /// `...value`.
    Spread,
    /// A method or an accessor.
    Method,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// All of it.
    pub span: Span,
    /// The names of its parameters, empty where one is a pattern.
    pub parameters: Vec<String>,
    /// Its body.
    pub body: Span,
}

/// What an expression is, as far as it makes a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An object literal.
    Object,
    /// An array literal.
    Array,
    /// A name.
    Name,
    /// A string or template.
    Text,
    /// A number.
    Number,
    /// A function.
    Function,
    /// A call.
    Call,
    /// Anything else.
    Other,
}

/// Deepest nesting that is looked into.
const DEPTH: usize = 2_000;

impl Code {
    /// Reads the file called `name`; `None` where its name is that of no such file, or it cannot be read at all.
    pub fn read(name: &str, text: String) -> Option<Code> {
        let mut parser = Parser::new();
        parser.set_language(&grammar(name)?).ok()?;
        let tree = parser.parse(&text, None)?;
        let calls = calls(&tree);
        Some(Code { text, tree, calls })
    }

    /// The text at `span`.
    pub fn at(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// The place among the calls of the one at exactly `span`.
    pub fn call_at(&self, span: Span) -> Option<usize> {
        let first = self.calls.partition_point(|call| call.span.start < span.start);
        let begin = self.calls[first..].iter().take_while(|call| call.span.start == span.start);
        begin.enumerate().find(|(_, call)| call.span == span).map(|(at, _)| first + at)
    }

    /// The line of the byte at `offset`, from 1.
    pub fn line(&self, offset: usize) -> u32 {
        let before = self.text.as_bytes().get(..offset).unwrap_or_default();
        u32::try_from(memchr::memchr_iter(b'\n', before).count()).map_or(u32::MAX, |count| count.saturating_add(1))
    }

    /// Whether something at `span` is none of the language, so that its parts may not be what they seem.
    pub fn is_broken(&self, span: Span) -> bool {
        self.node(span).is_none_or(|node| node.has_error())
    }

    /// What the expression at `span` is.
    pub fn kind(&self, span: Span) -> Kind {
        match self.bare(span).map(|node| node.kind()) {
            Some("object") => Kind::Object,
            Some("array") => Kind::Array,
            Some("identifier") => Kind::Name,
            Some("string" | "template_string") => Kind::Text,
            Some("number") => Kind::Number,
            Some("arrow_function" | "function_expression" | "function" | "generator_function") => Kind::Function,
            Some("call_expression") => Kind::Call,
            _ => Kind::Other,
        }
    }

    /// The expression at `span` without parentheses and type annotations around it.
    pub fn plain(&self, span: Span) -> Span {
        self.bare(span).map_or(span, place)
    }

    /// The members of the object literal at `span`.
    pub fn members(&self, span: Span) -> Option<Vec<Member>> {
        let node = self.bare(span).filter(|node| node.kind() == "object")?;
        Some(children(node).into_iter().filter_map(|child| self.member(child)).collect())
    }

    fn member(&self, node: Node<'_>) -> Option<Member> {
        let field = |name: &str| node.child_by_field_name(name).map(place);
        let span = place(node);
        match node.kind() {
            "pair" => {
                let key = field("key")?;
                Some(Member { span, name: self.key(key), value: field("value")?, form: MemberForm::Pair })
            }
            "shorthand_property_identifier" => {
                Some(Member { span, name: self.at(span).to_owned(), value: span, form: MemberForm::Shorthand })
            }
            "spread_element" => {
                let value = children(node).first().copied().map(place)?;
                Some(Member { span, name: String::new(), value, form: MemberForm::Spread })
            }
            "method_definition" => {
                let name = field("name").map(|name| self.key(name)).unwrap_or_default();
                Some(Member { span, name, value: span, form: MemberForm::Method })
            }
            _ => None,
        }
    }

    /// The name that a key writes.
    fn key(&self, span: Span) -> String {
        let text = self.at(span);
        match self.pieces(span).as_deref() {
            Some([Piece::Text(text)]) => text.clone(),
            Some([]) => String::new(),
            _ => text.to_owned(),
        }
    }

    /// The elements of the array literal at `span`, holes left out.
    pub fn elements(&self, span: Span) -> Option<Vec<Span>> {
        let node = self.bare(span).filter(|node| node.kind() == "array")?;
        Some(children(node).into_iter().map(place).collect())
    }

    /// What the string or template at `span` says.
    pub fn pieces(&self, span: Span) -> Option<Vec<Piece>> {
        let node = self.bare(span).filter(|node| ["string", "template_string"].contains(&node.kind()))?;
        let holes = children(node).into_iter().filter(|child| child.kind() == "template_substitution").map(place);
        let inside = Span::new(node.start_byte() + 1, node.end_byte().saturating_sub(1).max(node.start_byte() + 1));
        let mut found = Vec::new();
        let mut at = inside.start;
        for hole in holes {
            pieces(self.at(Span::new(at, hole.start)), &mut found);
            found.push(Piece::Any);
            at = hole.end;
        }
        pieces(self.at(Span::new(at, inside.end)), &mut found);
        Some(found)
    }

    /// What the constant `name` is given where it is declared; `None` where nothing or more than one thing of that name is.
    pub fn constant(&self, name: &str) -> Option<Span> {
        let mut values = self.nodes(&["variable_declarator"]).into_iter().filter_map(|node| {
            let declared = node.child_by_field_name("name").map(place)?;
            (self.at(declared) == name).then(|| node.child_by_field_name("value").map(place)).flatten()
        });
        let first = values.next()?;
        values.next().is_none().then_some(first)
    }

    /// The function `name`, however it is declared or exported.
    pub fn function(&self, name: &str) -> Option<Function> {
        let declared =
            ["function_declaration", "function_expression", "variable_declarator", "assignment_expression", "pair"];
        let nodes = self.nodes(&declared);
        let found = nodes.into_iter().find_map(|node| {
            let field = |name: &str| node.child_by_field_name(name);
            let (called, function) = match node.kind() {
                "function_declaration" | "function_expression" => (field("name")?, node),
                "variable_declarator" => (field("name")?, field("value")?),
                "pair" => (field("key")?, field("value")?),
                _ => (field("left")?, field("right")?),
            };
            let called = self.at(place(called));
            (called == name || called.rsplit('.').next() == Some(name) && called.contains('.')).then_some(function)
        })?;
        self.function_of(found)
    }

    /// The function that the expression at `span` is.
    pub fn function_at(&self, span: Span) -> Option<Function> {
        self.function_of(self.bare(span)?)
    }

    fn function_of(&self, node: Node<'_>) -> Option<Function> {
        let body = node.child_by_field_name("body").map(place)?;
        let list = node.child_by_field_name("parameters").or_else(|| node.child_by_field_name("parameter"))?;
        let parameters = match list.kind() {
            "identifier" => vec![list],
            _ => children(list),
        };
        let name = |node: Node<'_>| {
            let pattern =
                node.child_by_field_name("pattern").or_else(|| node.child_by_field_name("left")).unwrap_or(node);
            if pattern.kind() == "identifier" { self.at(place(pattern)).to_owned() } else { String::new() }
        };
        Some(Function { span: place(node), parameters: parameters.into_iter().map(name).collect(), body })
    }

    /// What a file takes from others: local name, name there (empty for all of it), module.
    pub fn imported(&self) -> Vec<(String, String, String)> {
        let mut found = Vec::new();
        for node in self.nodes(&["import_statement", "variable_declarator"]) {
            let field = |name: &str| node.child_by_field_name(name);
            if node.kind() == "import_statement" {
                let Some(module) = field("source").and_then(|source| self.said(source)) else { continue };
                for name in below(node, &["import_specifier", "namespace_import", "import_clause"]) {
                    found.extend(self.imports(name).into_iter().map(|(local, there)| (local, there, module.clone())));
                }
            } else if let (Some(name), Some(module)) =
                (field("name"), field("value").and_then(|value| self.required(value)))
            {
                match name.kind() {
                    "identifier" => found.push((self.at(place(name)).to_owned(), String::new(), module)),
                    _ => found.extend(children(name).into_iter().map(|part| {
                        let at =
                            |name: &str| part.child_by_field_name(name).map(|node| self.at(place(node)).to_owned());
                        let own = self.at(place(part)).to_owned();
                        let (there, local) = (at("key").unwrap_or_else(|| own.clone()), at("value").unwrap_or(own));
                        (local, there, module.clone())
                    })),
                }
            }
        }
        found
    }

    /// What the module gives on from others: the name that each has then, `*` for all, the name it has there, and the module.
    pub fn given_on(&self) -> Vec<(String, String, String)> {
        let mut found = Vec::new();
        for node in self.nodes(&["export_statement"]) {
            let source = node.child_by_field_name("source");
            let Some(module) = source.and_then(|source| self.said(source)) else { continue };
            let text = |node: Option<Node<'_>>| node.map(|node| self.at(place(node)).to_owned());
            let named = below(node, &["export_specifier"]).into_iter().filter_map(|name| {
                let there = text(name.child_by_field_name("name"))?;
                let local = text(name.child_by_field_name("alias")).unwrap_or_else(|| there.clone());
                Some((local, there, module.clone()))
            });
            let before = found.len();
            found.extend(named);
            let whole = below(node, &["namespace_export"])
                .into_iter()
                .find_map(|name| text(name.child(name.child_count() as u32 - 1)));
            match whole {
                Some(local) => found.push((local, String::new(), module)),
                None if found.len() == before => found.push(("*".to_owned(), "*".to_owned(), module)),
                None => {}
            }
        }
        found
    }

    fn imports(&self, node: Node<'_>) -> Vec<(String, String)> {
        let text = |node: Node<'_>| self.at(place(node)).to_owned();
        let field = |name: &str| node.child_by_field_name(name).map(text);
        match node.kind() {
            "import_specifier" => {
                let Some(name) = field("name") else { return Vec::new() };
                vec![(field("alias").unwrap_or_else(|| name.clone()), name)]
            }
            "namespace_import" => children(node).into_iter().map(|name| (text(name), String::new())).collect(),
            _ => {
                let own = children(node).into_iter().filter(|child| child.kind() == "identifier");
                own.map(|name| (text(name), "default".to_owned())).collect()
            }
        }
    }

    /// The module of `require("module")`.
    fn required(&self, node: Node<'_>) -> Option<String> {
        let callee = node.child_by_field_name("function")?;
        let first = children(node.child_by_field_name("arguments")?).first().copied()?;
        (self.at(place(callee)) == "require").then(|| self.said(first)).flatten()
    }

    fn said(&self, node: Node<'_>) -> Option<String> {
        match self.pieces(place(node))?.as_slice() {
            [Piece::Text(text)] => Some(text.clone()),
            _ => None,
        }
    }

    /// The text of every `new` expression's class, and of every name, in the code at `span`.
    pub fn made_in(&self, span: Span) -> Vec<String> {
        let Some(node) = self.node(span) else { return Vec::new() };
        let found = below(node, &["new_expression"]);
        let classes = found.into_iter().filter_map(|node| node.child_by_field_name("constructor"));
        classes.map(|class| self.at(place(class)).to_owned()).collect()
    }

    /// The comments between `span` and what stands before it, down to the last blank line.
    pub fn comments_before(&self, span: Span) -> Vec<String> {
        let mut found = Vec::new();
        let mut start = span.start;
        for node in self.nodes(&["comment"]).into_iter().rev().filter(|node| node.end_byte() <= span.start) {
            let between = self.at(Span::new(node.end_byte(), start));
            if !between.trim().is_empty() || between.matches('\n').count() > 1 {
                break;
            }
            found.push(self.at(place(node)).to_owned());
            start = node.start_byte();
        }
        found
    }

    /// Where the statement begins that holds `span`.
    pub fn statement(&self, span: Span) -> Span {
        let mut node = self.node(span);
        while let Some(inner) = node {
            if inner.kind().ends_with("_statement") || inner.kind().ends_with("_declaration") {
                return place(inner);
            }
            node = inner.parent();
        }
        span
    }

    fn nodes(&self, kinds: &[&str]) -> Vec<Node<'_>> {
        below(self.tree.root_node(), kinds)
    }

    /// The outermost node at exactly `span`.
    fn node(&self, span: Span) -> Option<Node<'_>> {
        let mut node = self.tree.root_node().named_descendant_for_byte_range(span.start, span.end)?;
        while let Some(parent) = node.parent().filter(|parent| place(*parent) == span && parent.kind() != "program") {
            node = parent;
        }
        (place(node) == span).then_some(node)
    }

    fn bare(&self, span: Span) -> Option<Node<'_>> {
        let mut node = self.node(span)?;
        while [
            "parenthesized_expression",
            "as_expression",
            "satisfies_expression",
            "non_null_expression",
            "await_expression",
        ]
        .contains(&node.kind())
        {
            node = children(node).first().copied()?;
        }
        Some(node)
    }
}

/// The grammar for a file of that name. That of JSX reads all of JavaScript, and of TypeScript all but old type casts.
fn grammar(name: &str) -> Option<Language> {
    let (_, extension) = name.rsplit_once('.')?;
    match extension {
        "ts" | "mts" | "cts" => Some(tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()),
        "tsx" | "jsx" | "js" | "mjs" | "cjs" => Some(tree_sitter_typescript::LANGUAGE_TSX.into()),
        _ => None,
    }
}

fn place(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

/// The named children, comments left out.
fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

/// The nodes of these kinds at and below `node`, in order.
fn below<'t>(node: Node<'t>, kinds: &[&str]) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    let mut cursor = node.walk();
    let mut depth = 0;
    loop {
        if kinds.contains(&cursor.node().kind()) {
            found.push(cursor.node());
        }
        if depth < DEPTH && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if depth == 0 || !cursor.goto_parent() {
                return found;
            }
            depth -= 1;
        }
        if depth == 0 {
            return found;
        }
    }
}

fn calls(tree: &Tree) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for node in below(tree.root_node(), &["call_expression"]) {
        let fields = (node.child_by_field_name("function"), node.child_by_field_name("arguments"));
        let (Some(callee), Some(list)) = fields else { continue };
        let span = place(node);
        open.retain(|&at| calls[at].span.end > span.start);
        let holds = |at: &&usize| {
            let list = calls[**at].parentheses;
            list.start <= span.start && span.end <= list.end
        };
        let around = open.iter().rev().find(holds).copied();
        let called_by = open.last().copied().filter(|&at| calls[at].callee == span);
        let arguments =
            if list.kind() == "arguments" { children(list).into_iter().map(place).collect() } else { Vec::new() };
        let at = calls.len();
        calls.push(Call { span, callee: place(callee), inner: None, parentheses: place(list), arguments, around });
        if let Some(outer) = called_by {
            calls[outer].inner = Some(at);
        }
        open.push(at);
    }
    calls
}
