//! What stands in the source at a place that a record names: the function that a strategy puts its values through, the
//! arms or elements it chooses from, and the names that are in scope there.

use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, Pat};

use super::derived::derived;
use super::generics::owner;
use super::layers::{Layer, layers};
use super::trace::Site;
use crate::language::rust::code::Code;
use crate::language::rust::parameters::Parameters;
use crate::language::rust::tokens::Kind;
use crate::span::Span;

/// What a strategy is made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Construction {
    /// A path to a function.
    Function(String),
    /// A closure, or the last part of a composed function.
    Closure {
        /// What the closure's parameter is bound to.
        pattern: String,
        /// The expression.
        body: String,
    },
    /// The elements or arms it chooses from, each an expression; and the whole argument.
    Choice(Vec<String>, String),
    /// A conversion, which needs no function.
    Conversion,
}

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) construction: Construction,
    /// Where the function stands.
    pub(super) span: Span,
    /// The inline modules around it, outermost first.
    pub(super) modules: Vec<String>,
    /// The functions and closures around it, outermost first.
    pub(super) layers: Vec<Layer>,
}

/// What stands in `text` at `site`, where a strategy is made of a value if it `branches`. Call it inside
/// [`crate::language::rust::tokens::apart`].
pub(super) fn standing(text: &str, site: &Site, branches: bool) -> Option<Standing> {
    let offset = offset(text, site)?;
    let code = Code::read(text).ok()?;
    let at = code.tokens.iter().position(|token| token.span.start == offset)?;
    let (construction, span) = match code.kind(at) {
        Some(Kind::Literal) => (in_text(code.written(at), branches)?, code.span(at, at)),
        _ => construction(&code, at, branches)
            .or_else(|| derived(text, offset).map(|built| (built, code.span(at, at))))?,
    };
    let around = layers(text, offset);
    let construction = match &around.own {
        Some(own) => construction.of(own),
        None => construction,
    };
    Some(Standing { construction, span, modules: around.modules, layers: around.layers })
}

impl Construction {
    /// The same outside the `impl` block of the type `own`.
    fn of(self, own: &str) -> Self {
        let said = |text: String| named(&text, own);
        match self {
            Construction::Function(path) => Construction::Function(said(path)),
            Construction::Closure { pattern, body } => {
                Construction::Closure { pattern: said(pattern), body: said(body) }
            }
            Construction::Choice(parts, whole) => {
                Construction::Choice(parts.into_iter().map(said).collect(), named(&whole, own))
            }
            Construction::Conversion => Construction::Conversion,
        }
    }
}

/// `text` with the type's own name for `Self`.
fn named(text: &str, own: &str) -> String {
    let Ok(code) = Code::read(text) else { return text.to_owned() };
    let (mut said, mut rest) = (String::new(), 0);
    for at in (0..code.tokens.len()).filter(|&at| code.word(at) == "Self") {
        said.push_str(&text[rest..code.start(at)]);
        let is_given = at > 1 && code.sign(at - 1, '>') && code.sign(at - 2, '-');
        let is_built = matches!(code.kind(at + 1), Some(Kind::Open('{' | '('))) && !is_given;
        said.push_str(&match code.sign(at + 1, ':') && code.sign(at + 2, ':') {
            true => owner(own),
            // What it is built of tells its arguments.
            false if is_built => own.split('<').next().unwrap_or(own).trim().to_owned(),
            false => own.to_owned(),
        });
        rest = code.span(at, at).end;
    }
    said + &text[rest..]
}

/// The byte that a line and column name.
fn offset(text: &str, site: &Site) -> Option<usize> {
    let mut start = 0;
    for _ in 1..site.line {
        start += text[start..].find('\n')? + 1;
    }
    let (offset, _) = text[start..].char_indices().nth(site.column.checked_sub(1)?)?;
    Some(start + offset)
}

/// What the only method of a strategy is given that an attribute holds as text.
fn in_text(literal: &str, branches: bool) -> Option<Construction> {
    let text = syn::parse_str::<syn::LitStr>(literal).ok()?.value();
    let code = Code::read(&text).ok()?;
    let methods = (0..code.tokens.len()).filter(|&at| code.word(at).starts_with("prop_"));
    let mut found = methods.filter_map(|at| construction(&code, at, branches));
    let (only, _) = found.next()?;
    found.next().is_none().then_some(only)
}

