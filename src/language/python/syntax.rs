//! Python's syntax tree, and the few questions that are asked of its nodes.

use tree_sitter::{Node, Parser, Tree};

use crate::span::Span;

/// A text as a tree.
pub struct Syntax<'t> {
    /// The text.
    pub text: &'t str,
    tree: Tree,
}

impl<'t> Syntax<'t> {
    /// The tree of `text`; where that is no Python, its nodes say so. `None` where no parser can be had.
    pub fn of(text: &'t str) -> Option<Self> {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_python::LANGUAGE.into()).ok()?;
        Some(Syntax { text, tree: parser.parse(text, None)? })
    }

    /// The node of all of it.
    pub fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    /// The text of a node.
    pub fn said(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The text of a node's field; empty where it has none.
    pub fn field(&self, node: Node<'_>, name: &str) -> &'t str {
        node.child_by_field_name(name).map_or("", |field| self.said(field))
    }
}

/// The bytes of a node.
pub fn span(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

/// The nodes in a node that are no mere signs, comments left out.
pub fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

/// The line of a node's first byte, from 1.
pub fn line(node: Node<'_>) -> u32 {
    u32::try_from(node.start_position().row).unwrap_or(u32::MAX - 1) + 1
}
