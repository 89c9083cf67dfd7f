//! How a property's configuration reads: how many cases it asks for, and what else it says that may matter.

use std::ops::Range;

use syn::{Expr, Member};

use super::Source;
use super::reach::{Constants, number};
use crate::language::rust::code::Code;
use crate::language::rust::normal::normal;
use crate::language::rust::property::{Form, PropertyFn};

/// What a configuration may say without making a property weaker.
const HARMLESS: [&str; 12] = [
    "cases",
    "max_shrink_iters",
    "max_shrink_time",
    "verbose",
    "fork",
    "timeout",
    "max_local_rejects",
    "max_global_rejects",
    "max_flat_map_regens",
    "source_file",
    "test_name",
    "result_cache",
];

impl Source<'_> {
    /// The number of cases that a property's configuration names: that of its attributes, of its block, or of the call.
    pub(super) fn cases(&self, property: &PropertyFn) -> Option<u64> {
        let of_attributes =
            || property.attributes.iter().rev().find_map(|attribute| cases_in(attribute, &self.constants));
        let item = self.tokens(property.item);
        let end = match property.form {
            Form::Closure | Form::Runner | Form::NamedRunner => item.end,
            // What stands before the first property of a block is said of all.
            Form::Block | Form::StateMachine => item.clone().find(|&at| self.code.word(at) == "fn").unwrap_or(item.end),
            Form::PropertyTest | Form::TestStrategy | Form::Pin => item.start,
        };
        of_attributes().or_else(|| cases(&self.code, item.start..end, &self.constants).map(|(_, number)| number))
    }

    /// The configuration of a property's block, where it says more than how many cases there are.
    pub(super) fn config(&self, property: &PropertyFn) -> Option<String> {
        let item = self.tokens(property.item);
        let of_block = matches!(property.form, Form::Block | Form::StateMachine);
        let at = item.clone().find(|&at| of_block && self.code.word(at) == "proptest_config")?;
        let open = at + 1;
        let inside = (open + 1)..self.code.partner(open);
        let text = normal(&self.code, inside.start, inside.end, &|_| false);
        let is_plain = syn::parse_str(&text).is_ok_and(|expression| is_harmless(&expression, &self.constants));
        (!is_plain).then(|| format!("#![proptest_config({text})]"))
    }
}

/// Whether a configuration says nothing but what is known.
fn is_harmless(config: &Expr, constants: &Constants) -> bool {
    let last = |path: &syn::Path| path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
    match config {
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else { return false };
            let arguments: Vec<&Expr> = call.args.iter().collect();
            match (last(&path.path).as_str(), arguments.as_slice()) {
                ("default", []) => true,
                ("with_cases", [cases]) => number(cases, constants).is_some(),
                _ => false,
            }
        }
        Expr::Struct(value) => {
            let is_known = |field: &syn::FieldValue| {
                let Member::Named(name) = &field.member else { return false };
                HARMLESS.iter().any(|known| name == known)
                    && (name != "cases" || number(&field.expr, constants).is_some())
            };
            value.fields.iter().all(is_known) && value.rest.as_ref().is_none_or(|rest| is_harmless(rest, constants))
        }
        Expr::Paren(inner) => is_harmless(&inner.expr, constants),
        _ => false,
    }
}

/// Whether an attribute that makes a property says more than how many cases there are: `proptest(cases = 10)`.
pub(super) fn is_telling_attribute(inner: &str) -> bool {
    let Some((_, said)) = inner.split_once('(') else { return false };
    let arguments = said.trim_end_matches(')').split(',').map(str::trim).filter(|one| !one.is_empty());
    let is_known = |one: &str| {
        let (name, value) = one.split_once('=').unwrap_or((one, ""));
        let is_number = value.trim().chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
        match name.trim() {
            "cases" => is_number,
            "config" => syn::parse_str(value).is_ok_and(|config| is_harmless(&config, &Constants::default())),
            name => HARMLESS.contains(&name),
        }
    };
    !arguments.into_iter().all(is_known)
}

fn cases_in(text: &str, constants: &Constants) -> Option<u64> {
    let code = Code::read(text).ok()?;
    cases(&code, 0..code.tokens.len(), constants).map(|(_, number)| number)
}

/// The number of `with_cases(N)`, `cases: N` or `cases = N` among `tokens`, and the token that says it.
fn cases(code: &Code<'_>, mut tokens: Range<usize>, constants: &Constants) -> Option<(usize, u64)> {
    let number = |at: usize| {
        let named = constants.get(code.word(at)).and_then(|number| u64::try_from(*number).ok());
        let digits: String = code.written(at).chars().filter(|char| *char != '_').collect();
        let told = named.or_else(|| digits.split(|char: char| !char.is_ascii_digit()).next()?.parse().ok());
        told.map(|number| (at, number))
    };
    tokens.find_map(|at| match code.word(at) {
        "with_cases" if code.open(at + 1, '(') => number(at + 2),
        "cases" if code.sign(at + 1, ':') || code.sign(at + 1, '=') => number(at + 2),
        _ => None,
    })
}

/// The token among `tokens` that says the number of cases, where nothing else says it.
pub(super) fn number_token(code: &Code<'_>, tokens: Range<usize>, constants: &Constants) -> Option<usize> {
    let (at, _) = cases(code, tokens, constants)?;
    let is_end =
        [')', '}'].iter().any(|close| code.kind(at + 1) == Some(crate::language::rust::tokens::Kind::Close(*close)));
    (is_end || code.sign(at + 1, ',')).then_some(at)
}