fn construction(code: &Code<'_>, at: usize, branches: bool) -> Option<(Construction, Span)> {
    // The end of the path that starts here: a method's own name, or a call or macro with its path.
    let mut last = at;
    while code.sign(last + 1, ':') && code.sign(last + 2, ':') && !code.word(last + 3).is_empty() {
        last += 3;
    }
    let (name, is_path) = (code.word(last), last > at);
    if code.sign(last + 1, '!') {
        let open = code.macro_group(last)?;
        return match name {
            "prop_compose" => composed(code, open, branches),
            "prop_oneof" => Some((choice(code, open), code.inside(open))),
            _ => None,
        };
    }
    let mut open = last + 1;
    if code.sign(open, ':') && code.sign(open + 1, ':') && code.sign(open + 2, '<') {
        open = code.next_at_level(open, code.tokens.len(), |code, at| code.open(at, '('))?;
    }
    if !code.open(open, '(') {
        return None;
    }
    match name {
        "prop_map_into" => Some((Construction::Conversion, code.inside(open))),
        "select" => Some((elements(code, open), code.inside(open))),
        "prop_map" | "prop_flat_map" | "prop_ind_flat_map" | "prop_ind_flat_map2" | "prop_filter_map" => {
            // A called path has the strategy first; a filter its reason.
            let skipped = usize::from(is_path) + usize::from(name == "prop_filter_map");
            let span = argument(code, open, skipped)?;
            Some((function(&code.text[span.range()])?, span))
        }
        _ => None,
    }
}

/// The argument after `skipped` others.
fn argument(code: &Code<'_>, open: usize, skipped: usize) -> Option<Span> {
    let end = code.partner(open);
    let mut start = open + 1;
    for _ in 0..skipped {
        start = code.next_at_level(start, end, |code, at| code.sign(at, ','))? + 1;
    }
    let last = if code.sign(end - 1, ',') { end - 2 } else { end - 1 };
    (start <= last).then(|| code.span(start, last))
}

/// A function that is an argument.
pub(super) fn function(text: &str) -> Option<Construction> {
    match syn::parse_str::<Expr>(text).ok()? {
        Expr::Path(_) => Some(Construction::Function(text.to_owned())),
        Expr::Closure(closure) => {
            let [input] = closure.inputs.iter().collect::<Vec<_>>()[..] else { return None };
            let pattern = match input {
                Pat::Type(typed) => text.get(typed.span().byte_range())?,
                other => text.get(other.span().byte_range())?,
            };
            let body = text.get(closure.body.span().byte_range())?.to_owned();
            Some(Construction::Closure { pattern: pattern.to_owned(), body })
        }
        _ => None,
    }
}

/// The last of the groups of generators, and the body; the group before it, and itself, where it `branches`.
fn composed(code: &Code<'_>, open: usize, branches: bool) -> Option<(Construction, Span)> {
    let end = code.partner(open);
    let arrow = code.next_at_level(open + 1, end, |code, at| code.sign(at, '-') && code.sign(at + 1, '>'))?;
    let body = code.next_at_level(arrow, end, |code, at| code.open(at, '{'))?;
    let last = code.partner(arrow - 1);
    if branches {
        let pattern = patterns(code, code.partner(last.checked_sub(1)?))?;
        let span = code.span(last, code.partner(last));
        return Some((Construction::Closure { pattern, body: String::new() }, span));
    }
    let pattern = patterns(code, last)?;
    let span = code.span(body, code.partner(body));
    Some((Construction::Closure { pattern, body: code.text[span.range()].to_owned() }, span))
}

/// The names that a group of generators binds, as one pattern.
pub(super) fn patterns(code: &Code<'_>, open: usize) -> Option<String> {
    let group = code.inside(open);
    let names: Vec<String> =
        Parameters::written(&code.text[group.range()]).iter().map(|one| one.pattern.clone()).collect();
    match &names[..] {
        [] => None,
        [one] => Some(one.clone()),
        // The macro nests what is beyond ten.
        many if many.len() > 10 => None,
        many => Some(format!("({})", many.join(", "))),
    }
}

