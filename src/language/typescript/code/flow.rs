//! What a function gives back and throws, under which condition, and what a file declares.

use tree_sitter::Node;

use super::{Code, below, children, place};
use crate::span::Span;

/// A `return` of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Returned {
    /// The statement.
    pub span: Span,
    /// What is given back, where anything is.
    pub value: Option<Span>,
}

/// Something with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The name; of a pattern as it is written.
    pub name: String,
    /// Where the name stands.
    pub place: Span,
    /// All of it; of several in one statement its own part.
    pub span: Span,
}

impl Code {
    /// All of the file.
    pub fn whole(&self) -> Span {
        Span::new(0, self.text.len())
    }

    /// The first line, from 1, at which something is none of the language; `None` where all is.
    pub fn broken_line(&self) -> Option<u32> {
        let root = self.tree.root_node();
        if !root.has_error() {
            return None;
        }
        let mut node = root;
        while let Some(child) = broken_child(node) {
            node = child;
        }
        Some(self.line(node.start_byte()))
    }

    /// The `return` statements of the function at `span`, and of none inside it.
    pub fn own_returns(&self, span: Span) -> Vec<Returned> {
        let Some(node) = self.bare(span) else { return Vec::new() };
        let is_own = |one: &Node<'_>| {
            let mut around = one.parent();
            while let Some(parent) = around.filter(|parent| place(*parent) != place(node)) {
                if is_function(parent) {
                    return false;
                }
                around = parent.parent();
            }
            true
        };
        let returned = below(node, &["return_statement"]).into_iter().filter(is_own);
        returned.map(|one| Returned { span: place(one), value: children(one).first().copied().map(place) }).collect()
    }

    /// The `throw` statements at `span`.
    pub fn throws(&self, span: Span) -> Vec<Span> {
        let Some(node) = self.node(span) else { return Vec::new() };
        below(node, &["throw_statement"]).into_iter().map(place).collect()
    }

    /// The `if` without `else` that decides of the statement at `span` and of nothing else.
    pub fn guard(&self, span: Span) -> Option<Span> {
        let node = self.node(span)?;
        let parent = node.parent()?;
        let block = match parent.kind() {
            "statement_block" if children(parent).len() == 1 => parent.parent()?,
            _ => parent,
        };
        let is_guard = block.kind() == "if_statement" && block.child_by_field_name("alternative").is_none();
        is_guard.then(|| place(block))
    }

    /// The statement that the expression at `span` is all of, `await` and `void` aside; else the expression.
    pub fn whole_of(&self, span: Span) -> Span {
        let Some(mut node) = self.node(span) else { return span };
        while let Some(parent) = node.parent() {
            match parent.kind() {
                "expression_statement" => return place(parent),
                "await_expression" | "unary_expression" | "parenthesized_expression" => node = parent,
                _ => break,
            }
        }
        span
    }

    /// The statements of the module.
    pub fn module_statements(&self) -> Vec<Span> {
        children(self.tree.root_node()).into_iter().map(place).collect()
    }

    /// What the statement at `span` declares that is there when the code runs: functions, classes, variables, however
    /// exported. `None` where it is no declaration; modules that it takes in are none.
    pub fn declared(&self, span: Span) -> Option<Vec<Declared>> {
        let statement = self.node(span)?;
        let inner = statement.child_by_field_name("declaration").unwrap_or(statement);
        match inner.kind() {
            "lexical_declaration" | "variable_declaration" => {
                let own = children(inner).into_iter().filter(|one| one.kind() == "variable_declarator");
                let own = own
                    .filter(|one| one.child_by_field_name("value").is_none_or(|value| self.required(value).is_none()));
                Some(own.filter_map(|one| self.declaration(one)).collect())
            }
            "function_declaration"
            | "generator_function_declaration"
            | "class_declaration"
            | "enum_declaration"
            | "abstract_class_declaration" => Some(self.declaration(inner).into_iter().collect()),
            "import_statement"
            | "interface_declaration"
            | "type_alias_declaration"
            | "ambient_declaration"
            | "hash_bang_line"
            | "empty_statement" => Some(Vec::new()),
            "export_statement" if statement.child_by_field_name("value").is_none() => Some(Vec::new()),
            _ => None,
        }
    }

    fn declaration(&self, node: Node<'_>) -> Option<Declared> {
        let name = place(node.child_by_field_name("name")?);
        Some(Declared { name: self.normal(name), place: name, span: place(node) })
    }

    /// Where the comments begin that stand close before `span`, each line of them.
    pub fn lead(&self, span: Span) -> usize {
        let mut start = span.start;
        let Some(mut node) = self.node(span) else { return start };
        while let Some(before) = node.prev_sibling().filter(|before| before.kind() == "comment") {
            let between = self.at(Span::new(before.end_byte(), start));
            let is_of_other = || {
                let line = self.text.get(..before.start_byte()).unwrap_or_default().rsplit('\n').next();
                line.is_some_and(|line| !line.trim().is_empty())
            };
            if !between.trim().is_empty() || between.matches('\n').count() > 1 || is_of_other() {
                break;
            }
            start = before.start_byte();
            node = before;
        }
        start
    }
}

