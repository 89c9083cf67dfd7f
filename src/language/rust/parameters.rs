//! The parameters of a property as written: `pattern in strategy`, `pattern: Type`, and the attributes by which the
//! attribute macros give a strategy.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Meta, Pat, Token, Type};

use super::tokens::apart;

/// One parameter of a property.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameter {
    /// The pattern as written, outer parentheses left out: `mut v`, `(a, b)`.
    pub pattern: String,
    /// The strategy expression as written after `in`, or in a `#[strategy(…)]` attribute.
    pub strategy: Option<String>,
    /// The type as written after `:`.
    pub ty: Option<String>,
}

/// The parameters of a property: read only when they are asked for, as a file may have hundreds of properties of which one
/// is wanted.
#[derive(Clone, Default)]
pub struct Parameters {
    written: String,
    read: OnceLock<Vec<Parameter>>,
}

impl Parameters {
    /// Those in `text`, what stands between a property's parentheses. None where it is no list of parameters.
    pub fn written(text: &str) -> Self {
        Parameters { written: text.to_owned(), read: OnceLock::new() }
    }
}

impl From<Vec<Parameter>> for Parameters {
    fn from(parameters: Vec<Parameter>) -> Self {
        Parameters { written: String::new(), read: parameters.into() }
    }
}

impl Deref for Parameters {
    type Target = [Parameter];

    fn deref(&self) -> &[Parameter] {
        self.read.get_or_init(|| apart(|| parameters(&self.written)))
    }
}

impl PartialEq for Parameters {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Parameters {}

impl fmt::Debug for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

fn parameters(text: &str) -> Vec<Parameter> {
    (|input: ParseStream<'_>| list(text, input)).parse_str(text).unwrap_or_default()
}

fn list(text: &str, input: ParseStream<'_>) -> syn::Result<Vec<Parameter>> {
    let mut parameters = Vec::new();
    while !input.is_empty() {
        parameters.push(parameter(text, input)?);
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(parameters)
}

fn parameter(text: &str, input: ParseStream<'_>) -> syn::Result<Parameter> {
    let attributes = input.call(Attribute::parse_outer)?;
    let mut pattern = Pat::parse_multi_with_leading_vert(input)?;
    while let Pat::Paren(inner) = pattern {
        pattern = *inner.pat;
    }
    let mut parameter = Parameter {
        pattern: written(text, &pattern),
        strategy: attributes.iter().find_map(|attribute| strategy_attribute(text, attribute)),
        ty: None,
    };
    if input.parse::<Option<Token![in]>>()?.is_some() {
        parameter.strategy = Some(written(text, &input.parse::<Expr>()?));
    } else {
        input.parse::<Token![:]>()?;
        parameter.ty = Some(written(text, &input.parse::<Type>()?));
    }
    Ok(parameter)
}

/// The expression of `#[strategy(…)]` or `#[strategy = …]`.
fn strategy_attribute(text: &str, attribute: &Attribute) -> Option<String> {
    if attribute.path().segments.last()?.ident.unraw() != "strategy" {
        return None;
    }
    match &attribute.meta {
        Meta::Path(_) => None,
        Meta::List(list) => Some(written(text, &list.tokens)),
        Meta::NameValue(pair) => Some(written(text, &pair.value)),
    }
}

fn written(text: &str, node: &impl Spanned) -> String {
    text.get(node.span().byte_range()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::Parameters;

    /// `expected` is a line per parameter: pattern, strategy and type, `-` where there is none.
    fn check(text: &str, expected: &[[&str; 3]]) {
        let found = Parameters::written(text);
        let word = |part: &Option<String>| part.clone().unwrap_or_else(|| "-".to_owned());
        let lines: Vec<[String; 3]> =
            found.iter().map(|p| [p.pattern.clone(), word(&p.strategy), word(&p.ty)]).collect();
        assert_eq!(lines, expected, "{text:?}");
    }

    #[test]
    fn a_parameter_has_a_strategy_or_a_type() {
        check("x in 0u8..9, y: Vec<(u8, i8)>,", &[["x", "0u8..9", "-"], ["y", "-", "Vec<(u8, i8)>"]]);
        check("", &[]);
        check("rate in 1u16..", &[["rate", "1u16..", "-"]]);
        check(
            "m in any::<HashMap<u8, u8>>(), s in vec(a(), 0..4).prop_map(|x| (x, 1))",
            &[["m", "any::<HashMap<u8, u8>>()", "-"], ["s", "vec(a(), 0..4).prop_map(|x| (x, 1))", "-"]],
        );
    }

    #[test]
    fn a_pattern_is_kept_as_written() {
        check("mut v in a(), ref s in \"é\"", &[["mut v", "a()", "-"], ["ref s", "\"é\"", "-"]]);
        check("whole @ (a, _) in b(), _: u8", &[["whole @ (a, _)", "b()", "-"], ["_", "-", "u8"]]);
        check("((p, q)): (u8, i8), r#type in c()", &[["(p, q)", "-", "(u8, i8)"], ["r#type", "c()", "-"]]);
        check(
            "std::num::Wrapping(w) in any(), [e, f]: [u8; 2]",
            &[["std::num::Wrapping(w)", "any()", "-"], ["[e, f]", "-", "[u8; 2]"]],
        );
    }

    #[test]
    fn an_attribute_gives_the_strategy() {
        check("#[strategy(10u16..=#a)] b: u16", &[["b", "10u16..=#a", "u16"]]);
        check("#[strategy = 0u8..50] a: u8, #[any] e: Vec<E>", &[["a", "0u8..50", "u8"], ["e", "-", "Vec<E>"]]);
    }

    #[test]
    fn what_is_no_list_of_parameters_has_none() {
        check("x of y", &[]);
        check("sequential 1..12 => Gate", &[]);
    }
}
