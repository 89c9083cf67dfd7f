//! Macros by example, written out: what a call of a `macro_rules!` macro stands for, as text with the layout that the
//! macro's own text has. Where a call does not fit, or a form is not known, there is none rather than a guess.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::buffer::Cursor;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Ident, Pat};

/// What the call stands for whose arguments are `arguments`, `rules` what stands between the brackets of the macro's
/// definition. Call it inside [`super::tokens::apart`].
pub fn expanded(rules: &str, arguments: &str) -> Option<String> {
    rules_of(rules)?.into_iter().find_map(|rule| {
        let matched = |input: ParseStream<'_>| {
            let bindings = matched(&rule.pattern, input, arguments)?;
            if input.is_empty() { Ok(bindings) } else { Err(input.error("more than the rule takes")) }
        };
        let bindings = matched.parse_str(arguments).ok()?;
        let inside = rule.body.delim_span();
        let (start, end) = (inside.open().byte_range().end, inside.close().byte_range().start);
        Writing { text: rules }.written(&tokens(rule.body.stream()), start, end, &bindings)
    })
}

struct Rule {
    pattern: Vec<Pattern>,
    body: Group,
}

/// A part of what a rule takes.
enum Pattern {
    Token(TokenTree),
    Group(Delimiter, Vec<Pattern>),
    Fragment { name: String, kind: String },
    Repeated { of: Vec<Pattern>, separator: Option<TokenTree>, optional: bool },
}

/// What a name of the pattern stands for.
#[derive(Clone)]
enum Bound {
    /// A fragment as written; whether it is an expression that other signs beside it could tear apart.
    One { text: String, loose: bool },
    /// One for each round of the repetition around, and all rounds as written.
    Many(Vec<Bindings>, String),
}

type Bindings = Vec<(String, Bound)>;

fn rules_of(rules: &str) -> Option<Vec<Rule>> {
    let list = |input: ParseStream<'_>| {
        let mut found = Vec::new();
        while !input.is_empty() {
            let matcher = input.parse::<Group>()?;
            input.parse::<syn::Token![=>]>()?;
            let body = input.parse::<Group>()?;
            input.parse::<Option<syn::Token![;]>>()?;
            let pattern = patterns(&tokens(matcher.stream())).ok_or_else(|| input.error("not a pattern"))?;
            found.push(Rule { pattern, body });
        }
        Ok(found)
    };
    list.parse_str(rules).ok()
}

fn tokens(stream: TokenStream) -> Vec<TokenTree> {
    stream.into_iter().collect()
}

fn is_sign(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

fn is_repetition(token: Option<&TokenTree>) -> bool {
    ['*', '+', '?'].iter().any(|sign| is_sign(token, *sign))
}

fn patterns(tokens_of: &[TokenTree]) -> Option<Vec<Pattern>> {
    let mut found = Vec::new();
    let mut rest = tokens_of;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        found.push(match (first, rest) {
            (TokenTree::Punct(sign), [TokenTree::Ident(name), colon, TokenTree::Ident(kind), after @ ..])
                if sign.as_char() == '$' && is_sign(Some(colon), ':') =>
            {
                rest = after;
                Pattern::Fragment { name: name.to_string(), kind: kind.to_string() }
            }
            (TokenTree::Punct(sign), [TokenTree::Group(of), after @ ..]) if sign.as_char() == '$' => {
                let repetition = repetition(after)?;
                rest = &after[repetition.length..];
                let of = patterns(&tokens(of.stream()))?;
                Pattern::Repeated { of, separator: repetition.separator, optional: repetition.optional }
            }
            (TokenTree::Group(group), _) => Pattern::Group(group.delimiter(), patterns(&tokens(group.stream()))?),
            (token, _) => Pattern::Token(token.clone()),
        });
    }
    Some(found)
}

/// What stands behind `$(…)`.
struct Repetition {
    separator: Option<TokenTree>,
    optional: bool,
    /// The tokens it takes.
    length: usize,
}

