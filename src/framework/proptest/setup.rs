//! What a plain test function does before it runs its property, as far as a pin needs it: statements that only serve the
//! runner and its strategies are left out, all others stay.

use std::collections::BTreeSet;

use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Item, ItemUse, Pat, Stmt, UseTree};

use super::body::is_ok_unit;
use crate::edit::Edits;
use crate::language::rust::code::Code;
use crate::language::rust::comments::attached;
use crate::language::rust::layout::dedented;
use crate::language::rust::literal::Bound;
use crate::language::rust::property::{Call, PropertyFn};
use crate::language::rust::tokens::{Kind, apart};
use crate::span::Span;

/// Words for which a pin needs the names that proptest's prelude brings.
const PRELUDE: &[&str] = &[
    "Arbitrary",
    "BoxedStrategy",
    "Just",
    "ProptestConfig",
    "Strategy",
    "TestCaseError",
    "any",
    "prop",
    "prop_assert",
    "prop_assert_eq",
    "prop_assert_ne",
    "prop_assume",
    "prop_oneof",
    "proptest",
];

/// The statements of the test function before `call` that a pin needs whose body and arguments are these.
pub(super) fn setup(property: &PropertyFn, call: Call, text: &str, body: &str, arguments: &[Bound]) -> String {
    let before = text.get(call.setup.range()).unwrap_or_default();
    let statement = text.get(call.statement.range()).unwrap_or_default();
    let own = Span::new(property.body.start - call.statement.start, property.body.end - call.statement.start);
    apart(|| {
        let Ok(statements) = Block::parse_within.parse_str(before) else { return dedented(before) };
        let mut sorting = Sorting { needed: needed(body, arguments), served: words_outside(statement, own) };
        let spans: Vec<Span> = statements.iter().map(bytes).collect();
        let mut edits = Edits::new();
        for (at, statement) in statements.iter().enumerate().rev() {
            if !sorting.keeps(statement, &before[spans[at].range()]) {
                let above = at.checked_sub(1).map_or(0, |above| spans[above].end);
                let _ = edits.replace(whole_lines(before, above, spans[at]), "");
            }
        }
        dedented(&String::from_utf8_lossy(&edits.apply(before.as_bytes())))
    })
}

/// The words of body and arguments, without those that the arguments bind.
fn needed(body: &str, arguments: &[Bound]) -> BTreeSet<String> {
    let bound: BTreeSet<String> = arguments.iter().flat_map(|argument| words(&argument.pattern)).collect();
    let own = words(body).into_iter().filter(|word| !bound.contains(word));
    own.chain(arguments.iter().flat_map(|argument| words(&argument.code))).collect()
}

/// Whether what stands after `call` only looks at what it gave: every statement names something that `call` binds, or is
/// the `Ok(())` that ends the test.
pub(super) fn only_looks_at_result(call: Call, text: &str) -> bool {
    let statement = text.get(call.statement.range()).unwrap_or_default();
    let rest = text.get(call.rest.range()).unwrap_or_default();
    apart(|| {
        let parsed = Block::parse_within.parse_str(statement).unwrap_or_default();
        let bound = match parsed.as_slice() {
            [Stmt::Local(local)] => bound(&local.pat),
            _ => Vec::new(),
        };
        let looks = |statement: &Stmt| {
            let words = words(&rest[statement.span().byte_range()]);
            is_ok_unit(statement) || bound.iter().any(|name| words.contains(name))
        };
        Block::parse_within.parse_str(rest).is_ok_and(|after| after.iter().all(looks))
    })
}

/// A statement with the comments right above it, and its lines to their ends where nothing else stands on them.
fn whole_lines(text: &str, above: usize, statement: Span) -> Span {
    let comments = attached(text, Span::new(above, statement.start));
    let start = comments.first().map_or(statement.start, |comment| comment.start);
    let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[statement.end..].find('\n').map_or(text.len(), |newline| statement.end + newline + 1);
    let is_whole = text[line_start..start].trim().is_empty() && text[statement.end..line_end].trim().is_empty();
    if is_whole && line_start >= above { Span::new(line_start, line_end) } else { Span::new(start, statement.end) }
}