/// The arms of a macro that chooses, without their weights.
fn choice(code: &Code<'_>, open: usize) -> Construction {
    let arms = split(code, open).into_iter().map(|arm| match syn::parse_str::<Weighted>(arm) {
        Ok(Weighted(at)) => arm.get(at..).unwrap_or(arm).trim().to_owned(),
        Err(_) => arm.to_owned(),
    });
    Construction::Choice(arms.collect(), code.text[code.inside(open).range()].to_owned())
}

/// Where the arm begins that follows a weight.
struct Weighted(usize);

impl syn::parse::Parse for Weighted {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Expr>()?;
        let arrow: syn::Token![=>] = input.parse()?;
        input.parse::<Expr>()?;
        Ok(Weighted(arrow.span().byte_range().end))
    }
}

/// The elements of an array or a `vec!` that is the only argument.
fn elements(code: &Code<'_>, open: usize) -> Construction {
    let whole = code.text[code.inside(open).range()].trim().trim_end_matches(',').to_owned();
    let mut start = open + 1;
    while code.sign(start, '&') {
        start += 1;
    }
    if code.word(start) == "vec" && code.sign(start + 1, '!') {
        start += 2;
    }
    let closes = |at: usize| code.partner(at) + 1 == code.partner(open) || code.sign(code.partner(at) + 1, ',');
    let repeated = code.next_at_level(start + 1, code.partner(start), |code, at| code.sign(at, ';')).is_some();
    let listed = code.open(start, '[') && closes(start) && !repeated;
    let parts = if listed { split(code, start).into_iter().map(str::to_owned).collect() } else { Vec::new() };
    Construction::Choice(parts, whole)
}

/// What stands between the commas of a group.
fn split<'t>(code: &Code<'t>, open: usize) -> Vec<&'t str> {
    let end = code.partner(open);
    let mut parts = Vec::new();
    let mut start = open + 1;
    while start < end {
        // A closure's parameters have commas of their own.
        let comma = commas(code, start, end).unwrap_or(end);
        parts.push(&code.text[code.span(start, comma - 1).range()]);
        start = comma + 1;
    }
    parts
}

/// The next comma that is not between the bars of a closure.
fn commas(code: &Code<'_>, start: usize, end: usize) -> Option<usize> {
    let mut at = start;
    while let Some(found) = code.next_at_level(at, end, |code, at| code.sign(at, ',')) {
        if syn::parse_str::<Arm>(&code.text[code.span(start, found - 1).range()]).is_ok() {
            return Some(found);
        }
        at = found + 1;
    }
    None
}

/// An expression, with a weight before it or not.
struct Arm;

impl syn::parse::Parse for Arm {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Expr>()?;
        if input.parse::<Option<syn::Token![=>]>>()?.is_some() {
            input.parse::<Expr>()?;
        }
        Ok(Arm)
    }
}

/// The names that a pattern binds.
pub(super) fn bound(pattern: &str) -> Vec<String> {
    struct Names(Vec<String>);
    impl<'ast> syn::visit::Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, ident: &'ast syn::PatIdent) {
            self.0.push(ident.ident.unraw().to_string());
            syn::visit::visit_pat_ident(self, ident);
        }
    }
    let mut names = Names(Vec::new());
    let parsed = syn::parse::Parser::parse_str(Pat::parse_multi_with_leading_vert, without_type(pattern));
    if let Ok(pattern) = parsed {
        syn::visit::Visit::visit_pat(&mut names, &pattern);
    }
    names.0
}

/// `pattern` of `pattern: Type`.
pub(super) fn without_type(pattern: &str) -> &str {
    let typed = pattern.match_indices(':').map(|(at, _)| at);
    let single = |at: &usize| !pattern[at + 1..].starts_with(':') && !pattern[..*at].ends_with(':');
    let outside =
        |at: &usize| pattern[..*at].matches(['(', '[', '{']).count() == pattern[..*at].matches([')', ']', '}']).count();
    typed.filter(single).find(outside).map_or(pattern, |at| pattern[..at].trim_end())
}

#[cfg(test)]
mod tests;
