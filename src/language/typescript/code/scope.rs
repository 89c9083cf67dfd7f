//! Which names a piece of code takes from around it, and where those are bound: in the module itself, or by a function
//! that the code stands in.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::{Code, below, children, place};
use crate::span::Span;

/// What binds names: the kind of a node, and the field that holds what is bound.
const BINDERS: [(&str, &str); 11] = [
    ("variable_declarator", "name"),
    ("required_parameter", "pattern"),
    ("optional_parameter", "pattern"),
    ("arrow_function", "parameter"),
    ("function_declaration", "name"),
    ("generator_function_declaration", "name"),
    ("function_expression", "name"),
    ("class_declaration", "name"),
    ("enum_declaration", "name"),
    ("catch_clause", "parameter"),
    ("for_in_statement", "left"),
];

/// Nodes that are functions.
const FUNCTIONS: [&str; 6] = [
    "arrow_function",
    "function_expression",
    "function_declaration",
    "generator_function",
    "generator_function_declaration",
    "method_definition",
];

/// Nodes that use a name.
const USES: [&str; 2] = ["identifier", "shorthand_property_identifier"];

impl Code {
    /// The names that the code at `span` uses and does not bind, each once.
    pub fn free_names(&self, span: Span) -> BTreeSet<String> {
        let Some(node) = self.node(span) else { return BTreeSet::new() };
        let bound = self.bound_in(node);
        let used = below(node, &USES).into_iter().map(|node| self.at(place(node)).to_owned());
        used.filter(|name| !bound.contains(name)).collect()
    }

