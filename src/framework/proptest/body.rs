//! A property's body as the body of a plain test: its own text with comments and layout kept, `prop_assert!` and its kin
//! turned into the standard macros where they stand in the body itself, and what must run where an `Err` can be returned
//! told from what need not.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Macro, Stmt, Token};

use crate::edit::Edits;
use crate::language::rust::code::Code;
use crate::language::rust::layout::dedented;
use crate::language::rust::property::{Form, PropertyFn};
use crate::language::rust::tokens::apart;
use crate::span::Span;

/// What an assumption that no longer holds says.
pub(super) const NO_LONGER: &str = "the pinned input no longer meets the assumption";

/// Macros known never to leave the function they stand in.
const STAYING: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "concat",
    "dbg",
    "debug",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "error",
    "format",
    "format_args",
    "info",
    "matches",
    "panic",
    "print",
    "println",
    "stringify",
    "todo",
    "trace",
    "unimplemented",
    "unreachable",
    "vec",
    "warn",
    "write",
    "writeln",
];

/// A body for a plain test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Body {
    /// Its lines, not indented.
    pub(super) text: String,
    /// How it can be left early.
    pub(super) exit: Exit,
}

/// How a body can be left early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// By a panic alone: its statements can stand in the test as they are.
    Panic,
    /// By `?` or `return`: it must run in a closure whose `Err` fails the test. The body ends in the closure's value.
    Return,
}

/// The body of `property`, which stands in `text`.
pub(super) fn body(property: &PropertyFn, text: &str) -> Body {
    let own = text.get(property.body.range()).unwrap_or_default();
    if let (Form::NamedRunner, [input]) = (property.form, &property.parameters[..]) {
        return Body { text: format!("{own}({}).unwrap();", input.pattern), exit: Exit::Panic };
    }
    apart(|| rewritten(own, gives_value(property), text))
}

/// Whether the body's value is a `Result` that it says itself, and not `()`.
fn gives_value(property: &PropertyFn) -> bool {
    match property.form {
        Form::Runner => true,
        Form::PropertyTest | Form::TestStrategy => property.returns.is_some(),
        Form::Block | Form::Closure | Form::NamedRunner | Form::Pin | Form::StateMachine => false,
    }
}

fn rewritten(own: &str, gives_value: bool, file: &str) -> Body {
    let Ok(statements) = Block::parse_within.parse_str(own) else {
        // What no parser understands runs as it stands, where proptest's own macros can leave it.
        let text = if gives_value { dedented(own) } else { format!("{}\nOk(())", dedented(own)) };
        return Body { text, exit: Exit::Return };
    };
    let mut scan = Scan { file, edits: Edits::new(), returns: false };
    statements.iter().for_each(|statement| scan.visit_stmt(statement));
    let Scan { mut edits, mut returns, .. } = scan;
    let last = statements.last();
    let ends_well = last.filter(|last| is_ok_unit(last));
    returns |= gives_value && ends_well.is_none();
    if let Some(last) = last {
        if gives_value && !returns {
            let _ = edits.replace(bytes(last), "");
        } else if !gives_value && returns && needs_semicolon(last) {
            let _ = edits.insert(bytes(last).end, ";");
        }
    }
    let text = dedented(&String::from_utf8(edits.apply(own.as_bytes())).unwrap_or_else(|_| own.to_owned()));
    match returns {
        true if gives_value => Body { text, exit: Exit::Return },
        true => Body { text: format!("{text}\nOk(())"), exit: Exit::Return },
        false => Body { text, exit: Exit::Panic },
    }
}

/// Whether a statement is the value `Ok(())`.
pub(super) fn is_ok_unit(statement: &Stmt) -> bool {
    let Stmt::Expr(Expr::Call(call), None) = statement else { return false };
    let is_ok =
        matches!(&*call.func, Expr::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Ok"));
    is_ok && matches!(call.args.first(), Some(Expr::Tuple(unit)) if unit.elems.is_empty())
}

/// Whether a last expression needs a `;` before another statement can follow.
fn needs_semicolon(statement: &Stmt) -> bool {
    match statement {
        Stmt::Expr(expr, None) => !matches!(
            expr,
            Expr::Block(_)
                | Expr::ForLoop(_)
                | Expr::If(_)
                | Expr::Loop(_)
                | Expr::Match(_)
                | Expr::Unsafe(_)
                | Expr::While(_)
        ),
        Stmt::Macro(call) => call.semi_token.is_none() && !matches!(call.mac.delimiter, syn::MacroDelimiter::Brace(_)),
        _ => false,
    }
}

fn bytes(node: &impl Spanned) -> Span {
    let range = node.span().byte_range();
    Span::new(range.start, range.end)
}

/// Walks the statements of the body itself: closures, async blocks and items in it have exits of their own.
struct Scan<'t> {
    /// The whole file, for the macros it defines.
    file: &'t str,
    edits: Edits,
    /// Whether the body can be left by `?` or `return`.
    returns: bool,
}