fn is_function(node: Node<'_>) -> bool {
    node.kind().contains("function") || node.kind() == "method_definition"
}

fn broken_child(node: Node<'_>) -> Option<Node<'_>> {
    if node.is_error() {
        return None;
    }
    let mut cursor = node.walk();
    node.children(&mut cursor).find(|child| child.has_error() || child.is_missing())
}

#[cfg(test)]
mod tests {
    use super::super::Code;

    fn code(text: &str) -> Code {
        Code::read("a.ts", text.to_owned()).unwrap()
    }

    #[test]
    fn a_file_tells_where_it_is_broken() {
        assert_eq!(code("const a = 1;\nf(a);\n").broken_line(), None);
        assert_eq!(code("const a = 1;\n\nf(a;\n").broken_line(), Some(3));
        assert_eq!(code("a;\n}}}}").broken_line(), Some(2));
    }

    #[test]
    fn returns_and_throws_have_their_guards() {
        let code = code(
            "const f = (a) => {\n  if (a < 1) return;\n  if (a < 2) { throw new Error('x'); }\n  xs.map((x) => { return x; });\n\
             \x20 if (a) { b(); return a; } else { return 0; }\n};\n",
        );
        let function = code.function("f").unwrap();
        let returns = code.own_returns(function.span);
        let texts = |one: &super::Returned| (code.at(one.span), one.value.map(|value| code.at(value)));
        let found: Vec<_> = returns.iter().map(texts).collect();
        assert_eq!(found, [("return;", None), ("return a;", Some("a")), ("return 0;", Some("0"))]);
        let guards: Vec<_> = returns.iter().map(|one| code.guard(one.span).map(|span| code.at(span))).collect();
        assert_eq!(guards, [Some("if (a < 1) return;"), None, None]);
        let [throw] = code.throws(function.span).try_into().unwrap();
        assert_eq!(code.guard(throw).map(|span| code.at(span)), Some("if (a < 2) { throw new Error('x'); }"));
    }

    #[test]
    fn declarations_are_told_by_name() {
        let code = code(
            "import a from 'a';\nconst b = require('b');\nexport const c = 1, { d } = e;\nfunction f() {}\ntype T = 1;\ng();\n\
             export default class H {}\nexport { c };\n",
        );
        let declared = |at: usize| {
            let declared = code.declared(code.module_statements()[at])?;
            Some(declared.into_iter().map(|one| one.name).collect::<Vec<_>>())
        };
        let names = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!((declared(0), declared(1), declared(2)), (names(&[]), names(&[]), names(&["c", "{ d }"])));
        assert_eq!((declared(3), declared(4), declared(5)), (names(&["f"]), names(&[]), None));
        assert_eq!((declared(6), declared(7)), (names(&["H"]), names(&[])));
    }

    #[test]
    fn comments_that_stand_close_lead_a_statement() {
        let code = code("f(); // of f\n// a\n/* b */\ng();\n\n// c\n\nh();\n");
        let lead = |at: usize| code.lead(code.module_statements()[at]);
        assert_eq!((lead(0), &code.text[lead(1)..lead(1) + 4], lead(2)), (0, "// a", code.text.find("h()").unwrap()));
    }

    #[test]
    fn an_expression_may_be_a_statement_of_its_own() {
        let code = code("await f(1);\nconst a = f(2);\n");
        let spans: Vec<&str> = code.calls.iter().map(|call| code.at(code.whole_of(call.span))).collect();
        assert_eq!(spans, ["await f(1);", "f(2)"]);
    }
}