/// Words of what stays and of what goes, while the statements are gone through from the last to the first.
struct Sorting {
    needed: BTreeSet<String>,
    served: BTreeSet<String>,
}

impl Sorting {
    fn keeps(&mut self, statement: &Stmt, text: &str) -> bool {
        let keeps = match statement {
            Stmt::Local(local) => self.wants(&bound(&local.pat), true),
            Stmt::Item(Item::Use(import)) => return self.wants_import(import),
            Stmt::Item(item) => item_name(item).is_none_or(|name| self.wants(&[name], true)),
            Stmt::Expr(expr, _) => !runs_property(text) && root(expr).is_none_or(|name| self.wants(&[name], true)),
            Stmt::Macro(_) => !runs_property(text),
        };
        if keeps { &mut self.needed } else { &mut self.served }.extend(words(text));
        keeps
    }

    /// Whether something with these names stays: where one is needed, and where none is known at all, as for a guard.
    fn wants(&self, names: &[String], unknown: bool) -> bool {
        let any = |words: &BTreeSet<String>| names.iter().any(|name| words.contains(name));
        any(&self.needed) || (unknown && !any(&self.served))
    }

    /// An import from proptest goes where none of its names is used; any other stays, as it may be a trait.
    fn wants_import(&self, import: &ItemUse) -> bool {
        let UseTree::Path(path) = &import.tree else { return true };
        if path.ident != "proptest" {
            return true;
        }
        let names = imported(&path.tree);
        let prelude = || PRELUDE.iter().any(|word| self.needed.contains(*word));
        names.iter().any(|name| if name == "*" { prelude() } else { self.wants(std::slice::from_ref(name), false) })
    }
}

/// The names that an import brings, `*` for a glob.
fn imported(tree: &UseTree) -> Vec<String> {
    match tree {
        UseTree::Path(path) => imported(&path.tree),
        UseTree::Name(name) => vec![name.ident.to_string()],
        UseTree::Rename(rename) => vec![rename.rename.to_string()],
        UseTree::Glob(_) => vec!["*".to_owned()],
        UseTree::Group(group) => group.items.iter().flat_map(imported).collect(),
    }
}

fn item_name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// The variable that a statement works on: `config` in `config.cases = 3` and `config.set(3)`.
fn root(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Assign(assign) => root(&assign.left),
        Expr::Field(field) => root(&field.base),
        Expr::MethodCall(call) => root(&call.receiver),
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

/// Whether a statement runs a property of its own.
fn runs_property(text: &str) -> bool {
    let Ok(code) = Code::read(text) else { return false };
    (0..code.tokens.len()).any(|at| {
        code.word(at) == "proptest" && code.macro_group(at).is_some()
            || code.sign(at, '.') && code.word(at + 1) == "run" && code.open(at + 2, '(') && code.sign(at + 3, '&')
    })
}

/// The names that a pattern binds.
pub(super) fn bound(pattern: &Pat) -> Vec<String> {
    struct Names(Vec<String>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
            self.0.push(name.ident.to_string());
            visit::visit_pat_ident(self, name);
        }
    }
    let mut names = Names(Vec::new());
    names.visit_pat(pattern);
    names.0
}

/// The words of `text`, those that its format strings name included.
pub(super) fn words(text: &str) -> BTreeSet<String> {
    words_outside(text, Span::at(0))
}

/// The same without what stands in `own`.
fn words_outside(text: &str, own: Span) -> BTreeSet<String> {
    let Ok(code) = Code::read(text) else { return BTreeSet::new() };
    let mut words = BTreeSet::new();
    for at in (0..code.tokens.len()).filter(|at| !own.contains(code.start(*at))) {
        match code.kind(at) {
            Some(Kind::Word) => {
                words.insert(code.word(at).to_owned());
            }
            Some(Kind::Literal) => words.extend(captured(code.written(at))),
            _ => {}
        }
    }
    words
}