impl<'ast> Visit<'ast> for Scan<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Closure(_) | Expr::Async(_) | Expr::Const(_) => return,
            Expr::Return(_) | Expr::Try(_) => self.returns = true,
            _ => {}
        }
        visit::visit_expr(self, expr);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_macro(&mut self, call: &'ast Macro) {
        let name = call.path.segments.last().map_or(String::new(), |last| last.ident.to_string());
        self.returns |= leaves(call.tokens.clone());
        match name.as_str() {
            "prop_assert" | "prop_assert_eq" | "prop_assert_ne" => {
                let _ = self.edits.replace(bytes(&call.path), &name["prop_".len()..]);
            }
            "prop_assume" => self.assume(call),
            _ => self.returns |= !STAYING.contains(&name.as_str()) && self.may_leave(&name),
        }
    }
}

impl Scan<'_> {
    /// `prop_assume!(condition, …)` as an assertion of the condition.
    fn assume(&mut self, call: &Macro) {
        let arguments = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        let Some(condition) = arguments.ok().and_then(|arguments| Some(bytes(arguments.first()?))) else {
            self.returns = true;
            return;
        };
        let end = call.delimiter.span().close().byte_range().start;
        let _ = self.edits.replace(bytes(&call.path), "assert");
        let _ = self.edits.replace(Span::new(condition.end, end), format!(", {NO_LONGER:?}"));
    }

    /// Whether a macro that is not of the standard library may leave the function: one of this file by what it holds, any
    /// other may.
    fn may_leave(&self, name: &str) -> bool {
        let Ok(code) = Code::read(self.file) else { return true };
        let defines = |at: &usize| code.word(*at) == "macro_rules" && code.word(at + 2) == name;
        let Some(at) = (0..code.tokens.len()).find(defines) else { return true };
        (at + 3..code.partner(at + 3)).any(|at| code.sign(at, '?') || is_exit(code.word(at)))
    }
}

/// Whether tokens hold what can leave a function: `?`, `return` or one of proptest's macros.
fn leaves(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => leaves(group.stream()),
        TokenTree::Punct(sign) => sign.as_char() == '?',
        TokenTree::Ident(word) => is_exit(&word.to_string()),
        TokenTree::Literal(_) => false,
    })
}

fn is_exit(word: &str) -> bool {
    word == "return" || word.starts_with("prop_as")
}

#[cfg(test)]
mod tests {
    use super::{Body, Exit, body};
    use crate::framework::proptest::find::properties;

    /// The body of the first property of `file`.
    #[track_caller]
    fn check_file(file: &str, exit: Exit, expected: &str) {
        let property = properties(file).unwrap().swap_remove(0);
        assert_eq!(body(&property, file), Body { text: expected.to_owned(), exit }, "{file}");
    }

    /// The same for a function of a `proptest!` block with that body.
    #[track_caller]
    fn check(own: &str, exit: Exit, expected: &str) {
        check_file(&format!("proptest! {{\n    #[test]\n    fn f(x: u8) {{{own}}}\n}}\n"), exit, expected);
    }

    #[test]
    fn assertions_become_those_of_the_standard_library() {
        check(
            "\n        let n = x; // why\n\n        prop_assert!(n < 3, \"{n} of {}\", x);\n        proptest::prop_assert_eq!(n, x,);\n        prop_assert_ne!(n, 4, \"m\")\n    ",
            Exit::Panic,
            "let n = x; // why\n\nassert!(n < 3, \"{n} of {}\", x);\nassert_eq!(n, x,);\nassert_ne!(n, 4, \"m\")",
        );
        check("prop_assert!(x<2);", Exit::Panic, "assert!(x<2);");
        check(
            "\r\n        match x {\r\n            0 => prop_assert!(true),\r\n            _ => {}\r\n        }\r\n    ",
            Exit::Panic,
            "match x {\n    0 => assert!(true),\n    _ => {}\n}",
        );
    }

