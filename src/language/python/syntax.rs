//! Python's syntax tree, and the few questions that are asked of its nodes.

use tree_sitter::{Node, Parser, Tree};

use super::marks::{Mark, marks};
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
        let tree = parser.parse(text, None)?;
        if !tree.root_node().has_error() {
            return Some(Syntax { text, tree });
        }
        // The grammar loses its way at a comment that stands further out than what is around it.
        let plain = parser.parse(without_comments(text), None)?;
        Some(Syntax { text, tree: if plain.root_node().has_error() { tree } else { plain } })
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

/// The text without its comments, byte for byte in its place.
fn without_comments(text: &str) -> String {
    let mut plain = text.as_bytes().to_vec();
    for (_, comment) in marks(text).filter(|(mark, _)| *mark == Mark::Comment) {
        plain[comment.range()].iter_mut().filter(|byte| **byte != b'\r').for_each(|byte| *byte = b' ');
    }
    String::from_utf8(plain).unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::Syntax;

    #[test]
    fn a_comment_may_stand_anywhere() {
        let text =
            "class A:\n    @b\n# out\n    @c\n    def f(self):\n        x = 1 + \\\n            2\n        return x\n";
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let syntax = Syntax::of(&text).unwrap();
            assert!(!syntax.root().has_error(), "{text:?}");
        }
        let syntax = Syntax::of("x = '''a\r\nb'''\r\n").unwrap();
        assert!(Syntax::of("class A:\n    @b\n# é\n    @c\n").unwrap().root().has_error());
        assert_eq!(syntax.said(syntax.root().named_child(0).unwrap()), "x = '''a\r\nb'''");
    }
}