fn repetition(after: &[TokenTree]) -> Option<Repetition> {
    if is_repetition(after.first()) {
        return Some(Repetition { separator: None, optional: is_sign(after.first(), '?'), length: 1 });
    }
    let separator = after.first().cloned();
    is_repetition(after.get(1)).then(|| Repetition { separator, optional: false, length: 2 })
}

fn matched(patterns: &[Pattern], input: ParseStream<'_>, text: &str) -> syn::Result<Bindings> {
    let mut bindings = Bindings::new();
    for pattern in patterns {
        match pattern {
            Pattern::Token(token) => takes(token, input)?,
            Pattern::Group(delimiter, inner) => {
                let group = input.parse::<Group>()?;
                if group.delimiter() != *delimiter {
                    return Err(input.error("another bracket"));
                }
                let whole = |input: ParseStream<'_>| matched(inner, input, text);
                bindings.extend(whole.parse2(group.stream())?);
            }
            Pattern::Fragment { name, kind } => bindings.push((name.clone(), fragment(kind, input, text)?)),
            Pattern::Repeated { of, separator, optional } => {
                bindings.extend(rounds(of, separator.as_ref(), *optional, input, text));
            }
        }
    }
    Ok(bindings)
}

fn takes(token: &TokenTree, input: ParseStream<'_>) -> syn::Result<()> {
    let found = input.parse::<TokenTree>()?;
    if found.to_string() == token.to_string() { Ok(()) } else { Err(input.error("another token")) }
}

/// The rounds of a repetition, as many as there are: every name of it is bound to all of them.
fn rounds(
    of: &[Pattern],
    separator: Option<&TokenTree>,
    optional: bool,
    input: ParseStream<'_>,
    text: &str,
) -> Bindings {
    let mut found = Vec::new();
    let start = input.cursor();
    while !(input.is_empty() || optional && found.len() == 1) {
        let ahead = input.fork();
        if let Some(separator) = separator.filter(|_| !found.is_empty())
            && takes(separator, &ahead).is_err()
        {
            break;
        }
        let before = ahead.cursor();
        let Ok(round) = matched(of, &ahead, text) else { break };
        if ahead.cursor() == before {
            break;
        }
        syn::parse::discouraged::Speculative::advance_to(input, &ahead);
        found.push(round);
    }
    let whole = between(start, input.cursor(), text);
    names(of).into_iter().map(|name| (name, Bound::Many(found.clone(), whole.to_owned()))).collect()
}

fn names(patterns: &[Pattern]) -> Vec<String> {
    let of = |pattern: &Pattern| match pattern {
        Pattern::Fragment { name, .. } => vec![name.clone()],
        Pattern::Group(_, inner) | Pattern::Repeated { of: inner, .. } => names(inner),
        Pattern::Token(_) => Vec::new(),
    };
    patterns.iter().flat_map(of).collect()
}

fn fragment(kind: &str, input: ParseStream<'_>, text: &str) -> syn::Result<Bound> {
    let start = input.cursor();
    let mut loose = false;
    match kind {
        "ident" => drop(input.call(Ident::parse_any)?),
        "ty" => drop(input.parse::<syn::Type>()?),
        "expr" | "expr_2021" => loose = is_loose(&input.parse::<Expr>()?),
        "pat" => drop(Pat::parse_multi_with_leading_vert(input)?),
        "pat_param" => drop(Pat::parse_single(input)?),
        "block" => drop(input.parse::<syn::Block>()?),
        "tt" => drop(input.parse::<TokenTree>()?),
        "literal" => {
            input.parse::<Option<syn::Token![-]>>()?;
            drop(input.parse::<syn::Lit>()?);
        }
        "path" => drop(input.parse::<syn::Path>()?),
        "lifetime" => drop(input.parse::<syn::Lifetime>()?),
        "vis" => drop(input.parse::<syn::Visibility>()?),
        "meta" => drop(input.parse::<syn::Meta>()?),
        "item" => drop(input.parse::<syn::Item>()?),
        _ => return Err(input.error("a kind of fragment that is not known")),
    }
    Ok(Bound::One { text: between(start, input.cursor(), text).to_owned(), loose })
}