    #[test]
    fn an_assumption_becomes_an_assertion_wherever_it_stands() {
        check(
            " prop_assume!(x % 2 == 0); for y in 0..x { prop_assume!(m::<u8, u8>() < y, \"y {}\", y); } ",
            Exit::Panic,
            "assert!(x % 2 == 0, \"the pinned input no longer meets the assumption\"); for y in 0..x { assert!(m::<u8, u8>() < y, \"the pinned input no longer meets the assumption\"); }",
        );
    }

    #[test]
    fn what_can_return_an_error_runs_where_it_can() {
        check(" let y = p(x)?; prop_assert!(y) ", Exit::Return, "let y = p(x)?; assert!(y);\nOk(())");
        check(" prop_assert_eq!(p(x)?, 1); ", Exit::Return, "assert_eq!(p(x)?, 1);\nOk(())");
        check(
            "\n        if x > 3 { return Ok(()); }\n        check(x)? // last\n    ",
            Exit::Return,
            "if x > 3 { return Ok(()); }\ncheck(x)?; // last\nOk(())",
        );
        check(
            " if x > 3 { Err(TestCaseError::fail(\"no\"))? } ",
            Exit::Return,
            "if x > 3 { Err(TestCaseError::fail(\"no\"))? }\nOk(())",
        );
        check(
            " return Err(TestCaseError::reject(\"no\")) ",
            Exit::Return,
            "return Err(TestCaseError::reject(\"no\"));\nOk(())",
        );
    }

    #[test]
    fn closures_and_functions_inside_keep_their_own_exits() {
        check(
            " let c = |y: u8| -> TestCaseResult { prop_assert!(y > 0); Ok(()) }; c(x)?; ",
            Exit::Return,
            "let c = |y: u8| -> TestCaseResult { prop_assert!(y > 0); Ok(()) }; c(x)?;\nOk(())",
        );
        check(
            " fn p(y: u8) -> TestCaseResult { prop_assume!(y > 0)?; Ok(()) } prop_assert!(p(x).is_ok()); ",
            Exit::Panic,
            "fn p(y: u8) -> TestCaseResult { prop_assume!(y > 0)?; Ok(()) } assert!(p(x).is_ok());",
        );
    }

    #[test]
    fn a_macro_that_may_return_is_run_where_it_can() {
        check(" either!(x, { prop_assert!(x > 1) }); ", Exit::Return, "either!(x, { prop_assert!(x > 1) });\nOk(())");
        check(" foreign!(x); ", Exit::Return, "foreign!(x);\nOk(())");
        check(" println!(\"{x}\"); let v = vec![1]; ", Exit::Panic, "println!(\"{x}\"); let v = vec![1];");
        let own = "proptest! { fn f(x: u8) { own!(x); } }\nmod m {\nmacro_rules! own {";
        check_file(&format!("{own} ($x:expr) => {{ assert!($x > 0) }} }}\n}}"), Exit::Panic, "own!(x);");
        check_file(&format!("{own} ($x:expr) => {{ prop_assert!($x > 0) }} }}\n}}"), Exit::Return, "own!(x);\nOk(())");
    }

    #[test]
    fn a_body_with_a_value_of_its_own_loses_it_where_nothing_returns() {
        check_file(
            "#[test] fn r() { t.run(&s, |x| { prop_assert!(x); Ok(()) }).unwrap() }",
            Exit::Panic,
            "assert!(x);",
        );
        check_file(
            "#[test] fn r() { t.run(&s, |x| if x { Ok(()) } else { Err(no()) }).unwrap() }",
            Exit::Return,
            "if x { Ok(()) } else { Err(no()) }",
        );
        check_file("#[property_test] fn p(x: u8) -> R { q(x)?; Ok(()) }", Exit::Return, "q(x)?; Ok(())");
        check_file("#[property_test] fn p(x: u8) { assert!(x > 3) }", Exit::Panic, "assert!(x > 3)");
        check_file("#[test] fn c() { proptest!(|(x: u8)| q(x)); }", Exit::Panic, "q(x)");
    }

    #[test]
    fn a_body_that_is_not_understood_runs_as_it_stands() {
        check(" let = 3; prop_assert!(x) ", Exit::Return, "let = 3; prop_assert!(x)\nOk(())");
    }
}