    /// Those of `names` that a function around `span` binds, and not the module.
    pub fn bound_around(&self, span: Span, names: &BTreeSet<String>) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut node = self.node(span);
        while let Some(inner) = node {
            let parent = inner.parent();
            if let Some(function) = parent.filter(|parent| FUNCTIONS.contains(&parent.kind())) {
                let own = self.bound_in(function);
                found.extend(names.iter().filter(|name| own.contains(*name)).cloned());
            }
            node = parent;
        }
        found
    }

    /// The names that the module itself declares or imports.
    pub fn module_names(&self) -> BTreeSet<String> {
        let mut names: BTreeSet<String> = self.imported().into_iter().map(|(local, ..)| local).collect();
        for statement in children(self.tree.root_node()) {
            let declared = statement.child_by_field_name("declaration").unwrap_or(statement);
            let own = match declared.kind() {
                "lexical_declaration" | "variable_declaration" => children(declared),
                _ => vec![declared],
            };
            for node in own {
                let binder = BINDERS.iter().find(|(kind, _)| *kind == node.kind());
                let bound = binder.and_then(|(_, field)| node.child_by_field_name(field));
                names.extend(bound.into_iter().flat_map(|bound| self.names_in(bound)));
            }
        }
        names
    }

    /// The names that `module` exports by declaring them.
    pub fn exports(&self, name: &str) -> bool {
        let is_declared = |statement: &Node<'_>| {
            let declared = statement.child_by_field_name("declaration");
            let own = declared.map_or_else(Vec::new, |declared| match declared.kind() {
                "lexical_declaration" | "variable_declaration" => children(declared),
                _ => vec![declared],
            });
            let named = |node: Node<'_>| node.child_by_field_name("name").map(place);
            own.into_iter().filter_map(named).any(|span| self.at(span) == name)
        };
        let is_listed = |statement: &Node<'_>| {
            let listed = below(*statement, &["export_specifier"]).into_iter();
            listed.filter_map(|one| one.child_by_field_name("name")).any(|node| self.at(place(node)) == name)
        };
        let mut exported = children(self.tree.root_node()).into_iter().filter(|node| node.kind() == "export_statement");
        exported.any(|statement| is_declared(&statement) || is_listed(&statement))
    }

    /// Whether the module is one of `import` and `export`, and no script or CommonJS.
    pub fn is_module(&self) -> bool {
        children(self.tree.root_node())
            .iter()
            .any(|node| node.kind() == "export_statement" || node.kind() == "import_statement")
    }

    /// The first statement of the module that is no directive.
    pub fn first_statement(&self) -> Option<Span> {
        let is_directive = |node: &Node<'_>| {
            node.kind() == "expression_statement" && children(*node).first().is_some_and(|node| node.kind() == "string")
        };
        children(self.tree.root_node())
            .into_iter()
            .find(|node| node.kind() != "hash_bang_line" && !is_directive(node))
            .map(place)
    }

    /// The last `import` or `require` at the top of the module.
    pub fn last_import(&self) -> Option<Span> {
        let is_require = |node: &Node<'_>| {
            ["lexical_declaration", "variable_declaration"].contains(&node.kind())
                && children(*node).iter().all(|one| {
                    let value = one.child_by_field_name("value").map(|value| self.at(place(value)));
                    value.is_some_and(|text| text.starts_with("require("))
                })
        };
        children(self.tree.root_node())
            .into_iter()
            .rfind(|node| node.kind() == "import_statement" || is_require(node))
            .map(place)
    }

    /// The end of the last of the names in braces that the module takes from `module` in one statement.
    pub fn last_named_import(&self, module: &str) -> Option<usize> {
        let is_whole = |node: &Node<'_>| !self.at(place(*node)).starts_with("import type");
        let statements = children(self.tree.root_node()).into_iter().filter(is_whole);
        let last = |statement: Node<'_>| {
            let (names, source) = match statement.kind() {
                "import_statement" => {
                    (below(statement, &["import_specifier"]), self.said(statement.child_by_field_name("source")?)?)
                }
                _ => {
                    let declared = below(statement, &["variable_declarator"]).into_iter().next()?;
                    let source = self.required(declared.child_by_field_name("value")?)?;
                    let pattern = declared.child_by_field_name("name")?;
                    (if pattern.kind() == "object_pattern" { children(pattern) } else { Vec::new() }, source)
                }
            };
            (source == module).then(|| names.last().map(Node::end_byte)).flatten()
        };
        statements.into_iter().find_map(last)
    }

    fn bound_in(&self, node: Node<'_>) -> BTreeSet<String> {
        let kinds: Vec<&str> = BINDERS.iter().map(|(kind, _)| *kind).collect();
        let mut names = BTreeSet::new();
        for binder in below(node, &kinds) {
            let fields = BINDERS.iter().filter(|(kind, _)| *kind == binder.kind());
            let bound = fields.filter_map(|(_, field)| binder.child_by_field_name(field));
            names.extend(bound.flat_map(|bound| self.names_in(bound)));
        }
        names
    }

    fn names_in(&self, pattern: Node<'_>) -> Vec<String> {
        let kinds = ["identifier", "type_identifier", "shorthand_property_identifier_pattern"];
        below(pattern, &kinds).into_iter().map(|node| self.at(place(node)).to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Code;

    const FILE: &str = "'use strict';\nimport fc, { a as b } from 'x';\nexport const arb = (max) => fc.nat(max).map((n) => ({ n, max, T: new Q(n) }));\n\
                        export class Q {}\nfunction f() {}\nexport { f };\n";

    fn code() -> Code {
        Code::read("a.ts", FILE.to_owned()).unwrap()
    }

    #[test]
    fn names_are_free_or_bound_by_what_stands_around() {
        let code = code();
        let map = code.calls.iter().find(|call| code.at(call.callee).ends_with(".map")).unwrap();
        let free = code.free_names(map.arguments[0]);
        assert_eq!(free.iter().map(String::as_str).collect::<Vec<_>>(), ["Q", "max"]);
        let around = code.bound_around(map.arguments[0], &free);
        assert_eq!(around.into_iter().collect::<Vec<_>>(), ["max"]);
    }

    #[test]
    fn a_module_tells_its_own_names() {
        let code = code();
        let names = code.module_names();
        assert_eq!(names.iter().map(String::as_str).collect::<Vec<_>>(), ["Q", "arb", "b", "f", "fc"]);
        assert!(code.exports("Q") && code.exports("arb") && code.exports("f") && !code.exports("fc"));
        assert!(code.is_module());
        assert!(code.at(code.first_statement().unwrap()).starts_with("import fc"));
        assert!(code.at(code.last_import().unwrap()).starts_with("import fc"));
    }
}
