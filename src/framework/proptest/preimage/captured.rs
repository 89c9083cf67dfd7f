//! The names that a function's body takes from around it, each as a statement that binds it: parameters of the closures
//! around it, by the values that were recorded; generic parameters; statements before it; parameters of the function that
//! holds it, where every call in the property's file gives the same constants.

use std::collections::BTreeSet;

use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Block, Expr};

use super::generics::{Generic, of_block, of_function};
use super::layers::Layer;
use super::rebuild::Rebuild;
use super::standing::{Construction, Standing, bound};
use super::trace::Event;
use crate::language::rust::code::Code;
use crate::language::rust::layout::dedented;
use crate::language::rust::literal::Pen;
use crate::language::rust::tokens::{Kind, apart};

/// A statement, the names it brings, and how it is made.
struct Binding<'e> {
    names: Vec<String>,
    source: Source<'e>,
}

enum Source<'e> {
    /// It is written so.
    Text(String),
    /// A pattern for what a closure received.
    Received(String, &'e Event),
}

/// The statements before `body` that bring the names it needs, `own` those it has already.
pub(super) fn captured(
    rebuild: &Rebuild<'_>,
    event: &Event,
    standing: &Standing,
    body: &str,
    own: &[String],
    pen: &Pen<'_>,
) -> Result<Vec<String>, String> {
    let bindings = bindings(rebuild, event, standing, pen);
    let mut needed = words(body);
    own.iter().for_each(|name| {
        needed.remove(name);
    });
    let kept = kept(&bindings, needed);
    let used = bindings.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(binding, _)| binding.source);
    used.map(|source| match source {
        Source::Text(text) => Ok(text),
        Source::Received(pattern, event) => {
            let value = rebuild.received(event, &pattern, pen)?;
            Ok(format!("let {pattern} = {value};"))
        }
    })
    .collect()
}