/// Whether signs beside an expression could take a part of it.
fn is_loose(expression: &Expr) -> bool {
    !matches!(
        expression,
        Expr::Array(_)
            | Expr::Block(_)
            | Expr::Call(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Lit(_)
            | Expr::Macro(_)
            | Expr::MethodCall(_)
            | Expr::Paren(_)
            | Expr::Path(_)
            | Expr::Struct(_)
            | Expr::Tuple(_)
    )
}

/// The text from `start` up to `end`.
fn between<'t>(start: Cursor<'_>, end: Cursor<'_>, text: &'t str) -> &'t str {
    let mut at = start;
    let mut last = None;
    while at != end
        && let Some((token, next)) = at.token_tree()
    {
        last = Some(token.span().byte_range().end);
        at = next;
    }
    last.and_then(|end| text.get(start.span().byte_range().start..end)).unwrap_or_default()
}

/// Writes a rule's body: its own text with its names replaced.
struct Writing<'t> {
    text: &'t str,
}

impl Writing<'_> {
    /// The text from `start` to `end`, which has these tokens.
    fn written(&self, tokens_of: &[TokenTree], start: usize, end: usize, bindings: &Bindings) -> Option<String> {
        let mut out = String::new();
        let (mut done, mut at) = (start, 0);
        while let Some(token) = tokens_of.get(at) {
            let range = token.span().byte_range();
            match (token, tokens_of.get(at + 1)) {
                (TokenTree::Punct(sign), Some(TokenTree::Ident(name))) if sign.as_char() == '$' => {
                    let before = at.checked_sub(1).and_then(|before| tokens_of.get(before));
                    let value = value(&name.to_string(), bindings, before, tokens_of.get(at + 2))?;
                    out.push_str(self.text.get(done..range.start)?);
                    out.push_str(&value);
                    done = name.span().byte_range().end;
                    at += 2;
                }
                (TokenTree::Punct(sign), Some(TokenTree::Group(of))) if sign.as_char() == '$' => {
                    let repetition = repetition(tokens_of.get(at + 2..)?)?;
                    out.push_str(self.text.get(done..range.start)?);
                    out.push_str(&self.repeated(of, repetition.separator.as_ref(), bindings)?);
                    at += 2 + repetition.length;
                    done = tokens_of.get(at - 1)?.span().byte_range().end;
                }
                (TokenTree::Group(group), _) => {
                    let inside = group.delim_span();
                    let (open, close) = (inside.open().byte_range().end, inside.close().byte_range().start);
                    out.push_str(self.text.get(done..open)?);
                    out.push_str(&self.written(&tokens(group.stream()), open, close, bindings)?);
                    done = close;
                    at += 1;
                }
                _ => at += 1,
            }
        }
        out.push_str(self.text.get(done..end)?);
        Some(out)
    }

    fn repeated(&self, of: &Group, separator: Option<&TokenTree>, bindings: &Bindings) -> Option<String> {
        let used = |name: &str| uses(of.stream(), name);
        let (rounds, as_written) = bindings.iter().find_map(|(name, bound)| match bound {
            Bound::Many(rounds, whole) if used(name) => Some((rounds, whole)),
            _ => None,
        })?;
        // What is handed on token by token keeps its layout.
        if separator.is_none() && of.stream().into_iter().count() == 2 && rounds.iter().all(|round| round.len() == 1) {
            return Some(as_written.clone());
        }
        let inside = of.delim_span();
        let (start, end) = (inside.open().byte_range().end, inside.close().byte_range().start);
        let whole = self.text.get(start..end)?;
        let break_after = if whole.contains('\n') { "\n" } else { " " };
        let between = format!("{}{break_after}", separator.map_or(String::new(), ToString::to_string));
        let round = |own: &Bindings| {
            let all = own.iter().chain(bindings).cloned().collect();
            Some(self.written(&tokens(of.stream()), start, end, &all)?.trim().to_owned())
        };
        Some(rounds.iter().map(round).collect::<Option<Vec<_>>>()?.join(&between))
    }
}

