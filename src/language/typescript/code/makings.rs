//! What makes values in code: `new` expressions, and the objects whose methods are called.

use tree_sitter::Node;

use super::{Code, below, children, place};
use crate::span::Span;

/// A `new` expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Making {
    /// All of it.
    pub span: Span,
    /// The class.
    pub class: Span,
    /// The arguments with their parentheses, where it has any.
    pub parentheses: Option<Span>,
    /// Each argument.
    pub arguments: Vec<Span>,
}

impl Code {
    /// The `new` expressions of the file, in order.
    pub fn makings(&self) -> Vec<Making> {
        let making = |node: Node<'_>| {
            let class = node.child_by_field_name("constructor").map(place)?;
            let list = node.child_by_field_name("arguments");
            let arguments = list.map_or_else(Vec::new, |list| children(list).into_iter().map(place).collect());
            Some(Making { span: place(node), class, parentheses: list.map(place), arguments })
        };
        self.nodes(&["new_expression"]).into_iter().filter_map(making).collect()
    }

    /// The object and the name of what `callee` calls, where that is a plain member of an object.
    pub fn method(&self, callee: Span) -> Option<(Span, Span)> {
        let node = self.node(callee).filter(|node| node.kind() == "member_expression")?;
        let is_plain = |node: Node<'_>| below(node, &["optional_chain"]).is_empty();
        let (object, name) = (node.child_by_field_name("object")?, node.child_by_field_name("property")?);
        (is_plain(node) && name.kind() == "property_identifier").then(|| (place(object), place(name)))
    }

    /// The statement that holds `span` and that a block or the module holds itself.
    pub fn whole_statement(&self, span: Span) -> Option<Span> {
        let mut node = self.node(span)?;
        while let Some(parent) = node.parent() {
            if ["program", "statement_block"].contains(&parent.kind()) {
                return Some(place(node));
            }
            node = parent;
        }
        None
    }

    /// The statements of the block at `span`, comments left out.
    pub fn statements(&self, span: Span) -> Option<Vec<Span>> {
        let node = self.node(span).filter(|node| node.kind() == "statement_block")?;
        Some(children(node).into_iter().map(place).collect())
    }

    /// What is returned by `return` in the function at `span`, by none inside it.
    pub fn returns(&self, span: Span) -> bool {
        let Some(node) = self.node(span) else { return false };
        let returned = below(node, &["return_statement"]).into_iter();
        returned.into_iter().any(|one| {
            let mut around = one.parent();
            while let Some(parent) = around.filter(|parent| place(*parent) != span) {
                if parent.kind().contains("function") || parent.kind() == "method_definition" {
                    return false;
                }
                around = parent.parent();
            }
            true
        })
    }

    /// Whether the expression at `span` compares, or turns a truth round: its value is `true` or `false`.
    pub fn is_truth(&self, span: Span) -> bool {
        let Some(node) = self.bare(span) else { return false };
        let sign = node.child_by_field_name("operator").map_or("", |sign| self.at(place(sign)));
        match node.kind() {
            "binary_expression" if ["&&", "||"].contains(&sign) => {
                let side = |name: &str| node.child_by_field_name(name).is_some_and(|side| self.is_truth(place(side)));
                side("left") && side("right")
            }
            "binary_expression" => ["===", "!==", "==", "!=", "<", "<=", ">", ">=", "in", "instanceof"].contains(&sign),
            "unary_expression" => sign == "!",
            _ => ["true", "false"].contains(&node.kind()),
        }
    }

    /// The parameters of the function at `span`, as they are written.
    pub fn parameters(&self, span: Span) -> Option<Vec<String>> {
        let node = self.bare(span)?;
        let list = node.child_by_field_name("parameters").or_else(|| node.child_by_field_name("parameter"))?;
        let parameters = if list.kind() == "formal_parameters" { children(list) } else { vec![list] };
        Some(parameters.into_iter().map(|one| self.at(place(one)).to_owned()).collect())
    }

    /// Whether the code at `span` speaks of `this`.
    pub fn takes_this(&self, span: Span) -> bool {
        self.node(span).is_some_and(|node| !below(node, &["this"]).is_empty())
    }

    /// Whether the function at `span` is `async`.
    pub fn is_async(&self, span: Span) -> bool {
        self.bare(span).is_some_and(|node| self.at(place(node)).trim_start().starts_with("async"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Code;

    #[test]
    fn makings_and_methods_are_told_apart() {
        let code = Code::read("a.ts", "x(new Q<number>(1, 'k'), new M.N, A.b.of(2), a?.b(3));\n".to_owned()).unwrap();
        let made: Vec<(&str, usize)> =
            code.makings().iter().map(|one| (code.at(one.class), one.arguments.len())).collect();
        assert_eq!(made, [("Q", 2), ("M.N", 0)]);
        let methods: Vec<(&str, &str)> = code
            .calls
            .iter()
            .filter_map(|call| code.method(call.callee))
            .map(|(object, name)| (code.at(object), code.at(name)))
            .collect();
        assert_eq!(methods, [("A.b", "of")]);
    }

    #[test]
    fn a_function_returns_what_no_inner_one_does() {
        let text = "const a = () => { xs.map((x) => { return x; }); };\nconst b = () => { if (c) return 1; };\n";
        let code = Code::read("a.ts", text.to_owned()).unwrap();
        let returns = |name: &str| code.returns(code.function(name).unwrap().span);
        assert_eq!((returns("a"), returns("b")), (false, true));
    }

    #[test]
    fn comparisons_are_truths() {
        let code = Code::read("a.ts", "f(a === b, !a, a && !b, a < b && !c, g(a));\n".to_owned()).unwrap();
        let truths: Vec<bool> = code.calls[0].arguments.iter().map(|span| code.is_truth(*span)).collect();
        assert_eq!(truths, [true, true, false, true, false]);
    }
}
