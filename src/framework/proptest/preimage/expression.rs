//! Pieces of code as text: blocks and what stands in them, and how an expression is made to fit where it goes.

use syn::Expr;
use syn::visit::Visit;

use crate::language::rust::layout::indented;

/// Methods that give whatever is wanted of them.
const GATHERING: [&str; 3] = ["collect", "sum", "product"];

/// `after` behind an expression, in parentheses where it needs them.
pub(super) fn followed(body: &str, after: &str) -> String {
    let is_chain = |body: &Expr| matches!(body, Expr::Call(_) | Expr::MethodCall(_) | Expr::Path(_));
    match after {
        "" => body.to_owned(),
        _ if syn::parse_str::<Expr>(body).is_ok_and(|body| is_chain(&body)) => format!("{body}{after}"),
        _ => format!("({body}){after}"),
    }
}

/// Statements as a block.
pub(super) fn block(lines: &[String]) -> String {
    match lines {
        [one] if !one.contains('\n') && syn::parse_str::<Expr>(one).is_ok() => one.clone(),
        _ => format!("{{\n{}\n}}", indented(&lines.join("\n"), "    ")),
    }
}

/// What stands between the braces of a block; anything else as it is.
pub(super) fn inner(body: &str) -> &str {
    match syn::parse_str::<Expr>(body) {
        Ok(Expr::Block(block)) if block.attrs.is_empty() && block.label.is_none() => {
            body.trim().strip_prefix('{').and_then(|body| body.strip_suffix('}')).unwrap_or(body).trim()
        }
        _ => body,
    }
}

/// The one expression of a block that has no statements; anything else as it is.
pub(super) fn expression(body: &str) -> &str {
    let inside = inner(body);
    if syn::parse_str::<Expr>(inside).is_ok() { inside } else { body }
}

/// Statements whose value's type is said: behind what gathers it, where that is all the last one does, else before all.
pub(super) fn typed(lines: &[String], ty: &str) -> Vec<String> {
    let [before @ .., last] = lines else { return Vec::new() };
    if let Some(said) = gathered(last, ty) {
        return [before, &[said]].concat();
    }
    if syn::parse_str::<Expr>(last).is_ok() {
        return [before, &[format!("let value: {ty} = {last};"), "value".to_owned()]].concat();
    }
    vec![format!("let value: {ty} = {};", block(lines)), "value".to_owned()]
}

/// An expression that ends in a method which gives whatever is wanted of it, with what is wanted.
pub(super) fn gathered(body: &str, ty: &str) -> Option<String> {
    let ends = |gathers: &&str| body.strip_suffix(&format!(".{gathers}()"));
    GATHERING.iter().find_map(|gathers| Some(format!("{}.{gathers}::<{ty}>()", ends(gathers)?)))
}

/// Whether what a body gives depends on what is wanted of it.
pub(super) fn is_untyped(body: &str) -> bool {
    let last = expression(body).trim_end_matches([' ', '\n', '}']);
    last.ends_with(".into()") || GATHERING.iter().any(|gathers| last.ends_with(&format!(".{gathers}()")))
}

/// Whether a body may end before its end, as only a function's can.
pub(super) fn leaves(body: &str) -> bool {
    struct Leaves(bool);
    impl<'ast> Visit<'ast> for Leaves {
        fn visit_expr_return(&mut self, _: &'ast syn::ExprReturn) {
            self.0 = true;
        }
        fn visit_expr_try(&mut self, _: &'ast syn::ExprTry) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
        fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut leaves = Leaves(false);
    if let Ok(body) = syn::parse_str::<Expr>(body) {
        leaves.visit_expr(&body);
    }
    leaves.0
}
