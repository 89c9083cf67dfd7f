//! The test that prints what the test of a standing pin binds, made of that test as it is now: somebody may have edited it.
//! What it prints follows a line of its own, so that a value that cannot be made any more is told from one that prints so.

use syn::spanned::Spanned;
use syn::{Expr, Pat, Stmt};

use super::arguments::values;
use super::found;
use super::place::spot;
use super::plain_test;
use super::read::split;
use crate::edit::Edits;
use crate::failure::Counterexample;
use crate::framework::pin_name::value_name;
use crate::framework::proptest::Proptest;
use crate::framework::rust::file;
use crate::framework::rust::graft::{named, own_text, placed};
use crate::framework::{ValueTest, Values};
use crate::language::rust::literal::Bound;
use crate::language::rust::property::PropertyFn;
use crate::language::rust::tokens::apart;
use crate::pin::{Part, PartKind, Refusal};
use crate::proof::StandingPin;
use crate::source_tree::SourceTree;
use crate::value::Value;

/// The line before the values.
const HEAD: &str = "the values of the pin:";

impl Values for Proptest {
    fn test(&self, pin: &StandingPin, from: &dyn SourceTree, onto: &dyn SourceTree) -> Result<ValueTest, Refusal> {
        value_test(pin, from, onto)
    }

    fn printed<'m>(&self, message: &'m str) -> Option<&'m str> {
        printed(message)
    }
}

fn value_test(pin: &StandingPin, from: &dyn SourceTree, onto: &dyn SourceTree) -> Result<ValueTest, Refusal> {
    let test = pin.test.as_ref().ok_or_else(|| Refusal("it has no test".to_owned()))?;
    let own = own_text(pin, test, from)?;
    let found = found::find(&named(pin, &pin.property), from)?;
    let (property, _) = found.to_pin();
    let patterns: Vec<&str> = property.parameters.iter().map(|parameter| parameter.pattern.as_str()).collect();
    let name = value_name(test.function(), 0);
    let text = apart(|| printing(&own, &patterns, &name))
        .ok_or_else(|| Refusal("its test does not bind the arguments of its property".to_owned()))?;
    let (file, there) = file::file(&named(pin, &pin.property), onto)?;
    let printing = test.beside(&name);
    let part = Part { file: file.clone(), kind: PartKind::Test, modules: Vec::new(), text };
    let edits: Edits = placed(pin, &printing, part, &there, spot)?;
    Ok(ValueTest { test: printing, file, edits, recorded: recorded(pin, property) })
}

/// What such a test printed of the values.
fn printed(message: &str) -> Option<&str> {
    message.strip_prefix(HEAD)?.strip_prefix('\n')
}

/// The values as the decision has them; none where it has not all of them.
fn recorded(pin: &StandingPin, property: &PropertyFn) -> Vec<String> {
    if pin.counterexample.is_empty() {
        return Vec::new();
    }
    let counterexample = Counterexample { text: pin.counterexample.clone(), arguments: split(&pin.counterexample) };
    let values = values(property, &counterexample).unwrap_or_default();
    values.iter().map(Value::compact).collect()
}

/// The function `own` under another name, which prints what it binds to `patterns` where it would bind it.
fn printing(own: &str, patterns: &[&str], name: &str) -> Option<String> {
    let function = syn::parse_str::<syn::ItemFn>(own).ok()?;
    let mut bound: Vec<Bound> = Vec::new();
    let mut start = None;
    for statement in &function.block.stmts {
        let more = bindings(own, statement, patterns);
        if !more.is_empty() {
            start = start.or(Some(statement.span().byte_range().start));
        }
        bound.extend(more);
    }
    let start = start?;
    // In the order of the parameters; the last binding of a name counts.
    let value = |pattern: &&str| bound.iter().rev().find(|bound| plain(&bound.pattern) == plain(pattern)).cloned();
    let bound: Vec<Bound> = patterns.iter().map(value).collect::<Option<_>>()?;
    let ident = function.sig.ident.span().byte_range();
    let is_panic = |attribute: &&syn::Attribute| attribute.path().is_ident("should_panic");
    let mut text = String::new();
    let mut rest = 0;
    for panics in function.attrs.iter().filter(is_panic).map(|attribute| attribute.span().byte_range()) {
        text.push_str(own.get(rest..panics.start)?);
        rest = panics.end;
    }
    text.push_str(own.get(rest..ident.start)?);
    text.push_str(name);
    text.push_str(own.get(ident.end..start)?);
    text.push_str(&plain_test::printing(&format!("{HEAD}\\n"), &bound));
    text.push_str("\n}");
    Some(format!("#[allow(warnings)]\n{text}"))
}

