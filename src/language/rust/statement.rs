//! Where in a plain test function the statement stands that runs a property.

use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Stmt};

use super::property::Call;
use crate::span::Span;

/// The statement of the function body `text[body]` that holds the byte `at`; `None` where it stands in a loop, a branch or
/// a closure, so that what comes before it does not tell what it sees. Call it inside [`super::tokens::apart`].
pub fn call_in(text: &str, body: Span, at: usize) -> Option<Call> {
    let inner = text.get(body.range())?;
    let statements = Block::parse_within.parse_str(inner).ok()?;
    let place = |statement: &Stmt| {
        let range = statement.span().byte_range();
        Span::new(body.start + range.start, body.start + range.end)
    };
    let (span, statement) = statements.iter().map(|s| (place(s), s)).find(|(span, _)| span.contains(at))?;
    let mut deeper = Deeper { at: at - body.start, found: false };
    deeper.visit_stmt(statement);
    (!deeper.found).then(|| Call {
        setup: Span::new(body.start, span.start),
        statement: span,
        rest: Span::new(span.end, body.end),
    })
}

/// Whether the byte `at` stands inside a block or a closure of the statement.
struct Deeper {
    at: usize,
    found: bool,
}

impl<'ast> Visit<'ast> for Deeper {
    fn visit_block(&mut self, block: &'ast Block) {
        self.found |= block.span().byte_range().contains(&self.at);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        if let Expr::Closure(closure) = expr {
            self.found |= closure.span().byte_range().contains(&self.at);
        } else {
            visit::visit_expr(self, expr);
        }
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.found |= arm.body.span().byte_range().contains(&self.at);
    }
}
