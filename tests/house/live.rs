//! Code without its tests: what is left of Rust tokens when attributes, and what stands under `#[cfg(test)]`, are taken
//! out.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// `tokens` without attributes and without what `#[cfg(test)]` stands before.
pub(super) fn live(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut kept = Vec::new();
    let (mut at, mut in_test) = (0, false);
    while at < tokens.len() {
        if let Some((after, test)) = attribute(&tokens, at) {
            in_test |= test;
            at = after;
            continue;
        }
        if !in_test {
            kept.push(inner(&tokens[at]));
        }
        in_test &= !ends_construct(&tokens[at]);
        at += 1;
    }
    kept.into_iter().collect()
}

/// The same for what stands between brackets of any kind.
fn inner(token: &TokenTree) -> TokenTree {
    let TokenTree::Group(group) = token else { return token.clone() };
    let mut kept = Group::new(group.delimiter(), live(group.stream()));
    kept.set_span(group.span());
    TokenTree::Group(kept)
}

/// The place after the attribute at `at`, and whether it is `#[cfg(test)]`.
fn attribute(tokens: &[TokenTree], at: usize) -> Option<(usize, bool)> {
    let is_sign =
        |at: usize, sign: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
    let open = at + 1 + usize::from(is_sign(at + 1, '!'));
    match tokens.get(open) {
        Some(TokenTree::Group(group)) if is_sign(at, '#') && group.delimiter() == Delimiter::Bracket => {
            Some((open + 1, group.stream().to_string().replace(' ', "") == "cfg(test)"))
        }
        _ => None,
    }
}

/// Whether a function, a module or a statement is over with `token`.
fn ends_construct(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    }
}

fn check(code: &str, expected: &str) {
    let plain = |text: String| text.split_whitespace().collect::<String>();
    assert_eq!(plain(live(code.parse().unwrap()).to_string()), plain(expected.into()), "{code}");
}

#[test]
fn what_stands_under_cfg_test_is_gone_to_its_end() {
    check("#[cfg(test)] #[expect(x)] mod tests { use a::b; } use c::d;", "use c::d;");
    check("#[cfg(test)] use a::b; use c::d;", "use c::d;");
    check("mod m { #[cfg(test)] fn f() -> (u8, u8) { (1, 2) } fn g() {} }", "mod m { fn g() {} }");
}

#[test]
fn attributes_and_comments_are_gone() {
    check("#![doc = \"x\"] /// y\n#[derive(Debug)] struct A;", "struct A;");
}