/// What a statement binds to some of `patterns`: one, or all in one tuple.
fn bindings(own: &str, statement: &Stmt, patterns: &[&str]) -> Vec<Bound> {
    let text = |range: std::ops::Range<usize>| own.get(range).unwrap_or_default().to_owned();
    let Stmt::Local(local) = statement else { return Vec::new() };
    let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none()) else { return Vec::new() };
    let pattern = match &local.pat {
        Pat::Type(typed) => text(typed.pat.span().byte_range()),
        other => text(other.span().byte_range()),
    };
    if patterns.iter().any(|wanted| plain(wanted) == plain(&pattern)) {
        let code = match &local.pat {
            Pat::Type(typed) => {
                let (ty, code) = (text(typed.ty.span().byte_range()), text(init.expr.span().byte_range()));
                format!("{{\n        let value: {ty} = {code};\n        value\n    }}")
            }
            _ => text(init.expr.span().byte_range()),
        };
        return vec![Bound { pattern, code }];
    }
    let (Pat::Tuple(tuple), Expr::Tuple(values)) = (&local.pat, &*init.expr) else { return Vec::new() };
    if tuple.elems.len() != values.elems.len() {
        return Vec::new();
    }
    let pairs = tuple.elems.iter().zip(&values.elems).map(|(pattern, value)| Bound {
        pattern: text(pattern.span().byte_range()),
        code: text(value.span().byte_range()),
    });
    pairs.filter(|bound| patterns.iter().any(|wanted| plain(wanted) == plain(&bound.pattern))).collect()
}

/// A pattern without what makes no difference to it.
fn plain(pattern: &str) -> String {
    pattern.split_whitespace().collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::{printed, printing};
    use crate::language::rust::tokens::apart;

    #[track_caller]
    fn check(own: &str, patterns: &[&str], expected: Option<&str>) {
        assert_eq!(apart(|| printing(own, patterns, "q")).as_deref(), expected, "{own}");
    }

    #[test]
    fn what_a_pin_binds_is_printed_where_it_binds_it() {
        check(
            "/// Pinned.\n#[test]\n#[should_panic]\nfn p() {\n    let bar = Bar::new();\n    let grams = Grams::new(3).unwrap();\n    assert!(bar.takes(grams));\n}",
            &["grams"],
            Some(
                "#[allow(warnings)]\n/// Pinned.\n#[test]\n\nfn q() {\n    let bar = Bar::new();\n    panic!(\n    \"the values of the pin:\\n{:?}\",\n    &Grams::new(3).unwrap()\n);\n}",
            ),
        );
        check(
            "#[test]\nfn p() {\n    let (a, mut b) = (A::of(1), { 2 });\n    f(a, b);\n}",
            &["a", "mut b"],
            Some(
                "#[allow(warnings)]\n#[test]\nfn q() {\n    panic!(\n    \"the values of the pin:\\n{:?}\\n{:?}\",\n    &A::of(1),\n    &{ 2 }\n);\n}",
            ),
        );
        check(
            "#[test]\nfn p() {\n    let b: B = f();\n    let a = 1;\n}",
            &["a", "b"],
            Some(
                "#[allow(warnings)]\n#[test]\nfn q() {\n    panic!(\n    \"the values of the pin:\\n{:?}\\n{:?}\",\n    &1,\n    &{\n        let value: B = f();\n        value\n    }\n);\n}",
            ),
        );
    }

    #[test]
    fn what_binds_other_names_is_no_binding() {
        check("#[test]\nfn p() {\n    let c = f();\n    g(c);\n}", &["a"], None);
        check("#[test]\nfn p() {\n    let a = 1;\n}", &["a", "b"], None);
        check("#[test]\nfn p() {\n    f();\n}", &[], None);
        check("no function", &["a"], None);
    }

    #[test]
    fn a_value_is_told_from_what_else_is_said() {
        assert_eq!(printed("the values of the pin:\nGrams(3)\n4"), Some("Grams(3)\n4"));
        assert_eq!(printed("called `Option::unwrap()` on a `None` value"), None);
    }
}