fn uses(stream: TokenStream, name: &str) -> bool {
    stream.into_iter().any(|token| match token {
        TokenTree::Group(group) => uses(group.stream(), name),
        TokenTree::Ident(word) => word == name,
        _ => false,
    })
}

/// What `$name` becomes between these two tokens.
fn value(name: &str, bindings: &Bindings, before: Option<&TokenTree>, after: Option<&TokenTree>) -> Option<String> {
    if name == "crate" {
        return Some(name.to_owned());
    }
    let (_, bound) = bindings.iter().find(|(known, _)| known == name)?;
    let Bound::One { text, loose } = bound else { return None };
    let ends = |token: Option<&TokenTree>| token.is_none() || is_sign(token, ',') || is_sign(token, ';');
    let word = |token: &TokenTree| matches!(token.to_string().as_str(), "in" | "return" | "=");
    let stands_alone = (ends(before) || before.is_some_and(word)) && ends(after);
    Some(if *loose && !stands_alone { format!("({text})") } else { text.clone() })
}

#[cfg(test)]
mod tests {
    use super::expanded;

    #[track_caller]
    fn check(rules: &str, arguments: &str, expected: Option<&str>) {
        assert_eq!(expanded(rules, arguments).as_deref(), expected, "{rules} of {arguments}");
    }

    #[test]
    fn names_are_replaced_in_the_text_as_it_is_laid_out() {
        check(
            "($name:ident, $ty:ty) => {\n    fn $name(x in any::<$ty>()) { // why\n        f(x)\n    }\n};",
            "small, Vec<(u8, u16)>",
            Some("\n    fn small(x in any::<Vec<(u8, u16)>>()) { // why\n        f(x)\n    }\n"),
        );
        check("($m:meta $v:vis $l:lifetime $p:path) => ($m|$v|$l|$p)", "doc = \"é\" pub(crate) 'a a::b", {
            Some("doc = \"é\"|pub(crate)|'a|a::b")
        });
    }

    #[test]
    fn the_first_rule_that_fits_is_taken() {
        let rules =
            "(@one $x:expr) => { one $x }; ($x:literal) => { two $x }; ($($t:tt)*) => { $crate::three! { $($t)* } }";
        check(rules, "@one a + 1", Some(" one (a + 1) "));
        check(rules, "-3", Some(" two -3 "));
        check(rules, "fn f(x in 0..9) { g(x) }", Some(" crate::three! { fn f(x in 0..9) { g(x) } } "));
    }

    #[test]
    fn repetitions_nest_and_keep_their_separators() {
        check(
            "($(fn $name:ident($($p:pat in $s:expr),* $(,)?) $body:block)+) => { $(\n#[test]\nfn $name($($p in $s),*) $body\n)+ }",
            "fn a(x in 0..9, (y, z) in t(),) { f(x) } fn b() {}",
            Some(" #[test]\nfn a(x in 0..9, (y, z) in t()) { f(x) }\n#[test]\nfn b() {} "),
        );
    }

    #[test]
    fn an_expression_keeps_together() {
        check("($x:expr) => { f($x, $x * 2); let y = $x; }", "a + b", Some(" f(a + b, (a + b) * 2); let y = a + b; "));
    }

    #[test]
    fn what_does_not_fit_has_no_text() {
        check("($x:ident) => { $x }", "1", None);
        check("($x:ident) => { $x }", "a b", None);
        check("($x:strange) => { $x }", "a", None);
        check("(", "a", None);
        check("() => { $gone }", "", None);
    }
}