/// Which of `bindings` bring names that are needed, by what is asked for or by one another.
fn kept(bindings: &[Binding<'_>], mut needed: BTreeSet<String>) -> Vec<bool> {
    let mut kept = vec![false; bindings.len()];
    // What stands later may need what stands before.
    while let Some(next) =
        (0..bindings.len()).rev().find(|&at| !kept[at] && bindings[at].names.iter().any(|name| needed.contains(name)))
    {
        kept[next] = true;
        if let Source::Text(text) = &bindings[next].source {
            needed.extend(words(text));
        }
    }
    kept
}

/// Those of the statements in `text` that bring names which `code` needs, each on lines of its own.
pub(in crate::framework::proptest) fn brought(text: &str, code: &str) -> String {
    apart(|| {
        let statements = Block::parse_within.parse_str(text).unwrap_or_default();
        let texts = statements.iter().filter_map(|one| text.get(one.span().byte_range()));
        let bindings: Vec<Binding<'_>> = texts.map(statement).collect();
        let kept = kept(&bindings, words(code));
        let used = bindings.into_iter().zip(kept).filter(|(_, kept)| *kept);
        let lines = used.filter_map(|(binding, _)| match binding.source {
            Source::Text(text) => Some(dedented(&text)),
            Source::Received(..) => None,
        });
        lines.collect::<Vec<_>>().join("\n")
    })
}

/// All that is around, outermost first.
fn bindings<'e>(rebuild: &Rebuild<'e>, event: &Event, standing: &Standing, pen: &Pen<'_>) -> Vec<Binding<'e>> {
    let stands_for = |(generic, ty): (&Generic, String)| {
        let code = if generic.is_constant() { None } else { pen.type_code(&ty) };
        let text = generic.statement(&code.unwrap_or(ty));
        Binding { names: vec![generic.name.clone()], source: Source::Text(text) }
    };
    let frames = rebuild.trace.around(event);
    let mut found = Vec::new();
    for layer in &standing.layers {
        match layer {
            Layer::Block { own, generics } => {
                found.extend(of_block(&event.function, own, generics).into_iter().map(stands_for));
            }
            Layer::Function { name, parameters, generics, before } => {
                found.extend(of_function(&event.function, name, generics).into_iter().map(stands_for));
                let values = rebuild.texts(event).map(|text| constants(text, name, parameters.len()));
                let values = values.into_iter().find(|values| !values.is_empty()).unwrap_or_default();
                for ((pattern, ty), value) in parameters.iter().zip(values) {
                    let text = format!("let {pattern}: {ty} = {value};");
                    found.push(Binding { names: bound(pattern), source: Source::Text(text) });
                }
                found.extend(before.iter().map(|text| statement(text)));
            }
            Layer::Closure { span, pattern, before } => {
                let is_it = |frame: &&&Event| rebuild.standing(frame).is_some_and(|other| other.span == *span);
                if let Some(frame) = frames.iter().find(is_it) {
                    let source = Source::Received(pattern.clone(), frame);
                    found.push(Binding { names: bound(pattern), source });
                }
                found.extend(before.iter().map(|text| statement(text)));
            }
        }
    }
    // Closures that no layer shows: those inside a macro of their own.
    for frame in frames {
        let Some(Standing { construction: Construction::Closure { pattern, .. }, span, .. }) = rebuild.standing(frame)
        else {
            continue;
        };
        let is_layer = |layer: &Layer| matches!(layer, Layer::Closure { span: own, .. } if *own == span);
        if !standing.layers.iter().any(is_layer) {
            found.push(Binding { names: bound(&pattern), source: Source::Received(pattern, frame) });
        }
    }
    found
}

/// A statement with the names it declares.
fn statement<'e>(text: &str) -> Binding<'e> {
    let names = match syn::parse_str::<syn::Stmt>(text) {
        Ok(syn::Stmt::Local(local)) => {
            let pattern = syn::spanned::Spanned::span(&local.pat).byte_range();
            text.get(pattern).map(bound).unwrap_or_default()
        }
        Ok(syn::Stmt::Item(syn::Item::Use(_))) => {
            text.split(|c: char| !(c.is_alphanumeric() || c == '_')).map(str::to_owned).collect()
        }
        Ok(syn::Stmt::Item(_)) => declared(text),
        _ => Vec::new(),
    };
    Binding { names, source: Source::Text(text.to_owned()) }
}

/// The name after the keyword of an item.
fn declared(text: &str) -> Vec<String> {
    let Ok(code) = Code::read(text) else { return Vec::new() };
    let keywords = ["fn", "struct", "enum", "const", "static", "type", "trait"];
    let at = (0..code.tokens.len()).find(|&at| keywords.contains(&code.word(at)) && code.word(at + 1) != "fn");
    at.map(|at| code.word(at + 1).to_owned()).into_iter().collect()
}

/// The words of `text`, those inside format strings too.
pub(super) fn words(text: &str) -> BTreeSet<String> {
    let Ok(code) = Code::read(text) else { return BTreeSet::new() };
    let mut words = BTreeSet::new();
    for (at, token) in code.tokens.iter().enumerate() {
        match token.kind {
            Kind::Word if !(at > 0 && code.sign(at - 1, '.') && !code.sign(at.wrapping_sub(2), '.')) => {
                words.insert(code.written(at).trim_start_matches("r#").to_owned());
            }
            Kind::Literal if code.written(at).starts_with('"') => {
                let inside = code.written(at).split('{').skip(1);
                words.extend(inside.filter_map(|rest| rest.split(['}', ':']).next()).map(str::to_owned));
            }
            _ => {}
        }
    }
    words
}

/// The arguments of the calls of `name` in `text`, where all of them are constants and the same.
fn constants(text: &str, name: &str, count: usize) -> Vec<String> {
    let Ok(code) = Code::read(text) else { return Vec::new() };
    // The list may stand behind types.
    let list = |at: usize| match code.sign(at + 1, ':') && code.sign(at + 2, ':') && code.sign(at + 3, '<') {
        true => code.next_at_level(at + 3, code.tokens.len(), |code, at| code.open(at, '(') || code.sign(at, ';')),
        false => Some(at + 1),
    };
    let is_name = |at: &usize| code.word(*at) == name && (*at == 0 || code.word(at - 1) != "fn");
    let mut calls: Vec<Vec<String>> = Vec::new();
    for open in (0..code.tokens.len()).filter(is_name).filter_map(list).filter(|open| code.open(*open, '(')) {
        let inside = &code.text[code.inside(open).range()];
        let arguments: Vec<String> = split(inside);
        if !calls.contains(&arguments) {
            calls.push(arguments);
        }
    }
    match calls.pop() {
        Some(only) if calls.is_empty() && only.len() == count && only.iter().all(|one| is_constant(one)) => only,
        _ => Vec::new(),
    }
}

fn split(arguments: &str) -> Vec<String> {
    struct List(Vec<Expr>);
    impl syn::parse::Parse for List {
        fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
            let list = syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated(input)?;
            Ok(List(list.into_iter().collect()))
        }
    }
    let list = syn::parse_str::<List>(arguments).map_or_else(|_| Vec::new(), |list| list.0);
    list.iter()
        .filter_map(|one| arguments.get(syn::spanned::Spanned::span(one).byte_range()))
        .map(str::to_owned)
        .collect()
}

/// Whether an expression is a literal, with a sign before it or not.
fn is_constant(text: &str) -> bool {
    match syn::parse_str::<Expr>(text) {
        Ok(Expr::Lit(_)) => true,
        Ok(Expr::Unary(unary)) => matches!(*unary.expr, Expr::Lit(_)),
        // A path in capitals is a constant, or a variant.
        Ok(Expr::Path(path)) => {
            path.path.segments.last().is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase))
        }
        _ => false,
    }
}