/// The names in the braces of a format string.
fn captured(literal: &str) -> impl Iterator<Item = String> {
    literal
        .split('{')
        .skip(1)
        .map(|part| part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>())
}

fn bytes(node: &impl Spanned) -> Span {
    let range = node.span().byte_range();
    Span::new(range.start, range.end)
}

#[cfg(test)]
mod tests {
    use super::{only_looks_at_result, setup};
    use crate::framework::proptest::find::properties;
    use crate::language::rust::literal::Bound;

    /// `before` is what stands in a test function before its last property, which takes `n` from a strategy `s`.
    #[track_caller]
    fn check(before: &str, body: &str, expected: &str) {
        let text =
            format!("#[test]\nfn c() {{\n{before}    proptest!(config, |(n in s)| {{ own }});\n    end();\n}}\n");
        let property = properties(&text).unwrap().pop().unwrap();
        let arguments = [Bound { pattern: "mut n".to_owned(), code: "Own::from(3)".to_owned() }];
        assert_eq!(setup(&property, property.call.unwrap(), &text, body, &arguments), expected, "{text}");
    }

    #[test]
    fn what_the_body_needs_stays() {
        check(
            "    let a = 1;\n\n    // of b\n    let (b, _) = f(a); // twice\n    fn g() {}\n",
            "use_it(b); g()",
            "let a = 1;\n\n// of b\nlet (b, _) = f(a); // twice\nfn g() {}",
        );
        check("    let a = 1;\n", "println!(\"{a:?}\")", "let a = 1;");
    }

    #[test]
    fn what_serves_the_runner_alone_goes() {
        check(
            "    let a = 9;\n    // up to a\n    let s = 0..a;\n    let mut config = Config::default();\n    config.cases = a;\n    fn h() {}\n",
            "x(n)",
            "fn h() {}",
        );
        check("    let a = 9; let s = 0..a;\n    let b = a;\n", "x(b)", "let a = 9;\nlet b = a;");
    }

    #[test]
    fn what_an_argument_hides_goes_and_what_it_is_made_of_stays() {
        check("    let n = 0..9;\n    let s = n;\n    struct Own(u8);\n", "x(n)", "struct Own(u8);");
    }

    #[test]
    fn what_only_looks_at_the_result_is_told_from_more() {
        let rests = [
            ("    if let Err(e) = r { panic!(\"{e}\") }\n    drop(r);\n", true),
            ("    end();\n", false),
            ("", true),
            ("    Ok(())\n", true),
        ];
        for (rest, expected) in rests {
            let text = format!("#[test]\nfn c() {{\n    let r = t.run(&s, |n| Ok(()));\n{rest}}}\n");
            let property = properties(&text).unwrap().pop().unwrap();
            assert_eq!(only_looks_at_result(property.call.unwrap(), &text), expected, "{rest}");
        }
    }

    #[test]
    fn a_guard_and_a_call_stay() {
        check(
            "    let _guard = lock();\n    init();\n    log::set(1);\n",
            "x(n)",
            "let _guard = lock();\ninit();\nlog::set(1);",
        );
    }

    #[test]
    fn another_property_goes() {
        check(
            "    let k = 2;\n    proptest!(|(n in 0..k)| { q(n) });\n    runner.run(&s, |n| Ok(())).unwrap();\n",
            "x(k)",
            "let k = 2;",
        );
    }

    #[test]
    fn imports_stay_unless_they_are_of_proptest_and_not_used() {
        let imports = "    use super::Hall;\n    use proptest::prelude::*;\n    use proptest::test_runner::{Config, TestRunner};\n\n    let hall = Hall;\n";
        check(imports, "x(hall)", "use super::Hall;\n\nlet hall = Hall;");
        check(imports, "prop_assert!(true)", "use super::Hall;\nuse proptest::prelude::*;\n\nlet hall = Hall;");
    }
}
